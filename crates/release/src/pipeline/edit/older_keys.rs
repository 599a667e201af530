//! Writes the keys of today into a project file with keys of older projects.

use std::path::Path;

use crate::pipeline::PipelineError;
use palmtop_project::{OlderLines, Project};
use palmtop_tables::write::Gate;

/// Replaces the older keys of a project file, and returns the lines that changed. The file is replaced in one step, and only if
/// the new text is the same project.
///
/// # Errors
/// A [`PipelineError`] if the project cannot be read or written. Then it is unchanged.
pub fn rewrite(path: &Path) -> Result<Vec<OlderLines>, PipelineError> {
    let project = Project::read(path)?;
    if let Some(text) = project.rewritten()? {
        Gate::default().replace(path, text.as_bytes())?;
    }
    Ok(project.older)
}

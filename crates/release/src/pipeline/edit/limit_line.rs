//! Writes the limit of a quasi-identifier into the project file. Only its lines change, all other bytes stay.

use crate::pipeline::{Analysis, PipelineError, edit::settings};
use palmtop_project::{Limit, lines};

/// Writes the limit of a quasi-identifier into the project file, instead of its `shape = "labels"`, `terms` and `borders`.
///
/// # Errors
/// A [`PipelineError`] if the file changed since loading, if its lines cannot be edited, or if the
/// disk fails. Then the project file is unchanged.
///
/// # Panics
/// If there is no such quasi-identifier.
pub fn save(analysis: &Analysis, attribute: usize, limit: Limit) -> Result<(), PipelineError> {
    let name = &analysis.problem.quasi()[attribute].name;
    let key = limit.key();
    let edit = |text: &str| lines::with_limit(text, name, key.as_deref());
    let remedy = match &key {
        Some(key) => format!("write `{key}` under it yourself"),
        None => "remove `shape`, `terms` and `borders` under it yourself".to_owned(),
    };
    settings::edit(analysis, edit, || {
        (format!("the lines of [[attribute]] `{name}` cannot be edited"), remedy)
    })
}

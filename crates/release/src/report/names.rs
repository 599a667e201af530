//! The names of files in a report: no report has a path of the machine.

use std::path::Path;

use super::origin::file_name;
use crate::pipeline::Analysis;

/// The project as a command in its folder names it: the name of its file, or the name of a built-in project.
pub(super) fn project_name(project: &str) -> String {
    if project.starts_with('@') { project.to_owned() } else { file_name(Path::new(project)) }
}

/// A path relative to the project's folder: `data/t.csv`, `../t.csv`. A file that is further away has only its name, so that no
/// report has a path of the machine.
pub(super) fn from_project(analysis: &Analysis, path: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (project, path) = (absolute(analysis.path()), absolute(path));
    let mut folder = project.parent();
    for ups in 0..=1 {
        let Some(ancestor) = folder else { break };
        if let Ok(inside) = path.strip_prefix(ancestor) {
            return format!("{}{}", "../".repeat(ups), inside.display());
        }
        folder = ancestor.parent();
    }
    file_name(&path)
}

//! The name of the history, and the names of files in it.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::HistoryError;
use palmtop_core::located::LocatedError;
use palmtop_tables::error::DataError;

/// The path of a project's history: `NAME.history.toml` in the folder of `NAME.toml`.
pub fn path_of(project: &Path) -> PathBuf {
    let stem = project.file_stem().unwrap_or_default().to_string_lossy();
    project.with_file_name(format!("{stem}.history.toml"))
}

/// The folder of a project.
pub(super) fn folder_of(project: &Path) -> &Path {
    project.parent().unwrap_or_else(|| Path::new(""))
}

/// The name of a file in the history: its path relative to the project's folder.
///
/// # Errors
/// A [`HistoryError`] if a folder cannot be found, or the path is not UTF-8.
pub fn name_from_project(project: &Path, file: &Path) -> Result<String, HistoryError> {
    let (from, to) = (real(folder_of(project))?, real(folder_of(file))?);
    let common = from.components().zip(to.components()).take_while(|(from, to)| from == to).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let mut relative: PathBuf = up.chain(to.components().skip(common)).collect();
    relative.push(file.file_name().unwrap_or_default());
    let text = relative.to_str().ok_or_else(|| {
        let problem = format!("{} is not UTF-8, so the history cannot name it", relative.display());
        LocatedError::new(problem).remedy("rename the file")
    })?;
    Ok(text.to_owned())
}

/// The real path of a folder. A folder that does not exist yet, as that of a package, is one in a folder that does.
fn real(folder: &Path) -> Result<PathBuf, HistoryError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (folder.canonicalize(), folder.parent(), folder.file_name()) {
        (Err(error), Some(parent), Some(name)) if error.kind() == ErrorKind::NotFound => {
            Ok(real(parent)?.join(name))
        }
        (found, ..) => Ok(found.map_err(DataError::io("find", folder))?),
    }
}

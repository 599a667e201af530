//! An edited hierarchy on its way to the disk: a new file, and the one line of the project that names it.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use super::super::{Analysis, PipelineError};
use super::no_file;
use crate::project::lines;
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::edit::{Editable, Written};
use palmtop_tables::write::{Gate, RealDisk, Ward, WriteError};
use palmtop_tables::{input, read};

/// A hierarchy that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedHierarchy {
    /// Its file.
    pub path: PathBuf,
    /// How the project names it.
    pub named: String,
    /// The unfinished files of runs that were killed, which were found beside it and removed.
    pub removed: Vec<PathBuf>,
}

/// Saves an edited hierarchy to a new file and lets the project name it; all else of the project stays byte for byte.
/// `sessions` are files that nothing is written over.
///
/// # Errors
/// A [`PipelineError`]: the name is taken, or is no name for such a file; the project or the hierarchy is no longer what was
/// loaded; no form of file says all of it; the disk fails. Then the project is as it was.
pub fn save(
    analysis: &Analysis,
    attribute: usize,
    edited: &Editable,
    target: &Path,
    sessions: &[PathBuf],
) -> Result<SavedHierarchy, PipelineError> {
    let (written, _) = super::file(analysis, attribute, edited)?;
    let path = analysis.project.path.as_path();
    let known = analysis.inputs.iter().find(|input| input.path == path);
    if known.is_none_or(|input| read::hash_file(path).ok().as_ref() != Some(&input.sha256)) {
        return Err(PipelineError::InputChanged { path: path.to_owned() });
    }
    let name = &analysis.problem.quasi()[attribute].name;
    let inputs = analysis.inputs.iter().map(|input| input.path.as_path());
    save_file(path, name, &written, target, inputs, sessions)
}

/// Writes a hierarchy to a new file, then the project with its name; the hierarchy stands before the project names it.
pub(super) fn save_file<'a>(
    project: &Path,
    attribute: &str,
    written: &Written,
    target: &Path,
    inputs: impl Iterator<Item = &'a Path>,
    sessions: &[PathBuf],
) -> Result<SavedHierarchy, PipelineError> {
    if target.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case(written.ending)) {
        return Err(no_file(target, written.ending));
    }
    let folder = project.parent().unwrap_or_else(|| Path::new(""));
    let named = target.strip_prefix(folder).unwrap_or(target).to_string_lossy().into_owned();
    let bytes = input::read(project, input::MOST_TEXT).map_err(DataError::io("read", project))?;
    let text = String::from_utf8(bytes).ok();
    let text = text.and_then(|text| lines::with_hierarchy(&text, attribute, &named, written.kind));
    let text = text.ok_or_else(|| PipelineError::NoLine {
        path: project.to_owned(),
        attribute: attribute.to_owned(),
        line: lines::hierarchy_line(&named),
    })?;
    // The project is the one input that is written anew.
    let mut gate = Gate::guarding(Ward::Input, inputs.filter(|input| *input != project));
    for session in sessions {
        gate.guard(Ward::Session, session);
    }
    let mut inner = gate.clone();
    inner.guard(Ward::Input, project);
    let put = gate.write(
        &mut RealDisk,
        project,
        true,
        |out| out.write_all(text.as_bytes()),
        |_| inner.put(&mut RealDisk, target, false, &written.bytes),
    );
    put.map_err(flat)?;
    let removed = [gate.take_removed(), inner.take_removed()].concat();
    Ok(SavedHierarchy { path: target.to_owned(), named, removed })
}

/// The error of either of two files.
fn flat(error: WriteError<WriteError<Infallible>>) -> PipelineError {
    match error {
        WriteError::Target(error) | WriteError::Refused(WriteError::Target(error)) => error.into(),
        WriteError::Disk(error) | WriteError::Refused(WriteError::Disk(error)) => error.into(),
        WriteError::Refused(WriteError::Refused(never)) => match never {},
    }
}

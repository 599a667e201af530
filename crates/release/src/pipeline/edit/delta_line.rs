//! Writes δ into the project file. Only the lines of δ change, all other bytes stay.

use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::model::Delta;
use palmtop_project::{Decided, lines};
use palmtop_tables::error::DataError;
use palmtop_tables::write::{Gate, Ward};
use palmtop_tables::{input, read};

/// Writes a δ into the project file, and why it is this one.
///
/// # Errors
/// A [`PipelineError`] if the file changed since loading, if its lines of δ cannot be found, or if
/// the disk fails. Then the project file is unchanged.
pub fn save(analysis: &Analysis, delta: Delta, decided: &Decided) -> Result<(), PipelineError> {
    let problem = || {
        let remedy = format!("write them yourself: {}", lines::delta_lines(delta));
        ("the lines of δ cannot be found".to_owned(), remedy)
    };
    edit(analysis, |text| lines::with_decision(text, delta, decided), problem)
}

/// Edits the text of the project file. `problem` is the message, with its remedy, if the text cannot
/// be edited.
pub(in crate::pipeline) fn edit(
    analysis: &Analysis,
    edited: impl FnOnce(&str) -> Option<String>,
    problem: impl FnOnce() -> (String, String),
) -> Result<(), PipelineError> {
    let path = analysis.project.path.as_path();
    let known = analysis.inputs.iter().find(|input| input.path == path);
    if known.is_none_or(|input| read::hash_file(path).ok().as_ref() != Some(&input.sha256)) {
        return Err(PipelineError::changed(path));
    }
    let bytes = input::read(path, input::MOST_TEXT).map_err(DataError::io("read", path))?;
    let text = String::from_utf8(bytes).ok().and_then(|text| edited(&text));
    let text = text.ok_or_else(|| {
        let (wrong, remedy) = problem();
        LocatedError::new(wrong).in_file(path).remedy(remedy)
    })?;
    // The project file is the only input that may be overwritten.
    let others = analysis.inputs.iter().map(|input| input.path.as_path()).filter(|input| *input != path);
    let mut gate = Gate::guarding(Ward::Input, others);
    Ok(gate.replace(path, text.as_bytes())?)
}

//! Writes settings into the project file: δ and why it is this one, the policy, the statements for the report.
//!
//! Only these settings change. The edited text is read as a project before it is written, so that no file is left behind that
//! cannot be opened.

use std::cell::RefCell;

use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::words::chain;
use palmtop_project::Project;
use palmtop_project::settings::{Setting, with_settings};
use palmtop_tables::error::DataError;
use palmtop_tables::write::{Gate, Ward};
use palmtop_tables::{input, read};

/// Writes settings into the project file.
///
/// # Errors
/// A [`PipelineError`] if the file changed since loading, if it cannot be edited or would be no project, or if the disk fails.
/// Then the project file is unchanged.
pub fn save(analysis: &Analysis, settings: &[Setting]) -> Result<(), PipelineError> {
    let refused = RefCell::new(None);
    let edited = |text: &str| {
        let edited = with_settings(text, settings)?;
        match Project::from_text(&analysis.project.path, &edited) {
            Ok(_) => Some(edited),
            Err(error) => {
                *refused.borrow_mut() = Some(error);
                None
            }
        }
    };
    edit(analysis, edited, || match refused.take() {
        Some(error) => (chain(&error), "correct the field; nothing was written".to_owned()),
        None => {
            ("its lines cannot be edited".to_owned(), format!("write them yourself: {}", lines(settings)))
        }
    })
}

/// The lines of settings, for a user who must write them.
fn lines(settings: &[Setting]) -> String {
    let line = |Setting { table, key, value }: &Setting| match value {
        Some(value) => format!("[{table}] {key} = {value}"),
        None => format!("[{table}] without {key}"),
    };
    settings.iter().map(line).collect::<Vec<_>>().join("; ")
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

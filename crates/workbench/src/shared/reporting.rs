//! The papers of written releases. A paper is written next to its release under the first free name.

use std::path::{Path, PathBuf};

use palmtop_core::model::Delta;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::codebook::Codebook;
use palmtop_release::history::{self, Moment, ReportEntry};
use palmtop_release::package::Paper;
use palmtop_release::pipeline::{self, Analysis};
use palmtop_release::report::{RecipientReport, Report, ReportRequest};
use palmtop_tables::read::hash_file;
use palmtop_tables::write::Ward;

use super::saver::{Saver, describe_removed};
use crate::kit::words::chain;

/// The inputs of a paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asking<'a> {
    /// The project as commands name it.
    pub(crate) project: &'a str,
    pub(crate) release: &'a Path,
    pub(crate) delta: Delta,
    pub(crate) paper: Paper,
}

/// Recounts a release and writes a paper of it. Returns the path, and whether the paper calls the
/// release verified. `say` gets messages about other work.
/// # Errors
/// The reason why nothing was written.
pub(crate) fn write(
    analysis: &Analysis,
    saver: &Saver,
    asking: Asking,
    say: &mut dyn FnMut(String),
) -> Result<(PathBuf, bool), String> {
    let release = asking.release;
    let (page, is_verified) = content(analysis, asking)?;
    let mut gate = pipeline::export::gate(analysis);
    gate.guard(Ward::Input, release);
    saver.guard(&mut gate);
    let put = gate.put_new(asking.paper.names(release), page.as_bytes());
    if let Some(message) = describe_removed(&gate.take_removed()) {
        say(message);
    }
    let path = put.map_err(|error| chain(&error))?;
    if let (true, Some(reader)) = (saver.is_kept(), asking.paper.reader()) {
        let noted = hash_file(release).map_err(Into::into).and_then(|sha256| {
            history::note(analysis.path(), &ReportEntry::of(analysis.path(), &path, reader, &sha256)?)
        });
        if let Err(error) = noted {
            say(format!("the history has no entry of the report: {}", chain(&error)));
        }
    }
    Ok((path, is_verified))
}

/// The text of a paper, and whether it calls the release verified.
fn content(analysis: &Analysis, asking: Asking) -> Result<(String, bool), String> {
    let Asking { project, release, delta, paper } = asking;
    if paper == Paper::CodeList {
        let read = pipeline::reading::read(analysis, release).map_err(|error| chain(&error))?;
        let list = Codebook::of_file(analysis, &read).map_err(|error| chain(&error))?;
        return Ok((list.table().to_csv(), read.is_faithful()));
    }
    if let Some(refused) = analysis.refusal(Feature::Command(Command::Report)) {
        return Err(refused.to_string());
    }
    let asked = ReportRequest { project, release, delta, history: None, stakes: None, at: Moment::now() };
    let report = Report::of(analysis, &asked).map_err(|error| chain(&error))?;
    let page = match paper {
        Paper::Recipient => RecipientReport::of(&report).to_html(),
        Paper::Signer | Paper::CodeList => report.to_html(),
    };
    Ok((page, report.verdict.verified))
}

/// The message about a paper.
pub(crate) fn outcome(written: &Result<(PathBuf, bool), String>) -> String {
    match written {
        Ok((path, true)) => format!("written: {}", path.display()),
        Ok((path, false)) => format!("REFUSED; the report has the reasons: {}", path.display()),
        Err(why) => format!("✗ nothing was written: {why}"),
    }
}

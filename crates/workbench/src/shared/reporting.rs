//! The papers of written releases, each under its one name beside the release.

use std::path::{Path, PathBuf};

use palmtop_core::model::Delta;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::codebook::Codebook;
use palmtop_release::history::{self, Moment, ReportEntry};
use palmtop_release::package::Paper;
use palmtop_release::pipeline::{self, Analysis};
use palmtop_release::report::{RecipientReport, Report, ReportRequest};
use palmtop_tables::write::{RealDisk, Ward};

use super::saver::{Saver, describe_removed};
use crate::kit::words::chain;

/// The inputs of papers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asking<'a> {
    /// The project as commands name it.
    pub(crate) project: &'a str,
    pub(crate) release: &'a Path,
    pub(crate) delta: Delta,
    pub(crate) papers: &'a [Paper],
}

/// Recounts a release and writes papers of it. Returns the paths, and whether the release is verified. `say` gets messages about
/// other work.
/// # Errors
/// The reason why a paper was not written; those before it were.
pub(crate) fn write(
    analysis: &Analysis,
    saver: &Saver,
    asking: Asking,
    say: &mut dyn FnMut(String),
) -> Result<(Vec<PathBuf>, bool), String> {
    let release = asking.release;
    let mut gate = pipeline::export::gate(analysis);
    gate.guard(Ward::Input, release);
    saver.guard(&mut gate);
    let paths: Vec<PathBuf> = asking.papers.iter().map(|paper| paper.path(release)).collect();
    paths.iter().try_for_each(|path| gate.check(path, false)).map_err(|error| chain(&error))?;
    let (texts, sha256, is_verified) = contents(analysis, asking)?;
    for ((paper, path), text) in asking.papers.iter().zip(&paths).zip(texts) {
        let put = gate.put(&mut RealDisk, path, false, text.as_bytes());
        if let Some(message) = describe_removed(&gate.take_removed()) {
            say(message);
        }
        put.map_err(|error| chain(&error))?;
        if let (true, Some(reader), Some(sha256)) = (saver.is_kept(), paper.reader(), &sha256) {
            let noted = ReportEntry::of(analysis.path(), path, reader, sha256)
                .and_then(|entry| history::note(analysis.path(), &entry));
            if let Err(error) = noted {
                say(format!("the history has no entry of the report: {}", chain(&error)));
            }
        }
    }
    Ok((paths, is_verified))
}

/// The texts of papers, the SHA-256 that reports name, and whether the release is verified.
fn contents(analysis: &Analysis, asking: Asking) -> Result<(Vec<String>, Option<String>, bool), String> {
    let Asking { project, release, delta, papers } = asking;
    if papers.iter().all(|paper| *paper == Paper::CodeList) {
        let read = pipeline::reading::read(analysis, release).map_err(|error| chain(&error))?;
        let list = Codebook::of_file(analysis, &read).map_err(|error| chain(&error))?;
        return Ok((vec![list.table().to_csv(); papers.len()], None, read.is_faithful()));
    }
    if let Some(refused) = analysis.refusal(Feature::Command(Command::Report)) {
        return Err(refused.to_string());
    }
    let asked = ReportRequest { project, release, delta, history: None, stakes: None, at: Moment::now() };
    let report = Report::of(analysis, &asked).map_err(|error| chain(&error))?;
    let list = report.code_list.clone().unwrap_or_default();
    let text = |paper: &Paper| match paper {
        Paper::Signer => report.to_html(),
        Paper::Recipient => RecipientReport::of(&report).to_html(),
        Paper::CodeList => list.table().to_csv(),
    };
    let texts = papers.iter().map(text).collect();
    Ok((texts, Some(report.release.sha256.clone()), report.verdict.verified))
}

/// The message about papers.
pub(crate) fn outcome(written: &Result<(Vec<PathBuf>, bool), String>) -> String {
    let names = |paths: &[PathBuf]| {
        paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join("; ")
    };
    match written {
        Ok((paths, true)) => format!("written: {}", names(paths)),
        Ok((paths, false)) => format!("REFUSED; the report has the reasons: {}", names(paths)),
        Err(why) => format!("✗ not written: {why}"),
    }
}

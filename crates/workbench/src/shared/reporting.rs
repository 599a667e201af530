//! Reports of written releases. A report is written next to its release under the first free name.

use std::path::{Path, PathBuf};

use palmtop_core::model::Delta;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::history::{self, Moment, ReportEntry};
use palmtop_release::pipeline::{self, Analysis};
use palmtop_release::report::{RecipientReport, Report, ReportRequest};
use palmtop_tables::read::hash_file;
use palmtop_tables::write::Ward;

use super::saver::{Saver, describe_removed};
use crate::kit::words::chain;

/// The reader of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// The person who signs the release.
    Signer,
    /// The person who receives the release.
    Recipient,
}

impl Reader {
    /// The word in the history.
    fn word(self) -> &'static str {
        match self {
            Self::Signer => "signer",
            Self::Recipient => "recipient",
        }
    }

    /// The word in the name of the report.
    fn kind(self) -> &'static str {
        match self {
            Self::Signer => "report",
            Self::Recipient => "recipient",
        }
    }
}

/// The inputs of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asking<'a> {
    /// The project as commands name it.
    pub(crate) project: &'a str,
    pub(crate) release: &'a Path,
    pub(crate) delta: Delta,
    pub(crate) reader: Reader,
}

/// Recounts a release and writes its report. Returns the path, and whether the report calls the
/// release verified. `say` gets messages about other work.
/// # Errors
/// The reason why no report was written.
pub(crate) fn write(
    analysis: &Analysis,
    saver: &Saver,
    asking: Asking,
    say: &mut dyn FnMut(String),
) -> Result<(PathBuf, bool), String> {
    let Asking { project, release, delta, reader } = asking;
    if let Some(refused) = analysis.refusal(Feature::Command(Command::Report)) {
        return Err(refused.to_string());
    }
    let asked = ReportRequest { project, release, delta, history: None, stakes: None, at: Moment::now() };
    let report = Report::of(analysis, &asked).map_err(|error| chain(&error))?;
    let page = match reader {
        Reader::Signer => report.to_html(),
        Reader::Recipient => RecipientReport::of(&report).to_html(),
    };
    let mut gate = pipeline::export::gate(analysis);
    gate.guard(Ward::Input, release);
    saver.guard(&mut gate);
    let put = gate.put_new(names(release, reader.kind()), page.as_bytes());
    if let Some(message) = describe_removed(&gate.take_removed()) {
        say(message);
    }
    let path = put.map_err(|error| chain(&error))?;
    if saver.is_kept() {
        let noted = hash_file(release).map_err(Into::into).and_then(|sha256| {
            history::note(analysis.path(), &ReportEntry::of(analysis.path(), &path, reader.word(), &sha256)?)
        });
        if let Err(error) = noted {
            say(format!("the history has no entry of the report: {}", chain(&error)));
        }
    }
    Ok((path, report.verdict.verified))
}

/// The message about a report.
pub(crate) fn outcome(written: &Result<(PathBuf, bool), String>) -> String {
    match written {
        Ok((path, true)) => format!("report written: {}", path.display()),
        Ok((path, false)) => format!("REFUSED; the report has the reasons: {}", path.display()),
        Err(why) => format!("✗ no report was written: {why}"),
    }
}

/// The name of a report, if nothing has it yet: `NAME.report.html`.
pub(crate) fn first_name(release: &Path, reader: Reader) -> PathBuf {
    names(release, reader.kind()).next().unwrap_or_default()
}

/// The possible names of a report: `NAME.report.html`, `NAME.report-2.html`, …
fn names(release: &Path, kind: &'static str) -> impl Iterator<Item = PathBuf> {
    let stem = release.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = move |number: u64| match number {
        1 => format!("{stem}.{kind}.html"),
        number => format!("{stem}.{kind}-{number}.html"),
    };
    let release = release.to_owned();
    (1..).map(move |number| release.with_file_name(name(number)))
}

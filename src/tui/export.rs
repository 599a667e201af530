//! The export dialog: what will be written where, and what the analyst has to say before it is.

use std::path::PathBuf;
use std::sync::Arc;

use palmtop::model::Presence;
use palmtop::pipeline::{Analysis, ExportOptions, PipelineError, Written};
use palmtop::release::{Origin, Release};
use palmtop::search::{SearchReport, StopReason};

use super::job::Jobs;
use super::message::{ExportFailure, JobName, Message};
use super::widgets::input::Input;

/// What the analyst types to have a release written that is not δ-present.
pub(crate) const ADMISSION: &str = "not present";

/// How far an export is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The name is being typed.
    Name,
    /// It is not δ-present: the admission is being typed.
    Admission(Input),
    /// The name is taken: overwrite?
    Overwrite,
    /// It is being written and verified.
    Running,
    /// It stands on disk, verified.
    Written(Written),
    /// Nothing was written, and why.
    Refused(String),
}

/// The dialog.
pub(crate) struct ExportDialog {
    /// Which dialog of the session this is: only what is meant for it reaches it.
    pub(crate) number: u64,
    pub(crate) release: Arc<Release>,
    pub(crate) target: Input,
    pub(crate) stage: Stage,
    /// The first rows as they will be written, once they are read.
    pub(crate) preview: Option<Result<Vec<Vec<String>>, String>>,
    /// Whether the analyst typed that it is not δ-present. Nothing else lets such a release through.
    admitted: bool,
    command_name: String,
    overrides: String,
}

impl ExportDialog {
    /// Opens the dialog for a release, and begins to read its preview.
    pub(crate) fn open(
        jobs: &Jobs,
        analysis: &Arc<Analysis>,
        release: Arc<Release>,
        command_name: &str,
        number: u64,
    ) -> Self {
        let (of, shown) = (Arc::clone(analysis), Arc::clone(&release));
        jobs.start(JobName::Preview(number), move |sender| {
            let preview = of.preview(&shown, 3).map(|rows| hide_sensitive(&of, rows));
            let _ = sender.send(Message::Previewed(number, preview.map_err(|error| chain(&error))));
        });
        let project = analysis.project();
        let delta = release.delta;
        let mut overrides = String::new();
        if project.delta_min.unwrap_or(Presence::ZERO) != delta.min() {
            overrides = format!(" --delta-min {}", delta.min());
        }
        if project.delta_max != Some(delta.max()) {
            overrides = format!("{overrides} --delta-max {}", delta.max());
        }
        Self {
            number,
            target: Input::new(format!("{}-release.csv", release_stem(analysis))),
            stage: Stage::Name,
            preview: None,
            admitted: false,
            command_name: command_name.to_owned(),
            overrides,
            release,
        }
    }

    /// The headless twin of what this dialog does; none where no command makes this very release again.
    pub(crate) fn command_line(&self) -> Option<String> {
        let rounds = self.release.search.and_then(|report| report.rounds);
        let stopped = |report: SearchReport| matches!(report.stop, StopReason::Cancelled | StopReason::Time);
        if rounds.is_none() && self.release.search.is_some_and(stopped) {
            return None;
        }
        let what = match &self.release.origin {
            Origin::Search(strategy, _) if rounds.is_some() => {
                format!("--strategy {strategy} --rounds {}", rounds.unwrap_or_default())
            }
            Origin::Search(strategy, _) => format!("--strategy {strategy}"),
            Origin::ByHand(node) => format!("--node {node}"),
        };
        let overwrites = if self.stage == Stage::Overwrite { " --force" } else { "" };
        let admits = if self.release.is_present() { "" } else { " --allow-not-present" };
        let (project, target) = (quoted(&self.command_name), quoted(self.target.text().trim()));
        Some(format!("palmtop anonymize {project} {what}{} -o {target}{overwrites}{admits}", self.overrides))
    }

    /// What is being typed.
    pub(crate) fn input(&mut self) -> &mut Input {
        match &mut self.stage {
            Stage::Admission(typed) => typed,
            _ => &mut self.target,
        }
    }

    /// A typed character.
    pub(crate) fn type_character(&mut self, character: char) {
        if matches!(self.stage, Stage::Name | Stage::Admission(_)) {
            self.input().insert(character);
        }
    }

    /// Enter: goes on where it can, and writes when nothing is left to say.
    pub(crate) fn confirm(&mut self, jobs: &Jobs, analysis: &Arc<Analysis>) {
        match &self.stage {
            Stage::Name if self.target.text().trim().is_empty() => {}
            Stage::Name if !self.release.is_present() => {
                self.admitted = false;
                self.stage = Stage::Admission(Input::default());
            }
            Stage::Name => self.write(jobs, analysis, false),
            Stage::Admission(typed) if typed.text().trim() == ADMISSION => {
                self.admitted = true;
                self.write(jobs, analysis, false);
            }
            Stage::Admission(_)
            | Stage::Overwrite
            | Stage::Running
            | Stage::Written(_)
            | Stage::Refused(_) => {}
        }
    }

    /// Writes and verifies in the background.
    pub(crate) fn write(&mut self, jobs: &Jobs, analysis: &Arc<Analysis>, force: bool) {
        self.stage = Stage::Running;
        let (analysis, release, number) = (Arc::clone(analysis), Arc::clone(&self.release), self.number);
        let target = PathBuf::from(self.target.text().trim());
        let options = ExportOptions { force, allow_not_present: self.admitted };
        jobs.start(JobName::Export(number), move |sender| {
            let written = analysis.export(&release, &target, options).map_err(|error| match error {
                PipelineError::Exists { .. } => ExportFailure::Exists,
                other => ExportFailure::Other(chain(&other)),
            });
            let _ = sender.send(Message::Exported(number, written));
        });
    }

    /// What came of it.
    pub(crate) fn take(&mut self, written: Result<Written, ExportFailure>) {
        self.stage = match written {
            Ok(written) => Stage::Written(written),
            Err(ExportFailure::Exists) => Stage::Overwrite,
            Err(ExportFailure::Other(text)) => Stage::Refused(text),
        };
    }
}

/// An error with its causes, as one sentence.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let errors = std::iter::successors(Some(error), |error| error.source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Sensitive values are not shown: a shared screen must leak nothing.
fn hide_sensitive(analysis: &Analysis, mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let hidden = analysis.sensitive_columns();
    let Some((header, rows_below)) = rows.split_first_mut() else {
        return rows;
    };
    for row in rows_below {
        for (name, text) in header.iter().zip(row) {
            if hidden.contains(name) {
                "hidden".clone_into(text);
            }
        }
    }
    rows
}

fn release_stem(analysis: &Analysis) -> String {
    analysis.path().file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "@%+=:,./-_".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

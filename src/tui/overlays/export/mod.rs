//! The export dialog: what will be written where, and what the analyst has to say before it is.

pub(crate) mod view;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use palmtop::data::write::Ward;
use palmtop::model::Presence;
use palmtop::pipeline::{Analysis, ExportOptions, ExportStage, PipelineError, Progress, Written};
use palmtop::release::Release;
use palmtop::session::Place;

use crate::tui::app::message::{ExportFailure, JobName, Message};
use crate::tui::app::session::Session;
use crate::tui::kit::input::Input;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::words::{chain, quoted};
use crate::tui::shared::saver::{Saver, said_of_removed};

/// What the analyst types to have a release written that is not δ-present.
pub(crate) const ADMISSION: &str = "not present";

/// How far an export is.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The name is being typed.
    Name,
    /// It is not δ-present: the admission is being typed.
    Admission(Input),
    /// The name is taken: overwrite?
    Overwrite,
    /// It is being written and verified.
    Running { started: Instant, progress: Option<Progress<ExportStage>>, cancel: Arc<AtomicBool> },
    /// It stands on disk, verified.
    Written(Written),
    /// Nothing was written, and why.
    Refused(String),
}

impl Stage {
    /// Whether it is being written and verified.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self, Self::Running { .. })
    }
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
    /// Where the release comes from.
    pub(crate) place: Place,
    command_name: String,
    overrides: String,
    /// The session's file, where its current step is this release.
    session: Option<PathBuf>,
    /// Where sessions lie, which are never overwritten.
    saver: Saver,
    /// Whether the release is judged by a looser δ than the project's.
    is_looser: bool,
}

impl ExportDialog {
    /// Opens the dialog for a release, and begins to read its preview.
    pub(crate) fn open(
        jobs: &Jobs,
        session: &Session,
        place: Place,
        release: Arc<Release>,
        command_name: &str,
        number: u64,
    ) -> Self {
        let analysis = &session.analysis;
        let saved = session.saver.path().filter(|_| place == *session.place());
        let (of, shown) = (Arc::clone(analysis), Arc::clone(&release));
        jobs.start(JobName::Preview(number), move |sender| {
            let preview = of.preview(&shown, 3).map(|rows| hide_sensitive(&of, rows));
            let _ = sender.send(Message::Previewed(number, preview.map_err(|error| chain(&error))));
        });
        let project = analysis.project();
        let delta = release.delta();
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
            session: saved,
            saver: session.saver.clone(),
            is_looser: project.looser(delta).is_some(),
            place,
            release,
        }
    }

    /// The headless twin of what this dialog does, or why there is none.
    pub(crate) fn command_line(&self) -> String {
        let target = quoted(self.target.text().trim());
        let rest = format!("-o {target}{}", self.permissions());
        let levels = |levels: &[palmtop::model::Level]| {
            levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let what = match &self.place {
            Place::Node(node) => Some(format!("--node {}", levels(node))),
            Place::Search(search) => match (&search.node, search.rounds) {
                (Some(node), _) if !search.complete || search.delta != self.release.delta() => {
                    Some(format!("--node {}", levels(node)))
                }
                // Under another δ the search would find something else.
                _ if search.delta != self.release.delta() => None,
                (_, Some(rounds)) => Some(format!("--strategy {} --rounds {rounds}", search.strategy)),
                _ if search.opening.is_some() => {
                    let steps = search.opening.unwrap_or_default();
                    Some(format!("--strategy {} --opening {steps}", search.strategy))
                }
                _ if search.complete => Some(format!("--strategy {}", search.strategy)),
                _ => None,
            },
        };
        match what {
            Some(what) => {
                format!("palmtop anonymize {} {what}{} {rest}", quoted(&self.command_name), self.overrides)
            }
            None => self.replay_line().unwrap_or_else(|| {
                "no command makes this release again: its search was stopped before its end, or nothing is saved".to_owned()
            }),
        }
    }

    /// The command that makes the release again from the saved session.
    pub(crate) fn replay_line(&self) -> Option<String> {
        let is_lost = matches!(&self.place, Place::Search(search)
            if !search.repeats() && search.node.is_none());
        let session = self.session.as_ref().filter(|_| !is_lost)?;
        let (session, target) = (quoted(&session.to_string_lossy()), quoted(self.target.text().trim()));
        let looser = if self.is_looser { " --allow-looser-delta" } else { "" };
        Some(format!("palmtop replay {session} -o {target}{}{looser}", self.permissions()))
    }

    /// What a command must be told to do what was admitted here.
    fn permissions(&self) -> String {
        let overwrites = if matches!(self.stage, Stage::Overwrite) { " --force" } else { "" };
        let admits = if self.release.is_present() { "" } else { " --allow-not-present" };
        format!("{overwrites}{admits}")
    }

    /// Stops writing, if it is not too late: nothing gets the name then.
    pub(crate) fn cancel(&self) {
        if let Stage::Running { cancel, .. } = &self.stage {
            cancel.store(true, Ordering::Relaxed);
        }
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
            | Stage::Running { .. }
            | Stage::Written(_)
            | Stage::Refused(_) => {}
        }
    }

    /// Writes and verifies in the background.
    pub(crate) fn write(&mut self, jobs: &Jobs, analysis: &Arc<Analysis>, force: bool) {
        let cancel = Arc::new(AtomicBool::new(false));
        self.stage = Stage::Running { started: Instant::now(), progress: None, cancel: Arc::clone(&cancel) };
        let (analysis, release, number) = (Arc::clone(analysis), Arc::clone(&self.release), self.number);
        let target = PathBuf::from(self.target.text().trim());
        let options = ExportOptions { force, allow_not_present: self.admitted };
        let saver = self.saver.clone();
        jobs.start(JobName::Export(number), move |sender| {
            let mut told: Option<(ExportStage, Instant)> = None;
            let mut observer = |progress: Progress<ExportStage>| {
                let is_due = told.is_none_or(|(stage, when)| {
                    stage != progress.stage || when.elapsed() >= crate::tui::TICK
                });
                if is_due {
                    told = Some((progress.stage, Instant::now()));
                    let _ = sender.send(Message::Exporting(number, progress));
                }
                if cancel.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let mut gate = analysis.gate();
            saver.sessions().iter().for_each(|session| gate.guard(Ward::Session, session));
            let written = analysis.export_through(&mut gate, &release, &target, options, &mut observer);
            if let Some(said) = said_of_removed(&gate.take_removed()) {
                let _ = sender.send(Message::Saving(said));
            }
            let written = written.map_err(|error| match error {
                PipelineError::Exists { .. } => ExportFailure::Exists,
                PipelineError::Cancelled => ExportFailure::Cancelled,
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
            Err(ExportFailure::Cancelled) => Stage::Refused("stopped; nothing was written".to_owned()),
            Err(ExportFailure::Other(text)) => Stage::Refused(text),
        };
    }
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

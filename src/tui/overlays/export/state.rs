//! The export dialog: what will be written where, and what the analyst has to say before it is.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use palmtop::data::write::Ward;
use palmtop::model::Presence;
use palmtop::pipeline::{Analysis, ExportOptions, ExportStage, PipelineError, Written};
use palmtop::progress::Progress;
use palmtop::release::{KnowsAlgorithm, Release};
use palmtop::report::{Asked, Report};
use palmtop::session::{Moment, Place};

use crate::tui::kit::input::Input;
use crate::tui::kit::link::Link;
use crate::tui::kit::slot::{Answer, Slot, Task};
use crate::tui::kit::words::{chain, quoted};
use crate::tui::shared::saver::{Saver, said_of_removed};
use crate::tui::shared::state::Shared;

/// What the analyst types to have a release written that is not δ-present.
pub(crate) const ADMISSION: &str = "not present";

/// How far an export is.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The name is being typed.
    Name,
    /// It is not δ-present: the admission is being typed.
    Admission(Input),
    /// It keeps δ, but nobody knows what it tells who knows palmtop: to be written all the same?
    NotAudited,
    /// The name is taken: overwrite?
    Overwrite,
    /// It is being written and verified.
    Running { started: Instant, progress: Option<Progress<ExportStage>> },
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

/// Why an export wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportFailure {
    /// The name is taken.
    Exists,
    /// The analyst stopped it.
    Cancelled,
    /// Anything else, as a sentence.
    Other(String),
}

/// What writing has to say.
pub(crate) enum Exported {
    /// It went on.
    Progress(Progress<ExportStage>),
    /// It ended.
    Ended(Result<Box<Written>, ExportFailure>),
}

/// The first rows as they will be written, or why they cannot be shown.
pub(crate) type Preview = Result<Vec<Vec<String>>, String>;

/// What its jobs have to say.
pub(crate) enum Message {
    /// The preview.
    Previewed(Answer<Preview>),
    /// Writing and verifying.
    Exported(Answer<Exported>),
    /// What was found and removed beside the release: a sentence.
    Removed(String),
    /// The report of what was written.
    Reported(Answer<ReportFile>),
}

/// Where a report stands and whether it says that the release is verified, or why there is none.
pub(crate) type ReportFile = Result<(PathBuf, bool), String>;

/// The dialog.
pub(crate) struct ExportDialog {
    link: Link<Message>,
    pub(crate) previews: Slot<Preview>,
    pub(crate) exports: Slot<Exported>,
    pub(crate) reports: Slot<ReportFile>,
    /// What came of the report of what was written, once one was asked for.
    pub(crate) report: Option<ReportFile>,
    pub(crate) release: Arc<Release>,
    pub(crate) target: Input,
    pub(crate) stage: Stage,
    /// The first rows as they will be written, once they are read.
    pub(crate) preview: Option<Preview>,
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
        link: Link<Message>,
        shared: &Shared,
        (place, release): (Place, Arc<Release>),
        command_name: &str,
    ) -> Self {
        let analysis = &shared.analysis;
        let saved = shared.saver.path().filter(|_| place == *shared.place());
        let (of, shown) = (Arc::clone(analysis), Arc::clone(&release));
        let mut previews = Slot::new(Task { kind: "preview", doing: "reading the preview" });
        previews.ask(&link, Message::Previewed, move |_| {
            let preview = of.preview(&shown, 3).map(|rows| hide_sensitive(&of, rows));
            Some(preview.map_err(|error| chain(&error)))
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
            link,
            previews,
            exports: Slot::new(Task { kind: "export", doing: "exporting" }),
            reports: Slot::new(Task { kind: "report", doing: "making the report" }),
            report: None,
            target: Input::new(format!("{}-release.csv", release_stem(analysis))),
            stage: Stage::Name,
            preview: None,
            admitted: false,
            command_name: command_name.to_owned(),
            overrides,
            session: saved,
            saver: shared.saver.clone(),
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
                // What is withdrawn of a node is not in the command.
                (Some(node), _)
                    if self.release.withdrawn() == 0
                        && (!search.complete || search.delta != self.release.delta()) =>
                {
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
            if !search.repeats() && (search.node.is_none() || self.release.withdrawn() > 0));
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
        self.exports.stop();
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
    pub(crate) fn confirm(&mut self, analysis: &Arc<Analysis>) {
        match &self.stage {
            Stage::Name if self.target.text().trim().is_empty() => {}
            Stage::Name if !self.release.is_present() => {
                self.admitted = false;
                self.stage = Stage::Admission(Input::default());
            }
            Stage::Name if self.release.knows_algorithm() != KnowsAlgorithm::Exact => {
                self.stage = Stage::NotAudited;
            }
            Stage::Name => self.write(analysis, false),
            Stage::Admission(typed) if typed.text().trim() == ADMISSION => {
                self.admitted = true;
                self.write(analysis, false);
            }
            Stage::Admission(_)
            | Stage::NotAudited
            | Stage::Overwrite
            | Stage::Running { .. }
            | Stage::Written(_)
            | Stage::Refused(_) => {}
        }
    }

    /// Writes and verifies in the background.
    pub(crate) fn write(&mut self, analysis: &Arc<Analysis>, force: bool) {
        self.stage = Stage::Running { started: Instant::now(), progress: None };
        let (analysis, release) = (Arc::clone(analysis), Arc::clone(&self.release));
        let target = PathBuf::from(self.target.text().trim());
        let options = ExportOptions { force, allow_not_present: self.admitted };
        let (saver, link) = (self.saver.clone(), self.link.clone());
        self.exports.ask(&self.link, Message::Exported, move |job| {
            let mut told = None;
            let mut observer = |progress: Progress<ExportStage>| {
                // Once a stage, and then not so often that telling takes longer than writing.
                if told.replace(progress.stage) == Some(progress.stage) {
                    job.tell(Exported::Progress(progress));
                } else {
                    job.part(Exported::Progress(progress));
                }
                if job.is_stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let mut gate = analysis.gate();
            saver.sessions().iter().for_each(|session| gate.guard(Ward::Session, session));
            let written = analysis.export_through(&mut gate, &release, &target, options, &mut observer);
            if let Some(said) = said_of_removed(&gate.take_removed()) {
                link.send(Message::Removed(said));
            }
            Some(Exported::Ended(written.map(Box::new).map_err(|error| match error {
                PipelineError::Exists { .. } => ExportFailure::Exists,
                PipelineError::Cancelled => ExportFailure::Cancelled,
                other => ExportFailure::Other(chain(&other)),
            })))
        });
    }

    /// Makes the report of what was written, beside it under the first free name: the file is recounted from the raw tables once more.
    pub(crate) fn write_report(&mut self, analysis: &Arc<Analysis>) {
        let Stage::Written(written) = &self.stage else { return };
        let (analysis, release) = (Arc::clone(analysis), written.path.clone());
        let (project, delta) = (self.command_name.clone(), self.release.delta());
        let (session, saver) = (self.session.clone(), self.saver.clone());
        let link = self.link.clone();
        self.report = None;
        self.reports.ask(&self.link, Message::Reported, move |_| {
            let asked = Asked {
                project: &project,
                release: &release,
                delta,
                session: session.as_deref(),
                finds_session: false,
                run: None,
                stakes: None,
                at: Moment::now(),
            };
            let report = match Report::of(&analysis, &asked) {
                Ok(report) => report,
                Err(error) => return Some(Err(chain(&error))),
            };
            let mut gate = analysis.gate();
            gate.guard(Ward::Input, &release);
            saver.sessions().iter().for_each(|session| gate.guard(Ward::Session, session));
            let put = gate.put_new(report_names(&release), report.to_html().as_bytes());
            if let Some(said) = said_of_removed(&gate.take_removed()) {
                link.send(Message::Removed(said));
            }
            Some(put.map(|path| (path, report.verdict.verified)).map_err(|error| chain(&error)))
        });
    }

    /// Takes what a job has to say; answers what is to be said of it.
    pub(crate) fn update(&mut self, message: Message) -> Option<String> {
        match message {
            Message::Removed(said) => return Some(said),
            Message::Reported(answer) => {
                let taken = self.reports.take(answer)?;
                let why = || self.reports.failure().unwrap_or_default().to_owned();
                let report = taken.unwrap_or_else(|_| Err(why()));
                let said =
                    report.as_ref().ok().map(|(path, _)| format!("report written: {}", path.display()));
                self.report = Some(report);
                return said;
            }
            Message::Previewed(answer) => {
                let taken = self.previews.take(answer)?;
                let why = || self.previews.failure().unwrap_or_default().to_owned();
                self.preview = Some(taken.unwrap_or_else(|_| Err(why())));
            }
            Message::Exported(answer) => match self.exports.take(answer)? {
                Ok(Exported::Progress(now)) => {
                    if let Stage::Running { progress, .. } = &mut self.stage {
                        *progress = Some(now);
                    }
                }
                Ok(Exported::Ended(ended)) => {
                    let present = self.release.is_present();
                    let said = if present { "written and verified" } else { "written, NOT δ-present" };
                    let said =
                        ended.as_ref().ok().map(|written| format!("{said}: {}", written.path.display()));
                    self.take(ended);
                    return said;
                }
                Err(_) => {
                    let why = self.exports.failure().unwrap_or_default().to_owned();
                    self.take(Err(ExportFailure::Other(why)));
                }
            },
        }
        None
    }

    /// What came of it.
    fn take(&mut self, written: Result<Box<Written>, ExportFailure>) {
        self.stage = match written {
            Ok(written) => Stage::Written(*written),
            Err(ExportFailure::Exists) => Stage::Overwrite,
            Err(ExportFailure::Cancelled) => Stage::Refused("stopped; nothing was written".to_owned()),
            Err(ExportFailure::Other(text)) => Stage::Refused(text),
        };
    }
}

/// The names of a release's report: `NAME.report.html`, `NAME.report-2.html`, …
fn report_names(release: &Path) -> impl Iterator<Item = PathBuf> {
    let stem = release.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = move |number: u64| match number {
        1 => format!("{stem}.report.html"),
        number => format!("{stem}.report-{number}.html"),
    };
    let release = release.to_owned();
    (1..).map(move |number| release.with_file_name(name(number)))
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

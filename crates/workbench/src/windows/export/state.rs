//! The state of the export dialog, and the jobs that count, write and report.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crossterm::event::KeyEvent;
use palmtop_core::model::Role;
use palmtop_core::progress::Progress;
use palmtop_release::caution::{Caution, Judged, Key};
use palmtop_release::history::{self, Accepted, Draft, Entry, Recipe, RecodingRecipe, StepName, Wrote};
use palmtop_release::pipeline::page::LongestRows;
use palmtop_release::pipeline::{self, Analysis, Export, ExportOptions, ExportStage, PipelineError, Written};
use palmtop_search::release::Release;
use palmtop_tables::write::{RealDisk, TargetError};

use super::counting::{self, Counted};
use super::question::{self, About, Kind, NOT_PRESENT, Question};
use crate::kit::input::Input;
use crate::kit::link::Link;
use crate::kit::scroll::Scroll;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::terminal::Keeper as _;
use crate::kit::words::{chain, quoted};
use crate::shared::command_line;
use crate::shared::component::Links;
use crate::shared::intent::{Edit, Intent};
use crate::shared::report::Report;
use crate::shared::reporting::{self, Asking, Reader};
use crate::shared::saver::{Saver, describe_removed};
use crate::shared::state::Shared;

/// The number of rows of the preview.
const PREVIEWED: usize = 3;

/// The stage of an export.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The analyst types the name of the file.
    Name,
    /// The cautions are being counted; these keys were typed in the meantime.
    Counting(Vec<KeyEvent>),
    /// A question is open: its index, and the answer as typed so far.
    Asked(usize, Input),
    /// The file exists: overwrite it?
    Overwrite,
    /// The release is being written and verified.
    Running { started: Instant, progress: Option<Progress<ExportStage>> },
    /// The release is on disk, verified.
    Written(Written),
    /// Nothing was written, for this reason.
    Refused(String),
}

impl Stage {
    /// Whether the release is being written and verified.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self, Self::Running { .. })
    }
}

/// Why an export wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportFailure {
    /// The file exists.
    Exists,
    /// The analyst stopped it.
    Cancelled,
    /// Anything else, as a sentence.
    Other(String),
}

/// A report of the job that writes.
pub(crate) enum Exported {
    Progress(Progress<ExportStage>),
    Ended(Result<Box<Finished>, ExportFailure>),
}

/// A release that was written.
pub(crate) struct Finished {
    pub(crate) written: Written,
    /// The entry in the history; none for a built-in project.
    pub(crate) entry: Option<Entry>,
}

/// The longest rows that will be written, or why they cannot be shown.
pub(crate) type Preview = Result<LongestRows, String>;

/// A message of a job of the dialog.
pub(crate) enum Message {
    /// The preview.
    Previewed(Answer<Preview>),
    /// Writing and verifying.
    Exported(Answer<Exported>),
    /// The report of what was written.
    Reported(Answer<ReportFile>),
    /// The cautions of the release.
    Counted(Answer<Counted>),
    /// The newest release of the history.
    Earlier(Answer<Option<String>>),
}

/// The path of a report and whether the report calls the release verified, or why there is no report.
pub(crate) type ReportFile = Result<(PathBuf, bool), String>;

/// The dialog.
pub(crate) struct ExportDialog {
    link: Link<Message>,
    say: Link<String>,
    pub(crate) previews: Slot<Preview>,
    pub(crate) earlier_releases: Slot<Option<String>>,
    counts: Slot<Counted>,
    /// The cautions of the release, once they are counted.
    pub(crate) counted: Option<Counted>,
    /// How far the middle part is scrolled.
    pub(crate) scroll: Scroll,
    /// What is wrong with the typed reason.
    pub(crate) wrong: Option<String>,
    /// The severe cautions that the analyst accepted in this dialog.
    accepted: Vec<Accepted>,
    /// The newest release of the history, with its time, if there is one.
    pub(crate) earlier: Option<String>,
    pub(crate) exports: Slot<Exported>,
    pub(crate) reports: Slot<ReportFile>,
    /// The report of the written release, or why it failed, once the analyst asked for it.
    pub(crate) report: Option<ReportFile>,
    pub(crate) release: Arc<Release>,
    pub(crate) target: Input,
    pub(crate) stage: Stage,
    /// The longest rows that will be written, once the job has read them.
    pub(crate) preview: Option<Preview>,
    /// The questions to answer before the release is written.
    pub(crate) questions: Vec<Question>,
    /// The recipe of the release.
    pub(crate) recipe: RecodingRecipe,
    /// The name of the project on a command line.
    project: String,
    overrides: String,
    /// The current step of the sitting.
    current: usize,
    /// Whether the current step is this release; an export makes it the next step.
    is_step: bool,
    saver: Saver,
    /// The reason for a looser δ than the project's.
    looser: Option<String>,
}

impl ExportDialog {
    /// Opens the dialog for a release, and begins to read its preview.
    pub(crate) fn open(
        links: &Links,
        shared: &Shared,
        (recipe, release): (RecodingRecipe, Arc<Release>),
    ) -> Self {
        let link = links.report.map(Report::new);
        let analysis = &shared.analysis;
        let audit = match &recipe {
            RecodingRecipe::Search(search) => shared.audit_of(search, &release).cloned(),
            RecodingRecipe::Node(_) => None,
        };
        // The result of an audit stays with its release.
        let release = match audit {
            Some(audit) => Arc::new(Release { audit: Some(audit), ..Release::clone(&release) }),
            None => release,
        };
        let (of, shown) = (Arc::clone(analysis), Arc::clone(&release));
        let mut previews = Slot::new(Task { kind: "preview", doing: "reading the preview" });
        previews.ask(&link, Message::Previewed, move |_| {
            let preview = pipeline::page::longest_rows(&of, &shown, PREVIEWED).map(hide_sensitive);
            Some(preview.map_err(|error| chain(&error)))
        });
        let mut earlier_releases = Slot::new(Task { kind: "history", doing: "reading the history" });
        if shared.saver.is_kept() {
            let of = Arc::clone(analysis);
            earlier_releases.ask(&link, Message::Earlier, move |_| Some(newest_of(&of)));
        }
        let mut counts = Slot::new(Task { kind: "cautions", doing: "counting the cautions" });
        let (of, judged) = (Arc::clone(analysis), Arc::clone(&release));
        let (saver, made_by, log) = (shared.saver.clone(), recipe.clone(), shared.log.clone());
        counts.ask(&link, Message::Counted, move |job| {
            let counted = counting::count(&of, (&made_by, &judged), &log, &saver, &mut |_| job.go_on());
            Some(counted.map_err(|error| chain(&error)))
        });
        let project = analysis.project();
        let delta = release.delta();
        Self {
            link,
            say: links.say.clone(),
            previews,
            earlier_releases,
            earlier: None,
            counts,
            counted: None,
            scroll: Scroll::default(),
            wrong: None,
            accepted: Vec::new(),
            exports: Slot::new(Task { kind: "export", doing: "exporting" }),
            reports: Slot::new(Task { kind: "report", doing: "making the report" }),
            report: None,
            target: Input::new(format!("{}-release.csv", release_stem(analysis))),
            stage: Stage::Name,
            preview: None,
            questions: Vec::new(),
            project: shared.commands.project().to_owned(),
            overrides: command_line::delta_options(analysis, delta),
            current: shared.log.current(),
            is_step: recipe == *shared.recipe(),
            saver: shared.saver.clone(),
            looser: project.looser(delta).and_then(|_| shared.reason_beside_project(delta)),
            recipe,
            release,
        }
    }

    /// The command line that does the same as this dialog, or why there is none.
    pub(crate) fn command_line(&self) -> String {
        let target = quoted(self.target.text().trim());
        let rest = format!("-o {target}{}", self.permissions());
        let what = match &self.recipe {
            RecodingRecipe::Node(node) => Some(command_line::node_option(node)),
            RecodingRecipe::Search(search) => match &search.node {
                // The command cannot say which members of a node were withdrawn.
                Some(node)
                    if self.release.withdrawn() == 0
                        && (!search.complete || search.delta != self.release.delta()) =>
                {
                    Some(command_line::node_option(node))
                }
                // Under another δ the search would find another release.
                _ if search.delta != self.release.delta() => None,
                _ => command_line::search_options(search),
            },
        };
        if let Some(what) = what {
            let options = format!("{what}{} {rest}", self.overrides);
            return command_line::command_of(&self.project, "anonymize", &options);
        }
        let why =
            "no command makes this release again: its search was stopped before its end, or nothing is saved";
        self.step_line().unwrap_or_else(|| why.to_owned())
    }

    /// [`command_line`](Self::command_line) for the list of commands, where a sentence is a comment.
    fn done_line(&self) -> String {
        let line = self.command_line();
        if line.starts_with("palmtop ") { line } else { format!("# {}: {line}", self.target.text().trim()) }
    }

    /// The command that makes the release again from the step in the history.
    pub(crate) fn step_line(&self) -> Option<String> {
        let is_lost = matches!(&self.recipe, RecodingRecipe::Search(search)
            if !search.repeats() && (search.node.is_none() || self.release.withdrawn() > 0));
        let sitting = self.saver.index().filter(|_| self.is_step && !is_lost)?;
        let name = StepName { sitting, step: self.current };
        let target = quoted(self.target.text().trim());
        let looser = self.looser.as_ref().map_or_else(String::new, |reason| {
            format!(" --accept {}", quoted(&format!("looser_delta={reason}")))
        });
        let options = format!(" --step {name} -o {target}{}{looser}", self.permissions());
        Some(command_line::command_of(&self.project, "anonymize", &options))
    }

    /// The options of the command for what the analyst permitted in this dialog.
    fn permissions(&self) -> String {
        let overwrites = if matches!(self.stage, Stage::Overwrite) { " --force" } else { "" };
        let accepts = self.accepted.iter().fold(String::new(), |flags, accepted| {
            let Accepted { key, subject, reason, .. } = accepted;
            let subject = subject.as_ref().map_or_else(String::new, |subject| format!(":{subject}"));
            flags + " --accept " + &quoted(&format!("{key}{subject}={reason}"))
        });
        format!("{overwrites}{accepts}")
    }

    /// Whether a job that the dialog waits for is still counting or reading.
    pub(super) fn is_counting(&self) -> bool {
        self.preview.is_none()
            || self.earlier_releases.is_open()
            || self.counted.is_none()
            || self.reports.is_open()
    }

    /// Stops writing. If it is not too late, no file gets the name.
    pub(crate) fn cancel(&self) {
        self.exports.stop();
    }

    /// Whether the file is on disk.
    pub(crate) fn is_written(&self) -> bool {
        matches!(self.stage, Stage::Written(_))
    }

    /// The active field.
    pub(crate) fn input(&mut self) -> &mut Input {
        match &mut self.stage {
            Stage::Asked(_, typed) => typed,
            _ => &mut self.target,
        }
    }

    /// Types a character, if the stage takes text.
    pub(crate) fn type_character(&mut self, character: char) {
        if matches!(self.stage, Stage::Name)
            || self.asked().is_some_and(|question| question.about.kind() != Kind::Yes)
        {
            self.wrong = None;
            self.input().insert(character);
        }
    }

    /// The open question.
    pub(crate) fn asked(&self) -> Option<&Question> {
        match self.stage {
            Stage::Asked(index, _) => self.questions.get(index),
            _ => None,
        }
    }

    /// Handles Enter: goes on if the typed name or answer allows it.
    pub(crate) fn confirm(&mut self, analysis: &Arc<Analysis>) {
        match &self.stage {
            Stage::Name if self.target.text().trim().is_empty() => {}
            Stage::Name => match &self.counted {
                None => self.stage = Stage::Counting(Vec::new()),
                Some(counted) => {
                    self.questions = question::questions(&self.release, counted);
                    // What was accepted before, of the same fact, needs no second answer.
                    self.accepted = counted.as_ref().map(Judged::accepted).unwrap_or_default();
                    self.ask(analysis, 0);
                }
            },
            Stage::Asked(index, typed) => {
                let (index, typed) = (*index, typed.text().trim().to_owned());
                match self.questions[index].about.take(&typed) {
                    Ok(()) => {
                        let answered = match &self.questions[index].about {
                            About::Caution(key, subject) => {
                                Some((key.as_str(), subject.clone(), self.fact(*key, subject.as_deref())))
                            }
                            About::NotPresent => Some((NOT_PRESENT, None, None)),
                            _ => None,
                        };
                        if let Some((key, subject, fact)) = answered {
                            let key = key.to_owned();
                            self.accepted.push(Accepted { key, subject, reason: typed, fact });
                        }
                        self.ask(analysis, index + 1);
                    }
                    Err(wrong) => self.wrong = wrong,
                }
            }
            Stage::Counting(_)
            | Stage::Overwrite
            | Stage::Running { .. }
            | Stage::Written(_)
            | Stage::Refused(_) => {}
        }
    }

    /// The fact of a caution of the list, as the history has it.
    fn fact(&self, key: Key, subject: Option<&str>) -> Option<String> {
        let judged = self.counted.as_ref()?.as_ref().ok()?;
        let is_asked = |caution: &&Caution| (caution.key, caution.subject.as_deref()) == (key, subject);
        judged.cautions.iter().find(is_asked).map(Caution::fact)
    }

    /// Handles `y`: answers a question that needs no words.
    pub(crate) fn agree(&mut self, analysis: &Arc<Analysis>) {
        if let Stage::Asked(index, _) = self.stage {
            self.ask(analysis, index + 1);
        }
    }

    /// Asks the question of this index; once all are answered, it writes.
    fn ask(&mut self, analysis: &Arc<Analysis>, index: usize) {
        self.wrong = None;
        if index < self.questions.len() {
            self.stage = Stage::Asked(index, Input::default());
        } else {
            self.write(analysis, false);
        }
    }

    /// Writes and verifies in the background.
    pub(crate) fn write(&mut self, analysis: &Arc<Analysis>, force: bool) {
        self.stage = Stage::Running { started: Instant::now(), progress: None };
        let (analysis, release) = (Arc::clone(analysis), Arc::clone(&self.release));
        let target = PathBuf::from(self.target.text().trim());
        // The analyst has answered the question about it.
        let options = ExportOptions { force, allow_not_present: !release.is_present() };
        let draft = self.saver.is_kept().then(|| Draft {
            recipe: Recipe::of(self.recipe.clone()),
            reason: None,
            // The step is saved after the release.
            step: None,
            accepted: self.accepted.clone(),
        });
        let (saver, say) = (self.saver.clone(), self.say.clone());
        self.exports.ask(&self.link, Message::Exported, move |job| {
            let mut last_stage = None;
            let mut observer = |progress: Progress<ExportStage>| {
                // Each stage is reported once, and progress within a stage at intervals.
                if last_stage.replace(progress.stage) == Some(progress.stage) {
                    job.tell(Exported::Progress(progress));
                } else {
                    job.part(Exported::Progress(progress));
                }
                if job.is_stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let mut gate = pipeline::export::gate(&analysis);
            saver.guard(&mut gate);
            let export = Export { release: &release, target: &target, options, earlier: None };
            let written =
                history::write(&analysis, export, draft.as_ref(), (&mut gate, &mut RealDisk), &mut observer);
            if let Some(message) = describe_removed(&gate.take_removed()) {
                say.send(message);
            }
            let finished = written.map(|Wrote { written, entry, taken, .. }| {
                if let Some(message) = history::taken_over(analysis.path(), &taken) {
                    say.send(message);
                }
                Box::new(Finished { written, entry })
            });
            Some(Exported::Ended(finished.map_err(|error| match error {
                PipelineError::Target(TargetError::Exists { .. }) => ExportFailure::Exists,
                PipelineError::Cancelled => ExportFailure::Cancelled,
                other => ExportFailure::Other(chain(&other)),
            })))
        });
    }

    /// Writes the report of the release next to it, under the first free name. The job recounts the release from the raw tables.
    pub(crate) fn write_report(&mut self, analysis: &Arc<Analysis>) {
        let Stage::Written(written) = &self.stage else { return };
        let (analysis, release) = (Arc::clone(analysis), written.path.clone());
        let (project, delta) = (self.project.clone(), self.release.delta());
        let saver = self.saver.clone();
        let link = self.say.clone();
        self.report = None;
        self.reports.ask(&self.link, Message::Reported, move |_| {
            // The step may still be on its way to the disk.
            saver.flush();
            let reader = Reader::Signer;
            let asking = Asking { project: &project, release: &release, delta, reader };
            let mut say = |message| link.send(message);
            let written = reporting::write(&analysis, &saver, asking, &mut say);
            // The dialog may be closed by now, so the result is also a message.
            link.send(reporting::outcome(&written));
            Some(written)
        });
    }

    /// The command that writes the same report.
    fn report_line(&self, report: &Path) -> Option<String> {
        let Stage::Written(written) = &self.stage else { return None };
        let options = command_line::report_options(&written.path, Reader::Signer, report);
        Some(command_line::command_of(&self.project, "report", &format!("{options}{}", self.overrides)))
    }

    /// Handles a message of a job.
    pub(super) fn take_message(&mut self, analysis: &Arc<Analysis>, message: Message) -> Intent {
        match message {
            Message::Counted(answer) => {
                let Some(taken) = self.counts.take(answer) else { return Intent::None };
                let why = || self.counts.failure().unwrap_or_default().to_owned();
                self.counted = Some(taken.unwrap_or_else(|_| Err(why())));
                return self.go_on_counted(analysis);
            }
            Message::Reported(answer) => {
                let Some(taken) = self.reports.take(answer) else { return Intent::None };
                let why = || self.reports.failure().unwrap_or_default().to_owned();
                let report = taken.unwrap_or_else(|_| Err(why()));
                let line = report.as_ref().ok().and_then(|(path, _)| self.report_line(path));
                self.report = Some(report);
                return line.map_or(Intent::None, |line| Intent::Edit(Edit::Note(line)));
            }
            Message::Earlier(answer) => {
                self.earlier = self.earlier_releases.take(answer).and_then(Result::ok).flatten();
            }
            Message::Previewed(answer) => {
                let Some(taken) = self.previews.take(answer) else { return Intent::None };
                let why = || self.previews.failure().unwrap_or_default().to_owned();
                self.preview = Some(taken.unwrap_or_else(|_| Err(why())));
            }
            Message::Exported(answer) => match self.exports.take(answer) {
                None => {}
                Some(Ok(Exported::Progress(now))) => {
                    if let Stage::Running { progress, .. } = &mut self.stage {
                        *progress = Some(now);
                    }
                }
                Some(Ok(Exported::Ended(ended))) => return self.take(ended),
                Some(Err(_)) => {
                    let why = self.exports.failure().unwrap_or_default().to_owned();
                    return self.take(Err(ExportFailure::Other(why)));
                }
            },
        }
        Intent::None
    }

    /// Goes on once the cautions are counted, with the keys that were typed in the meantime.
    fn go_on_counted(&mut self, analysis: &Arc<Analysis>) -> Intent {
        let Stage::Counting(keys) = &mut self.stage else { return Intent::None };
        let keys = std::mem::take(keys);
        self.stage = Stage::Name;
        self.confirm(analysis);
        Intent::Many(keys.into_iter().map(|key| self.press(analysis, key)).collect())
    }

    /// Handles the end of writing: a written release becomes a step, and its entry in the history gets it.
    fn take(&mut self, ended: Result<Box<Finished>, ExportFailure>) -> Intent {
        let (stage, intent) = match ended {
            Ok(finished) => {
                let Finished { written, entry } = *finished;
                let verdict = if self.release.is_present() {
                    "written and verified"
                } else {
                    "written, NOT δ-present"
                };
                let message = format!("{verdict}: {}", written.path.display());
                (self.is_step, self.current) = (true, self.current + 1);
                let (recipe, entry) = (self.recipe.clone(), entry.map(Box::new));
                let note = Intent::Edit(Edit::Note(self.done_line()));
                let exported = Intent::Edit(Edit::Exported { recipe, entry });
                let intents = vec![note, exported, Intent::Say(message)];
                (Stage::Written(written), Intent::Many(intents))
            }
            Err(ExportFailure::Exists) => (Stage::Overwrite, Intent::None),
            Err(ExportFailure::Cancelled) => {
                (Stage::Refused("stopped; nothing was written".to_owned()), Intent::None)
            }
            Err(ExportFailure::Other(text)) => (Stage::Refused(text), Intent::None),
        };
        self.stage = stage;
        intent
    }
}

/// The newest release of the history, with its time. An unreadable history is reported when the export writes to it.
fn newest_of(analysis: &Analysis) -> Option<String> {
    let history = history::of_project(analysis.path()).ok()?;
    history.releases().last().map(|entry| format!("{} of {}", entry.file, entry.at))
}

/// Hides the sensitive values, because other people may see the screen.
fn hide_sensitive(mut longest: LongestRows) -> LongestRows {
    for (_, row) in &mut longest.rows {
        for (column, text) in longest.columns.iter().zip(row) {
            if column.role == Some(Role::Sensitive) {
                "hidden".clone_into(text);
            }
        }
    }
    longest
}

fn release_stem(analysis: &Analysis) -> String {
    analysis.path().file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

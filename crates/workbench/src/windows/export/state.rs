//! The state of the window of an export.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crossterm::event::KeyEvent;
use palmtop_core::model::Role;
use palmtop_core::progress::Progress;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::caution::{Caution, Judged, Key};
use palmtop_release::history::{Accepted, Action, Entry, RecodingRecipe, Sitting, Step};
use palmtop_release::package::Paper;
use palmtop_release::pipeline::page::LongestRows;
use palmtop_release::pipeline::{self, Analysis, ExportStage, Written};
use palmtop_search::release::Release;

use super::counting::{self, Counted, Together};
use super::items::{self, About, Item, NOT_PRESENT};
use crate::kit::input::Input;
use crate::kit::link::Link;
use crate::kit::scroll::Scroll;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::verb::Verb;
use crate::kit::words::chain;
use crate::shared::command_line;
use crate::shared::component::Links;
use crate::shared::intent::{Edit, Intent};
use crate::shared::report::Report;
use crate::shared::saver::Saver;
use crate::shared::state::Shared;

/// What the keys go to while the window waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The cautions.
    List,
    /// The name.
    To,
    /// A box, by its index.
    Box(usize),
}

/// The stage of an export.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The window waits.
    Waiting,
    /// The caution under the cursor is open, with the answer as typed so far.
    Opened(Input),
    /// All cautions in full.
    Full,
    /// The command lines.
    Lines,
    /// The file or the folder exists: replace it?
    Overwrite,
    /// The release is being written and verified.
    Running { started: Instant, progress: Option<Progress<ExportStage>> },
    /// The release is on disk, verified.
    Written(Box<Done>),
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
    /// The file or the folder exists.
    Exists,
    /// The analyst stopped it.
    Cancelled,
    /// Anything else, as a sentence.
    Other(String),
}

/// A report of the job that writes.
pub(crate) enum Exported {
    Progress(Progress<ExportStage>),
    Ended(Result<Box<Done>, ExportFailure>),
}

/// What was written.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) written: Written,
    /// The folder of the package; none for a plain file.
    pub(crate) folder: Option<PathBuf>,
    /// The list of pseudonyms in the package, if they are keyed.
    pub(crate) pseudonyms: Option<PathBuf>,
    /// The entry in the history; none for a built-in project.
    pub(crate) entry: Option<Entry>,
}

/// The longest row that will be written, or why it cannot be shown.
pub(crate) type Preview = Result<LongestRows, String>;

/// A message of a job of the window.
pub(crate) enum Message {
    Previewed(Answer<Preview>),
    /// Writing and verifying.
    Exported(Answer<Exported>),
    /// The cautions of the release.
    Counted(Answer<Counted>),
    /// What it reveals together with earlier releases.
    Composed(Answer<Option<Together>>),
}

/// The window.
pub(crate) struct ExportDialog {
    pub(super) link: Link<Message>,
    pub(super) say: Link<String>,
    pub(crate) previews: Slot<Preview>,
    counts: Slot<Counted>,
    compositions: Slot<Option<Together>>,
    pub(crate) exports: Slot<Exported>,
    /// The cautions of the release, once they are counted.
    pub(crate) counted: Option<Counted>,
    /// What it reveals together with earlier releases, if there are any.
    pub(crate) together: Option<Together>,
    /// The longest row that will be written, once the job has read it.
    pub(crate) preview: Option<Preview>,
    /// What to know before signing, once it is counted.
    pub(crate) items: Vec<Item>,
    pub(crate) cursor: usize,
    pub(crate) focus: Focus,
    pub(crate) stage: Stage,
    pub(crate) scroll: Scroll,
    /// What is wrong with the typed reason.
    pub(crate) wrong: Option<String>,
    /// The keys that wait for the cautions.
    waiting: Vec<(Option<Verb>, KeyEvent)>,
    /// The severe cautions that were accepted.
    pub(super) accepted: Vec<Accepted>,
    pub(crate) target: Input,
    /// Which papers are written with the release, in the order of [`Paper::ALL`].
    pub(crate) boxes: [bool; 3],
    /// Why there can be no report, if so.
    pub(crate) no_report: Option<String>,
    pub(crate) release: Arc<Release>,
    /// The recipe of the release.
    pub(crate) recipe: RecodingRecipe,
    /// The name of the project on a command line.
    pub(super) project: String,
    pub(super) overrides: String,
    /// The current step of the sitting.
    pub(super) current: usize,
    /// Whether the current step is this release; an export makes it the next step.
    pub(super) is_step: bool,
    pub(super) saver: Saver,
    /// The sitting with the step that the export adds.
    pub(super) next: Sitting,
    /// The reason for a δ that is not the project's.
    pub(super) reason: Option<String>,
    /// Whether that δ is looser.
    pub(super) is_looser: bool,
}

impl ExportDialog {
    /// Opens the window for a release, and begins to count.
    pub(crate) fn open(
        links: &Links,
        shared: &Shared,
        (recipe, release): (RecodingRecipe, Arc<Release>),
    ) -> Self {
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
        let delta = release.delta();
        let mut next = shared.log.clone();
        next.push(Step { action: Action::Exported, recoding: recipe.clone(), delta: shared.delta() });
        let no_report =
            analysis.refusal(Feature::Command(Command::Report)).map(|refused| refused.to_string());
        let mut window = Self {
            link: links.report.map(Report::new),
            say: links.say.clone(),
            previews: Slot::new(Task { kind: "preview", doing: "reading the preview" }),
            counts: Slot::new(Task { kind: "cautions", doing: "counting the cautions" }),
            compositions: Slot::new(Task { kind: "together", doing: "composing with earlier releases" }),
            exports: Slot::new(Task { kind: "export", doing: "exporting" }),
            counted: None,
            together: None,
            preview: None,
            items: Vec::new(),
            cursor: 0,
            focus: Focus::List,
            stage: Stage::Waiting,
            scroll: Scroll::default(),
            wrong: None,
            waiting: Vec::new(),
            accepted: Vec::new(),
            target: Input::new(format!("{}-release.csv", release_stem(analysis))),
            boxes: [no_report.is_none(), no_report.is_none(), true],
            no_report,
            project: shared.commands.project().to_owned(),
            overrides: command_line::delta_options(analysis, delta),
            current: shared.log.current(),
            is_step: recipe == *shared.recipe(),
            saver: shared.saver.clone(),
            next,
            reason: shared.reason_beside_project(delta),
            is_looser: analysis.project().looser(delta).is_some(),
            recipe,
            release,
        };
        window.begin(analysis, &shared.log);
        window
    }

    /// Begins to read the preview, to count the cautions, and to compose with earlier releases.
    fn begin(&mut self, analysis: &Arc<Analysis>, log: &Sitting) {
        let (of, shown) = (Arc::clone(analysis), Arc::clone(&self.release));
        self.previews.ask(&self.link, Message::Previewed, move |_| {
            let preview = pipeline::page::longest_rows(&of, &shown, 1).map(hide_sensitive);
            Some(preview.map_err(|error| chain(&error)))
        });
        let (of, judged) = (Arc::clone(analysis), Arc::clone(&self.release));
        let (saver, recipe, log) = (self.saver.clone(), self.recipe.clone(), log.clone());
        self.counts.ask(&self.link, Message::Counted, move |job| {
            let counted = counting::count(&of, (&recipe, &judged), &log, &saver, &mut |_| job.go_on());
            Some(counted.map_err(|error| chain(&error)))
        });
        if self.saver.is_kept() {
            let (of, judged) = (Arc::clone(analysis), Arc::clone(&self.release));
            let (saver, recipe, target) = (self.saver.clone(), self.recipe.clone(), self.path());
            self.compositions.ask(&self.link, Message::Composed, move |job| {
                Some(counting::compose(&of, (&recipe, &judged), &target, &saver, &mut |_| job.go_on()))
            });
        }
    }

    /// The typed path.
    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(self.target.text().trim())
    }

    /// The papers that are written with the release.
    pub(crate) fn papers(&self) -> Vec<Paper> {
        Paper::ALL
            .into_iter()
            .zip(self.boxes)
            .filter(|(_, is_wanted)| *is_wanted)
            .map(|(paper, _)| paper)
            .collect()
    }

    /// Whether a job that the window waits for is still counting or reading.
    pub(super) fn is_counting(&self) -> bool {
        self.preview.is_none() || self.compositions.is_open() || self.counted.is_none()
    }

    /// Whether the file is on disk.
    pub(crate) fn is_written(&self) -> bool {
        matches!(self.stage, Stage::Written(_))
    }

    /// Whether letters are text.
    pub(crate) fn takes_text(&self) -> bool {
        match &self.stage {
            Stage::Waiting => self.focus == Focus::To,
            Stage::Opened(_) => self.opened().is_some_and(Item::is_typed),
            _ => false,
        }
    }

    /// The active field.
    pub(super) fn input(&mut self) -> &mut Input {
        match &mut self.stage {
            Stage::Opened(typed) => typed,
            _ => &mut self.target,
        }
    }

    /// Types a character, if a field takes it.
    pub(crate) fn type_character(&mut self, character: char) {
        if self.takes_text() {
            self.wrong = None;
            self.input().insert(character);
        }
    }

    /// The caution that is open.
    pub(crate) fn opened(&self) -> Option<&Item> {
        matches!(self.stage, Stage::Opened(_)).then(|| self.items.get(self.cursor)).flatten()
    }

    /// The number of lines that still need an answer.
    pub(crate) fn unanswered(&self) -> usize {
        self.items.iter().filter(|item| item.is_unanswered()).count()
    }

    /// Puts the cursor on the next line that needs an answer, from the cursor on; returns whether there is one.
    pub(super) fn seek_unanswered(&mut self) -> bool {
        let count = self.items.len();
        let order = (0..count).map(|offset| (self.cursor + offset) % count);
        let found = order.into_iter().find(|&index| self.items[index].is_unanswered());
        self.cursor = found.unwrap_or(self.cursor);
        found.is_some()
    }

    /// Handles the answer to the open caution.
    pub(super) fn answer(&mut self, reason: Option<&str>) {
        if let Some(reason) = reason {
            let named = match &self.items[self.cursor].about {
                About::Caution(key, subject)
                    if key.severity() == palmtop_release::caution::Severity::Severe =>
                {
                    Some((key.as_str(), subject.clone(), self.fact(*key, subject.as_deref())))
                }
                About::NotPresent => Some((NOT_PRESENT, None, None)),
                _ => None,
            };
            if let Some((key, subject, fact)) = named {
                let (key, reason) = (key.to_owned(), reason.to_owned());
                self.accepted.push(Accepted { key, subject, reason, fact });
            }
        }
        self.items[self.cursor].is_answered = true;
        (self.stage, self.wrong) = (Stage::Waiting, None);
        self.seek_unanswered();
    }

    /// The fact of a caution of the list, as the history has it.
    fn fact(&self, key: Key, subject: Option<&str>) -> Option<String> {
        let judged = self.counted.as_ref()?.as_ref().ok()?;
        let is_asked = |caution: &&Caution| (caution.key, caution.subject.as_deref()) == (key, subject);
        judged.cautions.iter().find(is_asked).map(Caution::fact)
    }

    /// Keeps a key until the cautions are counted, if it is about them.
    pub(super) fn waits(&mut self, verb: Option<Verb>, key: KeyEvent) -> bool {
        let is_about_them = self.focus == Focus::List
            && matches!(self.stage, Stage::Waiting)
            && !matches!(verb, Some(Verb::Close | Verb::Pane | Verb::Commands));
        let waits = self.counted.is_none()
            && verb != Some(Verb::Close)
            && (is_about_them || !self.waiting.is_empty() || verb == Some(Verb::Write) && !self.takes_text());
        if waits {
            self.waiting.push((verb, key));
        }
        waits
    }

    /// Handles a message of a job.
    pub(super) fn take_message(&mut self, analysis: &Arc<Analysis>, message: Message) -> Intent {
        match message {
            Message::Counted(answer) => {
                let Some(taken) = self.counts.take(answer) else { return Intent::None };
                let why = || self.counts.failure().unwrap_or_default().to_owned();
                return self.take_counted(analysis, taken.unwrap_or_else(|_| Err(why())));
            }
            Message::Composed(answer) => {
                self.together = self.compositions.take(answer).and_then(Result::ok).flatten();
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
                Some(Ok(Exported::Ended(ended))) => return self.take_ended(ended),
                Some(Err(_)) => {
                    let why = self.exports.failure().unwrap_or_default().to_owned();
                    return self.take_ended(Err(ExportFailure::Other(why)));
                }
            },
        }
        Intent::None
    }

    /// Takes the cautions, then the keys that waited for them.
    fn take_counted(&mut self, analysis: &Arc<Analysis>, counted: Counted) -> Intent {
        self.items = items::items(&self.release, &counted);
        // What was accepted before, of the same fact, needs no second answer.
        self.accepted = counted.as_ref().map(Judged::accepted).unwrap_or_default();
        self.counted = Some(counted);
        self.seek_unanswered();
        let keys = std::mem::take(&mut self.waiting);
        Intent::Many(keys.into_iter().map(|(verb, key)| self.press(analysis, verb, key)).collect())
    }

    /// Handles the end of writing: a written release becomes a step, and its entry in the history gets it.
    fn take_ended(&mut self, ended: Result<Box<Done>, ExportFailure>) -> Intent {
        let done = match ended {
            Ok(done) => done,
            Err(failure) => {
                self.stage = match failure {
                    ExportFailure::Exists => Stage::Overwrite,
                    ExportFailure::Cancelled => Stage::Refused("stopped; nothing was written".to_owned()),
                    ExportFailure::Other(why) => Stage::Refused(why),
                };
                return Intent::None;
            }
        };
        let verdict =
            if self.release.is_present() { "written and verified" } else { "written, NOT δ-present" };
        let path = done.folder.as_ref().unwrap_or(&done.written.path);
        let message = format!("{verdict}: {}", path.display());
        let note = Intent::Edit(Edit::Note(self.done_line()));
        let (recipe, entry) = (self.recipe.clone(), done.entry.clone().map(Box::new));
        let exported = Intent::Edit(Edit::Exported { recipe, entry });
        let intents = vec![note, exported, Intent::Say(message)];
        (self.is_step, self.current) = (true, self.current + 1);
        self.stage = Stage::Written(done);
        Intent::Many(intents)
    }
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

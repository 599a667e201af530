//! The state of the workbench, and how a message changes it.

pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod answers;
pub(crate) mod input;
pub(crate) mod actions;
pub(crate) mod message;
pub(crate) mod commands;
pub(crate) mod copy;
pub(crate) mod bench_frame;
pub(crate) mod frame;
pub(crate) mod loading;
pub(crate) mod render;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossterm::event::Event;
use palmtop::model::Delta;
use palmtop::pipeline::{Analysis, LoadStage, Overrides, PipelineError, Progress};
use palmtop::session::{Log, LogFile};

use crate::tui::app::message::{ExportFailure, JobName, Message};
use crate::tui::app::session::Session;
use crate::tui::app::settings::Settings;
use crate::tui::kit::job::Jobs;
use crate::tui::overlays::delta::DeltaDialog;
use crate::tui::overlays::export::{ExportDialog, Stage};
use crate::tui::overlays::palette::Palette;
use crate::tui::overlays::prompt::Prompt;
use crate::tui::shared::runs::{Run, RunKey};
use crate::tui::shared::saver::{Home, Saver};

/// How the project was named on the command line, and what to go on with.
pub(crate) struct Opening {
    pub(crate) overrides: Overrides,
    /// How a command names the project.
    pub(crate) command_name: String,
    pub(crate) banner: Option<String>,
    /// How a session names the project, and where sessions lie; none for a built-in project.
    pub(crate) home: Option<(String, Home)>,
    /// The session to go on with.
    pub(crate) resumed: Option<(LogFile, Log)>,
}

/// The whole state.
pub(crate) struct App {
    pub(crate) phase: Phase,
    pub(crate) settings: Settings,
    /// Whether the last frame had no room for what is open: then keys would be typed blind.
    pub(crate) is_too_small: Cell<bool>,
    pub(crate) overlay: Option<Overlay>,
    /// Really quit? It is asked over whatever is open, and that stays as it is.
    pub(crate) asks_to_quit: bool,
    /// How many export dialogs there were: what is meant for an earlier one does not reach a later one.
    pub(super) dialogs: u64,
    /// What just happened, or why a command could not run.
    pub(crate) status: String,
    /// What only the loop can do, in order.
    pub(super) effects: Vec<Effect>,
    pub(super) jobs: Jobs,
    pub(super) opening: Opening,
    pub(super) done: bool,
}

/// How far it is.
pub(crate) enum Phase {
    /// The project is being read.
    Loading(Loading),
    /// It could not be.
    Failed(String),
    /// It is there.
    Ready(Box<Session>),
}

/// A project that is being read.
pub(crate) struct Loading {
    pub(crate) path: PathBuf,
    pub(crate) started: Instant,
    pub(crate) progress: Option<Progress<LoadStage>>,
    pub(crate) cancel: Arc<AtomicBool>,
}

/// What lies over the screen.
pub(crate) enum Overlay {
    /// The keys of a screen, from this row on.
    Help(usize),
    /// The palette of commands.
    Palette(Palette),
    /// A line at the foot.
    Prompt(Prompt),
    /// δ and its advisor.
    Delta(Box<DeltaDialog>),
    /// Every step so far, with a cursor.
    History(usize),
    /// A release on its way to disk.
    Export(Box<ExportDialog>),
}

/// What only the loop can do, which owns the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Give the terminal back to the shell until it continues us.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Listen to the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Let the terminal put this into the clipboard.
    Clipboard(String),
}

impl App {
    /// Begins to load a project.
    pub(crate) fn new(project: PathBuf, opening: Opening, settings: Settings, jobs: Jobs) -> Self {
        let cancel = Arc::new(AtomicBool::new(false));
        let (path, overrides, stopped) = (project.clone(), opening.overrides, Arc::clone(&cancel));
        jobs.start(JobName::Load, move |sender| {
            let mut told = None;
            let loaded = Analysis::load_watched(&path, &overrides, &mut |progress| {
                // Once a stage, and then not so often that telling takes longer than reading.
                let is_due = told.is_none_or(|(stage, when): (LoadStage, Instant)| {
                    stage != progress.stage || when.elapsed() >= crate::tui::TICK
                });
                if is_due {
                    told = Some((progress.stage, Instant::now()));
                    let _ = sender.send(Message::Loading(progress));
                }
                if stopped.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            let _ = sender.send(Message::Loaded(match loaded {
                Ok(analysis) => Ok(Arc::new(analysis)),
                Err(PipelineError::Cancelled) => Err(String::new()),
                Err(error) => Err(crate::tui::kit::words::chain(&error)),
            }));
        });
        let effects = if settings.mouse { vec![Effect::Mouse(true)] } else { Vec::new() };
        let loading = Loading { path: project, started: Instant::now(), progress: None, cancel };
        Self {
            phase: Phase::Loading(loading),
            settings,
            is_too_small: Cell::new(false),
            overlay: None,
            asks_to_quit: false,
            dialogs: 0,
            status: String::new(),
            effects,
            jobs,
            opening,
            done: false,
        }
    }

    /// Whether the analyst has quit, or there is nothing to show.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// What only the loop can do, taken from here.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Whether a release is on its way to disk.
    pub(crate) fn is_exporting(&self) -> bool {
        matches!(&self.overlay, Some(Overlay::Export(dialog)) if dialog.stage.is_running())
    }

    /// Whether something goes on that a clock shows.
    pub(crate) fn is_busy(&self) -> bool {
        match &self.phase {
            Phase::Loading(_) => true,
            Phase::Failed(_) => false,
            Phase::Ready(session) => {
                session.runs.running() > 0
                    || session.lattice.is_surveying()
                    || session.trade_off.is_running()
                    || self.is_exporting()
            }
        }
    }

    /// Whether the answer to the last key is about to come: a frame before it would only flicker.
    pub(crate) fn is_about_to_answer(&self) -> bool {
        let Phase::Ready(session) = &self.phase else { return false };
        session.views.is_open()
            || session.classes.is_busy()
            || session.tables.is_busy()
            || session.lattice.is_counting()
    }

    /// The saver, for the way out.
    pub(crate) fn saver(&self) -> Option<Saver> {
        match &self.phase {
            Phase::Ready(session) => Some(session.saver.clone()),
            _ => None,
        }
    }

    /// Why the project could not be loaded, if so.
    pub(crate) fn into_failure(self) -> Option<String> {
        match self.phase {
            Phase::Failed(text) => Some(text),
            _ => None,
        }
    }

    /// Changes the state by one message.
    pub(crate) fn update(&mut self, message: Message) {
        match message {
            Message::Input(event) => self.input(&event),
            Message::Tick => {}
            Message::InputLost => {
                self.phase = Phase::Failed("the terminal went away".to_owned());
                self.done = true;
            }
            Message::Loading(progress) => {
                if let Phase::Loading(loading) = &mut self.phase {
                    loading.progress = Some(progress);
                }
            }
            Message::Loaded(loaded) => self.loaded(loaded),
            Message::Previewed(number, preview) => {
                if let Some(dialog) = self.dialog(number) {
                    dialog.preview = Some(preview);
                }
            }
            Message::Exporting(number, now) => {
                if let Some(Stage::Running { progress, .. }) =
                    self.dialog(number).map(|dialog| &mut dialog.stage)
                {
                    *progress = Some(now);
                }
            }
            Message::Exported(number, written) => {
                let Some(dialog) = self.dialog(number) else { return };
                let present = dialog.release.is_present();
                if let Ok(written) = &written {
                    let said = if present { "written and verified" } else { "written, NOT δ-present" };
                    self.status = format!("{said}: {}", written.path.display());
                }
                if let Some(dialog) = self.dialog(number) {
                    dialog.take(written);
                }
            }
            Message::Copied(said) | Message::Saving(said) => self.status = said,
            Message::Finished(key, outcome) => {
                self.finished(key, |session| session.finish(key, *outcome));
            }
            Message::Broken(job, text) => self.broken(&job, text),
            answer => {
                if let Phase::Ready(session) = &mut self.phase
                    && let Some(said) = session.answer(&self.jobs, answer)
                {
                    self.status = said;
                }
            }
        }
    }

    /// The open export dialog, if it has this number.
    fn dialog(&mut self, number: u64) -> Option<&mut ExportDialog> {
        match &mut self.overlay {
            Some(Overlay::Export(dialog)) if dialog.number == number => Some(dialog),
            _ => None,
        }
    }

    fn loaded(&mut self, loaded: Result<Arc<Analysis>, String>) {
        if !matches!(self.phase, Phase::Loading(_)) {
            return;
        }
        match loaded {
            Ok(analysis) => {
                let hint = |id| self.settings.keymap.hint(id);
                let way = format!(
                    "{} searches, {} exports, {} helps",
                    hint("searches"),
                    hint("export"),
                    hint("help")
                );
                let loaded = || format!("loaded in {:.1} s", analysis.load_seconds());
                self.status = format!("{}; {way}", self.opening.banner.clone().unwrap_or_else(loaded));
                let session = self.begin(analysis);
                self.phase = Phase::Ready(Box::new(session));
            }
            // The message is printed once the terminal is as it was, so that it can be read and copied.
            Err(text) => {
                self.phase = Phase::Failed(text);
                self.done = true;
            }
        }
    }

    /// The session of a loaded project: a new one, or one that is gone on with.
    fn begin(&mut self, analysis: Arc<Analysis>) -> Session {
        let keymap = Arc::new(self.settings.keymap.clone());
        let Some((project, home)) = self.opening.home.clone() else {
            let name = self.opening.command_name.clone();
            return Session::new(&self.jobs, analysis, &name, None, Saver::default(), keymap);
        };
        let mut file = None;
        let mut resumed = None;
        if let Some((own, mut log)) = self.opening.resumed.take() {
            let said = format!("resumed {} at step {}", own.path().display(), log.current());
            let changed = log.changed_inputs(&analysis);
            if changed.is_empty() {
                self.status = said;
                file = Some(own);
            } else {
                // Its figures would no longer come out: what follows is another session.
                let names: Vec<String> = changed.iter().map(|path| path.display().to_string()).collect();
                self.status = format!("{said}; CHANGED SINCE: {}. All is counted anew", names.join(", "));
                log.inputs = Log::new(project.clone(), &analysis, log.steps()[0].clone()).inputs;
            }
            resumed = Some(log);
        }
        let saver = Saver::start(home, file, self.jobs.sender());
        let asked = self.opening.overrides;
        let delta = analysis.problem().delta();
        let mut session = Session::new(&self.jobs, analysis, &project, resumed, saver, keymap);
        // What was asked for when it was started comes after what the session had.
        if asked.delta_min.is_some() || asked.delta_max.is_some() {
            let log = session.delta();
            let min = if asked.delta_min.is_some() { delta.min() } else { log.min() };
            let max = if asked.delta_max.is_some() { delta.max() } else { log.max() };
            session.change_delta(&self.jobs, Delta::new(min, max).unwrap_or(delta));
        }
        session
    }

    fn finished(&mut self, key: RunKey, note: impl FnOnce(&mut Session)) {
        if let Phase::Ready(session) = &mut self.phase {
            let is_again = session.runs.is_again(key);
            note(session);
            session.wake(&self.jobs);
            session.runs.start_waiting(&self.jobs, &session.analysis, &session.problem);
            let rest = session.runs.unfinished();
            let rest = if rest == 0 { String::new() } else { format!("; {rest} to go") };
            self.status = match session.runs.get(key) {
                Some(Run::Broken(why)) => format!("{}: {why}", key.strategy),
                // What is only found again must not cover what was said of the session.
                _ if is_again => return,
                _ if session.screen == crate::tui::kit::name::ScreenName::Searches && rest.is_empty() => {
                    let (open, export) = (session.key("searches.open"), session.key("export"));
                    format!("{} ended: {open} opens what is found, {export} exports it", key.strategy)
                }
                _ => format!("{} ended{rest}", key.strategy),
            };
        }
    }

    /// A job broke: its failure goes where its answer would have gone, and ends the waiting there if anybody still waits.
    fn broken(&mut self, job: &JobName, text: String) {
        match job {
            JobName::Load => self.loaded(Err(text)),
            JobName::Search(key) => {
                if matches!(&self.phase, Phase::Ready(session) if session.runs.is_running(*key)) {
                    self.finished(*key, |session| session.runs.fail(*key, text));
                }
            }
            JobName::Preview(number) => {
                if let Some(dialog) = self.dialog(*number).filter(|dialog| dialog.preview.is_none()) {
                    dialog.preview = Some(Err(text));
                }
            }
            JobName::Export(number) => {
                if let Some(dialog) = self.dialog(*number).filter(|dialog| dialog.stage.is_running()) {
                    dialog.take(Err(ExportFailure::Other(text)));
                }
            }
            JobName::Copy => self.status = format!("{}: {text}", job.doing()),
            job => {
                if let Phase::Ready(session) = &mut self.phase
                    && session.fail(job, &text)
                {
                    self.status = format!("{}: {text}", job.doing());
                }
            }
        }
    }

    fn input(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != crossterm::event::KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Paste(text) => self.paste(text),
            _ => {}
        }
    }
}

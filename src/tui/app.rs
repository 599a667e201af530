//! The state of the workbench, and how a message changes it.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use palmtop::model::Problem;
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::search::Strategy;

use super::bound::Bound;
use super::export::{self, ExportDialog, Stage};
use super::job::Jobs;
use super::keys::{self, Command, Place};
use super::message::{JobName, Message};
use super::neighbours::StepTable;
use super::runs::Runs;
use super::theme::Theme;
use super::view::{Ground, Position, View};

/// How the project was named on the command line.
pub(crate) struct Opening {
    pub(crate) overrides: Overrides,
    pub(crate) command_name: String,
    pub(crate) banner: Option<String>,
}

/// The whole state.
pub(crate) struct App {
    pub(crate) phase: Phase,
    pub(crate) theme: Theme,
    pub(crate) overlay: Option<Overlay>,
    /// Really quit? It is asked over whatever is open, and that stays as it is.
    pub(crate) asks_to_quit: bool,
    /// How many export dialogs there were: what is meant for an earlier one does not reach a later one.
    dialogs: u64,
    /// What just happened, or why a command could not run.
    pub(crate) status: String,
    pub(super) jobs: Jobs,
    opening: Opening,
    done: bool,
}

/// How far it is.
pub(crate) enum Phase {
    /// The project is being read.
    Loading(PathBuf),
    /// It could not be.
    Failed(String),
    /// It is there.
    Ready(Box<Session>),
}

/// What lies over the screen.
pub(crate) enum Overlay {
    /// The list of keys.
    Help,
    /// A release on its way to disk.
    Export(Box<ExportDialog>),
}

/// The screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenName {
    Workbench,
    Strategies,
    Compare,
}

/// The panes of the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    Steps,
    Classes,
}

/// A loaded project, and everything that the analyst has done with it.
pub(crate) struct Session {
    pub(crate) analysis: Arc<Analysis>,
    pub(crate) problem: Problem,
    pub(crate) screen: ScreenName,
    pub(crate) view: View,
    pub(crate) pane: Pane,
    pub(crate) class_cursor: usize,
    pub(crate) step_cursor: usize,
    pub(crate) steps: StepTable,
    pub(crate) undo: Vec<Position>,
    pub(crate) redo: Vec<Position>,
    /// The node that a step starts from: the last one that was stood on.
    pub(crate) ground: Ground,
    /// Nodes kept to compare.
    pub(crate) pins: Vec<Ground>,
    pub(crate) runs: Runs,
    pub(crate) bound: Bound,
    /// The cell of the strategy grid; SPALM is left of the nine.
    pub(crate) cell: Strategy,
    /// What the comparison points at; the first candidate if this is none of them. A search that ends meanwhile puts its
    /// release between others, so a place in the list would point at another one then.
    pub(crate) pointed: Option<Position>,
    /// What the comparison compares with; the first candidate if this is none of them.
    pub(crate) base: Option<Position>,
    /// The first row of the comparison that is shown, below its heading.
    pub(crate) compare_row: usize,
    /// What a command has to say although it could run.
    pub(crate) notice: String,
}

impl App {
    /// Begins to load a project.
    pub(crate) fn new(project: PathBuf, opening: Opening, jobs: Jobs) -> Self {
        let (path, overrides) = (project.clone(), opening.overrides);
        jobs.start(JobName::Load, move |sender| {
            let loaded = Analysis::load(&path, &overrides).map(Arc::new);
            let _ = sender.send(Message::Loaded(loaded.map_err(|error| export::chain(&error))));
        });
        Self {
            phase: Phase::Loading(project),
            theme: Theme::from_environment(),
            overlay: None,
            asks_to_quit: false,
            dialogs: 0,
            status: String::new(),
            jobs,
            opening,
            done: false,
        }
    }

    /// Whether the analyst has quit, or there is nothing to show.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether a release is on its way to disk.
    pub(crate) fn is_exporting(&self) -> bool {
        matches!(&self.overlay, Some(Overlay::Export(dialog)) if dialog.stage == Stage::Running)
    }

    /// Whether something goes on that a clock shows.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(&self.phase, Phase::Ready(session) if session.runs.running() > 0)
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
            Message::Suspend | Message::Tick => {}
            Message::InputLost => {
                self.phase = Phase::Failed("the terminal went away".to_owned());
                self.done = true;
            }
            Message::Loaded(loaded) => self.loaded(loaded),
            Message::Neighbour { generation, neighbour } => {
                if let Phase::Ready(session) = &mut self.phase {
                    session.steps.take(generation, neighbour);
                }
            }
            Message::Progress(strategy, step) => {
                if let Phase::Ready(session) = &mut self.phase {
                    session.runs.progress(strategy, step);
                }
            }
            Message::Finished(strategy, outcome) => {
                self.finished(strategy, |runs| runs.finish(strategy, *outcome));
            }
            Message::Bound(bound) => {
                if let Phase::Ready(session) = &mut self.phase {
                    session.bound = Bound::Known(bound);
                }
            }
            Message::Previewed(number, preview) => {
                if let Some(dialog) = self.dialog(number) {
                    dialog.preview = Some(preview);
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
            Message::Broken(job, text) => self.broken(job, text),
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
        match loaded {
            Ok(analysis) => {
                self.status = self.opening.banner.clone().unwrap_or_else(|| {
                    format!("loaded in {:.1} s; ? lists the keys", analysis.load_seconds())
                });
                self.phase = Phase::Ready(Box::new(Session::new(&self.jobs, analysis)));
            }
            // The message is printed once the terminal is as it was, so that it can be read and copied.
            Err(text) => {
                self.phase = Phase::Failed(text);
                self.done = true;
            }
        }
    }

    fn finished(&mut self, strategy: Strategy, note: impl FnOnce(&mut Runs)) {
        if let Phase::Ready(session) = &mut self.phase {
            note(&mut session.runs);
            session.runs.start_waiting(&self.jobs, &session.analysis, &session.problem);
            let rest = session.runs.unfinished();
            let rest = if rest == 0 { String::new() } else { format!("; {rest} to go") };
            self.status = format!("{strategy} ended{rest}");
        }
    }

    fn broken(&mut self, job: JobName, text: String) {
        match job {
            JobName::Load => self.loaded(Err(text)),
            JobName::Search(strategy) => self.finished(strategy, |runs| runs.fail(strategy, text)),
            JobName::Preview(number) => self.update(Message::Previewed(number, Err(text))),
            JobName::Export(number) => {
                self.update(Message::Exported(number, Err(super::message::ExportFailure::Other(text))));
            }
            JobName::Bound => self.update(Message::Bound(None)),
            JobName::Neighbours => self.status = format!("counting the neighbours: {text}"),
        }
    }

    fn input(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Paste(text) => {
                if let (Some(Overlay::Export(dialog)), false) = (&mut self.overlay, self.asks_to_quit) {
                    let plain = text.chars().filter(|character| !character.is_control());
                    plain.for_each(|character| dialog.type_character(character));
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        let control_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        let loaded = matches!(self.phase, Phase::Ready(_));
        if self.asks_to_quit {
            self.asks_to_quit = false;
            self.done = control_c || matches!(key.code, KeyCode::Char('y' | 'Y'));
            return;
        }
        if control_c {
            // While it loads there is nothing to lose, and nothing to ask.
            self.asks_to_quit = loaded;
            self.done = !loaded;
            return;
        }
        match self.overlay {
            Some(Overlay::Help) => self.overlay = None,
            Some(Overlay::Export(_)) => self.key_at_export(key),
            None => self.key_at_screen(key),
        }
    }

    fn key_at_export(&mut self, key: KeyEvent) {
        let (Some(Overlay::Export(dialog)), Phase::Ready(session)) = (&mut self.overlay, &self.phase) else {
            return;
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, &dialog.stage) {
            // It is decided; what is written is written whole, and the dialog says how it went.
            (_, Stage::Running) => {}
            (KeyCode::Esc, _) | (_, Stage::Written(_)) => self.overlay = None,
            (KeyCode::Char('y' | 'Y'), Stage::Overwrite) => dialog.write(&self.jobs, &session.analysis, true),
            (_, Stage::Overwrite | Stage::Refused(_)) => dialog.stage = Stage::Name,
            (KeyCode::Enter, _) => dialog.confirm(&self.jobs, &session.analysis),
            (KeyCode::Char(character), _) if !control => dialog.type_character(character),
            _ => dialog.input().edit(key),
        }
    }

    fn key_at_screen(&mut self, key: KeyEvent) {
        let Phase::Ready(session) = &mut self.phase else {
            if key.code == KeyCode::Char('q') || key.code == KeyCode::Esc {
                self.done = true;
            }
            return;
        };
        let place = match session.screen {
            ScreenName::Workbench => Place::Workbench,
            ScreenName::Strategies => Place::Strategies,
            ScreenName::Compare => Place::Compare,
        };
        let Some(command) = keys::command(place, key) else {
            return;
        };
        self.status.clear();
        match command {
            Command::Help => self.overlay = Some(Overlay::Help),
            Command::Close if session.screen != ScreenName::Workbench => {
                session.screen = ScreenName::Workbench;
            }
            Command::Close | Command::Interrupt => self.asks_to_quit = true,
            Command::Export => match session.chosen() {
                Some(release) => {
                    let name = &self.opening.command_name;
                    self.dialogs += 1;
                    let dialog =
                        ExportDialog::open(&self.jobs, &session.analysis, release, name, self.dialogs);
                    self.overlay = Some(Overlay::Export(Box::new(dialog)));
                }
                None => self.status = session.why_no_release(session.cell),
            },
            command => {
                self.status = match session.act(&self.jobs, command) {
                    Ok(()) => std::mem::take(&mut session.notice),
                    Err(why_not) => why_not,
                };
            }
        }
    }
}

//! The state of the workbench, and how a message changes it.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use palmtop::model::{Node, Problem};
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::search::Strategy;

use super::export::{self, ExportDialog, Stage};
use super::job::Jobs;
use super::keys::{self, Command, Place};
use super::message::{JobName, Message};
use super::neighbours::StepTable;
use super::runs::Runs;
use super::theme::Theme;
use super::view::{Position, View};

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
    /// Really quit?
    Quit,
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
    pub(crate) node: Node,
    pub(crate) runs: Runs,
    /// The cell of the strategy grid; SPALM is left of the nine.
    pub(crate) cell: Strategy,
    pub(crate) candidate: usize,
    pub(crate) base: usize,
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

    /// Whether something goes on that a clock should show.
    pub(crate) fn is_busy(&self) -> bool {
        let exporting =
            matches!(&self.overlay, Some(Overlay::Export(dialog)) if dialog.stage == Stage::Running);
        match &self.phase {
            Phase::Loading(_) => true,
            Phase::Failed(_) => false,
            Phase::Ready(session) => exporting || session.runs.unfinished() > 0,
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
            Message::Suspend | Message::Tick => {}
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
            Message::Previewed(preview) => {
                if let Some(Overlay::Export(dialog)) = &mut self.overlay {
                    dialog.preview = Some(preview);
                }
            }
            Message::Exported(written) => {
                if let Ok(written) = &written {
                    self.status = format!("written and verified: {}", written.path.display());
                }
                if let Some(Overlay::Export(dialog)) = &mut self.overlay {
                    dialog.take(written);
                }
            }
            Message::Broken(job, text) => self.broken(job, text),
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
            JobName::Preview => self.update(Message::Previewed(Err(text))),
            JobName::Export => {
                self.update(Message::Exported(Err(super::message::ExportFailure::Other(text))));
            }
            JobName::Neighbours => self.status = format!("counting the neighbours: {text}"),
        }
    }

    fn input(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Paste(text) => {
                if let Some(Overlay::Export(dialog)) = &mut self.overlay {
                    let plain = text.chars().filter(|character| !character.is_control());
                    plain.for_each(|character| dialog.type_character(character));
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        let control_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        if control_c {
            self.overlay = Some(Overlay::Quit);
            return;
        }
        match self.overlay {
            Some(Overlay::Help) => self.overlay = None,
            Some(Overlay::Quit) => self.key_at_quit(key),
            Some(Overlay::Export(_)) => self.key_at_export(key),
            None => self.key_at_screen(key),
        }
    }

    fn key_at_quit(&mut self, key: KeyEvent) {
        match key.code {
            KeyCode::Char('y' | 'Y') | KeyCode::Enter => self.done = true,
            _ => self.overlay = None,
        }
    }

    fn key_at_export(&mut self, key: KeyEvent) {
        let (Some(Overlay::Export(dialog)), Phase::Ready(session)) = (&mut self.overlay, &self.phase) else {
            return;
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, &dialog.stage) {
            (_, Stage::Running) => {}
            (KeyCode::Esc, _) | (_, Stage::Written(_)) => self.overlay = None,
            (KeyCode::Char('y' | 'Y'), Stage::Overwrite) => dialog.write(&self.jobs, &session.analysis, true),
            (_, Stage::Overwrite) => dialog.stage = Stage::Name,
            (KeyCode::Enter, _) => dialog.confirm(&self.jobs, &session.analysis),
            (KeyCode::Backspace, _) => dialog.erase(false),
            (KeyCode::Char('u'), _) if control => dialog.erase(true),
            (KeyCode::Char(character), _) if !control => dialog.type_character(character),
            _ => {}
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
            Command::Close | Command::Interrupt => self.overlay = Some(Overlay::Quit),
            Command::Export => match session.chosen() {
                Some(release) => {
                    let name = &self.opening.command_name;
                    let dialog =
                        ExportDialog::open(&self.jobs, &session.analysis, release, name, &session.problem);
                    self.overlay = Some(Overlay::Export(Box::new(dialog)));
                }
                None => "there is no release here yet; run the search first (r)".clone_into(&mut self.status),
            },
            command => {
                if let Err(why_not) = session.act(&self.jobs, command) {
                    self.status = why_not;
                }
            }
        }
    }
}

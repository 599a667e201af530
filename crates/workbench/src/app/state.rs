//! The state of the workbench, and how a message changes it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::KeyEvent;
use palmtop_core::words::chain;
use palmtop_release::history::{Sitting, SittingFile};
use palmtop_release::pipeline::Overrides;
use ratatui::layout::Rect;

use super::loading::Loading;
use super::message::{Message, SettingsWritten};
use super::reading::Reading;
use super::registry::Screens;
use super::settings::Settings;
use super::windows::Windows;
use crate::kit::hits::Hits;
use crate::kit::keyboard::Typed;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::slot::{Slot, Task};
use crate::kit::terminal::Keeper;
use crate::screens::BEFORE;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;
use crate::shared::messages::MessageLog;
use crate::shared::screen::{About, ScreenReport};
use crate::shared::state::Shared;

/// How the project was opened: its names, its options and its sitting.
pub(crate) struct Opening {
    pub(crate) overrides: Overrides,
    /// How a command names the project.
    pub(crate) command_name: String,
    pub(crate) banner: Option<String>,
    /// The project file, whose history is kept; `None` for a built-in project.
    pub(crate) home: Option<PathBuf>,
    /// The sitting to go on with.
    pub(crate) resumed: Option<(SittingFile, Sitting)>,
    /// Whether to ask before going on with it: the analyst may begin a new one instead.
    pub(crate) asks_to_go_on: bool,
}

impl Opening {
    /// Finds the newest sitting of the project, to go on with if the analyst wants to; returns why it cannot be read.
    pub(crate) fn find_sitting(&mut self) -> Option<String> {
        let newest = self.home.as_ref().map_or(Ok(None), |project| SittingFile::newest(project));
        let problem = newest.as_ref().err().map(|error| format!("{}; a new sitting begins", chain(error)));
        self.resumed = newest.ok().flatten();
        self.asks_to_go_on = self.resumed.is_some();
        problem
    }
}

/// The state of the workbench.
pub(crate) struct App {
    pub(crate) phase: Phase,
    /// What to go back to if the project that is being read cannot be opened: its proposal.
    pub(crate) proposed: Option<Before>,
    pub(crate) settings: Settings,
    /// What the last frame drew.
    pub(crate) seen: Seen,
    pub(crate) windows: Windows,
    /// The status line: what just happened, or why a command could not run.
    pub(crate) status: String,
    /// The earlier messages of the status line.
    pub(crate) messages: MessageLog,
    /// Keys that wait for a count, in their order.
    pub(super) held: VecDeque<KeyEvent>,
    /// The effects for the loop, in order.
    pub(super) effects: Vec<Effect>,
    pub(crate) link: Link<Message>,
    pub(crate) opening: Opening,
    /// The same project or another one, while it is being read.
    pub(crate) reading: Option<Reading>,
    /// The job that writes δ into the project file.
    pub(crate) writing: Slot<SettingsWritten>,
    pub(super) done: bool,
}

/// The job that writes δ into the project file.
const WRITING: Task = Task { kind: "project", doing: "writing the project" };

/// What the workbench shows now.
pub(crate) enum Phase {
    /// The project is being read.
    Loading(Loading),
    /// The project cannot be read; `why` is the error. If no window offers to correct the project, the workbench ends.
    Failed { project: PathBuf, why: String },
    /// A project is open.
    Ready(Box<Ready>),
    /// A screen is open, before a project exists.
    Before(Before),
}

impl Phase {
    /// The open project.
    pub(crate) fn shared(&self) -> Option<&Shared> {
        if let Self::Ready(ready) = self { Some(&ready.shared) } else { None }
    }

    /// The open screen, with what is known of it.
    pub(crate) fn screen(&self) -> Option<(&'static About, &dyn Component)> {
        match self {
            Self::Ready(ready) => Some(ready.screens.get(ready.open())),
            Self::Before(before) => Some((before.about, &*before.screen)),
            Self::Loading(_) | Self::Failed { .. } => None,
        }
    }

    /// The place of the screen of a name.
    pub(crate) fn place(&mut self, name: ScreenName) -> Option<&mut Box<dyn Component>> {
        match self {
            Self::Ready(ready) => ready.screens.place(name),
            Self::Before(before) => (before.about.name == name).then_some(&mut before.screen),
            Self::Loading(_) | Self::Failed { .. } => None,
        }
    }
}

/// What is open before a project exists. Only what opens the screen knows which one it is.
pub(crate) struct Before {
    pub(crate) about: &'static About,
    pub(crate) screen: Box<dyn Component>,
}

/// Stands in the place of a screen that handles an event.
struct Away;

impl Component for Away {
    fn draw(&self, _: &mut Page, _: Rect, _: &Context) {}
}

/// An open project.
pub(crate) struct Ready {
    pub(crate) shared: Shared,
    pub(crate) screens: Screens,
    /// The pane of each tab that was open last; none of a tab that was never open.
    pub(crate) left: Vec<ScreenName>,
}

/// What a frame drew.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) hits: Hits,
    /// Whether there was no room to draw what is open: then keys do nothing, because the analyst would type blind.
    pub(crate) is_too_small: bool,
}

/// Something that only the loop can do, because it owns the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Give the terminal back to the shell until it continues us.
    Suspend,
    /// Draw all cells again.
    Redraw,
    /// Listen to the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Let the terminal put this into the clipboard.
    Clipboard(String),
}

impl Ready {
    /// What the jobs of the project and its screens do in the background.
    pub(crate) fn activity(&self) -> Activity {
        let screens = self.screens.all().map(|screen| screen.state().activity);
        screens.fold(self.shared.activity(), |all, one| all | one)
    }

    /// What a screen has not saved yet, as a sentence.
    pub(crate) fn unsaved(&self) -> Option<String> {
        self.screens.all().find_map(|screen| screen.state().unsaved)
    }

    /// The open screen.
    pub(crate) fn open(&self) -> ScreenName {
        self.shared.open
    }
}

impl App {
    /// Begins to load a project.
    pub(crate) fn new(project: PathBuf, opening: Opening, settings: Settings, link: Link<Message>) -> Self {
        let loading = Loading::start(&link.map(Message::Loading), project, opening.overrides);
        Self::in_phase(Phase::Loading(loading), opening, settings, link)
    }

    /// The state at the beginning of a phase.
    pub(super) fn in_phase(phase: Phase, opening: Opening, settings: Settings, link: Link<Message>) -> Self {
        let effects = if settings.mouse { vec![Effect::Mouse(true)] } else { Vec::new() };
        Self {
            phase,
            proposed: None,
            settings,
            seen: Seen::default(),
            windows: Windows::default(),
            status: String::new(),
            messages: MessageLog::default(),
            held: VecDeque::new(),
            effects,
            link,
            opening,
            reading: None,
            writing: Slot::new(WRITING),
            done: false,
        }
    }

    /// Whether the analyst has quit, or there is nothing to show.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Takes the effects for the loop.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// What all jobs do in the background.
    pub(crate) fn activity(&self) -> Activity {
        let screens = match &self.phase {
            Phase::Loading(_) => return Activity::busy(true),
            Phase::Failed { .. } => return Activity::default(),
            Phase::Before(before) => before.screen.state().activity,
            Phase::Ready(ready) => ready.activity(),
        };
        let is_busy = self.reading.is_some() || self.writing.is_open();
        screens | self.windows.activity() | Activity::busy(is_busy)
    }

    /// Calls `act` with what a component reads: the screen of this name, or a window.
    pub(super) fn with_context<T>(&self, of: Option<ScreenName>, act: impl FnOnce(&Context) -> T) -> T {
        let about = self.phase.screen().map_or(BEFORE, |(about, _)| about);
        let link = match of {
            Some(screen) => self.link.map(move |report| Message::Screen(ScreenReport { screen, report })),
            None => self.link.map(Message::Window),
        };
        act(&Context {
            shared: self.phase.shared(),
            keymap: &self.settings.keymap,
            link: &link,
            seen: &self.seen.hits,
            marks: self.settings.marks,
            screen: about.name,
            legend: about.legend,
            messages: &self.messages,
            line: self.windows.line(),
            why_not: &|row| self.why_not(row),
        })
    }

    /// Calls `act` with the windows and what they read.
    pub(super) fn with_windows<T>(&mut self, act: impl FnOnce(&mut Windows, &Context) -> T) -> T {
        let mut windows = std::mem::take(&mut self.windows);
        let answer = self.with_context(None, |context| act(&mut windows, context));
        self.windows = windows;
        answer
    }

    /// Hands an event to a screen, which is away from its place meanwhile: so it reads everything and changes only itself.
    pub(super) fn hand(&mut self, name: ScreenName, event: Event) -> Result<Intent, String> {
        let Some(place) = self.phase.place(name) else { return Ok(Intent::None) };
        let mut screen = std::mem::replace(place, Box::new(Away));
        let answer = self.with_context(Some(name), |context| screen.handle(context, event));
        if let Some(place) = self.phase.place(name) {
            *place = screen;
        }
        answer
    }

    /// Hands an event to the open screen, and carries out its answer.
    pub(super) fn hand_to_open(&mut self, event: Event) {
        let Some((about, _)) = self.phase.screen() else { return };
        let answer = self.hand(about.name, event);
        self.take_answer(answer);
    }

    /// Carries out what a component asks for, or shows why it cannot.
    pub(super) fn take_answer(&mut self, answer: Result<Intent, String>) {
        match answer {
            Ok(intent) => self.apply(intent),
            Err(why) => self.status = why,
        }
    }

    /// What must be on disk before the workbench exits.
    pub(crate) fn keeper(&self) -> Option<Arc<dyn Keeper>> {
        match &self.phase {
            Phase::Ready(ready) => Some(Arc::new(ready.shared.saver.clone())),
            _ => None,
        }
    }

    /// Why the project could not be loaded, if so.
    pub(crate) fn into_failure(self) -> Option<String> {
        match self.phase {
            Phase::Failed { why, .. } => Some(why),
            _ => None,
        }
    }

    /// Handles one message, and runs the keys that waited for it.
    pub(crate) fn update(&mut self, message: Message) {
        self.take(message);
        self.messages.note(&self.status);
        self.release_held();
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Typed(Typed::Event(event)) => self.input(&event),
            Message::Typed(Typed::Lost) => {
                let why = "the terminal went away".to_owned();
                self.phase = Phase::Failed { project: PathBuf::new(), why };
                self.done = true;
            }
            Message::Tick => {}
            Message::Loading(answer) => {
                let Phase::Loading(loading) = &mut self.phase else {
                    self.take_reading(answer);
                    return;
                };
                if let Some(loaded) = loading.take(answer) {
                    self.loaded(loaded);
                }
            }
            Message::Shared(message) => {
                if let Phase::Ready(ready) = &mut self.phase {
                    let news = ready.shared.update(message);
                    self.tell(news);
                }
            }
            Message::Screen(ScreenReport { screen, mut report }) => {
                let answer = self.hand(screen, Event::Report(&mut report));
                self.take_answer(answer);
            }
            Message::Window(report) => {
                let answer = self.with_windows(|windows, context| windows.update(context, report));
                self.take_answer(answer);
            }
            Message::Status(message) => self.status = message,
            Message::SettingsWritten(answer) => self.settings_written(answer),
        }
    }
}

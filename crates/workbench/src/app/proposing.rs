//! The workbench before there is a project: a proposal for raw tables, which is looked at, changed, written, and then opened
//! as any project is. Where it cannot be opened, the proposal is there as it was.

use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use palmtop_flow::pipeline::Overrides;
use palmtop_flow::session;

use super::commands::{Command as All, WindowName};
use super::loading::Loading;
use super::message::Message;
use super::opening::NO_PROJECT;
use super::registry::{self, Command};
use super::reload::home_of;
use super::settings::Settings;
use super::state::{App, Asked, Effect, Opening, Phase};
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::overlays::notice::Notice;
use crate::screens::proposal::state::{Begin, ProposalScreen};
use crate::shared::intent::{Intent, Purpose, Stage};

impl App {
    /// Begins to propose a project.
    pub(crate) fn propose(begin: Begin, opening: Opening, settings: Settings, link: Link<Message>) -> Self {
        let keymap = Arc::new(settings.keymap.clone());
        let screen = ProposalScreen::new(begin, keymap, link.map(Message::Proposal));
        let mut app = Self::in_phase(Phase::Proposing(Box::new(screen)), opening, settings, link);
        if let Phase::Proposing(screen) = &mut app.phase {
            let intent = screen.start();
            app.apply(intent);
        }
        app
    }

    /// Handles a key of the screen of a proposal.
    pub(super) fn key_of_proposal(&mut self, key: KeyEvent) {
        let Phase::Proposing(screen) = &self.phase else { return };
        let command = self.settings.keymap.line(ScreenName::Proposal, key).map(registry::command);
        let is_idle = key.code == KeyCode::Esc && !screen.activity().is_busy;
        if command == Some(Command::All(All::Close)) && is_idle && screen.is_begun() {
            let close = self.settings.keymap.hint("close");
            self.status = format!("nothing is open; {close} quits");
        } else if let Some(command) = command {
            self.run_on_proposal(command);
        }
    }

    /// Runs a command, while a project is proposed.
    pub(super) fn run_on_proposal(&mut self, command: Command) {
        let Phase::Proposing(screen) = &mut self.phase else { return };
        self.status.clear();
        let done = match command {
            Command::Own(own) => screen.act(own),
            Command::All(All::Move(movement)) => {
                screen.go(movement);
                Ok(Intent::None)
            }
            Command::All(All::Undo) => screen.undo(),
            Command::All(All::Redo) => screen.redo(),
            Command::All(All::Window(WindowName::Delta)) => screen.ask_for_delta(),
            Command::All(All::Close) => match screen.stop() {
                Some(true) => Ok(Intent::Say("stopped; all is as it was".to_owned())),
                // Nothing was there yet, and nothing is lost.
                Some(false) => {
                    self.done = true;
                    Ok(Intent::None)
                }
                None => {
                    self.asked = Some(Asked::Quit);
                    Ok(Intent::None)
                }
            },
            Command::All(All::Interrupt) => {
                self.asked = Some(Asked::Quit);
                Ok(Intent::None)
            }
            Command::All(All::Window(name)) => {
                self.open(name);
                Ok(Intent::None)
            }
            Command::All(All::Mouse) => {
                self.turn_mouse();
                Ok(Intent::None)
            }
            Command::All(All::Suspend) => {
                self.effects.push(Effect::Suspend);
                Ok(Intent::None)
            }
            Command::All(All::Redraw) => {
                self.effects.push(Effect::Redraw);
                Ok(Intent::None)
            }
            Command::All(_) => Err(self.no_project()),
        };
        match done {
            Ok(intent) => self.apply(intent),
            Err(why) => self.status = why,
        }
    }

    /// Why a command cannot run while a project is proposed.
    pub(super) fn why_not_on_proposal(screen: &ProposalScreen, command: Command) -> Option<String> {
        match command {
            Command::Own(own) => screen.why_not(own),
            Command::All(All::Copy | All::CopyToFile | All::Reload | All::Show(_) | All::Open) => {
                Some(NO_PROJECT.to_owned())
            }
            Command::All(_) => None,
        }
    }

    fn no_project(&self) -> String {
        format!("{NO_PROJECT}; {} writes one", self.settings.keymap.hint("proposal.write"))
    }

    /// Takes a line that the proposal asked for.
    pub(super) fn typed_on_proposal(&mut self, purpose: Purpose, text: &str, stage: Stage) {
        let Phase::Proposing(screen) = &mut self.phase else { return };
        if stage != Stage::Whole {
            return;
        }
        match screen.typed(purpose, text) {
            Ok(intent) => {
                self.close_window();
                self.status.clear();
                self.apply(intent);
            }
            Err(why) => self.windows.refuse(why),
        }
    }

    /// Opens the project that was written; the proposal waits behind it.
    pub(super) fn load_proposed(&mut self, path: &Path, hierarchies: usize) {
        let loading = Loading::start(&self.link.map(Message::Loading), path.to_owned(), Overrides::default());
        let name = path.display().to_string();
        let beside = match hierarchies {
            0 => String::new(),
            1 => ", with a hierarchy beside it".to_owned(),
            count => format!(", with {count} hierarchies beside it"),
        };
        let said = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.opening.banner = Some(format!("{said} is written{beside}"));
        self.opening.home = home_of(path);
        self.opening.overrides = Overrides::default();
        self.opening.command_name = name;
        self.close_windows();
        let before = std::mem::replace(&mut self.phase, Phase::Loading(loading));
        if let Phase::Proposing(screen) = before {
            self.proposed = Some(screen);
        }
    }

    /// Back to the proposal of a project that could not be opened, or was not to be; says whether there is one.
    pub(super) fn back_to_proposal(&mut self, why: &str) -> bool {
        let Some(screen) = self.proposed.take() else { return false };
        self.phase = Phase::Proposing(screen);
        if why.is_empty() {
            "stopped: the project is written, and not opened".clone_into(&mut self.status);
            return true;
        }
        let text = format!(
            "{why}\n\nThe project is written, but not whole yet. Any key goes back to the proposal: change it, or correct the \
             tables, and write it again."
        );
        let title = "it cannot be opened".to_owned();
        self.open_window(Box::new(Notice::new(title, text)));
        true
    }

    /// That a session is saved beside the project, which was there before.
    pub(super) fn forget_proposal(&mut self) {
        if self.proposed.take().is_some()
            && let Some((_, home)) = &self.opening.home
            && session::newest(&home.folder, &home.stem).is_some()
        {
            self.opening.banner =
                self.opening.banner.take().map(|said| format!("{said}; an older session lies beside it"));
        }
    }
}

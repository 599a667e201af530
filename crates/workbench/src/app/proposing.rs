//! The proposal of a project as a workspace.
//!
//! The analyst changes the proposal, writes it, and opens the written project. If the project cannot be opened, the
//! proposal comes back as it was.

use std::path::Path;
use std::sync::Arc;

use palmtop_release::history;
use palmtop_release::pipeline::Overrides;
use ratatui::layout::Rect;

use super::commands::{Command as All, WindowName};
use super::loading::Loading;
use super::message::Message;
use super::opening::NO_PROJECT;
use super::proposing_view;
use super::registry::Command;
use super::settings::Settings;
use super::state::{App, Opening, Phase};
use super::workspace::{Surroundings, TypedLine, Workspace};
use crate::kit::hits::{Hits, Target};
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::screens::proposal::state::{Begin, ProposalScreen};
use crate::shared::activity::Activity;
use crate::shared::intent::{Intent, Stage};
use crate::shared::report::Report;
use crate::windows::notice::Notice;

impl Workspace for ProposalScreen {
    fn screen(&self) -> ScreenName {
        ScreenName::PROPOSAL
    }

    fn legend(&self) -> &'static [&'static str] {
        Self::LEGEND
    }

    fn why_not(&self, _screen: Option<ScreenName>, command: Command) -> Option<String> {
        match command {
            Command::Screen(index) => self.why_not(index),
            Command::All(All::Copy | All::CopyToFile | All::Reload | All::Show(_) | All::Open) => {
                Some(NO_PROJECT.to_owned())
            }
            Command::All(_) => None,
        }
    }

    fn run(&mut self, _seen: &Hits, command: Command) -> Option<Result<Intent, String>> {
        Some(match command {
            Command::Screen(index) => self.act(index),
            Command::All(All::Move(movement)) => {
                self.go(movement);
                Ok(Intent::None)
            }
            Command::All(All::Undo) => self.undo(),
            Command::All(All::Redo) => self.redo(),
            Command::All(All::Window(WindowName::Delta)) => self.ask_for_delta(),
            Command::All(All::Close) => {
                let has_proposal = self.stop()?;
                let stopped = || Intent::Say("stopped; all is as it was".to_owned());
                Ok(if has_proposal { stopped() } else { Intent::Quit })
            }
            Command::All(All::Show(_) | All::Copy | All::CopyToFile | All::Reload | All::Open) => {
                Err(format!("{NO_PROJECT}; {} writes one", self.key("proposal.write")))
            }
            Command::All(_) => return None,
        })
    }

    fn typed(&mut self, _seen: &Hits, line: TypedLine) -> Result<Intent, String> {
        if line.stage == Stage::Complete { self.typed(line.purpose, line.text) } else { Ok(Intent::None) }
    }

    fn chosen(&mut self, index: usize) -> Intent {
        self.chosen(index)
    }

    fn confirmed(&mut self) {
        self.replace();
    }

    fn update(&mut self, report: Report) -> Intent {
        report.open().map_or(Intent::None, |message| self.update(message))
    }

    fn draw(&self, page: &mut Page, surroundings: &Surroundings) -> Rect {
        proposing_view::render(page, surroundings, self)
    }

    fn click(&mut self, _seen: &Hits, target: Target) -> Intent {
        self.click(target);
        Intent::None
    }

    fn activity(&self) -> Activity {
        self.activity()
    }

    fn is_begun(&self) -> bool {
        self.is_begun()
    }

    fn is_idle(&self) -> bool {
        self.is_begun() && !self.activity().is_busy
    }

    fn quit_question(&self) -> &'static str {
        "Quit palmtop? What was decided is forgotten; nothing more is written."
    }
}

impl App {
    /// Begins to propose a project.
    pub(crate) fn propose(begin: Begin, opening: Opening, settings: Settings, link: Link<Message>) -> Self {
        let keymap = Arc::new(settings.keymap.clone());
        let report = link.map(|message| Message::Workspace(Report::new(message)));
        let mut screen = ProposalScreen::new(begin, keymap, report);
        let intent = screen.start();
        let mut app = Self::in_phase(Phase::Before(Box::new(screen)), opening, settings, link);
        app.apply(intent);
        app
    }

    /// Opens the project that was written. The proposal is kept until the project is loaded.
    pub(super) fn load_proposed(&mut self, path: &Path, hierarchies: usize) {
        let loading = Loading::start(&self.link.map(Message::Loading), path.to_owned(), Overrides::default());
        let name = path.display().to_string();
        let remark = match hierarchies {
            0 => String::new(),
            1 => ", with a hierarchy".to_owned(),
            count => format!(", with {count} hierarchies"),
        };
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.opening.banner = Some(format!("{file_name} is written{remark}"));
        self.opening.home = Some(path.to_owned());
        self.opening.overrides = Overrides::default();
        self.opening.command_name = name;
        self.close_windows();
        let before = std::mem::replace(&mut self.phase, Phase::Loading(loading));
        if let Phase::Before(workspace) = before {
            self.proposed = Some(workspace);
        }
    }

    /// Goes back to the proposal, because its project cannot be opened or the user stopped it. Returns whether a proposal exists.
    pub(super) fn back_to_proposal(&mut self, why: &str) -> bool {
        let Some(workspace) = self.proposed.take() else { return false };
        self.phase = Phase::Before(workspace);
        if why.is_empty() {
            "stopped: the project is written, and not opened".clone_into(&mut self.status);
            return true;
        }
        let text = format!(
            "{why}\n\nThe project is written, but not complete yet. Any key goes back to the proposal: change it or correct the \
             tables, then write it again."
        );
        let title = "it cannot be opened".to_owned();
        self.open_window(Box::new(Notice::new(title, text)));
        true
    }

    /// Drops the proposal once its project is loaded, and mentions that the project has a history.
    pub(super) fn forget_proposal(&mut self) {
        if self.proposed.take().is_some()
            && let Some(project) = &self.opening.home
            && history::path_of(project).exists()
        {
            self.opening.banner =
                self.opening.banner.take().map(|banner| format!("{banner}; a history of this name exists"));
        }
    }
}

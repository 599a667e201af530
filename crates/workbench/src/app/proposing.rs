//! The proposal of a project: only this file knows which screen is open before a project exists.
//!
//! The analyst changes the proposal, writes it, and opens the written project. If the project cannot be opened, the
//! proposal comes back as it was.

use std::path::Path;
use std::sync::Arc;

use palmtop_release::history;
use palmtop_release::pipeline::Overrides;

use super::loading::Loading;
use super::message::Message;
use super::settings::Settings;
use super::state::{App, Before, Opening, Phase};
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::screens::BEFORE;
use crate::screens::proposal::FORGOTTEN;
pub use crate::screens::proposal::state::Begin;
use crate::screens::proposal::state::ProposalScreen;
use crate::shared::report::Report;
use crate::shared::screen::ScreenReport;
use crate::windows::notice::Notice;

/// The question before a proposal is left.
pub(super) fn quit_question() -> String {
    format!("Quit palmtop? {FORGOTTEN}")
}

impl App {
    /// Begins to propose a project.
    pub(crate) fn propose(begin: Begin, opening: Opening, settings: Settings, link: Link<Message>) -> Self {
        let keymap = Arc::new(settings.keymap.clone());
        let report = link.map(|message| {
            Message::Screen(ScreenReport { screen: ScreenName::PROPOSAL, report: Report::new(message) })
        });
        let mut screen = ProposalScreen::new(begin, keymap, report);
        let intent = screen.start();
        let before = Before { about: BEFORE, screen: Box::new(screen) };
        let mut app = Self::in_phase(Phase::Before(before), opening, settings, link);
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
        if let Phase::Before(before) = std::mem::replace(&mut self.phase, Phase::Loading(loading)) {
            self.proposed = Some(before);
        }
    }

    /// Goes back to the proposal, because its project cannot be opened or the user stopped it. Returns whether a proposal exists.
    pub(super) fn back_to_proposal(&mut self, why: &str) -> bool {
        let Some(before) = self.proposed.take() else { return false };
        self.phase = Phase::Before(before);
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

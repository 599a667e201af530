//! Keys that were typed while the project was loaded, or ahead of a count: they run in order afterwards.

use crossterm::event::{KeyCode, KeyEvent};

use super::commands::Command as All;
use super::registry::Command;
use super::state::{App, Phase};
use crate::kit::text;
use crate::shared::component::Wanted;

impl App {
    /// Runs a command, or holds its key until the view that the command needs is counted.
    pub(super) fn run_or_hold(&mut self, key: KeyEvent, command: Command) {
        if self.needs_coming_view(command) {
            self.held.push_back(key);
        } else {
            self.run(command);
        }
    }

    /// Holds a key behind others that wait; `Esc` drops them all. Returns whether the key was handled.
    pub(super) fn joins_held(&mut self, key: KeyEvent) -> bool {
        if self.held.is_empty() {
            return false;
        }
        if key.code == KeyCode::Esc {
            let keys = text::counted(self.held.len(), "key", "keys");
            self.held.clear();
            self.status = format!("{keys} typed ahead: given up");
        } else {
            self.held.push_back(key);
        }
        true
    }

    /// Holds a key until the project is loaded; `q` and `Esc` stop loading.
    pub(super) fn key_while_loading(&mut self, key: KeyEvent) {
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            self.held.clear();
            self.stop_loading();
        } else {
            self.held.push_back(key);
        }
    }

    /// Gives the held keys up if a question or a window opened with the project: they were not typed as its answer.
    pub(super) fn keep_held_from_answering(&mut self) {
        if !self.held.is_empty() && (self.windows.question().is_some() || !self.windows.is_empty()) {
            self.held.clear();
            "the keys typed ahead are given up: a question came first".clone_into(&mut self.status);
        }
    }

    /// Runs the held keys in order, until one needs a view that is still being counted.
    pub(super) fn release_held(&mut self) {
        if let Phase::Loading(_) | Phase::Failed { .. } = self.phase {
            return;
        }
        // If a key opens a question, the next key answers it, as if both were typed slowly.
        while !self.is_view_coming() {
            let Some(key) = self.held.pop_front() else { break };
            let behind = std::mem::take(&mut self.held);
            self.key(key);
            self.held.extend(behind);
            self.messages.note(&self.status);
        }
    }

    /// How many keys wait, for the status line.
    pub(super) fn held_text(&self) -> Option<String> {
        let Phase::Ready(ready) = &self.phase else { return None };
        let shared = &ready.shared;
        (!self.held.is_empty()).then(|| {
            let keys = text::counted(self.held.len(), "key waits", "keys wait");
            format!("{keys} for the count of {}; Esc gives up", shared.recipe_name())
        })
    }

    fn is_view_coming(&self) -> bool {
        matches!(&self.phase, Phase::Ready(ready) if ready.shared.is_view_coming())
    }

    fn needs_coming_view(&self, command: Command) -> bool {
        let Phase::Ready(ready) = &self.phase else { return false };
        let shared = &ready.shared;
        if !shared.is_view_coming() {
            return false;
        }
        let (_, screen) = ready.screens.get(ready.open());
        match command {
            Command::Screen(row) => screen.needs_view(shared, Wanted::Command(row)),
            Command::All(All::Copy | All::CopyToFile) => screen.needs_view(shared, Wanted::Figures),
            Command::All(All::Window(name)) => {
                name.takes_release() && screen.needs_view(shared, Wanted::Release)
            }
            Command::All(All::Move(_)) => screen.needs_view(shared, Wanted::Move),
            Command::All(_) => false,
        }
    }
}

//! Handles the keys of the list.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::state::CommandMenu;
use crate::shared::intent::Intent;

impl CommandMenu {
    /// Handles a key.
    pub(super) fn press(&mut self, key: KeyEvent) -> Intent {
        let last = self.matches.len().saturating_sub(1);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return Intent::Close,
            KeyCode::Enter => return self.run(),
            KeyCode::Down | KeyCode::Tab => self.cursor = (self.cursor + 1).min(last),
            KeyCode::Up | KeyCode::BackTab => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::PageDown => self.cursor = (self.cursor + 10).min(last),
            KeyCode::PageUp => self.cursor = self.cursor.saturating_sub(10),
            KeyCode::Char('n') if control => self.cursor = (self.cursor + 1).min(last),
            KeyCode::Char('p') if control => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Char(character) if !control => {
                self.input.insert(character);
                self.search();
            }
            _ => {
                self.input.edit(key);
                self.search();
            }
        }
        Intent::None
    }

    /// Runs the command under the cursor.
    pub(super) fn run(&self) -> Intent {
        self.chosen().map_or(Intent::None, Intent::Command)
    }
}

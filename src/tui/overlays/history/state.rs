//! Every step so far, with a cursor.

use crossterm::event::{KeyCode, KeyEvent};

use crate::tui::kit::hits::Target;
use crate::tui::shared::intent::Intent;

/// The list.
pub(crate) struct History {
    /// A step.
    pub(crate) cursor: usize,
}

impl History {
    /// A key, among so many steps.
    pub(crate) fn key(&mut self, steps: usize, key: KeyEvent) -> Intent {
        let last = steps - 1;
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.cursor = (self.cursor + 1).min(last),
            KeyCode::Up | KeyCode::Char('k') => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::PageDown => self.cursor = (self.cursor + 10).min(last),
            KeyCode::PageUp => self.cursor = self.cursor.saturating_sub(10),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End | KeyCode::Char('G') => self.cursor = last,
            KeyCode::Enter => {
                let quiet = Intent::Say(String::new());
                return Intent::Many(vec![quiet, Intent::Close, Intent::Jump(self.cursor)]);
            }
            _ => return Intent::Close,
        }
        Intent::None
    }

    /// A click on a step.
    pub(crate) fn click(&mut self, target: Target) {
        if let Target::Row(row) = target {
            self.cursor = row;
        }
    }
}

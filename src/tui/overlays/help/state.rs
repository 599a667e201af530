//! The help, from a row on.

use crossterm::event::{KeyCode, KeyEvent};

use crate::tui::shared::intent::Intent;

/// The open help.
#[derive(Default)]
pub(crate) struct Help {
    /// The first row that is shown, as far as there is one.
    pub(crate) row: usize,
}

impl Help {
    /// A key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Intent {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.row += 1,
            KeyCode::Up | KeyCode::Char('k') => self.row = self.row.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.row += 10,
            KeyCode::PageUp => self.row = self.row.saturating_sub(10),
            _ => return Intent::Close,
        }
        Intent::None
    }
}

//! Something that is too long for the status line, from a row on.

use crossterm::event::{KeyCode, KeyEvent};

use crate::tui::shared::intent::Intent;

/// The open notice.
pub(crate) struct Notice {
    pub(crate) title: String,
    pub(crate) text: String,
    /// The first row that is shown, as far as there is one.
    pub(crate) row: usize,
}

impl Notice {
    /// A notice from its beginning.
    pub(crate) fn new(title: String, text: String) -> Self {
        Self { title, text, row: 0 }
    }

    /// A key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Intent {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.row += 1,
            KeyCode::Up | KeyCode::Char('k') => self.row = self.row.saturating_sub(1),
            _ => return Intent::Close,
        }
        Intent::None
    }
}

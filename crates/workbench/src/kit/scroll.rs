//! A text that is longer than its window, from a row on.

use crossterm::event::{KeyCode, KeyEvent};

/// How far it is scrolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scroll {
    /// The first row that is shown, as far as there is one.
    pub(crate) row: usize,
}

impl Scroll {
    /// A key; says whether it scrolls.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.row += 1,
            KeyCode::Up | KeyCode::Char('k') => self.row = self.row.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.row += 10,
            KeyCode::PageUp => self.row = self.row.saturating_sub(10),
            _ => return false,
        }
        true
    }
}

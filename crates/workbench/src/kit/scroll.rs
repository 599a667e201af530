//! The scroll position of a text that is longer than its window.

use crossterm::event::{KeyCode, KeyEvent};

/// A scroll position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scroll {
    /// The first row to show.
    pub(crate) row: usize,
}

impl Scroll {
    /// Applies a key; returns whether the key scrolls.
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

//! Something that is too long for the status line, from a row on.

use crossterm::event::KeyEvent;

use crate::kit::scroll::Scroll;
use crate::shared::intent::Intent;

/// The open notice.
pub(crate) struct Notice {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) scroll: Scroll,
}

impl Notice {
    /// A notice from its beginning.
    pub(crate) fn new(title: String, text: String) -> Self {
        Self { title, text, scroll: Scroll::default() }
    }

    /// A key: one that does not scroll closes it.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Intent {
        if self.scroll.key(key) { Intent::None } else { Intent::Close }
    }
}

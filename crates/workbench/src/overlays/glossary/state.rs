//! The glossary, from a row on.

use crossterm::event::KeyEvent;

use crate::kit::scroll::Scroll;
use crate::shared::intent::Intent;

/// The open glossary.
#[derive(Default)]
pub(crate) struct Glossary {
    pub(crate) scroll: Scroll,
}

impl Glossary {
    /// A key: one that does not scroll closes it.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Intent {
        if self.scroll.key(key) { Intent::None } else { Intent::Close }
    }
}

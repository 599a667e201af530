//! The list of cautions, from a row on.

use crossterm::event::KeyEvent;

use crate::tui::kit::scroll::Scroll;
use crate::tui::shared::intent::Intent;

/// The open list of cautions.
#[derive(Default)]
pub(crate) struct CautionList {
    pub(crate) scroll: Scroll,
}

impl CautionList {
    /// A key: one that does not scroll closes it.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Intent {
        if self.scroll.key(key) { Intent::None } else { Intent::Close }
    }
}

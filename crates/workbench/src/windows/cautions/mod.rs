//! The cautions: what to know before signing.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::CautionList;
use crate::kit::page::Page;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

impl Window for CautionList {
    /// A key that does not scroll closes the list.
    fn key(&mut self, _context: &Context, key: KeyEvent) -> Intent {
        if self.scroll.key(key) { Intent::None } else { Intent::Close }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self);
        }
    }
}

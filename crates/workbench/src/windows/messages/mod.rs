//! The last messages of the status line, each in full.

pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::scroll::Scroll;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

/// The open list of messages.
#[derive(Default)]
pub(crate) struct Messages {
    scroll: Scroll,
}

impl Window for Messages {
    /// A key that does not scroll closes the list.
    fn key(&mut self, _context: &Context, key: KeyEvent) -> Intent {
        if self.scroll.key(key) { Intent::None } else { Intent::Close }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context.messages, self.scroll.row);
    }
}

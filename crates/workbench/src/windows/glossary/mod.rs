//! The glossary: what the words and marks mean.

pub(crate) mod terms;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::scroll::Scroll;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

/// The open glossary.
#[derive(Default)]
pub(crate) struct Glossary {
    scroll: Scroll,
}

impl Window for Glossary {
    /// A key that does not scroll closes the glossary.
    fn key(&mut self, _context: &Context, key: KeyEvent) -> Intent {
        if self.scroll.key(key) { Intent::None } else { Intent::Close }
    }

    fn draw(&self, page: &mut Page, area: Rect, _context: &Context) {
        view::render(page, area, self.scroll.row);
    }
}

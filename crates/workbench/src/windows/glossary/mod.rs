//! How to read the open screen, and what the words and marks mean.

pub(crate) mod terms;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::scroll::Scroll;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

/// The open glossary.
#[derive(Default)]
pub(crate) struct Glossary {
    scroll: Scroll,
}

impl Component for Glossary {
    /// A key that does not scroll closes the glossary.
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) if !self.scroll.key(key) => Ok(Intent::Close),
            _ => Ok(Intent::None),
        }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context.legend, self.scroll.row);
    }
}

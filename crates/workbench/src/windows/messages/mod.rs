//! The last messages of the status line, each in full.

pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::scroll::Scroll;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

/// The open list of messages.
#[derive(Default)]
pub(crate) struct Messages {
    scroll: Scroll,
}

impl Component for Messages {
    /// A key that does not scroll closes the list.
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) if !self.scroll.key(key) => Ok(Intent::Close),
            _ => Ok(Intent::None),
        }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context.messages, self.scroll.row);
    }
}

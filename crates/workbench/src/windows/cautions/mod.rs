//! The cautions: what to know before signing.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::state::CautionList;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

impl Component for CautionList {
    /// A key that does not scroll closes the list.
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) if !self.scroll.key(key) => Ok(Intent::Close),
            _ => Ok(Intent::None),
        }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self);
        }
    }
}

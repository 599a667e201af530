//! All steps so far; the analyst can go back to any of them.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::state::History;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

impl Component for History {
    /// A click on a step moves the cursor to it.
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) => {
                let step_count = context.shared.map_or(0, |shared| shared.log.steps().len());
                return Ok(self.press(step_count, key));
            }
            Event::Click(Target::Row(row)) => self.cursor = row,
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self.cursor);
        }
    }
}

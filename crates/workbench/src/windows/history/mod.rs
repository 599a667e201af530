//! All steps so far; the analyst can go back to any of them.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::History;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

impl Window for History {
    fn key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        let step_count = context.shared.map_or(0, |shared| shared.log.steps().len());
        self.press(step_count, key)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self.cursor);
        }
    }

    /// A click on a step moves the cursor to it.
    fn click(&mut self, _context: &Context, target: Target) -> Intent {
        if let Target::Row(row) = target {
            self.cursor = row;
        }
        Intent::None
    }
}

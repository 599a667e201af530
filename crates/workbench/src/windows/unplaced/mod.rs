//! Values that their hierarchies lack, each with the nearest label: the analyst adds the values to the hierarchies.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::UnplacedValues;
use crate::kit::page::Page;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

impl Window for UnplacedValues {
    fn key(&mut self, _context: &Context, key: KeyEvent) -> Intent {
        self.press(key)
    }

    /// The window covers the screen.
    fn draw(&self, page: &mut Page, _area: Rect, _context: &Context) {
        view::render(page, page.area(), self);
    }
}

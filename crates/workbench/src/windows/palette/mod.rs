//! The palette: the analyst finds a command by the words of its name and its description.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::Palette;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

impl Window for Palette {
    fn key(&mut self, _context: &Context, key: KeyEvent) -> Intent {
        self.press(key)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context.keymap, self, context.why_not);
    }

    fn takes_text(&self) -> bool {
        true
    }

    fn paste(&mut self, _context: &Context, text: &str) -> Intent {
        text.chars().for_each(|character| self.input.insert(character));
        self.search();
        Intent::None
    }

    /// A click on a command runs it.
    fn click(&mut self, _context: &Context, target: Target) -> Intent {
        let Target::Row(row) = target else { return Intent::None };
        self.cursor = row;
        self.run()
    }
}

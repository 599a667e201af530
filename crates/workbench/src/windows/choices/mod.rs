//! A list of choices; the analyst takes one.

pub(crate) mod state;
pub(crate) mod view;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::Choices;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

impl Window for Choices {
    fn key(&mut self, _context: &Context, key: KeyEvent) -> Intent {
        self.press(key)
    }

    fn draw(&self, page: &mut Page, area: Rect, _context: &Context) {
        view::render(page, area, self);
    }

    /// A click on a choice takes it.
    fn click(&mut self, _context: &Context, target: Target) -> Intent {
        if let Target::Row(row) = target { Intent::Chosen(row) } else { Intent::None }
    }
}

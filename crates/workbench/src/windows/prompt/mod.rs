//! A line at the foot of the screen, which the analyst types.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::Prompt;
use crate::kit::page::Page;
use crate::shared::intent::{Intent, Purpose};
use crate::shared::window::{Context, Window};

impl Window for Prompt {
    fn key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        self.press(key, context.shared.map_or("", |shared| &shared.classes.filter_text))
    }

    /// The line covers the footer and the status.
    fn draw(&self, page: &mut Page, _area: Rect, _context: &Context) {
        view::render(page, page.area(), self);
    }

    fn takes_text(&self) -> bool {
        true
    }

    fn paste(&mut self, _context: &Context, text: &str) -> Intent {
        text.chars().for_each(|character| self.input.insert(character));
        self.part()
    }

    fn line(&self) -> Option<(Purpose, &str)> {
        Some((self.question.purpose, self.input.text()))
    }

    fn refuse(&mut self, why: String) {
        self.wrong = Some(why);
    }
}

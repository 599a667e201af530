//! The help: the keys of a screen, and the keys of a field.

pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::scroll::Scroll;
use crate::shared::intent::Intent;
use crate::shared::window::{Context, Window};

/// The keys of the screen below.
#[derive(Default)]
pub(crate) struct Help {
    pub(crate) scroll: Scroll,
}

impl Window for Help {
    /// The key of the glossary opens it; another key that does not scroll closes the help.
    fn key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        match context.command_of(key) {
            Some((row, binding)) if binding.id == "glossary" => Intent::Command(row),
            _ if self.scroll.key(key) => Intent::None,
            _ => Intent::Close,
        }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context.keymap, (context.screen, context.legend), self.scroll.row);
    }
}

/// The keys of a field, over the dialog that has it.
pub(crate) struct FieldHelp;

impl Window for FieldHelp {
    fn key(&mut self, _context: &Context, _key: KeyEvent) -> Intent {
        Intent::Close
    }

    fn draw(&self, page: &mut Page, area: Rect, _context: &Context) {
        view::render_fields(page, area);
    }
}

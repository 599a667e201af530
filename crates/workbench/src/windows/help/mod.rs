//! The help: the keys of a screen, and the keys of a field.

pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::scroll::Scroll;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

/// The keys of the screen below.
#[derive(Default)]
pub(crate) struct Help {
    pub(crate) scroll: Scroll,
}

impl Component for Help {
    /// The key of the glossary opens it; another key that does not scroll closes the help.
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let Event::Key(key) = event else { return Ok(Intent::None) };
        Ok(match context.command_of(key) {
            Some((row, binding)) if binding.id == "glossary" => Intent::Command(row),
            _ if self.scroll.key(key) => Intent::None,
            _ => Intent::Close,
        })
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context.keymap, (context.screen, context.legend), self.scroll.row);
    }
}

/// The keys of a field, over the dialog that has it.
pub(crate) struct FieldHelp;

impl Component for FieldHelp {
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        Ok(if let Event::Key(_) = event { Intent::Close } else { Intent::None })
    }

    fn draw(&self, page: &mut Page, area: Rect, _: &Context) {
        view::render_fields(page, area);
    }
}

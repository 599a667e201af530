//! The list of commands, here or everywhere, each with its key or why it cannot run now. Typing filters, Enter runs.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::state::CommandMenu;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::Intent;

impl Component for CommandMenu {
    /// A click on a command runs it.
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) => return Ok(self.press(key)),
            Event::Paste(text) => {
                text.chars().for_each(|character| self.input.insert(character));
                self.search();
            }
            Event::Click(Target::Row(row)) => {
                self.cursor = row;
                return Ok(self.run());
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context.keymap, self, context.why_not);
    }

    fn state(&self) -> State<'_> {
        State { takes_text: true, ..State::default() }
    }
}

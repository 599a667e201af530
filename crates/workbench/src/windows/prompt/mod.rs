//! A line at the foot of the screen, which the analyst types.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::state::Prompt;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::Intent;

impl Component for Prompt {
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) => return Ok(self.press(key)),
            Event::Paste(text) => {
                text.chars().for_each(|character| self.input.insert(character));
                return Ok(self.part());
            }
            Event::Refused(why) => self.wrong = Some(why),
            _ => {}
        }
        Ok(Intent::None)
    }

    /// The line covers the footer and the status.
    fn draw(&self, page: &mut Page, _area: Rect, _: &Context) {
        view::render(page, page.area(), self);
    }

    fn state(&self) -> State<'_> {
        let line = Some((self.question.id, self.input.text()));
        State { takes_text: true, line, ..State::default() }
    }
}

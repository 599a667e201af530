//! A list of choices; the analyst takes one.

pub(crate) mod state;
pub(crate) mod view;

use ratatui::layout::Rect;

use self::state::Choices;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::Intent;

/// The keys of the window, and what they do.
const KEYS: &[(&str, &str)] =
    &[("↑ ↓ j k", "another choice"), ("Enter, 1 to 9", "takes a choice"), ("Esc, q", "leaves all as it was")];

impl Component for Choices {
    /// A click on a choice takes it.
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        Ok(match event {
            Event::Key(key) => self.press(key),
            Event::Click(Target::Row(row)) => Intent::Chosen(row),
            _ => Intent::None,
        })
    }

    fn draw(&self, page: &mut Page, area: Rect, _: &Context) {
        view::render(page, area, self);
    }

    fn state(&self) -> State<'_> {
        State { keys: KEYS, ..State::default() }
    }
}

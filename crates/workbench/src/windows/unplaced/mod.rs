//! Values that their hierarchies lack, each with the nearest label: the analyst adds the values to the hierarchies.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::state::UnplacedValues;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

impl Component for UnplacedValues {
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        Ok(if let Event::Key(key) = event { self.press(key) } else { Intent::None })
    }

    /// The window covers the screen.
    fn draw(&self, page: &mut Page, _area: Rect, _: &Context) {
        view::render(page, page.area(), self);
    }
}

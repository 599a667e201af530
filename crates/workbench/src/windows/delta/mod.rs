//! The dialog of δ: the two bounds, and an advisor that derives them.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
pub(crate) mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::DeltaDialog;
use crate::kit::page::Page;
use crate::shared::intent::{Edit, Intent};
use crate::shared::window::{Context, Window};

impl Window for DeltaDialog {
    fn key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        context.shared.map_or(Intent::Close, |shared| self.press(shared, key))
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self);
        }
    }

    fn takes_text(&self) -> bool {
        true
    }

    fn paste(&mut self, context: &Context, text: &str) -> Intent {
        let input = self.input();
        text.chars().for_each(|character| input.insert(character));
        if let Some(shared) = context.shared {
            self.judge(&shared.problem);
        }
        Intent::None
    }

    /// The fields of the advisor are kept for the next time.
    fn closed(&mut self) -> Intent {
        Intent::Edit(Edit::Stakes(self.typed_stakes()))
    }
}

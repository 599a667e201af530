//! The dialog of δ: the two bounds, and an advisor that derives them.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
pub(crate) mod tests;

use ratatui::layout::Rect;

use self::state::DeltaDialog;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::{Edit, Intent};

impl Component for DeltaDialog {
    /// When it closes, the fields of the advisor are kept for the next time.
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        Ok(match event {
            Event::Key(key) => context.shared.map_or(Intent::Close, |shared| self.press(shared, key)),
            Event::Paste(text) => {
                let input = self.input();
                text.chars().for_each(|character| input.insert(character));
                if let Some(shared) = context.shared {
                    self.judge(&shared.problem);
                }
                Intent::None
            }
            Event::Closed => Intent::Edit(Edit::Stakes(self.typed_stakes())),
            _ => Intent::None,
        })
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self);
        }
    }

    fn state(&self) -> State<'_> {
        State { takes_text: true, ..State::default() }
    }
}

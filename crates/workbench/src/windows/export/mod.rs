//! The window of an export: what goes out, what must be answered, and one key that writes it.

pub(crate) mod counting;
pub(crate) mod items;
mod keys;
mod lines;
mod preview;
pub(crate) mod state;
pub(crate) mod view;
mod writing;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::{ExportDialog, Focus, Stage};
use crate::kit::hits::Target;
use crate::kit::input::Input;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::verb::Verb;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::Intent;

impl ExportDialog {
    /// Handles a key. Once the release is written, the key of the files opens their screen.
    fn take_key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        let Some(shared) = context.shared else { return Intent::Close };
        let verb = context.keymap.verb(key).filter(|_| !self.takes_text());
        if self.is_written() && verb == Some(Verb::Files) {
            return Intent::Many(vec![Intent::Close, Intent::Show(ScreenName::FILES)]);
        }
        self.press(&shared.analysis, verb, key)
    }
}

impl Component for ExportDialog {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) => return Ok(self.take_key(context, key)),
            Event::Paste(text) => text.chars().for_each(|character| self.type_character(character)),
            // A click on the caution under the cursor opens it.
            Event::Click(Target::Row(row)) if matches!(self.stage, Stage::Waiting) => {
                if self.focus == Focus::List && self.cursor == row {
                    self.stage = Stage::Opened(Input::default());
                }
                (self.focus, self.cursor) = (Focus::List, row);
            }
            Event::Report(report) => {
                if let (Some(message), Some(shared)) = (report.take(), context.shared) {
                    return Ok(self.take_message(&shared.analysis, message));
                }
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self);
        }
    }

    fn state(&self) -> State<'_> {
        State {
            activity: Activity::counting(self.is_counting()) | Activity::busy(self.stage.is_running()),
            takes_text: self.takes_text(),
            keys: if matches!(self.stage, Stage::Waiting) { keys::KEYS } else { &[] },
            unfinished: self.stage.is_running().then_some("a release is being written"),
            ..State::default()
        }
    }
}

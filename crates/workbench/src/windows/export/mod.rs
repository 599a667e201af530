//! The export dialog: what will be written where, and what the analyst must answer first.

pub(crate) mod counting;
mod preview;
pub(crate) mod question;
pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::ExportDialog;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::verb::Verb;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::Intent;

impl ExportDialog {
    /// Handles a key. Once the file is written, the key of the releases opens their screen.
    fn take_key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        let Some(shared) = context.shared else { return Intent::Close };
        let is_files = context.command_of(key).is_some_and(|(_, binding)| binding.verb == Verb::Files);
        if self.is_written() && is_files {
            return Intent::Many(vec![Intent::Close, Intent::Show(ScreenName::FILES)]);
        }
        self.press(&shared.analysis, key)
    }
}

impl Component for ExportDialog {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) => return Ok(self.take_key(context, key)),
            Event::Paste(text) => text.chars().for_each(|character| self.type_character(character)),
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
            takes_text: true,
            unfinished: self.stage.is_running().then_some("a release is being written"),
            ..State::default()
        }
    }
}

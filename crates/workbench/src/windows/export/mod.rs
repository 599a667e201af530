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
use crate::shared::activity::Activity;
use crate::shared::intent::Intent;
use crate::shared::report::Report;
use crate::shared::window::{Context, Window};

impl Window for ExportDialog {
    /// Once the file is written, the key of the releases opens their screen.
    fn key(&mut self, context: &Context, key: KeyEvent) -> Intent {
        let Some(shared) = context.shared else { return Intent::Close };
        let opens = context.command_of(key).and_then(|(_, binding)| binding.opens);
        if self.is_written() && opens == Some(ScreenName::RELEASES) {
            return Intent::Many(vec![Intent::Close, Intent::Show(ScreenName::RELEASES)]);
        }
        self.press(&shared.analysis, key)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared, self);
        }
    }

    fn takes_text(&self) -> bool {
        true
    }

    fn paste(&mut self, _context: &Context, text: &str) -> Intent {
        text.chars().for_each(|character| self.type_character(character));
        Intent::None
    }

    fn update(&mut self, context: &Context, report: Report) -> Result<Intent, Report> {
        let message = report.open()?;
        Ok(context.shared.map_or(Intent::None, |shared| self.take_message(&shared.analysis, message)))
    }

    fn activity(&self) -> Activity {
        Activity::counting(self.is_counting()) | Activity::busy(self.stage.is_running())
    }

    fn unfinished(&self) -> Option<&'static str> {
        self.stage.is_running().then_some("a release is being written")
    }
}

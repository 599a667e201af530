//! The audit of what an export would write: what the release reveals to an attacker who knows palmtop.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use self::state::AuditWindow;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::intent::Intent;
use crate::shared::report::Report;
use crate::shared::window::{Context, Window};

impl Window for AuditWindow {
    fn key(&mut self, _context: &Context, key: KeyEvent) -> Intent {
        self.press(key)
    }

    fn draw(&self, page: &mut Page, area: Rect, _context: &Context) {
        view::render(page, area, self);
    }

    fn update(&mut self, _context: &Context, report: Report) -> Result<Intent, Report> {
        report.open().map(|message| self.take_message(message))
    }

    fn activity(&self) -> Activity {
        Activity::busy(self.is_running())
    }
}

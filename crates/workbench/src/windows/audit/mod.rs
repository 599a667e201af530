//! The audit of what an export would write: what the release reveals to an attacker who knows palmtop.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::state::AuditWindow;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State};
use crate::shared::intent::Intent;

impl Component for AuditWindow {
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        Ok(match event {
            Event::Key(key) => self.press(key),
            Event::Report(report) => report.take().map_or(Intent::None, |message| self.take_message(message)),
            _ => Intent::None,
        })
    }

    fn draw(&self, page: &mut Page, area: Rect, _: &Context) {
        view::render(page, area, self);
    }

    fn state(&self) -> State<'_> {
        State { activity: Activity::busy(self.is_running()), ..State::default() }
    }
}

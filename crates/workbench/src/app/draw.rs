//! Draws the state as a frame. Drawing changes nothing; it returns the positions of what it drew.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;

use super::frame::{self, Surroundings};
use super::state::{App, Phase, Seen};
use super::{before, loading};
use crate::kit::page::Page;
use crate::kit::text;

/// The smallest size in columns and rows that the layouts support; below it, a message appears.
const LEAST: (u16, u16) = (60, 16);

fn is_below_least(area: Rect) -> bool {
    area.width < LEAST.0 || area.height < LEAST.1
}

impl App {
    /// Draws the state.
    pub(crate) fn draw(&self, frame: &mut Frame) -> Seen {
        let mut page = Page::new(frame, self.settings.theme);
        let area = page.area();
        let mut is_too_small = self.seen.is_too_small;
        match &self.phase {
            Phase::Loading(loading) => loading::render(&mut page, area, loading, self.held.len()),
            Phase::Failed { why, .. } => {
                page.render_widget(Paragraph::new(text::safe(why)), area);
                self.draw_windows(&mut page, area);
            }
            Phase::Ready(_) | Phase::Before(_) => {}
        }
        if let Some((about, screen)) = self.phase.screen() {
            is_too_small = is_below_least(area);
            if is_too_small {
                frame::render_too_small(&mut page, self, LEAST);
            } else {
                let (body, top) = self.draw_frame(&mut page);
                self.with_context(Some(about.name), |context| screen.draw(&mut page, body, context));
                let over = Rect { y: area.y + top, height: area.height - top, ..area };
                self.draw_windows(&mut page, over);
                self.with_context(None, |context| self.windows.draw_question(&mut page, area, context));
            }
        }
        Seen { hits: page.hits, is_too_small }
    }

    /// Draws what is around the open screen; returns the area of the screen, and how many rows windows leave in sight above.
    fn draw_frame(&self, page: &mut Page) -> (Rect, u16) {
        let surroundings = Surroundings {
            keymap: &self.settings.keymap,
            status: &self.status,
            waiting: self.held_text(),
            is_covered: !self.windows.is_empty() || self.windows.question().is_some(),
        };
        match &self.phase {
            Phase::Ready(ready) => (frame::render(page, &surroundings, ready), 2),
            Phase::Before(before) => (before::render(page, &surroundings, before), 1),
            Phase::Loading(_) | Phase::Failed { .. } => (page.area(), 0),
        }
    }

    /// Draws the open windows; `area` leaves the title and the verdict in sight.
    fn draw_windows(&self, page: &mut Page, area: Rect) {
        self.with_context(None, |context| self.windows.draw(page, area, context));
    }
}

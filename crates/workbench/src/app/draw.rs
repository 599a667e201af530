//! Draws the state as a frame. Drawing changes nothing; it returns the positions of what it drew.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;

use super::state::{App, Phase, Ready, Seen};
use super::{frame, loading, proposing_view};
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
            Phase::Loading(loading) => loading::render(&mut page, area, loading),
            Phase::Failed(failure) => page.render_widget(Paragraph::new(text::safe(failure)), area),
            Phase::Mending { .. } => self.draw_windows(&mut page, area),
            Phase::Proposing(screen) => {
                is_too_small = is_below_least(area);
                if is_too_small {
                    frame::render_too_small(&mut page, self, None, LEAST);
                } else {
                    proposing_view::render(&mut page, area, self, screen);
                }
            }
            Phase::Ready(ready) => {
                is_too_small = is_below_least(area);
                if is_too_small {
                    frame::render_too_small(&mut page, self, Some(ready), LEAST);
                } else {
                    self.draw_ready(&mut page, area, ready);
                }
            }
        }
        Seen { hits: page.hits, is_too_small }
    }

    fn draw_ready(&self, page: &mut Page, area: Rect, ready: &Ready) {
        let shared = &ready.shared;
        let screen = ready.screens.get(shared.open);
        let body = frame::render(page, self, ready);
        screen.draw(page, body, shared);
        // Windows leave the title and the verdict in sight.
        let over = Rect { y: area.y + 2, height: area.height - 2, ..area };
        self.draw_windows(page, over);
        if let Some(asked) = self.asked {
            frame::render_question(page, area, self, asked);
        }
    }

    /// Draws the open windows; `area` leaves the title and the verdict in sight.
    pub(super) fn draw_windows(&self, page: &mut Page, area: Rect) {
        self.with_context(|context| self.windows.draw(page, area, context));
    }
}

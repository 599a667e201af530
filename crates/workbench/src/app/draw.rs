//! Draws the state as a frame. Drawing changes nothing; it returns the positions of what it drew.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;

use super::state::{App, Phase, Seen};
use super::workspace::Surroundings;
use super::{frame, loading};
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
        if let Some(workspace) = self.phase.workspace() {
            is_too_small = is_below_least(area);
            if is_too_small {
                frame::render_too_small(&mut page, self, workspace, LEAST);
            } else {
                let surroundings = Surroundings {
                    keymap: &self.settings.keymap,
                    status: &self.status,
                    waiting: self.held_text(),
                    line: self.windows.line(),
                };
                let over = workspace.draw(&mut page, &surroundings);
                self.draw_windows(&mut page, over);
                self.with_context(|context| self.windows.draw_question(&mut page, area, context));
            }
        }
        Seen { hits: page.hits, is_too_small }
    }

    /// Draws the open windows; `area` leaves the title and the verdict in sight.
    fn draw_windows(&self, page: &mut Page, area: Rect) {
        self.with_context(|context| self.windows.draw(page, area, context));
    }
}

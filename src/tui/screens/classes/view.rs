//! The screen of classes.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::app::session::Session;
use crate::tui::kit::theme::Theme;
use crate::tui::shared::classes::{explained, table};

/// Draws the screen of classes: the table, and below it the class under the cursor in full.
pub(crate) fn render(frame: &mut Frame, area: Rect, theme: Theme, session: &Session) {
    let below = (area.height / 2).clamp(8, 26).min(area.height);
    let [table, class] = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).areas(area);
    table::render_table(frame, table, theme, session);
    explained::render_in_full(frame, class, theme, session);
}

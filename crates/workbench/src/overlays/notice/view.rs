//! A window with a text in it.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::state::Notice;
use crate::kit::page::Page;
use crate::kit::{text, window};

/// Draws it over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, notice: &Notice) {
    let style = page.theme.bad();
    let columns = window::columns(area);
    let lines = notice.text.lines().flat_map(|line| text::wrap(line, columns));
    let lines = lines.map(|line| Line::raw(format!(" {line}"))).collect();
    window::render(page, area, (&text::safe(&notice.title), style), lines, notice.scroll.row);
}

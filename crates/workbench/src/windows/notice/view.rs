//! Draws a notice.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::kit::page::Page;
use crate::kit::text::{safe, wrap};
use crate::kit::window;

/// Draws the notice over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, (title, text): (&str, &str), row: usize) {
    let style = page.theme.bad();
    let columns = window::columns(area);
    let lines = text.lines().flat_map(|line| wrap(line, columns));
    let lines = lines.map(|line| Line::raw(format!(" {line}"))).collect();
    window::render(page, area, (&safe(title), style), lines, row);
}

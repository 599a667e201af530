//! Sizes that layouts share, windows over a screen, and lists around a cursor.

use ratatui::layout::Rect;
use ratatui::widgets::Clear;

use super::page::Page;

/// From this width on, two columns of panes fit.
pub(crate) const WIDE: u16 = 160;
/// From this width on, more than the essentials fit.
pub(crate) const MIDDLE: u16 = 100;

/// A rectangle in the middle of the area, at most as large as the area.
pub(crate) fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// Clears the area of a window and a column on each side. Otherwise cut words of the screen would
/// touch the border.
pub(crate) fn clear_for_window(page: &mut Page, area: Rect) {
    let screen = page.area();
    let x = area.x.saturating_sub(1);
    let right = (area.right() + 1).min(screen.right());
    page.render_widget(Clear, Rect { x, width: right - x, ..area });
}

/// The first row to show, so that the cursor is visible.
pub(crate) fn first_row(cursor: usize, rows: usize, count: usize) -> usize {
    let last_start = count.saturating_sub(rows);
    cursor.saturating_sub(rows.saturating_sub(1) / 2).min(last_start)
}

/// The mark of the selected row; hollow if the keys go to another pane.
pub(crate) fn cursor(selected: bool, focused: bool) -> &'static str {
    match (selected, focused) {
        (true, true) => "▸ ",
        (true, false) => "▹ ",
        (false, _) => "  ",
    }
}

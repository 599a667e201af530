//! What layouts share: how much room there is, windows over a screen, and lists around a cursor.

use ratatui::layout::Rect;
use ratatui::widgets::Clear;

use super::page::Page;

/// From this width on there is room for two columns of panes.
pub(crate) const WIDE: u16 = 160;
/// From this width on there is room for more than the least.
pub(crate) const MIDDLE: u16 = 100;

/// A rectangle in the middle, no larger than there is room.
pub(crate) fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// Clears the place of a window, with a column on each side: cut words right beside its border would be read with it.
pub(crate) fn clear_for_window(page: &mut Page, area: Rect) {
    let whole = page.area();
    let x = area.x.saturating_sub(1);
    let right = (area.right() + 1).min(whole.right());
    page.render_widget(Clear, Rect { x, width: right - x, ..area });
}

/// The first row to show, so that the cursor is among them.
pub(crate) fn first_row(cursor: usize, rows: usize, count: usize) -> usize {
    let last_start = count.saturating_sub(rows);
    cursor.saturating_sub(rows.saturating_sub(1) / 2).min(last_start)
}

/// The mark of the selected row, hollow where the keys go elsewhere.
pub(crate) fn cursor(selected: bool, focused: bool) -> &'static str {
    match (selected, focused) {
        (true, true) => "▸ ",
        (true, false) => "▹ ",
        (false, _) => "  ",
    }
}

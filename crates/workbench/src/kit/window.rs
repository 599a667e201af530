//! A window with lines, possibly more than fit.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::layout::{centred, clear_for_window};
use super::page::Page;
use super::text;

/// The columns of a line in such a window over this area.
pub(crate) fn columns(area: Rect) -> usize {
    usize::from(width(area).min(area.width).saturating_sub(4))
}

fn width(area: Rect) -> u16 {
    area.width.saturating_sub(4).clamp(40, 112)
}

/// Draws the lines from this row on. The title has the visible part and the keys.
pub(crate) fn render(
    page: &mut Page,
    area: Rect,
    (title, style): (&str, Style),
    lines: Vec<Line<'static>>,
    row: usize,
) {
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let area = centred(area, width(area), height);
    let forms =
        position(row, usize::from(height.saturating_sub(2)), lines.len()).map(|end| format!("{title}{end}"));
    let title = text::longest_that_fits(&forms, usize::from(area.width).saturating_sub(4));
    let room = usize::from(area.height.saturating_sub(2));
    let first = row.min(lines.len().saturating_sub(room));
    clear_for_window(page, area);
    let block =
        Block::bordered().border_type(BorderType::Rounded).border_style(style).title(format!(" {title} "));
    let lines: Vec<Line> = lines.into_iter().skip(first).collect();
    page.render_widget(Paragraph::new(lines).block(block), area);
}

/// The end of the title, the longest form first: the visible rows and the keys.
fn position(row: usize, room: usize, rows: usize) -> [String; 4] {
    if rows <= room {
        return [": any key closes", "", "", ""].map(ToOwned::to_owned);
    }
    let first = row.min(rows.saturating_sub(room));
    let (from, to) = (text::count(first + 1), text::count(first + room));
    let part = format!(" {from} to {to} of {}", text::count(rows));
    [
        format!(": lines{part}, j and k scroll, others close"),
        format!(": lines{part}, j and k scroll"),
        format!(": lines{part}, j k"),
        format!(":{part}"),
    ]
}

//! Draws the list of command lines; the line under the cursor is below the list in full.
//!
//! ```text
//! ╭ what was done, as commands: y copies one, a all, Y writes them ─────╮
//! │   palmtop check project.toml                                         │
//! │ ▸ palmtop compare project.toml --strategy n2,b3 --delta-max 1/20   │
//! ```

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph};

use crate::kit::hits::Target;
use crate::kit::layout::{centred, clear_for_window, cursor as mark, first_row};
use crate::kit::page::Page;
use crate::kit::text;

/// Draws the list over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, lines: &[String], cursor: usize) {
    let theme = page.theme;
    let width = area.width.min(120);
    let inner_width = usize::from(width.saturating_sub(2));
    // If the list cuts the line under the cursor, the line is also below the list.
    let cut = lines.get(cursor).filter(|line| text::width(line) + 3 > inner_width);
    let full = cut.map_or_else(Vec::new, |line| text::wrap(line, inner_width.saturating_sub(2)));
    let needed = u16::try_from(lines.len() + full.len() + 3).unwrap_or(u16::MAX);
    let area = centred(area, width, needed.max(4));
    let title = " what was done, as commands: y copies one, a all, Y writes all to a file ";
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(theme.strong()).title(title);
    let inner = block.inner(area);
    let below = if full.is_empty() { 0 } else { full.len() + 1 };
    let rows = usize::from(inner.height).saturating_sub(below).max(1);
    let first = first_row(cursor, rows, lines.len());
    let mut drawn: Vec<Line> = lines
        .iter()
        .enumerate()
        .skip(first)
        .take(rows)
        .map(|(index, line)| {
            let style = if index == cursor { theme.selected() } else { Style::new() };
            Line::styled(text::fit(&format!("{}{line}", mark(index == cursor, true)), inner_width), style)
        })
        .collect();
    if !full.is_empty() {
        drawn.push(Line::raw(""));
        drawn.extend(full.into_iter().map(|line| Line::styled(format!("  {line}"), theme.faint())));
    }
    clear_for_window(page, area);
    page.hits.note_rows(inner, (first..(first + rows).min(lines.len())).map(Target::Row));
    page.render_widget(Paragraph::new(drawn).block(block), area);
}

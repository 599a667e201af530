//! A window with a text in it.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::Notice;
use crate::tui::kit::layout::{centred, clear_for_window};
use crate::tui::kit::page::Page;
use crate::tui::kit::text;

/// Draws it over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, notice: &Notice) {
    let theme = page.theme;
    let width = area.width.saturating_sub(4).clamp(40, 112);
    let inner = usize::from(width.min(area.width).saturating_sub(4));
    let lines: Vec<String> = notice.text.lines().flat_map(|line| text::wrap(line, inner)).collect();
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let room = usize::from(height.saturating_sub(2));
    let first = notice.row.min(lines.len().saturating_sub(room));
    let keys = if lines.len() > room { "j and k scroll, any other key closes" } else { "any key closes" };
    let area = centred(area, width, height);
    clear_for_window(page, area);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.bad())
        .title(format!(" {}: {keys} ", text::safe(&notice.title)));
    let lines: Vec<Line> = lines.into_iter().skip(first).map(|line| Line::raw(format!(" {line}"))).collect();
    page.render_widget(Paragraph::new(lines).block(block), area);
}

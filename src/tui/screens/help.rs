//! The help: the table of keys, screen by screen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

use super::frame::centred;
use crate::tui::keys::{self, Place};
use crate::tui::theme::Theme;
use crate::tui::widgets::text;

/// Draws the help over the screen.
pub(crate) fn render(frame: &mut Frame, area: Rect, theme: Theme) {
    let area = centred(area, 78.min(area.width), area.height.min(24));
    frame.render_widget(Clear, area);
    let title = " keys: any key closes ";
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(theme.strong()).title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let half = usize::from(inner.width) / 2;
    let left = section(theme, "everywhere", Place::Anywhere, half);
    let mut right = section(theme, "workbench", Place::Workbench, half);
    right.extend(section(theme, "strategies", Place::Strategies, half));
    let mut left = left;
    left.extend(section(theme, "compare", Place::Compare, half));
    let [first, second] =
        [0, inner.width / 2].map(|x| Rect { x: inner.x + x, width: inner.width / 2, ..inner });
    frame.render_widget(Paragraph::new(left), first);
    frame.render_widget(Paragraph::new(right), second);
}

fn section(theme: Theme, name: &'static str, place: Place, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled(format!(" {name}"), theme.strong())];
    for binding in keys::at(place) {
        let said = text::fit(binding.long, width.saturating_sub(10));
        lines.push(Line::from(vec![
            Span::styled(text::fit(&format!(" {}", binding.written), 10), theme.strong()),
            Span::raw(said),
        ]));
    }
    lines
}

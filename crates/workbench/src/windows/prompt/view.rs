//! Draws the line, and below it what can be typed or what is wrong.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

use super::state::Prompt;
use crate::kit::page::Page;
use crate::kit::text;

/// Draws the line over the footer and the status.
pub(crate) fn render(page: &mut Page, area: Rect, prompt: &Prompt) {
    /// The most rows below the line; an error is shown in full.
    const BELOW: usize = 4;
    let theme = page.theme;
    let width = usize::from(area.width);
    let word = format!(" {} ", prompt.question.word);
    let typed = prompt.input.shown(width.saturating_sub(text::width(&word) + 1), true);
    let (below, style) = match &prompt.wrong {
        Some(wrong) => (wrong.as_str(), theme.bad()),
        None => (prompt.question.hint, theme.faint()),
    };
    let mut lines =
        vec![Line::from(vec![Span::styled(word, theme.accent().patch(theme.strong())), Span::raw(typed)])];
    let below = text::wrap_to(below, width.saturating_sub(2), BELOW);
    lines.extend(below.into_iter().map(|line| Line::styled(format!(" {line}"), style)));
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height);
    let area = Rect { y: area.bottom().saturating_sub(height), height, ..area };
    page.render_widget(Clear, area);
    page.render_widget(Paragraph::new(lines), area);
}

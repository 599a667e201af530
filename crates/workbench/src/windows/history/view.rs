//! Draws the list of steps.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use crate::kit::hits::Target;
use crate::kit::layout::first_row;
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::page::Page;
use crate::kit::text;
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;

/// Draws the list over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, cursor: usize) {
    let theme = page.theme;
    let steps = shared.log.steps();
    let height = u16::try_from(steps.len() + 2).unwrap_or(u16::MAX);
    let area = centred(area, 78, height.max(4));
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" steps: Enter goes there, Esc closes ");
    let inner = block.inner(area);
    let (width, rows) = (usize::from(inner.width), usize::from(inner.height));
    let first = first_row(cursor, rows, steps.len());
    let line = |(number, step): (usize, &palmtop_release::history::Step)| {
        let mark = if number == shared.log.current() { "●" } else { " " };
        let delta = format!("δ {}", text::delta(step.delta));
        let name = recipe_name(&step.recoding, step.delta);
        let line = format!(
            "{number:>4} {mark} {} {} {delta}",
            text::fit(&step.action.to_string(), 24),
            text::fit(&name, width.saturating_sub(34 + text::width(&delta)))
        );
        let style = if number == cursor { theme.selected() } else { ratatui::style::Style::new() };
        Line::from(Span::styled(text::fit(&line, width), style))
    };
    let lines: Vec<Line> = steps.iter().enumerate().skip(first).take(rows).map(line).collect();
    clear_for_window(page, area);
    page.hits.note_rows(inner, (first..steps.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines).block(block), area);
}

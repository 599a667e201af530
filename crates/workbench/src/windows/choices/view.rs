//! Draws the choices, one in each line.
//!
//! ```text
//! ╭ zip: hierarchy ─ Enter takes it, Esc leaves all ─╮
//! │ ▸ 1  palmtop's zip.toml                  ✓ now   │
//! │   2  built: the value, then *                    │
//! ```

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::Choices;
use crate::kit::hits::Target;
use crate::kit::layout::{centred, clear_for_window, cursor, first_row};
use crate::kit::page::Page;
use crate::kit::text;

/// Draws the choices over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, choices: &Choices) {
    let theme = page.theme;
    let (labels, sentence) = (&choices.choosing.labels, &choices.choosing.sentence);
    let width = area.width.saturating_sub(4).clamp(40, 96).min(area.width);
    let inner = usize::from(width.saturating_sub(2));
    let about = if sentence.is_empty() { Vec::new() } else { text::wrap(sentence, inner.saturating_sub(2)) };
    let most = usize::from(area.height.saturating_sub(2));
    let about: Vec<String> = about.into_iter().take(most.saturating_sub(4)).collect();
    let rows = labels.len().min(most.saturating_sub(about.len()));
    let height = u16::try_from(rows + about.len() + 2).map_or(area.height, |height| height.min(area.height));
    let area = centred(area, width, height);
    let mut lines: Vec<Line> =
        about.iter().map(|line| Line::styled(format!(" {line}"), theme.faint())).collect();
    let first = first_row(choices.cursor, rows, labels.len());
    for (row, label) in labels.iter().enumerate().skip(first).take(rows) {
        let is_chosen = row == choices.cursor;
        let now = if choices.choosing.taken == Some(row) { "  ✓ now " } else { "" };
        let number = if row < 9 { (row + 1).to_string() } else { " ".to_owned() };
        let room = inner.saturating_sub(6 + text::width(now));
        let style = if is_chosen { theme.selected() } else { ratatui::style::Style::new() };
        lines.push(Line::from(vec![
            Span::raw(format!(" {}", cursor(is_chosen, true))),
            Span::styled(format!("{number}  "), theme.accent()),
            Span::styled(text::fit(label, room), style),
            Span::styled(now.to_owned(), theme.good()),
        ]));
    }
    clear_for_window(page, area);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(format!(" {}: Enter takes it, Esc leaves all ", text::safe(&choices.choosing.title)));
    let offset = u16::try_from(about.len()).unwrap_or(0) + 1;
    let rows_area = Rect {
        x: area.x + 1,
        y: area.y + offset.min(area.height),
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(offset + 1),
    };
    page.hits.note_rows(rows_area, (first..labels.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines).block(block), area);
}

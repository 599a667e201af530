//! Draws the glossary.
//!
//! ```text
//! ╭ words and marks: j and k scroll, any other key closes ─────╮
//! │ Tables and people                                          │
//! │ private table, T      the people whose presence in it is … │
//! ```

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::terms::GLOSSARY;
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::page::Page;
use crate::kit::text;

/// The width of the words.
const WORDS: usize = 26;

/// Draws the glossary over the screen, from this row on.
pub(crate) fn render(page: &mut Page, area: Rect, legend: &[&str], row: usize) {
    let theme = page.theme;
    let area = centred(area, 120, area.height);
    let width = usize::from(area.width.saturating_sub(2));
    let mut lines = Vec::new();
    if !legend.is_empty() {
        let heading = Line::styled(" How to read this screen", theme.accent().patch(theme.strong()));
        lines.push(heading);
        let wrapped = legend.iter().flat_map(|sentence| text::wrap(sentence, width.saturating_sub(2)));
        lines.extend(wrapped.map(|line| Line::raw(format!(" {line}"))));
    }
    for section in GLOSSARY {
        if !lines.is_empty() {
            lines.push(Line::raw(""));
        }
        lines.push(Line::styled(format!(" {}", section.title), theme.accent().patch(theme.strong())));
        for (word, meaning) in section.terms {
            let meaning = text::wrap(meaning, width.saturating_sub(WORDS + 2));
            for (nth, part) in meaning.into_iter().enumerate() {
                let word = if nth == 0 { word } else { "" };
                lines.push(Line::from(vec![
                    Span::styled(format!(" {}", text::fit(word, WORDS)), theme.strong()),
                    Span::raw(part),
                ]));
            }
        }
    }
    let room = usize::from(area.height.saturating_sub(2));
    let first = row.min(lines.len().saturating_sub(room));
    let title = " words and marks: j and k scroll, any other key closes ";
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(theme.strong()).title(title);
    clear_for_window(page, area);
    let shown: Vec<Line> = lines.into_iter().skip(first).take(room).collect();
    page.render_widget(Paragraph::new(shown).block(block), area);
}

//! The help: the keys of the open screen, then those that hold everywhere, then how to read what is seen.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use crate::tui::kit::command::Binding;
use crate::tui::kit::keymap::Keymap;
use crate::tui::kit::layout::{centred, clear_for_window};
use crate::tui::kit::name::ScreenName;
use crate::tui::kit::page::Page;
use crate::tui::kit::rehearsal::may_break;
use crate::tui::kit::text;

/// The column of the keys.
const KEYS: usize = 13;

/// Draws the help over the screen, from this row on.
pub(crate) fn render(
    page: &mut Page,
    area: Rect,
    keymap: &Keymap,
    (screen, legend): (ScreenName, &[&str]),
    row: usize,
) {
    may_break("screen");
    let theme = page.theme;
    let columns = if area.width >= 130 { 2 } else { 1 };
    let width = if columns == 2 { 150 } else { 84 };
    let area = centred(area, width, area.height);
    let inner_width = usize::from(area.width.saturating_sub(2)) / columns;
    let line = |(place, binding): (usize, &'static Binding)| {
        let keys = keymap.written(place);
        Line::from(vec![
            Span::styled(format!(" {}", text::fit(&keys, KEYS)), theme.accent().patch(theme.strong())),
            Span::raw(text::fit(binding.long, inner_width.saturating_sub(KEYS + 1))),
        ])
    };
    let heading = |said: String| Line::styled(text::fit(&format!(" {said}"), inner_width), theme.strong());
    let mut own = vec![heading(format!("on this screen: {}", keymap.name_of(screen)))];
    own.extend(keymap.on_screen(screen).filter(|(_, binding)| binding.screen.is_some()).map(line));
    let mut all = vec![heading("everywhere".to_owned())];
    all.extend(keymap.on_screen(screen).filter(|(_, binding)| binding.screen.is_none()).map(line));
    own.push(Line::raw(""));
    let said = legend.iter().flat_map(|said| text::wrap(said, inner_width.saturating_sub(2)));
    own.extend(said.map(|line| Line::styled(format!(" {line}"), theme.faint())));
    let blocks = if columns == 2 {
        vec![own, all]
    } else {
        own.push(Line::raw(""));
        own.extend(all);
        vec![own]
    };
    let longest = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let height = u16::try_from(longest + 2).unwrap_or(u16::MAX).min(area.height);
    let area = centred(area, area.width, height);
    let room = usize::from(height.saturating_sub(2));
    let first = row.min(longest.saturating_sub(room));
    let scrolls = if longest > room { "j and k scroll, " } else { "" };
    let title = format!(" keys: {scrolls}{} words and marks, any other closes ", keymap.hint("glossary"));
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(theme.strong()).title(title);
    let inner = block.inner(area);
    clear_for_window(page, area);
    page.render_widget(block, area);
    for (column, lines) in (0..).zip(blocks) {
        let column_width = inner.width / u16::try_from(columns).unwrap_or(1);
        let part = Rect { x: inner.x + column * column_width, width: column_width, ..inner };
        page.render_widget(Paragraph::new(lines.into_iter().skip(first).collect::<Vec<_>>()), part);
    }
}

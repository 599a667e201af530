//! Draws the help: the screens, the keys of the open screen, the keys of all screens, and how to read the screen.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use crate::kit::command::Binding;
use crate::kit::keymap::Keymap;
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::rehearsal::may_break;
use crate::kit::{text, window};

/// The keys of a field, and what they do.
const FIELD_KEYS: [(&str, &str); 7] = [
    ("letters", "go into the field, ? and q too"),
    ("Enter", "takes what is typed"),
    ("Esc", "closes the dialog"),
    ("Tab", "the next field; in a path, the rest of a name"),
    ("← →", "move the cursor; ^A to the start, ^E to the end"),
    ("^U", "clears the field up to the cursor"),
    ("^C", "quits, after a question"),
];

/// Draws the keys of a field over its dialog.
pub(crate) fn render_fields(page: &mut Page, area: Rect) {
    let theme = page.theme;
    let line = |(keys, does): &(&str, &str)| {
        Line::from(vec![
            Span::styled(format!(" {}", text::fit(keys, KEYS)), theme.accent().patch(theme.strong())),
            Span::raw((*does).to_owned()),
        ])
    };
    let lines = FIELD_KEYS.iter().map(line).collect();
    window::render(page, area, ("keys of a dialog", theme.strong()), lines, 0);
}

/// The screens with the keys that open them, in lines of at most `columns` columns.
fn screens(keymap: &Keymap, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (index, binding) in keymap.table().iter().enumerate().filter(|(_, binding)| binding.opens.is_some()) {
        let keys = keymap.written(index);
        // The digits are in the order of the screens.
        let digit = keys.split(' ').rfind(|key| key.len() == 1 && key.as_bytes()[0].is_ascii_digit());
        let screen = format!("{} {}", digit.unwrap_or(&keys), binding.id);
        let last = lines.last().map_or(0, |line| text::width(line));
        if last > 0 && last + 2 + text::width(&screen) > columns {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if line.is_empty() { "" } else { "  " });
            line.push_str(&screen);
        }
    }
    lines
}

/// The width of the keys.
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
    let line = |(index, binding): (usize, &'static Binding)| {
        let keys = keymap.written(index);
        Line::from(vec![
            Span::styled(format!(" {}", text::fit(&keys, KEYS)), theme.accent().patch(theme.strong())),
            Span::raw(text::fit(binding.long, inner_width.saturating_sub(KEYS + 1))),
        ])
    };
    let heading =
        |sentence: String| Line::styled(text::fit(&format!(" {sentence}"), inner_width), theme.strong());
    let mut of_screen = Vec::new();
    if screen != ScreenName::PROPOSAL {
        of_screen.push(heading("screens".to_owned()));
        let lines = screens(keymap, inner_width.saturating_sub(2));
        of_screen.extend(lines.into_iter().map(|line| Line::styled(format!(" {line}"), theme.accent())));
        of_screen.push(Line::raw(""));
    }
    of_screen.push(heading(format!("on this screen: {}", keymap.name_of(screen))));
    of_screen.extend(keymap.on_screen(screen).filter(|(_, binding)| binding.screen.is_some()).map(line));
    let mut all = vec![heading("everywhere".to_owned())];
    all.extend(keymap.on_screen(screen).filter(|(_, binding)| binding.screen.is_none()).map(line));
    let mut words = vec![Line::raw("")];
    let sentence = legend.iter().flat_map(|sentence| text::wrap(sentence, inner_width.saturating_sub(2)));
    words.extend(sentence.map(|line| Line::styled(format!(" {line}"), theme.faint())));
    let blocks = if columns == 2 {
        of_screen.extend(words);
        vec![of_screen, all]
    } else {
        of_screen.push(Line::raw(""));
        of_screen.extend(all);
        of_screen.extend(words);
        vec![of_screen]
    };
    let longest = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let height = u16::try_from(longest + 2).unwrap_or(u16::MAX).min(area.height);
    let area = centred(area, area.width, height);
    let room = usize::from(height.saturating_sub(2));
    let first = row.min(longest.saturating_sub(room));
    let seen = if longest > room {
        format!("lines {} to {} of {longest}, j and k scroll, ", first + 1, first + room)
    } else {
        String::new()
    };
    let title = format!(" keys: {seen}{} words and marks, others close ", keymap.hint("glossary"));
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

//! Draws the list of commands: the matching commands with their keys, and why one cannot run now.
//!
//! ```text
//! ╭ commands ──────────────────────────────────────╮
//! │ : exp▏                                          │
//! │ ▸ export             write it, verified       e │
//! │   workbench.explain  the class in full …      ⏎ │
//! │ what is cut of the command under the cursor     │
//! ```

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::{CommandMenu, Reach};
use crate::kit::hits::Target;
use crate::kit::keymap::Keymap;
use crate::kit::layout::first_row;
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::page::Page;
use crate::kit::rehearsal::may_break;
use crate::kit::text;

/// The rows for the full description of the command under the cursor.
const CUT: usize = 2;

fn title(keymap: &Keymap, menu: &CommandMenu) -> String {
    match menu.reach {
        Reach::Here => format!(
            " here: {} · type to find, Enter runs, {} has everything ",
            keymap.name_of(menu.screen),
            keymap.hint("all")
        ),
        Reach::All => " everything: type to find, Enter runs ".to_owned(),
    }
}

/// Draws the list over the screen.
pub(crate) fn render(
    page: &mut Page,
    area: Rect,
    keymap: &Keymap,
    menu: &CommandMenu,
    why_not: &dyn Fn(usize) -> Option<String>,
) {
    may_break("screen");
    let theme = page.theme;
    let area = centred(area, 120, 20);
    let area = Rect { y: area.y.min(4), ..area };
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(title(keymap, menu));
    let inner = block.inner(area);
    let width = usize::from(inner.width);
    // The last rows have the full description of the command under the cursor.
    let rows = usize::from(inner.height).saturating_sub(1 + CUT);
    let mut cut = String::new();
    let mut lines = vec![Line::from(vec![
        Span::styled(" : ", theme.accent()),
        Span::raw(menu.input.shown(width.saturating_sub(4), true)),
    ])];
    // Here, the verb says what the key does; everywhere, the name is the one of a keymap.
    let name = |index: usize| match (menu.reach, keymap.table()[index].verb.row()) {
        (Reach::Here, Some(verb)) => verb.name,
        (Reach::Here, None) => keymap.table()[index].id.rsplit('.').next().unwrap_or_default(),
        (Reach::All, _) => keymap.table()[index].id,
    };
    let names = menu.matches.iter().map(|&index| text::width(name(index)));
    let names = names.max().unwrap_or(0).min(width / 3);
    let first = first_row(menu.cursor, rows, menu.matches.len());
    for (row, &index) in menu.matches.iter().enumerate().skip(first).take(rows) {
        let binding = &keymap.table()[index];
        let why = why_not(index);
        let keys = keymap.first(index);
        let right = format!("  {} ", text::right(&keys, 5));
        let room = width.saturating_sub(text::width(&right) + 2 + names + 2);
        let sentence = match &why {
            // If there is no room for both, the reason stays: the name tells what the command does.
            Some(why) => text::longest_that_fits(&[format!("{}: {why}", binding.long), why.clone()], room),
            None => binding.long.to_owned(),
        };
        let full =
            why.as_ref().map_or_else(|| binding.long.to_owned(), |why| format!("{}: {why}", binding.long));
        if row == menu.cursor && (sentence != full || text::width(&full) > room) {
            cut = full;
        }
        let mark = if row == menu.cursor { "▸ " } else { "  " };
        let style = match (row == menu.cursor, &why) {
            (true, _) => theme.selected(),
            (false, Some(_)) => theme.faint(),
            (false, None) => ratatui::style::Style::new(),
        };
        lines.push(Line::from(vec![
            Span::raw(mark),
            Span::styled(format!("{}  ", text::fit(name(index), names)), theme.accent()),
            Span::styled(text::fit(&sentence, room), style),
            Span::styled(right, theme.faint()),
        ]));
    }
    if menu.matches.is_empty() {
        lines.push(Line::styled("   no command has these words", theme.faint()));
    }
    if !cut.is_empty() {
        lines.resize(1 + rows, Line::default());
        let wrapped = text::wrap_to(&cut, width.saturating_sub(2), CUT);
        lines.extend(wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), theme.warning())));
    }
    clear_for_window(page, area);
    let rows_area = Rect { y: inner.y + 1, height: u16::try_from(rows).unwrap_or(0), ..inner };
    page.hits.note_rows(rows_area, (first..menu.matches.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines).block(block), area);
}

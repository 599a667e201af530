//! The last line: the tabs with their keys, and the first commands of the open screen.
//!
//! ```text
//!  1 Data  [2 Classes]  3 Releases  4 δ  5 Files      h finer  l coarser  Tab pane  ? :
//!  1 2 [3] 4 5                                                        narrow
//! ```

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::commands::{Command as All, WindowName};
use super::registry::{self, Command};
use crate::kit::command::Binding;
use crate::kit::hits::Target;
use crate::kit::keymap::Keymap;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::screens::tab_of;
use crate::shared::screen::Tab;

/// What is drawn of the line: its spans, the width so far, and the row of the table that each part runs.
#[derive(Default)]
struct Drawn {
    spans: Vec<Span<'static>>,
    width: usize,
    /// First column, width and row in the table.
    parts: Vec<(usize, usize, usize)>,
}

impl Drawn {
    /// Adds a part that a click runs.
    fn push(&mut self, row: usize, spans: impl IntoIterator<Item = Span<'static>>) {
        let before = self.width;
        for span in spans {
            self.width += text::width(&span.content);
            self.spans.push(span);
        }
        self.parts.push((before, self.width - before, row));
    }
}

/// Draws the last line. `tabs` is false before a project is open.
pub(super) fn render(page: &mut Page, area: Rect, keymap: &Keymap, open: ScreenName, tabs: bool) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let mut drawn = Drawn::default();
    if tabs {
        draw_tabs(&mut drawn, theme, keymap, open, width);
    }
    draw_commands(&mut drawn, theme, keymap, (open, tabs), width);
    for (column, width, row) in drawn.parts {
        let (x, width) = (text::columns(column), text::columns(width));
        page.hits.note(Rect { x: area.x + x, width, ..area }, Target::Command(row));
    }
    page.render_widget(Line::from(drawn.spans), area);
}

/// Adds the tabs; without their names if there is too little room.
fn draw_tabs(drawn: &mut Drawn, theme: Theme, keymap: &Keymap, open: ScreenName, width: usize) {
    let tabs = Tab::ALL.into_iter().filter_map(|tab| Some((tab, row_of(keymap, All::Tab(tab))?)));
    let tabs: Vec<(Tab, usize)> = tabs.collect();
    let named = |tab: &(Tab, usize)| text::width(&keymap.first(tab.1)) + text::width(tab.0.name()) + 3;
    let has_names = tabs.iter().map(named).sum::<usize>() + 8 <= width;
    for (tab, row) in tabs {
        let is_open = tab_of(open) == Some(tab);
        let key = keymap.first(row);
        let name = if has_names { format!(" {}", tab.name()) } else { String::new() };
        let (left, right) = if is_open { ("[", "]") } else { (" ", " ") };
        let style = if is_open { theme.strong() } else { theme.faint() };
        let of_key = if is_open { theme.strong() } else { theme.accent().patch(theme.strong()) };
        drawn.push(
            row,
            [
                Span::styled(left, style),
                Span::styled(key, of_key),
                Span::styled(name, style),
                Span::styled(right, style),
            ],
        );
    }
}

/// Adds the commands of the screen that fit, then the two lists of commands. Without a project, what every screen
/// has cannot be run.
fn draw_commands(
    drawn: &mut Drawn,
    theme: Theme,
    keymap: &Keymap,
    (open, has_project): (ScreenName, bool),
    width: usize,
) {
    let is_list = |index: usize| {
        matches!(registry::command(index), Command::All(All::Window(WindowName::Here | WindowName::All)))
    };
    let lists: Vec<usize> =
        keymap.on_screen(open).map(|(index, _)| index).filter(|&index| is_list(index)).collect();
    let kept: usize = lists.iter().map(|&index| text::width(&keymap.first(index)) + 1).sum();
    let wanted = |(index, binding): &(usize, &Binding)| {
        let can_run = has_project || !matches!(registry::command(*index), Command::All(_));
        can_run && !binding.short.is_empty() && !keymap.first(*index).is_empty() && !is_list(*index)
    };
    let needed = |index: usize, short: &str| text::width(&keymap.first(index)) + text::width(short) + 3;
    for (index, binding) in keymap.on_screen(open).filter(wanted) {
        if drawn.width + needed(index, binding.short) + kept + 1 > width {
            break;
        }
        drawn.push(
            index,
            [
                Span::styled(format!("  {}", keymap.first(index)), theme.accent().patch(theme.strong())),
                Span::styled(format!(" {}", binding.short), theme.faint()),
            ],
        );
    }
    let room = width.saturating_sub(drawn.width + kept);
    drawn.spans.push(Span::raw(" ".repeat(room)));
    drawn.width += room;
    for index in lists {
        let key = Span::styled(format!(" {}", keymap.first(index)), theme.accent().patch(theme.strong()));
        drawn.push(index, [key]);
    }
}

/// The row of a command of every screen.
fn row_of(keymap: &Keymap, command: All) -> Option<usize> {
    (0..keymap.table().len()).find(|&index| registry::command(index) == Command::All(command))
}

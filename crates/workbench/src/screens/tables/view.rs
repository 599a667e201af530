//! The tables: T, P, and the release as it would be written. Private values are hidden until the
//! analyst reveals them.
//!
//! ```text
//!  ▸ T private.csv     P public.csv     release
//! ─ T: private.csv ────────────────────────── row 2 of 800 · columns 1–6 of 8 ─
//!  identifiers, sensitive and unused columns are hidden; v shows them
//!         patient     zip    age    sex     education            occupation
//!         identifier  quasi  quasi  quasi   quasi                quasi
//! ▸   2   hidden      09412  10     male    in primary school    pupil
//! ```

use std::ops::Range;

use palmtop_release::pipeline::Page as Part;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::sheet::{Sheet, Use, Window};
use super::state::TablePages;
use crate::kit::hits::Target;
use crate::kit::layout::cursor;
use crate::kit::layout::first_row;
use crate::kit::layout::{MIDDLE, WIDE};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::screen::Sight;

/// The text instead of a private value.
const HIDDEN: &str = "hidden";
/// The blanks between two columns.
const GAP: usize = 2;

/// Draws the screen.
pub(crate) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, TablePages>) {
    let [tabs, heading, body] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    render_tabs(page, tabs, theme, sight);
    let window = sight.screen.window();
    let width = usize::from(area.width);
    let sentence = match (sight.screen.sheet, sight.shared.current_view()) {
        (Sheet::Release, None) => Some(match &sight.shared.missing {
            Some(why) => format!("there is no release to read: {why}"),
            None => format!("reading … {} is still being counted", sight.shared.recipe_name()),
        }),
        (Sheet::Release, Some(view)) if !sight.screen.is_of(view.release()) => Some("reading …".to_owned()),
        _ => None,
    };
    let part = window.page.as_ref().filter(|_| sentence.is_none());
    let columns = part.map(|part| Columns::of(sight, window, part, width));
    let shown = columns.as_ref().map(|columns| (columns.shown.clone(), columns.all.len()));
    let lines = vec![
        rule(theme, &name(sight), &remark(sight, shown, width), width, true),
        notice(theme, sight, columns.as_ref(), width),
    ];
    page.render_widget(Paragraph::new(lines), heading);
    if let (Some(failure), None) = (&window.failure, &sentence) {
        let key = sight.shared.key("tables.next");
        let sentence = format!(
            "This table cannot be read: {failure}. {key} opens the next table; come back to try again."
        );
        let lines = text::wrap(&sentence, width.saturating_sub(2)).into_iter();
        let lines: Vec<Line> = lines.map(|line| Line::styled(format!(" {line}"), theme.bad())).collect();
        page.render_widget(Paragraph::new(lines), body);
        return;
    }
    if let Some(columns) = columns {
        page.hits.last_column = columns.last;
        render_rows(page, body, theme, sight, &columns);
    } else {
        let sentence = sentence.unwrap_or_else(|| "reading …".to_owned());
        page.render_widget(Line::styled(text::fit(&format!(" {sentence}"), width), theme.warning()), body);
    }
}

/// The sheets, with a mark at the shown one.
fn render_tabs(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, TablePages>) {
    let (private, public) = (sight.shared.analysis.private_name(), sight.shared.analysis.public_name());
    let private = if is_part(sight) { "members".to_owned() } else { private };
    let names = [format!("T {private}"), format!("P {public}"), "release".to_owned()];
    let room = usize::from(area.width) / names.len();
    let mut left = area.x;
    for (index, (sheet, name)) in Sheet::ALL.iter().zip(names).enumerate() {
        let chosen = *sheet == sight.screen.sheet;
        let needed = text::width(&text::safe(&name)).min(room.saturating_sub(5));
        let line = Line::from(vec![
            Span::raw(if chosen { " ▸ " } else { "   " }),
            Span::styled(text::fit(&name, needed), if chosen { theme.strong() } else { theme.faint() }),
        ]);
        let width = u16::try_from(needed + 3).unwrap_or(u16::MAX);
        let tab = Rect { x: left, width, ..area }.intersection(area);
        page.render_widget(line, tab);
        page.hits.note(tab, Target::Column(index));
        left = left.saturating_add(width).saturating_add(2);
    }
}

/// Whether T is the rows of P that are marked as members.
fn is_part(sight: Sight<'_, TablePages>) -> bool {
    sight.shared.analysis.project().member_column().is_some()
}

/// The name of the sheet.
fn name(sight: Sight<'_, TablePages>) -> String {
    match sight.screen.sheet {
        Sheet::Private if is_part(sight) => {
            format!("T: the members in {}", text::safe(&sight.shared.analysis.public_name()))
        }
        Sheet::Private => format!("T: {}", text::safe(&sight.shared.analysis.private_name())),
        Sheet::Public => format!("P: {}", text::safe(&sight.shared.analysis.public_name())),
        Sheet::Release => "the release as it would be written".to_owned(),
    }
}

/// The position in the table; the columns are (the shown ones, their number).
fn remark(sight: Sight<'_, TablePages>, columns: Option<(Range<usize>, usize)>, width: usize) -> String {
    let window = sight.screen.window();
    let reading = if sight.screen.is_busy() { "reading … · " } else { "" };
    let Some((shown, all)) = columns else { return String::new() };
    let total = window.total();
    let rows = match total {
        0 => "no rows".to_owned(),
        total => format!("row {} of {}", text::count(window.cursor as u64 + 1), text::count(total)),
    };
    let rows = format!("{reading}{rows}");
    let columns = match shown.len() {
        count if count == all => return rows,
        1 => format!("column {} of {all}", shown.end),
        _ => format!("columns {}–{} of {all}", shown.start + 1, shown.end),
    };
    let room = width.saturating_sub(text::width(&name(sight)) + 8);
    text::longest_that_fits(&[format!("{rows} · {columns}"), rows], room)
}

/// Whether private values are shown.
fn notice(
    theme: Theme,
    sight: Sight<'_, TablePages>,
    columns: Option<&Columns>,
    width: usize,
) -> Line<'static> {
    let private: Vec<Use> = columns
        .iter()
        .flat_map(|columns| &columns.all)
        .map(|column| column.purpose)
        .filter(|purpose| purpose.is_hidden())
        .collect();
    if private.is_empty() {
        let sentence = if columns.is_some() { " no column is hidden" } else { "" };
        return Line::styled(text::fit(sentence, width), theme.faint());
    }
    let kinds = [
        (Use::Role(palmtop_core::model::Role::Identifier), "identifiers"),
        (Use::Role(palmtop_core::model::Role::Withheld), "withheld columns"),
        (Use::Role(palmtop_core::model::Role::Sensitive), "sensitive values"),
        (Use::Member, "memberships"),
        (Use::Unused, "unused columns"),
    ];
    let named: Vec<&str> =
        kinds.iter().filter(|(kind, _)| private.contains(kind)).map(|(_, word)| *word).collect();
    let named = match named.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => named.concat(),
    };
    let key = sight.shared.key("tables.reveal");
    if sight.screen.revealed {
        let sentence = format!(" {named} ARE SHOWN; {key} hides them; so does leaving this screen");
        return Line::styled(text::fit(&sentence, width), theme.warning().patch(theme.strong()));
    }
    Line::styled(text::fit(&format!(" {named} are hidden; {key} shows them"), width), theme.faint())
}

/// A shown column.
struct Column {
    name: String,
    purpose: Use,
    width: usize,
}

/// The columns with their widths, and the visible ones.
struct Columns {
    all: Vec<Column>,
    shown: Range<usize>,
    /// The last column that scrolling may put first.
    last: usize,
    /// The width of the row numbers.
    number: usize,
    /// The room for the columns.
    room: usize,
}

impl Columns {
    fn of(sight: Sight<'_, TablePages>, window: &Window, part: &Part, width: usize) -> Self {
        let widest = match width {
            _ if sight.screen.is_wide => width,
            0..MIDDLE_WIDTH => 28,
            MIDDLE_WIDTH..WIDE_WIDTH => 32,
            _ => 48,
        };
        let number = text::width(&text::count(window.total())).max(3);
        let room = width.saturating_sub(2 + number + GAP);
        let all: Vec<Column> = part
            .columns
            .iter()
            .zip(&window.widths)
            .map(|(column, values)| {
                let purpose = Use::of(&sight.shared.analysis, column);
                let is_hidden = purpose.is_hidden() && !sight.screen.revealed;
                let values = if is_hidden { HIDDEN.len() } else { *values };
                let start: String = column.name.chars().take(widest).collect();
                let named = text::width(&text::safe(&start)).max(purpose.as_str().len());
                Column {
                    name: column.name.clone(),
                    purpose,
                    width: values.max(named).min(widest).min(room.max(1)),
                }
            })
            .collect();
        let last = first_of_the_last(&all, room);
        let first = window.column.min(last);
        let mut used = 0;
        let fitting = all[first..].iter().take_while(|column| {
            used += column.width + GAP;
            used <= room + GAP
        });
        let shown = first..(first + fitting.count());
        Self { all, shown, last, number, room }
    }

    /// The visible columns with the text of each. The last one is cut if a part of the next one
    /// fits.
    fn line(&self, cell: impl Fn(usize, &Column) -> String) -> String {
        let mut line = String::new();
        for (index, column) in self.shown.clone().zip(&self.all[self.shown.clone()]) {
            line.push_str(&text::fit(&cell(index, column), column.width));
            line.push_str(&" ".repeat(GAP));
        }
        let rest = self.room.saturating_sub(text::width(&line));
        if let Some(next) = self.all.get(self.shown.end).filter(|_| rest >= 6) {
            line.push_str(&text::fit(&cell(self.shown.end, next), rest));
        }
        line
    }
}

const MIDDLE_WIDTH: usize = MIDDLE as usize;
const WIDE_WIDTH: usize = WIDE as usize;

/// The first column of those that fit at the end.
fn first_of_the_last(columns: &[Column], room: usize) -> usize {
    let mut used = 0;
    let fitting = columns.iter().rev().take_while(|column| {
        used += column.width + GAP;
        used <= room + GAP
    });
    columns.len() - fitting.count().max(1).min(columns.len())
}

/// The names and the purposes of the columns, and the rows around the cursor.
fn render_rows(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, TablePages>, columns: &Columns) {
    let window = sight.screen.window();
    let total = window.total();
    let blank = " ".repeat(2 + columns.number + GAP);
    let names = columns.line(|_, column| column.name.clone());
    let purposes = columns.line(|_, column| column.purpose.as_str().to_owned());
    let mut lines = vec![
        Line::styled(format!("{blank}{names}"), theme.strong()),
        Line::styled(format!("{blank}{purposes}"), theme.faint()),
    ];
    let rows = usize::from(area.height).saturating_sub(lines.len());
    let first = first_row(window.cursor, rows, total);
    for row in first..first.saturating_add(rows).min(total) {
        let selected = row == window.cursor;
        let number = text::right(&text::count(row as u64 + 1), columns.number);
        let cells = match window.row(row) {
            Some(values) => columns.line(|index, column| shown(sight, column, values.get(index))),
            None => "…".to_owned(),
        };
        let style = if selected { theme.selected() } else { Style::new() };
        lines.push(Line::from(vec![
            Span::raw(cursor(selected, true)),
            Span::styled(format!("{number}{}", " ".repeat(GAP)), theme.faint()),
            Span::styled(cells, style),
        ]));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..total).map(Target::Row));
    page.render_widget(Paragraph::new(lines), area);
}

/// A value, or the text that hides it.
fn shown(sight: Sight<'_, TablePages>, column: &Column, value: Option<&String>) -> String {
    if column.purpose.is_hidden() && !sight.screen.revealed {
        return HIDDEN.to_owned();
    }
    // The column cuts the value anyway, and the value may be long.
    value.map(|value| value.chars().take(column.width * 4 + 8).collect()).unwrap_or_default()
}

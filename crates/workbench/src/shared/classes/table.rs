//! The table of classes, worst first.
//!
//! ```text
//! ─ classes ───────────────────────────────────── worst first · 12 ✗ of 341 ─
//!     age    zip    priv   pub  presence  0                        1
//! ▸ ▲ 30–39  130**    31    47     0.660  █████████████▓▓▓▓
//! ```

use std::ops::Range;

use palmtop_release::caution;
use palmtop_release::listing::{Cell, CellKind, Column, Figure, Key, Ranking};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::kit::hits::Target;
use crate::kit::layout::cursor;
use crate::kit::layout::first_row;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::{Theme, mark};
use crate::kit::{bar, columns, text};
use crate::shared::state::Shared;
use crate::shared::view::View;

/// The cursor, the mark and a blank.
const MARKS: usize = 4;
/// If labels would be cut to less than this, some attributes leave the table …
const LEAST: usize = 5;
/// … and the others get this width.
const READABLE: usize = 12;

/// The label of the pool: people who match no row, because members are withdrawn.
const POOL: &str = "withdrawn, or without members";

/// Draws the table.
pub(crate) fn render_table(page: &mut Page, area: Rect, shared: &Shared, focus: bool) {
    let Some(view) = shared.view.as_ref().filter(|_| area.height > 0) else { return };
    let theme = page.theme;
    let width = usize::from(area.width);
    let rows = usize::from(area.height).saturating_sub(2);
    let first = first_row(shared.classes.cursor, rows, view.shown.len());
    let shown = &view.shown[first..(first + rows).min(view.shown.len())];
    let names: Vec<&str> = shared.problem.quasi().iter().map(|quasi| quasi.name.as_str()).collect();
    let columns = Columns::of(shared, view, shown, width);
    page.hits.last_column = columns.last;
    let heading = if shared.problem.people().is_some() { "classes of people" } else { "classes" };
    let room = width.saturating_sub(heading.len() + 7);
    let note = remark(shared, view, room);
    let note = if columns.shown.len() < names.len() {
        let part = format!("attributes {}–{} of {}", columns.shown.start + 1, columns.shown.end, names.len());
        let keys = format!("{part} ({} {})", shared.key("classes.left"), shared.key("classes.right"));
        // The remark must always show that rows are hidden.
        let last = if shared.classes.arrangement.filter.is_empty() { part.clone() } else { note.clone() };
        let forms = [format!("{keys} · {note}"), format!("{part} · {note}"), last];
        text::longest_that_fits(&forms, room)
    } else {
        note
    };
    let mut lines = vec![rule(theme, heading, &note, width, focus)];
    lines.push(header(theme, &names, &columns, shared));
    for (row, class) in (first..).zip(shown) {
        let selected = row == shared.classes.cursor;
        lines.push(class_line(theme, view, *class, &columns, selected, focus));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..view.shown.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), area);
}

/// The number of classes and their order, as far as they fit. If a filter hides rows, the remark
/// always shows it.
fn remark(shared: &Shared, view: &View, room: usize) -> String {
    let arrangement = &shared.classes.arrangement;
    let all = text::counted(view.summary.classes, "class", "classes");
    let order = match arrangement.order.text(&shared.problem) {
        order if order == "worst" => "worst first".to_owned(),
        order => format!("by {order}"),
    };
    let found = shared.classes.search.as_ref().filter(|search| !search.rows.is_empty());
    let found =
        found.map(|search| format!("{} have `{}` · ", search.rows.len(), search.text)).unwrap_or_default();
    if shared.classes.lists.failure().is_some() {
        return format!("{found}NOT UPDATED: the list failed · {all}");
    }
    if arrangement.filter.is_empty() {
        let broken = view.summary.violations();
        let verdict = if broken == 0 {
            format!("{all}, all ✓")
        } else {
            format!("{} ✗ of {}", text::count(broken), text::count(view.summary.classes))
        };
        return format!("{found}{order} · {verdict}");
    }
    let shown = text::count(view.shown.len());
    let filter = &shared.classes.filter_text;
    // Even a long filter leaves room for the heading.
    let cut = |width: usize| text::fit(filter, text::width(filter).min(width));
    let start = format!("{shown} of {all} with ");
    let short = format!("{shown} with ");
    let rest = |start: &str| format!("{start}{}", cut(room.saturating_sub(text::width(start)).min(40)));
    let forms = [
        format!("{found}{order} · {start}{}", cut(40)),
        format!("{order} · {start}{}", cut(40)),
        format!("{start}{}", cut(40)),
        rest(&start),
        rest(&short),
    ];
    text::longest_that_fits(&forms, room)
}

/// The widths of the table's columns.
struct Columns {
    /// The visible attributes.
    shown: Range<usize>,
    /// The last attribute that scrolling may put first.
    last: usize,
    /// The width of each visible attribute.
    labels: Vec<usize>,
    /// The blanks after each label.
    gap: usize,
    /// The columns of figures with their widths, which include an arrow in one heading.
    figures: Vec<(Column, usize)>,
    bar: usize,
}

impl Columns {
    /// Labels get the width that they need, if it fits; the bar gets the rest, and always a
    /// minimum.
    ///
    /// If the labels would be too narrow to read, only some attributes are visible. If the analyst
    /// widened the columns, only those are visible whose labels fit uncut, and the bar may be left
    /// out. A label that is wider than the table is cut even then.
    fn of(shared: &Shared, view: &View, shown: &[u32], width: usize) -> Self {
        let (problem, first) = (&shared.problem, shared.classes.column);
        let (at_least, readable, longest) =
            if shared.classes.is_wide { (usize::MAX, usize::MAX, width) } else { (LEAST, READABLE, 40) };
        let names: Vec<&str> = problem.quasi().iter().map(|quasi| quasi.name.as_str()).collect();
        let ranking = &view.measured.ranking;
        let widest = |column: Column| {
            let widths = shown.iter().map(|class| text::width(&figure(ranking, *class, column)));
            widths.max().unwrap_or(0).max(text::width(heading(column)) + 1)
        };
        let figures: Vec<(Column, usize)> =
            Column::figures().map(|column| (column, widest(column))).collect();
        let wished: Vec<usize> = names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                // A label may be a set of thousands of characters; a longer text would be cut
                // anyway.
                let start =
                    |class: &u32| ranking.text(*class, index).chars().take(longest).collect::<String>();
                let texts = shown.iter().map(|class| text::width(&text::safe(&start(class))));
                texts.chain([text::width(name) + 1]).max().unwrap_or(0)
            })
            .collect();
        let (gap, bar) = match width {
            0..100 => (1, 8),
            100..160 => (1, 12),
            _ => (2, 24),
        };
        let bar = if shared.classes.is_wide { 0 } else { bar };
        let room =
            width.saturating_sub(MARKS + side_by_side(&figures, |_, width| " ".repeat(width)).len() + 2);
        let needed = |least: usize| move |wished: &usize| (*wished).min(least) + gap;
        let all: usize = wished.iter().map(needed(at_least)).sum();
        let fitting = |widths: &mut dyn Iterator<Item = &usize>| {
            let mut used = 0;
            let mut count = 0;
            for needed in widths.map(needed(readable)) {
                used += needed;
                if used > room.saturating_sub(bar) {
                    break;
                }
                count += 1;
            }
            count.max(1)
        };
        let (seen, last) = if all <= room.saturating_sub(bar) {
            (0..names.len(), 0)
        } else {
            let last = names.len() - fitting(&mut wished.iter().rev());
            let first = first.min(last);
            (first..(first + fitting(&mut wished[first..].iter())).min(names.len()), last)
        };
        let room = room.saturating_sub(gap * seen.len());
        let labels = columns::fit(&wished[seen.clone()], room.saturating_sub(bar), 2);
        let bar = room.saturating_sub(labels.iter().sum()).min(60);
        Self { shown: seen, last, labels, gap, figures, bar }
    }
}

/// A heading; a short form if the column is narrow.
fn heading(column: Column) -> &'static str {
    match column {
        Column::Private => "T",
        Column::Public => "P",
        Column::Presence | Column::Verdict => column.name(),
    }
}

/// The text of a figure of a class.
fn figure(ranking: &Ranking, class: u32, column: Column) -> String {
    match ranking.cell(class, column) {
        Cell::Figure(Figure::People(people)) => text::count(people),
        Cell::Figure(Figure::Share(share)) => caution::at_most_short(share),
        cell @ Cell::Verdict(_) => cell.to_string(),
    }
}

/// The columns of figures side by side. A share is never wider than its heading, so it needs only
/// the room of the arrow before it.
fn side_by_side(figures: &[(Column, usize)], text: impl Fn(Column, usize) -> String) -> String {
    let mut line = String::new();
    for (index, &(column, width)) in figures.iter().enumerate() {
        let is_share = column.kind() == CellKind::Share;
        line.push_str(match (index, is_share) {
            (0, _) => "",
            (_, true) => " ",
            (_, false) => "  ",
        });
        line.push_str(&text(column, width));
    }
    line
}

fn header(theme: Theme, names: &[&str], columns: &Columns, shared: &Shared) -> Line<'static> {
    let order = shared.classes.arrangement.order;
    let is_sorted = |key: Key| order.key == key;
    // The heading of the sorted column has an arrow: up if values grow. Labels grow; counts grow if
    // the order is reversed.
    let grows = matches!(order.key, Key::Attribute(_)) != order.reversed;
    let arrow = if grows { "↑" } else { "↓" };
    let head = |name: &str, key: Key| if is_sorted(key) { format!("{arrow}{name}") } else { name.to_owned() };
    let mut line = " ".repeat(MARKS);
    for (index, &width) in columns.shown.clone().zip(&columns.labels) {
        line.push_str(&text::fit(&head(names[index], Key::Attribute(index)), width + columns.gap - 1));
        line.push(' ');
    }
    line.push_str(&side_by_side(&columns.figures, |column, width| {
        text::right(&head(heading(column), Key::Column(column)), width)
    }));
    if columns.bar > 2 {
        line.push_str(&format!("  0{}1", " ".repeat(columns.bar - 2)));
    }
    Line::styled(line, theme.faint())
}

fn class_line(
    theme: Theme,
    view: &View,
    class: u32,
    columns: &Columns,
    selected: bool,
    focused: bool,
) -> Line<'static> {
    let ranking = &view.measured.ranking;
    let counts = ranking.counts(class);
    let verdict = ranking.verdict(class);
    let mut labels = String::new();
    for (attribute, &width) in columns.shown.clone().zip(&columns.labels) {
        labels.push_str(&text::fit(ranking.text(class, attribute), width));
        labels.push_str(&" ".repeat(columns.gap));
    }
    if ranking.is_pool(class) {
        // The pool has no labels, because nothing of it is published.
        labels = text::fit(POOL, text::width(&labels));
    }
    let numbers =
        side_by_side(&columns.figures, |column, width| text::right(&figure(ranking, class, column), width));
    let row = if selected && focused { theme.selected() } else { ratatui::style::Style::new() };
    Line::from(vec![
        Span::raw(cursor(selected, focused)),
        Span::styled(format!("{} ", mark(verdict)), theme.verdict(verdict)),
        Span::styled(format!("{labels}{numbers}"), row),
        Span::styled(
            format!("  {}", bar::presence(counts.presence(), view.delta, columns.bar)),
            theme.verdict(verdict),
        ),
    ])
}

//! The proposal: a row for each column of T, and below the table the question of the row under the cursor.
//!
//! ```text
//!  new project   T t.csv 436   P p.csv 11,538                              ? help
//!  6 of T are not in P: left out        δ up to 7.6 %, not decided   4 of 12 done
//!      T              P              published               read as
//!    ✓ Fallnr         –              never
//!  ▸ ? Geschl.        sex ?          never, until answered
//! ─ Geschl. ────────────────────────────────────────────────────── v shows values ─
//!  Is it P's column `sex`? It gives `sex` away in 428 of 428 rows.
//!  ▸ 1  never publish it
//!    2  it is P's sex: F = female, M = male
//! ```

use palmtop_core::model::Role;
use palmtop_project::Limit;
use palmtop_proposal::{Decision, DeltaOrigin, NotInPublic, ProposedAttribute};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::rows::TableRow;
use super::state::{ProposalScreen, Shown};
use super::update::{TARGET, shown_name};
use super::{files, pane};
use crate::kit::hits::Target;
use crate::kit::layout::{WIDE, cursor, first_row};
use crate::kit::page::Page;
use crate::kit::{columns, text};
use crate::shared::component::Context;

/// Draws the screen above the footer: the title, then the body, and over it the files to be written while their path is
/// typed.
pub(super) fn render(page: &mut Page, area: Rect, context: &Context, screen: &ProposalScreen) {
    let [top, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let help = format!("{} help ", context.keymap.hint("here"));
    let room = usize::from(area.width).saturating_sub(text::width(&help));
    let titled = Line::from(vec![
        Span::styled(text::fit(&format!(" {}", title(screen)), room), page.theme.strong()),
        Span::styled(help, page.theme.faint()),
    ]);
    page.render_widget(titled, top);
    let Some(shown) = &screen.shown else {
        pane::render_waiting(page, body, screen);
        return;
    };
    let [totals, table, below] = parts(body, screen.rows().len());
    render_totals(page, totals, screen, shown);
    render_table(page, table, screen, shown);
    pane::render(page, below, screen, shown);
    if let Some((TARGET, typed)) = context.line {
        files::render(page, table, screen, typed.trim());
    }
}

/// The areas of the totals, the table and the question. The table takes no more than its rows.
fn parts(area: Rect, rows: usize) -> [Rect; 3] {
    let [totals, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    if area.width >= WIDE {
        let halves = Layout::horizontal([Constraint::Percentage(60), Constraint::Fill(1)]);
        let [table, below] = halves.spacing(1).areas(body);
        return [totals, table, below];
    }
    let least = (body.height / 2).min(9);
    let table = text::columns(rows + 2).min(body.height - least);
    let [table, below] = Layout::vertical([Constraint::Length(table), Constraint::Fill(1)]).areas(body);
    [totals, table, below]
}

/// The tables with their people.
fn title(screen: &ProposalScreen) -> String {
    let named = &screen.begin.named;
    let counts = screen.shown.as_ref().map(|shown| (shown.meeting.members, shown.people()));
    let counted =
        |count: Option<u64>| count.map_or_else(String::new, |count| format!(" {}", text::count(count)));
    let public =
        format!("P {}{}", shown_name(&named.public.name()), counted(counts.map(|(_, people)| people)));
    let members = counted(counts.map(|(members, _)| members));
    match &named.private {
        Some(private) => format!("new project   T {}{members}   {public}", shown_name(&private.name())),
        None if members.is_empty() => format!("new project   {public}"),
        None => format!("new project   T{members}   {public}"),
    }
}

/// Whom P lacks, δ, and how many rows are done.
fn render_totals(page: &mut Page, area: Rect, screen: &ProposalScreen, shown: &Shown) {
    let proposal = &shown.proposal;
    let missing = shown.missing();
    let origin = match proposal.delta_origin {
        DeltaOrigin::Proposed => ", not decided",
        DeltaOrigin::Accepted => ", accepted",
        DeltaOrigin::Decided | DeltaOrigin::Declared => "",
    };
    let asking = screen.asking();
    let done = format!("{} of {asking} done ", asking - screen.open().len());
    let room = usize::from(area.width).saturating_sub(text::width(&done));
    let delta = shown.delta();
    let forms = [
        format!(" {missing}     δ {delta}{origin}"),
        format!(" {missing}   δ {delta}"),
        format!(" {missing}"),
    ];
    let is_refused = shown.meeting.missing > 0 && proposal.not_in_public == NotInPublic::Refuse;
    let style = if is_refused { page.theme.bad() } else { Style::new() };
    let left = text::fit(&text::longest_that_fits(&forms, room), room);
    page.render_widget(
        Line::from(vec![Span::styled(left, style), Span::styled(done, page.theme.strong())]),
        area,
    );
}

fn render_table(page: &mut Page, area: Rect, screen: &ProposalScreen, shown: &Shown) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let rows = screen.rows();
    let is_other = screen.is_other_sheet;
    let head = if is_other {
        vec!["T", "role", "values", "hierarchy", "limit"]
    } else {
        vec!["T", "P", "published", "read as"]
    };
    let head: Vec<String> = head.into_iter().map(str::to_owned).collect();
    let all: Vec<Vec<String>> =
        rows.iter().map(|row| if is_other { other_cells(row) } else { cells(screen, shown, row) }).collect();
    // The columns of P that are not used have a line of their own.
    let in_columns = rows.iter().zip(&all).filter(|(row, _)| !matches!(row, TableRow::Unused(_)));
    let in_columns: Vec<&Vec<String>> = in_columns.map(|(_, cells)| cells).chain([&head]).collect();
    let longest = |index: usize| in_columns.iter().map(|cells| text::width(&cells[index])).max();
    let wished: Vec<usize> = (0..head.len()).map(|index| longest(index).unwrap_or(0)).collect();
    let widths = columns::fit(&wished, width.saturating_sub(2 + 2 * head.len()), 6);
    let drawn = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| text::fit(cell, *width));
        cells.collect::<Vec<_>>().join("  ")
    };
    let mut lines = vec![Line::styled(text::fit(&format!("    {}", drawn(&head)), width), theme.faint())];
    let room = usize::from(area.height).saturating_sub(1);
    let first = first_row(screen.cursor, room, rows.len());
    for (index, (row, cells)) in rows.iter().zip(&all).enumerate().skip(first).take(room) {
        let is_chosen = index == screen.cursor;
        let is_open = screen.question_of(row).is_some();
        let (mark, of_mark) = match row {
            TableRow::Unreadable(_) | TableRow::Unused(_) => ("  ", Style::new()),
            _ if is_open => ("? ", theme.warning()),
            _ => ("✓ ", theme.good()),
        };
        let style = match row {
            _ if is_chosen => theme.selected(),
            TableRow::Unused(_) => theme.faint(),
            _ => Style::new(),
        };
        let line = match row {
            TableRow::Unused(names) => format!("not used: {}", names.join(", ")),
            _ => drawn(cells),
        };
        lines.push(Line::from(vec![
            Span::raw(cursor(is_chosen, true)),
            Span::styled(mark, of_mark),
            Span::styled(text::fit(&line, width.saturating_sub(4)), style),
        ]));
    }
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    page.hits.note_rows(body, (first..rows.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), area);
}

/// A row: the column of T, its column in P, what is published, and how the values are read.
fn cells(screen: &ProposalScreen, shown: &Shown, row: &TableRow) -> Vec<String> {
    let cells: [String; 4] = match row {
        TableRow::Attribute(attribute) => [
            attribute.name.clone(),
            public(screen, attribute),
            screen.published(attribute),
            read_as(attribute),
        ],
        TableRow::People => {
            let count = shown.proposal.count.clone().unwrap_or_else(|| "–".to_owned());
            let missing = match (shown.meeting.missing, shown.proposal.not_in_public) {
                (0, _) => "all of T".to_owned(),
                (missing, NotInPublic::Drop) => format!("without {}", text::count(missing)),
                (missing, NotInPublic::Refuse) => format!("{} refused", text::count(missing)),
            };
            ["people".to_owned(), count, missing, String::new()]
        }
        TableRow::Delta => ["δ", "", &shown.delta(), ""].map(str::to_owned),
        TableRow::Unreadable(name) => [name, "", "not used", ""].map(str::to_owned),
        TableRow::Unused(_) => [""; 4].map(str::to_owned),
    };
    cells.into()
}

/// A column of P; with a question mark while the pair is in question.
fn public(screen: &ProposalScreen, attribute: &ProposedAttribute) -> String {
    let question = screen.question_of(&TableRow::Attribute(attribute));
    let mut asked =
        question.iter().flat_map(|open| &open.choices).filter_map(|choice| match &choice.decision {
            Decision::Pair { public: Some(name), .. } => Some(name),
            _ => None,
        });
    match (asked.next(), &attribute.public_column) {
        (Some(name), _) => format!("{name} ?"),
        (None, Some(name)) => name.clone(),
        (None, None) => "–".to_owned(),
    }
}

/// How the values of both tables are read, if they are not read as they are written.
fn read_as(attribute: &ProposedAttribute) -> String {
    let (public, private) = (&attribute.readings.0, &attribute.readings.1);
    if public == private || public.is_plain() {
        return private.describe();
    }
    let both = [("T", private), ("P", public)].into_iter().filter(|(_, reading)| !reading.is_plain());
    let both: Vec<String> = both.map(|(table, reading)| format!("{table}: {}", reading.describe())).collect();
    both.join("; ")
}

/// A row of the other sheet: the role, the kind of the values, the hierarchy and the limit.
fn other_cells(row: &TableRow) -> Vec<String> {
    let TableRow::Attribute(attribute) = row else {
        let name = match row {
            TableRow::People => "people",
            TableRow::Delta => "δ",
            TableRow::Unreadable(name) => name,
            _ => "–",
        };
        return [name, "", "", "", ""].map(str::to_owned).into();
    };
    let is_quasi = attribute.role == Role::Quasi;
    let hierarchy = attribute.hierarchy.as_ref().map(|found| found.source.describe());
    let limit = attribute.limit.as_ref().map(|limit| match limit.limit {
        Limit::Terms(terms) if terms.get() == 1 => "labels".to_owned(),
        Limit::Terms(terms) => format!("{terms} terms"),
        Limit::Borders(level) => format!("borders {level}"),
        Limit::Free => "none".to_owned(),
    });
    vec![
        attribute.name.clone(),
        attribute.role.as_str().to_owned(),
        if is_quasi { attribute.kind.as_str().to_owned() } else { String::new() },
        hierarchy.unwrap_or_default(),
        limit.unwrap_or_default(),
    ]
}

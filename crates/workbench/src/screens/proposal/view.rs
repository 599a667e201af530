//! The proposal: the totals, a row per column, and below the table the reasons and the open
//! questions.
//!
//! ```text
//!  T 800 people   P 20,000   |T|/|P| 0.04   not in P 0   δ 0 to 0.08, to begin with
//! ─ columns ─────────────────────────────────────────────────── 1 question is open ─
//!   column       in P       role        values    hierarchy
//! ▸ age          age        quasi       number    palmtop's age.toml
//! ─ age ────────────────────────────────────────────────────────────────────────────
//!  Both tables have it, so an attacker who knows P finds people by it; plain numbers…
//! ─ question 1 of 1 ────────────────────────────────────────── n next, Enter settles ─
//!  ! δmax 0.08 is twice |T|/|P| = 800/20000: a starting point, not a recommendation.
//! ```

use palmtop_core::model::Role;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::state::{ProposalScreen, TableRow};
use super::update::{TARGET, shown_name};
use super::{details, files};
use crate::kit::hits::Target;
use crate::kit::layout::{WIDE, cursor, first_row};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::{columns, text};
use crate::shared::component::Context;

/// From this width on, the table shows how values are read.
const READINGS: usize = 110;

/// Draws the screen above the footer: the title, then the body, and over it the files to be written while their path is
/// typed.
pub(super) fn render(page: &mut Page, area: Rect, context: &Context, screen: &ProposalScreen) {
    let [top, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let width = usize::from(area.width);
    let help = format!("{} help ", context.keymap.hint("here"));
    let room = width.saturating_sub(text::width(&help));
    let titled = Line::from(vec![
        Span::styled(text::fit(&format!(" palmtop   {}", title(screen)), room), page.theme.strong()),
        Span::styled(help, page.theme.faint()),
    ]);
    page.render_widget(titled, top);
    render_body(page, body, screen);
    if let Some((TARGET, typed)) = context.line {
        // The open questions stay in sight.
        let [_, table, ..] = parts(body);
        files::render(page, table, screen, typed.trim());
    }
}

fn render_body(page: &mut Page, area: Rect, screen: &ProposalScreen) {
    if screen.shown.is_none() {
        details::render_waiting(page, area, screen);
        return;
    }
    let [totals, table, why, open] = parts(area);
    details::render_totals(page, totals, screen);
    render_table(page, table, screen);
    details::render_why(page, why, screen);
    details::render_open(page, open, screen);
}

/// The areas of the totals, the table, the reasons and the open questions.
fn parts(area: Rect) -> [Rect; 4] {
    let [totals, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    if area.width >= WIDE {
        let halves = Layout::horizontal([Constraint::Percentage(60), Constraint::Fill(1)]);
        let [table, words] = halves.spacing(1).areas(body);
        let [why, open] = Layout::vertical([Constraint::Percentage(40), Constraint::Fill(1)]).areas(words);
        return [totals, table, why, open];
    }
    let below = if body.height >= 24 { 7 } else { 5 };
    let [table, why, open] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(below), Constraint::Length(below + 1)])
            .areas(body);
    [totals, table, why, open]
}

/// The title.
fn title(screen: &ProposalScreen) -> String {
    let named = &screen.begin.named;
    let public = shown_name(&named.public.name());
    match &named.private {
        Some(private) => format!("a proposal for {} ⊂ {public}", shown_name(&private.name())),
        None => format!("a proposal for {public}"),
    }
}

fn render_table(page: &mut Page, area: Rect, screen: &ProposalScreen) {
    let theme = page.theme;
    let width = usize::from(area.width);
    // A narrow table has no column for the reading of values; a mark at the values replaces it.
    let has_readings = width >= READINGS;
    let rows = screen.rows();
    let (questions, notes) = screen.open_counts();
    let open = match questions {
        0 => "no question is open".to_owned(),
        1 => "1 question is open".to_owned(),
        count => format!("{count} questions are open"),
    };
    let open = match notes {
        0 => open,
        count => format!("{open}, {}", text::counted(count, "note", "notes")),
    };
    let mut lines = vec![rule(theme, "columns", &open, width, true)];
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(screen, *row, has_readings)).collect();
    let head = ["column", "in P", "role", "values", "read", "hierarchy"];
    let head: Vec<String> =
        head.into_iter().filter(|name| has_readings || *name != "read").map(str::to_owned).collect();
    let longest = |index: usize| {
        let all = cells.iter().chain([&head]).map(|cells| text::width(&cells[index]));
        all.max().unwrap_or(0)
    };
    let wished: Vec<usize> = (0..head.len()).map(longest).collect();
    let room = width.saturating_sub(4 + 2 * head.len());
    let widths = columns::fit(&wished, room, 6);
    let drawn = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| text::fit(cell, *width));
        cells.collect::<Vec<_>>().join("  ")
    };
    lines.push(Line::styled(text::fit(&format!("    {}", drawn(&head)), width), theme.faint()));
    let room = usize::from(area.height).saturating_sub(lines.len());
    let first = first_row(screen.cursor, room, rows.len());
    for (index, (row, cells)) in rows.iter().zip(&cells).enumerate().skip(first).take(room) {
        let is_chosen = index == screen.cursor;
        let is_changed =
            matches!(row, TableRow::Attribute(attribute) if screen.changed.contains(&attribute.name));
        let style = match (is_chosen, row) {
            (true, _) => theme.selected(),
            (false, TableRow::Other(..)) => theme.faint(),
            (false, TableRow::Attribute(_)) => Style::new(),
        };
        lines.push(Line::from(vec![
            Span::raw(cursor(is_chosen, true)),
            Span::styled(if is_changed { "● " } else { "  " }, theme.accent()),
            Span::styled(text::fit(&drawn(cells), width.saturating_sub(4)), style),
        ]));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..rows.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), area);
}

/// The cells of a row: a mark if a question is open, then the proposal.
fn cells(screen: &ProposalScreen, row: TableRow, has_readings: bool) -> Vec<String> {
    let [column, public, role, values, read, hierarchy] = all_cells(screen, row);
    if has_readings {
        return vec![column, public, role, values, read, hierarchy];
    }
    let values = if read.is_empty() { values } else { format!("{values} *") };
    vec![column, public, role, values, hierarchy]
}

fn all_cells(screen: &ProposalScreen, row: TableRow) -> [String; 6] {
    match row {
        TableRow::Attribute(attribute) => {
            let is_quasi = attribute.role == Role::Quasi;
            let about = |name: &Option<String>| name.as_deref() == Some(attribute.name.as_str());
            let open = screen.open().iter().find(|open| about(&open.attribute));
            let mark = open.map_or("", |open| if open.is_asked() { " ?" } else { " !" });
            let (public, private) = (&attribute.readings.0, &attribute.readings.1);
            let read = if public.is_plain() && private.is_plain() {
                String::new()
            } else if public == private {
                public.describe()
            } else {
                let both =
                    [("P", public), ("T", private)].into_iter().filter(|(_, reading)| !reading.is_plain());
                both.map(|(table, reading)| format!("{table}: {}", reading.describe()))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            [
                format!("{}{mark}", attribute.name),
                attribute.public_column.clone().unwrap_or_else(|| "–".to_owned()),
                attribute.role.as_str().to_owned(),
                if is_quasi { attribute.kind.as_str().to_owned() } else { String::new() },
                read,
                attribute.hierarchy.as_ref().map_or_else(String::new, |found| found.source.brief()),
            ]
        }
        TableRow::Other(name, _) => {
            let proposal = screen.shown.as_ref().map(|shown| &shown.proposal);
            let is = |column: Option<&String>| column.is_some_and(|column| column == name);
            let role = if is(proposal.and_then(|proposal| proposal.count.as_ref())) {
                "counts people"
            } else if is(proposal.and_then(|proposal| proposal.member.as_ref())) {
                "members of T"
            } else {
                "not used"
            };
            let [column, public, role] = ["–", name, role].map(str::to_owned);
            [column, public, role, String::new(), String::new(), String::new()]
        }
    }
}

//! The comparison: a column a candidate, the base at the left, and below it the difference to the base in words.
//!
//! ```text
//!                    ▸node 3,2,2 (base)    spalm                n2
//!  verdict           ✗ 12 classes          ✓ δ-present          ✓ δ-present
//!  loss              .274 ████████░░░░     .340 ██████████░░    .241 ███████░░░░░ ★
//! ```

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::difference::Difference;
use super::rows::{self as comparison, Column};
use super::state::Compare;
use crate::tui::kit::hits::Target;
use crate::tui::kit::layout::MIDDLE;
use crate::tui::kit::page::Page;
use crate::tui::kit::rule::rule;
use crate::tui::kit::theme::Theme;
use crate::tui::kit::{bar, text};
use crate::tui::shared::screen::Sight;
use crate::tui::shared::state::place_in;
use crate::tui::shared::view::place_name;

/// The column of the rows' names.
const NAMES: usize = 19;
/// A candidate's column is no narrower, and no wider.
const COLUMN: std::ops::RangeInclusive<usize> = 20..=36;

/// Draws the screen.
pub(crate) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Compare>) {
    let candidates = sight.shared.candidates();
    if candidates.is_empty() {
        page.render_widget(Line::styled(" nothing is counted yet", theme.faint()), area);
        return;
    }
    let (base, cursor) = (
        place_in(&candidates, sight.shared.base.as_ref()),
        place_in(&candidates, sight.own.pointed.as_ref()),
    );
    let columns: Vec<Column> = candidates
        .into_iter()
        .map(|candidate| Column {
            name: place_name(&candidate.place, sight.shared.delta()),
            broken: candidate.measured.broken(sight.shared.problem.policy()),
            candidate,
        })
        .collect();
    // Where there is room, what moved is shown in numbers too.
    let quasi = u16::try_from(sight.shared.problem.quasi().len()).unwrap_or(u16::MAX);
    let below = if area.height >= 34 { 10_u16.saturating_add(quasi) } else { 4 };
    let [table, words] = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).areas(area);
    render_table(page, table, theme, sight, &columns, cursor, base);
    let width = usize::from(words.width);
    let (chosen, base) = (&columns[cursor], &columns[base]);
    let mut lines = Vec::new();
    let remark = format!("{} sets the base", sight.shared.key("compare.base"));
    if std::ptr::eq(chosen, base) {
        lines.push(rule(theme, &format!("{}, the base", chosen.name), &remark, width, false));
        let (left, right) = (sight.shared.key("compare.left"), sight.shared.key("compare.right"));
        let set = sight.shared.key("compare.base");
        let said =
            format!(" {left} and {right} choose what to compare with it; {set} makes another one the base");
        lines.push(Line::raw(text::fit(&said, width)));
    } else {
        let heading = format!("{} against {}, the base", chosen.name, base.name);
        lines.push(rule(theme, &heading, &remark, width, false));
        let pair = sight.own.pair(sight.shared);
        let known = sight.own.difference.as_ref().filter(|known| Some(&known.0) == pair.as_ref());
        match known {
            None => lines.push(match sight.own.differences.failure() {
                Some(why) => Line::styled(text::fit(&format!(" not compared: {why}"), width), theme.bad()),
                None => Line::styled(" counting …", theme.faint()),
            }),
            Some(known) => lines.extend(difference_lines(theme, sight, &known.1, width)),
        }
    }
    page.render_widget(Paragraph::new(lines), words);
}

/// The difference in words, then in numbers, as far as there is room.
fn difference_lines(
    theme: Theme,
    sight: Sight<'_, Compare>,
    difference: &Difference,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> =
        difference.words.iter().map(|line| Line::raw(text::fit(&format!(" {line}"), width))).collect();
    lines.push(Line::raw(""));
    let all: u64 = difference.moved.iter().sum();
    let bars = if width >= usize::from(MIDDLE) { 40 } else { 20 };
    for (name, people) in ["finer detail", "the same", "coarser"].iter().zip(difference.moved) {
        let share = bar::ratio(people, all);
        let said = format!(
            " {name:<17} {:>9} {:>4.0} %  {}",
            text::count(people),
            100.0 * share,
            bar::share(share, bars)
        );
        lines.push(Line::raw(text::fit(&said, width)));
    }
    lines.push(Line::styled(text::fit(" loss of            base    this", width), theme.faint()));
    for (quasi, (before, after)) in sight.shared.problem.quasi().iter().zip(&difference.losses) {
        let (mark, style) = match after.total_cmp(before) {
            std::cmp::Ordering::Less => ("▼ finer", theme.good()),
            std::cmp::Ordering::Equal => ("", Style::new()),
            std::cmp::Ordering::Greater => ("▲ coarser", theme.warning()),
        };
        let said = format!(
            " {}{:>7} {:>7}  {mark}",
            text::fit(&quasi.name, 17),
            text::loss(*before),
            text::loss(*after)
        );
        lines.push(Line::styled(text::fit(&said, width), style));
    }
    lines
}

fn render_table(
    page: &mut Page,
    area: Rect,
    theme: Theme,
    sight: Sight<'_, Compare>,
    candidates: &[Column],
    cursor: usize,
    base: usize,
) {
    let width = usize::from(area.width);
    let room = width.saturating_sub(NAMES);
    let fitting = (room / COLUMN.start()).clamp(1, candidates.len().max(1));
    let column = (room / fitting).clamp(*COLUMN.start(), *COLUMN.end());
    // The base stands at the left; the others pass by it, as many as there is room for.
    let others: Vec<usize> = (0..candidates.len()).filter(|place| *place != base).collect();
    let at = others.iter().position(|place| *place == cursor).unwrap_or(0);
    let room = fitting.saturating_sub(1);
    let first = crate::tui::kit::layout::first_row(at, room, others.len());
    let window = others.iter().copied().skip(first).take(room);
    let shown: Vec<usize> = std::iter::once(base).chain(window).collect();
    let rows = rows(theme, sight, candidates, &shown, column);
    let height = usize::from(area.height).saturating_sub(2);
    let above = sight.own.row.min(rows.len().saturating_sub(height));
    let hidden = rows.len().saturating_sub(above + height);
    let remark = match candidates.len() {
        1 => {
            let (searches, pin) = (sight.shared.key("searches"), sight.shared.key("workbench.pin"));
            format!("only this node yet: {searches} runs searches, {pin} pins nodes")
        }
        count if shown.len() == count => format!("{count} candidates"),
        count => format!(
            "{} of {count} candidates: {} and {}",
            shown.len(),
            sight.shared.key("compare.left"),
            sight.shared.key("compare.right")
        ),
    };
    let scrolls = format!("{} and {}", sight.shared.key("down"), sight.shared.key("up"));
    let more = match hidden {
        0 if above == 0 => String::new(),
        0 => format!("{scrolls}: more above · "),
        hidden => format!("{} below: {scrolls} · ", text::counted(hidden, "row", "rows")),
    };
    let forms = [format!("{more}{remark}"), format!("{more}{} candidates", candidates.len()), remark];
    let remark = text::longest_that_fits(&forms, width.saturating_sub(16));
    let mut lines = vec![rule(theme, "compare", &remark, width, false)];
    lines.push(heading(theme, cursor, base, candidates, &shown, column));
    lines.extend(rows.into_iter().skip(above));
    for (nth, &place) in (0..).zip(&shown) {
        let x = area.x + u16::try_from(NAMES + nth * column).unwrap_or(u16::MAX);
        let part = Rect { x, width: u16::try_from(column).unwrap_or(u16::MAX), ..area }.intersection(area);
        page.hits.note(part, Target::Column(place));
    }
    page.render_widget(Paragraph::new(lines), area);
}

fn heading(
    theme: Theme,
    cursor: usize,
    base: usize,
    all: &[Column],
    shown: &[usize],
    column: usize,
) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(NAMES))];
    for (place, candidate) in shown.iter().map(|&place| (place, &all[place])) {
        let mark = if place == cursor { "▸" } else { " " };
        let is_base = if place == base { " (base)" } else { "" };
        let style = if place == cursor { theme.selected() } else { theme.strong() };
        let short = candidate.name.trim_start_matches("node ").to_owned();
        let room = column - 2 - is_base.len();
        let name = text::longest_that_fits(&[candidate.name.clone(), short], room);
        let name = text::fit(&name, text::width(&name).min(room));
        spans.push(Span::styled(text::fit(&format!("{mark}{name}{is_base}"), column - 1), style));
        spans.push(Span::raw(" "));
    }
    Line::from(spans)
}

/// The rows, each with its name and a cell a candidate.
fn rows(
    theme: Theme,
    sight: Sight<'_, Compare>,
    all: &[Column],
    shown: &[usize],
    column: usize,
) -> Vec<Line<'static>> {
    let line = |name: &str, cells: Vec<(String, Style)>| {
        let mut spans = vec![Span::styled(text::fit(&format!(" {name}"), NAMES), theme.faint())];
        for (said, style) in cells {
            spans.push(Span::styled(text::fit(&format!(" {said}"), column), style));
        }
        Line::from(spans)
    };
    let rows = comparison::rows(theme, sight.shared, all, column - 1);
    let cells = |row: &comparison::Row| shown.iter().map(|&place| (row.cell)(&all[place])).collect();
    rows.iter().map(|row| line(&row.name, cells(row))).collect()
}

//! The comparison: a row per candidate, the best first, and below them the difference to the base
//! in words.
//!
//! ```text
//!   release            δ  knows   ↓loss   Δloss  released   size  discern.   highest   seconds
//! ▸ best               ✓      ?    .054★   base       649   1.2★    1,020     0.1000      9.98
//!   simulatable ◈      ✓      ✓    .173   +.118       305   2.6    28,930     0.1000      0.25
//! ```

use palmtop_search::Strategy;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::difference::Difference;
use super::rows::{self as comparison, Row};
use super::state::Compare;
use crate::kit::hits::Target;
use crate::kit::layout::{MIDDLE, first_row};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::bound::Known;
use crate::shared::screen::Sight;
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;

/// Draws the screen.
pub(crate) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Compare>) {
    let candidates = sight.screen.ordered(sight.shared);
    if candidates.is_empty() {
        page.render_widget(Line::styled(" no figures yet", theme.faint()), area);
        return;
    }
    let (base, cursor) = (
        sight.screen.row_of(sight.shared, sight.shared.base.as_ref()),
        sight.screen.row_of(sight.shared, sight.screen.pointed.as_ref()),
    );
    let columns: Vec<Row> = candidates
        .into_iter()
        .map(|candidate| Row {
            name: recipe_name(&candidate.recipe, sight.shared.delta()),
            broken: candidate.measured.broken(sight.shared.problem.policy()),
            knows: comparison::knows_algorithm(sight.shared, &candidate),
            utility: sight.screen.utility_of(&candidate),
            candidate,
        })
        .collect();
    // If room is left, numbers show the changes too.
    let quasi = u16::try_from(sight.shared.problem.quasi().len()).unwrap_or(u16::MAX);
    let below = if area.height >= 34 { 10_u16.saturating_add(quasi) } else { 4 };
    let [table, note, words] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(below)]).areas(area);
    page.render_widget(note_line(theme, sight.shared, usize::from(note.width)), note);
    render_table(page, table, theme, sight, &columns, cursor, base);
    let width = usize::from(words.width);
    let (chosen, base) = (&columns[cursor], &columns[base]);
    let mut lines = Vec::new();
    let remark = format!("{} sets the base", sight.shared.key("compare.base"));
    if std::ptr::eq(chosen, base) {
        lines.push(rule(theme, &format!("{}, the base", chosen.name), &remark, width, false));
        let (left, right) = (sight.shared.key("down"), sight.shared.key("up"));
        let set = sight.shared.key("compare.base");
        let sentence = format!(" {left} and {right} select a release to compare; {set} makes it the base");
        lines.push(Line::raw(text::fit(&sentence, width)));
    } else {
        let heading = format!("{} against {}, the base", chosen.name, base.name);
        lines.push(rule(theme, &heading, &remark, width, false));
        let pair = sight.screen.pair(sight.shared);
        let known = sight.screen.difference.as_ref().filter(|known| Some(&known.0) == pair.as_ref());
        match known {
            None => lines.push(match sight.screen.differences.failure() {
                Some(why) => Line::styled(text::fit(&format!(" not compared: {why}"), width), theme.bad()),
                None => Line::styled(" counting …", theme.faint()),
            }),
            Some(known) => lines.extend(difference_lines(theme, sight, &known.1, width)),
        }
    }
    page.render_widget(Paragraph::new(lines), words);
}

/// The recommendation, and the warning that choosing by loss is a choice made from T.
fn note_line(theme: Theme, shared: &Shared, width: usize) -> Line<'static> {
    let of_people = [
        " No search for people with several rows keeps δ against an attacker who knows it. Choosing by loss (★) leaks information about T.",
        " Choosing by loss (★) leaks information about T: choose before you compare.",
        " Choosing by loss (★) leaks information about T.",
    ];
    let recommended = [
        " ◈ recommended: δ holds even if an attacker knows the algorithm. Choosing by loss (★) leaks information about T: choose the strategy before you compare.",
        " ◈ recommended (knows ✓). Choosing by loss leaks: choose before you compare.",
        " ◈ recommended. Choosing by loss (★) leaks information about T.",
    ];
    let has_recommended = shared.why_refused(Strategy::RECOMMENDED).is_none();
    let forms = if has_recommended { recommended } else { of_people };
    let sentence = text::longest_that_fits(&forms.map(ToOwned::to_owned), width);
    Line::styled(text::fit(&sentence, width), theme.faint())
}

/// The difference in words, then in numbers as far as they fit.
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
        let sentence = format!(
            " {name:<17} {:>9} {:>4.0} %  {}",
            text::count(people),
            100.0 * share,
            bar::share(share, bars)
        );
        lines.push(Line::raw(text::fit(&sentence, width)));
    }
    lines.push(Line::styled(text::fit(" loss of            base    this", width), theme.faint()));
    for (quasi, (before, after)) in sight.shared.problem.quasi().iter().zip(&difference.losses) {
        let (mark, style) = match after.total_cmp(before) {
            std::cmp::Ordering::Less => ("▼ finer", theme.good()),
            std::cmp::Ordering::Equal => ("", Style::new()),
            std::cmp::Ordering::Greater => ("▲ coarser", theme.warning()),
        };
        let sentence = format!(
            " {}{:>7} {:>7}  {mark}",
            text::fit(&quasi.name, 17),
            text::loss(*before),
            text::loss(*after)
        );
        lines.push(Line::styled(text::fit(&sentence, width), style));
    }
    lines
}

fn render_table(
    page: &mut Page,
    area: Rect,
    theme: Theme,
    sight: Sight<'_, Compare>,
    rows: &[Row],
    cursor: usize,
    base: usize,
) {
    let width = usize::from(area.width);
    let height = usize::from(area.height).saturating_sub(2);
    let first = first_row(cursor, height, rows.len());
    let end = (first + height).min(rows.len());
    let remark = match rows.len() {
        1 => {
            let (searches, pin) = (sight.shared.key("searches"), sight.shared.key("workbench.pin"));
            let (least, sentence) =
                (least(sight.shared), format!("only this node so far: {searches} runs searches"));
            let forms =
                [format!("{least}{sentence}, {pin} pins nodes"), format!("{least}{sentence}"), sentence];
            text::longest_that_fits(&forms, width.saturating_sub(16))
        }
        count => {
            let keys = format!("{} {}", sight.shared.key("compare.left"), sight.shared.key("compare.right"));
            // The heading shows that more candidates exist than fit.
            let count = match end - first {
                shown if shown < count => format!("{} to {end} of {count}", first + 1),
                _ => count.to_string(),
            };
            let forms = [
                format!("{}{count} candidates · {keys} sort", least(sight.shared)),
                format!("{}{count} candidates", least(sight.shared)),
                format!("{count} candidates"),
            ];
            text::longest_that_fits(&forms, width.saturating_sub(16))
        }
    };
    let mut lines = vec![rule(theme, "compare", &remark, width, false)];
    let title = |row: &Row| format!("{}{}", row.name, if row.is_recommended() { " ◈" } else { "" });
    let names = rows.iter().map(|row| text::width(&title(row))).max().unwrap_or(0).clamp(8, 22);
    let all = comparison::columns(sight.shared, rows, sight.screen.sort, base);
    let (shown, room) = comparison::fitting(&all, width.saturating_sub(2 + names));
    let cell = |column: &comparison::Column, shown: &str| {
        let shown = if column.is_number {
            text::right(shown, column.width())
        } else {
            text::fit(shown, column.width())
        };
        format!("  {shown}")
    };
    let more = if shown.len() < all.len() && room > 0 { "▸" } else { "" };
    let heading: String = shown.iter().map(|column| cell(column, &column.head)).collect();
    let heading = format!("{heading}{more}");
    lines.push(Line::styled(format!("  {}{heading}", text::fit("release", names)), theme.faint()));
    for (index, row) in rows.iter().enumerate().skip(first).take(height) {
        let verdict = if row.broken == 0 { theme.good() } else { theme.bad() };
        let style = if index == cursor { theme.selected() } else { theme.strong() };
        let mut spans = vec![
            Span::raw(if index == cursor { "▸ " } else { "  " }),
            Span::styled(text::fit(&title(row), names), style),
        ];
        spans.extend(shown.iter().enumerate().map(|(nth, column)| {
            Span::styled(cell(column, &column.cells[index]), if nth == 0 { verdict } else { Style::new() })
        }));
        lines.push(Line::from(spans));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..rows.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), area);
}

/// The least possible loss of a release that keeps δ, if it is known.
fn least(shared: &Shared) -> String {
    match shared.bound.known() {
        Known::Unasked | Known::Counted(None) => String::new(),
        Known::Counting => "least possible … · ".to_owned(),
        Known::Broken => "least possible: not counted · ".to_owned(),
        Known::Refused => "least possible: computed for rows only · ".to_owned(),
        Known::Counted(Some(bound)) => format!("least possible {} · ", text::loss(bound)),
    }
}

//! The comparison: rows are measures, columns at most four releases. The base is first; each other one has the difference
//! beside its figure, and ★ marks the best.

use palmtop_release::figures::Better;
use ratatui::text::{Line, Span};

use super::columns::{Measure, by_attribute};
use super::set::ColumnSet;
use super::state::Releases;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::screen::Sight;
use crate::shared::state::Shared;
use crate::shared::view::{Candidate, short_name};

/// A row: a measure of each release.
pub(super) fn rows(screen: &Releases, shared: &Shared, compared: &[Candidate]) -> Vec<Vec<Measure>> {
    let of_each = compared.iter().map(|candidate| {
        let measures = screen.measures(shared, candidate, screen.set);
        let (rare, usual): (Vec<_>, Vec<_>) = measures.into_iter().partition(|measure| measure.is_rare);
        let attributes = match screen.set {
            ColumnSet::Loss => by_attribute(shared, candidate),
            ColumnSet::Risk | ColumnSet::Utility => Vec::new(),
        };
        usual.into_iter().chain(attributes).chain(rare).collect::<Vec<_>>()
    });
    let of_each: Vec<Vec<Measure>> = of_each.collect();
    let count = of_each.iter().map(Vec::len).min().unwrap_or(0);
    (0..count).map(|row| of_each.iter().map(|measures| measures[row].clone()).collect()).collect()
}

/// The best value of a row among the releases that keep δ; none if all of them have the same.
pub(super) fn best<'a>(measures: impl Iterator<Item = (&'a Measure, bool)>) -> Option<f64> {
    let mut better = Better::Neither;
    let mut is_waiting = false;
    let values: Vec<f64> = measures
        .filter_map(|(measure, keeps)| {
            better = measure.better;
            is_waiting |= keeps && measure.text == "…";
            measure.value.filter(|_| keeps)
        })
        .collect();
    match better {
        // Nothing is the best before all are measured.
        _ if is_waiting => None,
        _ if values.iter().all(|value| value.total_cmp(&values[0]).is_eq()) => None,
        Better::Less => values.into_iter().reduce(f64::min),
        Better::More => values.into_iter().reduce(f64::max),
        Better::Neither => None,
    }
}

/// The lines of the pane.
pub(super) fn lines(
    theme: Theme,
    sight: Sight<'_, Releases>,
    compared: &[Candidate],
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    let Sight { shared, screen } = sight;
    if height == 0 || compared.is_empty() {
        return Vec::new();
    }
    let [pin, base] = ["releases.pin", "releases.base"].map(|id| shared.key(id));
    let remark = format!("{pin} pins, {base} base · choosing by loss leaks");
    let mut lines = vec![rule(theme, "compared", &remark, width, false)];
    let rows = rows(screen, shared, compared);
    let heads = rows.iter().filter_map(|row| row.first()).map(|measure| text::width(&measure.head));
    let heads = heads.max().unwrap_or(0).clamp(6, 16);
    let each = (width.saturating_sub(heads + 1) / compared.len()).clamp(8, 26);
    let keeps: Vec<bool> =
        compared.iter().map(|candidate| candidate.measured.broken(shared.problem.policy()) == 0).collect();
    let (figure, difference) = (9.min(each - 1), each.saturating_sub(11));
    let mut heading = format!(" {}", " ".repeat(heads));
    for candidate in compared {
        let name = short_name(&candidate.recipe, shared.delta());
        let name = if text::width(&name) <= figure {
            text::right(&name, figure)
        } else {
            text::fit(&name, each - 1)
        };
        heading.push_str(&text::fit(&format!("{name} "), each));
    }
    lines.push(Line::styled(text::fit(heading.trim_end(), width), theme.strong()));
    for row in rows {
        let best = best(row.iter().zip(keeps.iter().copied()));
        let Some(first) = row.first() else { continue };
        let mut spans = vec![Span::styled(format!(" {}", text::fit(&first.head, heads)), theme.faint())];
        for (index, measure) in row.iter().enumerate() {
            let is_best = keeps[index] && best.is_some() && measure.value == best;
            spans.push(Span::raw(text::right(&measure.text, figure)));
            spans.push(Span::raw(if is_best { "★" } else { " " }));
            let change = if index == 0 { String::new() } else { measure.difference(first) };
            let style = match measure.is_improved(first) {
                Some(true) => theme.good(),
                Some(false) => theme.warning(),
                None => theme.faint(),
            };
            let room = each.saturating_sub(figure + 1);
            // A difference that does not fit in full is left out.
            let change = if text::width(&change) <= difference.max(room.saturating_sub(1)) {
                change
            } else {
                String::new()
            };
            spans.push(Span::styled(text::fit(&change, room), style));
        }
        lines.push(Line::from(spans));
    }
    lines.truncate(height);
    lines
}

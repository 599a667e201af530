//! The loss of releases: the table of runs, its notes, and its chart.

use palmtop::metrics::Metric;
use palmtop::model::{Delta, Presence};
use palmtop::pipeline::{Analysis, Found};
use palmtop::search::Strategy;
use palmtop::svg::{Bar, bars};
use unicode_width::UnicodeWidthStr;

use palmtop::chart::{Bound, Drawn, LOSS_AXIS, Numbers, loss_axis};
use palmtop_console::output;
use palmtop_console::result::{RunResult, comparison};
use palmtop_console::say;

/// The table for people: best first for each δ, with as many columns as fit.
pub(super) fn text(runs: &[RunResult], metric: Metric) -> String {
    let mut sorted = runs.to_vec();
    for of_one_delta in sorted.chunk_by_mut(|left, right| left.delta() == right.delta()) {
        of_one_delta.sort_by(RunResult::compare);
    }
    // All runs have one δmin. δmax needs several values, and two columns need their metric.
    let mut left_out = Vec::new();
    if sorted.first().map(|run| &run.delta().max) == sorted.last().map(|run| &run.delta().max) {
        left_out.push("delta_max");
    }
    let of_metrics = [(Metric::LossGeometric, "loss_geometric"), (Metric::Readable, "readable")];
    left_out.extend(of_metrics.into_iter().filter(|of| of.0 != metric).map(|of| of.1));
    let table = comparison(&sorted);
    let narrowed = |count| output::to_table(&table.for_people(&left_out, count));
    let fits = |text: &String| text.lines().all(|line| line.width() <= WIDTH);
    let most = table.optional();
    (0..most).map(narrowed).find(fits).unwrap_or_else(|| narrowed(most))
}

/// The notes below the table.
pub(super) fn say_notes(analysis: &Analysis, strategies: &[Strategy], runs: &[RunResult]) {
    if runs.iter().any(RunResult::has_open_caution) {
        say::message(SEVERE);
    }
    say::message(match analysis.entity() {
        Some(_) => NOT_AUDITED_PEOPLE,
        None if strategies.iter().any(|strategy| strategy.family().is_simulatable()) => CHOICE,
        None => NOT_AUDITED,
    });
    if analysis.entity().is_some() {
        say::message(UNITS);
    }
    if let Some(hard) = hard_to_read(runs) {
        say::message(&hard);
    }
}

/// The message about releases that are hard to read; `None` without such a release.
fn hard_to_read(runs: &[RunResult]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for run in runs.iter().filter(|run| run.is_hard_to_read()) {
        if !names.contains(&run.strategy()) {
            names.push(run.strategy());
        }
    }
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(format!(
        "hard to read: {names}: a cell has more than 5 terms on average (labels, values, ranges and exceptions); `terms = 3` \
         under an attribute of the project sets a limit"
    ))
}

/// The release of `best` under a stricter δ, if it is better than this one: it also keeps the
/// looser δ. Other strategies follow fixed rules, so their releases are not replaced.
pub(super) fn better_from_stricter<'a>(
    found: &'a [(Delta, Strategy, Found)],
    delta: Delta,
    strategy: Strategy,
    searched: &'a Found,
    metric: Metric,
) -> (Option<Delta>, &'a Found) {
    let value =
        |found: &Found| found.release.as_ref().map_or(f64::INFINITY, |found| found.metrics.value(metric));
    let mut best = (None, searched);
    if !strategy.family().draws() {
        return best;
    }
    for (stricter, of, other) in found {
        let is_stricter = stricter.min() >= delta.min() && stricter.max() <= delta.max();
        if *of == strategy && is_stricter && value(other) < value(best.1) {
            best = (Some(*stricter), other);
        }
    }
    best
}

/// The runs as a chart. For one δmax, a bar for each run, best first; for several, the loss of each
/// strategy over δmax.
pub(super) fn drawn(
    project: &str,
    strategies: &[Strategy],
    runs: &[RunResult],
    metric: Metric,
) -> anyhow::Result<String> {
    let by_delta: Vec<&[RunResult]> = runs.chunk_by(|left, right| left.delta() == right.delta()).collect();
    if let [only] = by_delta.as_slice() {
        let mut sorted = only.to_vec();
        sorted.sort_by(RunResult::compare);
        let bar = |run: &RunResult| Bar {
            name: run.strategy().to_owned(),
            value: run.cost(),
            note: match run.verdict() {
                "present" => "satisfies the policy".to_owned(),
                "not present" => "breaks the policy".to_owned(),
                why => format!("none found: {why}"),
            },
            is_broken: !run.is_present(),
        };
        let measured = match metric {
            Metric::Loss => "loss: the mean of the attributes' losses, 0 as loaded, 1 everything *",
            Metric::LossGeometric => "geometric loss: 0 as loaded, 1 everything *",
            Metric::Discernibility => "discernibility: members squared, summed over classes",
            Metric::Readable => "readable: the loss, and 0.01 for each term of a cell beyond the first",
        };
        let delta = &sorted.first().map(|run| run.delta().clone());
        let delta =
            delta.as_ref().map_or_else(String::new, |delta| format!(", δ {} to {}", delta.min, delta.max));
        return Ok(bars(
            "compare",
            (&format!("{project}{delta}"), measured),
            &sorted.iter().map(bar).collect::<Vec<_>>(),
        ));
    }
    let column = |&strategy: &Strategy| {
        let name = strategy.to_string();
        let loss =
            |runs: &&[RunResult]| runs.iter().find(|run| run.strategy() == name).and_then(RunResult::loss);
        (strategy, by_delta.iter().map(loss).collect())
    };
    let deltas: Vec<Delta> = by_delta
        .iter()
        .filter_map(|runs| runs.first())
        .map(|run| Delta::read(&run.delta().min, &run.delta().max))
        .collect::<Result<_, _>>()?;
    let lines: Vec<Numbers<Strategy>> = strategies.iter().map(column).collect();
    let losses = lines.iter().flat_map(|(_, losses)| losses).flatten().copied();
    let chart = Drawn {
        measure: "Loss",
        upright: loss_axis(losses).map(|axis| (axis, LOSS_AXIS)),
        bound: Bound::Max,
        held: deltas.first().map_or(Presence::ZERO, |delta| delta.min()),
        values: &deltas.iter().map(|delta| delta.max()).collect::<Vec<_>>(),
        lines,
        subtitle: project.to_owned(),
    };
    Ok(chart.svg())
}

/// The widest line of the table for people.
const WIDTH: usize = 80;

/// The note on choosing a release if `simulatable` was not run: no run is exact against an attacker
/// who knows palmtop.
const NOT_AUDITED: &str = "not audited against an attacker who knows palmtop: only --strategy simulatable is exact there. Choosing a release by its \
                           loss leaks information about T: pick the strategy before you compare";

/// The same note if people have several rows, for whom no search is exact.
const NOT_AUDITED_PEOPLE: &str = "not audited against an attacker who knows palmtop; `palmtop audit` judges one search. Choosing a release \
                                  by its loss leaks information about T: pick the strategy before you compare";

/// The units of the columns if people have several rows.
const UNITS: &str = "people have several rows: presence, classes and discernibility (DM) count people; loss, query error and distance \
                     count rows";

/// The meaning of the mark `!`.
const SEVERE: &str = "a strategy with `!` has a severe caution, which has to be answered before an export: --format json names it";

/// The note on choosing a release from the comparison, if `simulatable` was run.
const CHOICE: &str = "exact: δ holds even against an attacker who knows palmtop; the others are not audited. Choosing a release by its loss leaks \
                      information about T: pick the strategy before you compare";

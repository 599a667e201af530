//! `compare`: runs several strategies under several δmax, with one result line for each.

use palmtop::caution::ReleaseFile;
use palmtop::metrics::Metric;
use palmtop::model::{Delta, Presence};
use palmtop::pipeline::{self, Found, Overrides};
use palmtop::release::{KnowsAlgorithm, Release};
use palmtop::search::Strategy;
use palmtop::svg::{Bar, bars};
use palmtop::utility::Workload;
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use super::args::CompareArguments;
use super::cautions;
use super::drawing::Drawing;
use super::load::{self, Plan};
use palmtop_chart::{Bound, Drawn, Measure};
use palmtop_console::format::Format;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::result::{OutsiderCounts, RunFacts, RunResult, compared_columns};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

pub(super) fn run(arguments: &CompareArguments) -> anyhow::Result<Status> {
    let overrides =
        Overrides { delta_min: arguments.delta_min, delta_max: arguments.delta_max.first().copied() };
    let (analysis, _file) = load::analysis(&arguments.project, &overrides)?;
    let drawing = Drawing::claim(&arguments.chart, &analysis)?;
    let strategies: Vec<Strategy> = if arguments.strategies.is_empty() {
        Strategy::all().collect()
    } else {
        arguments.strategies.clone()
    };
    let project_delta = analysis.problem().delta();
    let maxima =
        if arguments.delta_max.is_empty() { vec![project_delta.max()] } else { arguments.delta_max.clone() };
    let mut deltas: Vec<Delta> = maxima
        .into_iter()
        .map(|max| Delta::new(project_delta.min(), max))
        .collect::<Result<_, _>>()
        .map_err(|error| Usage(error.to_string()))?;
    // Strictest δ first: a run under a looser δ can then reuse an earlier release.
    deltas.sort_by_key(|delta| delta.max());
    let plan = Plan::of(&arguments.search, &strategies)?;
    let basis = pipeline::utility::basis(&analysis, plan.config.seed, Workload::QUERIES)?;
    let judging = cautions::Basis::of(&analysis, ReleaseFile::default())?;
    let mut found: Vec<(Delta, Strategy, Found)> = Vec::new();
    let mut runs = Vec::new();
    let (mut search_seconds, mut bound_seconds) = (0.0, None);
    for delta in deltas {
        let problem = analysis.problem().with_delta(delta);
        let bound = load::bound(&problem, arguments.bound, None);
        if let Some(seconds) = bound.seconds {
            bound_seconds = Some(bound_seconds.unwrap_or(0.0) + seconds);
        }
        for &strategy in &strategies {
            let own = load::search(&analysis, &problem, strategy, &plan, None);
            search_seconds += own.seconds + own.measuring_seconds;
            let (from, taken) = better_from_stricter(&found, delta, strategy, &own, plan.config.metric);
            let facts = RunFacts {
                metric: plan.config.metric,
                report: Some(taken.report),
                bound,
                seed: plan.config.seed,
                seconds: Some(own.seconds + own.measuring_seconds),
                load_seconds: analysis.load_seconds(),
                outsiders: OutsiderCounts::of(&analysis),
                entity: analysis.entity(),
            };
            // A release under a stricter δ also keeps this looser δ. It is judged again under this
            // one.
            let under_this = |release: &Release| {
                let (origin, recoding) = (release.origin.clone(), release.recoding.clone());
                Release::new(&problem, origin, recoding, release.search)
            };
            let release = if from.is_some() { taken.release.as_ref().map(under_this) } else { None };
            let release = release.as_ref().or(own.release.as_ref());
            let mut run = RunResult::new(strategy.to_string(), &problem, release, facts);
            if let Some(release) = release {
                run.note_utility(&analysis, &basis, release);
                let judged = judging.judge(&analysis, release, &[]);
                run.note_cautions(&judged.headline, &judged.cautions);
            }
            runs.push(match from {
                Some(stricter) => run.taken_from(stricter),
                None => run,
            });
            found.push((delta, strategy, own));
        }
    }
    if let Some(drawing) = drawing {
        drawing.put(&drawn(analysis.name(), &strategies, &runs, plan.config.metric)?)?;
    }
    let all_present = runs.iter().all(|run| run.present);
    match arguments.format {
        Format::Json => output::print_json(&json!({
            "runs": runs,
            "load_seconds": analysis.load_seconds(),
            "search_seconds": search_seconds,
            "bound_seconds": bound_seconds,
        }))?,
        Format::Csv => rows(&runs).print_csv()?,
        Format::Table => {
            output::print(&fitting(&runs, plan.config.metric))?;
            if runs.iter().any(RunResult::has_open_caution) {
                say::message(SEVERE);
            }
            let is_exact = strategies.contains(&Strategy::Simulatable);
            say::message(if is_exact { CHOICE } else { NOT_AUDITED });
        }
    }
    Ok(Status::of_presence(all_present))
}

/// The release of `best` under a stricter δ, if it is better than this one: it also keeps the
/// looser δ. Other strategies follow fixed rules, so their releases are not replaced.
fn better_from_stricter<'a>(
    found: &'a [(Delta, Strategy, Found)],
    delta: Delta,
    strategy: Strategy,
    own: &'a Found,
    metric: Metric,
) -> (Option<Delta>, &'a Found) {
    let value =
        |found: &Found| found.release.as_ref().map_or(f64::INFINITY, |found| found.metrics.value(metric));
    let mut best = (None, own);
    if !strategy.info().takes_rounds {
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
fn drawn(
    project: &str,
    strategies: &[Strategy],
    runs: &[RunResult],
    metric: Metric,
) -> anyhow::Result<String> {
    let by_delta: Vec<&[RunResult]> = runs.chunk_by(|left, right| left.delta == right.delta).collect();
    if let [only] = by_delta.as_slice() {
        let mut sorted = only.to_vec();
        sorted.sort_by(RunResult::compare);
        let bar = |run: &RunResult| Bar {
            name: run.strategy.clone(),
            value: run.cost(),
            note: match run.verdict() {
                "present" => "satisfies the policy".to_owned(),
                "not present" => "breaks the policy".to_owned(),
                why => format!("none found: {why}"),
            },
            is_broken: !run.present,
        };
        let measured = match metric {
            Metric::Loss => "loss: the mean of the attributes' losses, 0 as loaded, 1 everything *",
            Metric::LossGeometric => "geometric loss: 0 as loaded, 1 everything *",
            Metric::Discernibility => "discernibility: rows squared, summed over classes",
        };
        let delta = &sorted.first().map(|run| run.delta.clone());
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
            |runs: &&[RunResult]| runs.iter().find(|run| run.strategy == name).and_then(RunResult::loss);
        (strategy, by_delta.iter().map(loss).collect())
    };
    let deltas: Vec<Delta> = by_delta
        .iter()
        .filter_map(|runs| runs.first())
        .map(|run| Delta::read(&run.delta.min, &run.delta.max))
        .collect::<Result<_, _>>()?;
    let chart = Drawn {
        measure: Measure::Loss,
        bound: Bound::Max,
        held: deltas.first().map_or(Presence::ZERO, |delta| delta.min()),
        values: &deltas.iter().map(|delta| delta.max()).collect::<Vec<_>>(),
        lines: strategies.iter().map(column).collect(),
        subtitle: project.to_owned(),
    };
    Ok(chart.svg())
}

fn rows(runs: &[RunResult]) -> OutputRows {
    OutputRows {
        header: compared_columns(),
        lines: runs.iter().map(RunResult::cells).collect(),
        numbers_from: 5,
    }
}

/// The columns of the text table, in order, with their headings. They fit in 80 columns. `least`
/// and `most` are presences. CSV and JSON have all columns.
const FOR_PEOPLE: [(&str, &str); 19] = [
    ("strategy", "strategy"),
    ("delta_max", "δmax"),
    ("verdict", "verdict"),
    ("achieved_min", "least"),
    ("achieved_max", "most"),
    ("loss", "loss"),
    ("loss_geometric", "geometric"),
    ("query_error", "query"),
    ("distance", "distance"),
    ("discernibility", "DM"),
    ("released_classes", "classes"),
    ("k", "k"),
    ("bound", "bound"),
    ("seconds", "time"),
    ("node", "node"),
    ("criteria", "criteria"),
    ("suppressed", "withdrawn"),
    ("prior_beyond", "beyond"),
    ("prior_worst", "worst"),
];

/// The columns that are dropped first if a line is wider than `WIDTH`.
const IF_THERE_IS_ROOM: [&str; 2] = ["distance", "query_error"];
const WIDTH: usize = 80;

/// The text table, with as many columns as fit.
fn fitting(runs: &[RunResult], metric: Metric) -> String {
    let table = |left_out: usize| for_people(runs, metric, &IF_THERE_IS_ROOM[..left_out]).to_table();
    let fits = |table: &String| table.lines().all(|line| line.width() <= WIDTH);
    (0..IF_THERE_IS_ROOM.len()).map(table).find(fits).unwrap_or_else(|| table(IF_THERE_IS_ROOM.len()))
}

/// The note on choosing a release if `simulatable` was not run: no run is exact against an attacker
/// who knows palmtop.
const NOT_AUDITED: &str = "not audited against an attacker who knows palmtop: only --strategy simulatable is exact there. Choosing among several by what they lose tells \
                           something of T again: decide on one beforehand where that matters";

/// The meaning of the mark `!`.
const SEVERE: &str = "a strategy with `!` has a severe caution, which has to be answered before an export: --format json names it";

/// The note on choosing a release from the comparison, if `simulatable` was run.
const CHOICE: &str = "exact: δ holds even against an attacker who knows palmtop; the others are not audited. Choosing among several by what they lose tells \
                      something of T again: decide on one beforehand where that matters";

/// The text table: best first for each δ, with rounded numbers and without uninformative columns.
fn for_people(runs: &[RunResult], metric: Metric, left_out: &[&str]) -> OutputRows {
    let mut sorted = runs.to_vec();
    for of_one_delta in sorted.chunk_by_mut(|left, right| left.delta == right.delta) {
        of_one_delta.sort_by(RunResult::compare);
    }
    let mut rows = rows(&sorted);
    for (row, run) in rows.lines.iter_mut().zip(&sorted).filter(|(_, run)| run.has_open_caution()) {
        row[0] = format!("{} !", run.strategy);
    }
    let place_of = |name: &str| rows.header.iter().position(|own| own == name);
    if let (Some(verdict), Some(known)) = (place_of("verdict"), place_of("knows_algorithm")) {
        for row in &mut rows.lines {
            // `exact` implies that δ is kept, so it replaces the verdict.
            if row[known] == KnowsAlgorithm::Exact.as_str() {
                KnowsAlgorithm::Exact.as_str().clone_into(&mut row[verdict]);
            }
        }
    }
    // δmin is the same for all runs. The δmax column needs several values, and `loss_geometric`
    // needs to be the minimized metric.
    let maximum = |run: Option<&RunResult>| run.map(|run| run.delta.max.clone());
    let has_several = maximum(runs.first()) != maximum(runs.last());
    let is_wanted = |name: &str| match name {
        "delta_max" => has_several,
        "loss_geometric" => metric == Metric::LossGeometric,
        "suppressed" => runs.iter().any(RunResult::may_withdraw),
        name if left_out.contains(&name) => false,
        _ => true,
    };
    let wanted: Vec<&str> = FOR_PEOPLE.iter().map(|(name, _)| *name).filter(|name| is_wanted(name)).collect();
    rows.pick(&wanted);
    let is_measure = |name: &str| {
        name.starts_with("loss") || ["query_error", "distance", "bound", "prior_worst"].contains(&name)
    };
    for row in &mut rows.lines {
        for (name, text) in rows.header.iter().zip(row) {
            if let (true, Ok(value)) = (is_measure(name), text.parse()) {
                *text = output::short(value);
            }
        }
    }
    for name in &mut rows.header {
        if let Some((_, heading)) = FOR_PEOPLE.iter().find(|(own, _)| own == name) {
            *name = (*heading).to_owned();
        }
    }
    rows
}

//! Runs every strategy and every baseline under every δ of the sweeps.

use std::time::Instant;

use palmtop_core::model::{Delta, Problem, Suppression};
use palmtop_release::columns::{Column, Table};
use palmtop_release::pipeline::{Analysis, Found};
use palmtop_search::release::{Origin, Release};
use palmtop_search::{Config, Observer};
use serde_json::{Value, json};

use super::grid::{Cell, Grid};
use super::method::Method;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::progress::ProgressLine;
use palmtop_console::result::{Made, RunResult, Searched, comparison};
use palmtop_release::chart::Sweep;

/// The result of a method under a δ.
pub(super) struct Run {
    pub(super) method: Method,
    pub(super) delta: Delta,
    pub(super) cell: Option<Cell>,
    pub(super) result: RunResult,
    /// The k of a baseline.
    k: Option<u64>,
    seed: Option<u64>,
    stop: &'static str,
    seconds: f64,
}

/// The columns of `compare` that the table of all runs begins with.
const COMPARED: [&str; 16] = [
    "strategy",
    "delta_min",
    "delta_max",
    "verdict",
    "k",
    "node",
    "achieved_min",
    "achieved_max",
    "loss",
    "loss_geometric",
    "discernibility",
    "average_class_size",
    "precision",
    "classes",
    "released_classes",
    "rounds",
];

/// The column of the baselines.
const K: [Column<Run>; 1] = [Column::number("k", "the k of a baseline", |run| run.k.into())];

/// The columns after them.
const COLUMNS: [Column<Run>; 3] = [
    Column::number("seed", "the seed of a strategy that draws", |run| run.seed.into()),
    Column::text("stop", "why the search ended", |run| run.stop.into()),
    Column::number("seconds", "the seconds of the search", |run| format!("{:.6}", run.seconds).into()),
];

/// The table of all runs, a line each.
pub(super) fn table(runs: &[Run]) -> Table {
    let compared = comparison(runs.iter().map(|run| &run.result)).with_columns_of(Table::of(&K, runs));
    compared.pick(&COMPARED).with_columns_of(Table::of(&COLUMNS, runs))
}

impl Run {
    /// The run of `compare` as JSON, with the k of a baseline.
    pub(super) fn object(&self) -> Value {
        let mut object = json!(self.result);
        object["search"]["k"] = json!(self.k);
        object
    }
}

/// Runs the methods under each δ, sweep by sweep. A δ of both sweeps is run once. `None` if a
/// signal stopped it.
pub(super) fn run_all(
    analysis: &Analysis,
    deltas: &[Delta],
    methods: &[Method],
    config: &Config,
    interrupt: &Interrupt,
) -> Option<Vec<Run>> {
    let mut todo: Vec<(Delta, Method)> = Vec::new();
    for &delta in deltas {
        for &method in methods {
            if !todo.contains(&(delta, method)) {
                todo.push((delta, method));
            }
        }
    }
    let count = todo.len();
    let mut runs = Vec::with_capacity(count);
    for (index, (delta, method)) in todo.into_iter().enumerate() {
        let text = format!("{method}  δ {delta}  {} of {count}", index + 1);
        runs.push(run(analysis, delta, method, config, interrupt, &text));
        if interrupt.is_asked() {
            return None;
        }
    }
    Some(runs)
}

/// A search shorter than this many seconds is timed three times, because one measurement is
/// unreliable. The median counts.
const SHORT: f64 = 0.1;

fn run(
    analysis: &Analysis,
    delta: Delta,
    method: Method,
    config: &Config,
    interrupt: &Interrupt,
    text: &str,
) -> Run {
    let problem = analysis.problem().with_delta(delta).with_suppression(Suppression::NONE);
    let search = || {
        let mut progress = ProgressLine::start(text, None).with_interrupt(Some(interrupt.clone()));
        found(analysis, &problem, method, config, &mut |step| progress.observe(step))
    };
    let (Found { release, report, mut seconds, .. }, k) = search();
    if seconds < SHORT {
        let mut times = [seconds, search().0.seconds, search().0.seconds];
        times.sort_unstable_by(f64::total_cmp);
        seconds = times[1];
    }
    let present = release.as_ref().filter(|release| release.is_present());
    let cell = present.map(|release| Cell {
        k,
        loss: release.metrics.loss.mean(),
        discernibility: release.metrics.discernibility,
        seconds,
    });
    let search = Searched {
        metric: config.metric,
        seed: config.seed,
        report: Some(report),
        budget: None,
        seconds: Some(seconds),
    };
    let name = method.to_string();
    let result = RunResult::of(&Made::new(&name, analysis, &problem, release.as_ref(), search));
    let seed = method.draws().then_some(config.seed);
    Run { method, delta, cell, result, k, seed, stop: report.stop.as_str(), seconds }
}

/// Runs a method; a baseline has a k.
fn found(
    analysis: &Analysis,
    problem: &Problem,
    method: Method,
    config: &Config,
    observer: &mut Observer,
) -> (Found, Option<u64>) {
    let baseline = match method {
        Method::Strategy(strategy) => return (analysis.search(problem, strategy, config, observer), None),
        Method::Baseline(baseline) => baseline,
    };
    let started = Instant::now();
    let found = baseline.run(problem, config.metric, observer);
    let seconds = started.elapsed().as_secs_f64();
    let origin = Origin::Given(baseline.name());
    let report = found.report;
    let release = found.recoding.map(|recoding| Release::new(problem, origin, recoding, Some(report)));
    let measuring_seconds = started.elapsed().as_secs_f64() - seconds;
    (Found { release, report, seconds, measuring_seconds }, found.k)
}

/// Collects the numbers of one sweep.
pub(super) fn grid(sweep: &Sweep, deltas: &[Delta], methods: &[Method], runs: &[Run]) -> Grid {
    let cell = |method: Method, delta: Delta| {
        let run = runs.iter().find(|run| run.method == method && run.delta == delta);
        run.and_then(|run| run.cell)
    };
    let column = |&method: &Method| (method, deltas.iter().map(|&delta| cell(method, delta)).collect());
    Grid {
        bound: sweep.bound,
        held: sweep.held,
        values: sweep.values.clone(),
        columns: methods.iter().map(column).collect(),
    }
}

//! Runs every strategy under every δ of the sweeps.

use palmtop_core::model::{Delta, Suppression};
use palmtop_flow::columns::{Column, Table};
use palmtop_flow::pipeline::{Analysis, Found};
use palmtop_search::{Config, Strategy};

use super::grid::{Cell, Grid};
use palmtop_chart::Sweep;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::progress::ProgressLine;
use palmtop_console::result::{Bound, OutsiderCounts, RunFacts, RunResult, comparison};

/// The result of a strategy under a δ.
pub(super) struct Run {
    pub(super) strategy: Strategy,
    pub(super) delta: Delta,
    pub(super) cell: Option<Cell>,
    pub(super) result: RunResult,
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

/// The columns after them.
const COLUMNS: [Column<Run>; 3] = [
    Column::number("seed", "the seed of a strategy that draws", |run| run.seed.into()),
    Column::text("stop", "why the search ended", |run| run.stop.into()),
    Column::number("seconds", "the seconds of the search", |run| format!("{:.6}", run.seconds).into()),
];

/// The table of all runs, a line each.
pub(super) fn table(runs: &[Run]) -> Table {
    comparison(runs.iter().map(|run| &run.result)).pick(&COMPARED).with_columns_of(Table::of(&COLUMNS, runs))
}

/// Runs the strategies under each δ, sweep by sweep. A δ of both sweeps is run once. `None` if a
/// signal stopped it.
pub(super) fn run_all(
    analysis: &Analysis,
    deltas: &[Delta],
    strategies: &[Strategy],
    config: &Config,
    interrupt: &Interrupt,
) -> Option<Vec<Run>> {
    let mut todo: Vec<(Delta, Strategy)> = Vec::new();
    for &delta in deltas {
        for &strategy in strategies {
            if !todo.contains(&(delta, strategy)) {
                todo.push((delta, strategy));
            }
        }
    }
    let count = todo.len();
    let mut runs = Vec::with_capacity(count);
    for (index, (delta, strategy)) in todo.into_iter().enumerate() {
        let text = format!("{strategy}  δ {delta}  {} of {count}", index + 1);
        runs.push(run(analysis, delta, strategy, config, interrupt, &text));
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
    strategy: Strategy,
    config: &Config,
    interrupt: &Interrupt,
    text: &str,
) -> Run {
    let problem = analysis.problem().with_delta(delta).with_suppression(Suppression::NONE);
    let search = || {
        let mut progress = ProgressLine::start(text, None).with_interrupt(Some(interrupt.clone()));
        analysis.search(&problem, strategy, config, &mut |step| progress.observe(step))
    };
    let Found { release, report, mut seconds, .. } = search();
    if seconds < SHORT {
        let mut times = [seconds, search().seconds, search().seconds];
        times.sort_unstable_by(f64::total_cmp);
        seconds = times[1];
    }
    let present = release.as_ref().filter(|release| release.is_present());
    let cell = present.map(|release| Cell {
        k: report.k,
        loss: release.metrics.loss.mean(),
        discernibility: release.metrics.discernibility,
        seconds,
    });
    let facts = RunFacts {
        metric: config.metric,
        report: Some(report),
        bound: Bound::default(),
        seed: config.seed,
        seconds: Some(seconds),
        load_seconds: analysis.load_seconds(),
        outsiders: OutsiderCounts::of(analysis),
        entity: analysis.entity(),
    };
    let result = RunResult::new(strategy.to_string(), &problem, release.as_ref(), facts);
    let seed = strategy.info().draws.then_some(config.seed);
    Run { strategy, delta, cell, result, seed, stop: report.stop.as_str(), seconds }
}

/// Collects the numbers of one sweep.
pub(super) fn grid(sweep: &Sweep, deltas: &[Delta], strategies: &[Strategy], runs: &[Run]) -> Grid {
    let cell = |strategy: Strategy, delta: Delta| {
        let run = runs.iter().find(|run| run.strategy == strategy && run.delta == delta);
        run.and_then(|run| run.cell)
    };
    let column =
        |&strategy: &Strategy| (strategy, deltas.iter().map(|&delta| cell(strategy, delta)).collect());
    Grid {
        bound: sweep.bound,
        held: sweep.held,
        values: sweep.values.clone(),
        columns: strategies.iter().map(column).collect(),
    }
}

//! Runs every strategy under every δ of the sweeps.

use palmtop_core::model::{Delta, Suppression};
use palmtop_flow::pipeline::{Analysis, Found};
use palmtop_search::release::Release;
use palmtop_search::{Config, SearchReport, Strategy};

use super::grid::{Cell, Grid};
use palmtop_chart::Sweep;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::progress::ProgressLine;
use palmtop_console::result::{Bound, OutsiderCounts, RunFacts, RunResult};

/// The result of a strategy under a δ.
pub(super) struct Run {
    pub(super) strategy: Strategy,
    pub(super) delta: Delta,
    pub(super) cell: Option<Cell>,
    pub(super) result: RunResult,
    /// The cells of the run in the table of all runs.
    pub(super) line: Vec<String>,
}

/// The columns of the table of all runs.
pub(super) const COLUMNS: [&str; 19] = [
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
    "seed",
    "stop",
    "seconds",
];

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
    for (place, (delta, strategy)) in todo.into_iter().enumerate() {
        let text = format!("{strategy}  δ {delta}  {} of {count}", place + 1);
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
    let line = line(strategy, delta, release.as_ref(), &report, config, result.verdict(), seconds);
    Run { strategy, delta, cell, result, line }
}

/// The cells of a run, in the order of [`COLUMNS`].
fn line(
    strategy: Strategy,
    delta: Delta,
    release: Option<&Release>,
    report: &SearchReport,
    config: &Config,
    verdict: &str,
    seconds: f64,
) -> Vec<String> {
    fn text<V: ToString>(value: Option<V>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    let node = release.and_then(|release| release.recoding.node());
    let levels = node.map(|node| node.levels().iter().map(|level| level.0.to_string()).collect::<Vec<_>>());
    let metrics = release.map(|release| &release.metrics);
    vec![
        strategy.to_string(),
        delta.min().to_string(),
        delta.max().to_string(),
        verdict.to_owned(),
        text(report.k),
        text(levels.map(|levels| levels.join(","))),
        text(release.map(|release| release.achieved.min)),
        text(release.map(|release| release.achieved.max)),
        text(metrics.map(|metrics| metrics.loss.mean())),
        text(metrics.map(|metrics| metrics.loss.geometric())),
        text(metrics.map(|metrics| metrics.discernibility)),
        text(metrics.map(|metrics| metrics.average_class_size)),
        text(metrics.and_then(|metrics| metrics.precision)),
        text(release.map(|release| release.classes.len())),
        text(release.map(Release::released_classes)),
        text(report.rounds),
        text(strategy.info().draws.then_some(config.seed)),
        report.stop.as_str().to_owned(),
        format!("{seconds:.6}"),
    ]
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

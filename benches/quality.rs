//! The results of `best` in one second, on the practice clinic and on Adult: its loss, the lower
//! bound on the loss of every release, and the loss of SPALM and of the best of the nine. Each
//! release is written and verified.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "common/tables.rs"]
mod tables;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use palmtop::metrics::Metric;
use palmtop::model::{EmptyRegions, Problem};
use palmtop::pipeline::{self, Analysis, ExportOptions};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::search::{Config, Observer, Strategy, bound};

const SECOND: Duration = Duration::from_secs(1);

/// A δ, whether regions may be empty, and the measure to minimize.
type Task = (&'static str, &'static str, EmptyRegions, Metric);

const TASKS: [Task; 8] = [
    ("0", "0.05", EmptyRegions::Allow, Metric::Loss),
    ("0", "0.1", EmptyRegions::Allow, Metric::Loss),
    ("0", "0.2", EmptyRegions::Allow, Metric::Loss),
    ("0.02", "0.1", EmptyRegions::Allow, Metric::Loss),
    ("0", "0.05", EmptyRegions::Forbid, Metric::Loss),
    ("0", "0.1", EmptyRegions::Forbid, Metric::Loss),
    ("0", "0.05", EmptyRegions::Allow, Metric::Discernibility),
    ("0", "0.1", EmptyRegions::Allow, Metric::LossGeometric),
];

/// Runs a strategy, writes its release to a temporary file, and verifies it.
fn verified(
    analysis: &Analysis,
    problem: &Problem,
    strategy: Strategy,
    config: &Config,
    folder: &Path,
    observer: &mut Observer,
) -> Option<Release> {
    let release = analysis.search(problem, strategy, config, observer).release?;
    let options = ExportOptions { force: true, allow_not_present: false };
    pipeline::export::write(analysis, &release, &folder.join("release.csv"), options)
        .expect("a release that verifies");
    Some(release)
}

fn line(analysis: &Analysis, (min, max, empty_regions, metric): Task, folder: &Path) -> Option<String> {
    let problem = tables::under(analysis.problem(), min, max).with_empty_regions(empty_regions);
    if !problem.feasibility().holds() {
        return None;
    }
    let config = Config { metric, ..Config::default() };
    let digits = if metric == Metric::Discernibility { 0 } else { 4 };
    let value = |release: &Release| release.metrics.value(metric);
    let quietly = &mut unwatched;

    let started = Instant::now();
    let mut first = None;
    let best = verified(analysis, &problem, Strategy::Best, &config, folder, &mut |step| {
        if step.stage.best.is_some() {
            first.get_or_insert_with(|| started.elapsed());
        }
        if started.elapsed() < SECOND { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let rounds = best.search.and_then(|report| report.rounds).unwrap_or(0);
    let spalm = verified(analysis, &problem, Strategy::Spalm, &config, folder, quietly)?;
    let nine = Strategy::nine()
        .filter_map(|strategy| verified(analysis, &problem, strategy, &config, folder, quietly))
        .map(|release| value(&release))
        .min_by(f64::total_cmp)?;
    let bound = if metric == Metric::Loss { bound(&problem, quietly).ok() } else { None };
    let below = bound.map_or_else(|| "–".to_owned(), |bound| format!("{bound:.4}"));
    let first = first.unwrap_or_default().as_secs_f64() * 1000.0;
    let empty = if empty_regions == EmptyRegions::Allow { "allowed" } else { "forbidden" };
    let (metric, best, spalm) = (metric.name(), value(&best), value(&spalm));
    Some(format!(
        "  ({min}, {max:<4}) {empty:<9} {metric:<14} {best:>9.digits$} {below:>7} {nine:>10.digits$} {spalm:>10.digits$} \
         {rounds:>6} {first:>7.0} ms"
    ))
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, analysis) in tables::all() {
        let total = analysis.problem().histogram().total();
        println!("{name}: |P| = {}, |T| = {}", total.public, total.private);
        println!(
            "  δ           empty     metric              best   bound  of nine       spalm rounds  first valid"
        );
        for line in TASKS.into_iter().filter_map(|task| line(&analysis, task, folder.path())) {
            println!("{line}");
        }
    }
}

//! The searches on the practice clinic, on UCI Adult if it is present, and on a synthetic table of
//! Adult's size.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "common/measure.rs"]
mod measure;
#[path = "common/naive.rs"]
mod naive;
#[path = "common/synthetic.rs"]
mod synthetic;
#[path = "common/tables.rs"]
mod tables;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use measure::{first_tree, median, search};
use palmtop::metrics::Metric;
use palmtop::model::{NodeClasses, Problem, Recoding};
use palmtop::pipeline::Analysis;
use palmtop::progress::unwatched;
use palmtop::search::{Config, Strategy, survey};
use synthetic::Shape;

/// Nine quasi-identifiers, a lattice of 25,920 nodes.
const SHAPES: [Shape; 9] = [
    (74, &[5, 2, 2]),
    (7, &[3]),
    (16, &[4, 2]),
    (7, &[2, 2]),
    (14, &[5]),
    (6, &[2]),
    (5, &[]),
    (2, &[]),
    (41, &[4, 3]),
];

fn tables() -> Vec<(&'static str, Problem)> {
    let analyses: Vec<(&str, Analysis)> = tables::all();
    let mut problems: Vec<(&str, Problem)> =
        analyses.into_iter().map(|(name, analysis)| (name, analysis.problem().clone())).collect();
    problems.push(("synthetic", synthetic::problem(&SHAPES, 27_000, 4, "0.1")));
    problems
}

fn spalm(criterion: &mut Criterion) {
    for (name, problem) in tables() {
        let mut group = criterion.benchmark_group(format!("spalm {name}"));
        for max in ["0.05", "0.2", "0.9"] {
            let problem = tables::under(&problem, "0", max);
            for metric in Metric::ALL {
                let config = Config { metric, ..Config::default() };
                group.bench_function(format!("{}/{max}", metric.name()), |bencher| {
                    bencher.iter(|| search(black_box(&problem), Strategy::Spalm, &config));
                });
            }
            group.bench_function(format!("survey/{max}"), |bencher| {
                let go_on = &mut unwatched;
                bencher.iter(|| survey(black_box(&problem), go_on));
            });
        }
    }
}

/// SPALM and its naive implementation in one run. Both find the same node.
fn twins(_: &mut Criterion) {
    println!("SPALM beside its naive twin (medians of 9 and of 3)");
    println!("  {:<10} {:>5} {:>12} {:>12} {:>7}", "", "δmax", "naive", "fast", "ratio");
    for (name, problem) in tables() {
        for max in ["0.05", "0.2", "0.9"] {
            let problem = tables::under(&problem, "0", max);
            let (slow, expected) = median(3, || naive::spalm(&problem));
            let fast = || search(&problem, Strategy::Spalm, &Config::default()).0;
            let (fast, found) = median(9, fast);
            assert_eq!(found, expected.map(Recoding::Node), "{name} {max}");
            let ratio = slow.as_secs_f64() / fast.as_secs_f64();
            let ms = |time: Duration| time.as_secs_f64() * 1000.0;
            println!("  {name:<10} {max:>5} {:>9.1} ms {:>9.2} ms {ratio:>6.0}×", ms(slow), ms(fast));
        }
    }
}

fn step(criterion: &mut Criterion) {
    for (name, problem) in tables() {
        let mut group = criterion.benchmark_group(format!("step {name}"));
        let lattice = problem.lattice();
        for (name, node) in [("finest", lattice.bottom()), ("middle", lattice.unrank(lattice.len() / 2))] {
            let here = NodeClasses::of(&problem, &node);
            let all = 0..lattice.width();
            let coarser = all.clone().find_map(|attribute| lattice.coarser(&node, attribute));
            let finer = all.clone().find_map(|attribute| lattice.finer(&node, attribute));
            for (direction, there) in [("up", coarser), ("down", finer)] {
                let Some(there) = there else { continue };
                group.bench_function(format!("{direction} from the {name}"), |bencher| {
                    bencher.iter(|| here.at(black_box(&problem), &there));
                });
            }
        }
    }
}

fn mpalm(criterion: &mut Criterion) {
    for (name, problem) in tables() {
        let problem = tables::under(&problem, "0", "0.1");
        let mut group = criterion.benchmark_group(format!("mpalm {name}"));
        for strategy in Strategy::nine() {
            group.bench_function(strategy.to_string(), |bencher| {
                bencher.iter(|| search(black_box(&problem), strategy, &Config::default()));
            });
        }
        group.bench_function("nine together", |bencher| {
            bencher.iter(|| {
                Strategy::nine()
                    .map(|strategy| search(black_box(&problem), strategy, &Config::default()))
                    .collect::<Vec<_>>()
            });
        });
    }
}

fn best(criterion: &mut Criterion) {
    for (name, problem) in tables() {
        let mut group = criterion.benchmark_group(format!("best {name}"));
        for max in ["0.05", "0.2"] {
            let problem = tables::under(&problem, "0", max);
            group.bench_function(format!("first tree/{max}"), |bencher| {
                bencher.iter_custom(|times| (0..times).map(|_| first_tree(&problem).0).sum());
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .without_plots();
    targets = twins, spalm, step, mpalm, best
}
criterion_main!(benches);

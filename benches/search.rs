//! The searches on a synthetic table of the size of UCI Adult: nine quasi-identifiers, about 27,000 combinations.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, criterion_group, criterion_main};
use palmtop::metrics::Metric;
use palmtop::model::{
    Code, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, Problem, QuasiIdentifier,
};
use palmtop::search::{Config, Strategy, run, survey};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PEOPLE: u32 = 45_222;

/// Leaves, and how many of one level make one of the next: a lattice of 25,920 nodes.
const SHAPES: [(u32, &[u32]); 9] = [
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

/// The table under δ = (0, `max`).
fn synthetic(max: &str) -> Problem {
    let quasi = SHAPES.iter().enumerate().map(|(position, &(leaves, widths))| QuasiIdentifier {
        name: format!("q{position}"),
        hierarchy: hierarchy(if position == 0 { Kind::Number } else { Kind::Category }, leaves, widths),
    });
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut people: Vec<(Vec<Code>, bool)> = (0..PEOPLE)
        .map(|_| {
            // The least of four draws: few values are common and many rare, as in any census.
            let least = |leaves: u32, random: &mut ChaCha8Rng| {
                let once = |random: &mut ChaCha8Rng| random.random_range(0..leaves);
                (0..4).map(|_| once(random)).min().unwrap_or(0)
            };
            let codes = SHAPES.iter().map(|&(leaves, _)| least(leaves, &mut random)).collect();
            (codes, random.random_ratio(1_957, PEOPLE))
        })
        .collect();
    people.sort_unstable();
    let mut combinations: Vec<Vec<Code>> = Vec::new();
    let mut counts: Vec<Counts> = Vec::new();
    for (codes, member) in people {
        let one = Counts::new(1, u64::from(member));
        match counts.last_mut() {
            Some(last) if combinations.last() == Some(&codes) => *last += one,
            _ => {
                combinations.push(codes);
                counts.push(one);
            }
        }
    }
    let column = |position: usize| combinations.iter().map(|codes| codes[position]).collect();
    let histogram =
        Histogram::new((0..SHAPES.len()).map(column).collect(), counts).expect("a sound histogram");
    let delta = Delta::new(Presence::ZERO, max.parse().expect("a presence")).expect("ordered bounds");
    Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).expect("a sound problem")
}

fn hierarchy(kind: Kind, leaves: u32, widths: &[u32]) -> Hierarchy {
    let chain = |leaf: u32| {
        let mut chain = vec![leaf.to_string()];
        let mut group = leaf;
        for (level, width) in (1..).zip(widths) {
            group /= width;
            chain.push(format!("{level}-{group}"));
        }
        chain.push("*".to_owned());
        chain
    };
    let chains: Vec<Vec<String>> = (0..leaves).map(chain).collect();
    Hierarchy::new(kind, Level(0), &chains).expect("a sound hierarchy")
}

fn spalm(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("spalm");
    for max in ["0.05", "0.1", "0.2", "0.5", "0.9"] {
        let problem = synthetic(max);
        for metric in Metric::ALL {
            group.bench_function(format!("{}/{max}", metric.name()), |bencher| {
                bencher.iter(|| {
                    let go_on = &mut |_| ControlFlow::Continue(());
                    run(Strategy::Spalm, black_box(&problem), &Config { metric, ..Config::default() }, go_on)
                });
            });
        }
        group.bench_function(format!("survey/{max}"), |bencher| {
            bencher.iter(|| survey(black_box(&problem), &mut |_| ControlFlow::Continue(())));
        });
    }
}

fn mpalm(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mpalm");
    let problem = synthetic("0.1");
    for strategy in Strategy::nine() {
        group.bench_function(strategy.to_string(), |bencher| {
            bencher.iter(|| {
                let go_on = &mut |_| ControlFlow::Continue(());
                run(strategy, black_box(&problem), &Config::default(), go_on)
            });
        });
    }
    group.bench_function("nine", |bencher| {
        bencher.iter(|| {
            for strategy in Strategy::nine() {
                let go_on = &mut |_| ControlFlow::Continue(());
                black_box(run(strategy, black_box(&problem), &Config::default(), go_on));
            }
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).without_plots();
    targets = spalm, mpalm
}
criterion_main!(benches);

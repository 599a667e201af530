//! The results of `simulatable` on Adult: its loss for the given T's, its mean loss over random T's
//! of the same size, and the seconds of a search. One T is one sample. `growth` measures a million
//! combinations.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "common/tables.rs"]
mod tables;

use std::time::Instant;

use palmtop::metrics::{Metric, Metrics};
use palmtop::model::{Classes, Problem};
use palmtop::progress::unwatched;
use palmtop::search::simulatable;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const BOUNDS: [(&str, &str); 4] = [("0", "0.05"), ("0", "0.1"), ("0", "0.2"), ("0.02", "0.1")];
const DRAWS: u32 = 8;

/// The same P with another T of the same size. All such T are equally likely.
fn redrawn(problem: &Problem, seed: u64) -> Problem {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let histogram = problem.histogram();
    let (mut people, mut members) = (histogram.total().public, histogram.total().private);
    let counts = histogram.counts().iter().map(|counts| {
        // Each person in turn is a member with the remaining probability.
        let drawn = (0..counts.public).filter(|_| {
            let is_member = random.random_range(0..people) < members;
            people -= 1;
            members -= u64::from(is_member);
            is_member
        });
        drawn.count() as u64
    });
    let counts: Vec<u64> = counts.collect();
    problem.with_members(&counts).expect("the same combinations")
}

/// Loss and seconds.
fn run(problem: &Problem) -> Option<(f64, f64)> {
    let started = Instant::now();
    let (found, _) = simulatable(problem, &mut unwatched);
    let seconds = started.elapsed().as_secs_f64();
    let found = found?;
    let classes = Classes::of(problem, &found);
    Some((Metrics::of(problem, &found, &classes).value(Metric::Loss), seconds))
}

fn main() {
    for (name, analysis) in tables::all() {
        println!("{name} T        loss   seconds   fresh T: mean  least   most  seconds");
        for (min, max) in BOUNDS {
            let problem = tables::under(analysis.problem(), min, max);
            let Some((loss, seconds)) = run(&problem) else { continue };
            let fresh: Vec<(f64, f64)> =
                (0..DRAWS).filter_map(|seed| run(&redrawn(&problem, seed.into()))).collect();
            let mean = fresh.iter().map(|run| run.0 / f64::from(DRAWS)).sum::<f64>();
            let least = fresh.iter().map(|run| run.0).fold(f64::MAX, f64::min);
            let most = fresh.iter().map(|run| run.0).fold(0.0, f64::max);
            let longest = fresh.iter().map(|run| run.1).fold(0.0, f64::max);
            println!(
                "({min:>4}, {max:>4})  {loss:>7.4} {seconds:>9.2}        {mean:>7.4} {least:>6.4} {most:>6.4} {longest:>8.2}"
            );
        }
    }
}

//! The growth of searches with the table: synthetic histograms of 10⁵, 10⁶ and 10⁷ combinations of
//! six quasi-identifiers under δ = (0, 0.1). Each release is recounted.
//! `PALMTOP_SIZES=100000,1000000` selects sizes.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::cast_precision_loss, reason = "figures to read")]

#[path = "common/measure.rs"]
mod measure;
#[path = "common/memory.rs"]
mod memory;
#[path = "common/recount.rs"]
mod recount;
#[path = "common/synthetic.rs"]
mod synthetic;

use std::time::Duration;

use measure::{first_tree, median, search};
use memory::{peak, reset_peak};
use palmtop::model::{Classes, Neighbourhood, NodeClasses, NodeTally, Problem, Recoding};
use palmtop::search::{ColumnRule, Config, Strategy, ValueRule};
use recount::recount;
use synthetic::{Shape, problem};

/// Age, zip code, sex, education, occupation, nationality: 1,280,000,000 leaves, a lattice of 2,560
/// nodes.
const SHAPES: [Shape; 6] =
    [(100, &[5, 2, 2]), (200, &[10, 5]), (2, &[]), (16, &[4, 2]), (50, &[5, 2]), (40, &[4, 5])];

/// A line of the table: a name, the median of a few runs, and the peak of memory.
struct Line {
    name: &'static str,
    time: Duration,
    peak: Option<u64>,
}

/// Runs a function this many times.
fn measured<T>(name: &'static str, runs: usize, work: impl FnMut() -> T) -> (Line, T) {
    reset_peak();
    let (time, result) = median(runs, work);
    (Line { name, time, peak: peak() }, result)
}

fn check(problem: &Problem, recoding: Option<Recoding>) {
    recount(problem, &recoding.expect("a feasible δ"));
}

fn lines(problem: &Problem) -> Vec<Line> {
    let runs = if problem.histogram().len() > 5_000_000 { 3 } else { 5 };
    let lattice = problem.lattice();
    let mut lines = Vec::new();

    // From the middle node of the lattice: one step up in the second quasi-identifier, and one step
    // down in the first.
    let middle = lattice.unrank(lattice.len() / 2);
    let here = NodeClasses::of(problem, &middle);
    let coarser = lattice.coarser(&middle, 1).expect("not at the top");
    let finer = lattice.finer(&middle, 0).expect("not at the bottom");
    lines.push(measured("a step up", 5, || here.at(problem, &coarser)).0);
    lines.push(measured("a step down", 5, || here.at(problem, &finer)).0);
    lines.push(measured("the finest node", 5, || NodeClasses::of(problem, &lattice.bottom())).0);
    drop(here);
    let one_step = || {
        let mut around = Neighbourhood::of(problem, &middle);
        let all = (0..lattice.width())
            .flat_map(|attribute| [lattice.coarser(&middle, attribute), lattice.finer(&middle, attribute)]);
        let neighbours: Vec<NodeTally> = all.flatten().map(|node| around.tally(&node)).collect();
        (around.here(), neighbours)
    };
    lines.push(measured("a node by hand", 5, || Classes::of(problem, &Recoding::Node(middle.clone()))).0);
    lines.push(measured("its neighbours", 5, one_step).0);

    for (name, strategy) in [
        ("spalm", Strategy::Spalm),
        ("n1", Strategy::Mpalm(ColumnRule::Next, ValueRule::BalancedCardinality)),
        ("n2", Strategy::Mpalm(ColumnRule::Next, ValueRule::FirstSplit)),
    ] {
        let (line, (recoding, _)) = measured(name, runs, || search(problem, strategy, &Config::default()));
        lines.push(line);
        check(problem, recoding);
    }
    if problem.histogram().len() <= 1_000_000 {
        let all_steps = || search(problem, Strategy::Simulatable, &Config::default());
        let (line, (recoding, _)) = measured("simulatable", 1, all_steps);
        lines.push(line);
        check(problem, recoding);
    }

    // The time to the first tree depends on the table. The stop takes a moment more.
    reset_peak();
    let mut times = Vec::new();
    for _ in 0..runs {
        let (time, recoding) = first_tree(problem);
        times.push(time);
        lines.retain(|line| line.name != "best, first tree");
        lines.push(Line { name: "best, first tree", time, peak: peak() });
        recount(problem, &recoding);
    }
    times.sort_unstable();
    if let Some(line) = lines.last_mut() {
        line.time = times[times.len() / 2];
    }
    lines
}

fn main() {
    let sizes = std::env::var("PALMTOP_SIZES").unwrap_or_else(|_| "100000,1000000,10000000".to_owned());
    for size in sizes.split(',').map(|size| size.parse().expect("sizes as whole numbers")) {
        let problem = problem(&SHAPES, size, 2, "0.1");
        let total = problem.histogram().total();
        println!("{size} combinations, |P| = {}, |T| = {}, medians", total.public, total.private);
        println!("  {:<20} {:>12} {:>18}", "", "time", "peak B/combination");
        for Line { name, time, peak } in lines(&problem) {
            let peak =
                peak.map_or_else(|| "–".to_owned(), |peak| format!("{:.0}", peak as f64 / size as f64));
            println!("  {name:<20} {:>9.1} ms {peak:>18}", time.as_secs_f64() * 1000.0);
        }
    }
}

//! The time to compute the posteriors under an uneven prior on Adult: for one class of everybody,
//! and for the release of `best`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "common/measure.rs"]
#[expect(dead_code, reason = "others measure more")]
mod measure;
#[path = "common/tables.rs"]
mod tables;

use palmtop::metrics::Posteriors;
use palmtop::model::{Classes, Presence, Prior, Problem, Recoding};
use palmtop::search::{Config, Strategy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random tenth of P as T.
fn tenth(problem: &Problem) -> Problem {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let histogram = problem.histogram();
    let (mut people, mut members) = (histogram.total().public, histogram.total().public / 10);
    let counts = histogram.counts().iter().map(|counts| {
        let drawn = (0..counts.public).filter(|_| {
            let is_member = random.random_range(0..people) < members;
            people -= 1;
            members -= u64::from(is_member);
            is_member
        });
        drawn.count() as u64
    });
    problem.with_members(&counts.collect::<Vec<_>>()).expect("a tenth of P")
}

/// An invented rate for each age and sex. It increases with age and is three times as high for one
/// of the sexes.
fn by_age_and_sex(problem: &Problem) -> Prior {
    let histogram = problem.histogram();
    let index_of = |name| problem.quasi().iter().position(|quasi| quasi.name == name).expect("Adult has it");
    let (age, sex) = (index_of("age"), index_of("gender"));
    let people = histogram.counts().iter().enumerate().map(|(combination, counts)| {
        let code = |attribute| u64::from(histogram.column(attribute)[combination]);
        let rate = (10 + 7 * code(age)) * (1 + 2 * code(sex));
        (combination, Presence::new(rate, 4_001).expect("below 1"), counts.public)
    });
    Prior::new(histogram, &people.collect::<Vec<_>>()).expect("a prior")
}

/// A different probability for each combination.
fn one_each(problem: &Problem) -> Prior {
    let histogram = problem.histogram();
    let people = histogram.counts().iter().enumerate().map(|(combination, counts)| {
        let rate = Presence::new(1_000 + combination as u64, 150_001).expect("below 1");
        (combination, rate, counts.public)
    });
    Prior::new(histogram, &people.collect::<Vec<_>>()).expect("a prior")
}

fn main() {
    println!("{:10} {:14} {:>9} {:>8} {:>9} {:>8}", "table", "prior", "different", "classes", "beyond", "ms");
    for (name, analysis) in tables::all().into_iter().filter(|(name, _)| *name == "random") {
        let problem = tables::under(&tenth(analysis.problem()), "0", "0.2");
        let config = Config { rounds: Some(5), ..Config::default() };
        let (found, _) = measure::search(&problem, Strategy::Best, &config);
        let lattice = problem.lattice();
        let recodings =
            [Recoding::Node(lattice.top()), Recoding::Node(lattice.bottom()), found.expect("a feasible δ")];
        for (kind, prior) in [("age and sex", by_age_and_sex(&problem)), ("one each", one_each(&problem))] {
            let different = prior.probabilities().len();
            for recoding in &recodings {
                let classes = Classes::of(&problem, recoding);
                let members: Vec<u64> = classes.all_counts().map(|counts| counts.private).collect();
                let of = || Posteriors::of(&prior, &classes.class_of, &members, problem.delta());
                let (time, found) = measure::median(5, of);
                let beyond = found.verdict().beyond();
                let (classes, ms) = (classes.len(), time.as_secs_f64() * 1e3);
                println!("{name:10} {kind:14} {different:9} {classes:8} {beyond:9} {ms:8.1}");
            }
        }
    }
}

//! Extents against a count with sets, and searches with different numbers of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::extents::extent;
use super::values::{Pairs, Scratch, Values};
use super::*;
use crate::simulatable::population::{Rows, Rules};
use crate::simulatable::unseen::Unseen;
use crate::simulatable::walk::search;
use crate::simulatable::{Members, Oracle};
use palmtop_core::model::{
    Belief, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Problem, QuasiIdentifier, size,
};

/// How the columns of a random problem are cut.
#[derive(Clone, Copy, Debug)]
enum Limits {
    Values,
    Labels,
    Terms,
    Rates,
}

/// A random problem of skewed columns with these numbers of leaves: every second one is ordered.
fn problem(leaves: &[u32], rows: usize, limits: Limits, seed: u64) -> Problem {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut people: BTreeMap<Vec<Code>, Counts> = BTreeMap::new();
    for _ in 0..rows {
        let mut code = |&leaves: &u32| {
            let most = random.random_range(1..=leaves);
            random.random_range(0..most)
        };
        let codes = leaves.iter().map(&mut code).collect();
        let is_member = people.is_empty() || random.random_ratio(1, 50);
        *people.entry(codes).or_default() += Counts::new(1, u64::from(is_member));
    }
    let quasi = leaves.iter().enumerate().map(|(column, &leaves)| {
        let chain = |leaf| vec![format!("v{leaf:05}"), format!("p{:05}", leaf / 3), "*".to_owned()];
        let kind = if column % 2 == 0 { Kind::Category } else { Kind::Number };
        let chains: Vec<Vec<String>> = (0..leaves).map(chain).collect();
        let hierarchy = Hierarchy::new(kind, Level(0), &chains).unwrap();
        QuasiIdentifier { name: format!("q{column}"), hierarchy }
    });
    let quasi: Vec<QuasiIdentifier> = quasi.collect();
    let columns = (0..leaves.len()).map(|column| people.keys().map(|codes| codes[column]).collect());
    let histogram = Histogram::new(columns.collect(), people.values().copied().collect()).unwrap();
    let rate =
        |(rank, people): (u32, &Counts)| f64::from(rank) * f64::from(u32::try_from(people.public).unwrap());
    let rates: Vec<f64> = (1..).zip(people.values()).map(rate).collect();
    let delta = Delta::new("0".parse().unwrap(), "1/5".parse().unwrap()).unwrap();
    let width = quasi.len();
    let problem = Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap();
    match limits {
        Limits::Values => problem,
        Limits::Labels => problem.with_cuts(vec![Cuts::Labels; width]),
        Limits::Terms => problem.with_terms(vec![NonZeroU32::new(3); width]),
        Limits::Rates => problem.with_belief(Belief::Rates(rates.into())),
    }
}

/// The extent of some rows, counted with sets.
fn naive(population: &Population, rows: &Rows, cut_box: &CutBox) -> f64 {
    let side = |(attribute, column): (usize, &super::super::population::Column)| {
        let codes: BTreeSet<Code> = rows.column(attribute).iter().copied().collect();
        let (Some(&low), Some(&high)) = (codes.first(), codes.last()) else { return 0.0 };
        let values = match (&column.tree, population.boxes().limited(attribute)) {
            (Some(tree), _) => f64::from(tree.extent_around(codes.iter().copied())),
            (None, _) if column.hierarchy.kind().is_ordered() => f64::from(high - low),
            (None, Some(limited)) => {
                published(size::number(codes.len()), size_of(&cut_box[attribute]), limited.terms())
            }
            (None, None) => f64::from(size::number(codes.len() - 1)),
        };
        values * column.share
    };
    population.columns().iter().enumerate().map(side).sum()
}

fn is_near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

#[test]
fn candidates_have_the_extents_of_their_halves() {
    let shapes: [&[u32]; 4] = [&[2, 9, 30], &[400, 7, 300, 5], &[3, 3, 3, 3, 3], &[5000, 4000]];
    let mut compared = 0;
    for (shape, limits) in shapes.iter().flat_map(|shape| {
        [Limits::Values, Limits::Labels, Limits::Terms, Limits::Rates].map(|limits| (shape, limits))
    }) {
        for (rows, seed) in [(3, 1), (40, 2), (700, 3)] {
            let problem = problem(shape, rows, limits, seed);
            let unseen = Unseen::of(&problem);
            let population = Population::of(&unseen, Rules::default());
            let (rows, cut_box) = (population.everybody(), population.boxes().everything());
            let scratch = &mut Scratch::default();
            let values = Values::of(&population, &rows, None, scratch).unwrap();
            let whole = extent(&population, &rows, &cut_box, scratch);
            assert!(is_near(whole, naive(&population, &rows, &cut_box)));
            assert_eq!(values.extent(&population, &cut_box).to_bits(), whole.to_bits());
            for candidate in candidates(&population, &values, None, &cut_box, scratch).into_iter().step_by(7)
            {
                let halves = rows.divided(&population, candidate.cut);
                let boxes = population.halves_of(&cut_box, candidate.cut);
                let people = [candidate.left, rows.count() - candidate.left];
                assert_eq!(halves.each_ref().map(Rows::count), people, "{candidate:?}");
                let known = [0, 1].map(|half| naive(&population, &halves[half], &boxes[half]));
                // The remainder of a division into labels is several labels.
                let is_rest = matches!(limits, Limits::Labels) && !candidate.later.is_empty();
                let is_same = |half: usize| is_near(candidate.extents[half], known[half]);
                assert!(is_same(0) && (is_rest || is_same(1)), "{limits:?} {candidate:?} {known:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn both_ways_find_the_pairs_of_the_rows() {
    for (shape, rows) in [([3, 40], 500), ([40, 3], 500), ([300, 200], 2_000), ([5, 5], 1)] {
        let problem = problem(&shape, rows, Limits::Values, 5);
        let unseen = Unseen::of(&problem);
        let population = Population::of(&unseen, Rules::default());
        let rows = population.everybody();
        let mut expected = [BTreeSet::new(), BTreeSet::new()];
        for (&one, &other) in rows.column(0).iter().zip(rows.column(1)) {
            expected[0].insert((one, other));
            expected[1].insert((other, one));
        }
        let scratch = &mut Scratch::default();
        let values = Values::of(&population, &rows, None, scratch).unwrap();
        let columns = [values.column(0), values.column(1)];
        let listed = |pairs: &Pairs, [one, other]: [usize; 2]| {
            let each = (0..size::number(columns[one].codes.len())).flat_map(|value| {
                let code = |column: usize, value: u32| columns[column].codes[value as usize];
                pairs.with(value).iter().map(move |&with| (code(one, value), code(other, with)))
            });
            let list: Vec<(Code, Code)> = each.collect();
            let set: BTreeSet<(Code, Code)> = list.iter().copied().collect();
            assert_eq!(list.len(), set.len());
            set
        };
        assert_eq!(listed(values.pairs(0, 1), [0, 1]), expected[0]);
        assert_eq!(listed(values.pairs(1, 0), [1, 0]), expected[1]);
        for pairs in [Pairs::by_table, Pairs::by_order] {
            assert_eq!(listed(&pairs(columns[0], columns[1], scratch), [0, 1]), expected[0]);
        }
    }
}

/// An oracle that answers one question at a time.
struct InOrder<'a>(Members<'a>);

impl Oracle for InOrder<'_> {
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        self.0.ask(half, is_accepted)
    }
}

// holds: Equal inputs, equal results
#[test]
fn threads_do_not_change_a_transcript() {
    for limits in [Limits::Values, Limits::Rates] {
        let problem = problem(&[90, 40, 30, 12], 40_000, limits, 9);
        let unseen = Unseen::of(&problem);
        let population = Population::of(&unseen, Rules::default());
        let members = || Members::of(problem.histogram());
        let of = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| search(&population, members())).continue_value().unwrap()
        };
        let one = search(&population, InOrder(members())).continue_value().unwrap();
        assert!(one.transcript.steps.len() > 100 && one.regions.len() > 100);
        for threads in [1, 2, 7, 16] {
            let found = of(threads);
            assert_eq!(found.transcript, one.transcript, "{threads}");
            assert_eq!(
                (found.regions, found.boxes, found.rests),
                (one.regions.clone(), one.boxes.clone(), one.rests.clone())
            );
        }
    }
}

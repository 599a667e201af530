//! Limits of terms: every strategy that finds regions obeys them.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::{Config, Strategy, run};
use palmtop_core::metrics::{Metric, Metrics};
use palmtop_core::model::{
    Classes, Code, Counts, Delta, DescriptionTree, EmptyRegions, Hierarchy, Histogram, Kind, Label, Level,
    Levels, Partition, Presence, Problem, QuasiIdentifier, Recoding, Side,
};
use palmtop_core::progress::unwatched;

/// The numbers of a linear congruential generator.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A tree over some leaves with groups of three and of nine. If `is_mixed`, the leaves of a group are not
/// neighbours.
fn tree(kind: Kind, leaves: u64, is_mixed: bool) -> Hierarchy {
    let group = |leaf: u64, size: u64| if is_mixed { leaf % leaves.div_ceil(size) } else { leaf / size };
    let chain = |leaf: u64| {
        let three = group(leaf, 3);
        let nine = if is_mixed { three % leaves.div_ceil(9) } else { three / 3 };
        vec![format!("v{leaf:03}"), format!("t{three}"), format!("n{nine}"), "*".to_owned()]
    };
    let chains: Vec<Vec<String>> = (0..leaves).map(chain).collect();
    Hierarchy::new(kind, Level(0), &chains).unwrap()
}

/// People over two trees of categories and a number. Some values do not occur.
fn problem(seed: u64, leaves: u64, people: u64) -> Problem {
    let mut draws = Draws(seed * 2 + 1);
    let columns = [
        (Kind::Category, leaves, seed % 2 == 1),
        (Kind::Category, 5 + seed % 9, false),
        (Kind::Number, 8, false),
    ];
    let width = 2 + usize::from(!seed.is_multiple_of(3));
    let columns = &columns[..width];
    let quasi = columns.iter().enumerate().map(|(column, &(kind, leaves, is_mixed))| QuasiIdentifier {
        name: format!("q{column}"),
        hierarchy: tree(kind, leaves, is_mixed),
    });
    let mut combinations: BTreeMap<Vec<Code>, Counts> = BTreeMap::new();
    for person in 0..people {
        let codes = columns.iter().map(|&(_, leaves, _)| {
            // Values that are multiples of seven do not occur.
            let value = draws.below(leaves) * (1 + draws.below(leaves)) / leaves;
            Code::try_from(if value.is_multiple_of(7) { 1 } else { value }).unwrap()
        });
        let codes = codes.collect();
        let is_member = person == 0 || draws.below(4 + seed % 5) == 0;
        *combinations.entry(codes).or_default() += Counts::new(1, u64::from(is_member));
    }
    let columns = (0..width).map(|column| combinations.keys().map(|codes| codes[column]).collect()).collect();
    let histogram = Histogram::new(columns, combinations.values().copied().collect()).unwrap();
    let total = histogram.total();
    let max = Presence::new((total.private * 2).min(total.public), total.public).unwrap();
    let delta = Delta::new(Presence::ZERO, max).unwrap();
    Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).unwrap()
}

fn limited(problem: &Problem, terms: u32) -> Problem {
    problem.with_terms(vec![NonZeroU32::new(terms); problem.quasi().len()])
}

fn found(strategy: Strategy, problem: &Problem) -> Partition {
    let config = Config { rounds: Some(3), ..Config::default() };
    let (found, _) = run(strategy, problem, &config, &mut unwatched);
    let found = found.unwrap();
    assert!(Classes::of(problem, &found).satisfy(problem.policy()), "{strategy}");
    match found {
        Recoding::Regions(partition) => partition,
        // The paper's SPALM may be the best that `best` finds.
        other => panic!("{strategy}: {other:?}"),
    }
}

/// The number of terms of the largest set, after checks that regions contain their people and are disjoint.
fn largest(problem: &Problem, partition: &Partition) -> usize {
    let histogram = problem.histogram();
    let regions: Vec<_> = partition.regions().collect();
    for (index, region) in regions.iter().enumerate() {
        assert!(regions[..index].iter().all(|other| !region.overlaps(*other)), "{partition:?}");
    }
    for (combination, &region) in partition.region_of().iter().enumerate() {
        let codes: Vec<Code> =
            (0..histogram.width()).map(|column| histogram.column(column)[combination]).collect();
        assert!(regions[region as usize].contains(&codes), "{partition:?}");
    }
    let attributes = (0..histogram.width()).filter(|&attribute| problem.terms(attribute).is_some());
    let terms = attributes.flat_map(|attribute| {
        let (tree, hierarchy) = (DescriptionTree::of(problem, attribute), problem.hierarchy(attribute));
        let terms = move |side: &Side| {
            let Side::Set(codes) = side else { panic!("a set") };
            Label::from(tree.describe(hierarchy, &tree.set(codes.iter().copied()))).terms(hierarchy)
        };
        partition.sides(attribute).0.iter().map(terms)
    });
    terms.max().unwrap_or(0)
}

fn strategies() -> impl Iterator<Item = Strategy> {
    Strategy::all().filter(|strategy| strategy.family().finds_regions())
}

// holds: Terms and borders hold
#[test]
fn every_strategy_obeys_the_limit_of_terms() {
    let mut reached = 0;
    for seed in 0..12 {
        let plain = problem(seed, 12 + seed, 60 + 8 * seed);
        for terms in 2..=4 {
            let problem = limited(&plain, terms);
            for strategy in strategies() {
                let partition = found(strategy, &problem);
                let most = largest(&problem, &partition);
                assert!(most <= terms as usize, "{strategy}, seed {seed}: {most} terms");
                reached += usize::from(most == terms as usize);
            }
        }
    }
    assert!(reached > 100, "{reached}");
}

// holds: Terms and borders hold
#[test]
fn wide_columns_and_limited_levels_obey_the_limit() {
    let mut checked = 0;
    for seed in 0..5 {
        let (plain, narrow) = (problem(seed, 90 + 20 * seed, 500), problem(seed, 18, 600));
        let levels = |coarsest| Levels { finest: None, coarsest };
        let mut limits = vec![levels(Some(Level(2))); narrow.quasi().len()];
        limits[1] = levels((seed % 2 == 0).then_some(Level(1)));
        if let Some(number) = limits.get_mut(2) {
            *number = Levels { finest: Some(Level(1)), coarsest: None };
        }
        for (terms, plain) in
            [(2, plain.clone()), (3, plain.clone()), (2, narrow.with_levels(limits).unwrap())]
        {
            let problem = limited(&plain, terms);
            if !problem.feasibility().holds() {
                continue;
            }
            checked += 1;
            for strategy in strategies() {
                if strategy == Strategy::Simulatable && !problem.levels_reach_the_top() {
                    continue;
                }
                let partition = found(strategy, &problem);
                let most = largest(&problem, &partition);
                assert!(most <= terms as usize, "{strategy}, seed {seed}: {most} terms");
            }
        }
    }
    assert!(checked > 10, "some problems with limited levels are feasible");
}

#[test]
fn best_strategy_never_loses_to_the_nine() {
    let loss = |problem: &Problem, strategy| {
        let recoding = Recoding::Regions(found(strategy, problem));
        Metrics::of(problem, &recoding, &Classes::of(problem, &recoding)).value(Metric::Loss)
    };
    let mut losses = [0.0; 3];
    // Trees whose labels are neighbours; fewer seeds have the others.
    for seed in [0, 2, 3, 4, 6, 8] {
        let plain = problem(seed, 12 + 10 * seed, 400);
        losses[0] += loss(&plain, Strategy::Best);
        for (index, terms) in [(1, 4), (2, 2)] {
            let problem = limited(&plain, terms);
            let best = loss(&problem, Strategy::Best);
            losses[index] += best;
            for strategy in Strategy::nine() {
                assert!(best <= loss(&problem, strategy), "{strategy}, seed {seed}");
            }
        }
    }
    assert!(losses.is_sorted() && losses[1] < 3.0 * losses[0] && losses[2] < 1.0, "{losses:?}");
}

// holds: Terms and borders hold
#[test]
fn strategies_without_limits_keep_their_earlier_regions() {
    let mut sum = 0_u64;
    for seed in 0..12 {
        let plain = problem(seed, 12 + 9 * seed, 200 + 30 * seed);
        for strategy in Strategy::all().filter(|strategy| strategy.family().finds_regions()) {
            let partition = found(strategy, &plain);
            for &region in partition.region_of() {
                sum = (sum ^ u64::from(region)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    assert_eq!(sum, 13_764_706_879_545_494_807);
}

//! Node classes against classes that are counted one combination after another.

use super::*;
use crate::model::{Code, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, QuasiIdentifier};

/// A hundred leaves in tens.
fn hundred() -> Hierarchy {
    let chain = |leaf: u32| vec![leaf.to_string(), format!("{}x", leaf / 10), "*".to_owned()];
    Hierarchy::new(Kind::Category, Level(0), &(0..100).map(chain).collect::<Vec<_>>()).unwrap()
}

/// People scattered over so many quasi-identifiers, one in eight of them private.
pub(in crate::model) fn scattered(width: usize, people: u64) -> Problem {
    scattered_by(width, people, 100)
}

/// The same over so many leaves.
pub(in crate::model) fn scattered_by(width: usize, people: u64, leaves: u64) -> Problem {
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut counts = BTreeMap::new();
    for _ in 0..people {
        let codes: Vec<Code> = (0..width).map(|_| Code::try_from(draw(leaves)).unwrap()).collect();
        *counts.entry(codes).or_insert(Counts::default()) += Counts::new(1, u64::from(draw(8) == 0));
    }
    let columns = (0..width).map(|a| counts.keys().map(|codes| codes[a]).collect()).collect();
    let histogram = Histogram::new(columns, counts.into_values().collect()).unwrap();
    let quasi = (0..width)
        .map(|position| QuasiIdentifier { name: format!("q{position}"), hierarchy: hundred() })
        .collect();
    let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
    Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
}

/// Classes by labels, counted one combination after another.
fn naive(problem: &Problem, node: &Node) -> BTreeMap<Vec<u32>, Counts> {
    let mut classes = BTreeMap::new();
    for (index, &people) in problem.histogram().counts().iter().enumerate() {
        let codes = problem.histogram().combination(index);
        let levels = codes.iter().zip(node.levels()).enumerate();
        let label = |(attribute, (&code, &level)): (usize, (&Code, &Level))| {
            problem.hierarchy(attribute).labels_of(level)[code as usize]
        };
        *classes.entry(levels.map(label).collect()).or_insert(Counts::default()) += people;
    }
    classes
}

fn check(problem: &Problem) {
    let lattice = problem.lattice();
    let mut here = NodeClasses::of(problem, &lattice.bottom());
    for attribute in 0..lattice.width() {
        let coarser = lattice.coarser(here.node(), attribute).unwrap();
        here = here.at(problem, &coarser);
        assert_eq!(here, NodeClasses::of(problem, &coarser));
        let label = |class: usize| (0..lattice.width()).map(|a| here.labels(a)[class]).collect();
        let counted: Vec<(Vec<u32>, Counts)> =
            here.counts().iter().enumerate().map(|(class, &people)| (label(class), people)).collect();
        assert_eq!(counted, naive(problem, &coarser).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn classes_too_scattered_for_bits_are_sorted() {
    check(&scattered(6, 500));
}

#[test]
fn keys_too_long_for_64_bits_are_compressed() {
    check(&scattered(14, 500));
}

// holds: Neighbours count alike
#[test]
fn cores_that_share_a_pass_count_the_same() {
    check(&scattered(5, 2 * SHARED as u64));
}

//! The best node with its withdrawn classes, compared with all nodes and all subsets of their
//! classes.

use std::ops::ControlFlow;

use proptest::prelude::*;

use crate::{Config, Step, StopReason, best, bound, spalm};
use palmtop_core::metrics::{Metric, Metrics};
use palmtop_core::model::{
    Classes, Counts, Criteria, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Levels, Node,
    Presence, Problem, QuasiIdentifier, Recoding, Weights,
};
use palmtop_core::progress::unwatched;

/// Five leaves under labels of two, two and one leaves, so that the classes of a node have
/// different losses.
const UNEVEN: [[&str; 4]; 5] = [
    ["a", "ab", "abcd", "*"],
    ["b", "ab", "abcd", "*"],
    ["c", "cd", "abcd", "*"],
    ["d", "cd", "abcd", "*"],
    ["e", "e", "e", "*"],
];
/// Four leaves, three of them under one label.
const LOPSIDED: [[&str; 3]; 4] = [["p", "pqr", "*"], ["q", "pqr", "*"], ["r", "pqr", "*"], ["s", "s", "*"]];

#[derive(Clone, Debug)]
struct Drawn {
    /// The first value, the second value, the number of people, and the number of members.
    people: Vec<(u32, u32, u64, u64)>,
    min: (u64, u64),
    max: (u64, u64),
    share: u64,
    k: u64,
    forbid: bool,
    /// For each attribute, two levels: the finest and the coarsest permitted level, in any order.
    levels: [(u8, u8); 2],
    weights: [u32; 2],
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let people = prop::collection::vec((0..5_u32, 0..4_u32, 1..5_u64, 0..3_u64), 2..9);
    // Half of the cases permit every level.
    let all = |top: u8| prop_oneof![Just((0, top)), (0..=top, 0..=top)];
    let levels = (all(3), all(2)).prop_map(|(x, y)| [x, y]);
    let limits = (levels, prop_oneof![Just([1, 1]), [1..4_u32, 1..4_u32]]);
    (people, (0..3_u64, 4..9_u64), (1..6_u64, 2..8_u64), 5..90_u64, 1..4_u64, any::<bool>(), limits).prop_map(
        |(people, min, max, share, k, forbid, (levels, weights))| Drawn {
            people,
            min,
            max,
            share,
            k,
            forbid,
            levels,
            weights,
        },
    )
}

impl Drawn {
    /// The problem; `None` if the numbers are invalid, or if δmin is above δmax.
    fn problem(&self) -> Option<Problem> {
        let hierarchy = |chains: &[Vec<String>]| Hierarchy::new(Kind::Category, Level(0), chains).unwrap();
        let owned = |chain: &[&str]| chain.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let quasi = vec![
            QuasiIdentifier {
                name: "x".to_owned(),
                hierarchy: hierarchy(&UNEVEN.iter().map(|chain| owned(chain)).collect::<Vec<_>>()),
            },
            QuasiIdentifier {
                name: "y".to_owned(),
                hierarchy: hierarchy(&LOPSIDED.iter().map(|chain| owned(chain)).collect::<Vec<_>>()),
            },
        ];
        let mut counts = std::collections::BTreeMap::new();
        for &(x, y, public, private) in &self.people {
            *counts.entry((x, y)).or_insert(Counts::default()) += Counts::new(public, private.min(public));
        }
        let columns =
            vec![counts.keys().map(|key| key.0).collect(), counts.keys().map(|key| key.1).collect()];
        let histogram = Histogram::new(columns, counts.into_values().collect()).ok()?;
        let presence = |(above, below): (u64, u64)| Presence::new(above.min(below), below).unwrap();
        let delta = Delta::new(presence(self.min), presence(self.max)).ok()?;
        let empty = if self.forbid { EmptyRegions::Forbid } else { EmptyRegions::Allow };
        let k = self.k.to_string();
        let criteria = Criteria::read((self.k > 1).then_some(("k", k.as_str()))).unwrap();
        let share = format!("{}%", self.share).parse().unwrap();
        let problem = Problem::new(quasi, histogram, delta, empty).ok()?;
        let levels = self.levels.map(|(left, right)| Levels {
            finest: Some(Level(left.min(right))),
            coarsest: Some(Level(left.max(right))),
        });
        let problem =
            problem.with_levels(levels.to_vec()).unwrap().with_weights(Weights::of(self.weights.to_vec()));
        Some(problem.with_criteria(criteria).with_suppression(share))
    }
}

/// The cost of a node with some classes withdrawn, computed member by member.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn cost(problem: &Problem, metric: Metric, classes: &Classes, withdrawn: &[u32]) -> f64 {
    let members = problem.histogram().total().private as f64;
    let mut losses = vec![0.0; problem.quasi().len()];
    let mut squares = 0.0;
    for (number, class) in (0..).zip(classes.iter()) {
        let (members_of_class, is_out) = (class.counts.private as f64, withdrawn.contains(&number));
        squares += if is_out { members_of_class * members } else { members_of_class * members_of_class };
        for (attribute, loss) in losses.iter_mut().enumerate() {
            let hierarchy = problem.hierarchy(attribute);
            let of_label = f64::from(class.labels[attribute].leaves(hierarchy) - 1)
                / (hierarchy.leaf_count() - 1) as f64;
            *loss += members_of_class * if is_out { 1.0 } else { of_label } / members;
        }
    }
    let weights: Vec<f64> =
        (0..losses.len()).map(|attribute| f64::from(problem.weights().at(attribute))).collect();
    let all: f64 = weights.iter().sum();
    let weighed = || losses.iter().zip(&weights);
    match metric {
        // Each cell of a node has one term.
        Metric::Loss | Metric::Readable => weighed().map(|(loss, weight)| loss * weight).sum::<f64>() / all,
        Metric::LossGeometric => {
            weighed().map(|(loss, weight)| (1.0 + loss).powf(weight / all)).product::<f64>() - 1.0
        }
        Metric::Discernibility => squares,
    }
}

/// Whether a node may be released without these classes, by the definition.
fn is_allowed(problem: &Problem, classes: &Classes, withdrawn: &[u32]) -> bool {
    let (policy, total) = (problem.policy(), problem.histogram().total());
    let mut pool = Counts::default();
    for (class, counts) in (0..).zip(classes.all_counts()) {
        if counts.private == 0 || withdrawn.contains(&class) {
            pool += counts;
        } else if !policy.allows(counts) {
            return false;
        }
    }
    let (max, floor) = (policy.bounds().max(), policy.bounds().floor());
    let share = policy.suppression().share();
    let is_within = pool.public == 0 || (pool.presence() <= max && pool.presence() >= floor);
    is_within && pool.private * share.denominator() <= total.private * share.numerator()
}

/// The least cost over all nodes and all subsets of their classes.
fn least_of_all(problem: &Problem, metric: Metric) -> Option<f64> {
    let lattice = problem.lattice();
    let mut least: Option<f64> = None;
    for node in (0..lattice.len()).map(|rank| lattice.unrank(rank)) {
        let classes = Classes::of(problem, &Recoding::Node(node));
        let with: Vec<u32> = (0..)
            .zip(classes.all_counts())
            .filter(|(_, counts)| counts.private > 0)
            .map(|(class, _)| class)
            .collect();
        for subset in 0..1_u32 << with.len() {
            let chosen: Vec<u32> = (0..)
                .zip(&with)
                .filter(|(index, _)| subset >> index & 1 == 1)
                .map(|(_, &class)| class)
                .collect();
            if is_allowed(problem, &classes, &chosen) {
                let cost = cost(problem, metric, &classes, &chosen);
                least = Some(least.map_or(cost, |least| least.min(cost)));
            }
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: The pool is a class
    #[test]
    fn best_node_with_withdrawal_is_best_of_all(drawn in drawn()) {
        let Some(problem) = drawn.problem() else { return Ok(()) };
        for metric in Metric::ALL {
            let (found, report) = spalm(&problem, &Config { metric, ..Config::default() }, &mut unwatched);
            let least = least_of_all(&problem, metric);
            prop_assert_eq!(found.is_some(), least.is_some(), "{:?}", report.stop);
            let (Some(found), Some(least)) = (found, least) else { continue };
            let classes = Classes::of(&problem, &found);
            prop_assert!(classes.satisfy(problem.policy()));
            let value = Metrics::of(&problem, &found, &classes).value(metric);
            prop_assert!((value - least).abs() < 1e-9 * least.max(1.0), "{metric:?}: {value} instead of {least}");
            for patience in [1_u32, 3, 9] {
                let mut left = patience;
                let mut stopping = |_: Step| {
                    left = left.saturating_sub(1);
                    if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let config = Config { metric, ..Config::default() };
                let lower = spalm(&problem, &config, &mut stopping).1.lower;
                prop_assert!(lower.is_none_or(|lower| lower <= least), "{metric:?}: {lower:?} above {least}");
            }
            // The definitions agree with the release's figures, too.
            let complete = Classes::of(&problem, found.before_withdrawal());
            let withdrawn = match &found {
                Recoding::Withdrawn(withdrawal) => withdrawal.classes().to_vec(),
                _ => Vec::new(),
            };
            prop_assert!(is_allowed(&problem, &complete, &withdrawn));
            prop_assert!((cost(&problem, metric, &complete, &withdrawn) - value).abs() < 1e-9 * value.max(1.0));
            let most = problem.policy().suppression().most(problem.histogram().total().private);
            prop_assert!(classes.withdrawn() <= most);
            if metric == Metric::Loss {
                // `best` is never worse, and its release satisfies the policy.
                let (other, _) = best(&problem, &Config { rounds: Some(0), ..Config::default() }, &mut unwatched);
                let other = other.unwrap();
                let classes = Classes::of(&problem, &other);
                prop_assert!(classes.satisfy(problem.policy()));
                prop_assert!(Metrics::of(&problem, &other, &classes).value(metric) <= value + 1e-9);
                prop_assert!(bound(&problem, &mut unwatched).unwrap() <= value + 1e-12);
            }
        }
    }
}

/// A class for each value of `x`, with its numbers of people and of members.
fn line(people: &[(u64, u64)], (min, max): (&str, &str), share: &str) -> Problem {
    let chains: Vec<Vec<String>> =
        (0..people.len()).map(|leaf| vec![leaf.to_string(), "*".to_owned()]).collect();
    let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).unwrap();
    let counts = people.iter().map(|&(public, private)| Counts::new(public, private)).collect();
    let histogram = Histogram::new(vec![(0..).take(people.len()).collect()], counts).unwrap();
    let delta = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
    let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
    let problem = Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap();
    problem.with_suppression(share.parse().unwrap())
}

/// The node that is found, and the classes that are withdrawn from it.
fn found(problem: &Problem) -> (Node, Vec<u32>) {
    let (found, report) = spalm(problem, &Config::default(), &mut unwatched);
    assert_eq!(report.stop, StopReason::Done);
    match found.unwrap() {
        Recoding::Withdrawn(withdrawal) => {
            (withdrawal.before_withdrawal().node().unwrap().clone(), withdrawal.classes().to_vec())
        }
        Recoding::Node(node) => (node, Vec::new()),
        Recoding::Regions(_) => panic!("a node"),
    }
}

#[test]
fn pool_above_delta_adds_only_classes_it_needs() {
    // 2 of 4 is above 1/4. Alone it would be the pool, which is no better: it takes in 12 people
    // with 2 members.
    let problem = line(&[(4, 2), (12, 2), (40, 5), (12, 3)], ("0", "1/4"), "50%");
    let (node, withdrawn) = found(&problem);
    assert_eq!((node.to_string().as_str(), withdrawn.as_slice()), ("0", &[0, 1][..]));
    // If no further class may be withdrawn, everyone is in one class.
    assert_eq!(found(&line(&[(4, 2), (12, 2), (40, 5), (12, 3)], ("0", "1/4"), "20%")).0.to_string(), "1");
}

#[test]
fn empty_classes_in_the_pool_lower_its_presence() {
    let problem = line(&[(4, 2), (4, 0), (40, 5)], ("0", "1/4"), "30%");
    assert_eq!(found(&problem).1, [0]);
    assert_eq!(found(&line(&[(4, 2), (3, 0), (40, 5)], ("0", "1/4"), "30%")).0.to_string(), "1");
}

// holds: The pool is a class
#[test]
fn a_pool_below_delta_min_takes_in_members() {
    // A class of 4 people has no members. δmin = 1/10 permits it only in a pool with members.
    let problem = line(&[(4, 0), (6, 1), (30, 5), (30, 6)], ("1/10", "1/2"), "30%");
    assert_eq!(found(&problem).1, [1]);
    let policy = problem.policy();
    let released = Classes::of(&problem, &Recoding::Node(found(&problem).0).withdrawing(vec![1]));
    assert!(released.satisfy(policy));
    assert_eq!(released.pooled_counts(), Some(Counts::new(10, 1)));
    // A pool without enough members is rejected, and so is a pool with too many.
    let node = || Recoding::Node(found(&problem).0);
    assert!(!Classes::of(&problem, &node().withdrawing(vec![2, 3])).satisfy(policy));
    assert!(!Classes::of(&problem, &node()).satisfy(policy));
}

#[test]
fn other_criteria_apply_to_released_classes_only() {
    let criteria = Criteria::read([("k", "3")]).unwrap();
    let problem = line(&[(20, 1), (20, 3), (20, 4)], ("0", "1/2"), "15%").with_criteria(criteria);
    let (node, withdrawn) = found(&problem);
    assert_eq!((node.to_string().as_str(), withdrawn.as_slice()), ("0", &[0][..]));
    let classes = Classes::of(&problem, &Recoding::Node(node).withdrawing(withdrawn));
    assert!(classes.satisfy(problem.policy()) && classes.withdrawn() == 1 && classes.released() == 2);
}

#[test]
fn too_small_withdrawal_share_withdraws_nobody() {
    let problem = line(&[(4, 2), (4, 0), (40, 5)], ("0", "1/4"), "10%");
    assert!(!super::is_possible(&problem));
    assert_eq!(found(&problem).0.to_string(), "1");
}

#[test]
fn a_stopped_search_returns_a_result() {
    let problem = line(&[(4, 2), (4, 0), (40, 5)], ("0", "1/4"), "30%");
    let (found, report) = spalm(&problem, &Config::default(), &mut |_| ControlFlow::Break(()));
    assert_eq!(report.stop, StopReason::Cancelled);
    assert!(Classes::of(&problem, &found.unwrap()).satisfy(problem.policy()));
}

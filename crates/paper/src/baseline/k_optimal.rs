//! The k-anonymous node of T of least cost, for the least k whose node satisfies the policy.
//!
//! A node is k-anonymous if each class with members has at least k of them. Let K(node) be the size of
//! the smallest such class. In the order of cost, the optimum for k is the first node with K ≥ k, and it
//! stays the optimum up to k = K. So one walk in that order meets the optimum of every k.

use std::ops::ControlFlow;

use num_bigint::BigUint;
use palmtop_core::metrics::loss::extra_by_level;
use palmtop_core::metrics::{Metric, discernibility};
use palmtop_core::model::{Classes, Lattice, Level, Node, NodeIndex, Problem, Recoding, Rollup};
use palmtop_search::{LatticeSurvey, Observer, SearchReport, Step, StopReason};
use rayon::prelude::*;

use super::Found;

/// The number of nodes that all cores count between two questions to the observer.
const BATCH: usize = 512;

/// Ties of cost are broken by height, then by lexicographic order. A lattice with more than
/// [`LatticeSurvey::LIMIT`] nodes is not searched.
pub(super) fn k_optimal(problem: &Problem, metric: Metric, observer: &mut Observer) -> Found {
    let lattice = problem.lattice();
    let Some(index) = LatticeSurvey::index(&lattice) else {
        let stop = StopReason::TooLarge { nodes: lattice.len(), limit: LatticeSurvey::LIMIT };
        return report(&lattice, 0, None, stop);
    };
    let mut walk = Walk { problem, members: problem.members_alone(), lattice, index, counted: 0 };
    let found = walk.first(metric, observer);
    let Walk { lattice, counted, .. } = walk;
    match found {
        ControlFlow::Break(()) => report(&lattice, counted, None, StopReason::Cancelled),
        ControlFlow::Continue(None) => report(&lattice, counted, None, StopReason::None),
        ControlFlow::Continue(found) => report(&lattice, counted, found, StopReason::Done),
    }
}

fn report(lattice: &Lattice, checked: u64, found: Option<(Node, u64)>, stop: StopReason) -> Found {
    let (node, k) = found.unzip();
    let (nodes, checked) = (Some(lattice.len()), Some(checked));
    let report = SearchReport { nodes, checked, ..SearchReport::without_nodes(stop) };
    Found { recoding: node.map(Recoding::Node), k, report }
}

/// The counts of a node: the members of its smallest class with members, and its discernibility.
#[derive(Clone, Copy)]
struct Counted {
    least: u64,
    discernibility: u64,
}

struct Walk<'a> {
    problem: &'a Problem,
    /// The problem with T's combinations only.
    members: Problem,
    lattice: Lattice,
    index: NodeIndex,
    counted: u64,
}

impl Walk<'_> {
    /// The first node that satisfies the policy among the optima of every k, with its k.
    fn first(&mut self, metric: Metric, observer: &mut Observer) -> ControlFlow<(), Option<(Node, u64)>> {
        let mut order: Vec<u32> = (0..).take(self.index.len()).collect();
        let mut known: Option<Vec<Counted>> = None;
        let costs: Vec<BigUint> = match metric {
            // Each cell of a node has one term, so `readable` is the loss.
            Metric::Loss | Metric::Readable => self.losses(false),
            Metric::LossGeometric => self.losses(true),
            Metric::Discernibility => {
                let mut all = Vec::with_capacity(order.len());
                for ranks in order.chunks(BATCH) {
                    all.extend(self.count(ranks, observer)?);
                }
                known.insert(all).iter().map(|counted| counted.discernibility.into()).collect()
            }
        };
        let key = |rank: u32| (&costs[rank as usize], self.index.height(rank as usize), rank);
        order.par_sort_unstable_by(|&left, &right| key(left).cmp(&key(right)));
        let mut k = 1;
        for ranks in order.chunks(BATCH) {
            let counted = match &known {
                Some(known) => ranks.iter().map(|&rank| known[rank as usize]).collect(),
                None => self.count(ranks, observer)?,
            };
            for (&rank, Counted { least, .. }) in ranks.iter().zip(counted) {
                if least < k {
                    continue;
                }
                observer(Step::of(self.counted, self.lattice.len()))?;
                let node = self.lattice.unrank(u64::from(rank));
                let classes = Classes::of(self.problem, &Recoding::Node(node.clone()));
                if classes.satisfy(self.problem.policy()) {
                    return ControlFlow::Continue(Some((node, k)));
                }
                k = least + 1;
            }
        }
        ControlFlow::Continue(None)
    }

    /// The loss of every node by rank, times a factor that is the same for all. The numbers are exact, so
    /// equal losses tie, whatever the order of summation.
    fn losses(&self, is_geometric: bool) -> Vec<BigUint> {
        let attributes = 0..self.problem.quasi().len();
        let rows = self.problem.histogram().total().private;
        let parts: Vec<u64> = attributes
            .clone()
            .map(|attribute| u64::from(self.problem.hierarchy(attribute).denoted_leaves() - 1).max(1))
            .collect();
        let bottom = self.lattice.bottom();
        // For each quasi-identifier and step, the term of the sum or the factor of the product.
        let by_step = attributes.map(|attribute| -> Vec<BigUint> {
            let (part, weight) = (parts[attribute], self.problem.weights().at(attribute));
            let others: BigUint =
                (0..parts.len()).filter(|other| *other != attribute).map(|other| parts[other]).product();
            let extra = extra_by_level(self.problem, attribute);
            let first = bottom.levels()[attribute].0;
            let level =
                |step: usize| Level(first + u8::try_from(step).expect("a hierarchy has at most 255 levels"));
            let of_step = |step: usize| {
                let extra = extra(level(step));
                if is_geometric {
                    (BigUint::from(part) * rows + extra).pow(weight)
                } else {
                    &others * extra * weight
                }
            };
            (0..self.lattice.span(attribute)).map(of_step).collect()
        });
        let by_step: Vec<Vec<BigUint>> = by_step.collect();
        let cost = |rank: usize| -> BigUint {
            let terms = by_step.iter().enumerate();
            let terms = terms.map(|(attribute, terms)| &terms[self.index.step(rank, attribute)]);
            if is_geometric { terms.product() } else { terms.sum() }
        };
        (0..self.index.len()).into_par_iter().map(cost).collect()
    }

    /// Counts a batch of nodes.
    fn count(&mut self, ranks: &[u32], observer: &mut Observer) -> ControlFlow<(), Vec<Counted>> {
        observer(Step::of(self.counted, self.lattice.len()))?;
        let count = |rollup: &mut Rollup, &rank: &u32| {
            let node = self.lattice.unrank(u64::from(rank));
            let classes = rollup.counts(&self.members, node.levels()).iter();
            let sizes = classes.map(|class| class.private).filter(|&size| size > 0);
            Counted {
                least: sizes.clone().min().unwrap_or(0),
                discernibility: discernibility::of_private_counts(sizes),
            }
        };
        let counted = ranks.par_iter().map_init(Rollup::new, count).collect();
        self.counted += ranks.len() as u64;
        ControlFlow::Continue(counted)
    }
}

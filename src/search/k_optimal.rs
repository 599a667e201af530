//! Baseline: optimal full-domain k-anonymity, which does not look at δ (the paper's comparison in section 7).

use std::cmp::Ordering;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::crew::{Crew, watched};
use super::floors::Floors;
use super::objective::{Objective, height};
use super::{Config, LatticeSurvey, Observer, SearchReport, Step, StopReason};
use crate::metrics::discernibility;

use crate::model::{Histogram, Node, Problem, Recoding, Rollup};

/// How many nodes are counted between two looks at whether to go on, on all cores.
const BATCH: usize = 512;

/// For k = 1, 2, 3, …: the k-anonymous node of least `config.metric`, ties by height, then lexicographically; the first
/// that is δ-present. With `config.k`, that k's node whatever its verdict.
///
/// k counts T's rows: a node is k-anonymous if each of its classes with private people has at least k of them. Let K(node)
/// be the least such class. In the order of the metric, the optimum for k is the first node with K ≥ k, and it stays the
/// optimum up to k = K; so one walk in that order meets the optimum of every k. O(n·t·m) for n nodes, t distinct
/// combinations of T and m quasi-identifiers, on all cores.
///
/// A lattice beyond [`LatticeSurvey::LIMIT`] is not searched: it stops as cancelled.
pub fn k_optimal(
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    let nodes = problem.lattice().len();
    let report = |checked: u64, k: Option<u64>, stop| SearchReport {
        nodes: Some(nodes),
        checked: Some(checked),
        k,
        ..SearchReport::without_nodes(stop)
    };
    if config.k.is_none() && !problem.feasibility().holds() {
        return (None, report(0, None, StopReason::Infeasible));
    }
    if !LatticeSurvey::fits(&problem.lattice()) {
        return (None, report(0, None, StopReason::Cancelled));
    }
    let (found, checked) = watched(observer, |crew| {
        let mut walk = Walk::new(problem, crew);
        let found = walk.find(config);
        (found, walk.counted)
    });
    match found {
        ControlFlow::Break(()) => (None, report(checked, None, StopReason::Cancelled)),
        // Its k is above every class, or even the optimum of the last k breaks δ.
        ControlFlow::Continue(None) => (None, report(checked, config.k, StopReason::None)),
        ControlFlow::Continue(Some((node, k))) => {
            (Some(Recoding::Node(node)), report(checked, Some(k), StopReason::Done))
        }
    }
}

/// A node by its number among all, its least private class, and its discernibility.
#[derive(Clone, Copy, Debug)]
struct Counted {
    least: u64,
    discernibility: u64,
}

/// A walk over all nodes in the order of the metric.
struct Walk<'a> {
    problem: &'a Problem,
    crew: &'a Crew<'a>,
    /// T alone: its combinations with private people, and nothing else.
    private: Problem,
    all: Floors,
    counted: u64,
}

impl<'a> Walk<'a> {
    fn new(problem: &'a Problem, crew: &'a Crew<'a>) -> Self {
        Self { problem, crew, private: private(problem), all: Floors::none(problem), counted: 0 }
    }

    /// The first node that will do, with its k, if any does.
    fn find(&mut self, config: &Config) -> ControlFlow<(), Option<(Node, u64)>> {
        let (order, known) = self.order(config)?;
        let mut k = config.k.unwrap_or(1);
        let mut rollup = Rollup::new();
        for (batch, ranks) in order.chunks(BATCH).enumerate() {
            let counted = match &known {
                Some(known) => ranks.iter().map(|&rank| known[rank]).collect(),
                None => self.count(ranks, batch * BATCH)?,
            };
            for (&rank, counted) in ranks.iter().zip(counted) {
                if counted.least < k {
                    continue;
                }
                let node = self.node(rank);
                let mut classes = rollup.counts(self.problem, node.levels()).iter();
                if config.k.is_some() || classes.all(|&class| self.problem.delta().allows(class)) {
                    return ControlFlow::Continue(Some((node, k)));
                }
                k = counted.least + 1;
            }
        }
        ControlFlow::Continue(None)
    }

    /// All nodes by metric, height and lexicographic order; and what was counted of them, where the metric needs it.
    fn order(&mut self, config: &Config) -> ControlFlow<(), (Vec<usize>, Option<Vec<Counted>>)> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        match Objective::of(self.problem, config.metric, &self.all) {
            Objective::Known(costs) => {
                let mut keyed: Vec<(f64, usize)> =
                    order.par_iter().map(|&rank| (costs.value(&self.steps(rank)), rank)).collect();
                keyed.par_sort_unstable_by(|left, right| {
                    let (left_steps, right_steps) = (self.steps(left.1), self.steps(right.1));
                    costs
                        .compare((left.0, &left_steps), (right.0, &right_steps))
                        .then_with(|| by_height(&left_steps, &right_steps))
                });
                self.crew.go_on()?;
                order = keyed.into_iter().map(|(_, rank)| rank).collect();
                ControlFlow::Continue((order, None))
            }
            Objective::Counted => {
                let mut counted = Vec::with_capacity(order.len());
                for (batch, ranks) in order.chunks(BATCH).enumerate() {
                    counted.extend(self.count(ranks, batch * BATCH)?);
                }
                order.par_sort_unstable_by(|&left, &right| {
                    let by_metric = counted[left].discernibility.cmp(&counted[right].discernibility);
                    by_metric.then_with(|| by_height(&self.steps(left), &self.steps(right)))
                });
                ControlFlow::Continue((order, Some(counted)))
            }
        }
    }

    /// Counts some nodes; `done` were before them.
    fn count(&mut self, ranks: &[usize], done: usize) -> ControlFlow<(), Vec<Counted>> {
        let step = Step { done: done as u64, total: self.all.len() as u64, best: None, rounds: None };
        self.crew.report(step)?;
        let private = &self.private;
        self.counted += ranks.len() as u64;
        let count = |rollup: &mut Rollup, &rank: &usize| {
            let classes = rollup.counts(private, self.node(rank).levels());
            let sizes = || classes.iter().map(|class| class.private).filter(|&size| size > 0);
            let discernibility = discernibility::of_private_counts(sizes());
            Counted { least: sizes().min().unwrap_or(0), discernibility }
        };
        ControlFlow::Continue(ranks.par_iter().map_init(Rollup::new, count).collect())
    }

    fn steps(&self, rank: usize) -> Vec<u8> {
        let mut steps = vec![0; self.all.spans().len()];
        self.all.steps(rank, &mut steps);
        steps
    }

    fn node(&self, rank: usize) -> Node {
        self.all.node(&self.steps(rank))
    }
}

fn by_height(left: &[u8], right: &[u8]) -> Ordering {
    height(left).cmp(&height(right)).then_with(|| left.cmp(right))
}

/// The same attributes over T alone.
fn private(problem: &Problem) -> Problem {
    let histogram = problem.histogram();
    let members: Vec<usize> =
        (0..histogram.len()).filter(|&index| histogram.counts()[index].private > 0).collect();
    let column = |attribute| members.iter().map(|&index| histogram.column(attribute)[index]).collect();
    let columns = (0..histogram.width()).map(column).collect();
    let counts = members.iter().map(|&index| histogram.counts()[index]).collect();
    let quasi = problem.quasi().to_vec();
    let alone = Histogram::new(columns, counts)
        .and_then(|histogram| Problem::new(quasi, histogram, problem.delta(), problem.empty_regions()));
    // It cannot fail; all people would give the same classes of T, only more slowly.
    alone.unwrap_or_else(|_| problem.clone())
}

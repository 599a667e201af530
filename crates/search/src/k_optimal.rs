//! Baseline: optimal full-domain k-anonymity, which ignores δ (the comparison in section 7 of the
//! paper).

use std::cmp::Ordering;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::cost::Costs;
use super::objective::{Objective, height};
use super::order::Sorted;
use super::pace::Pace;
use super::value_judge::NodeValueJudge;
use super::worker_pool::{WorkerPool, watched};
use super::{Config, LatticeSurvey, Observer, SearchReport, Step, StopReason};
use palmtop_core::metrics::discernibility;

use palmtop_core::model::size;
use palmtop_core::model::{Lattice, Node, NodeIndex, Policy, Problem, Recoding, Rollup};

/// The number of nodes that all cores count between two questions to the observer.
const BATCH: usize = 512;
/// The number of nodes that a core evaluates at a time.
const SHARE: u32 = 1 << 13;

/// Computes the k-anonymous node of least `config.metric` for k = 1, 2, 3, …, and returns the first
/// that satisfies the policy. Ties are broken by height, then by lexicographic order. If `config.k`
/// is given, it returns that k's node, whatever its verdict.
///
/// k counts the members of T: a node is k-anonymous if each class with members has at least k of
/// them. Let K(node) be the size of the smallest such class. In the order of the metric, the
/// optimum for k is the first node with K ≥ k, and it stays the optimum up to k = K. So one walk in
/// that order meets the optimum of every k.
///
/// Complexity: O(n·t·m) for n nodes, t distinct combinations of T and m quasi-identifiers, on all
/// cores. A lattice with more than [`LatticeSurvey::LIMIT`] nodes is not searched.
pub fn k_optimal(
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    let nodes = problem.lattice().len();
    let report = |checked: u64, k: Option<u64>, stop| SearchReport {
        k,
        ..SearchReport::of_nodes(nodes, checked, None, stop)
    };
    if config.k.is_none() && !problem.feasibility().holds() {
        return (None, report(0, None, StopReason::Infeasible));
    }
    let Some(all) = LatticeSurvey::index(&problem.lattice()) else {
        return (None, report(0, None, LatticeSurvey::too_large(&problem.lattice())));
    };
    let (found, checked) = watched(observer, |pool| {
        let mut walk = Walk::new(problem, all, pool);
        let found = walk.find(config);
        (found, walk.counted)
    });
    match found {
        ControlFlow::Break(()) => (None, report(checked, None, StopReason::Cancelled)),
        // The given k exceeds every class, or even the optimum of the last k breaks δ.
        ControlFlow::Continue(None) => (None, report(checked, config.k, StopReason::None)),
        ControlFlow::Continue(Some((node, k))) => {
            (Some(Recoding::Node(node)), report(checked, Some(k), StopReason::Done))
        }
    }
}

/// The counts of a node: the members of its smallest class with members, and its discernibility.
#[derive(Clone, Copy, Debug)]
struct Counted {
    least: u64,
    discernibility: u64,
}

/// A walk over all nodes in the order of the metric.
struct Walk<'a> {
    problem: &'a Problem,
    pool: &'a WorkerPool<'a>,
    /// The problem with T's combinations only.
    private: Problem,
    /// The criteria on counts; `values` has those on sensitive values.
    on_counts: Policy,
    values: Option<NodeValueJudge>,
    lattice: Lattice,
    all: NodeIndex,
    counted: u64,
}

impl<'a> Walk<'a> {
    fn new(problem: &'a Problem, all: NodeIndex, pool: &'a WorkerPool<'a>) -> Self {
        Self {
            problem,
            pool,
            private: problem.members_alone(),
            on_counts: problem.policy().on_counts(),
            values: NodeValueJudge::of(problem),
            lattice: problem.lattice(),
            all,
            counted: 0,
        }
    }

    /// The first suitable node with its k, in the order of metric, height and lexicographic rank.
    fn find(&mut self, config: &Config) -> ControlFlow<(), Option<(Node, u64)>> {
        let nodes = size::number(self.all.len());
        let mut ask = |_: Step| self.pool.go_on();
        let objective = Objective::of(
            self.problem,
            config.metric,
            self.lattice.bottom().levels(),
            &mut Pace::new(&mut ask, 0),
        )?;
        let all = self.all.clone();
        match objective {
            Objective::Known(costs) => {
                let values = self.values(&costs, nodes)?;
                let compare = |left: u32, right: u32| {
                    let value = |rank: u32| values[rank as usize];
                    if costs.are_apart(value(left), value(right)) {
                        return value(left).total_cmp(&value(right));
                    }
                    let (left_steps, right_steps) = (steps(&all, left), steps(&all, right));
                    let by_cost = costs.compare((value(left), &left_steps), (value(right), &right_steps));
                    by_cost.then_with(|| by_height(&left_steps, &right_steps))
                };
                let sorted = Sorted::below(nodes, &compare, self.pool)?;
                self.first(sorted, None, config)
            }
            Objective::Counted => {
                let mut counted = Vec::with_capacity(self.all.len());
                let everything: Vec<u32> = (0..nodes).collect();
                for ranks in everything.chunks(BATCH) {
                    counted.extend(self.count(ranks)?);
                }
                let compare = |left: u32, right: u32| {
                    let squares = |rank: u32| counted[rank as usize].discernibility;
                    let by_metric = squares(left).cmp(&squares(right));
                    by_metric.then_with(|| by_height(&steps(&all, left), &steps(&all, right)))
                };
                let sorted = Sorted::below(nodes, &compare, self.pool)?;
                self.first(sorted, Some(&counted), config)
            }
        }
    }

    /// The first suitable node in a given order. `known` has the counts of each node, if they are
    /// known.
    fn first(
        &mut self,
        mut sorted: Sorted,
        known: Option<&[Counted]>,
        config: &Config,
    ) -> ControlFlow<(), Option<(Node, u64)>> {
        let mut k = config.k.unwrap_or(1);
        let mut rollup = Rollup::new();
        loop {
            self.pool.go_on()?;
            let ranks: Vec<u32> = sorted.by_ref().take(BATCH).collect();
            if ranks.is_empty() {
                return ControlFlow::Continue(None);
            }
            let counted = match known {
                Some(known) => ranks.iter().map(|&rank| known[rank as usize]).collect(),
                None => self.count(&ranks)?,
            };
            for (&rank, counted) in ranks.iter().zip(counted) {
                if counted.least < k {
                    continue;
                }
                self.pool.go_on()?;
                let node = self.node(rank);
                let mut classes = rollup.counts(self.problem, node.levels()).iter();
                let mut on_counts = || classes.all(|&class| self.on_counts.allows(class));
                let mut on_values =
                    || self.values.as_mut().is_none_or(|values| values.breaks(node.levels()).is_none());
                if config.k.is_some() || on_counts() && on_values() {
                    return ControlFlow::Continue(Some((node, k)));
                }
                k = counted.least + 1;
            }
        }
    }

    /// The value ([`Costs::value`]) of every node.
    fn values(&self, costs: &Costs, nodes: u32) -> ControlFlow<(), Vec<f64>> {
        let mut values = vec![0.0; nodes as usize];
        let value = |(share, values): (u32, &mut [f64])| {
            self.pool.go_on()?;
            let mut steps = vec![0; self.all.spans().len()];
            for (rank, value) in (share * SHARE..).zip(values) {
                self.all.steps(rank as usize, &mut steps);
                *value = costs.value(&steps);
            }
            ControlFlow::Continue(())
        };
        let shares = values.chunks_mut(SHARE as usize).zip(0..).map(|(values, share)| (share, values));
        shares.collect::<Vec<_>>().into_par_iter().try_for_each(value)?;
        ControlFlow::Continue(values)
    }

    /// Counts a batch of nodes.
    fn count(&mut self, ranks: &[u32]) -> ControlFlow<(), Vec<Counted>> {
        let step = Step::of(self.counted, self.all.len() as u64);
        self.pool.report(step)?;
        let private = &self.private;
        let count = |rollup: &mut Rollup, &rank: &u32| {
            self.pool.go_on().continue_value()?;
            let classes = rollup.counts(private, self.node(rank).levels());
            let sizes = || classes.iter().map(|class| class.private).filter(|&size| size > 0);
            let discernibility = discernibility::of_private_counts(sizes());
            Some(Counted { least: sizes().min().unwrap_or(0), discernibility })
        };
        let counted: Option<Vec<Counted>> = ranks.par_iter().map_init(Rollup::new, count).collect();
        let Some(counted) = counted else { return ControlFlow::Break(()) };
        self.counted += ranks.len() as u64;
        ControlFlow::Continue(counted)
    }

    fn node(&self, rank: u32) -> Node {
        self.lattice.unrank(u64::from(rank))
    }
}

/// The steps of the node with this rank.
fn steps(all: &NodeIndex, rank: u32) -> Vec<u8> {
    let mut steps = vec![0; all.spans().len()];
    all.steps(rank as usize, &mut steps);
    steps
}

fn by_height(left: &[u8], right: &[u8]) -> Ordering {
    height(left).cmp(&height(right)).then_with(|| left.cmp(right))
}

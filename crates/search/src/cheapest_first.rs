//! SPALM's bookkeeping on a lattice that fits in memory: a mark for each failing node, and the open
//! nodes in order.
//!
//! A node is *open* if it is not known to fail. [`Antichain`](super::antichain) does the same for
//! lattices that do not fit.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::base_counts::{BaseCounts, Failure};
use super::cost::Costs;
use super::failure_index::FailureIndex;
use super::objective::Objective;
use super::pace::Pace;
use super::spalm::{Failures, SpalmSearch};
use super::tally::Tally;
use palmtop_core::model::NodeIndex;

/// The number of failing nodes after which a search descends to a better fallback, in case it is
/// stopped. The number quadruples after each descent.
const PATIENCE: u64 = 64;
/// The cost of computing one step of a node from its rank, in look-ups.
const DIVIDING: usize = 8;

/// The nodes above the floors: marks on the failing nodes, and the costs of the others.
pub(super) struct Open<W> {
    marks: FailureIndex<W>,
    costs: OpenCosts,
}

/// The open nodes in lexicographic order.
enum OpenCosts {
    /// All nodes are listed only when needed: the finest node is the cheapest, and most nodes will
    /// be known to fail before a list is needed.
    All,
    /// The cost is known before counting: each node's value and rank.
    Known(Vec<(f64, usize)>),
    /// Discernibility: the ranks of the nodes, and the costs counted so far.
    Counted(Vec<usize>, FxHashMap<usize, u64>),
}

impl OpenCosts {
    /// Lists the nodes without a mark.
    fn list<W: Tally>(
        marks: &FailureIndex<W>,
        objective: &Objective,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let index = marks.index();
        let open = (0..index.len()).filter(|&rank| !marks.fails(rank));
        let Objective::Known(costs) = objective else {
            return ControlFlow::Continue(Self::Counted(open.collect(), FxHashMap::default()));
        };
        let mut steps = vec![0; index.spans().len()];
        let mut nodes = Vec::with_capacity(index.len() - marks.failing());
        for rank in open {
            pace.spend(steps.len() * DIVIDING)?;
            index.steps(rank, &mut steps);
            nodes.push((costs.value(&steps), rank));
        }
        ControlFlow::Continue(Self::Known(nodes))
    }
}

impl<W: Tally> Open<W> {
    /// All nodes above the floors, none marked.
    pub(super) fn new(index: NodeIndex) -> Self {
        Self { marks: FailureIndex::new(index), costs: OpenCosts::All }
    }

    /// The open node of least cost, then of least height, then the lexicographically first.
    fn cheapest(
        &mut self,
        base_counts: &mut BaseCounts<W>,
        objective: &Objective,
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Vec<u8>>> {
        if matches!(self.costs, OpenCosts::All) {
            if self.marks.failing() == 0 {
                return ControlFlow::Continue(Some(vec![0; self.marks.index().spans().len()]));
            }
            self.costs = OpenCosts::list(&self.marks, objective, pace)?;
        }
        let marks = &self.marks;
        let rank = match (&mut self.costs, objective) {
            (OpenCosts::Known(nodes), Objective::Known(costs)) => {
                pace.spend(nodes.len())?;
                nodes.retain(|(_, rank)| !marks.fails(*rank));
                let mut best: Option<(f64, usize)> = None;
                for &next in nodes.iter() {
                    best = Some(match best {
                        Some(best) => least(costs, marks.index(), best, next, pace)?,
                        None => next,
                    });
                }
                best.map(|best| best.1)
            }
            (OpenCosts::Counted(nodes, known), _) => {
                nodes.retain(|rank| !marks.fails(*rank));
                least_counted(nodes, known, marks, base_counts, pace)?
            }
            // `list` never returns either.
            (OpenCosts::All, _) | (OpenCosts::Known(_), Objective::Counted) => None,
        };
        ControlFlow::Continue(rank.map(|rank| {
            let mut steps = vec![0; self.marks.index().spans().len()];
            self.marks.index().steps(rank, &mut steps);
            steps
        }))
    }
}

impl<W: Tally> Failures<W> for Open<W> {
    fn covers(&self, steps: &[u8], _: &mut Pace) -> ControlFlow<(), bool> {
        ControlFlow::Continue(self.marks.fails(self.marks.index().rank(steps)))
    }

    fn learn(
        &mut self,
        base_counts: &mut BaseCounts<W>,
        steps: &[u8],
        failure: Failure,
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        match failure {
            Failure::Witness(witness) => {
                self.marks.sweep(base_counts, self.marks.index().rank(steps), witness, pace)
            }
            Failure::UpTo(raised) => self.marks.mark(self.marks.index().rank(&raised), pace),
        }
    }

    fn open(&self) -> Option<u64> {
        Some((self.marks.index().len() - self.marks.failing()) as u64)
    }

    /// Counts the cheapest open node, until one keeps δ.
    fn search(search: &mut SpalmSearch<W, Self>, pace: &mut Pace) -> ControlFlow<()> {
        let mut patience = PATIENCE;
        loop {
            let least = search.failures.cheapest(&mut search.base_counts, &search.objective, pace)?;
            let Some(steps) = least else { return ControlFlow::Continue(()) };
            if search.objective.known(&steps).is_some_and(|value| search.is_useless(value)) {
                return ControlFlow::Continue(());
            }
            // All cheaper nodes are known to fail, so that this cost is a lower bound.
            let least = search.objective.price(&mut search.base_counts, steps.clone(), pace)?;
            search.prove(least.value);
            if search.keeps_delta(&steps, pace)? {
                let best = search.objective.price(&mut search.base_counts, steps, pace)?;
                search.settle(best);
                return ControlFlow::Continue(());
            }
            if search.failed >= patience {
                patience *= 4;
                search.descend(pace)?;
            }
        }
    }
}

/// The cheaper of two nodes; `left` is the lexicographically first.
fn least(
    costs: &Costs,
    index: &NodeIndex,
    left: (f64, usize),
    right: (f64, usize),
    pace: &mut Pace,
) -> ControlFlow<(), (f64, usize)> {
    // The values nearly always differ clearly. Only close values need the exact comparison.
    if right.0 > left.0 * (1.0 + 1e-8) {
        return ControlFlow::Continue(left);
    }
    pace.spend(index.spans().len() * DIVIDING * 8)?;
    let (mut left_steps, mut right_steps) = (vec![0; index.spans().len()], vec![0; index.spans().len()]);
    index.steps(left.1, &mut left_steps);
    index.steps(right.1, &mut right_steps);
    let by_cost = costs.compare((left.0, &left_steps), (right.0, &right_steps));
    ControlFlow::Continue(match by_cost.then_with(|| index.height(left.1).cmp(&index.height(right.1))) {
        Ordering::Greater => right,
        Ordering::Less | Ordering::Equal => left,
    })
}

/// The open node of least discernibility. Discernibility never falls towards the top, so that only
/// minimal open nodes are counted.
fn least_counted<W: Tally>(
    nodes: &[usize],
    known: &mut FxHashMap<usize, u64>,
    marks: &FailureIndex<W>,
    base_counts: &mut BaseCounts<W>,
    pace: &mut Pace,
) -> ControlFlow<(), Option<usize>> {
    let index = marks.index();
    let mut steps = vec![0; index.spans().len()];
    let mut best: Option<(u64, usize, usize)> = None;
    for &rank in nodes {
        pace.spend(DIVIDING)?;
        if !is_minimal(marks, rank) {
            continue;
        }
        pace.spend(steps.len() * DIVIDING)?;
        let cost = if let Some(&cost) = known.get(&rank) {
            cost
        } else {
            index.steps(rank, &mut steps);
            let cost = base_counts.discernibility(&steps, pace)?;
            known.insert(rank, cost);
            cost
        };
        let here = (cost, index.height(rank), rank);
        best = Some(best.map_or(here, |best| best.min(here)));
    }
    ControlFlow::Continue(best.map(|best| best.2))
}

/// Whether every node that is one level finer fails.
fn is_minimal<W: Tally>(marks: &FailureIndex<W>, rank: usize) -> bool {
    !marks.index().any_finer(rank, |finer| !marks.fails(finer))
}

//! SPALM on a lattice that fits in memory: it counts the cheapest open node, until one keeps δ.
//!
//! A node is *open* if it is not known to fail.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::cheapest_search::CheapestSearch;
use super::failure_index::FailureIndex;
use crate::control::pace::Pace;
use crate::counts::cost::Costs;
use crate::counts::counter::Counter;
use crate::counts::objective::Objective;
use crate::counts::tally::Tally;
use palmtop_core::model::NodeIndex;

/// The number of failing nodes after which a search descends to a better fallback, in case it is
/// stopped. The number quadruples after each descent.
const PATIENCE: u64 = 64;
/// The cost of computing one step of a node from its rank, in look-ups.
const DIVIDING: usize = 8;

/// Counts the cheapest open node, until one keeps δ.
pub(crate) fn cheapest_first<W: Tally>(
    search: &mut CheapestSearch<W, FailureIndex<W>>,
    pace: &mut Pace,
) -> ControlFlow<()> {
    let (mut patience, mut open) = (PATIENCE, OpenCosts::All);
    loop {
        let Some(steps) = cheapest(&mut open, search, pace)? else { return ControlFlow::Continue(()) };
        if search.judge.objective.known(&steps).is_some_and(|value| search.is_useless(value)) {
            return ControlFlow::Continue(());
        }
        // All cheaper nodes are known to fail, so that this cost is a lower bound.
        let least = search.price(steps.clone(), pace)?;
        search.prove(least.value);
        if search.visit(&steps, pace)? {
            let best = search.price(steps, pace)?;
            search.settle(best);
            return ControlFlow::Continue(());
        }
        if search.seen().failed >= patience {
            patience *= 4;
            search.descend(pace)?;
        }
    }
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

/// The open node of least cost, then of least height, then the lexicographically first.
fn cheapest<W: Tally>(
    open: &mut OpenCosts,
    search: &mut CheapestSearch<W, FailureIndex<W>>,
    pace: &mut Pace,
) -> ControlFlow<(), Option<Vec<u8>>> {
    let (marks, objective) = (&search.failures, &search.judge.objective);
    let width = marks.index().spans().len();
    if matches!(open, OpenCosts::All) {
        if marks.failing() == 0 {
            return ControlFlow::Continue(Some(vec![0; width]));
        }
        *open = OpenCosts::list(marks, objective, pace)?;
    }
    let rank = match (open, objective) {
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
            least_counted(nodes, known, marks, &mut search.counter, pace)?
        }
        // `list` never returns either.
        (OpenCosts::All, _) | (OpenCosts::Known(_), Objective::Counted) => None,
    };
    ControlFlow::Continue(rank.map(|rank| {
        let mut steps = vec![0; width];
        search.failures.index().steps(rank, &mut steps);
        steps
    }))
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
    counter: &mut Counter<W>,
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
            let cost = counter.discernibility(&steps, pace)?;
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

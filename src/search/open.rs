//! Failures on a lattice small enough to hold: a mark a node, and the open nodes in order.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::cost::Costs;
use super::floors::Floors;
use super::ground::Ground;
use super::marks::Marks;
use super::objective::Objective;
use super::spalm::Failures;
use super::tally::Tally;

/// The nodes above the floors: those known to fail, and the others with what is known of their cost.
pub(super) struct Open<W> {
    marks: Marks<W>,
    costs: OpenCosts,
}

/// The open nodes in lexicographic order.
enum OpenCosts {
    /// Costs are known before counting: each node's value and number.
    Known(Vec<(f64, usize)>),
    /// Discernibility: the nodes' numbers, and the cost of every node that it was counted for, else 0 (no cost is 0).
    Counted(Vec<usize>, Vec<u64>),
}

impl<W: Tally> Open<W> {
    /// All nodes above the floors, open.
    pub(super) fn new(floors: &Floors, objective: &Objective) -> Self {
        let mut steps = vec![0; floors.spans().len()];
        let ranks = 0..floors.len();
        let costs = match objective {
            Objective::Counted => OpenCosts::Counted(ranks.collect(), vec![0; floors.len()]),
            Objective::Known(costs) => {
                let value = |rank| {
                    floors.steps(rank, &mut steps);
                    (costs.value(&steps), rank)
                };
                OpenCosts::Known(ranks.map(value).collect())
            }
        };
        Self { marks: Marks::new(floors.clone()), costs }
    }
}

impl<W: Tally> Failures<W> for Open<W> {
    fn covers(&self, steps: &[u8]) -> bool {
        self.marks.fails(self.marks.floors().rank(steps))
    }

    fn learn(
        &mut self,
        ground: &Ground<W>,
        _: &[u8],
        witness: usize,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.marks.sweep(ground, witness, go_on)
    }

    fn cheapest(
        &mut self,
        ground: &mut Ground<W>,
        objective: &Objective,
        _: &[u8],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Vec<u8>>> {
        let marks = &self.marks;
        let rank = match (&mut self.costs, objective) {
            (OpenCosts::Known(nodes), Objective::Known(costs)) => {
                nodes.retain(|(_, rank)| !marks.fails(*rank));
                nodes
                    .iter()
                    .copied()
                    .reduce(|best, next| least(costs, marks.floors(), best, next))
                    .map(|best| best.1)
            }
            (OpenCosts::Counted(nodes, known), _) => {
                nodes.retain(|rank| !marks.fails(*rank));
                least_counted(nodes, known, marks, ground, go_on)?
            }
            (OpenCosts::Known(_), Objective::Counted) => None,
        };
        ControlFlow::Continue(rank.map(|rank| {
            let mut steps = vec![0; self.marks.floors().spans().len()];
            self.marks.floors().steps(rank, &mut steps);
            steps
        }))
    }

    fn failing(&self) -> Option<u64> {
        Some(self.marks.failing() as u64)
    }
}

/// The cheaper of two nodes, `left` being lexicographically first.
fn least(costs: &Costs, floors: &Floors, left: (f64, usize), right: (f64, usize)) -> (f64, usize) {
    // Nearly always the values are far apart; only where they are not is more looked at.
    if right.0 > left.0 * (1.0 + 1e-8) {
        return left;
    }
    let (mut own, mut other) = (vec![0; floors.spans().len()], vec![0; floors.spans().len()]);
    floors.steps(left.1, &mut own);
    floors.steps(right.1, &mut other);
    let by_cost = costs.compare((left.0, &own), (right.0, &other));
    match by_cost.then_with(|| floors.height(left.1).cmp(&floors.height(right.1))) {
        Ordering::Greater => right,
        Ordering::Less | Ordering::Equal => left,
    }
}

/// The open node of least discernibility. It never falls towards the top, so only minimal open nodes are counted.
fn least_counted<W: Tally>(
    nodes: &[usize],
    known: &mut [u64],
    marks: &Marks<W>,
    ground: &mut Ground<W>,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Option<usize>> {
    let floors = marks.floors();
    let mut steps = vec![0; floors.spans().len()];
    let mut best: Option<(u64, usize, usize)> = None;
    for &rank in nodes.iter().filter(|rank| is_minimal(marks, **rank)) {
        if known[rank] == 0 {
            go_on()?;
            floors.steps(rank, &mut steps);
            known[rank] = ground.discernibility(&steps);
        }
        let here = (known[rank], floors.height(rank), rank);
        best = Some(best.map_or(here, |best| best.min(here)));
    }
    ControlFlow::Continue(best.map(|best| best.2))
}

/// Whether every node one level finer fails.
fn is_minimal<W: Tally>(marks: &Marks<W>, rank: usize) -> bool {
    let floors = marks.floors();
    let mut axes = floors.strides().iter().zip(floors.spans());
    axes.all(|(&stride, &span)| (rank / stride).is_multiple_of(span) || marks.fails(rank - stride))
}

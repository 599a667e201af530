//! What SPALM minimizes: a cost known before counting, or discernibility; then height; then lexicographic order.

use std::cmp::Ordering;

use super::cost::Costs;
use super::floors::Floors;
use super::ground::Ground;
use super::tally::Tally;
use crate::metrics::Metric;
use crate::model::{Node, Problem};

/// The total order of nodes that a search takes the least by.
#[derive(Clone, Debug)]
pub(super) enum Objective {
    /// A loss, known for every node.
    Known(Costs),
    /// Discernibility, counted for each node that asks.
    Counted,
}

impl Objective {
    /// The objective of a metric.
    pub(super) fn of(problem: &Problem, metric: Metric, floors: &Floors) -> Self {
        Costs::of(problem, metric, floors).map_or(Self::Counted, Self::Known)
    }

    /// Compares two nodes, so many steps above the floors.
    pub(super) fn compare<W: Tally>(&self, ground: &mut Ground<W>, left: &[u8], right: &[u8]) -> Ordering {
        let by_cost = match self {
            Self::Known(costs) => costs.compare((costs.value(left), left), (costs.value(right), right)),
            Self::Counted => ground.discernibility(left).cmp(&ground.discernibility(right)),
        };
        by_cost.then_with(|| height(left).cmp(&height(right))).then_with(|| left.cmp(right))
    }

    /// The metric of a node, as [`Metrics`](crate::metrics::Metrics) has it.
    #[expect(clippy::cast_precision_loss, reason = "a cost to show")]
    pub(super) fn metric<W: Tally>(&self, ground: &mut Ground<W>, node: &Node, steps: &[u8]) -> f64 {
        match self {
            Self::Known(costs) => costs.metric(node),
            Self::Counted => ground.discernibility(steps) as f64,
        }
    }
}

/// The sum of a node's steps; among nodes of one lattice it orders as their height does.
pub(super) fn height(steps: &[u8]) -> usize {
    steps.iter().copied().map(usize::from).sum()
}

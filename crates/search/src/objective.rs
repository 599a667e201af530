//! What SPALM minimizes: a cost known before counting, or discernibility; then height; then lexicographic order.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::base_counts::BaseCounts;
use super::cost::{Costs, Rises};
use super::pace::Pace;
use super::tally::Tally;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Level, Node, Problem};

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
    pub(super) fn of(
        problem: &Problem,
        metric: Metric,
        floors: &[Level],
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let costs = Costs::of(problem, metric, floors, pace)?;
        ControlFlow::Continue(costs.map_or(Self::Counted, Self::Known))
    }

    /// What the node so many steps above the floors costs.
    pub(super) fn price<W: Tally>(
        &self,
        base_counts: &mut BaseCounts<W>,
        steps: Vec<u8>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Priced> {
        let (value, squares) = match self {
            Self::Known(costs) => (costs.value(&steps), 0),
            Self::Counted => {
                let squares = base_counts.discernibility(&steps, pace)?;
                (as_value(squares), squares)
            }
        };
        ControlFlow::Continue(Priced { steps, value, squares })
    }

    /// The value of a cost known before counting; `None` if it must be counted.
    pub(super) fn known(&self, steps: &[u8]) -> Option<f64> {
        match self {
            Self::Known(costs) => Some(costs.value(steps)),
            Self::Counted => None,
        }
    }

    /// The [`Priced::value`] of nodes with this metric, of so many quasi-identifiers; off by rounding.
    pub(super) fn value_at(&self, metric: f64, width: usize) -> f64 {
        match self {
            Self::Known(costs) => costs.value_at(metric, width),
            Self::Counted => metric,
        }
    }

    /// The metric of nodes with this [`Priced::value`], of so many quasi-identifiers; off by rounding.
    pub(super) fn metric_at(&self, value: f64, width: usize) -> f64 {
        match self {
            Self::Known(costs) => costs.metric_at(value, width),
            Self::Counted => value,
        }
    }

    /// What each step of each quasi-identifier adds to the cost; `None` if the cost must be counted.
    pub(super) fn rises(&self) -> Option<Rises> {
        match self {
            Self::Known(costs) => Some(costs.rises()),
            Self::Counted => None,
        }
    }

    /// Compares two nodes.
    pub(super) fn compare(&self, left: &Priced, right: &Priced) -> Ordering {
        let by_cost = match self {
            Self::Known(costs) => costs.compare((left.value, &left.steps), (right.value, &right.steps)),
            Self::Counted => left.squares.cmp(&right.squares),
        };
        by_cost
            .then_with(|| height(&left.steps).cmp(&height(&right.steps)))
            .then_with(|| left.steps.cmp(&right.steps))
    }

    /// The metric of a node, as [`Metrics`](palmtop_core::metrics::Metrics) has it.
    pub(super) fn metric(&self, node: &Node, priced: &Priced) -> f64 {
        match self {
            Self::Known(costs) => costs.metric(node),
            Self::Counted => as_value(priced.squares),
        }
    }
}

/// A node, so many steps above the floors, with what it costs.
#[derive(Clone, Debug)]
pub(super) struct Priced {
    pub(super) steps: Vec<u8>,
    /// A number that grows with the cost, but for rounding.
    pub(super) value: f64,
    /// Discernibility, where that is what counts.
    squares: u64,
}

#[expect(clippy::cast_precision_loss, reason = "a cost to show, and to bound with room for rounding")]
fn as_value(squares: u64) -> f64 {
    squares as f64
}

/// The sum of a node's steps; among nodes of one lattice it orders as their height does.
pub(super) fn height(steps: &[u8]) -> usize {
    steps.iter().copied().map(usize::from).sum()
}

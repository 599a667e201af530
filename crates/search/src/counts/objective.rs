//! The order by which SPALM minimizes: first the cost, then the height, then lexicographic order.
//!
//! The cost is a loss, known for every node before any class is counted, or discernibility, which
//! needs the counts.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::cost::{Costs, Rises};
use super::counter::Counter;
use super::tally::Tally;
use crate::control::pace::Pace;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Level, Node, Problem};

/// A total order of nodes, whose minimum a search returns.
#[derive(Clone, Debug)]
pub(crate) enum Objective {
    /// A loss, known for every node before counting.
    Known(Costs),
    /// Discernibility, counted for each node on demand.
    Counted,
}

impl Objective {
    /// The objective that minimizes a metric.
    pub(crate) fn of(
        problem: &Problem,
        metric: Metric,
        floors: &[Level],
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let costs = Costs::of(problem, metric, floors, pace)?;
        ControlFlow::Continue(costs.map_or(Self::Counted, Self::Known))
    }

    /// Computes the cost of the node that is `steps` above the floors.
    pub(crate) fn price<W: Tally>(
        &self,
        counter: &mut Counter<W>,
        steps: Vec<u8>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Priced> {
        let (value, squares) = match self {
            Self::Known(costs) => (costs.value(&steps), 0),
            Self::Counted => {
                let squares = counter.discernibility(&steps, pace)?;
                (as_value(squares), squares)
            }
        };
        ControlFlow::Continue(Priced { steps, value, squares })
    }

    /// The value of a cost that is known before counting; `None` for discernibility.
    pub(crate) fn known(&self, steps: &[u8]) -> Option<f64> {
        match self {
            Self::Known(costs) => Some(costs.value(steps)),
            Self::Counted => None,
        }
    }

    /// Converts a metric to a [`Priced::value`] for `width` quasi-identifiers, up to rounding.
    pub(crate) fn value_at(&self, metric: f64, width: usize) -> f64 {
        match self {
            Self::Known(costs) => costs.value_at(metric, width),
            Self::Counted => metric,
        }
    }

    /// Converts a [`Priced::value`] to a metric for `width` quasi-identifiers, up to rounding.
    pub(crate) fn metric_at(&self, value: f64, width: usize) -> f64 {
        match self {
            Self::Known(costs) => costs.metric_at(value, width),
            Self::Counted => value,
        }
    }

    /// The cost that each step of each quasi-identifier adds; `None` for discernibility.
    pub(crate) fn rises(&self) -> Option<Rises> {
        match self {
            Self::Known(costs) => Some(costs.rises()),
            Self::Counted => None,
        }
    }

    /// Compares two nodes by cost, height and lexicographic order.
    pub(crate) fn compare(&self, left: &Priced, right: &Priced) -> Ordering {
        let by_cost = match self {
            Self::Known(costs) => costs.compare((left.value, &left.steps), (right.value, &right.steps)),
            Self::Counted => left.squares.cmp(&right.squares),
        };
        by_cost
            .then_with(|| height(&left.steps).cmp(&height(&right.steps)))
            .then_with(|| left.steps.cmp(&right.steps))
    }

    /// The metric of a node, as in [`Metrics`](palmtop_core::metrics::Metrics).
    pub(crate) fn metric(&self, node: &Node, priced: &Priced) -> f64 {
        match self {
            Self::Known(costs) => costs.metric(node),
            Self::Counted => as_value(priced.squares),
        }
    }
}

/// A node, as steps above the floors, with its cost.
#[derive(Clone, Debug)]
pub(crate) struct Priced {
    pub(crate) steps: Vec<u8>,
    /// A number that grows with the cost, up to rounding.
    pub(crate) value: f64,
    /// Discernibility if it is the objective, else 0.
    squares: u64,
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a cost for display, and for bounds with a margin for rounding"
)]
fn as_value(squares: u64) -> f64 {
    squares as f64
}

/// The sum of a node's steps. Within one lattice, it orders nodes as their height does.
pub(crate) fn height(steps: &[u8]) -> usize {
    steps.iter().copied().map(usize::from).sum()
}

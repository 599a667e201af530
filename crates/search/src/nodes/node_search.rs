//! What every search over nodes does: it counts a node, and learns from the failure.
//!
//! The searches differ in the order of nodes: by cost (`cheapest_first`, `branch_and_bound`), or
//! lexicographic (`lattice_survey`).

use std::ops::ControlFlow;

use super::known_failures::KnownFailures;
use crate::control::pace::Pace;
use crate::counts::counter::Counter;
use crate::counts::floors::Floors;
use crate::counts::tally::Tally;
use palmtop_core::model::Problem;

/// The nodes above the floors, the counts that judge them, and the nodes that are known to fail.
pub(crate) struct NodeSearch<W, F> {
    pub(crate) floors: Floors,
    pub(crate) counter: Counter<W>,
    pub(crate) failures: F,
    /// The number of nodes that were counted and fail.
    pub(crate) failed: u64,
}

impl<W: Tally, F: KnownFailures<W>> NodeSearch<W, F> {
    /// A search that has counted only what the floors needed. `failures` has no node yet.
    pub(crate) fn new(
        problem: &Problem,
        failures: F,
        floors: Floors,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let counter = Counter::of(problem, &floors, pace)?;
        let failed = floors.checked().iter().filter(|(_, present)| !present).count() as u64;
        ControlFlow::Continue(Self { floors, counter, failures, failed })
    }

    /// Counts the node that is `steps` above the floors. Returns whether all its classes satisfy
    /// the policy. If not, `failed` grows, and the search learns from the failure. If the observer
    /// stops it after the count, `failed` has the node.
    pub(crate) fn holds(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        let Some(failure) = self.counter.breaks(steps, pace)? else {
            return ControlFlow::Continue(true);
        };
        self.failed += 1;
        self.failures.learn(steps, failure, pace)?;
        ControlFlow::Continue(false)
    }
}

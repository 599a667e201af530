//! The one driver of searches over nodes. An order visits nodes, each visit counts a node and learns
//! from its failure, and a judge hears the verdicts.
//!
//! | search | order | judge |
//! |---|---|---|
//! | SPALM, marks on all nodes | `cheapest_first` | `Cheapest` |
//! | SPALM, a list of failures | `branch_and_bound` | `Cheapest` |
//! | the survey | `lattice_survey` | `Surveyor` |
//!
//! Withdrawal is none of them. It has no floors, a failing node proves nothing about finer nodes, and a
//! visit decides which classes to withdraw, from the classes of the node before.

use std::ops::ControlFlow;

use super::known_failures::KnownFailures;
use crate::control::pace::Pace;
use crate::counts::counter::Counter;
use crate::counts::floors::Floors;
use crate::counts::tally::Tally;
use crate::{Step, StopReason};
use palmtop_core::model::Node;

/// What a search makes of the verdicts.
pub(crate) trait Judge {
    /// Whether a node is known to satisfy the policy. Such a node is not counted.
    fn knows(&self, node: &Node) -> bool;

    /// Hears whether all classes of a counted node satisfy the policy.
    fn hear(&mut self, node: Node, holds: bool);

    /// The progress of the search. It is shown before a node is counted.
    fn step(&self, seen: Seen) -> Step;
}

/// The numbers of nodes that a search has seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// The nodes of the lattice.
    pub(crate) total: u64,
    /// The nodes that were counted and fail.
    pub(crate) failed: u64,
    /// The nodes that are known to fail, including all nodes below a floor; `None` if they are not
    /// counted.
    pub(crate) failing: Option<u64>,
}

/// The nodes above the floors, the counts that judge them, the nodes that are known to fail, and the
/// judge who hears the verdicts.
pub(crate) struct NodeSearch<W, F, J> {
    pub(crate) floors: Floors,
    pub(crate) counter: Counter<W>,
    pub(crate) failures: F,
    pub(crate) judge: J,
    /// The number of nodes that were counted and fail.
    failed: u64,
}

impl<W: Tally, F: KnownFailures<W>, J: Judge> NodeSearch<W, F, J> {
    /// A search that has counted only what the floors needed. `failures` has no node yet.
    pub(crate) fn new(floors: Floors, counter: Counter<W>, failures: F, judge: J) -> Self {
        let failed = floors.checked().iter().filter(|(_, present)| !present).count() as u64;
        Self { floors, counter, failures, judge, failed }
    }

    /// Visits nodes in an order, until the order ends or the observer stops it.
    pub(crate) fn run(
        &mut self,
        order: impl FnOnce(&mut Self, &mut Pace) -> ControlFlow<()>,
        pace: &mut Pace,
    ) -> StopReason {
        if order(self, pace).is_continue() { StopReason::Done } else { StopReason::Cancelled }
    }

    /// Visits the node that is `steps` above the floors, and counts it unless the judge knows it.
    /// Returns whether all its classes satisfy the policy. If not, the search learns from the failure.
    /// If the observer stops it after the count, the judge has heard the verdict.
    pub(crate) fn visit(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        let node = self.floors.node(steps);
        if self.judge.knows(&node) {
            return ControlFlow::Continue(true);
        }
        pace.report(self.judge.step(self.seen()))?;
        let Some(failure) = self.counter.breaks(steps, pace)? else {
            self.judge.hear(node, true);
            return ControlFlow::Continue(true);
        };
        self.failed += 1;
        self.judge.hear(node, false);
        self.failures.learn(steps, failure, pace)?;
        ControlFlow::Continue(false)
    }

    /// The numbers of nodes seen so far.
    pub(crate) fn seen(&self) -> Seen {
        let total = self.floors.lattice().len();
        Seen { total, failed: self.failed, failing: self.failures.open().map(|open| total - open) }
    }
}

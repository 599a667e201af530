//! The nodes that a search knows to fail.

use std::ops::ControlFlow;

use crate::control::pace::Pace;
use crate::counts::base_counts::Failure;
use crate::counts::tally::Tally;

/// A set of failing nodes, which grows with each node that was counted and fails.
pub(crate) trait KnownFailures<W: Tally> {
    /// Whether a node is known to fail.
    fn covers(&self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool>;

    /// Records a failing node and what follows from its failure. If the observer stops it, some
    /// consequences may be missing.
    fn learn(&mut self, steps: &[u8], failure: Failure<W>, pace: &mut Pace) -> ControlFlow<()>;

    /// The number of nodes above the floors that are not known to fail; `None` if it is not
    /// counted.
    fn open(&self) -> Option<u64>;
}

//! A list of failing nodes, for lattices that are too large for a mark on each node.

use std::ops::ControlFlow;

use super::known_failures::KnownFailures;
use crate::control::pace::Pace;
use crate::counts::base_counts::Failure;
use crate::counts::floors::Floors;
use crate::counts::steps::is_below;
use crate::counts::tally::Tally;

/// Failing nodes, each raised as far as its class that breaks δ still breaks it.
///
/// Every node at or below one of them fails.
#[derive(Clone, Debug)]
pub(crate) struct Antichain {
    pub(crate) spans: Vec<usize>,
    pub(crate) fails: Vec<Vec<u8>>,
}

impl Antichain {
    /// An empty list of failures.
    pub(crate) fn new(floors: &Floors) -> Self {
        Self { spans: floors.spans().to_vec(), fails: Vec::new() }
    }
}

impl<W: Tally> KnownFailures<W> for Antichain {
    fn covers(&self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        pace.spend(self.fails.len() * steps.len())?;
        ControlFlow::Continue(self.fails.iter().any(|fail| is_below(steps, fail)))
    }

    fn learn(&mut self, steps: &[u8], failure: Failure<W>, pace: &mut Pace) -> ControlFlow<()> {
        let raised = match failure {
            Failure::Witness { counts, combination } => {
                let mut raised = steps.to_vec();
                counts.climb(combination, &mut raised, &self.spans, pace)?;
                raised
            }
            Failure::UpTo(raised) => raised,
        };
        self.fails.push(raised);
        ControlFlow::Continue(())
    }

    fn open(&self) -> Option<u64> {
        None
    }
}

impl Antichain {
    /// Whether a failure reaches the top level of a quasi-identifier.
    pub(crate) fn reaches_top(&self, fail: usize, attribute: usize) -> bool {
        usize::from(self.fails[fail][attribute]) + 1 >= self.spans[attribute]
    }

    /// Whether no other failure covers this one. Of equal failures, the first is maximal.
    pub(crate) fn is_maximal(&self, fail: usize) -> bool {
        let steps = &self.fails[fail];
        !self
            .fails
            .iter()
            .enumerate()
            .any(|(other, fails)| other != fail && is_below(steps, fails) && (fails != steps || other < fail))
    }
}

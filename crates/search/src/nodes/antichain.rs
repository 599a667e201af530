//! A list of failing nodes, for lattices that are too large for a mark on each node.

use std::ops::ControlFlow;

use super::known_failures::KnownFailures;
use crate::control::pace::Pace;
use crate::counts::base_counts::Failure;
use crate::counts::steps::is_below;
use crate::counts::tally::Tally;

/// Failing nodes, each raised as far as its class that breaks δ still breaks it.
///
/// Every node at or below one of them fails. A node *escapes* a failure if it has a greater step in
/// some quasi-identifier.
#[derive(Clone, Debug)]
pub(crate) struct Antichain {
    spans: Vec<usize>,
    /// The order in which the quasi-identifiers of a failure are raised. The first rise most, so
    /// that the last are the ways to escape it.
    pub(crate) order: Vec<usize>,
    /// The steps of all failures, one failure after the other.
    steps: Vec<u8>,
}

impl Antichain {
    /// An empty list of failures, for so many steps of each quasi-identifier.
    pub(crate) fn new(spans: &[usize]) -> Self {
        Self { order: (0..spans.len()).collect(), spans: spans.to_vec(), steps: Vec::new() }
    }

    /// The number of failures.
    pub(crate) fn len(&self) -> usize {
        self.steps.len() / self.spans.len().max(1)
    }

    /// The steps of a failure.
    pub(crate) fn of(&self, fail: usize) -> &[u8] {
        &self.steps[fail * self.spans.len()..][..self.spans.len()]
    }

    /// The failures from `first` on at or above a node, which hence fails.
    pub(crate) fn above<'a>(&'a self, steps: &'a [u8], first: usize) -> impl Iterator<Item = usize> + 'a {
        let failures = self.steps.chunks_exact(self.spans.len().max(1)).enumerate().skip(first);
        failures.filter(|(_, fail)| is_below(steps, fail)).map(|(fail, _)| fail)
    }

    /// Adds a failing node. The failures at or below it say nothing more.
    pub(crate) fn add(&mut self, raised: &[u8]) {
        let width = self.spans.len();
        let mut kept = 0;
        for fail in 0..self.len() {
            if is_below(self.of(fail), raised) {
                continue;
            }
            self.steps.copy_within(fail * width..(fail + 1) * width, kept * width);
            kept += 1;
        }
        self.steps.truncate(kept * width);
        self.steps.extend_from_slice(raised);
    }
}

impl<W: Tally> KnownFailures<W> for Antichain {
    fn covers(&self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        pace.spend(self.steps.len())?;
        ControlFlow::Continue(self.above(steps, 0).next().is_some())
    }

    fn learn(&mut self, steps: &[u8], failure: Failure<W>, pace: &mut Pace) -> ControlFlow<()> {
        let raised = match failure {
            Failure::Witness { counts, combination } => {
                let mut raised = steps.to_vec();
                counts.climb(combination, &mut raised, &self.spans, &self.order, pace)?;
                raised
            }
            Failure::UpTo(raised) => raised,
        };
        pace.spend(self.steps.len())?;
        self.add(&raised);
        ControlFlow::Continue(())
    }

    fn open(&self) -> Option<u64> {
        None
    }
}

//! Marks on the nodes that fail, made for many nodes at a time from one class that breaks the
//! policy.

use std::ops::ControlFlow;

use super::known_failures::KnownFailures;
use crate::control::pace::Pace;
use crate::counts::base_counts::{BaseCounts, Failure};
use crate::counts::tally::Tally;
use palmtop_core::model::NodeIndex;

/// The nodes above the floors that are known to fail.
///
/// Take a merged combination w, the *witness*. At a node y, the class of w holds exactly the
/// combinations that share a label with w at y in every quasi-identifier. Add each combination to
/// the finest node where it does so. Then the tally of w's class at **every** node is a prefix sum
/// over the lattice: one pass for each quasi-identifier instead of one count for each node. If that
/// tally breaks the policy, the node fails, and so does every finer node (paper, theorem 1).
///
/// Complexity: O(c·m + n·m) for each witness, with c merged combinations, m quasi-identifiers and n
/// nodes.
#[derive(Clone, Debug)]
pub(crate) struct FailureIndex<W> {
    index: NodeIndex,
    fails: Vec<u8>,
    sums: Vec<W>,
    failing: usize,
}

impl<W: Tally> FailureIndex<W> {
    /// An index in which no node is marked.
    pub(crate) fn new(index: NodeIndex) -> Self {
        let nodes = index.len();
        Self { index, fails: vec![0; nodes], sums: vec![W::default(); nodes], failing: 0 }
    }

    /// The ranks of the nodes above the floors.
    pub(crate) fn index(&self) -> &NodeIndex {
        &self.index
    }

    /// Whether a node is known to fail.
    pub(crate) fn fails(&self, rank: usize) -> bool {
        self.fails[rank] != 0
    }

    /// The number of nodes that are known to fail.
    pub(crate) fn failing(&self) -> usize {
        self.failing
    }

    /// Marks the node `rank`, every node at which the class of `witness` breaks the policy, and all
    /// finer nodes. If the observer stops it, some marks are missing.
    fn sweep(
        &mut self,
        base_counts: &BaseCounts<W>,
        rank: usize,
        witness: usize,
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        self.failing += usize::from(self.fails[rank] == 0);
        self.fails[rank] = 1;
        let nodes = self.sums.len();
        self.sums.fill(W::default());
        base_counts.spread(witness, self.index.strides(), self.index.spans(), &mut self.sums, pace)?;
        for (&stride, &span) in
            self.index.strides().iter().zip(self.index.spans()).filter(|(_, span)| **span > 1)
        {
            pace.spend(nodes)?;
            add_up(&mut self.sums, stride, span);
        }
        pace.spend(nodes)?;
        for (fails, sum) in self.fails.iter_mut().zip(&self.sums) {
            *fails |= u8::from(sum.excess(base_counts.judge()) > 0);
        }
        self.close(pace)
    }

    /// Marks the node `rank` and all finer nodes.
    fn mark(&mut self, rank: usize, pace: &mut Pace) -> ControlFlow<()> {
        self.failing += usize::from(self.fails[rank] == 0);
        self.fails[rank] = 1;
        self.close(pace)
    }

    /// Marks all nodes finer than a marked node. If the observer stops it, some marks are missing.
    fn close(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        let axes = self.index.strides().iter().zip(self.index.spans());
        for (&stride, &span) in axes.filter(|(_, span)| **span > 1) {
            pace.spend(self.fails.len())?;
            spread_down(&mut self.fails, stride, span);
        }
        self.failing = self.fails.iter().map(|&fails| usize::from(fails)).sum();
        ControlFlow::Continue(())
    }
}

impl<W: Tally> KnownFailures<W> for FailureIndex<W> {
    fn covers(&self, steps: &[u8], _: &mut Pace) -> ControlFlow<(), bool> {
        ControlFlow::Continue(self.fails(self.index.rank(steps)))
    }

    fn learn(&mut self, steps: &[u8], failure: Failure<W>, pace: &mut Pace) -> ControlFlow<()> {
        match failure {
            Failure::Witness { counts, combination } => {
                self.sweep(counts, self.index.rank(steps), combination, pace)
            }
            Failure::UpTo(raised) => self.mark(self.index.rank(&raised), pace),
        }
    }

    fn open(&self) -> Option<u64> {
        Some((self.index.len() - self.failing) as u64)
    }
}

/// Below this stride, runs are too short for an inner loop.
const SHORT: usize = 16;

/// Along one quasi-identifier, adds to each node's sum the sum of the node one step finer, in
/// ascending order.
fn add_up<W: Tally>(sums: &mut [W], stride: usize, span: usize) {
    for block in sums.chunks_exact_mut(stride * span) {
        if stride < SHORT {
            for index in stride..block.len() {
                let finer = block[index - stride];
                block[index] += finer;
            }
            continue;
        }
        for step in 1..span {
            let (below, here) = block.split_at_mut(step * stride);
            for (sum, &finer) in here.iter_mut().zip(&below[(step - 1) * stride..]).take(stride) {
                *sum += finer;
            }
        }
    }
}

/// Along one quasi-identifier, marks every node one step finer than a marked one, in descending
/// order.
fn spread_down(fails: &mut [u8], stride: usize, span: usize) {
    for block in fails.chunks_exact_mut(stride * span) {
        if stride < SHORT {
            for index in (0..block.len() - stride).rev() {
                block[index] |= block[index + stride];
            }
            continue;
        }
        for step in (1..span).rev() {
            let (below, here) = block.split_at_mut(step * stride);
            for (fails, &coarser) in below[(step - 1) * stride..].iter_mut().zip(&*here).take(stride) {
                *fails |= coarser;
            }
        }
    }
}

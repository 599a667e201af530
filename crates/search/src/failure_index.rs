//! Marks of failure on the nodes above the floors, made many at a time from one class that breaks the policy.

use std::ops::ControlFlow;

use super::base_counts::BaseCounts;
use super::pace::Pace;
use super::tally::Tally;
use palmtop_core::model::NodeIndex;

/// Which nodes are known to fail.
///
/// Take a merged combination w, a *witness*. At a node y, its class holds exactly the combinations that meet w at or
/// below y in every quasi-identifier. So if each combination is put at the finest node where it meets w, the tally of w's
/// class at **every** node is a prefix sum over the lattice: one pass a quasi-identifier instead of one count a node.
/// Wherever it breaks the policy the node fails, and with it all below (paper, theorem 1).
/// O(c·m + n·m) a witness for n nodes.
#[derive(Clone, Debug)]
pub(super) struct FailureIndex<W> {
    index: NodeIndex,
    fails: Vec<u8>,
    sums: Vec<W>,
    failing: usize,
}

impl<W: Tally> FailureIndex<W> {
    /// No node known to fail.
    pub(super) fn new(index: NodeIndex) -> Self {
        let nodes = index.len();
        Self { index, fails: vec![0; nodes], sums: vec![W::default(); nodes], failing: 0 }
    }

    /// The numbers of the nodes, which lie above the floors.
    pub(super) fn index(&self) -> &NodeIndex {
        &self.index
    }

    /// Whether a node is known to fail.
    pub(super) fn fails(&self, rank: usize) -> bool {
        self.fails[rank] != 0
    }

    /// How many nodes are known to fail.
    pub(super) fn failing(&self) -> usize {
        self.failing
    }

    /// Marks the node numbered `rank`, every node where the class of `witness` breaks the policy, and all below them. Stopped,
    /// it leaves some unmarked.
    pub(super) fn sweep(
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
        let nodes_above = (self.index.strides(), self.index.spans());
        base_counts.spread(witness, nodes_above, &mut self.sums, pace)?;
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

    /// Marks the node numbered `rank` and all below it.
    pub(super) fn mark(&mut self, rank: usize, pace: &mut Pace) -> ControlFlow<()> {
        self.failing += usize::from(self.fails[rank] == 0);
        self.fails[rank] = 1;
        self.close(pace)
    }

    /// Marks whatever lies below a mark; stopped, some of it.
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

/// Below this stride, runs are too short to be worth a loop of their own.
const SHORT: usize = 16;

/// Along one quasi-identifier, adds to every node's sum that of the node one step finer, the finest first.
fn add_up<W: Tally>(sums: &mut [W], stride: usize, span: usize) {
    for block in sums.chunks_exact_mut(stride * span) {
        if stride < SHORT {
            for place in stride..block.len() {
                let finer = block[place - stride];
                block[place] += finer;
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

/// Along one quasi-identifier, marks every node that lies one step below a marked one, the coarsest first.
fn spread_down(fails: &mut [u8], stride: usize, span: usize) {
    for block in fails.chunks_exact_mut(stride * span) {
        if stride < SHORT {
            for place in (0..block.len() - stride).rev() {
                block[place] |= block[place + stride];
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

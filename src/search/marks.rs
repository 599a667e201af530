//! Marks of failure on the nodes above the floors, made many at a time from one class that breaks δ.

use std::ops::ControlFlow;

use super::floors::Floors;
use super::ground::Ground;
use super::tally::Tally;

/// A pass over more nodes than this takes long enough to be seen.
const LARGE: usize = 1 << 18;

/// Which nodes are known to fail.
///
/// Take a merged combination w, a *witness*. At a node y, its class holds exactly the combinations that meet w at or
/// below y in every quasi-identifier. So if each combination is put at the finest node where it meets w, the tally of w's
/// class at **every** node is a prefix sum over the lattice: one pass a quasi-identifier instead of one count a node.
/// Wherever it breaks δ the node fails, and with it all below (paper, theorem 1).
/// O(c·m + n·m) a witness for n nodes.
#[derive(Clone, Debug)]
pub(super) struct Marks<W> {
    floors: Floors,
    fails: Vec<u8>,
    sums: Vec<W>,
    failing: usize,
}

impl<W: Tally> Marks<W> {
    /// No node known to fail.
    pub(super) fn new(floors: Floors) -> Self {
        let nodes = floors.len();
        Self { floors, fails: vec![0; nodes], sums: vec![W::default(); nodes], failing: 0 }
    }

    /// The floors that the nodes lie above.
    pub(super) fn floors(&self) -> &Floors {
        &self.floors
    }

    /// Whether a node is known to fail.
    pub(super) fn fails(&self, rank: usize) -> bool {
        self.fails[rank] != 0
    }

    /// How many nodes are known to fail.
    pub(super) fn failing(&self) -> usize {
        self.failing
    }

    /// Marks every node where the class of `witness` breaks δ, and all below them. Asks `go_on` before each pass of a
    /// large lattice; when stopped it marks nothing.
    pub(super) fn sweep(
        &mut self,
        ground: &Ground<W>,
        witness: usize,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let large = self.sums.len() > LARGE;
        self.sums.fill(W::default());
        ground.spread(witness, self.floors.strides(), &mut self.sums);
        for (&stride, &span) in
            self.floors.strides().iter().zip(self.floors.spans()).filter(|(_, span)| **span > 1)
        {
            if large {
                go_on()?;
            }
            for block in self.sums.chunks_exact_mut(stride * span) {
                for step in 1..span {
                    let (below, here) = block.split_at_mut(step * stride);
                    for (sum, &finer) in here.iter_mut().zip(&below[(step - 1) * stride..]).take(stride) {
                        *sum += finer;
                    }
                }
            }
        }
        for (fails, sum) in self.fails.iter_mut().zip(&self.sums) {
            *fails |= u8::from(sum.excess(ground.delta()) > 0);
        }
        self.close();
        ControlFlow::Continue(())
    }

    /// Marks whatever lies below a mark.
    fn close(&mut self) {
        for (&stride, &span) in
            self.floors.strides().iter().zip(self.floors.spans()).filter(|(_, span)| **span > 1)
        {
            for block in self.fails.chunks_exact_mut(stride * span) {
                for step in (1..span).rev() {
                    let (below, here) = block.split_at_mut(step * stride);
                    for (fails, &coarser) in below[(step - 1) * stride..].iter_mut().zip(&*here).take(stride)
                    {
                        *fails |= coarser;
                    }
                }
            }
        }
        self.failing = self.fails.iter().map(|&fails| usize::from(fails)).sum();
    }
}

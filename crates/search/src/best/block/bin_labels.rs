//! The bins of a column that is cut between labels only: the labels around bins, and the parts of a
//! cut.

use std::sync::Arc;

use super::bins::{BINS, ones};
use crate::regions::label_tree::LabelTree;
use palmtop_core::model::size;

/// The labels around the bins of a column of a block.
#[derive(Clone, Debug)]
pub(crate) struct BinLabels {
    pub(crate) tree: Arc<LabelTree>,
    /// The level of the bins, counted from the finest.
    pub(crate) grain: usize,
    /// The first position of each bin in the tree.
    firsts: Vec<u32>,
    /// For each pair of bins, the lower one first: the level of the finest label around both,
    /// counted from the finest level.
    common: Vec<u8>,
    /// For each pair of bins, the number of leaves of that label, minus one.
    extents: Vec<u32>,
}

impl BinLabels {
    /// Without any bins.
    pub(crate) fn new(tree: Arc<LabelTree>) -> Self {
        Self {
            tree,
            grain: 0,
            firsts: Vec::new(),
            common: vec![0; BINS * BINS],
            extents: vec![0; BINS * BINS],
        }
    }

    /// Computes the labels around all pairs of bins. The bins are labels of level `grain`, given by
    /// the first position of each.
    pub(crate) fn number(&mut self, grain: usize, firsts: impl Iterator<Item = u32>) {
        self.grain = grain;
        self.firsts.clear();
        self.firsts.extend(firsts);
        for (low, &first) in self.firsts.iter().enumerate() {
            let mut depth = grain;
            for (high, &last) in self.firsts.iter().enumerate().skip(low) {
                // Positions ascend, so that the label around them only gets coarser.
                while self.tree.label(depth, first) != self.tree.label(depth, last) {
                    depth += 1;
                }
                self.common[low * BINS + high] = size::steps(depth);
                self.extents[low * BINS + high] = self.tree.extent(depth, first);
            }
        }
    }

    /// The number of leaves of the label around a range of bins, minus one.
    #[inline]
    pub(crate) fn extent(&self, low: usize, high: usize) -> u32 {
        self.extents[low * BINS + high]
    }

    /// Divides some bins by the labels directly below the label around them. A single bin is one
    /// part.
    pub(crate) fn parts(&self, bins: u64) -> Vec<u64> {
        let (low, high) = (bins.trailing_zeros() as usize & 63, (63 - bins.leading_zeros() as usize) & 63);
        let around = self.common[low * BINS + high];
        let mut parts: Vec<u64> = Vec::new();
        let mut before = low;
        for bin in ones(bins) {
            match parts.last_mut() {
                Some(part) if self.common[before * BINS + bin] < around => *part |= 1 << bin,
                _ => parts.push(1 << bin),
            }
            before = bin;
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regions::label_tree::tests::tree;

    #[test]
    fn bins_split_by_labels_under_their_common_label() {
        let tree = Arc::new(tree());
        let mut bins = BinLabels::new(Arc::clone(&tree));
        // 0, 2 and 4; 1 and 5.
        let mut positions: Vec<u32> = [0, 2, 4, 1, 5].map(|code| tree.position(code)).to_vec();
        positions.sort_unstable();
        bins.number(0, positions.into_iter());
        assert_eq!(bins.parts(0b11111), [0b00111, 0b11000]);
        assert_eq!(bins.parts(0b00101), [0b00001, 0b00100]);
        assert_eq!(bins.parts(0b01001), [0b00001, 0b01000]);
        assert_eq!(bins.parts(0b00100), [0b00100]);
        assert_eq!([bins.extent(0, 0), bins.extent(0, 2), bins.extent(2, 3)], [0, 2, 5]);
    }
}

//! Numbers for the nodes of a small lattice, for which data of each node fit in memory.

use super::hierarchy::Level;
use super::lattice::Lattice;
use super::size;

/// The nodes of a lattice at or above some levels, numbered lexicographically from 0.
///
/// The number of nodes is limited, so a number never wraps and is always a valid index. A node is
/// identified by its number or by its *steps*: the levels above the finest one here, for each
/// quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeIndex {
    spans: Vec<usize>,
    strides: Vec<usize>,
    len: usize,
}

impl NodeIndex {
    /// The nodes of a lattice at or above `floors`, which has one level per quasi-identifier.
    /// `None` if there are more than `most`.
    pub fn above(lattice: &Lattice, floors: &[Level], most: usize) -> Option<Self> {
        let top = lattice.top();
        let spans: Vec<usize> =
            top.levels().iter().zip(floors).map(|(top, floor)| usize::from(top.0 - floor.0) + 1).collect();
        let mut strides = vec![1_usize; spans.len()];
        let mut len = 1_usize;
        for (stride, span) in strides.iter_mut().zip(&spans).rev() {
            *stride = len;
            len = len.checked_mul(*span).filter(|&len| len <= most)?;
        }
        Some(Self { spans, strides, len })
    }

    /// All nodes of a lattice; `None` if there are more than `most`.
    pub fn all(lattice: &Lattice, most: usize) -> Option<Self> {
        Self::above(lattice, lattice.bottom().levels(), most)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Always false, because each quasi-identifier has at least one level.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of levels of each quasi-identifier in this index.
    pub fn spans(&self) -> &[usize] {
        &self.spans
    }

    /// For each quasi-identifier, the difference in numbers of two nodes that differ by one of its
    /// levels.
    pub fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// The number of the node with these steps.
    pub fn rank(&self, steps: &[u8]) -> usize {
        self.strides.iter().zip(steps).map(|(stride, &step)| stride * usize::from(step)).sum()
    }

    /// Writes the steps of the node with this number into a buffer with one entry per
    /// quasi-identifier.
    pub fn steps(&self, rank: usize, steps: &mut [u8]) {
        for (step, (stride, span)) in steps.iter_mut().zip(self.strides.iter().zip(&self.spans)) {
            *step = size::steps(rank / stride % span);
        }
    }

    /// The steps of the node with this number in one quasi-identifier.
    pub fn step(&self, rank: usize, attribute: usize) -> usize {
        rank / self.strides[attribute] % self.spans[attribute]
    }

    /// The sum of the steps of the node with this number.
    pub fn height(&self, rank: usize) -> usize {
        self.strides.iter().zip(&self.spans).map(|(stride, span)| rank / stride % span).sum()
    }

    /// Whether a direct finer neighbour, one step finer in one quasi-identifier, satisfies `is_so`.
    pub fn any_finer(&self, rank: usize, mut is_so: impl FnMut(usize) -> bool) -> bool {
        let mut axes = self.strides.iter().zip(&self.spans);
        axes.any(|(stride, span)| !(rank / stride).is_multiple_of(*span) && is_so(rank - stride))
    }
}

#[cfg(test)]
mod tests {
    use super::super::hierarchy::{Hierarchy, Kind};
    use super::*;

    /// So many levels a quasi-identifier, the first of which is 0, 1, 2, …
    fn lattice(spans: &[usize]) -> Lattice {
        let hierarchy = |(base, &span): (u8, &usize)| {
            let chain = vec!["a".to_owned(); span - 1].into_iter().chain(["*".to_owned()]).collect();
            Hierarchy::new(Kind::Category, Level(base), &[chain]).unwrap()
        };
        let hierarchies: Vec<Hierarchy> = (0..).zip(spans).map(hierarchy).collect();
        Lattice::new(&hierarchies)
    }

    // holds: No truncated number
    #[test]
    fn nodes_are_numbered_as_the_lattice_numbers_them() {
        let lattice = lattice(&[3, 1, 4, 2]);
        let index = NodeIndex::all(&lattice, 24).unwrap();
        assert_eq!((index.len(), NodeIndex::all(&lattice, 23)), (24, None));
        let mut steps = [0; 4];
        for (rank, node) in lattice.nodes().enumerate() {
            index.steps(rank, &mut steps);
            let bottom = lattice.bottom();
            let levels = node.levels().iter().zip(bottom.levels());
            let above: Vec<u8> = levels.map(|(level, base)| level.0 - base.0).collect();
            assert_eq!((index.rank(&above), above.as_slice()), (rank, &steps[..]));
            assert_eq!(index.height(rank), (node.height() - lattice.bottom().height()) as usize);
            let finer: Vec<u64> = (0..4)
                .filter_map(|attribute| lattice.finer(&node, attribute))
                .map(|node| lattice.rank(&node))
                .collect();
            let mut seen = Vec::new();
            assert!(!index.any_finer(rank, |rank| {
                seen.push(rank as u64);
                false
            }));
            assert_eq!(seen, finer);
        }
    }

    #[test]
    fn nodes_below_a_floor_are_not_numbered() {
        let index = NodeIndex::above(&lattice(&[3, 3]), &[Level(1), Level(1)], 10).unwrap();
        assert_eq!((index.len(), index.spans()), (6, &[2, 3][..]));
    }

    // holds: No truncated number
    #[test]
    fn what_could_wrap_is_not_numbered() {
        assert_eq!(NodeIndex::all(&lattice(&[9; 40]), usize::MAX), None);
    }
}

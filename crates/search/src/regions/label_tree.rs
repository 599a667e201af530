//! The finest label around a set of values, found in O(levels) from the ends of the set.
//!
//! It serves columns that are cut between labels only.

use palmtop_core::model::{Code, Hierarchy, size};

/// The leaves of a hierarchy in the order of a depth-first walk.
///
/// The leaves of each label have consecutive positions. So the finest label around the first and
/// the last of some leaves contains all of them.
#[derive(Debug)]
pub(crate) struct LabelTree {
    /// The position of each leaf in the walk.
    position_of: Vec<u32>,
    /// For each level from the finest, the label at each position.
    labels: Vec<Vec<u32>>,
    /// For each level from the finest, the number of leaves of each label.
    sizes: Vec<Vec<u32>>,
}

impl LabelTree {
    /// Walks a hierarchy: O(leaves · levels · log leaves).
    pub(crate) fn of(hierarchy: &Hierarchy) -> Self {
        let labels: Vec<&[u32]> = hierarchy.levels().map(|level| hierarchy.labels_of(level)).collect();
        let mut walk: Vec<Code> = (0..size::number(hierarchy.leaf_count())).collect();
        let path = |code: Code| labels.iter().rev().map(move |labels| labels[code as usize]);
        walk.sort_by(|&left, &right| path(left).cmp(path(right)));
        let mut position_of = vec![0; walk.len()];
        (0..).zip(&walk).for_each(|(position, &code)| position_of[code as usize] = position);
        let in_order = |labels: &&[u32]| walk.iter().map(|&code| labels[code as usize]).collect();
        let sizes = |level| {
            let labels = 0..size::number(hierarchy.label_count(level));
            labels.map(|label| hierarchy.label_size(level, label)).collect()
        };
        Self {
            labels: labels.iter().map(in_order).collect(),
            sizes: hierarchy.levels().map(sizes).collect(),
            position_of,
        }
    }

    /// The position of a leaf in the walk.
    pub(crate) fn position(&self, code: Code) -> u32 {
        self.position_of[code as usize]
    }

    /// The number of levels.
    pub(crate) fn height(&self) -> usize {
        self.labels.len()
    }

    /// The label at a position, `depth` levels above the finest.
    pub(crate) fn label(&self, depth: usize, position: u32) -> u32 {
        self.labels[depth][position as usize]
    }

    /// The depth of the finest label that contains two positions.
    pub(crate) fn common(&self, left: u32, right: u32) -> usize {
        let is_common = |depth: &usize| self.label(*depth, left) == self.label(*depth, right);
        // Both lie under the top label.
        (0..self.labels.len()).find(is_common).unwrap_or(self.labels.len() - 1)
    }

    /// The number of leaves of the label at a position, minus one.
    pub(crate) fn extent(&self, depth: usize, position: u32) -> u32 {
        self.sizes[depth][self.label(depth, position) as usize] - 1
    }

    /// The number of leaves of the finest label around some leaves, minus one; 0 for no leaves.
    pub(crate) fn extent_around(&self, codes: impl Iterator<Item = Code>) -> u32 {
        let ends = codes.map(|code| self.position(code)).fold(None, |ends: Option<(u32, u32)>, position| {
            Some(ends.map_or((position, position), |(low, high)| (low.min(position), high.max(position))))
        });
        ends.map_or(0, |(low, high)| self.extent(self.common(low, high), low))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use palmtop_core::model::{Kind, Level};

    /// Numbers whose labels are not ranges: odd and even.
    pub(crate) fn tree() -> LabelTree {
        let chains: Vec<Vec<String>> = (0..6)
            .map(|leaf| {
                let parity = if leaf % 2 == 0 { "even" } else { "odd" };
                vec![leaf.to_string(), parity.to_owned(), "*".to_owned()]
            })
            .collect();
        LabelTree::of(&Hierarchy::new(Kind::Number, Level(0), &chains).unwrap())
    }

    #[test]
    fn leaves_of_a_label_have_neighbouring_positions() {
        let tree = tree();
        let around = |codes: &[Code]| tree.extent_around(codes.iter().copied());
        assert_eq!([around(&[3]), around(&[1, 5]), around(&[0, 4]), around(&[0, 1])], [0, 2, 2, 5]);
        assert_eq!(around(&[]), 0);
    }
}

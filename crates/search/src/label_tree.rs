//! The labels around values, by their places in a walk through the hierarchy: for columns that are cut between labels only.

use palmtop_core::model::{Code, Hierarchy, size};

/// A hierarchy's leaves in an order in which those of each label stand next to each other: so the label around the first and
/// the last of some leaves is the one around all of them.
#[derive(Debug)]
pub(super) struct LabelTree {
    /// The place of each leaf.
    place_of: Vec<u32>,
    /// Of each level, from the finest, the label of each place, and the leaves of each label.
    labels: Vec<Vec<u32>>,
    sizes: Vec<Vec<u32>>,
}

impl LabelTree {
    /// The walk through a hierarchy.
    pub(super) fn of(hierarchy: &Hierarchy) -> Self {
        let labels: Vec<&[u32]> = hierarchy.levels().map(|level| hierarchy.labels_of(level)).collect();
        let mut walk: Vec<Code> = (0..size::number(hierarchy.leaf_count())).collect();
        let path = |code: Code| labels.iter().rev().map(move |labels| labels[code as usize]);
        walk.sort_by(|&one, &other| path(one).cmp(path(other)));
        let mut place_of = vec![0; walk.len()];
        (0..).zip(&walk).for_each(|(place, &code)| place_of[code as usize] = place);
        let in_order = |labels: &&[u32]| walk.iter().map(|&code| labels[code as usize]).collect();
        let sizes = |level| {
            let labels = 0..size::number(hierarchy.label_count(level));
            labels.map(|label| hierarchy.label_size(level, label)).collect()
        };
        Self {
            labels: labels.iter().map(in_order).collect(),
            sizes: hierarchy.levels().map(sizes).collect(),
            place_of,
        }
    }

    /// The place of a leaf.
    pub(super) fn place(&self, code: Code) -> u32 {
        self.place_of[code as usize]
    }

    /// How many levels there are.
    pub(super) fn height(&self) -> usize {
        self.labels.len()
    }

    /// The label of a place, so many levels above the finest.
    pub(super) fn label(&self, depth: usize, place: u32) -> u32 {
        self.labels[depth][place as usize]
    }

    /// How many levels above the finest the label around two places is.
    pub(super) fn common(&self, one: u32, other: u32) -> usize {
        let is_common = |depth: &usize| self.label(*depth, one) == self.label(*depth, other);
        // The top is common to all.
        (0..self.labels.len()).find(is_common).unwrap_or(self.labels.len() - 1)
    }

    /// The leaves but one of the label of a place.
    pub(super) fn extent(&self, depth: usize, place: u32) -> u32 {
        self.sizes[depth][self.label(depth, place) as usize] - 1
    }

    /// The leaves but one of the label around some leaves; 0 where there are none.
    pub(super) fn extent_around(&self, codes: impl Iterator<Item = Code>) -> u32 {
        let ends = codes.map(|code| self.place(code)).fold(None, |ends: Option<(u32, u32)>, place| {
            Some(ends.map_or((place, place), |(low, high)| (low.min(place), high.max(place))))
        });
        ends.map_or(0, |(low, high)| self.extent(self.common(low, high), low))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use palmtop_core::model::{Kind, Level};

    /// Numbers whose labels are no ranges: odd and even.
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
    fn leaves_of_a_label_stand_together_whatever_their_order() {
        let tree = tree();
        let around = |codes: &[Code]| tree.extent_around(codes.iter().copied());
        assert_eq!([around(&[3]), around(&[1, 5]), around(&[0, 4]), around(&[0, 1])], [0, 2, 2, 5]);
        assert_eq!(around(&[]), 0);
    }
}

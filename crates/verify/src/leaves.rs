//! Sets of leaves of a hierarchy.

/// The index of a leaf in the order of values, from 0.
pub(super) type Leaf = u32;

/// A set of leaves, stored as ascending runs of consecutive leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Leaves(Vec<(Leaf, Leaf)>);

impl Leaves {
    pub(super) fn from_ascending(leaves: impl IntoIterator<Item = Leaf>) -> Self {
        let mut runs = Self::default();
        for leaf in leaves {
            runs.push_run(leaf, leaf);
        }
        runs
    }

    /// The leaves from `first` to `last`.
    pub(super) fn of_run(first: Leaf, last: Leaf) -> Self {
        Self(vec![(first, last)])
    }

    /// Adds the leaves from `first` to `last`, which must be above all others.
    pub(super) fn push_run(&mut self, first: Leaf, last: Leaf) {
        match self.0.last_mut() {
            Some((_, end)) if first - *end == 1 => *end = last,
            _ => self.0.push((first, last)),
        }
    }

    /// The runs, each as its first and its last leaf, ascending.
    pub(super) fn runs(&self) -> impl Iterator<Item = (Leaf, Leaf)> {
        self.0.iter().copied()
    }

    /// Whether a leaf is in the set. Logarithmic in the number of runs.
    pub(super) fn contains(&self, leaf: Leaf) -> bool {
        let count = self.0.partition_point(|(first, _)| *first <= leaf);
        self.0[..count].last().is_some_and(|(_, last)| leaf <= *last)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Leaf> {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

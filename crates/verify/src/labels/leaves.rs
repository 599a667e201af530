//! Sets of leaves of a hierarchy.

/// The index of a leaf in the order of values, from 0.
pub(crate) type Leaf = u32;

/// A set of leaves, stored as ascending runs of consecutive leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leaves(Vec<(Leaf, Leaf)>);

/// What a published text denotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Denoted {
    /// The leaves of the hierarchy, including those that do not occur in P.
    pub(crate) leaves: Leaves,
    /// The number of labels, values, ranges and exceptions in the text.
    pub(crate) terms: usize,
}

impl Leaves {
    pub(crate) fn from_ascending(leaves: impl IntoIterator<Item = Leaf>) -> Self {
        let mut runs = Self::default();
        for leaf in leaves {
            runs.push_run(leaf, leaf);
        }
        runs
    }

    /// The leaves from `first` to `last`.
    pub(crate) fn of_run(first: Leaf, last: Leaf) -> Self {
        Self(vec![(first, last)])
    }

    /// Adds the leaves from `first` to `last`, which must be above all others.
    pub(crate) fn push_run(&mut self, first: Leaf, last: Leaf) {
        match self.0.last_mut() {
            Some((_, end)) if first - *end == 1 => *end = last,
            _ => self.0.push((first, last)),
        }
    }

    /// The leaves of several sets together.
    pub(crate) fn united<'a>(sets: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut runs: Vec<(Leaf, Leaf)> = sets.into_iter().flat_map(Self::runs).collect();
        runs.sort_unstable();
        let mut united = Self::default();
        for (first, last) in runs {
            match united.0.last_mut() {
                Some((_, end)) if first <= *end => *end = last.max(*end),
                _ => united.push_run(first, last),
            }
        }
        united
    }

    /// The leaves of the set that another set lacks.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut rest = Self::default();
        let mut others = other.0.as_slice();
        for &(mut first, last) in &self.0 {
            while let [(from, to), after @ ..] = others
                && *from <= last
            {
                if first < *from {
                    rest.push_run(first, *from - 1);
                }
                first = first.max(to.saturating_add(1));
                if *to > last {
                    break;
                }
                others = after;
            }
            if first <= last {
                rest.push_run(first, last);
            }
        }
        rest
    }

    /// The first leaf.
    pub(crate) fn first(&self) -> Option<Leaf> {
        self.0.first().map(|(first, _)| *first)
    }

    /// The runs, each as its first and its last leaf, ascending.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (Leaf, Leaf)> {
        self.0.iter().copied()
    }

    /// Whether a leaf is in the set. Logarithmic in the number of runs.
    pub(crate) fn contains(&self, leaf: Leaf) -> bool {
        let count = self.0.partition_point(|(first, _)| *first <= leaf);
        self.0[..count].last().is_some_and(|(_, last)| leaf <= *last)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Leaf> {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_and_differences_are_those_of_sets() {
        let sets: Vec<Vec<Leaf>> =
            (0_u32..64).map(|bits| (0..6).filter(|leaf| bits >> leaf & 1 == 1).collect()).collect();
        for left in &sets {
            for right in &sets {
                let of = |set: &Vec<Leaf>| Leaves::from_ascending(set.iter().copied());
                let united = (0..6).filter(|leaf| left.contains(leaf) || right.contains(leaf));
                let rest = left.iter().copied().filter(|leaf| !right.contains(leaf));
                assert_eq!(Leaves::united([&of(left), &of(right)]), Leaves::from_ascending(united));
                assert_eq!(of(left).without(&of(right)), Leaves::from_ascending(rest), "{left:?} {right:?}");
            }
        }
    }
}

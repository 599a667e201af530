//! The sizes of a sample's classes, as all methods look at them.

use std::collections::BTreeMap;

/// How many classes of a sample have which size. Sizes are at least 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassSizes {
    classes_of: BTreeMap<u64, u64>,
    classes: u64,
    people: u64,
}

impl ClassSizes {
    /// Counts sizes; those of 0 are no classes of the sample.
    pub fn of(sizes: impl IntoIterator<Item = u64>) -> Self {
        let mut own = Self::default();
        for size in sizes.into_iter().filter(|&size| size > 0) {
            *own.classes_of.entry(size).or_default() += 1;
            own.classes += 1;
            own.people += size;
        }
        own
    }

    /// The sizes that occur, ascending, each with how many classes have it.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.classes_of.iter().map(|(&size, &classes)| (size, classes))
    }

    /// How many classes have this size.
    pub fn of_size(&self, size: u64) -> u64 {
        self.classes_of.get(&size).copied().unwrap_or_default()
    }

    /// How many classes there are: u.
    pub fn classes(&self) -> u64 {
        self.classes
    }

    /// How many people there are: n.
    pub fn people(&self) -> u64 {
        self.people
    }
}

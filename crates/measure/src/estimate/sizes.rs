//! The class sizes of a sample, as input of all methods.

use std::collections::BTreeMap;

/// The number of classes of each size in a sample. Sizes are at least 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassSizes {
    classes_of: BTreeMap<u64, u64>,
    classes: u64,
    people: u64,
}

impl ClassSizes {
    /// Counts sizes. A size of 0 is ignored, because the sample does not have the class.
    pub fn of(sizes: impl IntoIterator<Item = u64>) -> Self {
        let mut counted = Self::default();
        for size in sizes.into_iter().filter(|&size| size > 0) {
            *counted.classes_of.entry(size).or_default() += 1;
            counted.classes += 1;
            counted.people += size;
        }
        counted
    }

    /// The occurring sizes in ascending order, each with its number of classes.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.classes_of.iter().map(|(&size, &classes)| (size, classes))
    }

    /// The number of classes with this size.
    pub fn of_size(&self, size: u64) -> u64 {
        self.classes_of.get(&size).copied().unwrap_or_default()
    }

    /// The number of classes, u.
    pub fn classes(&self) -> u64 {
        self.classes
    }

    /// The number of people, n.
    pub fn people(&self) -> u64 {
        self.people
    }
}

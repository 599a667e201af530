//! The sensitive values of a class: how often each occurs among its members.

/// The frequency of each value of a sensitive attribute among some members of T. Value numbers
/// ascend, and every frequency is at least 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueCounts(Vec<(u32, u64)>);

impl ValueCounts {
    /// Creates the counts from values with their members, in any order. Members of equal values are
    /// added.
    pub fn of(values: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let mut counts: Vec<(u32, u64)> = values.into_iter().filter(|&(_, members)| members > 0).collect();
        counts.sort_unstable();
        counts.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 += later.1;
            }
            is_same
        });
        Self(counts)
    }

    /// Each occurring value with its members, ascending by value number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, u64)> + Clone + '_ {
        self.0.iter().copied()
    }

    /// The number of distinct values.
    pub fn distinct(&self) -> usize {
        self.0.len()
    }

    /// The number of all members.
    pub fn members(&self) -> u64 {
        self.iter().map(|(_, members)| members).sum()
    }

    /// The counts of the union of both classes.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        Self::of(self.iter().chain(other.iter()))
    }
}

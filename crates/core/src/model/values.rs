//! The sensitive values of a class: how often each occurs among its members.

/// How often each value of a sensitive attribute occurs among some members of T: ascending by the number of the value, none 0 times.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueCounts(Vec<(u32, u64)>);

impl ValueCounts {
    /// From values with their members, in any order; those of one value are added up.
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

    /// Each value that occurs with its members, ascending by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, u64)> + Clone + '_ {
        self.0.iter().copied()
    }

    /// How many values occur.
    pub fn distinct(&self) -> usize {
        self.0.len()
    }

    /// All members.
    pub fn members(&self) -> u64 {
        self.iter().map(|(_, members)| members).sum()
    }

    /// Those of both classes.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        Self::of(self.iter().chain(other.iter()))
    }
}

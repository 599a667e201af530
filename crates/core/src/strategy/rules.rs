//! The rules by which the nine strategies of MPALM cut a region.

/// How MPALM chooses the column to split a region on (paper, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnRule {
    /// `n`: each column in turn, from the one after the parent's column.
    Next,
    /// `p`: the columns in project order, always from the first.
    Priority,
    /// `b`: the column with the most distinct values among the region's individuals first.
    Best,
}

/// How MPALM chooses among the valid splits of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueRule {
    /// `1`: halves with numbers of individuals as equal as possible.
    BalancedCardinality,
    /// `2`: the first valid split, with the fewest individuals on its left.
    FirstSplit,
    /// `3`: halves with numbers of distinct values as equal as possible.
    BalancedValues,
}

impl ColumnRule {
    /// The three rules, in the order of the grid.
    pub const ALL: [Self; 3] = [Self::Next, Self::Priority, Self::Best];

    /// A name of a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Next => "next column",
            Self::Priority => "project order",
            Self::Best => "most values",
        }
    }

    /// The letter in the names of strategies: `n`, `p` or `b`.
    pub fn letter(self) -> char {
        match self {
            Self::Next => 'n',
            Self::Priority => 'p',
            Self::Best => 'b',
        }
    }
}

impl ValueRule {
    /// The three rules, in the order of the grid.
    pub const ALL: [Self; 3] = [Self::BalancedCardinality, Self::FirstSplit, Self::BalancedValues];

    /// The rank of a cut among those of a column; the least is the best. `people` and `values` are the numbers
    /// on the left and on both sides.
    pub fn rank(self, left: u64, people: u64, values_left: usize, values: usize) -> u64 {
        match self {
            Self::BalancedCardinality => left.abs_diff(people - left),
            Self::FirstSplit => left,
            Self::BalancedValues => values_left.abs_diff(values - values_left) as u64,
        }
    }

    /// A name of a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::BalancedCardinality => "equal people",
            Self::FirstSplit => "first split",
            Self::BalancedValues => "equal values",
        }
    }

    /// The digit in the names of strategies: `1`, `2` or `3`.
    pub fn digit(self) -> char {
        match self {
            Self::BalancedCardinality => '1',
            Self::FirstSplit => '2',
            Self::BalancedValues => '3',
        }
    }
}

//! The names of the searches.

use std::fmt;
use std::str::FromStr;

/// How MPALM chooses the column to split a region on (paper, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnRule {
    /// `n`: the columns in turn, from the one after the parent's.
    Next,
    /// `p`: project order, always from the first.
    Priority,
    /// `b`: most distinct values among the region's public people first.
    Best,
}

/// How MPALM chooses the value to split at, over the valid splits of the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueRule {
    /// `1`: halves as equal as possible in public people.
    BalancedCardinality,
    /// `2`: the first valid split, with the fewest public people on its left.
    FirstSplit,
    /// `3`: halves as equal as possible in distinct values.
    BalancedValues,
}

/// Whose rows k counts, for a k-anonymous baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rows {
    /// T's: what k-anonymity is about.
    Private,
    /// P's: every class has at least k people, wherever they are.
    Public,
}

/// A search for a recoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// The best δ-present node.
    Spalm,
    /// One of the nine multi-dimensional strategies.
    Mpalm(ColumnRule, ValueRule),
    /// The best regions that we know how to find.
    Best,
    /// Baseline: the first optimal k-anonymous node that happens to be δ-present.
    KOptimal,
    /// Baseline: the first strict Mondrian partition that happens to be δ-present.
    Mondrian(Rows),
}

impl ColumnRule {
    /// The three rules, in the order of the grid.
    pub const ALL: [Self; 3] = [Self::Next, Self::Priority, Self::Best];

    /// `n`, `p` or `b`.
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

    /// `1`, `2` or `3`.
    pub fn digit(self) -> char {
        match self {
            Self::BalancedCardinality => '1',
            Self::FirstSplit => '2',
            Self::BalancedValues => '3',
        }
    }
}

impl Strategy {
    /// The baselines: k-anonymity, which does not look at δ.
    pub const BASELINES: [Self; 3] =
        [Self::KOptimal, Self::Mondrian(Rows::Private), Self::Mondrian(Rows::Public)];

    /// Every strategy: SPALM, the nine in the order of the grid, `best`, the baselines.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::of_the_paper().chain([Self::Best]).chain(Self::BASELINES)
    }

    /// The paper's: SPALM, then MPALM's nine in the order of the grid.
    pub fn of_the_paper() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Spalm).chain(Self::nine())
    }

    /// MPALM's nine, in the order of the grid.
    pub fn nine() -> impl Iterator<Item = Self> {
        let row = |column| ValueRule::ALL.into_iter().map(move |value| Self::Mpalm(column, value));
        ColumnRule::ALL.into_iter().flat_map(row)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spalm => f.pad("spalm"),
            Self::Mpalm(column, value) => f.pad(&format!("{}{}", column.letter(), value.digit())),
            Self::Best => f.pad("best"),
            Self::KOptimal => f.pad("k-optimal"),
            Self::Mondrian(Rows::Private) => f.pad("mondrian"),
            Self::Mondrian(Rows::Public) => f.pad("mondrian-p"),
        }
    }
}

/// A name that is no strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}` is no strategy; possible are spalm, n1 n2 n3, p1 p2 p3, b1 b2 b3 (n, p, b for n1, p1, b1), best, and the \
     baselines k-optimal, mondrian (k counts T's rows), mondrian-p (P's)"
)]
pub struct UnknownStrategy {
    /// What was given.
    pub name: String,
}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    /// Reads a name; `n`, `p` and `b` alone mean `n1`, `p1` and `b1`.
    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let known = Self::all().find(|strategy| {
            let full = strategy.to_string();
            let is_letter =
                matches!(strategy, Self::Mpalm(_, ValueRule::BalancedCardinality)) && name.len() == 1;
            full == name || (is_letter && full.starts_with(name))
        });
        known.ok_or_else(|| UnknownStrategy { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_and_a_letter_alone_means_its_first_value_rule() {
        assert_eq!((Strategy::all().count(), Strategy::nine().count()), (14, 9));
        for strategy in Strategy::all() {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        assert_eq!("b".parse(), "b1".parse::<Strategy>());
        for wrong in ["", "s", "m", "n4", "x1", "SPALM"] {
            assert!(wrong.parse::<Strategy>().is_err(), "{wrong}");
        }
    }
}

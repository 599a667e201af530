//! How a search that asks questions about T prepares: what it believes about T, and how often it rehearses.
//! The project declares both before any search. Neither may be computed from T.

use std::fmt;
use std::sync::Arc;

/// A public belief about who is in T. It decides which questions are worth asking.
///
/// A wrong belief costs loss. It cannot break δ, because the answers that a question accepts do not depend
/// on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Belief {
    /// Every person is equally likely to be a member.
    #[default]
    Even,
    /// For each combination of the histogram, the sum of its people's rates. Only ratios count.
    Rates(Arc<[f64]>),
}

/// How many T's a search draws and searches before it looks at T, to choose its constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rehearsal {
    /// This many; none if 0.
    Draws(u32),
    /// As many as a fixed amount of counted work allows, or none.
    #[default]
    Affordable,
}

impl Rehearsal {
    /// No rehearsal.
    pub const NONE: Self = Self::Draws(0);
}

impl fmt::Display for Rehearsal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draws(draws) => write!(f, "{draws}"),
            Self::Affordable => f.write_str("auto"),
        }
    }
}

impl Belief {
    /// The belief about some combinations alone, in this order.
    pub(super) fn within(&self, combinations: &[u32]) -> Self {
        match self {
            Self::Rates(rates) => {
                Self::Rates(combinations.iter().map(|&index| rates[index as usize]).collect())
            }
            Self::Even => Self::Even,
        }
    }

    /// The belief about merged combinations. `combination_of` has the new combination of each old one, of
    /// `count` in all.
    pub(super) fn merged(&self, combination_of: &[u32], count: usize) -> Self {
        let Self::Rates(rates) = self else { return self.clone() };
        let mut sums = vec![0.0; count];
        combination_of.iter().zip(rates.iter()).for_each(|(&merged, rate)| sums[merged as usize] += rate);
        Self::Rates(sums.into())
    }
}

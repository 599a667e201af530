//! What a search that asks questions about T believes about T. The project declares it before any search. It
//! may not be computed from T.

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

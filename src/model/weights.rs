//! How much each quasi-identifier weighs in losses: what the analyst can least do without weighs most.

use std::sync::Arc;

/// A whole number for each quasi-identifier, in project order; all alike where nothing is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    of: Arc<[u32]>,
    sum: u64,
}

impl Weights {
    /// The greatest weight. Powers of losses are compared exactly, so that they have to be small.
    pub const MOST: u32 = 100;

    /// All alike.
    pub fn even(width: usize) -> Self {
        Self::of(vec![1; width])
    }

    /// Weights from 1 to [`MOST`](Self::MOST).
    ///
    /// # Panics
    /// If one is not.
    pub fn of(weights: Vec<u32>) -> Self {
        assert!(
            weights.iter().all(|weight| (1..=Self::MOST).contains(weight)),
            "weights from 1 to {}",
            Self::MOST
        );
        Self { sum: weights.iter().map(|&weight| u64::from(weight)).sum(), of: weights.into() }
    }

    /// Of how many quasi-identifiers.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The weight of one.
    ///
    /// # Panics
    /// If there is no such quasi-identifier.
    pub fn at(&self, attribute: usize) -> u32 {
        self.of[attribute]
    }

    /// Whether all weigh the same.
    pub fn are_even(&self) -> bool {
        self.of.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// How much one weighs where all together weigh as many as they are: exactly 1 where all are alike.
    ///
    /// # Panics
    /// If there is no such quasi-identifier.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    pub fn relative(&self, attribute: usize) -> f64 {
        (u64::from(self.of[attribute]) * self.of.len() as u64) as f64 / self.sum as f64
    }

    /// The same of all.
    pub fn all_relative(&self) -> Vec<f64> {
        (0..self.of.len()).map(|attribute| self.relative(attribute)).collect()
    }
}

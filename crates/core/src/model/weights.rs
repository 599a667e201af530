//! How much each quasi-identifier weighs in losses: what the analyst can least do without weighs most.

use std::sync::Arc;

/// A whole number for each quasi-identifier, in project order; all alike where nothing is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    of: Arc<[u32]>,
    /// The same where all together weigh as many as they are.
    relative: Arc<[f64]>,
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
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    pub fn of(weights: Vec<u32>) -> Self {
        assert!(
            weights.iter().all(|weight| (1..=Self::MOST).contains(weight)),
            "weights from 1 to {}",
            Self::MOST
        );
        let sum: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let relative = |&weight: &u32| (u64::from(weight) * weights.len() as u64) as f64 / sum as f64;
        Self { relative: weights.iter().map(relative).collect(), of: weights.into() }
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

    /// How much one weighs where all together weigh as many as they are: exactly 1 where all are alike.
    ///
    /// # Panics
    /// If there is no such quasi-identifier.
    pub fn relative(&self, attribute: usize) -> f64 {
        self.relative[attribute]
    }

    /// The same of all.
    pub fn all_relative(&self) -> &[f64] {
        &self.relative
    }
}

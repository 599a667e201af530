//! The weights of quasi-identifiers in losses. The attribute that the analyst needs most has the
//! largest weight.

use std::sync::Arc;

/// One whole number for each quasi-identifier, in project order. All are equal by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    of: Arc<[u32]>,
    /// The weights, scaled so that their sum is their number.
    relative: Arc<[f64]>,
}

impl Weights {
    /// The largest weight. It is small because powers of losses are compared exactly.
    pub const MOST: u32 = 100;

    /// Equal weights for `width` quasi-identifiers.
    pub fn even(width: usize) -> Self {
        Self::of(vec![1; width])
    }

    /// Creates weights from 1 to [`MOST`](Self::MOST).
    ///
    /// # Panics
    /// If a weight is outside this range.
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

    /// The number of quasi-identifiers.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether there are no quasi-identifiers.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The weight of a quasi-identifier.
    ///
    /// # Panics
    /// If there is no such quasi-identifier.
    pub fn at(&self, attribute: usize) -> u32 {
        self.of[attribute]
    }

    /// The weight of a quasi-identifier, scaled so that the sum of all weights is their number.
    /// Exactly 1 if all are equal.
    ///
    /// # Panics
    /// If there is no such quasi-identifier.
    pub fn relative(&self, attribute: usize) -> f64 {
        self.relative[attribute]
    }

    /// The scaled weights of all quasi-identifiers.
    pub fn all_relative(&self) -> &[f64] {
        &self.relative
    }
}

//! Seeded draws from tables of integer weights. They use no floating point, so every machine draws
//! the same values.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of draws that depends on its seed alone.
///
/// The bounded draw is implemented here, so that a new version of a library cannot change the
/// sample.
pub(crate) struct Dice(ChaCha12Rng);

impl Dice {
    pub(crate) fn new(seed: [u8; 32]) -> Self {
        Self(ChaCha12Rng::from_seed(seed))
    }

    /// A number from 0 to `bound` − 1. For the bounds here, below 2³², the bias is less than 2⁻³²
    /// of each probability.
    fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "nothing to draw from");
        let scaled = u128::from(self.0.next_u64()) * u128::from(bound);
        u64::try_from(scaled >> 64).expect("the product's upper half has 64 bits")
    }

    /// A number from `first` to `last`, both included.
    pub(crate) fn between(&mut self, first: u32, last: u32) -> u32 {
        let steps = self.below(u64::from(last - first) + 1);
        first + u32::try_from(steps).expect("a draw below a 32-bit bound")
    }

    /// True with probability `times` / `of`.
    pub(crate) fn chance(&mut self, times: u32, of: u32) -> bool {
        self.below(u64::from(of)) < u64::from(times)
    }

    /// The index of one weight, drawn in proportion to the weights.
    pub(crate) fn weighted_index(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().map(|&weight| u64::from(weight)).sum());
        for (index, weight) in weights.iter().map(|&weight| u64::from(weight)).enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("a draw below the sum of the weights falls on one of them")
    }

    /// One value of a table, drawn in proportion to its weight.
    pub(crate) fn pick<T: Copy>(&mut self, table: &[(T, u32)]) -> T {
        let weights: Vec<u32> = table.iter().map(|&(_, weight)| weight).collect();
        table[self.weighted_index(&weights)].0
    }

    /// Puts the items into a random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let last_index = u32::try_from(last).expect("a town fits in 32 bits");
            items.swap(last, self.between(0, last_index) as usize);
        }
    }
}

//! k-map from T and the size of the population alone, as a test of hypotheses.
//!
//! Source: El Emam and Dankar, *Protecting Privacy Using k-Anonymity*, JAMIA 15 (2008).
//!
//! T is treated as a random sample of N people, with π = |T|/N. If a class had only k people in the
//! population, T would have about πk of them. A class with so many members that this is unlikely
//! has more than k people. The test does not show who of the population is in T: **δ never follows
//! from T alone**.

use super::EstimateError;

/// The test whether a class of T is large enough to have k people in the population.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KMapTest {
    k: u64,
    sampling: f64,
    alpha: f64,
}

/// The least size of a class of T that passes the test. Smaller classes fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeastSize {
    /// The least size if the size in T is Poisson.
    pub poisson: u64,
    /// The least size if the size in T is Poisson but not 0, because a class without members is not
    /// observed.
    pub truncated: u64,
}

impl LeastSize {
    /// The stricter (greater) of both sizes.
    pub fn stricter(self) -> u64 {
        self.poisson.max(self.truncated)
    }
}

impl KMapTest {
    /// A test for k, with the sampling fraction π = |T|/N and the level α. α is the greatest chance
    /// that a class of only k people passes.
    ///
    /// # Errors
    /// An [`EstimateError`] in these cases:
    ///
    /// - k is 0.
    /// - π is not above 0 and at most 1.
    /// - α is not between 0 and 1.
    pub fn new(k: u64, sampling: f64, alpha: f64) -> Result<Self, EstimateError> {
        let wrong = |what, given, expected| Err(EstimateError::Probability { what, given, expected });
        if k == 0 {
            return Err(EstimateError::NoK);
        }
        if !(sampling > 0.0 && sampling <= 1.0) {
            return wrong("the sampling fraction", sampling, "above 0 and up to 1");
        }
        if !(alpha > 0.0 && alpha < 1.0) {
            return wrong("α", alpha, "between 0 and 1");
        }
        Ok(Self { k, sampling, alpha })
    }

    /// The least c with P(X ≥ c) ≤ α for X ~ Poisson(πk), and for X given that it is not 0. Takes
    /// O(k).
    ///
    /// Both are at most k, because k members are k people.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn least_size(&self) -> LeastSize {
        let mean = self.sampling * self.k as f64;
        let seen = -libm::expm1(-mean);
        let chance = |count: u64| {
            let count = count as f64;
            libm::exp(count * libm::log(mean) - mean - libm::lgamma(count + 1.0))
        };
        let least = |seen: f64| {
            let mut tail = 1.0;
            for size in 1..self.k {
                tail -= chance(size - 1);
                if tail <= self.alpha * seen {
                    return size;
                }
            }
            self.k
        };
        LeastSize { poisson: least(1.0), truncated: least(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_k_map_sizes_equal_the_published_table() {
        // k, π → Poisson, zero-truncated; α = .05
        let table = [
            (5, 0.1, 3, 3),
            (11, 0.05, 3, 3),
            (20, 0.2, 9, 9),
            (5, 0.01, 1, 2),
            (50, 0.1, 10, 10),
            // The test never requires more than k members.
            (1, 0.5, 1, 1),
            (5, 1.0, 5, 5),
            (3, 0.9, 3, 3),
        ];
        for (k, sampling, poisson, truncated) in table {
            let least = KMapTest::new(k, sampling, 0.05).unwrap().least_size();
            assert_eq!(least, LeastSize { poisson, truncated }, "k = {k}, π = {sampling}");
        }
    }

    #[test]
    fn stricter_k_map_level_requires_larger_classes() {
        let least = |alpha| KMapTest::new(20, 0.2, alpha).unwrap().least_size().stricter();
        assert!(least(0.2) < least(0.05) && least(0.05) < least(0.001));
        for (k, sampling, alpha) in [
            (0, 0.1, 0.05),
            (5, 0.0, 0.05),
            (5, 1.1, 0.05),
            (5, f64::NAN, 0.05),
            (5, 0.1, 0.0),
            (5, 0.1, 1.0),
        ] {
            assert!(KMapTest::new(k, sampling, alpha).is_err(), "{k} {sampling} {alpha}");
        }
    }
}

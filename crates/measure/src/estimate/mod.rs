//! Estimates for a P that is not completely known.
//!
//! Each figure here is an **estimate**: it depends on how a sample was drawn, or on a model of the
//! population. It is never a verdict on δ-presence. So floats are sufficient here, because no
//! release depends on them.

pub mod uniqueness;
pub mod distribution;
pub mod sizes;
pub mod k_map;
pub mod sample;
pub mod uniques;

pub use k_map::{KMapTest, LeastSize};
pub use sample::{Confidence, Sample, SampledClass};
pub use sizes::ClassSizes;
pub use uniqueness::share_unique;
pub use uniques::{Method, NoEstimate, PopulationUniques};

/// An input for which no estimate is possible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EstimateError {
    /// A number that is not a probability, or a probability outside the range of the estimate.
    #[error("{what} {given} is not possible: expected a number {expected}")]
    Probability {
        /// The name of the quantity.
        what: &'static str,
        /// The given number.
        given: f64,
        /// The expected range, in words.
        expected: &'static str,
    },
    /// A k below 1.
    #[error("k = 0 is not possible: expected a whole number from 1")]
    NoK,
    /// A population that is smaller than its known part.
    #[error("a population of {population} people is too small: {known} people of it are known")]
    Population {
        /// The given size of the population.
        population: u64,
        /// The number of known people.
        known: u64,
    },
}

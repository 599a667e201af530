//! What can be said where P is not fully known. Everything here is an **estimate**: it rests on how a sample was drawn or on a
//! model of the population, and is never a verdict on δ-presence.
//!
//! Floats are at home here, for nothing decides whether a class may be released.

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

/// A number that no estimate can be made with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EstimateError {
    /// A probability that is none, or one of which nothing follows.
    #[error("{what} {given} is not possible: expected a number {expected}")]
    Probability {
        /// What it was given for.
        what: &'static str,
        /// What was given.
        given: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// A k below 1.
    #[error("k = 0 is not possible: expected a whole number from 1")]
    NoK,
    /// A population that is smaller than what is known of it.
    #[error("a population of {population} people is too small: {known} people of it are known")]
    Population {
        /// The population.
        population: u64,
        /// How many people are known.
        known: u64,
    },
}

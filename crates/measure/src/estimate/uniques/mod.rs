//! The number of people who are alone in their class in a population, from the class sizes of a
//! random sample.
//!
//! Each method is a model of how people are distributed over classes. With a sampling fraction of
//! about 1 %, estimates are often wrong by half or more. The range of the methods indicates this
//! uncertainty, and may still be too narrow.

mod no_estimate;
mod zayatz;
mod pitman;
mod slide;

use super::{ClassSizes, EstimateError};

pub use no_estimate::NoEstimate;

/// A method of estimating population uniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Zayatz 1991: the class sizes of the sample are the prior.
    Zayatz,
    /// Pitman's sampling formula (Hoshino 2001).
    Pitman,
    /// The slide negative binomial model (Chen and Keller-McNulty 1998).
    Slide,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Zayatz, Self::Pitman, Self::Slide];

    /// The name of the method, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Zayatz => "zayatz",
            Self::Pitman => "pitman",
            Self::Slide => "snb",
        }
    }

    /// The estimated number of population uniques.
    ///
    /// # Errors
    /// [`NoEstimate`] if the method gives no estimate for this sample.
    pub fn estimate(self, sizes: &ClassSizes, population: u64) -> Result<f64, NoEstimate> {
        if sizes.of_size(1) == 0 {
            return Err(NoEstimate::NoUniques);
        }
        let uniques = match self {
            Self::Zayatz => Ok(zayatz::uniques(sizes, population)),
            Self::Pitman => pitman::uniques(sizes, population),
            Self::Slide => slide::uniques(sizes, population),
        }?;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let most = population as f64;
        if uniques.is_finite() && uniques >= 0.0 {
            Ok(uniques.min(most))
        } else {
            Err(NoEstimate::NoSolution)
        }
    }
}

/// The estimates of all methods for a population's uniques.
#[derive(Clone, Debug, PartialEq)]
pub struct PopulationUniques {
    /// f = n/N, the share of the population that is in the sample.
    pub sampling: f64,
    /// The number of people who are alone in the sample.
    pub in_sample: u64,
    /// The size of the population.
    pub population: u64,
    /// The estimate of each method, in the order of [`Method::ALL`].
    pub estimates: [(Method, Result<f64, NoEstimate>); 3],
}

impl PopulationUniques {
    /// Estimates by every method.
    ///
    /// # Errors
    /// [`EstimateError::Population`] if the sample has more people than the population.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn of(sizes: &ClassSizes, population: u64) -> Result<Self, EstimateError> {
        let known = sizes.people();
        if known > population || population == 0 {
            return Err(EstimateError::Population { population, known });
        }
        Ok(Self {
            sampling: known as f64 / population as f64,
            in_sample: sizes.of_size(1),
            population,
            estimates: Method::ALL.map(|method| (method, method.estimate(sizes, population))),
        })
    }

    /// The estimate of one method; `None` if it has none.
    pub fn by(&self, method: Method) -> Option<f64> {
        self.estimates.iter().find(|(found, _)| *found == method)?.1.ok()
    }

    /// The most accurate method by Dankar's rule, and its estimate; `None` if the methods of the
    /// rule fail.
    ///
    /// - Up to a sampling fraction of .1: Pitman, or Zayatz if Pitman fails.
    /// - Above it: the lower of Zayatz and the slide negative binomial.
    ///
    /// Source: Dankar, El Emam, Neisa and Roffey, BMC Medical Informatics and Decision Making 12
    /// (2012).
    pub fn by_rule(&self) -> Option<(Method, f64)> {
        let with = |method| Some((method, self.by(method)?));
        if self.sampling <= 0.1 {
            return with(Method::Pitman).or_else(|| with(Method::Zayatz));
        }
        let both = [with(Method::Zayatz), with(Method::Slide)];
        both.into_iter().flatten().min_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// The least and the greatest estimate; `None` if every method fails.
    pub fn range(&self) -> Option<(f64, f64)> {
        let found = || self.estimates.iter().filter_map(|(_, estimate)| estimate.ok());
        Some((found().min_by(f64::total_cmp)?, found().max_by(f64::total_cmp)?))
    }
}

#[cfg(test)]
mod tests;

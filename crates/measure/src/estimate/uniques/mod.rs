//! How many people of a population are alone in their class, from the class sizes of a random sample.
//!
//! Each method is a model of how people spread over classes. None sees more than the sample: where the sampling fraction is about
//! 1 %, estimates that are off by half and more are common, which the range of the methods shows and may still understate.

mod zayatz;
mod pitman;
mod slide;

use super::{ClassSizes, EstimateError};

/// A method of estimating population uniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Zayatz 1991: the sample's own sizes as prior.
    Zayatz,
    /// Pitman's sampling formula (Hoshino 2001).
    Pitman,
    /// The slide negative binomial model (Chen and Keller-McNulty 1998).
    Slide,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Zayatz, Self::Pitman, Self::Slide];

    /// Its name, in small letters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Zayatz => "zayatz",
            Self::Pitman => "pitman",
            Self::Slide => "snb",
        }
    }

    /// The number of population uniques that it estimates.
    ///
    /// # Errors
    /// [`NoEstimate`] where it has none: a number would be made up.
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

/// Why a method has no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEstimate {
    /// Nobody is alone in the sample.
    #[error("nobody is alone in a class of the sample")]
    NoUniques,
    /// Everybody is.
    #[error("everybody is alone in a class of the sample")]
    AllUnique,
    /// No parameters of the model fit the sample.
    #[error("the model's equations have no solution for this sample")]
    NoSolution,
    /// Several do.
    #[error("the model's equations have several solutions for this sample")]
    Ambiguous,
}

/// What all methods say of a population's uniques.
#[derive(Clone, Debug, PartialEq)]
pub struct PopulationUniques {
    /// f = n/N, the share of the population that is in the sample.
    pub sampling: f64,
    /// The people who are alone in the sample.
    pub in_sample: u64,
    /// The size of the population.
    pub population: u64,
    /// What each method says, in the order of [`Method::ALL`].
    pub estimates: [(Method, Result<f64, NoEstimate>); 3],
}

impl PopulationUniques {
    /// Estimates by every method.
    ///
    /// # Errors
    /// [`EstimateError::Population`] where the sample has more people than the population.
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

    /// The estimate of one method, where it has one.
    pub fn by(&self, method: Method) -> Option<f64> {
        self.estimates.iter().find(|(own, _)| *own == method)?.1.ok()
    }

    /// The method that is the most accurate by Dankar's rule, and its estimate: up to a sampling fraction of .1 Pitman, or Zayatz
    /// where that fails; above it the less of Zayatz and the slide negative binomial (Dankar, El Emam, Neisa and Roffey, BMC
    /// Medical Informatics and Decision Making 12, 2012). `None` where these fail.
    pub fn by_rule(&self) -> Option<(Method, f64)> {
        let with = |method| Some((method, self.by(method)?));
        if self.sampling <= 0.1 {
            return with(Method::Pitman).or_else(|| with(Method::Zayatz));
        }
        let both = [with(Method::Zayatz), with(Method::Slide)];
        both.into_iter().flatten().min_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// The least and the greatest estimate; `None` where every method fails.
    pub fn range(&self) -> Option<(f64, f64)> {
        let found = || self.estimates.iter().filter_map(|(_, estimate)| estimate.ok());
        Some((found().min_by(f64::total_cmp)?, found().max_by(f64::total_cmp)?))
    }
}

#[cfg(test)]
mod tests;

//! Pitman's sampling formula: people find classes one after the other. θ and α determine the chance
//! of a new class.
//!
//! Source: N. Hoshino, *Applying Pitman's Sampling Formula to Microdata Disclosure Risk
//! Assessment*, Journal of Official Statistics 17, 2001.

use super::no_estimate::NoEstimate;
use crate::estimate::ClassSizes;
use crate::estimate::distribution::digamma;

/// The least α that differs from 0, where the formula is Ewens'.
const LEAST: f64 = 1e-4;

/// θ and α of maximum likelihood satisfy two equations:
///
/// - Σ_{i<u} 1/(θ + iα) = Σ_{i<n} 1/(θ + i),
/// - Σ_{i<u} i/(θ + iα) = Σᵢ cᵢ Σ_{j<i} 1/(j − α).
///
/// Then U = Γ(θ + 1)/Γ(θ + α)·N^α.
///
/// The first equation gives θ for each α, so the second one has α as its only unknown. Sums are
/// computed as differences of ψ.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn uniques(sizes: &ClassSizes, population: u64) -> Result<f64, NoEstimate> {
    if sizes.classes() == sizes.people() {
        return Err(NoEstimate::AllUnique);
    }
    if sizes.classes() < 2 {
        return Err(NoEstimate::NoSolution);
    }
    let model = Model { sizes, people: sizes.people() as f64, classes: sizes.classes() as f64 };
    let slope = |alpha: f64| model.slope(model.theta(alpha), alpha);
    // The likelihood must rise just above α = 0 and fall just below α = 1. Otherwise no maximum is
    // between.
    let (mut low, mut high) = (LEAST, 1.0 - LEAST);
    if slope(low) <= 0.0 || slope(high) >= 0.0 {
        return Err(NoEstimate::NoSolution);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let (theta, alpha) = (model.theta(low), low);
    let logarithm =
        libm::lgamma(theta + 1.0) - libm::lgamma(theta + alpha) + alpha * libm::log(population as f64);
    Ok(libm::exp(logarithm))
}

struct Model<'a> {
    sizes: &'a ClassSizes,
    people: f64,
    classes: f64,
}

impl Model<'_> {
    /// The sum Σ_{i<u} 1/(θ + iα).
    fn found(&self, theta: f64, alpha: f64) -> f64 {
        (digamma(theta / alpha + self.classes) - digamma(theta / alpha + 1.0)) / alpha
    }

    /// The θ > −α of maximum likelihood.
    ///
    /// Near −α, the left side of the first equation is greater than the right one. For large θ it
    /// is less, because there are fewer classes than people.
    fn theta(&self, alpha: f64) -> f64 {
        // Bisection over the logarithm of θ + α.
        let (mut low, mut high) = (libm::log(1e-12), libm::log(1e15));
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let theta = libm::exp(middle) - alpha;
            let is_above = self.found(theta, alpha) > digamma(theta + self.people) - digamma(theta + 1.0);
            if is_above { low = middle } else { high = middle }
        }
        libm::exp(low) - alpha
    }

    /// The left side of the second equation minus the right one.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn slope(&self, theta: f64, alpha: f64) -> f64 {
        let left = (self.classes - 1.0 - theta * self.found(theta, alpha)) / alpha;
        let first = digamma(1.0 - alpha);
        let right = self.sizes.iter().filter(|(size, _)| *size > 1);
        left - right
            .map(|(size, classes)| classes as f64 * (digamma(size as f64 - alpha) - first))
            .sum::<f64>()
    }
}

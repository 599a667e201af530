//! Zayatz: the probability that a person who is alone in the sample is alone in the population.
//!
//! It follows from Bayes' rule, with the class sizes of the sample as prior. Source: L. Zayatz,
//! *Estimation of the Percent of Unique Population Elements on a Microdata File Using the Sample*,
//! US Bureau of the Census 1991.

use crate::estimate::ClassSizes;
use crate::estimate::distribution::ln_hypergeometric;

/// U = (c₁/f)·(c₁/u)H(1; N, 1, n) / Σᵢ (cᵢ/u)H(1; N, i, n).
///
/// H(1; N, i, n) is the chance that exactly one person of a class of i is in the sample.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn uniques(sizes: &ClassSizes, population: u64) -> f64 {
    let (sampled, population) = (sizes.people() as f64, population as f64);
    let weight = |size: u64, classes: u64| {
        classes as f64 * libm::exp(ln_hypergeometric(1.0, size as f64, sampled, population))
    };
    let all: f64 = sizes.iter().map(|(size, classes)| weight(size, classes)).sum();
    let alone = sizes.of_size(1);
    let is_alone = weight(1, alone) / all;
    alone as f64 * population / sampled * is_alone
}

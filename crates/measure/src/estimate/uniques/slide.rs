//! The slide negative binomial model: a class has one person and a negative binomial number of
//! others.
//!
//! Source: G. Chen and S. Keller-McNulty, *Estimation of Identification Disclosure Risk in
//! Microdata*, Journal of Official Statistics 14, 1998.

use super::no_estimate::NoEstimate;
use crate::estimate::ClassSizes;

/// The number of steps in the search for the number K of classes.
const STEPS: u32 = 2_000;

/// Each of K classes has F = 1 + X people with X ~ NB(α, β), of mean m = α(1 − β)/β. Each person is
/// in the sample with probability f.
///
/// K, α and β make three expected numbers equal to the observed ones:
///
/// - the people, N = K(1 + m),
/// - the classes in the sample, u = K(1 − (1 − f)B^α) with B = 1/(1 + fm/α),
/// - the uniques in the sample, c₁ = K·f·B^α·(1 + (1 − f)mB).
///
/// K determines m and B^α, which determine α. So the last equation has K as its only unknown. The
/// result is U = K·β^α.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn uniques(sizes: &ClassSizes, population: u64) -> Result<f64, NoEstimate> {
    if sizes.classes() == sizes.people() {
        return Err(NoEstimate::AllUnique);
    }
    let model = Model {
        fraction: sizes.people() as f64 / population as f64,
        population: population as f64,
        classes: sizes.classes() as f64,
        alone: sizes.of_size(1) as f64,
    };
    if sizes.people() == population {
        return Ok(model.alone);
    }
    // K is from u to u/f, because a class is in the sample at least as often as a person.
    let (least, most) = (model.classes, (model.classes / model.fraction).min(model.population));
    let at = |step: u32| least * libm::pow(most / least, f64::from(step) / f64::from(STEPS));
    let mut found = None;
    let mut before: Option<(f64, f64)> = None;
    for step in 0..=STEPS {
        let Some(excess) = model.excess(at(step)) else {
            before = None;
            continue;
        };
        if let Some((number, last)) = before
            && (last > 0.0) != (excess > 0.0)
        {
            if found.is_some() {
                return Err(NoEstimate::Ambiguous);
            }
            found = Some((number, at(step)));
        }
        before = Some((at(step), excess));
    }
    let (mut low, mut high) = found.ok_or(NoEstimate::NoSolution)?;
    let rises = model.excess(high).is_some_and(|excess| excess > 0.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match model.excess(middle) {
            Some(excess) if (excess > 0.0) == rises => high = middle,
            Some(_) => low = middle,
            None => return Err(NoEstimate::NoSolution),
        }
    }
    let (mean, alpha) = model.shape(low).ok_or(NoEstimate::NoSolution)?;
    Ok(low * libm::exp(-alpha * libm::log1p(mean / alpha)))
}

struct Model {
    /// The sampling fraction f.
    fraction: f64,
    /// The size N of the population.
    population: f64,
    /// The number u of classes in the sample.
    classes: f64,
    /// The number c₁ of uniques in the sample.
    alone: f64,
}

impl Model {
    /// B^α if the population has `number` classes.
    fn power(&self, number: f64) -> f64 {
        (1.0 - self.classes / number) / (1.0 - self.fraction)
    }

    /// m and α if the population has `number` classes; `None` if no α fits. (1 + fm/α)^(−α) falls
    /// from 1 to e^(−fm) as α rises.
    fn shape(&self, number: f64) -> Option<(f64, f64)> {
        let mean = self.population / number - 1.0;
        let power = self.power(number);
        if mean <= 0.0 || power <= 0.0 || power >= 1.0 {
            return None;
        }
        let wanted = libm::log(power);
        let of = |alpha: f64| -alpha * libm::log1p(self.fraction * mean / alpha);
        let (mut low, mut high) = (libm::log(1e-9), libm::log(1e9));
        if of(libm::exp(low)) < wanted || of(libm::exp(high)) > wanted {
            return None;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if of(libm::exp(middle)) > wanted { low = middle } else { high = middle }
        }
        Some((mean, libm::exp(low)))
    }

    /// The expected minus the observed uniques of the sample, if the population has `number`
    /// classes.
    fn excess(&self, number: f64) -> Option<f64> {
        let (mean, alpha) = self.shape(number)?;
        let factor = 1.0 / (1.0 + self.fraction * mean / alpha);
        let expected =
            number * self.fraction * self.power(number) * (1.0 + (1.0 - self.fraction) * mean * factor);
        Some(expected - self.alone)
    }
}

//! Probabilities of the binomial and the hypergeometric distribution, for populations of any size.
//!
//! Differences of logarithms of large factorials lose all their digits. So probabilities are
//! computed from their deviance from the mean. Source: C. Loader, *Fast and Accurate Computation of
//! Binomial Probabilities* (2000).

use std::f64::consts::TAU;

/// ln P(X = x) for X ~ Bin(n, p). The caller also gives q = 1 − p, which may be small. The numbers
/// x and n are whole.
pub(super) fn ln_binomial(x: f64, n: f64, p: f64, q: f64) -> f64 {
    if x < 0.0 || x > n {
        return f64::NEG_INFINITY;
    }
    if p <= 0.0 || q <= 0.0 {
        let only = if p <= 0.0 { 0.0 } else { n };
        return if same(x, only) { 0.0 } else { f64::NEG_INFINITY };
    }
    if same(x, 0.0) {
        return if p < 0.1 { n * libm::log1p(-p) } else { n * libm::log(q) };
    }
    if same(x, n) {
        return if q < 0.1 { n * libm::log1p(-q) } else { n * libm::log(p) };
    }
    let rest = n - x;
    let factorials = beyond_stirling(n) - beyond_stirling(x) - beyond_stirling(rest);
    factorials - deviance(x, n * p) - deviance(rest, n * q) + 0.5 * libm::log(n / (TAU * x * rest))
}

/// ln P(X = x) for the number X of `marked` people among `drawn` people. They are drawn from
/// `population` people without replacement.
pub(super) fn ln_hypergeometric(x: f64, marked: f64, drawn: f64, population: f64) -> f64 {
    if population <= 0.0 {
        return if same(x, 0.0) { 0.0 } else { f64::NEG_INFINITY };
    }
    let (p, q) = (drawn / population, (population - drawn) / population);
    let of_x = ln_binomial(x, marked, p, q);
    let others = ln_binomial(drawn - x, population - marked, p, q);
    if of_x.is_infinite() || others.is_infinite() {
        return f64::NEG_INFINITY;
    }
    of_x + others - ln_binomial(drawn, population, p, q)
}

/// Whether P(X ≥ x) > ε for the hypergeometric X, with ε at most ½.
///
/// For x up to the mean the answer is yes, because at least about half of the probability is there.
/// Takes O(σ) terms, each a multiple of the previous one.
pub(super) fn hypergeometric_exceeds(x: f64, marked: f64, drawn: f64, population: f64, epsilon: f64) -> bool {
    if x <= libm::floor(drawn / population * marked) {
        return true;
    }
    let mut term = libm::exp(ln_hypergeometric(x, marked, drawn, population));
    let (mut at, mut sum) = (x, 0.0);
    while term > sum * 1e-16 {
        sum += term;
        if sum > epsilon {
            return true;
        }
        let left = population - marked - drawn + at + 1.0;
        term *= (marked - at) * (drawn - at) / ((at + 1.0) * left);
        at += 1.0;
    }
    false
}

/// The least x with P(X ≤ x) ≥ ε for X ~ Bin(n, p): the lower quantile. ε is at most ½.
pub(super) fn binomial_quantile(n: u64, p: f64, epsilon: f64) -> u64 {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let reaches = |x: u64| {
        let (n, x) = (n as f64, x as f64);
        if x >= libm::ceil(n * p) {
            return true;
        }
        let mut term = libm::exp(ln_binomial(x, n, p, 1.0 - p));
        let (mut at, mut sum) = (x, 0.0);
        while term > sum * 1e-16 {
            sum += term;
            if sum >= epsilon {
                return true;
            }
            term *= at * (1.0 - p) / ((n - at + 1.0) * p);
            at -= 1.0;
        }
        false
    };
    least(0, n, reaches)
}

/// The least number from `low` to `high` for which `holds` is true. It must be true for `high`, and
/// for all numbers above the result.
pub(super) fn least(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = u64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Whether two whole numbers are equal.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.5
}

/// ln n! minus Stirling's ln(√(2πn)·(n/e)ⁿ), for n ≥ 1.
fn beyond_stirling(n: f64) -> f64 {
    if n < 16.0 {
        return libm::lgamma(n + 1.0) - (n + 0.5) * libm::log(n) + n - 0.5 * libm::log(TAU);
    }
    let square = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) / n
}

/// x·ln(x/m) + m − x, without loss of digits if x is near m.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * libm::log(x / mean) + mean - x;
    }
    let ratio = (x - mean) / (x + mean);
    let mut sum = (x - mean) * ratio;
    let mut term = 2.0 * x * ratio;
    for odd in (3..2000).step_by(2) {
        term *= ratio * ratio;
        let next = sum + term / f64::from(odd);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

/// ψ, the derivative of ln Γ, for x > 0. Uses ψ(x) = ψ(x + 1) − 1/x up to 10, then the asymptotic
/// series.
pub(super) fn digamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 10.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0)));
    libm::log(x) - 0.5 / x - series - below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{found}, expected {expected}");
    }

    #[test]
    fn chances_are_those_that_are_counted_by_hand() {
        // Two of five, each with probability one half: 10/32.
        near(libm::exp(ln_binomial(2.0, 5.0, 0.5, 0.5)), 10.0 / 32.0);
        near(libm::exp(ln_binomial(0.0, 5.0, 0.2, 0.8)), 0.327_68);
        near(libm::exp(ln_binomial(5.0, 5.0, 0.2, 0.8)), 0.000_32);
        assert!(ln_binomial(6.0, 5.0, 0.2, 0.8).is_infinite());
        // Of 10 people 4 are marked and 5 are drawn: C(4,2)·C(6,3)/C(10,5) = 120/252.
        near(libm::exp(ln_hypergeometric(2.0, 4.0, 5.0, 10.0)), 120.0 / 252.0);
        // All people are drawn.
        near(libm::exp(ln_hypergeometric(4.0, 4.0, 10.0, 10.0)), 1.0);
        assert!(ln_hypergeometric(3.0, 4.0, 10.0, 10.0).is_infinite());
        near(digamma(1.0), -0.577_215_664_901_532_9);
        near(digamma(0.5), -1.963_510_026_021_423_5);
        near(digamma(1e6) - digamma(1e6 - 1.0), 1.0 / (1e6 - 1.0));
    }

    #[test]
    fn chances_sum_to_one_and_tails_are_sums() {
        for (marked, drawn, population) in [(7.0, 20.0, 60.0), (40.0, 3.0, 50.0), (1.0, 1.0, 2.0)] {
            let chance = |x: u32| libm::exp(ln_hypergeometric(f64::from(x), marked, drawn, population));
            near((0..=60).map(chance).sum(), 1.0);
            for x in 0..8 {
                let tail: f64 = (x..=60).map(chance).sum();
                for epsilon in [0.5, 0.1, 0.01, 1e-4, 1e-9] {
                    let exceeds = hypergeometric_exceeds(f64::from(x), marked, drawn, population, epsilon);
                    let clear = (tail - epsilon).abs() > 1e-10;
                    assert!(!clear || exceeds == (tail > epsilon), "{x} of {marked}: {tail}, {epsilon}");
                }
            }
        }
    }

    #[test]
    fn quantile_is_the_least_number_reaching_the_level() {
        for (n, p) in [(30_u32, 0.1), (5, 0.9), (200, 0.5), (40, 0.001), (3, 0.0), (3, 1.0)] {
            let below = |x: u64| -> f64 {
                let chances = (0..=x).map(|x| {
                    let x = f64::from(u32::try_from(x).unwrap());
                    libm::exp(ln_binomial(x, f64::from(n), p, 1.0 - p))
                });
                chances.sum()
            };
            for epsilon in [0.5, 0.05, 0.001] {
                let quantile = binomial_quantile(n.into(), p, epsilon);
                assert!(below(quantile) >= epsilon - 1e-12, "{n} {p} {epsilon}");
                assert!(quantile == 0 || below(quantile - 1) < epsilon, "{n} {p} {epsilon}");
            }
        }
    }

    #[test]
    fn populations_of_any_size_keep_their_digits() {
        // From a population of 10¹⁵, drawing without replacement is nearly drawing with
        // replacement.
        let large = ln_hypergeometric(3.0, 1e9, 1e7, 1e15);
        assert!((large - ln_binomial(3.0, 1e7, 1e-6, 1.0 - 1e-6)).abs() < 1e-6, "{large}");
        let at_mean = ln_hypergeometric(5e8, 1e9, 5e14, 1e15);
        assert!((at_mean + 0.5 * libm::log(TAU * 1e9 / 4.0)).abs() < 1e-6, "{at_mean}");
    }
}

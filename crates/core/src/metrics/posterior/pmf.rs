//! The distribution of a sum of independent people, in a window that omits only negligible parts.
//!
//! Terms are only added and multiplied, never subtracted, so each term of a window has a known
//! relative error.

/// The largest part of the total that may be cut off at each end of a window.
const TAIL: f64 = 1e-30;

/// The unit of rounding: half the distance from 1 to the next float.
pub(super) const ROUNDING: f64 = f64::EPSILON / 2.0;

/// The probabilities of consecutive numbers.
#[derive(Clone, Debug)]
pub(super) struct Pmf {
    /// The first number of the window.
    pub(super) from: u64,
    pub(super) terms: Vec<f64>,
    /// The relative error of each term, without the cut-off part and a factor that all terms share.
    pub(super) error: f64,
    /// The total cut-off part, including that of all operands.
    pub(super) lost: f64,
}

impl Pmf {
    /// The number of chosen people, each with the same odds (Bernoulli trials).
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the mode need not be exact, and numbers above 2^53 are rounded once"
    )]
    pub(super) fn binomial(people: u64, odds: f64) -> Self {
        let share = odds / (1.0 + odds);
        let mode = ((people as f64 + 1.0) * share).floor().min(people as f64).max(0.0) as u64;
        let mode = mode.min(people);
        // Terms are computed up and down from the mode, which is 1, each as a multiple of the
        // previous one. The multiples shrink, so the remaining terms are less than a geometric
        // series.
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let mut term = 1.0;
        for chosen in mode..people {
            let ratio = (people - chosen) as f64 / (chosen as f64 + 1.0) * odds;
            if is_tail(term, ratio) {
                break;
            }
            term *= ratio;
            above.push(term);
        }
        term = 1.0;
        for chosen in (1..=mode).rev() {
            let ratio = chosen as f64 / ((people - chosen) as f64 + 1.0) / odds;
            if is_tail(term, ratio) {
                break;
            }
            term *= ratio;
            below.push(term);
        }
        let from = mode - below.len() as u64;
        let farthest = above.len().max(below.len());
        let terms = below.into_iter().rev().chain([1.0]).chain(above).collect();
        let error = (6 * farthest + 2) as f64 * ROUNDING;
        Self { from, terms, error, lost: 2.0 * TAIL }.normalized()
    }

    /// The distribution with one more person with these odds. Its window is not cut.
    pub(super) fn with_one(&self, odds: f64) -> Self {
        let (chosen, not) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
        let mut terms = vec![0.0; self.terms.len() + 1];
        for (index, term) in self.terms.iter().enumerate() {
            terms[index] += not * term;
            terms[index + 1] += chosen * term;
        }
        Self { from: self.from, terms, error: self.error + 4.0 * ROUNDING, lost: self.lost }
    }

    /// The distribution of the sum of two. O(k·l) for windows of k and l.
    #[expect(clippy::cast_precision_loss, reason = "an error that is an estimate from above, in some digits")]
    pub(super) fn sum(&self, other: &Self) -> Self {
        let (short, long) = if self.terms.len() < other.terms.len() { (self, other) } else { (other, self) };
        let mut terms = vec![0.0; short.terms.len() + long.terms.len() - 1];
        for (index, &factor) in short.terms.iter().enumerate() {
            for (sum, term) in terms[index..].iter_mut().zip(&long.terms) {
                *sum += factor * term;
            }
        }
        let error = short.error + long.error + (short.terms.len() + 1) as f64 * ROUNDING;
        Self { from: self.from + other.from, terms, error, lost: self.lost + other.lost }
            .trimmed()
            .normalized()
    }

    /// How likely it is, for each of so many numbers from `from` on, that it and another number, of which `other` is the
    /// distribution, make up a third, of which these are the weights. O(k·l).
    #[expect(clippy::cast_precision_loss, reason = "an error that is an estimate from above, in some digits")]
    pub(super) fn without(&self, other: &Self, from: u64, length: usize) -> Self {
        let mut terms = vec![0.0; length];
        for (number, &factor) in (other.from..).zip(&other.terms) {
            // The weights from `from + number` on.
            let start = from + number;
            let skipped = usize::try_from(self.from.saturating_sub(start)).unwrap_or(length).min(length);
            let behind = usize::try_from(start.saturating_sub(self.from)).unwrap_or(self.terms.len());
            let weights = self.terms.get(behind..).unwrap_or_default();
            for (sum, weight) in terms[skipped..].iter_mut().zip(weights) {
                *sum += factor * weight;
            }
        }
        let error = self.error + other.error + (other.terms.len() + 1) as f64 * ROUNDING;
        Self { from, terms, error, lost: self.lost }
    }

    /// The term of a number; 0 outside the window.
    pub(super) fn term(&self, number: u64) -> f64 {
        let index = number.checked_sub(self.from).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.terms.get(index)).copied().unwrap_or(0.0)
    }

    /// Removes the negligible ends.
    fn trimmed(mut self) -> Self {
        let (front, first) = tail(self.terms.iter());
        let (back, last) = tail(self.terms[front..].iter().rev());
        self.terms.truncate(self.terms.len() - back);
        self.terms.drain(..front);
        self.from += front as u64;
        self.lost += first + last;
        self
    }

    /// Scales the terms to a sum of 1. All terms share the factor.
    fn normalized(mut self) -> Self {
        let sum: f64 = self.terms.iter().sum();
        for term in &mut self.terms {
            *term /= sum;
        }
        self.error += ROUNDING;
        self
    }
}

/// Whether the rest after a term is negligible, if each term is at most `ratio` times the previous
/// one.
fn is_tail(term: f64, ratio: f64) -> bool {
    ratio < 1.0 && term * ratio <= TAIL * (1.0 - ratio)
}

/// The number of negligible terms, and their sum.
fn tail<'a>(terms: impl Iterator<Item = &'a f64>) -> (usize, f64) {
    let (mut count, mut sum) = (0, 0.0);
    for term in terms {
        if sum + term > TAIL {
            break;
        }
        sum += term;
        count += 1;
    }
    (count, sum)
}

//! How likely a sum of independent people is each number: a window of it, outside of which next to nothing lies.
//!
//! All terms are added and multiplied, none subtracted, so that every term of a window has a relative error that is known.

/// What may be cut off at each end of a window, as a part of the whole.
const TAIL: f64 = 1e-30;

/// The unit of rounding: half of what lies between 1 and the next float.
pub(super) const ROUNDING: f64 = f64::EPSILON / 2.0;

/// The probabilities of some numbers in a row.
#[derive(Clone, Debug)]
pub(super) struct Pmf {
    /// The first number.
    pub(super) from: u64,
    pub(super) terms: Vec<f64>,
    /// How far each term may be from the truth, as a part of it, but for what was cut off and a factor that all share.
    pub(super) error: f64,
    /// How much was cut off, of this and of all that it was made of.
    pub(super) lost: f64,
}

impl Pmf {
    /// Of how many of so many people are chosen, each with these odds (Bernoulli trials).
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
        // From the mode, which is 1, up and down, each term a multiple of the one before; the multiples shrink, so that what
        // is behind a term is less than a geometric series.
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

    /// The same with one person more, chosen with these odds. Nothing is cut off.
    pub(super) fn with_one(&self, odds: f64) -> Self {
        let (chosen, not) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
        let mut terms = vec![0.0; self.terms.len() + 1];
        for (place, term) in self.terms.iter().enumerate() {
            terms[place] += not * term;
            terms[place + 1] += chosen * term;
        }
        Self { from: self.from, terms, error: self.error + 4.0 * ROUNDING, lost: self.lost }
    }

    /// Of the sum of two. O(k·l) for windows of k and l.
    #[expect(clippy::cast_precision_loss, reason = "an error that is an estimate from above, in some digits")]
    pub(super) fn sum(&self, other: &Self) -> Self {
        let (short, long) = if self.terms.len() < other.terms.len() { (self, other) } else { (other, self) };
        let mut terms = vec![0.0; short.terms.len() + long.terms.len() - 1];
        for (place, &factor) in short.terms.iter().enumerate() {
            for (sum, term) in terms[place..].iter_mut().zip(&long.terms) {
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
        let place = number.checked_sub(self.from).and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.terms.get(place)).copied().unwrap_or(0.0)
    }

    /// Without the ends that hold next to nothing.
    fn trimmed(mut self) -> Self {
        let (front, first) = tail(self.terms.iter());
        let (back, last) = tail(self.terms[front..].iter().rev());
        self.terms.truncate(self.terms.len() - back);
        self.terms.drain(..front);
        self.from += front as u64;
        self.lost += first + last;
        self
    }

    /// The same with a sum of 1: a factor that all terms share.
    fn normalized(mut self) -> Self {
        let sum: f64 = self.terms.iter().sum();
        for term in &mut self.terms {
            *term /= sum;
        }
        self.error += ROUNDING;
        self
    }
}

/// Whether what is behind a term is next to nothing, where each is a multiple of the one before, and no multiple is greater.
fn is_tail(term: f64, ratio: f64) -> bool {
    ratio < 1.0 && term * ratio <= TAIL * (1.0 - ratio)
}

/// How many terms hold next to nothing, and how much.
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

//! The posteriors of a class in floats, each with its error.
//!
//! Multiplying all weights by a number θ changes no posterior. With the θ for which t members are expected,
//! `w·e_{t−1}(C∖p)/e_t(C)` consists of probabilities of sums of independent people near their means. They neither overflow nor
//! vanish. A product tree of polynomials computes these sums: in pairs up from the groups to the class, then down again for the
//! sum of all other groups.

use super::group::{Belief, Group};
use super::pmf::{Pmf, ROUNDING};

/// The most steps to find θ in; bisection alone would do with fewer.
const STEPS: usize = 200;
/// How near to t the expected number of members is brought: the sum is then likeliest at t, or nearly so.
const NEAR: f64 = 1e-6;

/// The beliefs about each group. All have a prior above 0, there are at least two, and `members` is neither 0 nor everybody.
pub(super) fn beliefs(groups: &[Group], members: u64) -> Vec<Belief> {
    let odds = tilted(groups, members);
    // Of each group all but one person, whose turn it is.
    let others: Vec<Pmf> =
        groups.iter().zip(&odds).map(|(group, &odds)| Pmf::binomial(group.people - 1, odds)).collect();
    let leaves: Vec<Pmf> = others.iter().zip(&odds).map(|(others, &odds)| others.with_one(odds)).collect();
    let (outside, sum) = outside(leaves, members);
    // Next to 1/σ, where σ² is the variance of the sum: more than what was cut off by many orders.
    let cut_off = 2.0 * sum.lost / sum.term(members);
    let belief = |((others, outside), &odds): ((&Pmf, &Pmf), &f64)| {
        let (mut chosen, mut not) = (0.0, 0.0);
        for (number, &term) in (others.from..).zip(&others.terms) {
            chosen += term * outside.term(number + 1);
            not += term * outside.term(number);
        }
        let chosen = odds * chosen;
        let value = if chosen > 0.0 { chosen / (chosen + not) } else { 0.0 };
        Belief { value, error: error_of(others, outside) * value + cut_off, exactly: None }
    };
    others.iter().zip(&outside).zip(&odds).map(belief).collect()
}

/// The relative error of a belief: twice that of the two sums that it is made of, and that of the odds. A change of all weights
/// by a part η changes no posterior by more than 2η: the P(i, j) of a sample without replacement are below P(i)·P(j).
#[expect(clippy::cast_precision_loss, reason = "an error that is an estimate from above, in some digits")]
fn error_of(others: &Pmf, outside: &Pmf) -> f64 {
    2.0 * (others.error + outside.error + (others.terms.len() + 1) as f64 * ROUNDING) + 32.0 * ROUNDING
}

/// Of each leaf, how likely it is that all other leaves make up what it lacks of `total`; and the sum of all leaves.
fn outside(leaves: Vec<Pmf>, total: u64) -> (Vec<Pmf>, Pmf) {
    let mut levels = vec![leaves];
    while let Some(level) = levels.last().filter(|level| level.len() > 1) {
        let sums = level.chunks(2).map(|pair| match pair {
            [left, right] => left.sum(right),
            alone => alone[0].clone(),
        });
        let sums = sums.collect();
        levels.push(sums);
    }
    let sum = levels.pop().and_then(|mut top| top.pop()).expect("there is at least one leaf");
    let mut above = vec![Pmf { from: total, terms: vec![1.0], error: 0.0, lost: 0.0 }];
    for level in levels.iter().rev() {
        let mut here = Vec::with_capacity(level.len());
        for (pair, above) in level.chunks(2).zip(&above) {
            match pair {
                [left, right] => {
                    here.push(above.without(right, left.from, left.terms.len()));
                    here.push(above.without(left, right.from, right.terms.len()));
                }
                _ => here.push(above.clone()),
            }
        }
        above = here;
    }
    (above, sum)
}

/// The odds of each group, multiplied by the one number with which `members` people are to be expected.
#[expect(clippy::cast_precision_loss, reason = "the number need not be exact: any changes no posterior")]
fn tilted(groups: &[Group], members: u64) -> Vec<f64> {
    let odds: Vec<f64> = groups.iter().map(Group::odds).collect();
    let wanted = members as f64;
    // The logarithm of the number: with the first none is to be expected, with the other everybody.
    let (mut low, mut high) = (-200.0_f64, 200.0_f64);
    let mut tilt = 0.0_f64;
    for _ in 0..STEPS {
        let factor = tilt.exp();
        let (mut expected, mut variance) = (0.0, 0.0);
        for (group, odds) in groups.iter().zip(&odds) {
            let odds = odds * factor;
            let chosen = group.people as f64 * odds / (1.0 + odds);
            expected += chosen;
            variance += chosen / (1.0 + odds);
        }
        if (expected - wanted).abs() <= NEAR {
            break;
        }
        if expected < wanted {
            low = tilt;
        } else {
            high = tilt;
        }
        let newton = tilt + (wanted - expected) / variance;
        tilt = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
    }
    let factor = tilt.exp();
    odds.iter().map(|odds| odds * factor).collect()
}

impl Group {
    /// π/(1 − π), rounded thrice.
    #[expect(clippy::cast_precision_loss, reason = "its error is counted")]
    fn odds(&self) -> f64 {
        let (above, below) = (self.prior.numerator(), self.prior.denominator());
        above as f64 / (below - above) as f64
    }
}

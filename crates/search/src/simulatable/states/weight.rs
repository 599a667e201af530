//! Weights: numbers of sets of members, exact in integers if they fit, else in floating point.
//!
//! Every floating-point comparison with δ includes an error bound, so that it errs on the safe
//! side.

use std::ops::{Add, AddAssign, Mul};

use palmtop_core::model::{Delta, Presence};

/// The relative error of a rounded weight or moment. It is far above the sum of all roundings,
/// which are three for each step of a recurrence and for each product.
const ERROR: f64 = 1e-9;
/// The error of a difference of two rounded moments, relative to the greater moment. That moment is
/// at most the weight times the members of the region.
const DIFFERENCE: f64 = 1e-12;
/// The number of bits of a `u128` that stay free.
const SPARE_BITS: f64 = 4.0;

/// The weight of a set of possible T: how many there are, or a number proportional to that.
pub(crate) trait Weight:
    Copy + Default + PartialOrd + Add<Output = Self> + AddAssign + Mul<Output = Self> + Send + Sync
{
    /// The weight of `count` sets.
    fn of(count: u64) -> Self;

    /// An approximate value, for scores.
    fn to_f64(self) -> f64;

    /// The difference of this weight and a part of it.
    fn less(self, part: Self) -> Self;

    /// The weight of a state without the factor of one cell with these numbers.
    fn without(self, people: u64, members: u64) -> Self;

    /// Whether a state of this weight may be dropped, given that weights below `limit` may be.
    /// Exact weights are never dropped.
    fn may_be_dropped(self, limit: f64) -> bool;

    /// The weights of all divisions of a cell's members between two parts, by the number in the
    /// left part: C(left, k)·C(right, members − k). Rounded weights sum to 1, and those below
    /// `least` times the greatest are dropped.
    fn divisions(left: u64, right: u64, members: u64, least: f64) -> Divisions<Self>;

    /// Whether the posterior of a cell's people, moment/(weight·people), lies within δ. Outcomes
    /// with a weight of up to `lost` were dropped, and in these the cell has up to `most` members.
    fn keeps(share: Share<Self>, lost: f64, delta: Delta) -> bool;
}

/// A cell in some event: its people, the event's weight, and the moment Σ weight·members.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share<W> {
    pub(crate) moment: W,
    pub(crate) weight: W,
    pub(crate) people: u64,
    /// The most members that the cell can have.
    pub(crate) most: u64,
    /// The members of the cell's region.
    pub(crate) members: u64,
}

/// The weights of consecutive numbers.
#[derive(Clone, Debug)]
pub(crate) struct Divisions<W> {
    /// The first number.
    pub(crate) first: u64,
    /// The weight of each number, from the first.
    pub(crate) weights: Vec<W>,
    /// An upper bound of the weight that was dropped.
    pub(crate) lost: f64,
}

impl<W: Weight> Share<W> {
    /// The mean presence (the posterior), for scores and display.
    #[expect(clippy::cast_precision_loss, reason = "for a score")]
    pub(crate) fn mean(self) -> f64 {
        self.moment.to_f64() / self.weight.to_f64() / self.people as f64
    }
}

/// Whether a `u128` can hold every number that is computed for `members` among `people`: C(people,
/// members), its moments, and their products with the terms of δ.
#[expect(clippy::cast_precision_loss, reason = "a number of bits, with a reserve")]
pub(crate) fn has_room(people: u64, members: u64, delta: Delta) -> bool {
    // C(n, t) = Π (n − i)/(i + 1); the loop ends as soon as the bits exceed the limit.
    let bits = |number: u64| libm::log2(number.max(1) as f64);
    let bounds = [delta.min(), delta.max()]
        .map(|bound| bits(bound.denominator()).max(bits(bound.numerator()) + bits(people)));
    let room = 128.0 - SPARE_BITS - bounds[0].max(bounds[1]) - bits(members) - 1.0;
    let chosen = members.min(people - members);
    let mut needed = 0.0;
    (0..chosen).all(|index| {
        needed += bits(people - index) - bits(index + 1);
        needed <= room
    })
}

/// The binomial coefficient C(n, k), which must fit.
fn binomial(n: u64, k: u64) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1_u128, |product, index| product * u128::from(n - index) / u128::from(index + 1))
}

impl Weight for u128 {
    fn of(count: u64) -> Self {
        Self::from(count)
    }

    #[expect(clippy::cast_precision_loss, reason = "for a score")]
    fn to_f64(self) -> f64 {
        self as f64
    }

    fn less(self, part: Self) -> Self {
        self - part
    }

    fn without(self, people: u64, members: u64) -> Self {
        self / binomial(people, members)
    }

    fn may_be_dropped(self, _: f64) -> bool {
        false
    }

    fn divisions(left: u64, right: u64, members: u64, _: f64) -> Divisions<Self> {
        let first = members.saturating_sub(right);
        let weights = (first..=members.min(left)).map(|k| binomial(left, k) * binomial(right, members - k));
        Divisions { first, weights: weights.collect(), lost: 0.0 }
    }

    fn keeps(share: Share<Self>, _: f64, delta: Delta) -> bool {
        let total = share.weight * Self::from(share.people);
        let term = |bound: Presence| {
            (Self::from(bound.numerator()) * total, share.moment * Self::from(bound.denominator()))
        };
        let ((lower, least_moment), (upper, most_moment)) = (term(delta.min()), term(delta.max()));
        lower <= least_moment && most_moment <= upper
    }
}

impl Weight for f64 {
    #[expect(clippy::cast_precision_loss, reason = "within the stated error")]
    fn of(count: u64) -> Self {
        count as Self
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn less(self, part: Self) -> Self {
        (self - part).max(0.0)
    }

    fn without(self, _: u64, _: u64) -> Self {
        self
    }

    fn may_be_dropped(self, limit: f64) -> bool {
        self < limit
    }

    /// The hypergeometric distribution, by its recurrence from the mode in both directions.
    fn divisions(left: u64, right: u64, members: u64, least: f64) -> Divisions<Self> {
        let (lowest, highest) = (members.saturating_sub(right), members.min(left));
        let wide = |number: u64| u128::from(number);
        let mode = (wide(members) + 1) * (wide(left) + 1) / (wide(left) + wide(right) + 2);
        let mode = u64::try_from(mode).unwrap_or(highest).clamp(lowest, highest);
        // P(k + 1) / P(k)
        let ratio = |k: u64| {
            (Self::of(left - k) * Self::of(members - k))
                / (Self::of(k + 1) * Self::of(right + k + 1 - members))
        };
        let mut lost = 0.0;
        // Ratios decrease from here on, so that a geometric series bounds the dropped weight.
        let remainder =
            |weight: Self, ratio: Self| if ratio < 1.0 { weight * ratio / (1.0 - ratio) } else { 1.0 };
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let mut weight = 1.0;
        for k in mode..highest {
            let next = ratio(k);
            if weight * next < least {
                lost += remainder(weight, next);
                break;
            }
            weight *= next;
            above.push(weight);
        }
        weight = 1.0;
        for k in (lowest..mode).rev() {
            let next = 1.0 / ratio(k);
            if weight * next < least {
                lost += remainder(weight, next);
                break;
            }
            weight *= next;
            below.push(weight);
        }
        let first = mode - below.len() as u64;
        below.reverse();
        below.push(1.0);
        below.append(&mut above);
        let total: Self = below.iter().sum();
        for weight in &mut below {
            *weight /= total;
        }
        // Twice the bound covers its own rounding.
        Divisions { first, weights: below, lost: 2.0 * lost / total }
    }

    fn keeps(share: Share<Self>, lost: f64, delta: Delta) -> bool {
        let Share { moment, weight, people, most, members } = share;
        // proof/Rounding.v proves this comparison. Change both together.
        let difference = DIFFERENCE * weight * Self::of(members);
        // In the dropped outcomes, the cell may have all members that it can have, or none.
        let highest = moment * (1.0 + ERROR) + lost * Self::of(most) + difference;
        let lowest = moment * (1.0 - ERROR) - difference;
        let max = delta.max();
        let has_max =
            max == Presence::ONE || highest <= max.to_f64() * (1.0 - ERROR) * weight * Self::of(people);
        let min = delta.min();
        let has_min = min == Presence::ZERO
            || lowest >= min.to_f64() * (1.0 + ERROR) * (weight + lost) * Self::of(people);
        has_max && has_min
    }
}

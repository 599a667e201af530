//! How many sets of members there are of each kind: in whole numbers where they fit, else in floating point with a stated
//! error, never on the unsafe side.

use std::ops::{Add, AddAssign, Mul};

use palmtop_core::model::{Delta, Presence};

/// What rounding may add to or take from a rounded weight or moment, relative to it: far above the sum of its roundings,
/// three for each step of a recurrence and for each product.
const ERROR: f64 = 1e-9;
/// What a difference of two rounded moments may be off, relative to the greater of them, which is at most the weight times
/// the members of the whole region.
const DIFFERENCE: f64 = 1e-12;
/// Of the bits of a `u128`, these are left free.
const SPARE_BITS: f64 = 4.0;

/// A weight of some possible members: how many sets of people there are, or that in proportion to others.
pub(super) trait Weight:
    Copy + Default + PartialOrd + Add<Output = Self> + AddAssign + Mul<Output = Self> + Send + Sync
{
    /// Of so many.
    fn of(count: u64) -> Self;

    /// For a score.
    fn to_f64(self) -> f64;

    /// This less a part of it.
    fn less(self, part: Self) -> Self;

    /// The weight of a state without the factor of one cell of `people` people and `members` members.
    fn without(self, people: u64, members: u64) -> Self;

    /// Whether a state of this weight may be left out where those below `limit` are: never where weights are exact.
    fn may_be_dropped(self, limit: f64) -> bool;

    /// The ways to divide the members of a cell between two parts of so many people, by how many are in the first. Rounded
    /// weights are in proportion to the whole, and those below `least` of the likeliest are left out.
    fn divisions(left: u64, right: u64, members: u64, least: f64) -> Divisions<Self>;

    /// Whether the posterior of a cell's people lies in δ: its moment over weight·people, though outcomes of up to `lost`
    /// in weight were left out, in which it has up to `most` members.
    fn keeps(share: Share<Self>, lost: f64, delta: Delta) -> bool;
}

/// A cell's people, and in some event its weight, its moment Σ weight·members, and the most members that it can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share<W> {
    pub(super) moment: W,
    pub(super) weight: W,
    pub(super) people: u64,
    pub(super) most: u64,
    /// The members of its whole region.
    pub(super) members: u64,
}

/// Weights of numbers next to each other.
#[derive(Clone, Debug)]
pub(super) struct Divisions<W> {
    /// The first number.
    pub(super) first: u64,
    /// The weight of each from there on.
    pub(super) weights: Vec<W>,
    /// What was left out is at most this.
    pub(super) lost: f64,
}

impl<W: Weight> Share<W> {
    /// The mean presence, for a score.
    #[expect(clippy::cast_precision_loss, reason = "for a score")]
    pub(super) fn mean(self) -> f64 {
        self.moment.to_f64() / self.weight.to_f64() / self.people as f64
    }
}

/// Whether whole numbers hold everything that is computed of `members` among `people`: C(people, members), its moments, and
/// their products with the bounds.
#[expect(clippy::cast_precision_loss, reason = "a number of bits, with some to spare")]
pub(super) fn has_room(people: u64, members: u64, delta: Delta) -> bool {
    // C(n, t) ≤ Π (n − i)/(i + 1); the sum ends as soon as it is too much.
    let bits = |number: u64| libm::log2(number.max(1) as f64);
    let bounds = [delta.min(), delta.max()]
        .map(|bound| bits(bound.denominator()).max(bits(bound.numerator()) + bits(people)));
    let room = 128.0 - SPARE_BITS - bounds[0].max(bounds[1]) - bits(members) - 1.0;
    let chosen = members.min(people - members);
    let mut needed = 0.0;
    (0..chosen).all(|place| {
        needed += bits(people - place) - bits(place + 1);
        needed <= room
    })
}

/// C(n, k), where it is known to fit.
fn binomial(n: u64, k: u64) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1_u128, |product, place| product * u128::from(n - place) / u128::from(place + 1))
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
        let whole = share.weight * Self::from(share.people);
        let term = |bound: Presence| {
            (Self::from(bound.numerator()) * whole, share.moment * Self::from(bound.denominator()))
        };
        let ((least, own), (most, same)) = (term(delta.min()), term(delta.max()));
        least <= own && same <= most
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

    /// The hypergeometric distribution by its recurrence, from the likeliest number on both ways.
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
        // From a ratio on, the next ones are smaller still: what comes behind is less than a geometric series.
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
        let whole: Self = below.iter().sum();
        for weight in &mut below {
            *weight /= whole;
        }
        // Twice, for its own roundings.
        Divisions { first, weights: below, lost: 2.0 * lost / whole }
    }

    fn keeps(share: Share<Self>, lost: f64, delta: Delta) -> bool {
        let Share { moment, weight, people, most, members } = share;
        let difference = DIFFERENCE * weight * Self::of(members);
        // What was left out may have had all members that it can, or none.
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

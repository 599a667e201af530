//! Which δ to ask for: from what an attacker believes beforehand and how far a release may move that belief.
//!
//! Section 4 of the paper (Nergiz, Atzori, Clifton, *Hiding the Presence of Individuals from Shared Databases*, SIGMOD 2007)
//! chooses δ so that the expected misuse stays acceptable, and works one example. The formulas here are our derivation;
//! what ties them to the paper is that they give the two numbers of its example exactly.
//!
//! All of T has some property. Let s = |T|/|P|, and let the *prior* b be the probability, before the release, that a random
//! person of P has that property. Then a person of P who is not in T has it with probability (b − s)/(1 − s). Somebody to
//! whom a release gives presence x is afterwards believed to have it with probability
//!
//! > a(x) = x + (1 − x)(b − s)/(1 − s), so that a(x) − b = (x − s)(1 − b)/(1 − s).
//!
//! Belief rises by at most m, and falls by at most m′, exactly where
//!
//! > s − m′(1 − s)/(1 − b) ≤ x ≤ s + m(1 − s)/(1 − b).
//!
//! These are δmin and δmax. With b = 0.07 and s = 0.04, m = 1/100 gives δmax = 39/775, and m′ = 2/100 gives δmin = 3/155, as in
//! the paper.
//!
//! [`advise_by_f1`] chooses δmax by another measure: the F1 of an attack, relative to guessing.

use num_bigint::BigUint;
use num_rational::Ratio;

use palmtop_terms::delta::{DECIMALS, Delta};
use palmtop_terms::fraction::{Fraction, scaled};
use palmtop_terms::presence::Presence;

/// A bound that does not fit a [`Presence`] is rounded to a multiple of 10 to the power of minus this.
const PLACES: u32 = 18;

/// The beliefs before a release, and how far the release may move them.
///
/// Misuse is an expected cost, in the unit of `cost`. If a full change of belief costs 2, a change
/// of 1/200 is a misuse of 1/100. With a cost of 1, misuse is the change of belief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// b: the probability, before the release, that a random person of P has the property that all of T has.
    pub prior: Presence,
    /// The cost of a full wrong change of belief, from certainly not to certainly.
    pub cost: Fraction,
    /// The acceptable misuse if belief rises: m is this divided by the cost.
    pub misuse: Fraction,
    /// The acceptable misuse if belief falls: m′ is this divided by the cost. `None` allows any
    /// fall.
    pub misuse_down: Option<Fraction>,
}

/// A δ under which no belief moves further than the [`Stakes`] allow. It is feasible: δmin ≤
/// |T|/|P| ≤ δmax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    share: Presence,
    prior: Presence,
    delta: Delta,
    is_rounded: bool,
}

/// Stakes that no δ can meet, or that set no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdviceError {
    /// |T|/|P| = 0.
    #[error("|T|/|P| is 0: with nobody in T there is nothing to release; give the share of P that is in T")]
    ShareZero,
    /// A prior of 0.
    #[error(
        "the prior is 0: nobody would have the property, yet all of T has it; give a prior of at least |T|/|P| = {share}"
    )]
    PriorZero {
        /// |T|/|P|.
        share: Presence,
    },
    /// A prior of 1.
    #[error(
        "the prior is 1: everybody is known to have the property, so no release can tell more; give a prior below 1"
    )]
    PriorOne,
    /// A cost of 0.
    #[error(
        "the cost is 0: then any misuse is acceptable and there is nothing to bound; give a cost above 0"
    )]
    CostZero,
    /// A prior below |T|/|P|.
    #[error(
        "a prior of {prior} is infeasible: |T|/|P| = {share} is more, and all of T has the property; give a prior of at \
         least {share}"
    )]
    PriorBelowShare {
        /// The prior.
        prior: Presence,
        /// |T|/|P|.
        share: Presence,
    },
    /// A relative F1 that calling everyone a member exceeds.
    #[error(
        "a relative F1 of {relative} is infeasible: an attacker who calls all people of P members already has {least}; give \
         at least {least}"
    )]
    BelowGuessing {
        /// The relative F1.
        relative: Presence,
        /// π/(1 + π).
        least: Fraction,
    },
}

impl AdviceError {
    /// Whether the numbers are valid separately but contradict each other.
    pub fn is_infeasible(&self) -> bool {
        matches!(self, Self::PriorBelowShare { .. } | Self::BelowGuessing { .. })
    }
}

/// The widest δ under which no belief rises by more than misuse/cost or falls by more than `misuse_down`/cost.
///
/// `share` is |T|/|P| = s. δmax = min(1, s + m(1 − s)/(1 − b)); δmin = max(0, s − m′(1 − s)/(1 − b)), 0 without
/// `misuse_down`. Where a bound does not fit a [`Presence`] it is rounded inwards to a multiple of 10⁻¹⁸, but not beyond s, and
/// [`Advice::is_rounded`] says so. Our derivation of the paper's section 4; see the [module](self).
///
/// ```
/// use palmtop_core::model::{Fraction, Stakes, advise};
/// let stakes = Stakes {
///     prior: "7%".parse()?,
///     cost: Fraction::one(),
///     misuse: "1/100".parse()?,
///     misuse_down: Some("2/100".parse()?),
/// };
/// let advice = advise("4%".parse()?, &stakes)?;
/// assert_eq!(advice.delta().to_string(), "(3/155, 39/775)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An [`AdviceError`] for a share of 0, a prior of 0 or 1 or below the share, and a cost of 0.
pub fn advise(share: Presence, stakes: &Stakes) -> Result<Advice, AdviceError> {
    let prior = stakes.prior;
    if share == Presence::ZERO {
        return Err(AdviceError::ShareZero);
    }
    if prior == Presence::ZERO {
        return Err(AdviceError::PriorZero { share });
    }
    if prior == Presence::ONE {
        return Err(AdviceError::PriorOne);
    }
    if stakes.cost.is_zero() {
        return Err(AdviceError::CostZero);
    }
    if prior < share {
        return Err(AdviceError::PriorBelowShare { prior, share });
    }
    // How far presence may lie from s for each unit of misuse: (1 − s)/(1 − b)/cost.
    let reach = rest(share) / rest(prior) / stakes.cost.as_ratio();
    let (max, max_is_rounded) = upper(share, &(exact(share) + stakes.misuse.as_ratio() * &reach));
    let (min, min_is_rounded) = match &stakes.misuse_down {
        Some(misuse) => lower(share, &(misuse.as_ratio() * &reach)),
        None => (Presence::ZERO, false),
    };
    let delta = Delta::new(min, max).expect("δmin ≤ |T|/|P| ≤ δmax");
    Ok(Advice { share, prior, delta, is_rounded: max_is_rounded || min_is_rounded })
}

/// The widest δ with δmin = 0 under which no attack by classes has an F1 relative to guessing above `relative`.
///
/// `share` is |T|/|P| = π, and guessing has F1 = π. δmax = F/(2 − F) with F = π + f(1 − π), because δmax alone limits F1 to
/// 2δmax/(1 + δmax). A bound that does not fit a [`Presence`] is rounded as by [`advise`].
///
/// # Errors
/// An [`AdviceError`] for a share of 0, and for a relative F1 below π/(1 + π), which calling everyone a member has.
pub fn advise_by_f1(share: Presence, relative: Presence) -> Result<Advice, AdviceError> {
    if share == Presence::ZERO {
        return Err(AdviceError::ShareZero);
    }
    let one = exact(Presence::ONE);
    let f1 = exact(share) + exact(relative) * rest(share);
    let bound = &f1 / (&one + &one - &f1);
    if bound < exact(share) {
        let least = Fraction::from(exact(share) / (one + exact(share)));
        return Err(AdviceError::BelowGuessing { relative, least });
    }
    let (max, is_rounded) = upper(share, &bound);
    let delta = Delta::new(Presence::ZERO, max).expect("0 ≤ δmax");
    Ok(Advice { share, prior: share, delta, is_rounded })
}

impl Advice {
    /// δ.
    pub fn delta(&self) -> Delta {
        self.delta
    }

    /// Whether a bound did not fit a [`Presence`] and was rounded to a slightly stricter value.
    pub fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    /// The widest δ within this one that a board can say: δmax rounded down to two digits of per cent, and δmin up. A bound that
    /// would pass |T|/|P| stays as it is.
    pub fn in_two_digits(&self) -> Delta {
        let (min, max) = (two_digits(self.delta.min(), true), two_digits(self.delta.max(), false));
        let min = if min <= self.share { min } else { self.delta.min() };
        let max = if max >= self.share { max } else { self.delta.max() };
        Delta::new(min, max).unwrap_or(self.delta)
    }

    /// The least belief at δmin and the greatest at δmax, as decimals with five digits rounded
    /// outwards.
    pub fn beliefs(&self) -> (String, String) {
        let (least, most) = (self.belief_at(self.delta.min()), self.belief_at(self.delta.max()));
        (least.decimal_down(DECIMALS), most.decimal_up(DECIMALS))
    }

    /// a(x) = x + (1 − x)(b − s)/(1 − s): how likely somebody of this presence has the property, after the release.
    pub fn belief_at(&self, presence: Presence) -> Fraction {
        let outside = (exact(self.prior) - exact(self.share)) / rest(self.share);
        Fraction::from(exact(presence) + rest(presence) * outside)
    }
}

/// A presence with two digits of per cent: 0.0974 as 9.7 % or 9.8 %, 0.00123 as 0.12 % or 0.13 %.
fn two_digits(presence: Presence, up: bool) -> Presence {
    let (above, below) = (u128::from(presence.numerator()), u128::from(presence.denominator()));
    // The first power of ten that divides the presence into at least ten parts.
    let mut parts = 10;
    while above * parts < 10 * below && parts < 10_u128.pow(PLACES) {
        parts *= 10;
    }
    let count = if up { (above * parts).div_ceil(below) } else { above * parts / below };
    let narrow = |value: u128| u64::try_from(value).ok();
    narrow(count)
        .zip(narrow(parts))
        .and_then(|(count, parts)| Presence::new(count, parts).ok())
        .unwrap_or(presence)
}

/// The greatest presence that is not above a bound of at least s, and whether that is less than it.
fn upper(share: Presence, bound: &Ratio<BigUint>) -> (Presence, bool) {
    if *bound >= exact(Presence::ONE) {
        return (Presence::ONE, false);
    }
    fitting(bound).map_or_else(
        || (share.max(units(&scaled(bound, PLACES).to_integer())), true),
        |presence| (presence, false),
    )
}

/// The least presence that is not below s − reach, and whether that is more than it.
fn lower(share: Presence, reach: &Ratio<BigUint>) -> (Presence, bool) {
    let share_exact = exact(share);
    if *reach >= share_exact {
        return (Presence::ZERO, false);
    }
    let bound = share_exact - reach;
    fitting(&bound).map_or_else(
        || (share.min(units(&scaled(&bound, PLACES).ceil().to_integer())), true),
        |presence| (presence, false),
    )
}

/// A number as a presence, if its terms fit.
fn fitting(number: &Ratio<BigUint>) -> Option<Presence> {
    let (numerator, denominator) = (u64::try_from(number.numer()).ok()?, u64::try_from(number.denom()).ok()?);
    Presence::new(numerator, denominator).ok()
}

/// So many units of 10⁻¹⁸, of a number between 0 and 1.
fn units(count: &BigUint) -> Presence {
    let decimal = Ratio::new(count.clone(), BigUint::from(10_u32).pow(PLACES));
    fitting(&decimal).expect("10^18 fits 64 bits")
}

fn exact(presence: Presence) -> Ratio<BigUint> {
    Fraction::from(presence).as_ratio().clone()
}

/// 1 − x.
fn rest(presence: Presence) -> Ratio<BigUint> {
    exact(Presence::ONE) - exact(presence)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;

    fn stakes(prior: &str, cost: &str, misuse: &str, misuse_down: &str) -> Stakes {
        let misuse_down = (!misuse_down.is_empty()).then(|| misuse_down.parse().unwrap());
        Stakes {
            prior: prior.parse().unwrap(),
            cost: cost.parse().unwrap(),
            misuse: misuse.parse().unwrap(),
            misuse_down,
        }
    }

    #[test]
    fn a_board_can_say_the_advised_delta() {
        for (share, prior, misuse, misuse_down, said) in [
            // 39/775 is 5.03 %, 3/155 is 1.93 %.
            ("0.04", "0.07", "1/100", "2/100", ("1/50", "1/20")),
            ("436/11538", "4%", "6%", "", ("0", "97/1000")),
            ("1/1000000", "1/1000", "1/700", "", ("0", "7/5000")),
            ("1/4", "1/2", "7", "7", ("0", "1")),
            // Rounded, the bounds would exclude |T|/|P|.
            ("1/3", "1/2", "0", "0", ("1/3", "1/3")),
        ] {
            let advice = advise(share.parse().unwrap(), &stakes(prior, "1", misuse, misuse_down)).unwrap();
            let delta = advice.in_two_digits();
            assert_eq!((delta.min().to_string().as_str(), delta.max().to_string().as_str()), said, "{share}");
            assert!(delta.is_within(advice.delta()), "{share}");
        }
    }

    #[test]
    fn advised_delta_follows_from_the_stakes() {
        for (share, prior, cost, misuse, misuse_down, expected) in [
            // The paper's section 4.
            ("0.04", "0.07", "1", "1/100", "", "(0, 39/775)"),
            ("0.04", "0.07", "1", "1/100", "2/100", "(3/155, 39/775)"),
            // Twice the misuse at twice the cost is the same; so is a misuse above 1.
            ("0.04", "0.07", "2", "2/100", "4/100", "(3/155, 39/775)"),
            ("0.04", "0.07", "1000", "10", "20", "(3/155, 39/775)"),
            // Nothing may be learnt: everybody's presence is |T|/|P|.
            ("1/3", "1/2", "1", "0", "0", "(1/3, 1/3)"),
            // The property is that of being in T: presence is belief.
            ("1/4", "1/4", "1", "1/4", "1/8", "(1/8, 1/2)"),
            // So much may be learnt that a bound is none.
            ("1/4", "1/2", "1", "1/2", "1/2", "(0, 1)"),
            ("1/4", "1/2", "1", "7", "7", "(0, 1)"),
        ] {
            let advice = advise(share.parse().unwrap(), &stakes(prior, cost, misuse, misuse_down)).unwrap();
            assert_eq!(advice.delta().to_string(), expected, "{share} {prior} {cost} {misuse} {misuse_down}");
            assert!(!advice.is_rounded());
        }
    }

    #[test]
    fn delta_follows_from_a_relative_f1() {
        for (share, relative, expected, said) in [
            // F = 1/25 + 1/5 · 24/25 = 29/125, and 29/125/(2 − 29/125) = 29/221 = 13.1 %.
            ("4%", "20%", "29/221", "13/100"),
            ("1/4", "5/9", "1/2", "1/2"),
            // The least: everyone is called a member.
            ("1/4", "1/5", "1/4", "1/4"),
            ("1/4", "1", "1", "1"),
            ("1", "0", "1", "1"),
        ] {
            let advice = advise_by_f1(share.parse().unwrap(), relative.parse().unwrap()).unwrap();
            let max = (advice.delta().max().to_string(), advice.in_two_digits().max().to_string());
            assert_eq!((max.0.as_str(), max.1.as_str()), (expected, said), "{share} {relative}");
        }
        let refused = advise_by_f1("1/4".parse().unwrap(), "19%".parse().unwrap()).unwrap_err();
        assert!(refused.is_infeasible() && refused.to_string().contains("already has 1/5"), "{refused}");
        let nobody = advise_by_f1(Presence::ZERO, Presence::ONE).unwrap_err();
        assert_eq!(nobody, AdviceError::ShareZero);
    }

    #[test]
    fn belief_at_the_bounds_is_prior_after_misuse() {
        let advice = advise("4%".parse().unwrap(), &stakes("7%", "1", "1%", "2%")).unwrap();
        let belief = |presence| advice.belief_at(presence).to_string();
        assert_eq!(belief(advice.delta().min()), "1/20");
        assert_eq!(belief(advice.delta().max()), "2/25");
        assert_eq!((belief("4%".parse().unwrap()), belief(Presence::ONE)), ("7/100".into(), "1".into()));
    }

    #[test]
    fn impossible_stakes_are_refused_with_their_numbers() {
        for (share, prior, cost, refusal, is_infeasible) in [
            ("4%", "3%", "1", "a prior of 3/100 is infeasible: |T|/|P| = 1/25 is more", true),
            ("1", "99%", "1", "a prior of 99/100 is infeasible: |T|/|P| = 1 is more", true),
            ("4%", "0", "1", "the prior is 0", false),
            ("4%", "1", "1", "the prior is 1", false),
            ("4%", "7%", "0", "the cost is 0", false),
            ("0", "7%", "1", "|T|/|P| is 0", false),
        ] {
            let error = advise(share.parse().unwrap(), &stakes(prior, cost, "1%", "")).unwrap_err();
            assert!(error.to_string().starts_with(refusal), "{error}");
            assert_eq!(error.is_infeasible(), is_infeasible);
        }
    }

    #[test]
    fn advised_bounds_are_rounded_inwards_and_marked() {
        let share = Presence::new(1, u64::MAX).unwrap();
        let advice = advise(share, &stakes("1/3", "7", "1/1000003", "1/1000000000000000000007")).unwrap();
        assert!(advice.is_rounded());
        assert_eq!(advice.delta().min(), share, "the next multiple of 10⁻¹⁸ is above |T|/|P|");
        assert_eq!(10_u64.pow(PLACES) % advice.delta().max().denominator(), 0);
    }

    fn rational(fraction: &Fraction) -> BigRational {
        fraction.to_string().parse().unwrap()
    }

    fn presences() -> impl Strategy<Value = Presence> {
        let ratio = |(a, b): (u64, u64)| Presence::new(a.min(b), a.max(b).max(1)).unwrap();
        prop_oneof![
            (1..50_u64, 1..50_u64).prop_map(ratio),
            (1..1_000_000_u64, 1..1_000_000_u64).prop_map(ratio),
            (any::<u64>(), any::<u64>()).prop_map(ratio),
        ]
    }

    fn fractions() -> impl Strategy<Value = Fraction> {
        let read = |(a, b): (u64, u64)| format!("{a}/{b}").parse().unwrap();
        prop_oneof![
            (0..30_u64, 1..200_u64).prop_map(read),
            (any::<u64>(), 1..=u64::MAX).prop_map(read),
            (0..30_u64, 1_u64 << 60..=u64::MAX).prop_map(read),
        ]
    }

    proptest! {
        #[test]
        fn advised_relative_f1_is_never_exceeded(share in presences(), relative in presences()) {
            prop_assume!(share > Presence::ZERO);
            let number = |presence: Presence| rational(&presence.into());
            let one = BigRational::from_integer(BigInt::from(1));
            let (pi, wanted) = (number(share), number(relative));
            let relative_of = |max: &BigRational| {
                let f1 = (max + max) / (&one + max);
                (&f1 - &pi, &one - &pi)
            };
            let is_kept = |max: &BigRational| {
                let (above, below) = relative_of(max);
                above <= &wanted * below
            };
            match advise_by_f1(share, relative) {
                Err(_) => prop_assert!(!is_kept(&pi)),
                Ok(advice) => {
                    let max = number(advice.delta().max());
                    prop_assert!(is_kept(&max) && max >= pi);
                    let unit = BigRational::new(BigInt::from(1), BigInt::from(10).pow(PLACES));
                    prop_assert!(max == one || !is_kept(&(&max + &unit)), "δmax could be looser");
                }
            }
        }

        #[test]
        fn advised_delta_is_feasible_and_respects_the_stakes(
            one in presences(),
            other in presences(),
            cost in fractions(),
            misuse in fractions(),
            misuse_down in proptest::option::of(fractions()),
        ) {
            let (share, prior) = (one.min(other), one.max(other));
            prop_assume!(share > Presence::ZERO && prior < Presence::ONE && !cost.is_zero());
            let stakes = Stakes { prior, cost, misuse, misuse_down };
            let advice = advise(share, &stakes).unwrap();
            let delta = advice.delta();
            prop_assert!(delta.min() <= share && share <= delta.max());

            // By another way than `belief_at`: a(x) − b = (x − s)(1 − b)/(1 − s).
            let number = |presence: Presence| rational(&presence.into());
            let one = BigRational::from_integer(BigInt::from(1));
            let (s, b, cost) = (number(share), number(prior), rational(&stakes.cost));
            let moved = |x: &BigRational| (x - &s) * (&one - &b) / (&one - &s);
            for bound in [delta.min(), delta.max()] {
                prop_assert_eq!(rational(&advice.belief_at(bound)) - &b, moved(&number(bound)));
            }
            let unit = BigRational::new(BigInt::from(1), BigInt::from(10).pow(PLACES));
            let (up, max) = (rational(&stakes.misuse) / &cost, number(delta.max()));
            prop_assert!(moved(&max) <= up);
            prop_assert!(max == one || moved(&(&max + &unit)) > up, "δmax could be looser");
            prop_assert!(advice.is_rounded() || max == one || moved(&max) == up);
            if let Some(misuse_down) = &stakes.misuse_down {
                let (down, min) = (rational(misuse_down) / &cost, number(delta.min()));
                prop_assert!(-moved(&min) <= down);
                prop_assert!(delta.min() == Presence::ZERO || -moved(&(&min - &unit)) > down, "δmin could be looser");
                prop_assert!(advice.is_rounded() || delta.min() == Presence::ZERO || -moved(&min) == down);
            } else {
                prop_assert_eq!(delta.min(), Presence::ZERO);
            }
        }
    }
}

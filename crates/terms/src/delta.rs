//! δ: the two bounds on presence, and the verdict on a class.

use std::fmt;
use std::hash::{Hash, Hasher};

use num_rational::Ratio;

use super::error::TermError;
use super::fraction::Fraction;
use super::presence::{Counts, Presence};

/// The places of a decimal for people; the fraction beside it is what counts.
pub const DECIMALS: u32 = 5;

/// δ = (δmin, δmax), the bounds that the presence of every class must keep (paper, definition 2).
///
/// Where no class may be empty ([`without_empty_classes`](Self::without_empty_classes)), a class without private people is
/// under it, too. Two δ are equal if their bounds are, whatever they say of empty classes.
#[derive(Clone, Copy, Debug)]
pub struct Delta {
    min: Presence,
    max: Presence,
    /// The least presence that is accepted: δmin, or more.
    floor: Presence,
}

impl PartialEq for Delta {
    fn eq(&self, other: &Self) -> bool {
        (self.min, self.max) == (other.min, other.max)
    }
}

impl Eq for Delta {}

impl Hash for Delta {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.min, self.max).hash(state);
    }
}

/// What a policy says of a class; of δ, where its presence lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// δmin ≤ presence ≤ δmax.
    Ok,
    /// presence > δmax.
    Over,
    /// presence < δmin, or no private people where no class may be empty.
    Under,
    /// It keeps δ and breaks this criterion, known by its key.
    Breaks(&'static str),
}

impl Verdict {
    /// The word of the verdict in every table and file: `ok`, `over`, `under`, or the key of the broken criterion.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Over => "over",
            Self::Under => "under",
            Self::Breaks(criterion) => criterion,
        }
    }
}

impl Delta {
    /// The bounds `min` and `max`.
    ///
    /// # Errors
    /// [`TermError::DeltaOrder`] if `min` is above `max`.
    pub fn new(min: Presence, max: Presence) -> Result<Self, TermError> {
        if min > max {
            return Err(TermError::DeltaOrder { min, max });
        }
        Ok(Self { min, max, floor: min })
    }

    /// The bounds as they are written, δmin and δmax.
    ///
    /// # Errors
    /// [`TermError::NotAPresence`] naming the bound that cannot be read, or [`TermError::DeltaOrder`].
    pub fn read(min: &str, max: &str) -> Result<Self, TermError> {
        let bound = |what, text: &str| text.parse().map_err(|error: TermError| error.given_for(what));
        Self::new(bound("δmin", min)?, bound("δmax", max)?)
    }

    /// δmin and δmax as decimals of five places for people, rounded to the safe side: δmin up, δmax down.
    pub fn decimals(self) -> (String, String) {
        (Fraction::from(self.min).decimal_up(DECIMALS), Fraction::from(self.max).decimal_down(DECIMALS))
    }

    /// The same bounds for a table of so many public people, and no class may be empty.
    ///
    /// A class has private people exactly if its presence is at least that of one person among everybody public.
    #[must_use]
    pub fn without_empty_classes(self, public: u64) -> Self {
        let least = Presence::new(1, public).unwrap_or(Presence::ZERO);
        Self { floor: self.min.max(least), ..self }
    }

    /// The least presence that a class may have: δmin, or where no class may be empty the least above 0 that there can be.
    pub fn floor(self) -> Presence {
        self.floor
    }

    /// δmin.
    pub fn min(self) -> Presence {
        self.min
    }

    /// δmax.
    pub fn max(self) -> Presence {
        self.max
    }

    /// Whether this δ is as strict as another or stricter: what keeps this one keeps the other too.
    pub fn is_within(self, other: Self) -> bool {
        self.min >= other.min && self.max <= other.max
    }

    /// Whether a class with these counts keeps δ: δmin ≤ private/public ≤ δmax, by cross-multiplication; and whether it may
    /// be empty if it is. `Policy::allows` of `palmtop-core` decides about a class.
    pub fn allows(self, counts: Counts) -> bool {
        self.judge(counts) == Verdict::Ok
    }

    /// What δ alone says of a class with these counts.
    pub fn judge(self, counts: Counts) -> Verdict {
        let (private, public) = (u128::from(counts.private), u128::from(counts.public));
        let wide = |term: u64| u128::from(term);
        if private * wide(self.max.denominator()) > wide(self.max.numerator()) * public {
            Verdict::Over
        } else if private * wide(self.floor.denominator()) < wide(self.floor.numerator()) * public {
            Verdict::Under
        } else {
            Verdict::Ok
        }
    }

    /// How far the presence of these counts lies outside δ; 0 inside.
    pub fn distance(self, counts: Counts) -> Distance {
        let outside = |bound: Presence| {
            let presence = u128::from(counts.private) * u128::from(bound.denominator());
            let limit = u128::from(bound.numerator()) * u128::from(counts.public);
            let below = u128::from(counts.public) * u128::from(bound.denominator());
            Distance::new_raw(presence.abs_diff(limit), below)
        };
        match self.judge(counts) {
            Verdict::Ok | Verdict::Breaks(_) => Distance::new_raw(0, 1),
            Verdict::Over => outside(self.max),
            Verdict::Under => outside(self.floor),
        }
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.min, self.max)
    }
}

/// How far a presence lies outside δ. Its terms may fill 128 bits; [`Ratio`] compares it without multiplying them.
pub type Distance = Ratio<u128>;

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    fn delta(min: &str, max: &str) -> Delta {
        Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
    }

    #[test]
    fn bounds_are_inclusive_and_exact() {
        let delta = delta("1/2", "2/3");
        for (public, private, verdict) in [
            (6, 3, Verdict::Ok),
            (3, 2, Verdict::Ok),
            (3, 1, Verdict::Under),
            (3, 3, Verdict::Over),
            (4, 0, Verdict::Under),
        ] {
            assert_eq!(delta.judge(Counts::new(public, private)), verdict, "{private}/{public}");
        }
    }

    #[test]
    fn a_delta_within_another_is_as_strict_at_both_ends() {
        assert!(delta("1/2", "2/3").is_within(delta("1/2", "2/3")));
        assert!(delta("1/2", "2/3").is_within(delta("0.49", "0.67")));
        assert!(!delta("1/2", "2/3").is_within(delta("0.51", "1")));
        assert!(!delta("1/2", "2/3").is_within(delta("0", "0.66")));
    }

    #[test]
    fn an_empty_class_keeps_delta_only_where_its_minimum_is_zero() {
        assert!(delta("0", "1/20").allows(Counts::new(7, 0)));
        assert!(!delta("0.001", "1/20").allows(Counts::new(7, 0)));
    }

    #[test]
    fn where_no_class_may_be_empty_one_private_person_is_enough_and_none_is_under() {
        let delta = delta("0", "1/2").without_empty_classes(1000);
        for (counts, verdict) in [
            (Counts::new(1000, 1), Verdict::Ok),
            (Counts::new(1000, 0), Verdict::Under),
            (Counts::new(1, 0), Verdict::Under),
            (Counts::new(2, 1), Verdict::Ok),
            (Counts::new(2, 2), Verdict::Over),
        ] {
            assert_eq!(delta.judge(counts), verdict, "{counts:?}");
        }
        assert_eq!((delta.min(), delta.to_string().as_str()), (Presence::ZERO, "(0, 1/2)"));
    }

    #[test]
    fn distance_outside_orders_over_and_under_together() {
        let delta = delta("1/4", "1/2");
        let order = |left, right| delta.distance(left).cmp(&delta.distance(right));
        assert_eq!(
            order(Counts::new(10, 8), Counts::new(10, 0)),
            Ordering::Greater,
            ".3 over against .25 under"
        );
        assert_eq!(
            order(Counts::new(4, 3), Counts::new(9, 0)),
            Ordering::Equal,
            ".25 over against .25 under"
        );
        assert_eq!(order(Counts::new(4, 2), Counts::new(9, 3)), Ordering::Equal, "both inside");
        assert_eq!(
            order(Counts::new(u64::MAX, u64::MAX - 1), Counts::new(u64::MAX, u64::MAX)),
            Ordering::Less
        );
    }
}

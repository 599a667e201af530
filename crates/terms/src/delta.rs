//! δ, the two bounds of presence, and the verdict on a class.

use std::fmt;

use num_rational::Ratio;

use super::error::TermError;
use super::fraction::Fraction;
use super::presence::{Counts, Presence};

/// The decimal places of numbers that are shown next to an exact fraction.
pub const DECIMALS: u32 = 5;

/// δ = (δmin, δmax), the bounds of the presence of every class (paper, definition 2).
///
/// [`PresenceBounds`] judge a class: δ alone, or with empty classes forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delta {
    min: Presence,
    max: Presence,
}

/// δ as it judges classes. If empty classes are forbidden ([`Delta::without_empty_classes`]), a class
/// without members is under δ too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PresenceBounds {
    delta: Delta,
    /// The least accepted presence: δmin, or more if empty classes are forbidden.
    floor: Presence,
}

/// The verdict of a policy on a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// δmin ≤ presence ≤ δmax.
    Ok,
    /// presence > δmax.
    Over,
    /// presence < δmin, or a class without members although empty classes are forbidden.
    Under,
    /// The class keeps δ but breaks the criterion with this key.
    Breaks(&'static str),
}

impl Verdict {
    /// The verdict in tables and files: `ok`, `over`, `under`, or the key of the broken criterion.
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
    /// δ with the bounds `min` and `max`.
    ///
    /// # Errors
    /// [`TermError::DeltaOrder`] if `min` is above `max`.
    pub fn new(min: Presence, max: Presence) -> Result<Self, TermError> {
        if min > max {
            return Err(TermError::DeltaOrder { min: min.to_string(), max: max.to_string() });
        }
        Ok(Self { min, max })
    }

    /// Reads δmin and δmax from texts.
    ///
    /// # Errors
    /// [`TermError::NotAPresence`] with the name of the bound that cannot be read, or [`TermError::DeltaOrder`].
    pub fn read(min: &str, max: &str) -> Result<Self, TermError> {
        let bound = |what, text: &str| text.parse().map_err(|error: TermError| error.given_for(what));
        Self::new(bound("δmin", min)?, bound("δmax", max)?)
    }

    /// δmin and δmax as decimals with five places, rounded to the safe side: δmin up, δmax down.
    pub fn decimals(self) -> (String, String) {
        (Fraction::from(self.min).decimal_up(DECIMALS), Fraction::from(self.max).decimal_down(DECIMALS))
    }

    /// The same δ with empty classes forbidden, for a public table of `public` individuals.
    ///
    /// A class has members exactly if its presence is at least 1/`public`.
    pub fn without_empty_classes(self, public: u64) -> PresenceBounds {
        let least = Presence::new(1, public).unwrap_or(Presence::ZERO);
        PresenceBounds { delta: self, floor: self.min.max(least) }
    }

    /// δmin.
    pub fn min(self) -> Presence {
        self.min
    }

    /// δmax.
    pub fn max(self) -> Presence {
        self.max
    }

    /// Whether this δ is at least as strict as `wider`: every class that keeps this δ keeps `wider` too.
    pub fn is_within(self, wider: Self) -> bool {
        self.min >= wider.min && self.max <= wider.max
    }
}

impl From<Delta> for PresenceBounds {
    /// The bounds of δ alone: empty classes are allowed if δmin is 0.
    fn from(delta: Delta) -> Self {
        Self { delta, floor: delta.min }
    }
}

impl PresenceBounds {
    /// δ, without whether classes may be empty.
    pub fn delta(self) -> Delta {
        self.delta
    }

    /// The least presence of a class: δmin, or at least 1/|P| if empty classes are forbidden.
    pub fn floor(self) -> Presence {
        self.floor
    }

    /// δmax.
    pub fn max(self) -> Presence {
        self.delta.max
    }

    /// Whether a class with these counts keeps δ: δmin ≤ private/public ≤ δmax, by cross-multiplication. An empty class must
    /// also be allowed. `Policy::allows` of `palmtop-core` checks the other criteria.
    pub fn allows(self, counts: Counts) -> bool {
        self.judge(counts) == Verdict::Ok
    }

    /// The verdict of δ alone on a class with these counts.
    pub fn judge(self, counts: Counts) -> Verdict {
        let (private, public) = (u128::from(counts.private), u128::from(counts.public));
        let wide = |term: u64| u128::from(term);
        if private * wide(self.delta.max.denominator()) > wide(self.delta.max.numerator()) * public {
            Verdict::Over
        } else if private * wide(self.floor.denominator()) < wide(self.floor.numerator()) * public {
            Verdict::Under
        } else {
            Verdict::Ok
        }
    }

    /// The distance of the presence of these counts from δ; 0 inside.
    pub fn distance(self, counts: Counts) -> Distance {
        let outside = |bound: Presence| {
            let presence = u128::from(counts.private) * u128::from(bound.denominator());
            let limit = u128::from(bound.numerator()) * u128::from(counts.public);
            let below = u128::from(counts.public) * u128::from(bound.denominator());
            Distance::new_raw(presence.abs_diff(limit), below)
        };
        match self.judge(counts) {
            Verdict::Ok | Verdict::Breaks(_) => Distance::new_raw(0, 1),
            Verdict::Over => outside(self.delta.max),
            Verdict::Under => outside(self.floor),
        }
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.min, self.max)
    }
}

/// The distance of a presence from δ. Its terms may fill 128 bits; [`Ratio`] compares them without overflow.
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
        let delta = PresenceBounds::from(delta("1/2", "2/3"));
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
    fn delta_within_another_is_strict_at_both_ends() {
        assert!(delta("1/2", "2/3").is_within(delta("1/2", "2/3")));
        assert!(delta("1/2", "2/3").is_within(delta("0.49", "0.67")));
        assert!(!delta("1/2", "2/3").is_within(delta("0.51", "1")));
        assert!(!delta("1/2", "2/3").is_within(delta("0", "0.66")));
    }

    #[test]
    fn empty_class_keeps_delta_only_with_zero_minimum() {
        assert!(PresenceBounds::from(delta("0", "1/20")).allows(Counts::new(7, 0)));
        assert!(!PresenceBounds::from(delta("0.001", "1/20")).allows(Counts::new(7, 0)));
    }

    #[test]
    fn one_member_suffices_where_no_class_is_empty() {
        let (delta, judging) = (delta("0", "1/2"), delta("0", "1/2").without_empty_classes(1000));
        for (counts, verdict) in [
            (Counts::new(1000, 1), Verdict::Ok),
            (Counts::new(1000, 0), Verdict::Under),
            (Counts::new(1, 0), Verdict::Under),
            (Counts::new(2, 1), Verdict::Ok),
            (Counts::new(2, 2), Verdict::Over),
        ] {
            assert_eq!(judging.judge(counts), verdict, "{counts:?}");
        }
        assert_eq!(judging.delta(), delta);
        assert_ne!(judging, delta.into(), "equal bounds judge alike");
    }

    #[test]
    fn distance_outside_orders_over_and_under_together() {
        let delta = PresenceBounds::from(delta("1/4", "1/2"));
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

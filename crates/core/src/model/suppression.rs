//! Suppression: the share of T's members that a release may withhold.
//!
//! If a class is withdrawn, its members' rows are not released. A reader of the release cannot
//! distinguish a withdrawn class from one without members. So everyone in P who matches no row
//! forms one more class, the *pool*. Its presence is the number of withdrawn members divided by the
//! size of the pool, and has to keep δ. Other criteria concern rows, and the pool has none.

use std::fmt;
use std::str::FromStr;

use super::presence::Presence;

/// The share of T's members that may be withdrawn: from 0 up to, but not including, 1.
///
/// ```
/// use palmtop_core::model::Suppression;
/// let suppression: Suppression = "2%".parse()?;
/// assert_eq!((suppression.most(1206), suppression.to_string()), (24, "1/50".to_owned()));
/// # Ok::<(), palmtop_core::model::SuppressionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Suppression {
    share: Presence,
}

/// A text that is not a share of T's members.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`suppress_at_most = {text}`: expected a share of T's members from 0 up to, but not including, 1: \"2%\", 0.02 or \"1/50\""
)]
pub struct SuppressionError {
    /// The text as given.
    pub text: String,
}

impl Suppression {
    /// The key in `[policy]`.
    pub const KEY: &'static str = "suppress_at_most";
    /// No member may be withdrawn.
    pub const NONE: Self = Self { share: Presence::ZERO };

    /// The largest share of T's members that may be withdrawn.
    pub fn share(self) -> Presence {
        self.share
    }

    /// Whether no member may be withdrawn, whatever |T| is.
    pub fn is_none(self) -> bool {
        self.share == Presence::ZERO
    }

    /// How many of `members` members may be withdrawn: the share, rounded down. It is less than
    /// `members`, unless both are 0.
    pub fn most(self, members: u64) -> u64 {
        let most =
            u128::from(self.share.numerator()) * u128::from(members) / u128::from(self.share.denominator());
        // A share below 1 of `members` is below `members`.
        u64::try_from(most).unwrap_or(0)
    }
}

impl Default for Suppression {
    fn default() -> Self {
        Self::NONE
    }
}

impl FromStr for Suppression {
    type Err = SuppressionError;

    /// Reads a percentage (`2%`), a decimal (`0.02`) or a fraction (`1/50`), exactly.
    fn from_str(text: &str) -> Result<Self, SuppressionError> {
        let share: Option<Presence> = text.parse().ok();
        match share.filter(|share| *share < Presence::ONE) {
            Some(share) => Ok(Self { share }),
            None => Err(SuppressionError { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for Suppression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.share.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_read_exactly_and_rounded_down() {
        for (text, members, most) in [
            ("2%", 1206, 24),
            ("0.02", 50, 1),
            ("1/50", 49, 0),
            ("0", 1206, 0),
            ("0%", 1206, 0),
            ("99.9%", 10, 9),
            ("0.999999999999999999", u64::MAX, 18_446_744_073_709_551_596),
            ("1/3", 3, 1),
        ] {
            let read: Suppression = text.parse().unwrap();
            assert_eq!(read.most(members), most, "{text} of {members}");
            assert_eq!(read.is_none(), read.most(u64::MAX) == 0, "{text}");
            assert_eq!(read.to_string().parse(), Ok(read));
        }
        for text in ["", "1", "100%", "-1%", "two", "3/2", "0.02.1", "2%%"] {
            let error = text.parse::<Suppression>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`suppress_at_most = {text}`: expected a share")), "{error}");
        }
    }
}

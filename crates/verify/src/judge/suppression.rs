//! Reads the share of T's members that may be withdrawn, `suppress_at_most` in the project file.

use num_bigint::BigUint;

use crate::problems::VerifyError;
use crate::values::Ratio;

/// The share of members that may be withdrawn, below 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowed(Ratio);

impl Allowed {
    /// Reads the text of the project file. Without a text, no member may be withdrawn.
    ///
    /// # Errors
    /// A [`VerifyError`] if the text is not a share below 1.
    pub(crate) fn read(text: Option<&str>) -> Result<Self, VerifyError> {
        let text = text.unwrap_or("0");
        let share = Ratio::read(text).filter(|share| share.above < share.below);
        let expected = "a share of T's members from 0 up to, but not including, 1: 2%, 0.02 or 1/50";
        share.map(Self).ok_or_else(|| VerifyError::policy("suppress_at_most", text, expected))
    }

    /// The number of members that may be withdrawn: the share of `members`, rounded down.
    pub(crate) fn of(&self, members: u64) -> u64 {
        let most = BigUint::from(members) * &self.0.above / &self.0.below;
        u64::try_from(most).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_is_read_exactly_and_rounded_down() {
        for (text, members, most) in [
            ("2%", 1206, 24),
            ("0.02", 50, 1),
            ("1/50", 49, 0),
            (" 1 / 50 ", 100, 2),
            ("2 %", 1206, 24),
            (".5", 3, 1),
            ("0", 1206, 0),
            ("0/7", 1206, 0),
            ("99.99%", 10_000, 9_999),
            ("1/3", 3, 1),
            ("0.999999999999999999", u64::from(u32::MAX), u64::from(u32::MAX) - 1),
        ] {
            assert_eq!(Allowed::read(Some(text)).unwrap().of(members), most, "{text} of {members}");
        }
        for text in ["", "1", "100%", "3/2", "1/0", "-1%", "1e-2", "2%%", "1/50%", "two", "0.", "1_0/50"] {
            assert!(Allowed::read(Some(text)).is_err(), "{text}");
        }
        assert_eq!(Allowed::read(None).unwrap().of(u64::MAX), 0);
    }
}

//! Presence: the probability of being in the private table, as an exact ratio.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use num_bigint::BigUint;
use num_integer::Integer;

use super::error::TermError;
use super::fraction::Fraction;

/// The limit of a presence text, in bytes.
const LONGEST: usize = 80;

/// An exact ratio between 0 and 1, in lowest terms: the presence of a class, or a bound on it.
///
/// Comparison uses cross-multiplication in 128 bits, never floating-point numbers.
///
/// ```
/// use palmtop_terms::Presence;
/// let read: Presence = "5%".parse()?;
/// assert_eq!(read, "0.05".parse()?);
/// assert_eq!(read.to_string(), "1/20");
/// # Ok::<(), palmtop_terms::TermError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Presence {
    numerator: u64,
    denominator: u64,
}

impl Presence {
    /// Presence 0: no individual of the class is in the private table.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// Presence 1: all individuals of the class are in the private table.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The ratio `numerator / denominator`, reduced to lowest terms.
    ///
    /// # Errors
    /// [`TermError::NotAPresence`] if the denominator is 0 or the ratio is above 1.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, TermError> {
        if denominator == 0 || numerator > denominator {
            return Err(TermError::NotAPresence {
                what: "presence",
                text: format!("{numerator}/{denominator}"),
            });
        }
        let divisor = numerator.gcd(&denominator);
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator in lowest terms, at least 1.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest floating-point number. Use it for drawing, never for verdicts.
    #[expect(clippy::cast_precision_loss, reason = "for drawing, never for decisions")]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Ord for Presence {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        let right = u128::from(other.numerator) * u128::from(self.denominator);
        left.cmp(&right)
    }
}

impl PartialOrd for Presence {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<Presence> for Fraction {
    fn from(presence: Presence) -> Self {
        Self::ratio(presence.numerator().into(), presence.denominator().into())
    }
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            f.pad(&self.numerator.to_string())
        } else {
            f.pad(&format!("{}/{}", self.numerator, self.denominator))
        }
    }
}

impl FromStr for Presence {
    type Err = TermError;

    /// Reads a fraction (`2/3`), a decimal (`0.05`) or a percentage (`5%`), exactly. The syntax is that of [`Fraction`]; the
    /// number is at most 1, and its terms fit into 64 bits.
    fn from_str(text: &str) -> Result<Self, TermError> {
        let wrong = || TermError::NotAPresence { what: "presence", text: text.to_owned() };
        // The limit keeps the arithmetic on hostile input cheap.
        let read: Fraction = Some(text)
            .filter(|text| text.len() <= LONGEST)
            .ok_or_else(wrong)?
            .parse()
            .map_err(|_| wrong())?;
        let term = |term: &BigUint| u64::try_from(term).map_err(|_| wrong());
        Self::new(term(read.as_ratio().numer())?, term(read.as_ratio().denom())?).map_err(|_| wrong())
    }
}

/// The numbers of individuals and members who share something: a combination, a class or a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts {
    /// The number of individuals in the public table.
    pub public: u64,
    /// The number of members of the private table, at most `public`.
    pub private: u64,
}

impl Counts {
    /// The counts of `public` individuals, of whom `private` are members.
    pub fn new(public: u64, private: u64) -> Self {
        Self { public, private }
    }

    /// The presence private/public; 0 if there are no individuals.
    pub fn presence(self) -> Presence {
        Presence::new(self.private, self.public).unwrap_or(Presence::ZERO)
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { public: self.public + other.public, private: self.private + other.private }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fractions_decimals_and_percentages_exactly() {
        for (text, expected) in [
            ("2/3", "2/3"),
            ("4/6", "2/3"),
            ("0.05", "1/20"),
            ("5%", "1/20"),
            ("0.5 %", "1/200"),
            (".25", "1/4"),
            ("1", "1"),
            ("1.0", "1"),
            ("100%", "1"),
            ("0", "0"),
            ("0/7", "0"),
            ("00.5000000000000000000000000000000", "1/2"),
            ("0.333333333333333333", "333333333333333333/1000000000000000000"),
        ] {
            assert_eq!(text.parse::<Presence>().unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_presence() {
        for text in [
            "",
            "x",
            "1/0",
            "3/2",
            "1.5",
            "-0.1",
            "101%",
            "1e-3",
            "0.",
            "1/2/3",
            "NaN",
            "0.1234567890123456789123",
            "1/18446744073709551616",
            &format!("0.5{}", "0".repeat(80)),
        ] {
            assert!(text.parse::<Presence>().is_err(), "{text}");
        }
    }

    // holds: Exact verdicts
    #[test]
    fn compares_exactly_where_floating_point_cannot() {
        let third = Presence::new(u64::MAX / 3, u64::MAX).unwrap();
        let above = Presence::new(u64::MAX / 3 + 1, u64::MAX).unwrap();
        assert!(third < above);
        assert_eq!(Counts::new(6, 3).presence(), Presence::new(1, 2).unwrap());
    }
}

//! Exact numbers of at least 0 and of any size: misuse, costs and beliefs.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;
use num_rational::Ratio;

use super::error::TermError;

/// An exact number of at least 0, in lowest terms. Its terms have any size, and it may exceed 1.
///
/// ```
/// use palmtop_terms::Fraction;
/// let read: Fraction = "150%".parse()?;
/// assert_eq!(read, "1.5".parse()?);
/// assert_eq!(read.to_string(), "3/2");
/// # Ok::<(), palmtop_terms::TermError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fraction(Ratio<BigUint>);

impl From<Ratio<BigUint>> for Fraction {
    fn from(ratio: Ratio<BigUint>) -> Self {
        Self(ratio)
    }
}

impl Fraction {
    /// The number as a ratio of integers.
    pub fn as_ratio(&self) -> &Ratio<BigUint> {
        &self.0
    }

    /// The number 0.
    pub fn zero() -> Self {
        Self::ratio(0, 1)
    }

    /// The ratio `above` / `below`. `below` must not be 0.
    pub fn ratio(above: u128, below: u128) -> Self {
        Self(Ratio::new(above.into(), below.into()))
    }

    /// The number 1.
    pub fn one() -> Self {
        Self::ratio(1, 1)
    }

    /// Whether the number is 0.
    pub fn is_zero(&self) -> bool {
        *self.0.numer() == BigUint::ZERO
    }

    /// The difference, or 0 if `subtrahend` is larger.
    #[must_use]
    pub fn minus(&self, subtrahend: &Self) -> Self {
        if self > subtrahend { Self(&self.0 - &subtrahend.0) } else { Self::zero() }
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, addend: &Self) -> Self {
        Self(&self.0 + &addend.0)
    }

    /// The numerator and the denominator, which is not 0.
    pub fn terms(&self) -> (&BigUint, &BigUint) {
        (self.0.numer(), self.0.denom())
    }

    /// A floating-point number within 10⁻¹⁸ of the number, or adjacent to it. Use it for drawing and estimates, never for decisions.
    pub fn to_f64(&self) -> f64 {
        self.decimal_down(18).parse().unwrap_or(f64::INFINITY)
    }

    /// The greatest decimal with `places` decimal places that is not above the number.
    pub fn decimal_down(&self, places: u32) -> String {
        with_point(&scaled(&self.0, places).to_integer(), places)
    }

    /// The least decimal with `places` decimal places that is not below the number.
    pub fn decimal_up(&self, places: u32) -> String {
        with_point(&scaled(&self.0, places).ceil().to_integer(), places)
    }
}

/// The number times 10^`places`.
pub fn scaled(number: &Ratio<BigUint>, places: u32) -> Ratio<BigUint> {
    number * BigUint::from(10_u32).pow(places)
}

/// The number `units` · 10^-`places` as a decimal.
fn with_point(units: &BigUint, places: u32) -> String {
    let places = places as usize;
    let digits = format!("{:0>width$}", units.to_string(), width = places + 1);
    let (integer, fraction) = digits.split_at(digits.len() - places);
    if fraction.is_empty() { integer.to_owned() } else { format!("{integer}.{fraction}") }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl FromStr for Fraction {
    type Err = TermError;

    /// Reads a fraction (`3/2`), a decimal (`0.01`) or a percentage (`1%`), exactly.
    fn from_str(text: &str) -> Result<Self, TermError> {
        let trimmed = text.trim();
        let read = if let Some((above, below)) = trimmed.split_once('/') {
            digits(above.trim()).zip(digits(below.trim()).filter(|below| *below != BigUint::ZERO))
        } else if let Some(percent) = trimmed.strip_suffix('%') {
            decimal(percent.trim_end()).map(|(above, below)| (above, below * 100_u32))
        } else {
            decimal(trimmed)
        };
        let (above, below) =
            read.ok_or_else(|| TermError::NotAFraction { what: "number", text: text.to_owned() })?;
        Ok(Self(Ratio::new(above, below)))
    }
}

/// Reads ASCII digits without sign or blanks.
fn digits(text: &str) -> Option<BigUint> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// Reads a plain decimal as numerator and denominator.
fn decimal(text: &str) -> Option<(BigUint, BigUint)> {
    let Some((integer, fraction)) = text.split_once('.') else {
        return Some((digits(text)?, BigUint::from(1_u32)));
    };
    let places = u32::try_from(digits(fraction).map(|_| fraction.len())?).ok()?;
    let written = if integer.is_empty() { digits(fraction) } else { digits(&format!("{integer}{fraction}")) };
    Some((written?, BigUint::from(10_u32).pow(places)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presence::Presence;

    fn fraction(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    #[test]
    fn fractions_decimals_and_percentages_are_read_exactly() {
        for (text, expected) in [
            ("4/6", "2/3"),
            ("3/2", "3/2"),
            ("1.5", "3/2"),
            ("250 %", "5/2"),
            (".25", "1/4"),
            ("0", "0"),
            ("0/7", "0"),
            ("100", "100"),
            ("0.1234567890123456789123", "1234567890123456789123/10000000000000000000000"),
        ] {
            assert_eq!(fraction(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn negative_numbers_and_other_texts_are_refused() {
        for text in ["", "x", "1/0", "-1", "-0.1", "1e3", "1.", ".", "1/2/3", "NaN", "1 2", "1_0", "x.5"] {
            assert!(text.parse::<Fraction>().is_err(), "{text}");
        }
    }

    #[test]
    fn decimals_are_rounded_in_the_direction_asked() {
        for (text, down, up) in [
            ("39/775", "0.05032", "0.05033"),
            ("3/155", "0.01935", "0.01936"),
            ("1/2", "0.50000", "0.50000"),
            ("0", "0.00000", "0.00000"),
            ("25/2", "12.50000", "12.50000"),
            ("1/1000000", "0.00000", "0.00001"),
        ] {
            let number = fraction(text);
            assert_eq!((number.decimal_down(5), number.decimal_up(5)), (down.to_owned(), up.to_owned()));
        }
        assert_eq!(fraction("5/2").decimal_up(0), "3");
    }

    proptest::proptest! {
        #[test]
        fn reads_what_presence_reads_as_the_same_number(text in "[0-9]{0,3}[./]?[0-9]{0,3} ?%?") {
            if let Ok(presence) = text.parse::<Presence>() {
                proptest::prop_assert_eq!(text.parse::<Fraction>(), Ok(presence.into()));
            }
        }
    }
}

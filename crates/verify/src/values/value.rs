//! Reads the values in texts: numbers, days, counts and memberships.

use std::fmt;
use std::sync::LazyLock;

use num_bigint::{BigInt, Sign};

use palmtop_terms::Kind;

/// The powers 10^0 to 10^27.
static UNITS: LazyLock<Vec<BigInt>> =
    LazyLock::new(|| (0..28).map(|power| BigInt::from(10_u8).pow(power)).collect());

/// An exact number in units of 10^-27, the last decimal place that a number of 28 digits can have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Number(BigInt);

impl Number {
    const DIGITS: usize = 28;
    const PLACES: usize = Self::DIGITS - 1;

    /// Reads digits with an optional minus and an optional fraction, at most 28 digits in all.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (integer, fraction) = match unsigned.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (unsigned, ""),
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if integer.is_empty() || !is_digits(integer) || !is_digits(fraction) {
            return None;
        }
        if integer.len() + fraction.len() > Self::DIGITS {
            return None;
        }
        let digits = format!("{integer}{fraction}");
        // Fast path: most numbers are short.
        let units = digits.parse::<u64>().map(BigInt::from).or_else(|_| digits.parse()).ok()?;
        let units = units * &UNITS[Self::PLACES.checked_sub(fraction.len())?];
        Some(Self(if text.starts_with('-') { -units } else { units }))
    }

    /// Whether a number has leading zeros, like a code.
    pub(crate) fn is_padded(text: &str) -> bool {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        unsigned.len() > 1 && unsigned.starts_with('0') && !unsigned.starts_with("0.")
    }

    pub(crate) fn zero() -> Self {
        Self(BigInt::ZERO)
    }

    fn one() -> BigInt {
        BigInt::from(10_u8).pow(27)
    }

    pub(crate) fn is_above_zero(&self) -> bool {
        self.0.sign() == Sign::Plus
    }

    /// Whether the number is an integer.
    pub(crate) fn is_integer(&self) -> bool {
        (&self.0 % Self::one()).sign() == Sign::NoSign
    }

    /// Whether the number is 0, 1, 2, …
    pub(crate) fn is_natural(&self) -> bool {
        self.0.sign() != Sign::Minus && self.is_integer()
    }

    pub(crate) fn is_multiple_of(&self, divisor: &Self) -> bool {
        (&self.0 % &divisor.0).sign() == Sign::NoSign
    }

    pub(crate) fn plus(&self, addend: &Self) -> Self {
        Self(&self.0 + &addend.0)
    }

    /// The number minus 1.
    pub(crate) fn less_one(&self) -> Self {
        Self(&self.0 - Self::one())
    }

    /// The next lower number: no text denotes a number between the two.
    pub(crate) fn just_below(&self) -> Self {
        Self(&self.0 - BigInt::from(1_u8))
    }

    /// The greatest of `origin`, `origin ± width`, `origin ± 2 · width`, … that is not above the number.
    pub(crate) fn step_below(&self, width: &Self, origin: &Self) -> Self {
        let past = (&self.0 - &origin.0) % &width.0;
        // The remainder has the sign of the dividend.
        let past = if past.sign() == Sign::Minus { past + &width.0 } else { past };
        Self(&self.0 - past)
    }
}

impl fmt::Display for Number {
    /// Writes the fewest plain digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:0>width$}", self.0.magnitude().to_string(), width = Self::DIGITS);
        let (integer, fraction) = digits.split_at(digits.len() - Self::PLACES);
        let fraction = fraction.trim_end_matches('0');
        let sign = if self.0.sign() == Sign::Minus { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{integer}{point}{fraction}")
    }
}

/// A day of the Gregorian calendar in the years 0 to 9999. A month or a year is its first day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day {
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) date: u8,
}

/// The precision of a date text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateForm {
    /// `2024-03-31`
    Day,
    /// `2024-03`
    Month,
    /// `2024`
    Year,
}

impl Day {
    /// Reads `YYYY-MM-DD`, a day that exists.
    pub(crate) fn read(text: &str) -> Option<Self> {
        match Self::read_any(text)? {
            (day, DateForm::Day) => Some(day),
            _ => None,
        }
    }

    /// Reads a day, a month or a year.
    pub(crate) fn read_any(text: &str) -> Option<(Self, DateForm)> {
        let bytes = text.as_bytes();
        let number = |from: usize, to: usize| {
            bytes[from..to]
                .iter()
                .try_fold(0_u16, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u16::from(byte - b'0')))
        };
        let small = |from, to| number(from, to).and_then(|number| u8::try_from(number).ok());
        let (form, month, day) = match bytes.len() {
            4 => (DateForm::Year, 1, 1),
            7 if bytes[4] == b'-' => (DateForm::Month, small(5, 7)?, 1),
            10 if bytes[4] == b'-' && bytes[7] == b'-' => (DateForm::Day, small(5, 7)?, small(8, 10)?),
            _ => return None,
        };
        let year = number(0, 4)?;
        let exists = (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
        exists.then_some((Self { year, month, date: day }, form))
    }
}

/// The number of days in a month.
pub(crate) fn days_of(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Reads a count of people: a whole number from 0 to 4294967295, optionally followed by a point and zeros.
pub(crate) fn people(text: &str) -> Option<u64> {
    let digits = match text.find('.') {
        None => text,
        Some(point) => match text[point..].trim_end_matches('0') {
            "." if !text.ends_with('.') => &text[..point],
            _ => return None,
        },
    };
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { digits.parse::<u32>().ok().map(u64::from) } else { None }
}

/// Reads a member mark; `None` for a text that is neither yes nor no.
pub(crate) fn membership(text: &str) -> Option<bool> {
    let is_one_of = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is_one_of(&["true", "yes", "y", "1"]) {
        Some(true)
    } else if is_one_of(&["false", "no", "n", "0", ""]) {
        Some(false)
    } else {
        None
    }
}

/// Whether a reader could take a text for a value of this kind: a number or a day.
pub(crate) fn reads_as(text: &str, kind: Kind) -> bool {
    let text = text.trim();
    match kind {
        Kind::Number => {
            text.contains(|character: char| character.is_ascii_digit()) && text.parse::<f64>().is_ok()
        }
        Kind::Date => Day::read_any(text).is_some(),
        Kind::Category => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_and_have_one_form() {
        for (text, shown) in [
            ("0", "0"),
            ("-0", "0"),
            ("007", "7"),
            ("1.50", "1.5"),
            ("-0.25", "-0.25"),
            ("9999999999999999999999999999", "9999999999999999999999999999"),
            ("0.000000000000000000000000001", "0.000000000000000000000000001"),
            ("-79228162514264337593543950.33", "-79228162514264337593543950.33"),
        ] {
            assert_eq!(Number::read(text).unwrap().to_string(), shown, "{text}");
        }
        for text in [
            "",
            "-",
            "+1",
            "1.",
            ".5",
            "1e3",
            " 1",
            "1 ",
            "1,000",
            "--1",
            "1.2.3",
            "٣",
            "0x10",
            "1_0",
            "-.5",
            "10000000000000000000000000000",
            "0.0000000000000000000000000001",
            "inf",
            "NaN",
        ] {
            assert_eq!(Number::read(text), None, "{text}");
        }
        let order = ["-10", "-9.5", "0", "0.1", "0.25", "1", "9", "10"];
        assert!(order.map(Number::read).is_sorted());
    }

    #[test]
    fn steps_are_counted_on_both_sides_of_origin() {
        let read = |text: &str| Number::read(text).unwrap();
        for (value, width, origin, below) in [
            ("19", "5", "0", "15"),
            ("-1", "5", "0", "-5"),
            ("-5", "5", "0", "-5"),
            ("0.3", "0.1", "0", "0.3"),
            ("1.5", "0.5", "0.25", "1.25"),
            ("-9999999999999999999999999999", "7", "0.5", "-10000000000000000000000000001.5"),
        ] {
            let found = read(value).step_below(&read(width), &read(origin));
            let expected = below.to_owned();
            assert!(found <= read(value) && found.plus(&read(width)) > read(value), "{value} {found}");
            if below.len() < 20 {
                assert_eq!(found.to_string(), expected);
            }
        }
    }

    #[test]
    fn dates_are_days_that_exist_in_one_form() {
        for text in ["2024-02-29", "2000-02-29", "0000-01-01", "0000-02-29", "9999-12-31", "2023-11-30"] {
            assert!(Day::read(text).is_some(), "{text}");
        }
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2024-1-05",
            " 2024-01-05",
            "2024-01-05 ",
            "+2024-01-05",
            "-001-01-01",
            "10000-01-01",
            "2024-13-01",
            "2024-00-01",
            "2024-04-31",
            "2024-01-00",
            "2024/01/05",
            "20240105",
            "2024-01",
            "2024",
            "",
            "٢٠٢٤-01-01",
            "2024-01-0a",
        ] {
            assert_eq!(Day::read(text), None, "{text}");
        }
        assert_eq!(Day::read_any("2024-03").unwrap().1, DateForm::Month);
        assert_eq!(Day::read_any("0007").unwrap().1, DateForm::Year);
    }

    #[test]
    fn counts_and_memberships_are_texts_of_one_form() {
        assert_eq!(people("4294967295"), Some(4_294_967_295));
        assert_eq!(people("007"), Some(7));
        assert_eq!(["0", "00", "1.0", "12.000"].map(people), [0, 0, 1, 12].map(Some));
        for text in [
            "",
            "-1",
            "+1",
            "1.5",
            "1.",
            ".0",
            "1.0.0",
            " 1",
            "4294967296",
            "99999999999999999999",
            "٣",
            "<5",
        ] {
            assert_eq!(people(text), None, "{text}");
        }
        assert_eq!(["true", "1", "yes", "TRUE", "Y"].map(membership), [Some(true); 5]);
        assert_eq!(["false", "0", "no", "", "N"].map(membership), [Some(false); 5]);
        for text in [" 1", "2", "on", "t", "1.0"] {
            assert_eq!(membership(text), None, "{text}");
        }
    }
}

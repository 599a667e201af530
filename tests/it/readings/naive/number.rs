//! Numbers, with or without decimals. They are compared by value and never through a float.

use std::fmt;

use num_bigint::BigInt;

/// The maximum number of digits.
const DIGITS: usize = 28;

/// A number, in units of 10⁻²⁸.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Number(BigInt);

impl Number {
    /// Reads `-?[0-9]+(\.[0-9]+)?` of at most 28 digits.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (integer, decimals) = match digits.split_once('.') {
            Some((integer, decimals)) => (integer, Some(decimals)),
            None => (digits, None),
        };
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(integer) || !decimals.is_none_or(is_number) {
            return None;
        }
        let decimals = decimals.unwrap_or("");
        if integer.len() + decimals.len() > DIGITS {
            return None;
        }
        let scaled = format!("{integer}{decimals}{}", "0".repeat(DIGITS - decimals.len()));
        let value: BigInt = scaled.parse().ok()?;
        Some(Self(if negative { -value } else { value }))
    }

    pub(crate) fn zero() -> Self {
        Self(BigInt::from(0))
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.0 > BigInt::from(0)
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.0 < BigInt::from(0)
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.is_multiple_of(&Self::from_integer(1))
    }

    pub(crate) fn is_multiple_of(&self, other: &Self) -> bool {
        &self.0 % &other.0 == BigInt::from(0)
    }

    pub(crate) fn from_integer(number: i64) -> Self {
        Self(BigInt::from(number) * BigInt::from(10).pow(28))
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    /// The greatest multiple of `width` that is not above this number.
    pub(crate) fn floor_to(&self, width: &Self) -> Self {
        let rest = ((&self.0 % &width.0) + &width.0) % &width.0;
        Self(&self.0 - rest)
    }
}

impl fmt::Display for Number {
    /// Writes as few digits as possible.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.magnitude().to_string();
        let digits = format!("{digits:0>width$}", width = DIGITS + 1);
        let (integer, decimals) = digits.split_at(digits.len() - DIGITS);
        let decimals = decimals.trim_end_matches('0');
        let sign = if self.is_negative() { "-" } else { "" };
        let point = if decimals.is_empty() { "" } else { "." };
        write!(f, "{sign}{integer}{point}{decimals}")
    }
}

/// Whether a text is a number without unneeded leading zeros.
pub(super) fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let has_leading_zero = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    Number::read(text).is_some() && !has_leading_zero
}

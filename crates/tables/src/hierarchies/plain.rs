//! Recognizes plain numbers and dates.

use chrono::NaiveDate;
use rust_decimal::Decimal;

use palmtop_core::model::Kind;

/// A plain decimal of at most 28 digits: digits, an optional sign and an optional fraction; no
/// exponent, no spaces.
pub(crate) fn plain_decimal(text: &str) -> Option<Decimal> {
    /// So many digits fit any decimal exactly.
    const MOST_DIGITS: usize = 28;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let count = unsigned.len() - usize::from(unsigned.contains('.'));
    let is_plain = digits(integer) && digits(fraction) && count <= MOST_DIGITS;
    if is_plain { Decimal::from_str_exact(text).ok() } else { None }
}

/// The first day of a date, a month or a year in ISO 8601: `2024-01-05`, `2024-01` or `2024`.
pub(super) fn first_day(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    let is_form = matches!(bytes.len(), 4 | 7 | 10)
        && bytes.iter().enumerate().all(|(index, byte)| match index {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_form {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to).map_or(Some(1), |part| part.parse::<u32>().ok());
    NaiveDate::from_ymd_opt(i32::try_from(part(0, 4)?).ok()?, part(5, 7)?, part(8, 10)?)
}

/// The date of a text such as `2024-01-05`.
pub(super) fn day(text: &str) -> Option<NaiveDate> {
    if text.len() == 10 { first_day(text) } else { None }
}

/// Whether a text could be read as a number or a date, if values of that kind are expected.
pub fn reads_as(text: &str, kind: Kind) -> bool {
    let text = text.trim();
    match kind {
        Kind::Number => text.bytes().any(|byte| byte.is_ascii_digit()) && text.parse::<f64>().is_ok(),
        Kind::Date => first_day(text).is_some(),
        Kind::Category => false,
    }
}

/// Whether a number has no leading zeros: `7`, `-1.5` and `0.25` have none, `007` has.
pub(super) fn is_unpadded(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    !(unsigned.len() > 1 && unsigned.starts_with('0') && !unsigned.starts_with("0."))
}

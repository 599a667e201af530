//! The order of numbers and days that rows are put in.

/// The place of a value: numbers by size, before days by time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Below zero: the larger the digits, the earlier.
    Negative(std::cmp::Reverse<Digits>),
    /// From zero on.
    Positive(Digits),
    /// A day, with or without a time, which is in the order of its text.
    Day(String),
}

/// The number of digits before the point, these digits, and those behind it.
type Digits = (usize, String, String);

/// The most digits of a number.
const MOST_DIGITS: usize = 28;

impl Place {
    /// The place of a number (`17`, `-3.50`) or of a day (`2024-01-31`, also with a time behind it).
    pub(crate) fn of(text: &str) -> Option<Self> {
        if is_day(text) {
            return Some(Self::Day(text.to_owned()));
        }
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(integer) || !is_digits(fraction) {
            return None;
        }
        if unsigned.bytes().filter(u8::is_ascii_digit).count() > MOST_DIGITS {
            return None;
        }
        let integer = integer.trim_start_matches('0').to_owned();
        let digits = (integer.len(), integer, fraction.trim_end_matches('0').to_owned());
        let is_zero = digits.0 == 0 && digits.2.is_empty();
        Some(if is_negative && !is_zero {
            Self::Negative(std::cmp::Reverse(digits))
        } else {
            Self::Positive(digits)
        })
    }
}

/// Whether a text is a day as `2024-01-31`, alone or with a time without a zone.
pub fn is_day(text: &str) -> bool {
    let Some((day, time)) = text.split_at_checked(10) else { return false };
    let is_form =
        |(nth, byte): (usize, u8)| if [4, 7].contains(&nth) { byte == b'-' } else { byte.is_ascii_digit() };
    let is_time = |byte: u8| byte.is_ascii_digit() || b":.".contains(&byte);
    day.bytes().enumerate().all(is_form)
        && (time.is_empty()
            || time
                .strip_prefix(['T', ' '])
                .is_some_and(|time| !time.is_empty() && time.bytes().all(is_time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_days_have_places() {
        let ascending = [
            "-10.5",
            "-10",
            "-9.25",
            "-0.1",
            "0",
            "0.05",
            "0.5",
            "2",
            "10",
            "10.01",
            "100",
            "2023-12-31",
            "2024-01-05",
            "2024-01-05 08:00",
            "2024-01-05 12:00",
        ];
        let places: Vec<Option<Place>> = ascending.iter().map(|text| Place::of(text)).collect();
        assert!(places.iter().all(Option::is_some), "{places:?}");
        assert!(places.is_sorted());
        assert_eq!(Place::of("-0.0"), Place::of("0"));
        assert_eq!(Place::of("007.10"), Place::of("7.1"));
        for text in ["", "x", "1,5", "31.1.2024", "2024-1-5", "2024-01-05x", "1e3", ".5", "5.", "+1"] {
            assert_eq!(Place::of(text), None, "{text}");
        }
    }
}

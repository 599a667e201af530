//! The values that the text of a value, of a band or of a range means: the grammar of docs/releases.md.

use std::ops::Bound::{self, Excluded, Included, Unbounded};

use palmtop_terms::Kind;

use crate::values::{DateForm, Day, Number, days_of};

/// A number or a day.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Number(Number),
    Day(Day),
}

/// All values from one bound to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    from: Bound<Point>,
    to: Bound<Point>,
}

/// A text with two ends, which are values: `20`, `20-24`, `20 to 24`, `[20, 25)`, `[20, 25[` or `[20, 24]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended<'a> {
    pub(crate) first: &'a str,
    pub(crate) last: &'a str,
    /// How a range that ends here is closed.
    pub(crate) bracket: char,
    pub(crate) stretch: Stretch,
}

impl Stretch {
    /// The stretch of a number, or of a day, month, quarter, year or decade.
    pub(crate) fn of_value(kind: Kind, text: &str) -> Option<Self> {
        let (from, to) = match kind {
            Kind::Category => return None,
            Kind::Number => {
                let number = Point::Number(Number::read(text)?);
                (number.clone(), number)
            }
            Kind::Date => {
                let (first, last) = period(text)?;
                (Point::Day(first), Point::Day(last))
            }
        };
        Some(Self { from: Included(from), to: Included(to) })
    }

    /// The stretch of a value of P, which may be a band, and open: `<20`, `>=60`, `60+`.
    pub(crate) fn of(kind: Kind, text: &str) -> Option<Self> {
        if let Some(ended) = Ended::of_label(kind, text) {
            return Some(ended.stretch);
        }
        if let Some(stretch) = text.strip_suffix('+').and_then(|value| Self::of_value(kind, value)) {
            return Some(Self { to: Unbounded, ..stretch });
        }
        let signs = ["<=", ">=", "≤", "≥", "<", ">"];
        let (sign, value) = signs.iter().find_map(|sign| Some((*sign, text.strip_prefix(sign)?)))?;
        let Self { from, to } = Self::of_value(kind, value.strip_prefix(' ').unwrap_or(value))?;
        Some(match sign {
            "<" => Self { from: Unbounded, to: without(from) },
            "<=" | "≤" => Self { from: Unbounded, to },
            ">" => Self { from: without(to), to: Unbounded },
            _ => Self { from, to: Unbounded },
        })
    }

    /// Whether all values of this stretch are in another one.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        let begins = match (&self.from, &other.from) {
            (_, Unbounded) => true,
            (Unbounded, _) => false,
            (Included(own), Excluded(others)) => own > others,
            (Included(own) | Excluded(own), Included(others) | Excluded(others)) => own >= others,
        };
        let ends = match (&self.to, &other.to) {
            (_, Unbounded) => true,
            (Unbounded, _) => false,
            (Included(own), Excluded(others)) => own < others,
            (Included(own) | Excluded(own), Included(others) | Excluded(others)) => own <= others,
        };
        begins && ends
    }

    /// Whether all values of this stretch are below those of another one.
    pub(crate) fn is_before(&self, other: &Self) -> bool {
        match (&self.to, &other.from) {
            (Unbounded, _) | (_, Unbounded) => false,
            (Included(own), Included(others)) => own < others,
            (Included(own) | Excluded(own), Included(others) | Excluded(others)) => own <= others,
        }
    }
}

/// The same bound, without its value.
fn without(bound: Bound<Point>) -> Bound<Point> {
    match bound {
        Included(point) => Excluded(point),
        other => other,
    }
}

impl<'a> Ended<'a> {
    /// Reads a label that is a value or a band.
    pub(crate) fn of_label(kind: Kind, text: &'a str) -> Option<Self> {
        if let Some(stretch) = Stretch::of_value(kind, text) {
            return Some(Self { first: text, last: text, bracket: ']', stretch });
        }
        if text.starts_with('[') {
            return Self::of_range(kind, text).filter(|ended| ended.bracket != ']');
        }
        let (first, last) = match text.split_once(" to ") {
            Some(ends) => ends,
            None => text.split_once('-').filter(|(first, last)| is_hyphened(kind, first, last))?,
        };
        Self::from_to(kind, first, last, ']')
    }

    /// Reads `[a, b]`, `[a, b)` or `[a, b[` with two values.
    pub(crate) fn of_range(kind: Kind, text: &'a str) -> Option<Self> {
        let inner = text.strip_prefix('[')?;
        let bracket = inner.chars().last().filter(|last| "])[".contains(*last))?;
        let (first, last) = inner.strip_suffix(bracket)?.split_once(", ")?;
        Self::from_to(kind, first, last, bracket)
    }

    fn from_to(kind: Kind, first: &'a str, last: &'a str, bracket: char) -> Option<Self> {
        let (low, high) = (Stretch::of_value(kind, first)?, Stretch::of_value(kind, last)?);
        let (Included(begin), Included(end)) = (&low.from, &high.from) else { return None };
        if begin >= end {
            return None;
        }
        let to = if bracket == ']' { high.to } else { without(high.from) };
        Some(Self { first, last, bracket, stretch: Stretch { from: low.from, to } })
    }
}

/// Whether the ends of `a-b` are whole numbers, or two years.
fn is_hyphened(kind: Kind, first: &str, last: &str) -> bool {
    [first, last].iter().all(|end| {
        let is_number = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (kind == Kind::Number || end.len() == 4)
    })
}

/// The first and the last day of a day, month, year, quarter `2024-Q1` or decade `2020s`.
fn period(text: &str) -> Option<(Day, Day)> {
    let to = |first: Day, years: u16, month: u8| {
        let year = first.year + years;
        (first, Day { year, month, date: days_of(year, month) })
    };
    if let Some((day, form)) = Day::read_any(text) {
        return Some(match form {
            DateForm::Day => (day, day),
            DateForm::Month => to(day, 0, day.month),
            DateForm::Year => to(day, 0, 12),
        });
    }
    let of_year = |year: &str| Day::read_any(year).filter(|(_, form)| *form == DateForm::Year);
    if let Some((day, _)) = text.strip_suffix('s').and_then(of_year) {
        return day.year.is_multiple_of(10).then(|| to(day, 9, 12));
    }
    let (year, quarter) = text.split_once("-Q")?;
    let last = match quarter {
        "1" => 3,
        "2" => 6,
        "3" => 9,
        "4" => 12,
        _ => return None,
    };
    let (day, _) = of_year(year)?;
    Some(to(Day { month: last - 2, ..day }, 0, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_numbers_and_dates_mean_their_values() {
        let number = |text: &str| Stretch::of(Kind::Number, text).unwrap();
        for (inner, outer, is_within) in [
            ("19.5", "[10, 20)", true),
            ("20", "[10, 20[", false),
            ("19.5", "10-19", false),
            ("19.5", "10 to 19.5", true),
            ("90+", ">=90", true),
            ("90", "> 90", false),
            ("<5", "<= 5", true),
            ("-7", "<-5", true),
            ("10-19", "[10, 20)", true),
        ] {
            assert_eq!(number(inner).is_within(&number(outer)), is_within, "{inner} {outer}");
        }
        let order = ["<-5", "[-5, 0)", "0", "0.5", "1-9", "[10, 20[", "20 to 29.5", ">29.5"];
        assert!(order.windows(2).all(|pair| number(pair[0]).is_before(&number(pair[1]))));
        assert!(!number("1-9").is_before(&number("9")) && number("[1, 9)").is_before(&number("9")));
        let day = |text: &str| Stretch::of(Kind::Date, text).unwrap();
        for (inner, outer, is_within) in [
            ("2024-02-29", "2024-02", true),
            ("2024-02", "2024-Q1", true),
            ("2024-Q1", "2020s", true),
            ("1989-12-31", "1980-1989", true),
            ("1990-01", "1980-1989", false),
        ] {
            assert_eq!(day(inner).is_within(&day(outer)), is_within, "{inner} {outer}");
        }
        for text in ["5-5", "9-5", "0.5-1.5", "[1, 2]", "[1, 2, 3)", "[2, 1)", "x", "5 +", "+5", "2024-Q1"] {
            assert_eq!(Stretch::of(Kind::Number, text), None, "{text}");
        }
        for text in ["2023-02-29", "2024-Q5", "2023s", "23-45", "2024-1-1"] {
            assert_eq!(Stretch::of(Kind::Date, text), None, "{text}");
        }
    }
}

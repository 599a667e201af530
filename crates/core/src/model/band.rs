//! What the text of a number, a date or a band says about values: the grammar of docs/releases.md.

use super::hierarchy::Kind;

/// The most digits of a number.
const MOST_DIGITS: usize = 28;

/// A number as its integer and its decimals, both with its sign; or a day as the number `YYYYMMDD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value(i128, i128);

/// A border between values: `At(v, false)` is just before v, `At(v, true)` just after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Border {
    /// Before all values.
    Start,
    At(Value, bool),
    /// After all values.
    End,
}

/// The values between two borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) low: Border,
    pub(super) high: Border,
}

/// A band with two ends: `20`, `20-24`, `20 to 24`, `[20, 25)` or `[20, 25[`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band<'a> {
    pub(super) low: &'a str,
    pub(super) high: &'a str,
    /// The bracket of a range that ends with this band: `]` includes `high`, `)` and `[` do not.
    pub(super) close: char,
    /// Where the values of `high` begin. The first end of a range is before it.
    pub(super) end: Border,
    pub(super) extent: Extent,
}

impl Value {
    /// Reads digits with an optional minus and an optional fraction.
    fn number(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (integer, decimals) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let is_plain = is_digits(integer) && is_digits(decimals);
        let digits = unsigned.len() - usize::from(unsigned.contains('.'));
        if !is_plain || digits > MOST_DIGITS {
            return None;
        }
        let sign = if unsigned.len() < text.len() { -1 } else { 1 };
        let decimals: i128 = format!("{decimals:0<MOST_DIGITS$}").parse().ok()?;
        Some(Self(sign * integer.parse::<i128>().ok()?, sign * decimals))
    }

    fn day(year: u32, month: u32, day: u32) -> Self {
        Self(i128::from(year * 10_000 + month * 100 + day), 0)
    }
}

impl Extent {
    /// The extent of a value: a number, or a day, month, quarter, year or decade.
    pub(super) fn of_value(kind: Kind, text: &str) -> Option<Self> {
        let (first, last) = match kind {
            Kind::Number => Value::number(text).map(|number| (number, number))?,
            Kind::Date => days(text)?,
            Kind::Category => return None,
        };
        Some(Self { low: Border::At(first, false), high: Border::At(last, true) })
    }

    /// The extent of a value or a band, which may be open: `<20`, `>=60`, `60+`.
    pub(super) fn of(kind: Kind, text: &str) -> Option<Self> {
        if let Some(band) = Band::read(kind, text) {
            return Some(band.extent);
        }
        let value = |rest: &str| Self::of_value(kind, rest.strip_prefix(' ').unwrap_or(rest));
        let after = |signs: [&str; 2]| signs.into_iter().find_map(|sign| value(text.strip_prefix(sign)?));
        let (low, high) = if let Some(value) = after(["<=", "≤"]) {
            (Border::Start, value.high)
        } else if let Some(value) = after([">=", "≥"]) {
            (value.low, Border::End)
        } else if let Some(value) = text.strip_prefix('<').and_then(value) {
            (Border::Start, value.low)
        } else if let Some(value) = text.strip_prefix('>').and_then(value) {
            (value.high, Border::End)
        } else {
            (Self::of_value(kind, text.strip_suffix('+')?)?.low, Border::End)
        };
        Some(Self { low, high })
    }
}

impl<'a> Band<'a> {
    /// Reads the text of a band with two ends.
    pub(super) fn read(kind: Kind, text: &'a str) -> Option<Self> {
        if let Some(extent) = Extent::of_value(kind, text) {
            return Some(Self { low: text, high: text, close: ']', end: extent.low, extent });
        }
        if let Some((inner, close)) = half_open(text) {
            let (low, high) = inner.split_once(", ")?;
            return Self::between(kind, low, high, close);
        }
        if let Some((low, high)) = text.split_once(" to ") {
            return Self::between(kind, low, high, ']');
        }
        let (low, high) = text.split_once('-')?;
        let is_year = |text: &str| kind == Kind::Number || text.len() == 4;
        let is_whole = [low, high].into_iter().all(|end| is_digits(end) && is_year(end));
        if is_whole { Self::between(kind, low, high, ']') } else { None }
    }

    fn between(kind: Kind, low: &'a str, high: &'a str, close: char) -> Option<Self> {
        let (first, last) = (Extent::of_value(kind, low)?, Extent::of_value(kind, high)?);
        let end = if close == ']' { last.high } else { last.low };
        let extent = Extent { low: first.low, high: end };
        (first.low < last.low).then_some(Self { low, high, close, end: last.low, extent })
    }

    /// Whether the text has the form `[20, 25)` or `[20, 25[`, which is not quoted in a set.
    pub(super) fn is_half_open(&self) -> bool {
        self.close != ']'
    }
}

/// The inside of `[a, b)` or `[a, b[`, and its last bracket.
pub(super) fn half_open(text: &str) -> Option<(&str, char)> {
    let rest = text.strip_prefix('[')?;
    let close = rest.chars().next_back().filter(|close| [')', '['].contains(close))?;
    Some((rest.strip_suffix(close)?, close))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first and the last day of `2024-03-31`, `2024-03`, `2024-Q1`, `2024` or `2020s`.
fn days(text: &str) -> Option<(Value, Value)> {
    let digits = |part: &str, count: usize| -> Option<u32> {
        (part.len() == count && is_digits(part)).then(|| part.parse().ok())?
    };
    let months = |(from, first): (u32, u32), (to, last): (u32, u32)| {
        (Value::day(from, first, 1), Value::day(to, last, days_of(to, last)))
    };
    if let Some(decade) = text.strip_suffix('s') {
        let year = digits(decade, 4).filter(|year| year.is_multiple_of(10))?;
        return Some(months((year, 1), (year + 9, 12)));
    }
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let (month, day) = (parts.next(), parts.next());
    if parts.next().is_some() {
        return None;
    }
    let Some(month) = month else { return Some(months((year, 1), (year, 12))) };
    if let Some(quarter) = month.strip_prefix('Q') {
        let quarter = digits(quarter, 1).filter(|quarter| day.is_none() && (1..=4).contains(quarter))?;
        return Some(months((year, quarter * 3 - 2), (year, quarter * 3)));
    }
    let month = digits(month, 2).filter(|month| (1..=12).contains(month))?;
    let Some(day) = day else { return Some(months((year, month), (year, month))) };
    let day = digits(day, 2).filter(|day| (1..=days_of(year, month)).contains(day))?;
    Some((Value::day(year, month, day), Value::day(year, month, day)))
}

fn days_of(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_have_the_ends_of_their_texts() {
        for (kind, text, low, high, close) in [
            (Kind::Number, "-5", "-5", "-5", ']'),
            (Kind::Number, "08-19", "08", "19", ']'),
            (Kind::Number, "[-5, 0)", "-5", "0", ')'),
            (Kind::Number, "[0, 10.5[", "0", "10.5", '['),
            (Kind::Number, "1 to 2.5", "1", "2.5", ']'),
            (Kind::Date, "1980-1989", "1980", "1989", ']'),
            (Kind::Date, "2024-02-29 to 2024-03", "2024-02-29", "2024-03", ']'),
            (Kind::Date, "2024-Q1", "2024-Q1", "2024-Q1", ']'),
            (Kind::Date, "2020s", "2020s", "2020s", ']'),
        ] {
            let band = Band::read(kind, text).unwrap();
            assert_eq!((band.low, band.high, band.close), (low, high, close), "{text}");
        }
        for (kind, text) in [
            (Kind::Number, "<5"),
            (Kind::Number, "9-5"),
            (Kind::Number, "5-5"),
            (Kind::Number, "0.5-1.5"),
            (Kind::Number, "[1, 2]"),
            (Kind::Number, "[1, 2, 3)"),
            (Kind::Number, "[1, 1)"),
            (Kind::Number, "5+"),
            (Kind::Number, "2024-Q1"),
            (Kind::Number, "10000000000000000000000000000"),
            (Kind::Date, "2023-02-29"),
            (Kind::Date, "2023-13"),
            (Kind::Date, "2023-Q5"),
            (Kind::Date, "2023s"),
            (Kind::Date, "23-45"),
            (Kind::Category, "5"),
        ] {
            assert_eq!(Band::read(kind, text), None, "{text}");
        }
    }

    #[test]
    fn extents_are_in_the_order_of_their_values() {
        let number = |text: &str| Extent::of(Kind::Number, text).unwrap();
        let ascending =
            ["<-5", "[-5, -1.5)", "-1.5", "-0.5", "0", "0.25", "[0.5, 1)", "1-9", "10 to 19.5", "20", ">20"];
        for pair in ascending.windows(2) {
            assert!(number(pair[0]).high <= number(pair[1]).low, "{pair:?}");
        }
        assert_eq!(number("60+"), number("≥ 60"));
        assert_eq!(number("≤60"), number("<=60"));
        assert!(number("1-9").high > number("9").low && number("[1, 9)").high <= number("9").low);
        let day = |text: &str| Extent::of(Kind::Date, text).unwrap();
        assert!(
            day("2024-02").high <= day("2024-03-01").low && day("2024-02").high >= day("2024-02-29").high
        );
        assert_eq!(day("2024-02").high, day("2024-02-29").high);
        assert!(day("2010s").high <= day("2020").low && day("2024-Q2").low >= day("2024-03").high);
    }
}

//! Dates in tables, described by a pattern such as `%d.%m.%Y`. The grammar is in
//! `docs/tables-and-values.md`.

use chrono::{Datelike, NaiveDate, NaiveTime};

use super::month;
use super::pattern::{self, Part, number, zone};
use crate::values::literal::toml_string;

/// The form of dates: a pattern with the parts of a date, and perhaps of a time with its zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateForm {
    pattern: String,
    parts: Vec<Part>,
    /// The number of parts before the blank or `T` that separates the time from the date.
    date_parts: Option<usize>,
    /// The first year of the hundred that `%y` means.
    pivot: Option<u16>,
}

/// The numbers of a text.
#[derive(Default)]
struct Found {
    year: i32,
    month: u32,
    day: u32,
    hour: u32,
    half: Option<u32>,
    minute: u32,
    second: u32,
}

impl DateForm {
    /// Checks a pattern. `pivot` is the first year of the hundred that years of two digits mean.
    ///
    /// # Errors
    /// The reason, if the pattern has unknown parts, does not define one day, or has years of two
    /// digits and no pivot.
    pub fn new(pattern: &str, pivot: Option<u16>) -> Result<Self, String> {
        let wrong = |detail: String| {
            format!(
                "`date = {pattern:?}`: {detail}; expected a pattern such as \"%d.%m.%Y\" or \"%Y-%m-%d %H:%M:%S\""
            )
        };
        let parts = pattern::parts(pattern).map_err(wrong)?;
        pattern::check(&parts).map_err(|detail| wrong(detail.to_owned()))?;
        if parts.contains(&Part::Number('y')) && pivot.is_none() {
            return Err(format!(
                "`date = {pattern:?}` has years of two digits, which may be of any hundred years; write \
                 `date = {{ like = {pattern:?}, from = 1930 }}` for the years 1930 to 2029, or the first year of another hundred"
            ));
        }
        if pivot.is_some_and(|pivot| !PIVOTS.contains(&pivot)) {
            return Err("`from` of `date` is a year from 1000 to 9900".to_owned());
        }
        Ok(Self { pattern: pattern.to_owned(), date_parts: pattern::date_parts(&parts), parts, pivot })
    }

    /// The day of a text, `2024-01-05`. A zone or a time never changes it.
    pub fn read(&self, text: &str) -> Option<String> {
        self.day(text).map(|day| day.format("%Y-%m-%d").to_string())
    }

    /// The day of a text.
    pub fn day(&self, text: &str) -> Option<NaiveDate> {
        let without_time = || self.date_parts.and_then(|count| self.read_parts(text, &self.parts[..count]));
        self.read_parts(text, &self.parts).or_else(without_time)
    }

    fn read_parts(&self, text: &str, parts: &[Part]) -> Option<NaiveDate> {
        let mut found = Found::default();
        let mut rest = text;
        for (index, part) in parts.iter().enumerate() {
            rest = match *part {
                Part::Literal(character) => rest.strip_prefix(character)?,
                Part::Number(letter) => {
                    let is_joined = text[..text.len() - rest.len()].ends_with(|c: char| c.is_ascii_digit());
                    let (number, rest) = number(rest, if letter == 'Y' { 4 } else { 2 }, is_joined)?;
                    self.keep(letter, number, &mut found)?;
                    rest
                }
                Part::Name => {
                    let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
                    found.month = month::number(&rest[..end])?;
                    let after = &rest[end..];
                    let has_point = parts.get(index + 1) == Some(&Part::Literal('.'));
                    if has_point { after } else { after.strip_prefix('.').unwrap_or(after) }
                }
                Part::Half => {
                    let half = rest.get(..2)?;
                    let index = ["am", "pm"].iter().position(|word| half.eq_ignore_ascii_case(word))?;
                    found.half = Some(if index == 0 { 0 } else { 12 });
                    &rest[2..]
                }
                Part::Fraction => fraction(rest)?,
                Part::Zone => zone(rest)?,
            };
        }
        rest.is_empty().then(|| found.day()).flatten()
    }

    fn keep(&self, letter: char, number: u32, found: &mut Found) -> Option<()> {
        match letter {
            'Y' => found.year = i32::try_from(number).ok()?,
            'y' => {
                let first = i32::from(self.pivot?);
                found.year = first + (i32::try_from(number).ok()? - first).rem_euclid(100);
            }
            'm' => found.month = number,
            'd' => found.day = number,
            'H' => found.hour = number,
            'I' => found.hour = (1..=12).contains(&number).then_some(number % 12)?,
            'M' => found.minute = number,
            _ => found.second = number,
        }
        Some(())
    }

    /// The pattern.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The first year of the hundred that `%y` means.
    pub fn pivot(&self) -> Option<u16> {
        self.pivot
    }

    /// Whether years have two digits.
    pub fn has_short_years(&self) -> bool {
        self.parts.contains(&Part::Number('y'))
    }

    /// Whether the texts may have different time zones.
    pub fn has_any_zone(&self) -> bool {
        self.parts.contains(&Part::Zone)
    }

    /// The same pattern with another pivot.
    #[must_use]
    pub fn with_pivot(&self, pivot: u16) -> Self {
        Self { pivot: Some(pivot.clamp(*PIVOTS.start(), *PIVOTS.end())), ..self.clone() }
    }

    /// The expected form, with an example.
    pub(super) fn expected(&self) -> String {
        format!("a date written {:?}, such as {}", self.pattern, self.example())
    }

    /// 31 March 2024 in this form.
    pub(crate) fn example(&self) -> String {
        NaiveDate::from_ymd_opt(2024, 3, 31).map_or_else(String::new, |day| self.write(day))
    }

    /// A day at 7:30 in this form.
    pub(crate) fn write(&self, day: NaiveDate) -> String {
        let part = |part: &Part| match part {
            Part::Literal(character) => character.to_string(),
            Part::Number('Y') => format!("{:04}", day.year()),
            Part::Number('y') => format!("{:02}", day.year().rem_euclid(100)),
            Part::Number('m') => format!("{:02}", day.month()),
            Part::Number('d') => format!("{:02}", day.day()),
            Part::Number('H' | 'I') => "07".to_owned(),
            Part::Number('M') => "30".to_owned(),
            Part::Number(_) => "00".to_owned(),
            Part::Name => day.format(if self.pattern.contains("%B") { "%B" } else { "%b" }).to_string(),
            Part::Half => "AM".to_owned(),
            Part::Fraction => ".000".to_owned(),
            Part::Zone => "Z".to_owned(),
        };
        self.parts.iter().map(part).collect()
    }

    /// The line of a project that sets this form.
    pub fn key(&self) -> String {
        let pattern = toml_string(&self.pattern);
        match self.pivot.filter(|_| self.has_short_years()) {
            Some(pivot) => format!("date = {{ like = {pattern}, from = {pivot} }}"),
            None => format!("date = {pattern}"),
        }
    }
}

/// The first years of a hundred years of four digits.
const PIVOTS: std::ops::RangeInclusive<u16> = 1_000..=9_900;

impl Found {
    /// The day, if it and the time exist.
    fn day(&self) -> Option<NaiveDate> {
        NaiveTime::from_hms_opt(self.hour + self.half.unwrap_or(0), self.minute, self.second)?;
        NaiveDate::from_ymd_opt(self.year, self.month, self.day).filter(|day| day.year() <= 9_999)
    }
}

/// The text after a fraction of a second: a point or a comma and 1 to 9 digits, or nothing.
fn fraction(text: &str) -> Option<&str> {
    let Some(digits) = text.strip_prefix(['.', ',']) else { return Some(text) };
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=9).contains(&(digits.len() - rest.len())).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_day_has_one_text_in_every_notation() {
        for (pattern, text, day) in [
            ("%d.%m.%Y", "31.03.2024", Some("2024-03-31")),
            ("%d.%m.%Y", "1.3.2024", Some("2024-03-01")),
            ("%d.%m.%Y", "1.3.24", None),
            ("%d.%m.%Y", " 1.3.2024", None),
            ("%d.%m.%Y", "31.03.2024 ", None),
            ("%d.%m.%Y", "30.02.2024", None),
            ("%d.%m.%Y", "001.3.2024", None),
            ("%d.%m.%Y", "1.3.+2024", None),
            ("%d/%m/%y", "31/03/25", Some("2025-03-31")),
            ("%d/%m/%y", "31/03/26", Some("1926-03-31")),
            ("%d/%m/%y", "31/03/2024", None),
            ("%Y%m%d", "20240331", Some("2024-03-31")),
            ("%Y%m%d", "2024331", None),
            ("%d %b %Y", "5 mar 2024", Some("2024-03-05")),
            ("%d %b %Y", "5 March 2024", Some("2024-03-05")),
            ("%d %B %Y", "05 MARCH 2024", Some("2024-03-05")),
            ("%d. %B %Y", "28. August 1955", Some("1955-08-28")),
            ("%d %b %Y", "28 août 1955", Some("1955-08-28")),
            ("%d %b %Y", "28 Sept. 1955", Some("1955-09-28")),
            ("%d.%b.%Y", "28.Mrz.1955", Some("1955-03-28")),
            ("%d de %B de %Y", "28 de agosto de 1955", Some("1955-08-28")),
            ("%d%b%Y", "28AUG1955", Some("1955-08-28")),
            ("%d%b%Y", "28AUGX1955", None),
            ("%Y年%m月%d日", "1955年08月28日", Some("1955-08-28")),
            ("%Y/%m/%d %H:%M", "1955/8/28 0:00", Some("1955-08-28")),
            ("%m/%d/%Y %I:%M:%S %p", "8/28/1955 12:00:00 am", Some("1955-08-28")),
            ("%m/%d/%Y %I:%M:%S %p", "8/28/1955 13:00:00 PM", None),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31 07:30:00", Some("2024-03-31")),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31", Some("2024-03-31")),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31 ", None),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31 07:30:60", None),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31 24:00:00", None),
            ("%Y-%m-%d %H:%M", "2024-03-31 7:30", Some("2024-03-31")),
            ("%Y-%m-%d %H:%M:%S%.f", "1955-08-28 00:00:00.000000", Some("1955-08-28")),
            ("%Y-%m-%d %H:%M:%S%.f", "1955-08-28 00:00:00", Some("1955-08-28")),
            ("%Y-%m-%d %H:%M:%S%.f", "1955-08-28 00:00:00.", None),
            ("%Y-%m-%dT%H:%M:%S%z", "1955-08-28T23:30:00-09:00", Some("1955-08-28")),
            ("%Y-%m-%dT%H:%M:%S%z", "1955-08-28T23:30:00+0900", Some("1955-08-28")),
            ("%Y-%m-%dT%H:%M:%S%z", "1955-08-28T23:30:00Z", Some("1955-08-28")),
            ("%Y-%m-%dT%H:%M:%S+09:00", "1955-08-28T00:00:00+09:00", Some("1955-08-28")),
            ("%Y-%m-%dT%H:%M:%S+09:00", "1955-08-28T00:00:00+08:00", None),
            ("%Y-%m-%dT%H:%M:%SZ", "1955-08-28T00:00:00Z", Some("1955-08-28")),
        ] {
            let form = DateForm::new(pattern, Some(1926)).unwrap();
            assert_eq!(form.read(text).as_deref(), day, "{pattern} {text}");
        }
    }

    #[test]
    fn an_example_is_read_by_its_pattern() {
        for pattern in
            ["%d.%m.%y", "%d%b%Y", "%Y-%m-%dT%H:%M:%S%.f%z", "%m/%d/%Y %I:%M %p", "%B %d, %Y %H:%M+01:00"]
        {
            let form = DateForm::new(pattern, Some(1950)).unwrap();
            assert_eq!(form.read(&form.example()).as_deref(), Some("2024-03-31"), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_names_one_day() {
        for pattern in [
            "",
            "%d.%m",
            "%d.%m.%Y %Y",
            "%d.%m.%Y%",
            "%e.%m.%Y",
            "%d.%m.%Y %H",
            "%d.%m.2%Y",
            "%d.%m.%Y %S",
            "%d.%m.%Y %I:%M",
            "%d.%m.%Y %H:%M%.f",
            "%d.%m.%Y%z",
            "%d.%m.%Y+09:00",
            "%d.%m.%Y %H:%M:%S%.g",
        ] {
            assert!(DateForm::new(pattern, Some(1950)).is_err(), "{pattern}");
        }
        assert!(DateForm::new("%d.%m.%y", None).unwrap_err().contains("from = 1930 }`"));
    }
}

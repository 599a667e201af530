//! How the texts of a column become values: the project's settings for blanks, missing values, spellings, numbers and dates,
//! and the canonical text of each value.

use std::collections::BTreeMap;

use crate::Bands;
use palmtop_tables::reading::{DateForm, NumberForm};

/// How the texts of one column of one table become values. The default changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether blanks around a value are removed.
    pub trim: bool,
    /// Spellings, each with its value. They are applied after trimming and before all other settings.
    pub values: BTreeMap<String, String>,
    /// The texts for a missing value.
    pub missing: Vec<String>,
    /// The form of numbers.
    pub number: Option<NumberForm>,
    /// The form of dates.
    pub date: Option<DateForm>,
    /// P's bands, of which a number of T is a part (`public_level`).
    pub bands: Option<Bands>,
}

impl Reading {
    /// Whether the reading changes nothing.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The reading in words; empty if it changes nothing.
    pub fn describe(&self) -> String {
        let mut words = Vec::new();
        if self.trim {
            words.push("trimmed".to_owned());
        }
        if !self.missing.is_empty() {
            let texts: Vec<String> = self.missing.iter().map(|text| format!("{text:?}")).collect();
            words.push(format!("missing {}", texts.join(" ")));
        }
        if let Some(number) = self.number {
            words.push(format!("numbers with {}", describe(number)));
        }
        if self.bands.is_some() {
            words.push("numbers inside P's bands".to_owned());
        }
        if let Some(date) = &self.date {
            let pivot = date.pivot().filter(|_| date.has_short_years());
            let years = pivot.map_or_else(String::new, |pivot| format!(" from {pivot} on"));
            words.push(format!("dates as {}{years}", date.pattern()));
        }
        if !self.values.is_empty() {
            words.push(mapping(&self.values));
        }
        words.join(" and ")
    }

    /// The trimmed text, or the value of its spelling; `None` for a missing value.
    pub fn spelled<'a>(&'a self, text: &'a str) -> Option<&'a str> {
        let text = if self.trim { text.trim() } else { text };
        let text = self.values.get(text).map_or(text, String::as_str);
        (!self.missing.iter().any(|missing| missing == text)).then_some(text)
    }

    /// The canonical text of a value; `None` for a missing value. In a column of numbers or dates, a text that is neither stays
    /// unchanged.
    pub fn canonical(&self, text: &str) -> Option<String> {
        let text = self.spelled(text)?;
        if let Some(bands) = &self.bands {
            let label = bands.label(text, self.number.unwrap_or(NumberForm::POINT));
            return Some(label.unwrap_or(text).to_owned());
        }
        let number = self.number.and_then(|form| form.read(text));
        let day = || self.date.as_ref().and_then(|form| form.read(text));
        Some(number.or_else(day).unwrap_or_else(|| text.to_owned()))
    }
}

/// How many spellings are shown in words.
const SHOWN: usize = 3;

/// A map of spellings in words: a spelling and its value each.
pub(crate) fn mapping(values: &BTreeMap<String, String>) -> String {
    let pairs: Vec<String> =
        values.iter().take(SHOWN).map(|(text, value)| format!("{text} = {value}")).collect();
    let more = values.len() - pairs.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", pairs.join(", "))
}

/// A form of numbers in words.
pub(crate) fn describe(form: NumberForm) -> String {
    let mark = |mark| match mark {
        '.' => "point",
        ',' => "comma",
        blank if blank.is_whitespace() => "blank",
        _ => "apostrophe",
    };
    match form.thousands() {
        _ if form.open() != (None, None) => format!("a decimal {} and an open band", mark(form.decimal())),
        None => format!("a decimal {}", mark(form.decimal())),
        Some(thousands) => format!("a {} between thousands", mark(thousands)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_trimmed_then_spelled_then_read() {
        let values =
            BTreeMap::from([("Female".to_owned(), "F".to_owned()), ("none".to_owned(), "NA".to_owned())]);
        let reading = Reading { trim: true, values, missing: vec!["NA".to_owned()], ..Reading::default() };
        assert_eq!(reading.canonical(" Female ").as_deref(), Some("F"));
        assert_eq!((reading.canonical(" NA"), reading.canonical("none")), (None, None));
        let reading = Reading { date: DateForm::new("%d.%m.%Y", None).ok(), ..Reading::default() };
        assert_eq!(reading.canonical("5.1.2024").as_deref(), Some("2024-01-05"));
        assert_eq!(reading.canonical("5.1.24").as_deref(), Some("5.1.24"));
    }
}

//! How the texts of a column are read: what a project says of blanks, missing values, spellings, numbers and dates, and the
//! one text that each then is.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate};

use crate::data::reading as data;

/// How the texts of one column of one table are read. The default changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether blanks around a value are no part of it.
    pub trim: bool,
    /// Spellings and what each stands for; applied after trimming and before everything else.
    pub values: BTreeMap<String, String>,
    /// Texts that stand for no value.
    pub missing: Vec<String>,
    /// How numbers are written.
    pub number: Option<NumberForm>,
    /// The form of dates, as `chrono` has it.
    pub date: Option<&'static str>,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberForm {
    /// What stands before the fraction.
    pub decimal: char,
    /// What may stand between groups of three digits.
    pub thousands: Option<char>,
}

impl Reading {
    /// Whether nothing is changed.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// It in words; nothing where nothing is changed.
    pub fn describe(&self) -> String {
        let mut words = Vec::new();
        if self.trim {
            words.push("without blanks around".to_owned());
        }
        if !self.missing.is_empty() {
            let texts: Vec<String> = self.missing.iter().map(|text| format!("{text:?}")).collect();
            words.push(format!("{} for no value", texts.join(" ")));
        }
        if let Some(number) = self.number {
            words.push(format!("numbers with {}", number.describe()));
        }
        if let Some(date) = self.date {
            words.push(format!("dates as {date}"));
        }
        if !self.values.is_empty() {
            words.push(format!("{} spellings", self.values.len()));
        }
        words.join(" and ")
    }

    /// The text as spelled: trimmed, and the spelling that it stands for; `None` where it stands for no value.
    pub fn spelled<'a>(&'a self, text: &'a str) -> Option<&'a str> {
        let text = if self.trim { text.trim() } else { text };
        let text = self.values.get(text).map_or(text, String::as_str);
        (!self.missing.iter().any(|missing| missing == text)).then_some(text)
    }

    /// The one text that a value is, whichever way it is written; `None` where there is no value. What is no number, or no
    /// date, though the column holds such, stays as it is.
    pub fn canonical(&self, text: &str) -> Option<String> {
        let text = self.spelled(text)?;
        let number = self.number.and_then(|form| form.canonical(text));
        let day = || self.date.and_then(|form| read_day(text, form)).map(|day| day.to_string());
        Some(number.or_else(day).unwrap_or_else(|| text.to_owned()))
    }
}

impl NumberForm {
    /// A decimal point and nothing else.
    pub const POINT: Self = Self { decimal: '.', thousands: None };

    /// The plain decimal of a number in this form: no needless zeros, no plus, no groups. `None` for any other text.
    pub fn canonical(self, text: &str) -> Option<String> {
        data::NumberForm::new(self.decimal, self.thousands).ok()?.read(text)
    }
}

/// The day of a text in a form of `chrono`'s, with a year of four digits.
pub(super) fn read_day(text: &str, form: &str) -> Option<NaiveDate> {
    let day: NaiveDate = data::DateForm::new(form).ok()?.read(text)?.parse().ok()?;
    let is_compact = form == "%Y%m%d";
    let years = if is_compact { 1850..=2149 } else { 1000..=9999 };
    let has_length = if is_compact { text.len() == 8 } else { (8..=10).contains(&text.len()) };
    (years.contains(&day.year()) && has_length).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_one_text_however_it_is_written() {
        let comma = NumberForm { decimal: ',', thousands: Some('.') };
        for (form, text, expected) in [
            (NumberForm::POINT, "39.0", Some("39")),
            (NumberForm::POINT, "+39", Some("39")),
            (NumberForm::POINT, "-0.50", Some("-0.5")),
            (NumberForm::POINT, "-0", Some("0")),
            (NumberForm::POINT, "007", Some("7")),
            (NumberForm::POINT, "39,0", None),
            (NumberForm::POINT, "3.", None),
            (NumberForm::POINT, ".5", None),
            (NumberForm::POINT, "", None),
            (comma, "39,00", Some("39")),
            (comma, "1.234.567,5", Some("1234567.5")),
            (comma, "1.23", None),
        ] {
            assert_eq!(form.canonical(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_text_is_trimmed_then_spelled_then_read() {
        let values =
            BTreeMap::from([("Female".to_owned(), "F".to_owned()), ("none".to_owned(), "NA".to_owned())]);
        let reading = Reading { trim: true, values, missing: vec!["NA".to_owned()], ..Reading::default() };
        assert_eq!(reading.canonical(" Female ").as_deref(), Some("F"));
        assert_eq!((reading.canonical(" NA"), reading.canonical("none")), (None, None));
        let reading = Reading { date: Some("%d.%m.%Y"), ..Reading::default() };
        assert_eq!(reading.canonical("5.1.2024").as_deref(), Some("2024-01-05"));
        assert_eq!(reading.canonical("5.1.24").as_deref(), Some("5.1.24"));
    }
}

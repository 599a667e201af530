//! How the texts of a column are read: what a project says of blanks, missing values, spellings, numbers and dates, and the
//! one text that each then is.

use std::collections::BTreeMap;

use super::numbers;
use palmtop_tables::reading::NumberForm;
use palmtop_tables::written::read_day;

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
            words.push(format!("numbers with {}", numbers::describe(number)));
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
        let number = self.number.and_then(|form| form.read(text));
        let day = || self.date.and_then(|form| read_day(text, form)).map(|day| day.to_string());
        Some(number.or_else(day).unwrap_or_else(|| text.to_owned()))
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
        let reading = Reading { date: Some("%d.%m.%Y"), ..Reading::default() };
        assert_eq!(reading.canonical("5.1.2024").as_deref(), Some("2024-01-05"));
        assert_eq!(reading.canonical("5.1.24").as_deref(), Some("5.1.24"));
    }
}

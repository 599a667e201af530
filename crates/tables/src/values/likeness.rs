//! Whether two columns have the same content, under any names and in any notation.
//!
//! A column of T with the content of a column of P must not be published unchanged: an attacker who
//! knows P would recognize the rows.

use std::collections::BTreeSet;

use super::dates::{Dates, is_compact};
use super::reading::{DateForm, NumberForm};
use super::written::{MISSING, number_forms};

/// A column's values in one notation for all tables: dates as days, numbers as plain decimals,
/// words in lower case.
#[derive(Clone, Debug)]
pub struct Plain {
    values: BTreeSet<String>,
    form: PlainForm,
    /// Whether some value has several rows, and whether these are all values of the column.
    is_shared: bool,
    is_complete: bool,
}

/// The notation of a column's values.
#[derive(Clone, Debug, PartialEq)]
enum PlainForm {
    Day(DateForm),
    Number(NumberForm),
    Word,
}

impl PlainForm {
    /// The text in common notation; `None` if the text is not such a value.
    fn read(&self, text: &str) -> Option<String> {
        match self {
            Self::Day(form) => form.read(text),
            Self::Number(form) => form.read(text),
            Self::Word => Some(text.to_lowercase()),
        }
    }
}

/// The degree of likeness of two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// No sign that the columns have the same content.
    None,
    /// The columns may have the same content.
    Doubtful,
    /// Nine of ten of T's values are in P, and too many of them to be chance.
    Alike,
}

impl Plain {
    /// Reads a column's distinct texts, each with its number of rows. `is_complete` is true if
    /// these are all of its texts.
    pub fn of<'a>(counted: impl IntoIterator<Item = (&'a str, u64)>, is_complete: bool) -> Self {
        let mut is_shared = false;
        let mut texts: BTreeSet<&str> = BTreeSet::new();
        for (text, rows) in counted {
            is_shared |= rows > 1;
            texts.insert(text.trim());
        }
        texts.retain(|text| !MISSING.contains(text));
        // Eight digits are not always a date.
        let days = || {
            let form = Dates::forms_of_all(&texts).into_iter().find(|form| !is_compact(form));
            form.map(PlainForm::Day)
        };
        let numbers = || number_forms(&texts).first().map(|form| PlainForm::Number(*form));
        let form = days().or_else(numbers).unwrap_or(PlainForm::Word);
        let values = texts.iter().filter_map(|text| form.read(text)).collect();
        Self { values, form, is_shared, is_complete }
    }

    /// Compares T's column with one of P's.
    pub fn likeness(&self, public: &Self) -> Likeness {
        let known: Vec<&String> = self.values.intersection(&public.values).collect();
        let is_word =
            |text: &&&String| text.chars().filter(|character| character.is_alphabetic()).count() > 1;
        // Too many to be chance: at least two words, or ten values.
        let is_telling = known.iter().filter(is_word).count() >= 2 || known.len() >= 10;
        let (all, same) = (self.values.len(), known.len());
        let are_complete = self.is_complete && public.is_complete;
        if are_complete && public.is_shared && is_telling && same * 10 >= all * 9 {
            return Likeness::Alike;
        }
        let are_days = self.are_days() && public.are_days();
        if are_days || (is_telling && same * 2 >= all) { Likeness::Doubtful } else { Likeness::None }
    }

    /// Whether a value of this column is one of the other.
    pub fn shares_with(&self, public: &Self) -> bool {
        self.values.intersection(&public.values).next().is_some()
    }

    /// The distinct values in common notation, sorted.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(String::as_str)
    }

    /// The value of a text in common notation; `None` if the text is not such a value.
    pub fn value(&self, text: &str) -> Option<String> {
        let text = text.trim();
        if MISSING.contains(&text) { None } else { self.form.read(text) }
    }

    /// Whether all values are days.
    pub fn are_days(&self) -> bool {
        matches!(self.form, PlainForm::Day(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn plain(texts: &[&str]) -> Plain {
        Plain::of(texts.iter().map(|text| (*text, 2)), true)
    }

    #[test]
    fn columns_are_alike_however_they_are_written() {
        let codes: Vec<String> = (1..40).map(|code| format!("{code:05}")).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let short: Vec<&str> = codes[..12].iter().map(|code| code.trim_start_matches('0')).collect();
        for (private, public, expected) in [
            (&["Male", "FEMALE "][..], &["male", "female", "NA"][..], Likeness::Alike),
            (&short[..], &codes[..], Likeness::Alike),
            (&["1", "2"], &["1", "2", "3"], Likeness::None),
            (&["2024-01-05"], &["1/5/1990", "12/31/1980"], Likeness::Doubtful),
            (&["red", "green", "blue"], &["red", "green", "grey"], Likeness::Doubtful),
            (&["flu", "cold"], &["male", "female"], Likeness::None),
        ] {
            assert_eq!(plain(private).likeness(&plain(public)), expected, "{private:?} {public:?}");
        }
    }
}

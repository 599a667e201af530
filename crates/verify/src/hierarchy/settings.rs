//! The keys of a hierarchy in TOML, with their places; numbers by their digits.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::error::VerifyError;
use crate::records::line_ends;
use crate::value::Number;

/// A TOML file, taken apart.
pub(super) struct Settings<'a> {
    path: &'a Path,
    text: &'a str,
    table: DeTable<'a>,
}

impl<'a> Settings<'a> {
    pub(super) fn parse(path: &'a Path, text: &'a str) -> Result<Self, VerifyError> {
        let mut settings = Self { path, text, table: DeTable::new() };
        let table = DeTable::parse(text)
            .map_err(|error| settings.wrong(error.span(), error.message().replace('\n', "; ")))?;
        settings.table = table.into_inner();
        Ok(settings)
    }

    /// What is wrong with the file, at a place where there is one.
    pub(super) fn wrong(&self, place: Option<Range<usize>>, detail: String) -> VerifyError {
        let line = place.map(|place| {
            let before = &self.text.as_bytes()[..place.start.min(self.text.len())];
            1 + line_ends(before)
        });
        VerifyError::Hierarchy { path: self.path.to_owned(), line, detail }
    }

    /// Refuses every key but these.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), VerifyError> {
        self.only_in(&self.table, known)
    }

    pub(super) fn only_in(&self, table: &DeTable, known: &[&str]) -> Result<(), VerifyError> {
        match table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            None => Ok(()),
            Some((key, _)) => {
                let expected: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                let detail = format!("unknown key `{}`, expected {}", key.get_ref(), expected.join(", "));
                Err(self.wrong(Some(key.span()), detail))
            }
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    /// A text that must be there.
    pub(super) fn text_of(&self, key: &str) -> Result<&str, VerifyError> {
        let missing = || self.wrong(Some(0..0), format!("there is no `{key}`; add it"));
        self.text_in(self.get(key).ok_or_else(missing)?, key)
    }

    /// A text.
    pub(super) fn text_in<'b>(&self, value: &'b Spanned<DeValue>, key: &str) -> Result<&'b str, VerifyError> {
        let wrong = || self.wrong(Some(value.span()), format!("`{key}` is no text; put it in quotes"));
        value.get_ref().as_str().ok_or_else(wrong)
    }

    /// A list.
    pub(super) fn list<'b>(
        &self,
        value: &'b Spanned<DeValue<'a>>,
        key: &str,
    ) -> Result<&'b DeArray<'a>, VerifyError> {
        let wrong = || self.wrong(Some(value.span()), format!("`{key}` is no list; write `{key} = […]`"));
        value.get_ref().as_array().ok_or_else(wrong)
    }

    /// The tables of a list `[[key]]`, at least one.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<Spanned<&DeTable<'a>>>, VerifyError> {
        let none = |place| self.wrong(place, format!("there is no `[[{key}]]`; give at least one"));
        let value = self.get(key).ok_or_else(|| none(None))?;
        let table = |value: &'_ Spanned<DeValue<'a>>| value.get_ref().is_table();
        let list = self.list(value, key)?;
        if list.is_empty() {
            return Err(none(Some(value.span())));
        }
        if let Some(other) = list.iter().find(|value| !table(value)) {
            return Err(self.wrong(Some(other.span()), format!("expected a list `[[{key}]]` of tables")));
        }
        let tables =
            list.iter().filter_map(|value| Some(Spanned::new(value.span(), value.get_ref().as_table()?)));
        Ok(tables.collect())
    }

    /// A list of numbers, each by its digits: no number goes through a float.
    pub(super) fn numbers(
        &self,
        value: &Spanned<DeValue<'a>>,
        key: &str,
    ) -> Result<Vec<Number>, VerifyError> {
        self.list(value, key)?.iter().map(|value| self.number(value)).collect()
    }

    /// A number as it is written, with or without quotes.
    pub(super) fn number(&self, value: &Spanned<DeValue>) -> Result<Number, VerifyError> {
        let written = match value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            DeValue::Integer(_) | DeValue::Float(_) => self.text.get(value.span()).unwrap_or_default(),
            _ => "",
        };
        Number::read(written).ok_or_else(|| {
            let shown = self.text.get(value.span()).unwrap_or_default();
            let detail = format!(
                "`{shown}` is no plain decimal number; expected digits, perhaps a minus before and a fraction behind, \
                 at most 28 in all"
            );
            self.wrong(Some(value.span()), detail)
        })
    }
}

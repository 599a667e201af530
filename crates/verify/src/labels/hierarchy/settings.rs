//! Reads the keys of a hierarchy in TOML with their positions. Numbers are read from their digits, never through a float.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::problems::VerifyError;
use crate::read::line_ends;
use crate::values::Number;

/// A parsed TOML file.
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

    /// An error in the file. `span` is the range of bytes that is wrong, if it is known.
    pub(super) fn wrong(&self, span: Option<Range<usize>>, detail: String) -> VerifyError {
        let line = span.map(|span| {
            let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
            1 + line_ends(before)
        });
        VerifyError::hierarchy(self.path, line, detail)
    }

    /// Refuses keys other than these.
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

    /// The text of a required key.
    pub(super) fn text_of(&self, key: &str) -> Result<&str, VerifyError> {
        let missing = || self.wrong(Some(0..0), format!("`{key}` is missing; add it"));
        self.text_in(self.get(key).ok_or_else(missing)?, key)
    }

    /// The text of a value.
    pub(super) fn text_in<'b>(&self, value: &'b Spanned<DeValue>, key: &str) -> Result<&'b str, VerifyError> {
        let wrong = || self.wrong(Some(value.span()), format!("`{key}` is not a text; put it in quotes"));
        value.get_ref().as_str().ok_or_else(wrong)
    }

    /// The elements of a list.
    pub(super) fn list<'b>(
        &self,
        value: &'b Spanned<DeValue<'a>>,
        key: &str,
    ) -> Result<&'b DeArray<'a>, VerifyError> {
        let wrong = || self.wrong(Some(value.span()), format!("`{key}` is not a list; write `{key} = […]`"));
        value.get_ref().as_array().ok_or_else(wrong)
    }

    /// The tables of a list `[[key]]`, at least one.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<Spanned<&DeTable<'a>>>, VerifyError> {
        let missing = |span| self.wrong(span, format!("`[[{key}]]` is missing; give at least one"));
        let value = self.get(key).ok_or_else(|| missing(None))?;
        let is_table = |value: &'_ Spanned<DeValue<'a>>| value.get_ref().is_table();
        let list = self.list(value, key)?;
        if list.is_empty() {
            return Err(missing(Some(value.span())));
        }
        if let Some(wrong) = list.iter().find(|value| !is_table(value)) {
            return Err(self.wrong(Some(wrong.span()), format!("expected a list `[[{key}]]` of tables")));
        }
        let tables =
            list.iter().filter_map(|value| Some(Spanned::new(value.span(), value.get_ref().as_table()?)));
        Ok(tables.collect())
    }

    /// A list of numbers.
    pub(super) fn numbers(
        &self,
        value: &Spanned<DeValue<'a>>,
        key: &str,
    ) -> Result<Vec<Number>, VerifyError> {
        self.list(value, key)?.iter().map(|value| self.number(value)).collect()
    }

    /// A number with or without quotes.
    pub(super) fn number(&self, value: &Spanned<DeValue>) -> Result<Number, VerifyError> {
        let written = match value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            DeValue::Integer(_) | DeValue::Float(_) => self.text.get(value.span()).unwrap_or_default(),
            _ => "",
        };
        Number::read(written).ok_or_else(|| {
            let shown = self.text.get(value.span()).unwrap_or_default();
            let detail = format!(
                "`{shown}` is not a plain decimal number; expected at most 28 digits, optionally with a minus and a \
                 fraction"
            );
            self.wrong(Some(value.span()), detail)
        })
    }
}

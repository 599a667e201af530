//! The keys of `[public]` and `[private]` for the names of the columns and for rows that are no people.

use crate::keys::Keyed;
use palmtop_tables::read::{Header, RowName, RowRules, TableSpec};
use serde::Deserialize;

/// These keys as they are written in the project file.
#[derive(Debug, Default)]
pub(super) struct WrittenRows {
    pub(super) header: Option<WrittenHeader>,
    pub(super) leave_out: Option<Vec<WrittenRow>>,
    pub(super) keep_rows: Option<Vec<WrittenRow>>,
    pub(super) hidden_rows: Option<WrittenHidden>,
}

/// Whether the file has names for its columns, or the names.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "true, false or a list of names")]
pub(super) enum WrittenHeader {
    /// Whether a row has the names.
    Has(bool),
    /// The names, which no row has.
    Names(Vec<String>),
}

/// A row by its number or by the text of a cell.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "the number of a row or the text of a cell")]
pub(super) enum WrittenRow {
    /// Its number.
    Number(u64),
    /// The text of a cell.
    Text(String),
}

/// Whether hidden rows are people.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenHidden {
    /// They are.
    Keep,
    /// They are not.
    LeaveOut,
}

impl Keyed for WrittenHeader {}
impl Keyed for WrittenRow {}
impl Keyed for WrittenHidden {}

impl WrittenRows {
    /// The first key that is set.
    pub(super) fn first_key(&self) -> Option<&'static str> {
        let keys = [
            ("header", self.header.is_some()),
            ("leave_out", self.leave_out.is_some()),
            ("keep_rows", self.keep_rows.is_some()),
            ("hidden_rows", self.hidden_rows.is_some()),
        ];
        keys.into_iter().find(|(_, is_set)| *is_set).map(|(key, _)| key)
    }

    /// Checks the keys for a table of `files` files.
    pub(super) fn settle(self, files: usize) -> Result<RowRules, String> {
        Ok(RowRules {
            header: match self.header {
                None => Header::Unsaid,
                Some(WrittenHeader::Has(true)) => Header::InFile,
                Some(WrittenHeader::Has(false)) => Header::None,
                Some(WrittenHeader::Names(names)) => Header::Are(names),
            },
            leave_out: rows("leave_out", self.leave_out, files)?,
            keep: rows("keep_rows", self.keep_rows, files)?,
            hidden_are_people: self.hidden_rows.map(|hidden| hidden == WrittenHidden::Keep),
            all_count: false,
        })
    }

    /// Takes the value of a key as it is written in a project file; `false` if it is another key.
    pub(super) fn take(&mut self, key: &str, value: &str) -> Result<bool, String> {
        #[derive(Deserialize)]
        struct Line {
            header: Option<WrittenHeader>,
            leave_out: Option<Vec<WrittenRow>>,
            keep_rows: Option<Vec<WrittenRow>>,
            hidden_rows: Option<WrittenHidden>,
        }
        if !["header", "leave_out", "keep_rows", "hidden_rows"].contains(&key) {
            return Ok(false);
        }
        // On a command line a text may stand without quotes.
        let quoted = format!("{key} = {}", palmtop_tables::literal::toml_string(value));
        let line =
            toml::from_str::<Line>(&format!("{key} = {value}")).or_else(|_| toml::from_str::<Line>(&quoted));
        let line = line.map_err(|error| format!("`{key}`: {}", error.message()))?;
        self.header = line.header.or(self.header.take());
        self.leave_out = line.leave_out.or(self.leave_out.take());
        self.keep_rows = line.keep_rows.or(self.keep_rows.take());
        self.hidden_rows = line.hidden_rows.or(self.hidden_rows.take());
        Ok(true)
    }
}

/// Sets a key about rows of a table to a value as a project file writes it.
///
/// # Errors
/// What is wrong with the value.
pub fn set(spec: &mut TableSpec, key: &str, value: &str) -> Result<(), String> {
    if key == "header_row" {
        let row = value.parse().map_err(|_| format!("`header_row` is a row from 1, not {value:?}"))?;
        spec.header_row = Some(row);
        return Ok(());
    }
    if key == "encoding" {
        spec.encoding = Some(value.parse()?);
        return Ok(());
    }
    let mut written = WrittenRows::default();
    written.take(key, value)?;
    let RowRules { header, leave_out, keep, hidden_are_people, .. } = written.settle(spec.paths.len())?;
    if header != Header::Unsaid {
        spec.rows.header = header;
    }
    spec.rows.leave_out.extend(leave_out);
    spec.rows.keep.extend(keep);
    spec.rows.hidden_are_people = hidden_are_people.or(spec.rows.hidden_are_people);
    Ok(())
}

fn rows(key: &str, written: Option<Vec<WrittenRow>>, files: usize) -> Result<Vec<RowName>, String> {
    let row = |row| match row {
        WrittenRow::Number(0) => Err(format!("`{key}` counts rows from 1")),
        WrittenRow::Number(number) if files > 1 => Err(format!(
            "`{key}`: the table has {files} files, so {number} names no row; name it by the text of a cell"
        )),
        WrittenRow::Number(number) => Ok(RowName::Number(number)),
        WrittenRow::Text(text) => Ok(RowName::Text(text)),
    };
    written.unwrap_or_default().into_iter().map(row).collect()
}

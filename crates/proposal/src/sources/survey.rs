//! A survey of a table by one pass: the distinct texts of each column, with their number of rows and the first rows.

use std::collections::BTreeMap;

use palmtop_core::progress::Meter;
use palmtop_tables::error::DataError;
use palmtop_tables::likeness::Plain;
use palmtop_tables::read::{Listed, ReadFile, Table, TableSpec};

/// A column with its distinct texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// Each text with its rows.
    pub texts: BTreeMap<String, Rows>,
    /// Whether `texts` has all texts. If a column has more than [`Column::MOST`] texts, only the first ones are kept.
    pub is_complete: bool,
    /// Whether the file declares numbers: palmtop itself wrote their texts.
    pub is_numeric: bool,
}

/// The rows that have a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The number of these rows.
    pub count: u64,
    /// The first of these rows, from 1, without the header; at most [`Rows::LISTED`].
    pub first: Vec<u64>,
}

impl Rows {
    /// The greatest number of listed rows.
    pub const LISTED: usize = 5;

    fn add(&mut self, row: u64) {
        self.count += 1;
        if self.first.len() < Self::LISTED {
            self.first.push(row);
        }
    }
}

impl Column {
    /// The greatest number of kept texts. A column with more texts cannot be generalized as a quasi-identifier.
    pub const MOST: usize = 200_000;

    /// The values in a form that does not depend on the table.
    pub(crate) fn plain(&self) -> Plain {
        Plain::of(self.texts.iter().map(|(text, rows)| (text.as_str(), rows.count)), self.is_complete)
    }

    fn add(&mut self, text: &str, row: u64) {
        if let Some(rows) = self.texts.get_mut(text) {
            rows.add(row);
        } else if self.texts.len() < Self::MOST {
            self.texts.insert(text.to_owned(), Rows { count: 1, first: vec![row] });
        } else {
            self.is_complete = false;
        }
    }
}

/// A surveyed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The files of the table and their format.
    pub files: TableSpec,
    /// The number of rows, without the header.
    pub rows: u64,
    /// The files that were read; none for a table in memory.
    pub read: Vec<ReadFile>,
    /// The columns that can be read as texts, in file order.
    pub columns: Vec<Column>,
    /// The names of the columns that cannot be read as texts.
    pub unreadable: Vec<String>,
}

impl Survey {
    /// Reads a table once.
    ///
    /// # Errors
    /// A [`DataError`] with file and line if the table cannot be read or has no rows;
    /// [`DataError::Cancelled`] if the meter stops the work.
    pub fn of(table: &Table, which: &'static str, meter: &mut Meter) -> Result<Self, DataError> {
        let (readable, unreadable): (Vec<&String>, Vec<&String>) =
            table.columns().iter().partition(|column| table.is_readable(column));
        let names: Vec<&str> = readable.iter().map(|name| name.as_str()).collect();
        let mut survey = Self::empty(table.spec().clone(), &names);
        for column in &mut survey.columns {
            column.is_numeric = table.is_numeric(&column.name);
        }
        survey.unreadable = unreadable.into_iter().cloned().collect();
        survey.read = table.visit(&names, meter, &mut |_, texts| {
            survey.add(texts);
            Ok(())
        })?;
        if survey.rows == 0 {
            return Err(DataError::empty_table(table.path(), which));
        }
        Ok(survey)
    }

    /// Surveys a table in memory.
    ///
    /// # Errors
    /// A [`DataError`] if it has no rows.
    pub(crate) fn of_listed(listed: &Listed, which: &'static str) -> Result<Self, DataError> {
        let names: Vec<&str> = listed.columns.iter().map(String::as_str).collect();
        let mut survey = Self::empty(listed.files.clone(), &names);
        listed.visit(&names, &mut |texts| {
            survey.add(texts);
            Ok(())
        })?;
        if survey.rows == 0 {
            return Err(DataError::empty_table(&listed.files.name(), which));
        }
        Ok(survey)
    }

    /// A survey without rows.
    pub(crate) fn empty(files: TableSpec, columns: &[&str]) -> Self {
        let column =
            |name: &&str| Column { name: (*name).to_owned(), is_complete: true, ..Column::default() };
        let columns = columns.iter().map(column).collect();
        Self { files, rows: 0, read: Vec::new(), columns, unreadable: Vec::new() }
    }

    /// Adds one row to the survey.
    pub(crate) fn add(&mut self, texts: &[&str]) {
        self.rows += 1;
        for (column, text) in self.columns.iter_mut().zip(texts) {
            column.add(text, self.rows);
        }
    }

    /// Finds a column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

//! What one pass over a table tells of each column: its distinct texts, how often each occurs, and where.

use std::collections::BTreeMap;

use palmtop_core::progress::Meter;
use palmtop_tables::error::DataError;
use palmtop_tables::likeness::Plain;
use palmtop_tables::read::{Table, TableSpec};

/// A column's distinct texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Each text with its rows.
    pub texts: BTreeMap<String, Rows>,
    /// Whether `texts` are all: of a column with more than [`Column::MOST`] texts only the first are kept.
    pub is_complete: bool,
}

/// The rows that have a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// How many.
    pub count: u64,
    /// The first of them, from 1, the header not counted; at most [`Rows::LISTED`].
    pub first: Vec<u64>,
}

impl Rows {
    /// How many are listed at most.
    pub const LISTED: usize = 5;

    fn add(&mut self, row: u64) {
        self.count += 1;
        if self.first.len() < Self::LISTED {
            self.first.push(row);
        }
    }
}

impl Column {
    /// How many texts of a column are kept at most: what has more is no quasi-identifier that could be generalized.
    pub const MOST: usize = 200_000;

    /// Its values in one form for all tables.
    pub(super) fn plain(&self) -> Plain {
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

/// A table, surveyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Its files, and how they are written.
    pub files: TableSpec,
    /// How many rows it has, the header not counted.
    pub rows: u64,
    /// Its columns that can be read as texts, in order.
    pub columns: Vec<Column>,
    /// Those that cannot.
    pub unreadable: Vec<String>,
}

impl Survey {
    /// Reads a whole table once.
    ///
    /// # Errors
    /// A [`DataError`] with file and line where the table cannot be read; [`DataError::EmptyTable`] where it has no rows;
    /// [`DataError::Cancelled`] where the meter says stop.
    pub fn of(table: &Table, which: &'static str, meter: &mut Meter) -> Result<Self, DataError> {
        let (readable, unreadable): (Vec<&String>, Vec<&String>) =
            table.columns().iter().partition(|column| table.is_readable(column));
        let names: Vec<&str> = readable.iter().map(|name| name.as_str()).collect();
        let mut survey = Self::empty(table.spec().clone(), &names);
        survey.unreadable = unreadable.into_iter().cloned().collect();
        table.visit(&names, meter, &mut |_, texts| {
            survey.add(texts);
            Ok(())
        })?;
        if survey.rows == 0 {
            return Err(DataError::EmptyTable { path: table.path().to_owned(), table: which });
        }
        Ok(survey)
    }

    /// The survey of no rows yet.
    pub(super) fn empty(files: TableSpec, columns: &[&str]) -> Self {
        let column =
            |name: &&str| Column { name: (*name).to_owned(), texts: BTreeMap::new(), is_complete: true };
        Self { files, rows: 0, columns: columns.iter().map(column).collect(), unreadable: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, texts: &[&str]) {
        self.rows += 1;
        for (column, text) in self.columns.iter_mut().zip(texts) {
            column.add(text, self.rows);
        }
    }

    /// A column.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

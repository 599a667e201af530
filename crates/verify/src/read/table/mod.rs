//! Reads the tables P and T with the verifier's own readers. Every cell is text.
//!
//! A [`TableSource`] enters: the paths and the form of the files. Batches of rows leave, in the order of the files, as often as
//! they are asked for; all files have the same columns.

mod source;
mod gather;
mod file;
mod csv;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use self::file::TableFile;
use super::batch::{Batch, BatchVisitor};
use super::position::Location;
use crate::problems::Stop;
use crate::problems::VerifyError;
use palmtop_terms::LocatedError;
use palmtop_terms::words::names;

pub use self::source::TableSource;

/// Receives the location and the texts of each row.
pub(crate) type RowVisitor<'a> = dyn FnMut(Location, &[&str]) -> Result<(), VerifyError> + 'a;

/// A table whose header has been read.
#[derive(Debug)]
pub(crate) struct Table {
    /// The name of the table in messages: its file, or its first file and the number of others.
    pub(crate) path: PathBuf,
    pub(crate) columns: Vec<String>,
    files: Vec<TableFile>,
    /// The indices of rows, from 0, that repeat a person and do not count.
    pub(crate) repeats: FxHashSet<u64>,
}

impl Table {
    pub(crate) fn open(source: &TableSource) -> Result<Self, VerifyError> {
        let files = source.paths.iter().map(|path| TableFile::open(path, source));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let path = match source.paths.as_slice() {
            [first, _, ..] => PathBuf::from(format!("{} and {} more", first.display(), files.len() - 1)),
            paths => paths.first().cloned().unwrap_or_default(),
        };
        let columns = files.first().map(|file| file.columns.clone()).unwrap_or_default();
        let expected: BTreeSet<&String> = columns.iter().collect();
        for file in &files {
            if file.columns.iter().collect::<BTreeSet<_>>() != expected {
                return Err(file.form(
                    1,
                    &format!(
                        "its columns differ from those of {}; give all files the same columns",
                        files[0].path.display()
                    ),
                ));
            }
        }
        Ok(Self { path, columns, files, repeats: FxHashSet::default() })
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// Whether a column may have identifiers in every file. Typed days are none.
    pub(crate) fn may_identify(&self, column: usize) -> bool {
        self.files.iter().all(|file| file.may_identify(&self.columns[column]))
    }

    /// The index of a column that a setting of the project names. Each of its cells has a text.
    pub(crate) fn column_index(&self, column: &str, setting: &str) -> Result<usize, VerifyError> {
        self.files.iter().try_for_each(|file| file.check_texts(column))?;
        let index = self.columns.iter().position(|known| known == column);
        index.ok_or_else(|| {
            let columns = names(&self.columns);
            LocatedError::new(format!("no column `{column}`; the columns are {columns}"))
                .in_file(&self.path)
                .remedy(format!("correct the project's {setting}"))
                .into()
        })
    }

    /// An error of a cell.
    pub(crate) fn error_at(&self, location: Location, column: &str, problem: &str) -> LocatedError {
        LocatedError::new(problem).in_file(self.file(location)).at(location.position.into()).at_column(column)
    }

    /// The file of a row.
    pub(crate) fn file(&self, location: Location) -> &Path {
        &self.files[location.file].path
    }

    /// The rows that the project leaves out, as far as the table was read.
    pub(crate) fn left_out(&self) -> u64 {
        self.files.iter().map(TableFile::left_out).sum()
    }

    /// The number of files.
    pub(crate) fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The file with this index.
    pub(crate) fn file_name(&self, file: usize) -> &Path {
        &self.files[file].path
    }

    /// Whether a column can be read as texts in all files.
    pub(crate) fn is_readable(&self, column: usize) -> bool {
        self.files.iter().all(|file| file.is_readable(&self.columns[column]))
    }

    /// Calls `show` with the texts of some columns of one file, row by row.
    pub(crate) fn visit_file(
        &self,
        file: usize,
        columns: &[usize],
        show: &mut dyn FnMut(&[&str]) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        self.visit_part(file, columns, &Stop::default(), &mut |batches| {
            batches.iter().try_for_each(|batch| {
                (0..batch.len()).try_for_each(|row| show(&batch.texts(row, 0..columns.len())))
            })
        })
    }

    /// Calls `show` with the texts of some columns, row by row, without the rows that repeat a person.
    pub(crate) fn visit(&self, columns: &[usize], show: &mut RowVisitor) -> Result<(), VerifyError> {
        let mut before = 0;
        self.visit_batches(columns, &Stop::default(), &mut |batches| {
            batches.iter().try_for_each(|batch| {
                let first = before;
                before += batch.len() as u64;
                let counted = |row: &usize| !self.repeats.contains(&(first + *row as u64));
                (0..batch.len())
                    .filter(counted)
                    .try_for_each(|row| show(batch.location(row), &batch.texts(row, 0..columns.len())))
            })
        })
    }

    /// Calls `show` with some columns, many rows at once in their order, also those that repeat a person.
    pub(crate) fn visit_batches(
        &self,
        columns: &[usize],
        stop: &Stop,
        show: &mut dyn FnMut(&[Batch]) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        for file in 0..self.files.len() {
            self.visit_part(file, columns, stop, &mut |batches| {
                for batch in batches.iter_mut() {
                    batch.set_file(file);
                }
                show(batches)
            })?;
        }
        Ok(())
    }

    /// Calls `show` with some columns of one file, many rows at once.
    fn visit_part(
        &self,
        file: usize,
        columns: &[usize],
        stop: &Stop,
        show: &mut BatchVisitor,
    ) -> Result<(), VerifyError> {
        let file = &self.files[file];
        let in_file = |&column: &usize| file.columns.iter().position(|known| *known == self.columns[column]);
        let in_file: Option<Vec<usize>> = columns.iter().map(in_file).collect();
        let in_file = in_file.ok_or_else(|| file.form(1, "a column is missing"))?;
        file.visit_batches(&in_file, stop, show)
    }
}

//! Tables on disk, in one or several files, read row by row; each cell is text.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::*;
use rustc_hash::FxHashSet;

use super::part::Part;
use super::persons::OnePerson;
use super::typed::{Asked, Lot, Typed};
use crate::error::DataError;
use crate::source::position::{At, RowPosition};
use palmtop_core::located::LocatedError;
use palmtop_core::model::size;
use palmtop_core::progress::{Meter, unwatched};
use palmtop_core::words::names;

use crate::source::spec::TableSpec;

/// A table whose header has been read.
#[derive(Clone, Debug)]
pub struct Table {
    spec: TableSpec,
    name: PathBuf,
    parts: Vec<Part>,
    columns: Vec<String>,
    /// The rule that counts one row of each person, if the project has one.
    pub(super) one_person: Option<Arc<OnePerson>>,
}

/// A file of a table, read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFile {
    /// The file.
    pub path: PathBuf,
    /// The SHA-256 of its bytes on disk, in hexadecimal.
    pub sha256: String,
    /// The number of people's rows.
    pub rows: u64,
    /// The number of rows that the project leaves out.
    pub left_out: u64,
}

/// Receives the position of a row and its texts, one for each requested column.
pub type Visitor<'a, E = DataError> = dyn FnMut(At, &[&str]) -> Result<(), E> + 'a;

/// A column, and which of its texts are wanted.
pub type Wanted<'a> = (&'a str, &'a dyn Fn(&str) -> bool);

impl Table {
    /// Opens a table and reads the column names of its first file, in order.
    ///
    /// # Errors
    /// A [`DataError`] with the file: it is missing, not a regular file, of an unknown format,
    /// empty, or not UTF-8; it repeats a column, has other columns than the first file, or occurs
    /// twice.
    pub fn open(spec: &TableSpec) -> Result<Self, DataError> {
        Self::open_watched(spec, &[], &mut unwatched)
    }

    /// As [`open`](Self::open), and reports the bytes of files that must be in memory. Files with a
    /// SHA-256 among `tried` need no trial.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`DataError::Cancelled`] if the meter asks to stop.
    pub fn open_watched(spec: &TableSpec, tried: &[String], meter: &mut Meter) -> Result<Self, DataError> {
        let parts = spec.paths.iter().map(|path| Part::open(path, spec, tried, meter));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        for part in &parts {
            check_columns(&parts[0], part)?;
        }
        let columns = parts.first().map(|part| part.columns.clone()).unwrap_or_default();
        Ok(Self { spec: spec.clone(), name: spec.name(), parts, columns, one_person: None })
    }

    /// Keeps all rows in memory, as one frame per file. Later reads see these rows even if a file
    /// changes. It is meant for T, which is small compared with P. The meter receives the bytes
    /// that are read.
    ///
    /// # Errors
    /// A [`DataError`] if a file cannot be read to its end; [`DataError::Cancelled`] if the meter
    /// asks to stop.
    pub fn kept(mut self, meter: &mut Meter) -> Result<Self, DataError> {
        let parts = std::mem::take(&mut self.parts);
        self.parts = parts.into_iter().map(|part| part.kept(meter)).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// The files and their settings.
    pub fn spec(&self) -> &TableSpec {
        &self.spec
    }

    /// The file; if there are several, their name in messages.
    pub fn path(&self) -> &Path {
        &self.name
    }

    /// The size of all files on disk, in bytes.
    pub fn size(&self) -> u64 {
        self.parts.iter().map(Part::size).sum()
    }

    /// The opened files.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The file of a row.
    pub fn file_of(&self, at: At) -> &Path {
        &self.parts[at.file].path
    }

    /// The position of a row for messages, with its file if there are several.
    pub fn position(&self, at: At) -> RowPosition {
        let file = (self.parts.len() > 1).then(|| self.file_of(at).to_owned());
        RowPosition { file, row: self.parts[at.file].row_in_file(at.row) }
    }

    /// The error of a value, with the file, the row and the column.
    pub fn refused(&self, at: At, column: &str, problem: impl Into<String>) -> LocatedError {
        LocatedError::new(problem)
            .in_file(self.file_of(at))
            .at_row(self.parts[at.file].row_in_file(at.row))
            .at_column(column)
    }

    /// Whether a file was written to since it was opened, by size and time: a quick test, not a
    /// proof. A file that is gone counts as changed.
    pub fn was_changed(&self) -> bool {
        self.parts.iter().any(Part::was_changed)
    }

    /// The column names, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether the table has a column.
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// Whether a column can be read as text. Columns of CSV files always can.
    pub fn is_readable(&self, column: &str) -> bool {
        self.parts.iter().all(|part| part.is_readable(column))
    }

    /// Whether the files declare the values of a column to be numbers.
    pub fn is_numeric(&self, column: &str) -> bool {
        self.parts.iter().all(|part| part.is_numeric(column))
    }

    /// Checks that the table has a column that `setting` of the project names, and that each of its
    /// cells has a text. In a column that no setting names, an error in a cell of a workbook, such as
    /// `#N/A`, is the text that it shows.
    ///
    /// # Errors
    /// A [`DataError`] with the existing columns, or with the cell.
    pub fn require(&self, column: &str, setting: &str) -> Result<(), DataError> {
        if self.has(column) {
            return self.parts.iter().try_for_each(|part| part.check_texts(column));
        }
        Err(LocatedError::new(format!("no column `{column}`, it has {}", names(&self.columns)))
            .in_file(&self.name)
            .remedy(format!("correct the project's {setting}"))
            .into())
    }

    /// Shows the texts of some columns row by row, file by file, and returns the files read. Rows
    /// that repeat a person are left out if the project counts each person once.
    ///
    /// The meter receives the bytes read at intervals.
    ///
    /// # Errors
    /// A [`DataError`] with file and line if the form is wrong, a field is not UTF-8, a line is
    /// ragged, a type cannot be read, or reading fails. Errors of `show`; [`DataError::Cancelled`]
    /// if the meter asks to stop.
    ///
    /// # Panics
    /// If the table has no such column; [`require`](Self::require) it first.
    pub fn visit(
        &self,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut Visitor,
    ) -> Result<Vec<ReadFile>, DataError> {
        self.try_visit(columns, meter, show)
    }

    /// As [`visit`](Self::visit), for a visitor that refuses a row with an error of its own.
    ///
    /// # Errors
    /// The visitor's error, or a [`DataError`] as those of [`visit`](Self::visit).
    ///
    /// # Panics
    /// If the table has no such column; [`require`](Self::require) it first.
    pub fn try_visit<E: From<DataError>>(
        &self,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut Visitor<E>,
    ) -> Result<Vec<ReadFile>, E> {
        let Some(left_out) = self.left_out(meter)? else { return self.visit_all(columns, meter, show) };
        let mut next = None;
        self.visit_all(columns, meter, &mut |at, texts| {
            let rows = match &mut next {
                Some((file, rows)) if *file == at.file => rows,
                next => &mut next.insert((at.file, left_out.from(at).peekable())).1,
            };
            if rows.next_if_eq(&at).is_some() { Ok(()) } else { show(at, texts) }
        })
    }

    /// As [`try_visit`](Self::try_visit), for the rows whose text in the first column has one of these
    /// [numbers](super::number_of): those with the wanted texts, and perhaps a few others. All threads look for them.
    ///
    /// # Errors
    /// As those of [`try_visit`](Self::try_visit).
    ///
    /// # Panics
    /// If the table has no such column, or none is asked for.
    pub fn visit_where<E: From<DataError>>(
        &self,
        columns: &[&str],
        numbers: &FxHashSet<u64>,
        meter: &mut Meter,
        show: &mut Visitor<E>,
    ) -> Result<Vec<ReadFile>, E> {
        let left_out = self.left_out(meter)?;
        assert!(!columns.is_empty(), "a column is asked for");
        let mut refused = None;
        let asked = Asked { columns, numbered: 0, wanted: Some(numbers) };
        let files = self.visit_lots(asked, meter, &mut |start, lot| {
            for (index, row) in lot.wanted.into_iter().flatten().enumerate() {
                let at = At { row: start.row + u64::from(row), ..start };
                if left_out.is_some_and(|left_out| left_out.has(at)) {
                    continue;
                }
                let texts = lot.texts.iter().map(|texts| texts.get(index).unwrap_or_default());
                show(at, &texts.collect::<Vec<&str>>()).map_err(|error| {
                    refused = Some(error);
                    DataError::Cancelled
                })?;
            }
            Ok(())
        });
        match refused {
            Some(error) => Err(error),
            None => Ok(files?),
        }
    }

    /// As [`try_visit`](Self::try_visit), with all rows.
    pub(super) fn visit_all<E: From<DataError>>(
        &self,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut Visitor<E>,
    ) -> Result<Vec<ReadFile>, E> {
        let (mut files, mut before) = (Vec::with_capacity(self.parts.len()), 0);
        for (file, part) in self.parts.iter().enumerate() {
            let mut rows = 0;
            let sha256 = part.visit(columns, &mut |done| meter(before + done), &mut |row, texts| {
                rows = row;
                show(At { file, row }, texts)
            })?;
            before += part.size();
            files.push(ReadFile { path: part.path.clone(), sha256, rows, left_out: part.left_out() });
        }
        Ok(files)
    }

    /// Shows some columns file by file in lots of rows, and returns the files read. The meter receives
    /// the bytes read at intervals.
    pub(crate) fn visit_lots(
        &self,
        asked: Asked,
        meter: &mut Meter,
        show: &mut dyn FnMut(At, Lot) -> Result<(), DataError>,
    ) -> Result<Vec<ReadFile>, DataError> {
        let (mut files, mut before) = (Vec::with_capacity(self.parts.len()), 0);
        for (file, part) in self.parts.iter().enumerate() {
            let mut show = |row, lot| show(At { file, row }, lot);
            let (sha256, rows) = part.visit_lots(asked, &mut |done| meter(before + done), &mut show)?;
            before += part.size();
            files.push(ReadFile { path: part.path.clone(), sha256, rows, left_out: part.left_out() });
        }
        Ok(files)
    }

    /// The table as a frame of texts, without columns that cannot be read as text.
    ///
    /// # Errors
    /// A [`DataError`] if the table cannot be read.
    pub fn to_frame(&self) -> Result<DataFrame, DataError> {
        let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let columns: Vec<&str> = columns.into_iter().filter(|column| self.is_readable(column)).collect();
        let wrong = |error: PolarsError| DataError::unreadable(&self.name, error.to_string());
        let schema = columns.iter().map(|&column| Field::new(column.into(), DataType::String)).collect();
        let mut table = DataFrame::empty_with_schema(&schema);
        self.visit_lots(Asked::all(&columns, 0), &mut unwatched, &mut |_, lot| {
            let texts = columns.iter().zip(lot.texts);
            let texts = texts.map(|(&column, texts)| texts.with_name(column.into()).into_column());
            let rows = DataFrame::new(lot.rows, texts.collect()).map_err(wrong)?;
            table.vstack_mut(&rows).map(drop).map_err(wrong)
        })?;
        Ok(table)
    }

    /// The texts of some columns, column by column, and the position of each row. It is meant for
    /// the private table, which is written row by row.
    ///
    /// # Errors
    /// A [`DataError`] if the table cannot be read.
    pub fn rows(&self, columns: &[&str]) -> Result<(Vec<Vec<String>>, Vec<At>), DataError> {
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); columns.len()];
        let mut indices = Vec::new();
        self.visit(columns, &mut unwatched, &mut |at, row| {
            indices.push(at);
            for (column, &text) in texts.iter_mut().zip(row) {
                column.push(text.to_owned());
            }
            Ok(())
        })?;
        Ok((texts, indices))
    }

    /// Shows the texts of some columns of one file, row by row.
    pub(crate) fn visit_file(
        &self,
        file: usize,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut dyn FnMut(&[&str]),
    ) -> Result<(), DataError> {
        self.parts[file].visit_rows(columns, 0, Typed::STRIDE, None, meter, &mut |_, texts| {
            show(texts);
            Ok(true)
        })
    }

    /// At most `rows` rows from `offset` on, all columns as text, in the order of the files. A
    /// column that cannot be read as text is blank.
    ///
    /// With `is_wanted`, only rows whose text in a column it accepts are returned and counted.
    ///
    /// # Errors
    /// A [`DataError`] if the table cannot be read, or its columns changed since it was opened.
    pub fn page(
        &self,
        wanted: Option<Wanted>,
        offset: u64,
        rows: usize,
    ) -> Result<Vec<Vec<String>>, DataError> {
        let columns = self.columns.iter().map(String::as_str);
        let readable: Vec<&str> = columns.clone().filter(|column| self.is_readable(column)).collect();
        let numbers: HashMap<&str, usize> = readable.iter().copied().zip(0..).collect();
        let find = |column: &str| numbers.get(column).copied();
        let indices: Vec<Option<usize>> = columns.map(find).collect();
        let special = wanted.map(|(column, is_wanted)| (find(column), is_wanted));
        // If all rows count, rows of a file before the page need not be decoded.
        let skips = wanted.is_none() && matches!(self.parts.as_slice(), [part] if part.skips());
        let mut before = if skips { offset } else { 0 };
        // No rows exist beyond `usize`.
        let Ok(from) = usize::try_from(before) else { return Ok(Vec::new()) };
        // A page near the start needs few rows.
        let near = offset.saturating_sub(before).saturating_add(rows as u64);
        let stride = size::index(near.clamp(1, Typed::STRIDE as u64));
        let mut page: Vec<Vec<String>> = Vec::new();
        for part in &self.parts {
            if page.len() == rows {
                break;
            }
            part.visit_rows(&readable, from, stride, None, &mut unwatched, &mut |_, texts| {
                let text = |index: &Option<usize>| index.map_or("", |index| texts[index]);
                if special.is_none_or(|(index, is_wanted)| is_wanted(text(&index))) {
                    if before >= offset {
                        page.push(indices.iter().map(|index| text(index).to_owned()).collect());
                    }
                    before += 1;
                }
                Ok(page.len() < rows)
            })?;
        }
        Ok(page)
    }
}

/// Checks that all files of a table have the same columns.
fn check_columns(first: &Part, part: &Part) -> Result<(), DataError> {
    let without = |columns: &[String], others: &[String]| -> Vec<String> {
        let others: HashSet<&String> = others.iter().collect();
        columns.iter().filter(|column| !others.contains(column)).cloned().collect()
    };
    let missing = without(&first.columns, &part.columns);
    let surplus = without(&part.columns, &first.columns);
    if missing.is_empty() && surplus.is_empty() {
        return Ok(());
    }
    let some =
        |verb: &str, columns: &[String]| (!columns.is_empty()).then(|| format!("{verb} {}", names(columns)));
    let differences = [some("it lacks", &missing), some("it has", &surplus)];
    let differences = differences.into_iter().flatten().collect::<Vec<_>>().join(", and ");
    Err(LocatedError::new(format!(
        "its columns differ from those of {}: {differences}",
        first.path.display()
    ))
    .in_file(&part.path)
    .remedy("all files of a table need the same columns, in any order")
    .into())
}

//! Tables on disk, in one file or several, read row by row; every cell is text.

use std::path::{Path, PathBuf};

use polars::prelude::*;

use super::part::Part;
use super::typed::{Lot, Typed};
use crate::error::DataError;
use crate::source::place::{At, RowPlace};
use palmtop_core::model::size;
use palmtop_core::progress::{Meter, unwatched};

use crate::source::spec::TableSpec;

/// A table whose header has been read.
#[derive(Clone, Debug)]
pub struct Table {
    spec: TableSpec,
    name: PathBuf,
    parts: Vec<Part>,
    columns: Vec<String>,
}

/// A file of a table that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFile {
    /// The file.
    pub path: PathBuf,
    /// The SHA-256 of its bytes as they lie on the disk, in hexadecimal.
    pub sha256: String,
    /// Its rows, the header not counted.
    pub rows: u64,
}

/// Is shown where a row stands, and its texts, one for each column that was asked for.
pub type Visitor<'a> = dyn FnMut(At, &[&str]) -> Result<(), DataError> + 'a;

/// A column, and which of its texts are wanted.
pub type Wanted<'a> = (&'a str, &'a dyn Fn(&str) -> bool);

impl Table {
    /// Opens a table and reads the names of its columns, which are those of its first file, in the order of that.
    ///
    /// # Errors
    /// A [`DataError`] that names the file: it is missing, no regular file, of an unknown format, empty, not UTF-8,
    /// repeats a column, has other columns than the first, or is there twice.
    pub fn open(spec: &TableSpec) -> Result<Self, DataError> {
        Self::open_watched(spec, &[], &mut unwatched)
    }

    /// [`open`](Self::open), telling a meter of the bytes of each file that has to be in memory. Files whose SHA-256 is among those
    /// `tried` are known to break down no reader.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`DataError::Cancelled`] where the meter says stop.
    pub fn open_watched(spec: &TableSpec, tried: &[String], meter: &mut Meter) -> Result<Self, DataError> {
        let parts = spec.paths.iter().map(|path| Part::open(path, spec, tried, meter));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        for part in &parts {
            check_columns(&parts[0], part)?;
        }
        let columns = parts.first().map(|part| part.columns.clone()).unwrap_or_default();
        Ok(Self { spec: spec.clone(), name: spec.name(), parts, columns })
    }

    /// The table with all its rows in memory, as a frame of each file. Every later reading shows these rows, even if a file changes. It
    /// is for T, which is small beside P. The meter gets the bytes that are read.
    ///
    /// # Errors
    /// A [`DataError`] where a file cannot be read to its end; [`DataError::Cancelled`] where the meter says stop.
    pub fn kept(mut self, meter: &mut Meter) -> Result<Self, DataError> {
        let parts = std::mem::take(&mut self.parts);
        self.parts = parts.into_iter().map(|part| part.kept(meter)).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Its files, and how they are written.
    pub fn spec(&self) -> &TableSpec {
        &self.spec
    }

    /// The file; where there are several, what messages call them.
    pub fn path(&self) -> &Path {
        &self.name
    }

    /// The size of all its files, in bytes as they lie on the disk.
    pub fn size(&self) -> u64 {
        self.parts.iter().map(Part::size).sum()
    }

    /// Its files, opened.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The file that a row stands in.
    pub fn file_of(&self, at: At) -> &Path {
        &self.parts[at.file].path
    }

    /// A row for messages: with its file where there are several.
    pub fn place(&self, at: At) -> RowPlace {
        let file = (self.parts.len() > 1).then(|| self.file_of(at).to_owned());
        RowPlace { file, row: at.row }
    }

    /// Whether a file of it was written to since it was opened, as far as their sizes and times tell: quick, and no proof
    /// that none was. A file that is gone was.
    pub fn was_changed(&self) -> bool {
        self.parts.iter().any(Part::was_changed)
    }

    /// The names of its columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether it has a column.
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// Whether a column's values can be read as texts. All of a CSV file can.
    pub fn is_readable(&self, column: &str) -> bool {
        self.parts.iter().all(|part| part.is_readable(column))
    }

    /// Checks that it has a column which `setting` of the project names.
    ///
    /// # Errors
    /// [`DataError::MissingColumn`] with the columns that there are.
    pub fn require(&self, column: &str, setting: &str) -> Result<(), DataError> {
        if self.has(column) {
            return Ok(());
        }
        Err(DataError::MissingColumn {
            path: self.name.clone(),
            column: column.to_owned(),
            setting: setting.to_owned(),
            available: self.columns.clone(),
        })
    }

    /// Shows the texts of some columns, row by row, file by file, and answers what was read of each file.
    ///
    /// The meter is told of the bytes read, now and then.
    ///
    /// # Errors
    /// A [`DataError`] with file and line: the form is wrong, not UTF-8, a ragged line, a type that cannot be read, or a
    /// failure to read; what `show` fails with; [`DataError::Cancelled`] where the meter says stop.
    ///
    /// # Panics
    /// If the table has no such column; [`require`](Self::require) it first.
    pub fn visit(
        &self,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut Visitor,
    ) -> Result<Vec<ReadFile>, DataError> {
        let (mut files, mut before) = (Vec::with_capacity(self.parts.len()), 0);
        for (file, part) in self.parts.iter().enumerate() {
            let mut rows = 0;
            let sha256 = part.visit(columns, &mut |done| meter(before + done), &mut |row, texts| {
                rows = row;
                show(At { file, row }, texts)
            })?;
            before += part.size();
            files.push(ReadFile { path: part.path.clone(), sha256, rows });
        }
        Ok(files)
    }

    /// Shows some columns, file by file and many rows at once, of which the first `numbered` columns are numbered; and answers what was
    /// read of each file. The meter is told of the bytes read, now and then.
    pub(crate) fn visit_lots(
        &self,
        columns: &[&str],
        numbered: usize,
        meter: &mut Meter,
        show: &mut dyn FnMut(At, Lot) -> Result<(), DataError>,
    ) -> Result<Vec<ReadFile>, DataError> {
        let (mut files, mut before) = (Vec::with_capacity(self.parts.len()), 0);
        for (file, part) in self.parts.iter().enumerate() {
            let (sha256, rows) =
                part.visit_lots(columns, numbered, &mut |done| meter(before + done), &mut |row, lot| {
                    show(At { file, row }, lot)
                })?;
            before += part.size();
            files.push(ReadFile { path: part.path.clone(), sha256, rows });
        }
        Ok(files)
    }

    /// The whole table as a frame of texts. A column whose type cannot be read as text is left out.
    ///
    /// # Errors
    /// A [`DataError`] where the table cannot be read.
    pub fn to_frame(&self) -> Result<DataFrame, DataError> {
        let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let columns: Vec<&str> = columns.into_iter().filter(|column| self.is_readable(column)).collect();
        let wrong =
            |error: PolarsError| DataError::Polars { path: self.name.clone(), detail: error.to_string() };
        let schema = columns.iter().map(|&column| Field::new(column.into(), DataType::String)).collect();
        let mut table = DataFrame::empty_with_schema(&schema);
        self.visit_lots(&columns, 0, &mut unwatched, &mut |_, lot| {
            let texts = columns.iter().zip(lot.texts);
            let texts = texts.map(|(&column, texts)| texts.with_name(column.into()).into_column());
            let rows = DataFrame::new(lot.rows, texts.collect()).map_err(wrong)?;
            table.vstack_mut(&rows).map(drop).map_err(wrong)
        })?;
        Ok(table)
    }

    /// Every text of some columns, a column after the other, and where each row stands; for the private table, which is
    /// written row by row.
    ///
    /// # Errors
    /// A [`DataError`] where the table cannot be read.
    pub fn rows(&self, columns: &[&str]) -> Result<(Vec<Vec<String>>, Vec<At>), DataError> {
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); columns.len()];
        let mut places = Vec::new();
        self.visit(columns, &mut unwatched, &mut |at, row| {
            places.push(at);
            for (column, &text) in texts.iter_mut().zip(row) {
                column.push(text.to_owned());
            }
            Ok(())
        })?;
        Ok((texts, places))
    }

    /// At most `rows` rows from `offset` on, every column as text, in the files' order. A column whose type cannot be read
    /// as text is blank.
    ///
    /// With `is_wanted`, only the rows whose text in a column it takes are there, and counted.
    ///
    /// # Errors
    /// A [`DataError`] where the table cannot be read, or has other columns than it had when it was opened.
    pub fn page(
        &self,
        wanted: Option<Wanted>,
        offset: u64,
        rows: usize,
    ) -> Result<Vec<Vec<String>>, DataError> {
        let columns = self.columns.iter().map(String::as_str);
        let readable: Vec<&str> = columns.clone().filter(|column| self.is_readable(column)).collect();
        let place = |column: &str| readable.iter().position(|known| *known == column);
        let places: Vec<Option<usize>> = columns.map(place).collect();
        let special = wanted.map(|(column, is_wanted)| (place(column), is_wanted));
        // Where every row counts, those of a file before the page need not even be decoded.
        let skips = wanted.is_none() && matches!(self.parts.as_slice(), [part] if part.skips());
        let mut before = if skips { offset } else { 0 };
        // Nothing lies beyond what can be held.
        let Ok(from) = usize::try_from(before) else { return Ok(Vec::new()) };
        // A page that is near needs no more than its rows.
        let near = offset.saturating_sub(before).saturating_add(rows as u64);
        let stride = size::index(near.clamp(1, Typed::STRIDE as u64));
        let mut page: Vec<Vec<String>> = Vec::new();
        for part in &self.parts {
            if page.len() == rows {
                break;
            }
            part.visit_rows(&readable, from, stride, None, &mut unwatched, &mut |_, texts| {
                let text = |place: &Option<usize>| place.map_or("", |place| texts[place]);
                if special.is_none_or(|(place, is_wanted)| is_wanted(text(&place))) {
                    if before >= offset {
                        page.push(places.iter().map(|place| text(place).to_owned()).collect());
                    }
                    before += 1;
                }
                Ok(page.len() < rows)
            })?;
        }
        Ok(page)
    }
}

/// All files of a table have the same columns.
fn check_columns(first: &Part, part: &Part) -> Result<(), DataError> {
    let without = |own: &[String], others: &[String]| -> Vec<String> {
        own.iter().filter(|column| !others.contains(column)).cloned().collect()
    };
    let missing = without(&first.columns, &part.columns);
    let surplus = without(&part.columns, &first.columns);
    if missing.is_empty() && surplus.is_empty() {
        return Ok(());
    }
    let (path, first) = (part.path.clone(), first.path.clone());
    Err(DataError::OtherColumns { path, first, missing, surplus })
}

//! Tables on disk: CSV, Parquet and Arrow IPC, read row by row; every cell is text.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::disguise;
use super::error::DataError;
use super::input;
use super::records::{self, Records};
use super::tally::first_repeated;
use super::typed::{Format, Typed};
use super::watch::Hashing;
use crate::progress::{Meter, unwatched};

/// Which file, and how its fields are separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The file; its ending tells the format.
    pub path: PathBuf,
    /// The separator of a CSV file; by default the one of `,` `;` tab and `|` that its header has most of.
    pub separator: Option<u8>,
}

#[derive(Clone, Debug)]
enum Source {
    Csv { separator: u8 },
    Typed(Typed),
}

/// A table whose header has been read.
#[derive(Clone, Debug)]
pub struct Table {
    path: PathBuf,
    source: Source,
    columns: Vec<String>,
    stamp: Option<Stamp>,
}

/// The size of a file, and when it was last written to: where they differ, it is another.
type Stamp = (u64, SystemTime);

/// Is shown the texts of a row, one for each column that was asked for.
pub type Visitor<'a> = dyn FnMut(&[&str]) -> Result<(), DataError> + 'a;

/// A column, and which of its texts are wanted.
pub type Wanted<'a> = (&'a str, &'a dyn Fn(&str) -> bool);

impl Table {
    /// Opens a table and reads the names of its columns.
    ///
    /// # Errors
    /// A [`DataError`] that names the file: it is missing, no regular file, of an unknown format, empty, not UTF-8, or
    /// repeats a column.
    pub fn open(spec: &TableSpec) -> Result<Self, DataError> {
        let path = spec.path.clone();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let wrong = || DataError::io("read", &path);
        let stamp = stamp(&path);
        disguise::check(&path)?;
        let (source, columns) = match (extension.to_ascii_lowercase().as_str(), Format::of(&path)) {
            ("csv" | "tsv" | "txt", _) => {
                let file = input::open(&path).map_err(wrong())?;
                let separator = match spec.separator {
                    Some(separator) => separator,
                    None => records::sniff_separator(file).map_err(wrong())?,
                };
                (Source::Csv { separator }, read_header(&path, separator)?)
            }
            (_, Some(format)) => {
                let bytes = input::read(&path, input::MOST_TYPED).map_err(wrong())?;
                let typed = Typed::new(&path, format, bytes)?;
                let columns = typed.columns().map(ToOwned::to_owned).collect();
                (Source::Typed(typed), columns)
            }
            (_, None) => return Err(DataError::UnknownFormat { path }),
        };
        if columns.is_empty() {
            return Err(DataError::NoHeader { path });
        }
        if let Some(column) = first_repeated(&columns) {
            return Err(DataError::RepeatedColumn { column: column.clone(), path });
        }
        Ok(Self { path, source, columns, stamp })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file was written to since it was opened, as far as its size and its time tell: quick, and no proof that
    /// it was not. A file that is gone was.
    pub fn was_changed(&self) -> bool {
        stamp(&self.path) != self.stamp
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
        match &self.source {
            Source::Csv { .. } => self.has(column),
            Source::Typed(typed) => typed.is_readable(column),
        }
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
            path: self.path.clone(),
            column: column.to_owned(),
            setting: setting.to_owned(),
            available: self.columns.clone(),
        })
    }

    /// Shows the texts of some columns, row by row, and answers the SHA-256 of the file, in hexadecimal.
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
    ) -> Result<String, DataError> {
        match &self.source {
            Source::Csv { separator } => self.visit_csv(*separator, columns, meter, show),
            Source::Typed(typed) => {
                Self::visit_typed(
                    typed,
                    columns,
                    0,
                    &mut |texts| {
                        show(texts)?;
                        Ok(true)
                    },
                    meter,
                )?;
                hash(typed.bytes(), meter).map_err(DataError::io("read", &self.path))
            }
        }
    }

    fn visit_csv(
        &self,
        separator: u8,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut Visitor,
    ) -> Result<String, DataError> {
        let wanted: Vec<usize> = columns.iter().map(|column| self.position(column)).collect();
        let mut hasher = Sha256::new();
        let file = input::open(&self.path).map_err(DataError::io("read", &self.path))?;
        let mut records = Records::new(&self.path, separator, Hashing::new(file, &mut hasher, meter));
        let mut is_header = true;
        while let Some(record) = records.next()? {
            let (found, expected) = (record.len(), self.columns.len());
            if found != expected {
                return Err(DataError::Ragged {
                    path: self.path.clone(),
                    line: record.line,
                    found,
                    expected,
                });
            }
            let all = record.texts(&self.columns).collect::<Result<Vec<&str>, _>>()?;
            if std::mem::take(&mut is_header) {
                if all != self.columns {
                    return Err(DataError::Changed { path: self.path.clone() });
                }
                continue;
            }
            let texts: Vec<&str> = wanted.iter().map(|&place| all[place]).collect();
            show(&texts)?;
        }
        drop(records);
        Ok(hexadecimal(&hasher.finalize()))
    }

    /// Polars does not say how many bytes it read: the meter is asked between two lots of rows.
    fn visit_typed(
        typed: &Typed,
        columns: &[&str],
        from: usize,
        show: &mut dyn FnMut(&[&str]) -> Result<bool, DataError>,
        meter: &mut Meter,
    ) -> Result<(), DataError> {
        typed.visit(columns, from, &mut |lots, height| {
            if meter(0).is_break() {
                return Err(DataError::Cancelled);
            }
            let mut texts = Vec::with_capacity(columns.len());
            for row in 0..height {
                texts.clear();
                texts.extend(lots.iter().map(|lot| lot.get(row).unwrap_or_default()));
                if !show(&texts)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Every text of some columns, a column after the other; for the private table, which is written row by row.
    ///
    /// # Errors
    /// A [`DataError`] where the table cannot be read.
    pub fn rows(&self, columns: &[&str]) -> Result<Vec<Vec<String>>, DataError> {
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); columns.len()];
        self.visit(columns, &mut unwatched, &mut |row| {
            for (column, &text) in texts.iter_mut().zip(row) {
                column.push(text.to_owned());
            }
            Ok(())
        })?;
        Ok(texts)
    }

    /// At most `rows` rows from `offset` on, every column as text, in the file's order. A column whose type cannot be read
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
        let mut page = Vec::new();
        let place = wanted.map(|(column, _)| self.position(column));
        // Where every row counts, those of a typed file before the page need not even be decoded.
        let skips = wanted.is_none() && matches!(self.source, Source::Typed(_));
        let mut before = if skips { offset } else { 0 };
        let mut take = |texts: &mut dyn Iterator<Item = &str>, special: &str| {
            if wanted.is_none_or(|(_, is_wanted)| is_wanted(special)) {
                if before >= offset {
                    page.push(texts.map(ToOwned::to_owned).collect());
                }
                before += 1;
            }
            page.len() < rows
        };
        match &self.source {
            Source::Csv { separator } => {
                let file = input::open(&self.path).map_err(DataError::io("read", &self.path))?;
                let mut records = Records::new(&self.path, *separator, file);
                records.next()?;
                while rows > 0
                    && let Some(record) = records.next()?
                {
                    let all = record.texts(&self.columns).collect::<Result<Vec<&str>, _>>()?;
                    if all.len() != self.columns.len() {
                        return Err(DataError::Changed { path: self.path.clone() });
                    }
                    let special = place.map_or("", |place| all[place]);
                    if !take(&mut all.iter().copied(), special) {
                        break;
                    }
                }
            }
            Source::Typed(typed) => {
                let readable: Vec<&str> = self
                    .columns
                    .iter()
                    .map(String::as_str)
                    .filter(|column| typed.is_readable(column))
                    .collect();
                let places: Vec<Option<usize>> = self
                    .columns
                    .iter()
                    .map(|column| readable.iter().position(|known| known == column))
                    .collect();
                let special = place.and_then(|place| places[place]);
                let from = if skips { offset } else { 0 };
                let mut show = |texts: &[&str]| {
                    let mut all = places.iter().map(|place| place.map_or("", |place| texts[place]));
                    Ok(take(&mut all, special.map_or("", |place| texts[place])))
                };
                // Nothing lies beyond what can be held.
                if let Ok(from) = usize::try_from(from)
                    && rows > 0
                {
                    Self::visit_typed(typed, &readable, from, &mut show, &mut unwatched)?;
                }
            }
        }
        Ok(page)
    }

    fn position(&self, column: &str) -> usize {
        let place = self.columns.iter().position(|known| known == column);
        place.expect("whoever names a column has required it first")
    }
}

fn read_header(path: &Path, separator: u8) -> Result<Vec<String>, DataError> {
    let file = input::open(path).map_err(DataError::io("read", path))?;
    let mut records = Records::new(path, separator, file);
    let Some(header) = records.next()? else {
        return Err(DataError::NoHeader { path: path.to_owned() });
    };
    header.texts(&[]).map(|name| name.map(ToOwned::to_owned)).collect()
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = path.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// The SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// [`DataError::Io`] where it cannot be read.
pub fn hash_file(path: &Path) -> Result<String, DataError> {
    hash_watched(path, &mut unwatched)
}

/// [`hash_file`], telling a meter of the bytes read, every MiB.
///
/// # Errors
/// [`DataError::Io`] where it cannot be read, [`DataError::Cancelled`] where the meter says stop.
pub fn hash_watched(path: &Path, meter: &mut Meter) -> Result<String, DataError> {
    let file: File = input::open(path).map_err(DataError::io("read", path))?;
    hash(BufReader::new(file), meter).map_err(DataError::io("read", path))
}

fn hash(input: impl io::Read, meter: &mut Meter) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut Hashing::new(input, &mut hasher, meter), &mut io::sink())?;
    Ok(hexadecimal(&hasher.finalize()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        text.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or_default());
        text.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or_default());
        text
    })
}

//! Tables on disk: CSV, Parquet and Arrow IPC, scanned lazily; every cell is text.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use polars::prelude::*;
use sha2::{Digest, Sha256};

use super::error::DataError;
use super::watch::{self, Hashing, Meter};

/// Which file, and how its fields are separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The file; its ending tells the format.
    pub path: PathBuf,
    /// The separator of a CSV file; by default the one of `,` `;` tab and `|` that its header has most of.
    pub separator: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv { separator: u8 },
    Parquet,
    Ipc,
}

/// A table whose header has been read.
#[derive(Clone, Debug)]
pub struct Table {
    path: PathBuf,
    format: Format,
    columns: Vec<String>,
    stamp: Option<Stamp>,
}

/// The size of a file, and when it was last written to: where they differ, it is another.
type Stamp = (u64, SystemTime);

/// What one pass over a table tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Its rows, the header not counted.
    pub rows: u64,
    /// The distinct texts of each column asked for, sorted.
    pub distinct: Vec<Vec<String>>,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

impl Table {
    /// Opens a table and reads the names of its columns.
    ///
    /// # Errors
    /// A [`DataError`] that names the file: it is missing, of an unknown format, empty, not UTF-8, or repeats a column.
    pub fn open(spec: &TableSpec) -> Result<Self, DataError> {
        let path = spec.path.clone();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let mut file = File::open(&path).map_err(DataError::io("read", &path))?;
        let stamp = stamp(&path);
        let (format, columns) = match extension.to_ascii_lowercase().as_str() {
            "csv" | "tsv" | "txt" => {
                let header = read_header_unquoted(&mut file).map_err(DataError::io("read", &path))?;
                let separator = spec.separator.unwrap_or_else(|| likely_separator(&header));
                (Format::Csv { separator }, read_header(&path, separator)?)
            }
            "parquet" => (Format::Parquet, Vec::new()),
            "arrow" | "ipc" | "feather" => (Format::Ipc, Vec::new()),
            _ => return Err(DataError::UnknownFormat { path }),
        };
        let mut table = Self { path, format, columns, stamp };
        if table.columns.is_empty() {
            let schema = table.scan_all()?.collect_schema().map_err(|error| table.polars_error(&error))?;
            table.columns = schema.iter_names().map(ToString::to_string).collect();
        }
        let mut seen = HashSet::new();
        if let Some(column) = table.columns.iter().find(|column| !seen.insert(*column)) {
            return Err(DataError::RepeatedColumn { path: table.path.clone(), column: column.clone() });
        }
        Ok(table)
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

    /// Reads the whole table once: its form is checked, its rows are counted, the distinct values of `columns` noted.
    ///
    /// CSV is read strictly here, by another reader than the one that counts combinations: whatever the two see
    /// differently is an error, never a person lost.
    ///
    /// The meter is told of the bytes read, every MiB.
    ///
    /// # Errors
    /// A [`DataError`] with file and line: not UTF-8, a ragged line, or a failure to read;
    /// [`DataError::Cancelled`] where the meter says stop.
    ///
    /// # Panics
    /// If the table has no such column; [`require`](Self::require) it first.
    pub fn survey(&self, columns: &[&str], meter: &mut Meter) -> Result<Survey, DataError> {
        match self.format {
            Format::Csv { separator } => self.survey_csv(separator, columns, meter),
            Format::Parquet | Format::Ipc => self.survey_typed(columns, meter),
        }
    }

    fn survey_csv(&self, separator: u8, columns: &[&str], meter: &mut Meter) -> Result<Survey, DataError> {
        let wanted: Vec<usize> = columns.iter().map(|column| self.position(column)).collect();
        let mut distinct: Vec<HashSet<String>> = vec![HashSet::new(); columns.len()];
        let mut hasher = Sha256::new();
        let file = File::open(&self.path).map_err(DataError::io("read", &self.path))?;
        let hashing = Hashing::new(file, &mut hasher, meter);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .has_headers(false)
            .from_reader(BufReader::with_capacity(1 << 20, hashing));
        let mut record = csv::ByteRecord::new();
        let mut rows = 0_u64;
        // The reader stops at the CR of a CR LF and meets the LF with the next record.
        let mut is_behind = false;
        loop {
            let before = reader.position().line();
            let more =
                reader.read_byte_record(&mut record).map_err(|source| csv_error(&self.path, source))?;
            let line = if more { record.position().map_or(before, csv::Position::line) } else { before };
            let inside = record.as_slice().split(|byte| *byte == b'\n').skip(1).count() as u64;
            let ends = (reader.position().line() - before).saturating_sub(if more { inside } else { 0 });
            if ends > u64::from(more) + u64::from(is_behind) {
                return Err(DataError::BlankLine { path: self.path.clone(), line });
            }
            is_behind = ends == 0 || (is_behind && ends == 1);
            if !more {
                break;
            }
            if record.len() != self.columns.len() {
                let (found, expected) = (record.len(), self.columns.len());
                return Err(DataError::Ragged { path: self.path.clone(), line, found, expected });
            }
            for (place, field) in record.iter().enumerate() {
                if std::str::from_utf8(field).is_err() {
                    let column = self.columns.get(place).cloned();
                    return Err(DataError::NotUtf8 { path: self.path.clone(), line, column });
                }
            }
            rows += 1;
            if rows == 1 {
                continue;
            }
            for (known, &place) in distinct.iter_mut().zip(&wanted) {
                let text = std::str::from_utf8(&record[place]).unwrap_or_default();
                if !known.contains(text) {
                    known.insert(text.to_owned());
                }
            }
        }
        drop(reader);
        let distinct = distinct.into_iter().map(sorted).collect();
        Ok(Survey { rows: rows.saturating_sub(1), distinct, sha256: hexadecimal(&hasher.finalize()) })
    }

    fn survey_typed(&self, columns: &[&str], meter: &mut Meter) -> Result<Survey, DataError> {
        let count = self.scan_all()?.select([len()]);
        let count = self.collect(count)?;
        let rows = count.columns()[0].get(0).ok().and_then(|value| value.extract::<u64>()).unwrap_or(0);
        let mut distinct = Vec::with_capacity(columns.len());
        for column in columns {
            // Polars does not say how many bytes it read; that it is between two passes is all that can be told.
            if meter(0).is_break() {
                return Err(DataError::Cancelled);
            }
            let unique = self.collect(self.scan(&[column])?.group_by([col(*column)]).agg([]))?;
            let values = texts(&unique.columns()[0]).map_err(|error| self.polars_error(&error))?;
            distinct.push(sorted(values.into_iter().collect()));
        }
        Ok(Survey { rows, distinct, sha256: hash_watched(&self.path, meter)? })
    }

    /// Every text of some columns, a row after the other; for the private table, which is written row by row.
    ///
    /// # Errors
    /// A [`DataError`] where the table cannot be read.
    pub fn rows(&self, columns: &[&str]) -> Result<Vec<Vec<String>>, DataError> {
        let frame = self.collect(self.scan(columns)?)?;
        let columns: Result<Vec<Vec<String>>, PolarsError> = frame.columns().iter().map(texts).collect();
        columns.map_err(|error| self.polars_error(&error))
    }

    /// A lazy scan of some columns as text, nothing missing: null reads as the empty text.
    pub(super) fn scan(&self, columns: &[&str]) -> Result<LazyFrame, DataError> {
        let text = |column: &&str| col(*column).cast(DataType::String);
        Ok(self.scan_all()?.select(columns.iter().map(text).collect::<Vec<_>>()))
    }

    pub(super) fn scan_all(&self) -> Result<LazyFrame, DataError> {
        let path = std::path::absolute(&self.path).map_err(DataError::io("read", &self.path))?;
        let Some(path) = path.to_str() else {
            let source = io::Error::new(io::ErrorKind::InvalidInput, "the name of the file is not UTF-8");
            return Err(DataError::Io { path: self.path.clone(), action: "read", source });
        };
        let scanned = match self.format {
            Format::Csv { separator } => LazyCsvReader::new(path.into())
                .with_separator(separator)
                .with_infer_schema_length(Some(0))
                .with_missing_is_null(false)
                .with_glob(false)
                .with_cache(false)
                .finish(),
            Format::Parquet => {
                let options = ScanArgsParquet { glob: false, cache: false, ..Default::default() };
                LazyFrame::scan_parquet(path.into(), options)
            }
            Format::Ipc => {
                let arguments = UnifiedScanArgs { glob: false, cache: false, ..Default::default() };
                LazyFrame::scan_ipc(path.into(), polars::io::ipc::IpcScanOptions::default(), arguments)
            }
        };
        scanned.map_err(|error| self.polars_error(&error))
    }

    /// Runs a lazy query in the streaming engine.
    pub(super) fn collect(&self, query: LazyFrame) -> Result<DataFrame, DataError> {
        let result =
            query.collect_with_engine(Engine::Streaming).map_err(|error| self.polars_error(&error))?;
        Ok(result.unwrap_single())
    }

    pub(super) fn polars_error(&self, error: &PolarsError) -> DataError {
        DataError::Polars { path: self.path.clone(), detail: error.to_string() }
    }

    fn position(&self, column: &str) -> usize {
        self.columns.iter().position(|known| known == column).unwrap_or(usize::MAX)
    }
}

/// A column's texts; null reads as the empty text.
pub(super) fn texts(column: &Column) -> PolarsResult<Vec<String>> {
    Ok(column.str()?.iter().map(|text| text.unwrap_or_default().to_owned()).collect())
}

fn sorted(values: HashSet<String>) -> Vec<String> {
    let mut values: Vec<String> = values.into_iter().collect();
    values.sort_unstable();
    values
}

fn csv_error(path: &Path, source: csv::Error) -> DataError {
    match source.kind() {
        csv::ErrorKind::Io(error) if watch::is_stopped(error) => DataError::Cancelled,
        _ => DataError::Csv { path: path.to_owned(), source },
    }
}

/// What is outside quotes in the first record, or in as much of it as matters for guessing.
fn read_header_unquoted(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(1 << 16).read_to_end(&mut start)?;
    Ok(first_record_unquoted(&start))
}

/// The bytes outside quotes of the first record of a CSV file; a quoted field may hold line ends.
pub(super) fn first_record_unquoted(bytes: &[u8]) -> Vec<u8> {
    let (mut is_quoted, mut outside) = (false, Vec::new());
    for &byte in bytes {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            _ if is_quoted => {}
            _ => outside.push(byte),
        }
    }
    outside
}

/// The separator that occurs most in the unquoted part of a header; a comma where none does.
fn likely_separator(header: &[u8]) -> u8 {
    let outside = |separator: u8| header.split(|byte| *byte == separator).count();
    // `max_by_key` keeps the last of equals, so the comma comes last.
    [b'|', b'\t', b';', b','].into_iter().max_by_key(|&separator| outside(separator)).unwrap_or(b',')
}

fn read_header(path: &Path, separator: u8) -> Result<Vec<String>, DataError> {
    let file = File::open(path).map_err(DataError::io("read", path))?;
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(file);
    let header = reader.byte_headers().map_err(|source| csv_error(path, source))?;
    if header.is_empty() {
        return Err(DataError::NoHeader { path: path.to_owned() });
    }
    let names: Result<Vec<String>, _> =
        header.iter().map(|name| std::str::from_utf8(name).map(ToOwned::to_owned)).collect();
    names.map_err(|_| DataError::NotUtf8 { path: path.to_owned(), line: 1, column: None })
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
    hash_watched(path, &mut |_| ControlFlow::Continue(()))
}

/// [`hash_file`], telling a meter of the bytes read, every MiB.
///
/// # Errors
/// [`DataError::Io`] where it cannot be read, [`DataError::Cancelled`] where the meter says stop.
pub fn hash_watched(path: &Path, meter: &mut Meter) -> Result<String, DataError> {
    let mut hasher = Sha256::new();
    let file = File::open(path).map_err(DataError::io("read", path))?;
    let mut hashing = Hashing::new(BufReader::new(file), &mut hasher, meter);
    io::copy(&mut hashing, &mut io::sink()).map_err(DataError::io("read", path))?;
    Ok(hexadecimal(&hasher.finalize()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        text.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or_default());
        text.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or_default());
        text
    })
}

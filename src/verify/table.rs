//! The raw tables, read once more by the verifier's own reader: every cell is text.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use polars::prelude::*;

use super::error::VerifyError;
use crate::data::error::DataError;

/// Which file, and how its fields are separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSource {
    /// A CSV (`.csv`, `.tsv`, `.txt`), Parquet (`.parquet`) or Arrow IPC (`.arrow`, `.ipc`, `.feather`) file.
    pub path: PathBuf,
    /// The separator of a CSV file; by default the one of `,` `;` tab and `|` that its header has most of.
    pub separator: Option<u8>,
}

/// Is shown the texts of a row and how often it occurs.
type Visitor<'a> = dyn FnMut(&[&str], u64) -> Result<(), VerifyError> + 'a;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv(u8),
    Parquet,
    Ipc,
}

/// A table whose header has been read.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) path: PathBuf,
    pub(super) columns: Vec<String>,
    format: Format,
}

impl Table {
    pub(super) fn open(source: &TableSource) -> Result<Self, DataError> {
        let path = source.path.clone();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = match extension.to_ascii_lowercase().as_str() {
            "csv" | "tsv" | "txt" => Format::Csv(match source.separator {
                Some(separator) => separator,
                None => sniff(&path).map_err(DataError::io("read", &path))?,
            }),
            "parquet" => Format::Parquet,
            "arrow" | "ipc" | "feather" => Format::Ipc,
            _ => return Err(DataError::UnknownFormat { path }),
        };
        let columns = match format {
            Format::Csv(separator) => csv_header(&path, separator)?,
            Format::Parquet | Format::Ipc => schema(&path, format)?,
        };
        let mut seen = BTreeSet::new();
        if let Some(column) = columns.iter().find(|column| !seen.insert(*column)) {
            return Err(DataError::RepeatedColumn { column: column.clone(), path });
        }
        Ok(Self { path, columns, format })
    }

    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// The place of a column that a setting of the project names.
    pub(super) fn place(&self, column: &str, setting: &str) -> Result<usize, DataError> {
        let place = self.columns.iter().position(|known| known == column);
        place.ok_or_else(|| DataError::MissingColumn {
            path: self.path.clone(),
            column: column.to_owned(),
            setting: setting.to_owned(),
            available: self.columns.clone(),
        })
    }

    /// Shows the texts of some columns, row by row, each with how often it occurs.
    pub(super) fn visit(&self, places: &[usize], show: &mut Visitor) -> Result<(), VerifyError> {
        match self.format {
            Format::Csv(separator) => self.visit_csv(separator, places, show),
            Format::Parquet | Format::Ipc => self.visit_typed(places, show),
        }
    }

    fn visit_csv(&self, separator: u8, places: &[usize], show: &mut Visitor) -> Result<(), VerifyError> {
        let file = File::open(&self.path).map_err(DataError::io("read", &self.path))?;
        let mut reader =
            csv::ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(BufReader::new(file));
        let mut record = csv::ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(|source| csv_wrong(&self.path, &source))? {
            let line = record.position().map_or(0, csv::Position::line);
            let (found, expected) = (record.len(), self.columns.len());
            if found != expected {
                return Err(DataError::Ragged { path: self.path.clone(), line, found, expected }.into());
            }
            let text = |&place: &usize| {
                std::str::from_utf8(&record[place]).map_err(|_| DataError::NotUtf8 {
                    path: self.path.clone(),
                    line,
                    column: Some(self.columns[place].clone()),
                })
            };
            let texts = places.iter().map(text).collect::<Result<Vec<&str>, _>>()?;
            show(&texts, 1)?;
        }
        Ok(())
    }

    fn visit_typed(&self, places: &[usize], show: &mut Visitor) -> Result<(), VerifyError> {
        let wrong = |error: PolarsError| complaint(&self.path, &error);
        let bytes = std::fs::read(&self.path).map_err(DataError::io("read", &self.path))?;
        let names: Vec<String> = places.iter().map(|&place| self.columns[place].clone()).collect();
        let cursor = std::io::Cursor::new(bytes);
        let frame = match self.format {
            Format::Ipc => IpcReader::new(cursor).with_columns(Some(names.clone())).finish(),
            _ => ParquetReader::new(cursor).with_columns(Some(names.clone())).finish(),
        }
        .map_err(wrong)?;
        let texts = names.iter().map(|name| frame.column(name)?.strict_cast(&DataType::String));
        let texts = texts.collect::<PolarsResult<Vec<_>>>().map_err(wrong)?;
        let columns = texts.iter().map(Column::str).collect::<PolarsResult<Vec<_>>>().map_err(wrong)?;
        for row in 0..frame.height() {
            let texts: Vec<&str> = columns.iter().map(|column| column.get(row).unwrap_or_default()).collect();
            show(&texts, 1)?;
        }
        Ok(())
    }
}

fn schema(path: &Path, format: Format) -> Result<Vec<String>, DataError> {
    let bytes = std::fs::read(path).map_err(DataError::io("read", path))?;
    let cursor = std::io::Cursor::new(bytes);
    let schema = match format {
        Format::Ipc => IpcReader::new(cursor).schema(),
        _ => ParquetReader::new(cursor).schema(),
    };
    Ok(schema.map_err(|error| complaint(path, &error))?.iter_names().map(ToString::to_string).collect())
}

fn complaint(path: &Path, error: &PolarsError) -> DataError {
    DataError::Polars { path: path.to_owned(), detail: error.to_string() }
}

/// The separator that the header has most of outside quotes; a comma where it has none.
fn sniff(path: &Path) -> io::Result<u8> {
    let mut header = Vec::new();
    BufReader::new(File::open(path)?).read_until(b'\n', &mut header)?;
    let (mut best, mut most) = (b',', 0);
    for candidate in [b',', b';', b'\t', b'|'] {
        let outside = header.split(|&byte| byte == b'"').step_by(2).flatten();
        let count = outside.filter(|&&byte| byte == candidate).count();
        if count > most {
            (best, most) = (candidate, count);
        }
    }
    Ok(best)
}

fn csv_header(path: &Path, separator: u8) -> Result<Vec<String>, DataError> {
    let file = File::open(path).map_err(DataError::io("read", path))?;
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(file);
    let header = reader.byte_headers().map_err(|source| csv_wrong(path, &source))?;
    if header.is_empty() {
        return Err(DataError::NoHeader { path: path.to_owned() });
    }
    let names = header.iter().map(|name| std::str::from_utf8(name).map(ToOwned::to_owned));
    let names: Result<Vec<String>, _> = names.collect();
    names.map_err(|_| DataError::NotUtf8 { path: path.to_owned(), line: 1, column: None })
}

pub(super) fn csv_wrong(path: &Path, error: &csv::Error) -> DataError {
    DataError::Malformed { path: path.to_owned(), detail: error.to_string() }
}

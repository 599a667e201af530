//! A release as Parquet or Arrow: its rows, as the CSV that says the same, and whether the file says anything else.
//!
//! It says nothing else where its bytes are those that its rows are written as: then there is no metadata, no statistics,
//! nothing between the columns, and no second way to write them.

use std::io::{self, Cursor, Write};
use std::path::Path;

use polars::prelude::*;

use super::error::VerifyError;
use super::file;
use super::finding::{Finding, Problems};
use super::typed::{Typed, TypedFormat, caught};
use super::written::{MOST_ROWS, write_fields};

/// The form in which a release is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseForm {
    /// CSV.
    Csv,
    /// Parquet.
    Parquet,
    /// Arrow IPC.
    Arrow,
}

impl ReleaseForm {
    /// The form that a file's name says; CSV where it says none of the others.
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match () {
            () if ends(&[".parquet"]) => Self::Parquet,
            () if ends(&[".arrow", ".ipc", ".feather"]) => Self::Arrow,
            () => Self::Csv,
        }
    }
}

/// As many bytes as a release has at most, as CSV.
const MOST_BYTES: usize = 8 << 30;
/// As many rows as stand together in a file.
const TOGETHER: usize = 65_536;

/// The CSV that a Parquet or Arrow file is read as; `None` where its columns are not texts.
pub(super) fn as_csv(
    path: &Path,
    format: TypedFormat,
    problems: &mut Problems,
) -> Result<Option<Cursor<Vec<u8>>>, VerifyError> {
    let bytes = file::read(path, file::MOST_TYPED)?;
    let mut again = Again { bytes: &bytes, at: 0, is_same: true };
    let typed = Typed::of(path, format, bytes.clone())?;
    if let Some(detail) = typed.surplus() {
        problems.push(Finding::OtherForm { detail });
        return Ok(None);
    }
    let names = typed.columns();
    let mut csv = Vec::new();
    let mut line = Vec::new();
    write_fields(names.iter().map(String::as_str), &mut line);
    csv.extend_from_slice(&line);
    let mut encoder = Encoder::new(&names, format, &mut again).map_err(|error| told(path, &error))?;
    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut rows = 0;
    typed.visit(path, &columns, &mut |_, texts| {
        rows += 1;
        if rows > MOST_ROWS || csv.len() > MOST_BYTES {
            return Err(VerifyError::TooLarge { path: path.to_owned(), most: MOST_BYTES as u64 });
        }
        write_fields(texts.iter().copied(), &mut line);
        csv.extend_from_slice(&line);
        caught(path, || encoder.add(texts))
    })?;
    caught(path, || encoder.end())?;
    if !again.is_same || again.at != bytes.len() {
        problems.push(Finding::OtherBytes);
    }
    Ok(Some(Cursor::new(csv)))
}

fn told(path: &Path, detail: &str) -> VerifyError {
    super::typed::broken(path, detail)
}

/// Compares what is written to it with some bytes.
struct Again<'a> {
    bytes: &'a [u8],
    at: usize,
    is_same: bool,
}

impl Write for Again<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_same &= self.bytes.get(self.at..self.at + bytes.len()) == Some(bytes);
        self.at += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes rows as a release has them.
struct Encoder<'a, 'b> {
    names: &'a [String],
    /// The texts of the rows that wait, by column.
    waiting: Vec<Vec<String>>,
    file: EncodedFile<'a, 'b>,
}

type BatchedIpc<W> = polars::io::ipc::BatchedWriter<W>;
type BatchedParquet<W> = polars::io::parquet::write::BatchedWriter<W>;

enum EncodedFile<'a, 'b> {
    Parquet(Box<BatchedParquet<&'a mut Again<'b>>>),
    Arrow(Box<BatchedIpc<&'a mut Again<'b>>>),
}

impl<'a, 'b> Encoder<'a, 'b> {
    fn new(names: &'a [String], format: TypedFormat, out: &'a mut Again<'b>) -> Result<Self, String> {
        let text_column = |name: &String| Field::new(name.as_str().into(), DataType::String);
        let schema: Schema = names.iter().map(text_column).collect();
        let file = match format {
            TypedFormat::Parquet => {
                let nothing = StatisticsOptions {
                    min_value: false,
                    max_value: false,
                    distinct_count: false,
                    null_count: false,
                    binary_statistics_truncate_length: None,
                };
                let writer = ParquetWriter::new(out).with_statistics(nothing);
                let writer = writer.with_compression(ParquetCompression::Uncompressed);
                EncodedFile::Parquet(Box::new(writer.batched(&schema).map_err(text)?))
            }
            TypedFormat::Ipc => {
                let mut no_keys = Vec::new();
                no_keys.resize_with(names.len(), Default::default);
                let writer = IpcWriter::new(out).with_compat_level(CompatLevel::oldest());
                EncodedFile::Arrow(Box::new(writer.batched(&schema, no_keys).map_err(text)?))
            }
        };
        Ok(Self { names, waiting: vec![Vec::new(); names.len()], file })
    }

    fn add(&mut self, texts: &[&str]) -> Result<(), String> {
        for (column, text) in self.waiting.iter_mut().zip(texts) {
            column.push((*text).to_owned());
        }
        if self.waiting.first().is_some_and(|column| column.len() == TOGETHER) { self.put() } else { Ok(()) }
    }

    /// Writes the rows that wait.
    fn put(&mut self) -> Result<(), String> {
        let columns = self.names.iter().zip(&mut self.waiting);
        let columns = columns.map(|(name, texts)| Column::new(name.as_str().into(), std::mem::take(texts)));
        let rows = DataFrame::new_infer_height(columns.collect()).map_err(text)?;
        match &mut self.file {
            EncodedFile::Parquet(file) => file.write_batch(&rows).map_err(text),
            EncodedFile::Arrow(file) => file.write_batch(&rows).map_err(text),
        }
    }

    fn end(mut self) -> Result<(), String> {
        if self.waiting.iter().any(|column| !column.is_empty()) {
            self.put()?;
        }
        match self.file {
            EncodedFile::Parquet(file) => file.finish().map(drop).map_err(text),
            EncodedFile::Arrow(mut file) => file.finish().map_err(text),
        }
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

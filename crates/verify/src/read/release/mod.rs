//! Reads a release in Parquet or Arrow as CSV, and checks that the file contains nothing but its rows.
//!
//! The check writes the rows again and compares the bytes. Equal bytes exclude additional metadata, statistics, data between
//! the columns and a second encoding of the same rows.

mod written;
mod form;

pub use self::form::ReleaseForm;
pub(crate) use self::written::Written;

use std::io::{self, Cursor, Write};
use std::path::Path;

use polars::prelude::*;

use self::form::{MOST_ROWS, write_fields};
use super::guard::{broken, caught};
use super::text::file;
use super::trial;
use super::typed::{Typed, TypedFormat};
use crate::problems::{Finding, FindingKind, Problems, VerifyError};

/// The limit of a release as CSV, in bytes.
const MOST_BYTES: usize = 8 << 30;
/// The number of rows in a batch of the file.
const BATCH_ROWS: usize = 65_536;

/// The rows of a Parquet or Arrow file as CSV; `None` if a column has another type than text.
pub(crate) fn as_csv(
    path: &Path,
    format: TypedFormat,
    problems: &mut Problems,
) -> Result<Option<Cursor<Vec<u8>>>, VerifyError> {
    let bytes = file::read(path, file::MOST_TYPED)?;
    trial::check(path, format.name(), None, &bytes)?;
    let mut comparison = Comparison { bytes: &bytes, length: 0, is_same: true };
    let typed = Typed::of(path, format, bytes.clone())?;
    if let Some(detail) = typed.foreign_column() {
        let problem =
            format!("{detail}; expected text columns without missing values, and nothing else in the file");
        problems.push(Finding::new(FindingKind::OtherForm, problem));
        return Ok(None);
    }
    let names = typed.columns();
    let mut csv = Vec::new();
    let mut line = Vec::new();
    write_fields(names.iter().map(String::as_str), &mut line);
    csv.extend_from_slice(&line);
    let mut encoder = Encoder::new(&names, format, &mut comparison).map_err(|error| broken(path, &error))?;
    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut rows = 0;
    typed.visit(path, &columns, &mut |_, texts| {
        rows += 1;
        if rows > MOST_ROWS || csv.len() > MOST_BYTES {
            return Err(VerifyError::too_large(path, MOST_BYTES as u64));
        }
        write_fields(texts.iter().copied(), &mut line);
        csv.extend_from_slice(&line);
        caught(path, || encoder.add(texts))
    })?;
    caught(path, || encoder.finish())?;
    if !comparison.is_same || comparison.length != bytes.len() {
        let problem = "its bytes differ from those that palmtop writes for these rows, so the file may contain more than \
                       its rows; export it again";
        problems.push(Finding::new(FindingKind::OtherBytes, problem));
    }
    Ok(Some(Cursor::new(csv)))
}

/// A writer that compares the written bytes with given ones.
struct Comparison<'a> {
    bytes: &'a [u8],
    /// The number of bytes written.
    length: usize,
    is_same: bool,
}

impl Write for Comparison<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_same &= self.bytes.get(self.length..self.length + bytes.len()) == Some(bytes);
        self.length += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes rows in the form of a release.
struct Encoder<'a, 'b> {
    names: &'a [String],
    /// The texts of the rows that are not yet written, by column.
    pending: Vec<Vec<String>>,
    file: EncodedFile<'a, 'b>,
}

type BatchedIpc<W> = polars::io::ipc::BatchedWriter<W>;
type BatchedParquet<W> = polars::io::parquet::write::BatchedWriter<W>;

enum EncodedFile<'a, 'b> {
    Parquet(Box<BatchedParquet<&'a mut Comparison<'b>>>),
    Arrow(Box<BatchedIpc<&'a mut Comparison<'b>>>),
}

impl<'a, 'b> Encoder<'a, 'b> {
    fn new(names: &'a [String], format: TypedFormat, out: &'a mut Comparison<'b>) -> Result<Self, String> {
        let text_column = |name: &String| Field::new(name.as_str().into(), DataType::String);
        let schema: Schema = names.iter().map(text_column).collect();
        let file = match format {
            TypedFormat::Parquet => {
                let no_statistics = StatisticsOptions {
                    min_value: false,
                    max_value: false,
                    distinct_count: false,
                    null_count: false,
                    binary_statistics_truncate_length: None,
                };
                let writer = ParquetWriter::new(out).with_statistics(no_statistics);
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
        Ok(Self { names, pending: vec![Vec::new(); names.len()], file })
    }

    fn add(&mut self, texts: &[&str]) -> Result<(), String> {
        for (column, text) in self.pending.iter_mut().zip(texts) {
            column.push((*text).to_owned());
        }
        if self.pending.first().is_some_and(|column| column.len() == BATCH_ROWS) {
            self.write_batch()
        } else {
            Ok(())
        }
    }

    /// Writes the pending rows.
    fn write_batch(&mut self) -> Result<(), String> {
        let columns = self.names.iter().zip(&mut self.pending);
        let columns = columns.map(|(name, texts)| Column::new(name.as_str().into(), std::mem::take(texts)));
        let rows = DataFrame::new_infer_height(columns.collect()).map_err(text)?;
        match &mut self.file {
            EncodedFile::Parquet(file) => file.write_batch(&rows).map_err(text),
            EncodedFile::Arrow(file) => file.write_batch(&rows).map_err(text),
        }
    }

    fn finish(mut self) -> Result<(), String> {
        if self.pending.iter().any(|column| !column.is_empty()) {
            self.write_batch()?;
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

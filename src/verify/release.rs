//! A release as Parquet or Arrow: its rows, as the CSV that says the same, and whether the file says anything else.
//!
//! It says nothing else where its bytes are those that its rows are written as: then there is no metadata, no statistics,
//! nothing between the columns, and no second way to write them.

use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::Arc;

use polars_arrow::array::{Array, Utf8Array};
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::io::ipc::write as ipc;
use polars_arrow::record_batch::RecordBatchT;
use polars_parquet::write as parquet;

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
    schema: Arc<ArrowSchema>,
    /// The texts of the rows that wait, by column.
    waiting: Vec<Vec<String>>,
    file: EncodedFile<'a, 'b>,
}

enum EncodedFile<'a, 'b> {
    Parquet(Box<parquet::FileWriter<&'a mut Again<'b>>>),
    Arrow(Box<ipc::FileWriter<&'a mut Again<'b>>>),
}

impl<'a, 'b> Encoder<'a, 'b> {
    const PARQUET: parquet::WriteOptions = parquet::WriteOptions {
        statistics: parquet::StatisticsOptions {
            min_value: false,
            max_value: false,
            distinct_count: false,
            null_count: false,
            binary_statistics_truncate_length: None,
        },
        version: parquet::Version::V1,
        compression: parquet::CompressionOptions::Uncompressed,
        data_page_size: None,
    };

    fn new(names: &[String], format: TypedFormat, out: &'a mut Again<'b>) -> Result<Self, String> {
        let text_column = |name: &String| Field::new(name.as_str().into(), ArrowDataType::LargeUtf8, false);
        let fields = names.iter().map(text_column);
        let schema: Arc<ArrowSchema> = Arc::new(fields.collect());
        let file = match format {
            TypedFormat::Parquet => {
                let writer = parquet::FileWriter::try_new(out, schema.as_ref().clone(), Self::PARQUET);
                EncodedFile::Parquet(Box::new(writer.map_err(text)?))
            }
            TypedFormat::Ipc => {
                let plain = ipc::WriteOptions { compression: None };
                let writer = ipc::FileWriter::try_new(out, Arc::clone(&schema), None, plain);
                EncodedFile::Arrow(Box::new(writer.map_err(text)?))
            }
        };
        Ok(Self { schema, waiting: vec![Vec::new(); names.len()], file })
    }

    fn add(&mut self, texts: &[&str]) -> Result<(), String> {
        for (column, text) in self.waiting.iter_mut().zip(texts) {
            column.push((*text).to_owned());
        }
        if self.waiting.first().is_some_and(|column| column.len() == TOGETHER) { self.put() } else { Ok(()) }
    }

    /// Writes the rows that wait.
    fn put(&mut self) -> Result<(), String> {
        let rows = self.waiting.first().map_or(0, Vec::len);
        let columns = self.waiting.iter_mut().map(std::mem::take);
        let columns: Vec<Box<dyn Array>> =
            columns.map(|column| Box::new(Utf8Array::<i64>::from_slice(column)) as _).collect();
        let schema = Arc::clone(&self.schema);
        match &mut self.file {
            EncodedFile::Parquet(file) => {
                let kinds = schema.iter_values().map(parquet::to_parquet_type).collect::<Result<Vec<_>, _>>();
                let plain = vec![vec![parquet::Encoding::Plain]; columns.len()];
                let group = RecordBatchT::try_new(rows, schema, columns).map_err(text)?;
                let group = parquet::row_group_iter(group, plain.into(), kinds.map_err(text)?, Self::PARQUET);
                file.write(rows as u64, group).map_err(text)
            }
            EncodedFile::Arrow(file) => {
                file.write(&RecordBatchT::try_new(rows, schema, columns).map_err(text)?, None).map_err(text)
            }
        }
    }

    fn end(mut self) -> Result<(), String> {
        if self.waiting.iter().any(|column| !column.is_empty()) {
            self.put()?;
        }
        match self.file {
            EncodedFile::Parquet(mut file) => file.end(Some(Vec::new())).map(drop).map_err(text),
            EncodedFile::Arrow(mut file) => file.finish().map_err(text),
        }
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

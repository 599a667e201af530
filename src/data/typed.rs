//! Parquet and Arrow IPC files: a private copy of the bytes, read by Polars column by column; every cell as text.
//!
//! The schema is looked at before anything is decoded, and only the columns that are asked for are: what a column that
//! nobody uses holds cannot matter. What the library throws is caught and becomes an error.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars::prelude::*;

use super::error::DataError;
use super::trial;

/// How many rows are decoded at once.
const STRIDE: usize = 1 << 17;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Parquet,
    Ipc,
}

impl Format {
    /// The format that the ending of a file's name says; `None` for CSV and whatever else.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "parquet" => Some(Self::Parquet),
            "arrow" | "ipc" | "feather" => Some(Self::Ipc),
            _ => None,
        }
    }

    /// An ending that says so.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Ipc => "arrow",
        }
    }
}

/// Is shown a column of texts for each column that was asked for, and how many rows they have; answers whether it wants more.
pub(super) type LotVisitor<'a> = dyn FnMut(&[&StringChunked], usize) -> Result<bool, DataError> + 'a;

/// A Parquet or Arrow IPC file in memory.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    path: PathBuf,
    format: Format,
    bytes: Arc<[u8]>,
    /// Its columns, and why one cannot be read as text.
    columns: Vec<(String, Result<(), String>)>,
}

impl Typed {
    /// Takes the bytes of a file and reads its schema.
    pub(super) fn new(path: &Path, format: Format, bytes: Vec<u8>) -> Result<Self, DataError> {
        trial::check(path, format, &bytes)?;
        let mut typed = Self { path: path.to_owned(), format, bytes: bytes.into(), columns: Vec::new() };
        let schema = typed.guarded(|cursor| match format {
            Format::Parquet => ParquetReader::new(cursor).schema(),
            Format::Ipc => IpcReader::new(cursor).schema(),
        })?;
        let columns = schema.iter_values();
        typed.columns = columns.map(|field| (field.name.to_string(), readable(&field.dtype))).collect();
        Ok(typed)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn is_readable(&self, column: &str) -> bool {
        self.columns.iter().any(|(name, readable)| name == column && readable.is_ok())
    }

    /// Shows the texts of some columns, many rows at once: `show` gets a column of texts for each, and answers whether it
    /// wants more.
    pub(super) fn visit(
        &self,
        columns: &[&str],
        from: usize,
        show: &mut LotVisitor,
    ) -> Result<(), DataError> {
        for column in columns {
            if let Some((_, Err(kind))) = self.columns.iter().find(|(name, _)| name == column) {
                let (path, column, kind) = (self.path.clone(), (*column).to_owned(), kind.clone());
                return Err(DataError::UnreadableType { path, column, kind });
            }
        }
        // A column that is asked for twice is read once.
        let mut distinct: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.is_empty() {
            // Something must be read for its rows to be counted.
            distinct.extend(
                self.columns.iter().find(|(_, readable)| readable.is_ok()).map(|(name, _)| name.clone()),
            );
        }
        let mut done = from;
        loop {
            let (frame, is_last) = self.guarded(|cursor| self.read(cursor, &distinct, done))?;
            let height = frame.height();
            let texts: Vec<&StringChunked> = columns
                .iter()
                .map(|column| frame.column(column)?.str())
                .collect::<PolarsResult<_>>()
                .map_err(|error| self.complaint(&error))?;
            if height > 0 && !show(&texts, height)? {
                return Ok(());
            }
            done += height;
            if is_last {
                return Ok(());
            }
        }
    }

    /// Some rows of some columns as texts, and whether they are the last.
    fn read(
        &self,
        cursor: Cursor<&[u8]>,
        columns: &[String],
        from: usize,
    ) -> PolarsResult<(DataFrame, bool)> {
        let (frame, is_last) = match self.format {
            Format::Parquet => {
                let mut reader = ParquetReader::new(cursor).with_columns(Some(columns.to_vec()));
                let rows = reader.num_rows()?;
                let wanted = rows.saturating_sub(from).min(STRIDE);
                let frame = reader
                    .with_slice(Some((from, wanted)))
                    .read_parallel(ParallelStrategy::None)
                    .set_rechunk(true)
                    .finish()?;
                polars_ensure!(frame.height() == wanted, ComputeError: "it has fewer rows than its footer says");
                (frame, from + wanted >= rows)
            }
            Format::Ipc => {
                let frame = IpcReader::new(cursor).with_columns(Some(columns.to_vec())).finish()?;
                (
                    i64::try_from(from).map_or_else(|_| frame.clear(), |from| frame.slice(from, usize::MAX)),
                    true,
                )
            }
        };
        let texts = frame.columns().iter().map(|column| column.strict_cast(&DataType::String));
        let texts = texts.collect::<PolarsResult<Vec<_>>>()?;
        Ok((DataFrame::new(frame.height(), texts)?, is_last))
    }

    /// Lets Polars work on the bytes; a panic of it is an error like any other.
    fn guarded<R>(&self, work: impl FnOnce(Cursor<&[u8]>) -> PolarsResult<R>) -> Result<R, DataError> {
        let _guard = Guard::new();
        let worked = catch_unwind(AssertUnwindSafe(|| work(Cursor::new(&self.bytes))));
        let Ok(result) = worked else {
            let detail = "the library that reads it gave up; it is damaged, or holds values out of range";
            return Err(DataError::Polars { path: self.path.clone(), detail: detail.to_owned() });
        };
        result.map_err(|error| self.complaint(&error))
    }

    fn complaint(&self, error: &PolarsError) -> DataError {
        DataError::Polars { path: self.path.clone(), detail: error.to_string() }
    }
}

/// Whether values of a type can be read as texts; else its name.
fn readable(kind: &ArrowDataType) -> Result<(), String> {
    use ArrowDataType as T;
    match kind {
        T::Utf8
        | T::LargeUtf8
        | T::Utf8View
        | T::Boolean
        | T::Null
        | T::Date32
        | T::Timestamp(_, None)
        | T::Int8
        | T::Int16
        | T::Int32
        | T::Int64
        | T::UInt8
        | T::UInt16
        | T::UInt32
        | T::UInt64
        | T::Float32
        | T::Float64
        | T::Decimal(..) => Ok(()),
        T::Dictionary(_, values, _) if matches!(**values, T::Utf8 | T::LargeUtf8 | T::Utf8View) => Ok(()),
        T::Timestamp(_, Some(zone)) => Err(format!("a timestamp in time zone {zone}")),
        other => Err(format!("{other:?}")),
    }
}

/// How many calls of a library are under way whose panics are caught.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

/// Whether a library is at work whose panics are caught and told as errors: a panic hook then has nothing to say.
pub fn panics_are_caught() -> bool {
    GUARDED.load(Ordering::SeqCst) > 0
}

struct Guard;

impl Guard {
    fn new() -> Self {
        GUARDED.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        GUARDED.fetch_sub(1, Ordering::SeqCst);
    }
}

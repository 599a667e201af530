//! Parquet and Arrow IPC files: the one place of the verifier where a library reads.
//!
//! It reads a private copy of the bytes, only the columns that matter and only of types that have one text each; and
//! whatever it throws is an error like another.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars::prelude::*;

use super::error::{Place, VerifyError};
use super::file;
use super::table::Visitor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypedFormat {
    Parquet,
    Ipc,
}

/// A file whose schema has been read.
#[derive(Debug)]
pub(super) struct Typed {
    format: TypedFormat,
    bytes: Vec<u8>,
    /// The columns with their types, and whether each can be read.
    columns: Vec<(String, String, bool)>,
    rows: usize,
}

impl Typed {
    /// How many rows are turned into text at once.
    const SLICE: usize = 1 << 18;

    pub(super) fn open(path: &Path, format: TypedFormat) -> Result<Self, VerifyError> {
        let bytes = file::read(path, file::MOST_TYPED)?;
        let (schema, rows) = caught(path, || {
            let cursor = Cursor::new(bytes.as_slice());
            Ok(match format {
                TypedFormat::Parquet => {
                    let mut reader = ParquetReader::new(cursor);
                    (reader.schema()?, reader.num_rows()?)
                }
                TypedFormat::Ipc => (IpcReader::new(cursor).schema()?, 0),
            })
        })?;
        let described = |(name, field): (&PlSmallStr, &ArrowField)| {
            (name.to_string(), type_name(&field.dtype), has_text(&field.dtype))
        };
        let columns = schema.iter().map(described).collect();
        Ok(Self { format, bytes, columns, rows })
    }

    pub(super) fn columns(&self) -> Vec<String> {
        self.columns.iter().map(|(name, ..)| name.clone()).collect()
    }

    /// Shows the texts of some columns, row by row; what is missing is the empty text.
    pub(super) fn visit(&self, path: &Path, columns: &[&str], show: &mut Visitor) -> Result<(), VerifyError> {
        let is_wanted = |name: &str| columns.contains(&name);
        if let Some((column, type_name, _)) =
            self.columns.iter().find(|(name, _, has_text)| !has_text && is_wanted(name))
        {
            let (path, column, type_name) = (path.to_owned(), column.clone(), type_name.clone());
            return Err(VerifyError::Unsupported { path, column, type_name });
        }
        match self.format {
            TypedFormat::Parquet => {
                let mut start = 0;
                while start < self.rows {
                    let slice = (start, Self::SLICE.min(self.rows - start));
                    let frame = caught(path, || self.parquet(columns, slice))?;
                    if frame.height() != slice.1 {
                        return Err(broken(path, "it has fewer rows than it says; save it again"));
                    }
                    show_rows(path, &frame, columns, start, show)?;
                    start += slice.1;
                }
                Ok(())
            }
            TypedFormat::Ipc => {
                let frame = caught(path, || self.ipc(columns))?;
                let mut start = 0;
                while start < frame.height() {
                    let rows = Self::SLICE.min(frame.height() - start);
                    let offset = i64::try_from(start).map_err(|_| broken(path, "it has too many rows"))?;
                    let part = frame.slice(offset, rows);
                    show_rows(path, &part, columns, start, show)?;
                    start += rows;
                }
                Ok(())
            }
        }
    }

    fn parquet(&self, columns: &[&str], slice: (usize, usize)) -> PolarsResult<DataFrame> {
        ParquetReader::new(Cursor::new(self.bytes.as_slice()))
            .with_columns(Some(distinct(columns)))
            .with_slice(Some(slice))
            .read_parallel(ParallelStrategy::None)
            .finish()
    }

    fn ipc(&self, columns: &[&str]) -> PolarsResult<DataFrame> {
        IpcReader::new(Cursor::new(self.bytes.as_slice())).with_columns(Some(distinct(columns))).finish()
    }
}

/// Each column once, since one may play two parts.
fn distinct(columns: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = columns.iter().map(ToString::to_string).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether values of a type have one text each.
fn has_text(dtype: &ArrowDataType) -> bool {
    match dtype {
        ArrowDataType::Null
        | ArrowDataType::Boolean
        | ArrowDataType::Int8
        | ArrowDataType::Int16
        | ArrowDataType::Int32
        | ArrowDataType::Int64
        | ArrowDataType::UInt8
        | ArrowDataType::UInt16
        | ArrowDataType::UInt32
        | ArrowDataType::UInt64
        | ArrowDataType::Float32
        | ArrowDataType::Float64
        | ArrowDataType::Utf8
        | ArrowDataType::LargeUtf8
        | ArrowDataType::Utf8View
        | ArrowDataType::Date32
        | ArrowDataType::Timestamp(_, None)
        | ArrowDataType::Decimal(..) => true,
        ArrowDataType::Dictionary(_, values, _) => {
            matches!(**values, ArrowDataType::Utf8 | ArrowDataType::LargeUtf8 | ArrowDataType::Utf8View)
        }
        _ => false,
    }
}

/// A type's name, without what it is made of.
fn type_name(dtype: &ArrowDataType) -> String {
    let whole = format!("{dtype:?}");
    let end = whole.find("Field {").unwrap_or(whole.len());
    whole[..end].trim_end_matches(['(', '[']).to_owned()
}

/// Shows the rows of a part of a table that begins at row `start`, from 0.
fn show_rows(
    path: &Path,
    frame: &DataFrame,
    columns: &[&str],
    start: usize,
    show: &mut Visitor,
) -> Result<(), VerifyError> {
    let mut texts: BTreeMap<&str, StringChunked> = BTreeMap::new();
    for &column in columns {
        if !texts.contains_key(column) {
            let text = caught(path, || as_text(frame.column(column)?))?;
            texts.insert(column, text.ok_or_else(|| unreadable(path, column))?);
        }
    }
    let ordered: Vec<&StringChunked> = columns.iter().filter_map(|column| texts.get(column)).collect();
    if ordered.iter().any(|texts| texts.len() != frame.height()) {
        return Err(broken(path, "its columns have different lengths; save it again"));
    }
    for row in 0..frame.height() {
        let row_texts: Vec<&str> = ordered.iter().map(|column| column.get(row).unwrap_or_default()).collect();
        show(Place::Row((start + row) as u64 + 1), &row_texts)?;
    }
    Ok(())
}

/// A column as texts; `None` where a value that is there has none.
fn as_text(column: &Column) -> PolarsResult<Option<StringChunked>> {
    let missing = column.null_count();
    let texts = column.cast(&DataType::String)?;
    let texts = texts.str()?.rechunk().into_owned();
    Ok((texts.null_count() == missing).then_some(texts))
}

fn unreadable(path: &Path, column: &str) -> VerifyError {
    broken(
        path,
        &format!("column `{column}` holds a value that has no text, such as a date far off; correct it"),
    )
}

fn broken(path: &Path, detail: &str) -> VerifyError {
    VerifyError::Typed { path: path.to_owned(), detail: detail.to_owned() }
}

/// Runs the library. It may panic on a file that is broken on purpose; that is an error and no end.
fn caught<T>(path: &Path, read: impl FnOnce() -> PolarsResult<T>) -> Result<T, VerifyError> {
    CAUGHT.fetch_add(1, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(read));
    CAUGHT.fetch_sub(1, Ordering::SeqCst);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(broken(path, &error.to_string())),
        Err(_) => Err(broken(path, "the library that reads it gave up on it; save it again, or as CSV")),
    }
}

/// How many calls of the library are under way.
static CAUGHT: AtomicUsize = AtomicUsize::new(0);

/// Whether the library is at work, whose panics are told as errors: a panic hook then has nothing to say.
pub fn panics_are_caught() -> bool {
    CAUGHT.load(Ordering::SeqCst) > 0
}

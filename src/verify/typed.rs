//! Parquet and Arrow IPC files: the one place of the verifier where a library reads.
//!
//! It reads a private copy of the bytes, only the columns that matter and only of types that have one text each; and
//! whatever it throws is an error like another.

mod cell;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars_arrow::array::Array;
use polars_arrow::compute::concatenate::concatenate;
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_arrow::io::ipc::read as ipc;
use polars_buffer::Buffer;
use polars_parquet::read as parquet;

pub(super) use self::cell::{date, instant};
use super::error::{Place, VerifyError};
use super::sheet;
use super::table::Visitor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypedFormat {
    Parquet,
    Ipc,
}

/// What a file says of where its columns lie.
#[derive(Debug)]
enum Layout {
    Parquet(Box<parquet::FileMetadata>),
    Ipc(ipc::FileMetadata),
}

/// A file whose schema has been read.
#[derive(Debug)]
pub(super) struct Typed {
    bytes: Buffer<u8>,
    layout: Layout,
    fields: Vec<Field>,
}

impl Typed {
    /// How many rows are decoded at once.
    const SLICE: usize = 1 << 16;

    pub(super) fn of(path: &Path, format: TypedFormat, bytes: Vec<u8>) -> Result<Self, VerifyError> {
        let bytes = Buffer::from_vec(bytes);
        let (layout, schema) = caught(path, || {
            let mut reader = Cursor::new(bytes.as_slice());
            Ok(match format {
                TypedFormat::Parquet => {
                    let metadata = parquet::read_metadata(&mut reader).map_err(text)?;
                    let schema = parquet::infer_schema(&metadata).map_err(text)?;
                    (Layout::Parquet(Box::new(metadata)), schema)
                }
                TypedFormat::Ipc => {
                    let metadata = ipc::read_file_metadata(&mut reader).map_err(text)?;
                    let schema = metadata.schema.as_ref().clone();
                    (Layout::Ipc(metadata), schema)
                }
            })
        })?;
        let fields = schema.iter_values().cloned().collect();
        Ok(Self { bytes, layout, fields })
    }

    pub(super) fn columns(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.name.to_string()).collect()
    }

    /// What a release of this format has not: columns of another type than texts, or some that may have gaps, and metadata.
    pub(super) fn surplus(&self) -> Option<String> {
        let expected = match self.layout {
            Layout::Parquet(_) => ArrowDataType::Utf8View,
            Layout::Ipc(_) => ArrowDataType::LargeUtf8,
        };
        let is_other =
            |field: &&Field| field.dtype != expected || field.is_nullable || field.metadata.is_some();
        if let Some(place) = self.fields.iter().position(|field| is_other(&field)) {
            return Some(format!("column {} is not a column of texts as a release has it", place + 1));
        }
        let has_metadata = match &self.layout {
            Layout::Parquet(metadata) => {
                metadata.key_value_metadata.as_ref().is_some_and(|known| !known.is_empty())
            }
            Layout::Ipc(metadata) => {
                metadata.custom_schema_metadata.is_some() || metadata.custom_metadata.is_some()
            }
        };
        has_metadata.then(|| "it has metadata".to_owned())
    }

    /// Shows the texts of some columns, row by row; what is missing is the empty text.
    pub(super) fn visit(&self, path: &Path, columns: &[&str], show: &mut Visitor) -> Result<(), VerifyError> {
        let mut wanted = Vec::new();
        for (place, field) in self.fields.iter().enumerate() {
            if !columns.contains(&field.name.as_str()) {
                continue;
            }
            if !has_text(&field.dtype) {
                let (path, column, type_name) =
                    (path.to_owned(), field.name.to_string(), type_name(&field.dtype));
                return Err(VerifyError::Unsupported { path, column, type_name });
            }
            wanted.push(place);
        }
        // A column may play two parts.
        let part_of =
            |column: &&str| wanted.iter().position(|&place| self.fields[place].name.as_str() == *column);
        let parts: Vec<usize> = columns.iter().filter_map(part_of).collect();
        if wanted.is_empty() || parts.len() != columns.len() {
            return Err(broken(path, "no column of it is known; save it again"));
        }
        let mut rows = Rows { path, fields: &self.fields, wanted: &wanted, parts: &parts, shown: 0 };
        match &self.layout {
            Layout::Parquet(metadata) => self.visit_parquet(metadata, &mut rows, show),
            Layout::Ipc(metadata) => self.visit_ipc(metadata, &mut rows, show),
        }
    }

    fn visit_parquet(
        &self,
        metadata: &parquet::FileMetadata,
        rows: &mut Rows,
        show: &mut Visitor,
    ) -> Result<(), VerifyError> {
        for group in &metadata.row_groups {
            let mut start = 0;
            while start < group.num_rows() {
                let end = start + Self::SLICE.min(group.num_rows() - start);
                let decode = |&place: &usize| self.decode(group, &self.fields[place], start..end);
                let columns =
                    caught(rows.path, || rows.wanted.iter().map(decode).collect::<Result<Vec<_>, _>>())?;
                rows.show(&columns, end - start, show)?;
                start = end;
            }
        }
        if rows.shown == metadata.num_rows {
            Ok(())
        } else {
            Err(broken(rows.path, "it has another number of rows than it says; save it again"))
        }
    }

    /// Some rows of a column in a row group.
    fn decode(
        &self,
        group: &parquet::RowGroupMetadata,
        field: &Field,
        rows: std::ops::Range<usize>,
    ) -> Result<Box<dyn Array>, String> {
        let other = || format!("column `{}` is not what the file says of it; save it again", field.name);
        let mut field = field.clone();
        if let ArrowDataType::Dictionary(_, values, _) = &field.dtype {
            field.dtype = values.as_ref().clone();
        }
        let chunks: Vec<_> = group.columns_under_root_iter(&field.name).ok_or_else(other)?.collect();
        let [chunk] = chunks[..] else { return Err(other()) };
        let kind = &chunk.descriptor().descriptor;
        let (start, end) = (chunk.byte_range().start, chunk.byte_range().end);
        if kind.max_rep_level != 0 || start > end || end > self.bytes.len() as u64 {
            return Err(other());
        }
        let place = usize::try_from(start).map_err(text)?..usize::try_from(end).map_err(text)?;
        let reader = Cursor::new(self.bytes.clone().sliced(place));
        let pages = parquet::PageReader::new(reader, chunk, Vec::new(), usize::MAX);
        let pages = parquet::BasicDecompressor::new(pages, Vec::new());
        let range = parquet::Filter::new_ranged(rows.start, rows.end);
        let decoded =
            parquet::column_iter_to_arrays(vec![pages], vec![&kind.primitive_type], field, Some(range));
        let pieces = decoded.map_err(text)?.0;
        let pieces: Vec<&dyn Array> = pieces.iter().map(|piece| &**piece).collect();
        concatenate(&pieces).map_err(text)
    }

    fn visit_ipc(
        &self,
        metadata: &ipc::FileMetadata,
        rows: &mut Rows,
        show: &mut Visitor,
    ) -> Result<(), VerifyError> {
        let reader = Cursor::new(self.bytes.as_slice());
        let mut batches = caught(rows.path, || {
            Ok(ipc::FileReader::new(reader, metadata.clone(), Some(rows.wanted.to_vec()), None))
        })?;
        while let Some(batch) = caught(rows.path, || batches.next().transpose().map_err(text))? {
            let height = batch.len();
            let columns = batch.into_arrays();
            // Columns without values say how many rows they have, and no byte has to stand behind it.
            if height / 64 > self.bytes.len()
                && columns.iter().all(|column| *column.dtype() == ArrowDataType::Null)
            {
                return Err(broken(rows.path, "it has fewer rows than it says; save it again"));
            }
            rows.show(&columns, height, show)?;
        }
        Ok(())
    }
}

/// Reads every column of a Parquet (`parquet`) or Arrow (`arrow`) file that can be read, or a sheet of a workbook, or every
/// one, as verifying would: for a process that may break down over it.
///
/// # Errors
/// As verifying the table does.
pub fn try_typed(format: &str, sheet: Option<&str>, bytes: Vec<u8>) -> Result<(), VerifyError> {
    let path = Path::new("stdin");
    let format = match format {
        "parquet" => TypedFormat::Parquet,
        "arrow" => TypedFormat::Ipc,
        book => return sheet::attempt(book, sheet, &bytes),
    };
    let typed = Typed::of(path, format, bytes)?;
    let columns: Vec<String> = typed
        .fields
        .iter()
        .filter(|field| has_text(&field.dtype))
        .map(|field| field.name.to_string())
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    typed.visit(path, &columns, &mut |_, _| Ok(()))
}

/// How rows are shown: which columns were decoded, and what part each plays.
struct Rows<'a> {
    path: &'a Path,
    fields: &'a [Field],
    wanted: &'a [usize],
    parts: &'a [usize],
    /// How many rows were shown.
    shown: usize,
}

impl Rows<'_> {
    /// Shows so many rows of the wanted columns.
    fn show(
        &mut self,
        columns: &[Box<dyn Array>],
        height: usize,
        show: &mut Visitor,
    ) -> Result<(), VerifyError> {
        if columns.iter().any(|column| column.len() != height) {
            return Err(broken(self.path, "its columns have different lengths; save it again"));
        }
        let cells = columns.iter().zip(self.wanted);
        let cells = cells.map(|(column, &place)| cell::of(&**column).ok_or_else(|| self.unreadable(place)));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let mut texts = vec![String::new(); cells.len()];
        for row in 0..height {
            for ((write, text), &place) in cells.iter().zip(&mut texts).zip(self.wanted) {
                text.clear();
                write(row, text).ok_or_else(|| self.unreadable(place))?;
            }
            let row: Vec<&str> = self.parts.iter().map(|&part| texts[part].as_str()).collect();
            self.shown += 1;
            show(Place::Row(self.shown as u64), &row)?;
        }
        Ok(())
    }

    fn unreadable(&self, place: usize) -> VerifyError {
        let column = &self.fields[place].name;
        let detail =
            format!("column `{column}` holds a value that has no text, such as a date far off; correct it");
        broken(self.path, &detail)
    }
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

pub(super) fn broken(path: &Path, detail: &str) -> VerifyError {
    VerifyError::Typed { path: path.to_owned(), detail: detail.to_owned() }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Runs the library. It may panic on a file that is broken on purpose; that is an error and no end.
pub(super) fn caught<T>(path: &Path, read: impl FnOnce() -> Result<T, String>) -> Result<T, VerifyError> {
    CAUGHT.fetch_add(1, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(read));
    CAUGHT.fetch_sub(1, Ordering::SeqCst);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(broken(path, &error)),
        Err(_) => Err(broken(path, "the library that reads it gave up on it; save it again, or as CSV")),
    }
}

/// How many calls of the library are under way.
static CAUGHT: AtomicUsize = AtomicUsize::new(0);

/// Whether the library is at work, whose panics are told as errors: a panic hook then has nothing to say.
pub fn panics_are_caught() -> bool {
    CAUGHT.load(Ordering::SeqCst) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine's reader is held to the same list.
    #[test]
    fn every_type_reads_as_the_texts_that_are_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let listed = std::fs::read_to_string(root.join("tests/typed/texts.tsv")).unwrap();
        let mut read = 0;
        for line in listed.lines().filter(|line| !line.starts_with('#')) {
            let [file, column, texts] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let (folder, format) = match file.rsplit('.').next() {
                Some("parquet") => ("parquet", TypedFormat::Parquet),
                _ => ("arrow", TypedFormat::Ipc),
            };
            let path = root.join("fuzz/seeds").join(folder).join(file);
            let found = Typed::of(&path, format, std::fs::read(&path).unwrap()).and_then(|typed| {
                let mut found = Vec::new();
                typed.visit(&path, &[column], &mut |_, row| {
                    found.push(row[0].to_owned());
                    Ok(())
                })?;
                Ok(found)
            });
            match found {
                Ok(found) => {
                    assert_eq!(found, serde_json::from_str::<Vec<String>>(texts).unwrap(), "{file} {column}");
                }
                Err(error) => assert_eq!(texts, "refused", "{error}"),
            }
            read += 1;
        }
        assert!(read > 700, "{read}");
    }
}

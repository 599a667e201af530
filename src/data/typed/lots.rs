//! Some rows of some columns at a time, decoded by Polars and written as texts.
//!
//! Sizes that a file claims are held against the bytes that it has before anything is made of them.

use std::io::Cursor;

use polars_arrow::array::{Array, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::io::ipc::read::{FileMetadata as IpcFooter, FileReader, read_file_metadata};
use polars_buffer::Buffer;
use polars_parquet::read::{
    BasicDecompressor, FileMetadata as ParquetFooter, Filter, PageReader, RowGroupMetadata,
    column_iter_to_arrays, infer_schema, read_metadata,
};

use super::super::source::Format;
use super::numbered::Numbered;
use super::texts;

/// Columns as they were decoded, and how many rows each has.
pub(super) type Decoded = (Vec<Cells>, usize);

/// Some rows of a column as they were decoded, in parts.
#[derive(Debug)]
pub(super) struct Cells(Vec<Box<dyn Array>>);

impl Cells {
    /// Their texts; what is missing has none.
    pub(super) fn texts(&self, column: &str) -> Result<Utf8ViewArray, String> {
        texts::of_all(column, &self.0)
    }

    /// Their distinct texts, numbered.
    pub(super) fn numbered(&self, column: &str) -> Result<Numbered, String> {
        Numbered::of(column, &self.0)
    }
}

/// What a file says of itself: its columns, and where they lie.
#[derive(Debug)]
pub(super) enum Footer {
    Parquet(Box<ParquetFooter>, ArrowSchema),
    Ipc(IpcFooter),
}

impl Footer {
    pub(super) fn read(format: Format, bytes: &Buffer<u8>) -> Result<Self, String> {
        let mut cursor = Cursor::new(bytes.as_slice());
        match format {
            Format::Parquet => {
                let footer = read_metadata(&mut cursor).map_err(said)?;
                let schema = infer_schema(&footer).map_err(said)?;
                let rows = footer
                    .row_groups
                    .iter()
                    .try_fold(0_usize, |sum, group| sum.checked_add(group.num_rows()));
                if rows != Some(footer.num_rows) {
                    return Err("its row groups have other numbers of rows than its footer says".to_owned());
                }
                Ok(Self::Parquet(Box::new(footer), schema))
            }
            _ => read_file_metadata(&mut cursor).map(Self::Ipc).map_err(said),
        }
    }

    /// How many rows the file has, where it says so in one place.
    pub(super) fn rows(&self) -> Option<usize> {
        match self {
            Self::Parquet(footer, _) => Some(footer.num_rows),
            Self::Ipc(_) => None,
        }
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &Field> {
        match self {
            Self::Parquet(_, schema) => schema.iter_values(),
            Self::Ipc(footer) => footer.schema.iter_values(),
        }
    }
}

/// The rows of a file from one on, a lot after the other.
pub(super) enum Lots<'a> {
    Parquet(ParquetLots<'a>),
    Ipc(Box<IpcLots<'a>>),
}

impl<'a> Lots<'a> {
    /// How many rows a lot has where nobody says.
    pub(super) const STRIDE: usize = 1 << 17;

    /// The lots of at most `stride` rows of the columns at these places of the schema, which are in order; at least one.
    pub(super) fn new(
        bytes: &'a Buffer<u8>,
        footer: &'a Footer,
        places: &[usize],
        from: usize,
        stride: usize,
    ) -> Result<Self, String> {
        if places.is_empty() {
            return Err("no column of it can be read".to_owned());
        }
        match footer {
            Footer::Parquet(footer, schema) => {
                let fields = schema.iter_values().cloned().map(as_plain_text).enumerate();
                let fields = fields.filter(|(place, _)| places.contains(place)).map(|(_, field)| field);
                let groups = footer.row_groups.iter();
                Ok(Self::Parquet(ParquetLots {
                    bytes,
                    groups: groups.as_slice(),
                    fields: fields.collect(),
                    from,
                    stride,
                }))
            }
            Footer::Ipc(footer) => {
                let cursor = Cursor::new(bytes.as_slice());
                let mut reader = FileReader::new(cursor, footer.clone(), Some(places.to_vec()), None);
                let behind = reader.skip_blocks_till_limit(from as u64).map_err(said)?;
                let behind = usize::try_from(behind).map_err(said)?;
                let most = bytes.len().saturating_mul(64);
                let batch = Vec::new();
                Ok(Self::Ipc(Box::new(IpcLots { reader, batch, rows: 0, from: behind, stride, most })))
            }
        }
    }

    /// The next lot of at least one row; `None` behind the last.
    pub(super) fn next(&mut self) -> Result<Option<Decoded>, String> {
        match self {
            Self::Parquet(lots) => lots.next(),
            Self::Ipc(lots) => lots.next(),
        }
    }
}

pub(super) struct ParquetLots<'a> {
    bytes: &'a Buffer<u8>,
    /// Those that are not yet read to their ends.
    groups: &'a [RowGroupMetadata],
    fields: Vec<Field>,
    /// Where the next lot begins, counted from the first of these groups.
    from: usize,
    stride: usize,
}

impl ParquetLots<'_> {
    fn next(&mut self) -> Result<Option<Decoded>, String> {
        while let Some((group, rest)) = self.groups.split_first() {
            if self.from < group.num_rows() {
                let until = group.num_rows().min(self.from + self.stride);
                let columns = self.fields.iter().map(|field| self.column(group, field, until));
                let columns = columns.collect::<Result<Vec<_>, _>>()?;
                let rows = until - self.from;
                self.from = until;
                return Ok(Some((columns, rows)));
            }
            self.from -= group.num_rows();
            self.groups = rest;
        }
        Ok(None)
    }

    /// The cells of a column in a row group, up to a row.
    fn column(&self, group: &RowGroupMetadata, field: &Field, until: usize) -> Result<Cells, String> {
        let wrong = |what: &str| format!("column `{}` {what}", field.name);
        let mut leaves =
            group.columns_under_root_iter(&field.name).ok_or_else(|| wrong("has a type but no values"))?;
        let (Some(leaf), None) = (leaves.next(), leaves.next()) else {
            return Err(wrong("has other values than its type says"));
        };
        let descriptor = &leaf.descriptor().descriptor;
        if descriptor.max_rep_level > 0 {
            return Err(wrong("has other values than its type says"));
        }
        let range = leaf.byte_range();
        let (start, end) =
            (usize::try_from(range.start).map_err(said)?, usize::try_from(range.end).map_err(said)?);
        if start > end || end > self.bytes.len() {
            return Err(wrong("reaches beyond the end of the file"));
        }
        let chunk = Cursor::new(self.bytes.clone().sliced(start..end));
        let pages = BasicDecompressor::new(PageReader::new(chunk, leaf, Vec::new(), usize::MAX), Vec::new());
        let filter = Filter::new_ranged(self.from, until);
        let (arrays, _) =
            column_iter_to_arrays(vec![pages], vec![&descriptor.primitive_type], field.clone(), Some(filter))
                .map_err(said)?;
        if arrays.iter().map(|array| array.len()).sum::<usize>() != until - self.from {
            return Err("it has fewer rows than its footer says".to_owned());
        }
        Ok(Cells(arrays))
    }
}

/// A column of texts that repeat is decoded as texts: each is looked up once, by the library.
fn as_plain_text(mut field: Field) -> Field {
    if matches!(field.dtype, ArrowDataType::Dictionary(..)) {
        field.dtype = ArrowDataType::Utf8View;
    }
    field
}

pub(super) struct IpcLots<'a> {
    reader: FileReader<Cursor<&'a [u8]>>,
    batch: Vec<Box<dyn Array>>,
    /// How many rows the batch has, and where in it the next lot begins.
    rows: usize,
    from: usize,
    stride: usize,
    /// How many rows a batch may have where nothing but its header says how many.
    most: usize,
}

impl IpcLots<'_> {
    fn next(&mut self) -> Result<Option<Decoded>, String> {
        while self.from >= self.rows {
            self.from -= self.rows;
            let Some(batch) = self.reader.next() else { return Ok(None) };
            let batch = batch.map_err(said)?;
            self.rows = batch.len();
            self.batch = batch.into_arrays();
            if self.rows > self.most && self.batch.iter().all(|array| *array.dtype() == ArrowDataType::Null) {
                return Err("it claims more rows than it can have".to_owned());
            }
        }
        let rows = (self.rows - self.from).min(self.stride);
        let columns = self.batch.iter().map(|array| Cells(vec![array.sliced(self.from, rows)])).collect();
        self.from += rows;
        Ok(Some((columns, rows)))
    }
}

pub(super) fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

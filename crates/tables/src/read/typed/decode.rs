//! Parquet and Arrow IPC files, decoded by Polars: one frame of some rows and columns at a time.
//!
//! Sizes that a file states are compared with its bytes before memory is allocated.

use std::io::Cursor;
use std::sync::Arc;

use polars::prelude::*;

use super::super::guard::detail;
use crate::source::spec::Format;

/// The bytes of a file, shared by its decoders.
#[derive(Clone, Debug)]
pub(super) struct Bytes(Arc<Vec<u8>>);

impl Bytes {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self(Arc::new(bytes))
    }

    fn cursor(&self) -> Cursor<Self> {
        Cursor::new(self.clone())
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The metadata of a file.
#[derive(Clone, Debug)]
pub(super) enum Footer {
    Parquet(FileMetadataRef, Arc<ArrowSchema>),
    Ipc(Arc<ArrowSchema>),
}

impl Footer {
    pub(super) fn read(format: Format, bytes: &Bytes) -> Result<Self, String> {
        if format != Format::Parquet {
            return IpcReader::new(bytes.cursor()).schema().map(Self::Ipc).map_err(detail);
        }
        let mut reader = ParquetReader::new(bytes.cursor());
        let metadata = Arc::clone(reader.get_metadata().map_err(detail)?);
        let schema = reader.schema().map_err(detail)?;
        let mut groups = metadata.row_groups.iter();
        let rows = groups.try_fold(0_usize, |sum, group| sum.checked_add(group.num_rows()));
        if rows != Some(metadata.num_rows) {
            return Err("the row counts of its row groups differ from its footer".to_owned());
        }
        Ok(Self::Parquet(metadata, schema))
    }

    /// The number of rows, if the footer states it.
    pub(super) fn rows(&self) -> Option<usize> {
        match self {
            Self::Parquet(metadata, _) => Some(metadata.num_rows),
            Self::Ipc(_) => None,
        }
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &ArrowField> {
        let (Self::Parquet(_, schema) | Self::Ipc(schema)) = self;
        schema.iter_values()
    }
}

/// The rows of a file, a frame after the other.
pub(super) enum Frames {
    /// Decoded slice by slice.
    Parquet { bytes: Bytes, metadata: FileMetadataRef, columns: Vec<String>, next: usize, stride: usize },
    /// Decoded at once: the public reader of Arrow IPC has no other way.
    Complete { rest: DataFrame, stride: usize },
}

impl Frames {
    /// The rows from one on, at most `stride` at a time, of at least one column.
    pub(super) fn new(
        bytes: &Bytes,
        footer: &Footer,
        columns: Vec<String>,
        from: usize,
        stride: usize,
    ) -> Result<Self, String> {
        if columns.is_empty() {
            return Err("no column can be read".to_owned());
        }
        match footer {
            Footer::Parquet(metadata, _) => {
                let (bytes, metadata) = (bytes.clone(), Arc::clone(metadata));
                Ok(Self::Parquet { bytes, metadata, columns, next: from, stride })
            }
            Footer::Ipc(_) => {
                let reader = IpcReader::new(bytes.cursor()).with_columns(Some(columns)).set_rechunk(false);
                let frame = reader.finish().map_err(detail)?;
                let most = bytes.as_ref().len().saturating_mul(64);
                let is_blank = frame.columns().iter().all(|column| column.dtype() == &DataType::Null);
                if is_blank && frame.height() > most {
                    return Err("it claims more rows than it can have".to_owned());
                }
                Ok(Self::Complete { rest: behind(&frame, from), stride })
            }
        }
    }

    /// The next frame, with at least one row; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<DataFrame>, String> {
        match self {
            Self::Parquet { bytes, metadata, columns, next, stride } => {
                let rows = metadata.num_rows.saturating_sub(*next).min(*stride);
                if rows == 0 {
                    return Ok(None);
                }
                let reader = ParquetReader::new(bytes.cursor()).with_columns(Some(columns.clone()));
                let mut reader = reader.with_slice(Some((*next, rows)));
                reader.set_metadata(Arc::clone(metadata));
                let frame = reader.finish().map_err(detail)?;
                if frame.height() != rows || frame.columns().iter().any(|column| column.len() != rows) {
                    return Err("it has fewer rows than its footer states".to_owned());
                }
                *next += rows;
                Ok(Some(frame))
            }
            Self::Complete { rest, stride } => {
                let rows = rest.head(Some(*stride));
                *rest = behind(rest, rows.height());
                Ok((rows.height() > 0).then_some(rows))
            }
        }
    }
}

/// The rows of a frame after its first `first` rows.
pub(crate) fn behind(frame: &DataFrame, first: usize) -> DataFrame {
    frame.tail(Some(frame.height().saturating_sub(first)))
}

//! Parquet and Arrow IPC files, decoded by Polars: one frame of some rows and columns at a time.
//!
//! Sizes that a file states are compared with its bytes before memory is allocated.

use std::io::Cursor;
use std::ops::Range;
use std::sync::Arc;

use polars::prelude::*;

use super::super::guard::detail;
use crate::source::spec::Format;

/// The default number of rows in a frame.
pub(super) const STRIDE: usize = 1 << 17;

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

    /// The rows in slices that can be decoded one by one, in order: whole row groups, several if they
    /// are small, and parts of one with more than `most` rows. Arrow IPC has one slice.
    pub(super) fn slices(&self, most: usize) -> Vec<Range<usize>> {
        let Self::Parquet(metadata, _) = self else { return std::iter::once(0..usize::MAX).collect() };
        let (mut slices, mut start, mut end) = (Vec::new(), 0, 0);
        for group in &metadata.row_groups {
            let rows = group.num_rows();
            if end > start && end - start + rows > most.min(STRIDE) {
                slices.push(start..end);
                start = end;
            }
            end += rows;
            while end - start > most {
                slices.push(start..start + most);
                start += most;
            }
        }
        slices.extend((end > start).then_some(start..end));
        slices
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &ArrowField> {
        let (Self::Parquet(_, schema) | Self::Ipc(schema)) = self;
        schema.iter_values()
    }
}

/// The rows of a file, a frame after the other.
pub(super) enum Frames {
    /// Decoded slice by slice.
    Parquet {
        bytes: Bytes,
        metadata: FileMetadataRef,
        columns: Vec<String>,
        rest: Range<usize>,
        stride: usize,
    },
    /// Decoded at once: the public reader of Arrow IPC has no other way.
    Complete { rest: DataFrame, stride: usize },
}

impl Frames {
    /// Some rows, at most `stride` at a time, of at least one column.
    pub(super) fn new(
        bytes: &Bytes,
        footer: &Footer,
        columns: Vec<String>,
        rows: Range<usize>,
        stride: usize,
    ) -> Result<Self, String> {
        if columns.is_empty() {
            return Err("no column can be read".to_owned());
        }
        match footer {
            Footer::Parquet(metadata, _) => {
                let (bytes, metadata) = (bytes.clone(), Arc::clone(metadata));
                let rest = rows.start..rows.end.min(metadata.num_rows);
                Ok(Self::Parquet { bytes, metadata, columns, rest, stride })
            }
            Footer::Ipc(_) => {
                let reader = IpcReader::new(bytes.cursor()).with_columns(Some(columns)).set_rechunk(false);
                let frame = reader.finish().map_err(detail)?;
                let most = bytes.as_ref().len().saturating_mul(64);
                let is_blank = frame.columns().iter().all(|column| column.dtype() == &DataType::Null);
                if is_blank && frame.height() > most {
                    return Err("it claims more rows than it can have".to_owned());
                }
                Ok(Self::Complete { rest: behind(&frame, rows.start).head(Some(rows.len())), stride })
            }
        }
    }

    /// The next frame, with at least one row; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<DataFrame>, String> {
        match self {
            Self::Parquet { bytes, metadata, columns, rest, stride } => {
                let rows = rest.len().min(*stride);
                if rows == 0 {
                    return Ok(None);
                }
                let reader = ParquetReader::new(bytes.cursor()).with_columns(Some(columns.clone()));
                let mut reader = reader.with_slice(Some((rest.start, rows)));
                reader.set_metadata(Arc::clone(metadata));
                let frame = reader.finish().map_err(detail)?;
                if frame.height() != rows || frame.columns().iter().any(|column| column.len() != rows) {
                    return Err("it has fewer rows than its footer states".to_owned());
                }
                rest.start += rows;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_row_groups_or_their_parts() {
        let written = |rows: usize, group: usize| {
            let numbers: Vec<u32> = (0..u32::try_from(rows).unwrap()).collect();
            let mut frame = DataFrame::new(rows, vec![Column::new("n".into(), numbers)]).unwrap();
            let mut bytes = Vec::new();
            ParquetWriter::new(&mut bytes).with_row_group_size(Some(group)).finish(&mut frame).unwrap();
            Footer::read(Format::Parquet, &Bytes::new(bytes)).unwrap()
        };
        for (rows, group, most, lengths) in [
            (0, 10, 100, vec![]),
            (20, 10, 100, vec![20]),
            (20, 10, 10, vec![10, 10]),
            (20, 10, 15, vec![10, 10]),
            (25, 25, 10, vec![10, 10, 5]),
            (240_000, 60_000, 1 << 20, vec![120_000, 120_000]),
            (600_000, 300_000, 1 << 20, vec![300_000, 300_000]),
        ] {
            let slices = written(rows, group).slices(most);
            assert_eq!(slices.iter().map(Range::len).collect::<Vec<_>>(), lengths, "{rows} {group} {most}");
            assert!(slices.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }
}

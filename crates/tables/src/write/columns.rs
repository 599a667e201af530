//! Writes a table as Parquet or Arrow with Polars. Each column has the texts of the CSV file, in
//! the same order of rows. No statistics and no own metadata are written, and data is not
//! compressed: equal tables give equal bytes.

use std::io::{self, Write};
use std::path::Path;

use polars::prelude::*;

use super::lines::Lines;
use palmtop_core::progress::{Cancelled, Meter};

/// The file format of a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReleaseFormat {
    /// CSV.
    #[default]
    Csv,
    /// Parquet.
    Parquet,
    /// Arrow IPC.
    Arrow,
}

impl ReleaseFormat {
    /// The format by the ending of a file's name: CSV unless it is that of Parquet or Arrow.
    pub fn of(path: &Path) -> Self {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "parquet" => Self::Parquet,
            "arrow" | "ipc" | "feather" => Self::Arrow,
            _ => Self::Csv,
        }
    }
}

/// The number of rows in a row group or batch; the last may have fewer.
const GROUP: usize = 1 << 16;

/// Keeps the error of the disk: the libraries turn it into a text.
struct Remembering<'a> {
    out: &'a mut dyn Write,
    failure: Option<io::Error>,
}

impl Write for Remembering<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| {
            let same_kind = io::Error::from(error.kind());
            self.failure = Some(error);
            same_kind
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Receives some rows as a frame.
type FrameVisitor<'a> = dyn FnMut(DataFrame) -> io::Result<()> + 'a;

impl Lines {
    /// Writes the table in a format. The meter receives the bytes written at intervals, counted as
    /// CSV.
    ///
    /// # Errors
    /// As [`write_to`](Self::write_to).
    pub fn write_as(&self, format: ReleaseFormat, out: &mut dyn Write, meter: &mut Meter) -> io::Result<()> {
        let mut out = Remembering { out, failure: None };
        let written = match format {
            ReleaseFormat::Csv => return self.write_to(out.out, meter),
            ReleaseFormat::Parquet => self.write_parquet(&mut out, meter),
            ReleaseFormat::Arrow => self.write_arrow(&mut out, meter),
        };
        written.map_err(|error| out.failure.take().unwrap_or(error))
    }

    fn write_parquet(&self, out: &mut Remembering, meter: &mut Meter) -> io::Result<()> {
        let writer = ParquetWriter::new(out)
            .with_compression(ParquetCompression::Uncompressed)
            .with_statistics(StatisticsOptions::empty());
        let mut writer = writer.batched(&self.schema()).map_err(io_error)?;
        self.in_groups(meter, &mut |rows| writer.write_batch(&rows).map_err(io_error))?;
        writer.finish().map(drop).map_err(io_error)
    }

    fn write_arrow(&self, out: &mut Remembering, meter: &mut Meter) -> io::Result<()> {
        let schema = self.schema();
        let mut fields = Vec::new();
        fields.resize_with(schema.len(), Default::default);
        let writer = IpcWriter::new(out).with_compat_level(CompatLevel::oldest());
        let mut writer = writer.batched(&schema, fields).map_err(io_error)?;
        self.in_groups(meter, &mut |rows| writer.write_batch(&rows).map_err(io_error))?;
        writer.finish().map_err(io_error)
    }

    fn schema(&self) -> Schema {
        self.header().into_iter().map(|name| Field::new(name.into(), DataType::String)).collect()
    }

    /// Shows all rows in frames of [`GROUP`] rows; the last may have fewer.
    fn in_groups(&self, meter: &mut Meter, show: &mut FrameVisitor) -> io::Result<()> {
        let header = self.header();
        let builder = |name: &String| StringChunkedBuilder::new(name.as_str().into(), 0);
        let mut columns: Vec<StringChunkedBuilder> = header.iter().map(builder).collect();
        let (mut rows, mut written) = (0, 0);
        let mut put = |columns: &mut [StringChunkedBuilder], rows: usize| {
            let taken = columns.iter_mut().zip(&header);
            let taken =
                taken.map(|(column, name)| std::mem::replace(column, builder(name)).finish().into_column());
            show(DataFrame::new(rows, taken.collect()).map_err(io_error)?)
        };
        for (fields, bytes, count) in self.distinct_fields() {
            for _ in 0..count {
                columns.iter_mut().zip(&fields).for_each(|(column, field)| column.append_value(field));
                rows += 1;
                written += bytes;
                if rows == GROUP {
                    put(&mut columns, rows)?;
                    rows = 0;
                    if meter(written).is_break() {
                        return Err(io::Error::other(Cancelled));
                    }
                }
            }
        }
        if rows > 0 { put(&mut columns, rows) } else { Ok(()) }
    }
}

fn io_error(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{RowName, Table, TableSpec};
    use palmtop_core::progress::unwatched;

    // holds: Rows and nothing else
    #[test]
    fn every_output_format_holds_the_same_texts() {
        let header: Vec<String> = ["age", "x, \"y\""].map(ToOwned::to_owned).to_vec();
        let numbers: Vec<String> = (0..90_000).map(|number| number.to_string()).collect();
        let rows = numbers.iter().map(|number| (vec![number.as_str(), "a\n\"b\", c"], 1));
        let lines = Lines::new(&header, rows.chain([(vec!["", ""], 3)])).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let expected = lines.page(0, 100_000);
        for (format, name) in [
            (ReleaseFormat::Csv, "r.csv"),
            (ReleaseFormat::Parquet, "r.parquet"),
            (ReleaseFormat::Arrow, "r.arrow"),
        ] {
            let path = folder.path().join(name);
            assert_eq!(ReleaseFormat::of(&path), format);
            let bytes = [(); 2].map(|()| {
                let mut bytes = Vec::new();
                lines.write_as(format, &mut bytes, &mut unwatched).unwrap();
                bytes
            });
            assert_eq!(bytes[0], bytes[1]);
            std::fs::write(&path, &bytes[0]).unwrap();
            // A release may have rows without a value, as few tables of people have.
            let mut spec = TableSpec::of(path);
            spec.rows.keep = (1..=4).map(RowName::Number).collect();
            let table = Table::open(&spec).unwrap();
            assert_eq!(table.columns(), header);
            assert!(table.page(None, 0, 100_000).unwrap() == expected, "{name}");
        }
    }

    #[test]
    fn full_disk_and_a_stop_are_told_apart() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::from_raw_os_error(28))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let lines = Lines::new(&["a".to_owned()], [(vec!["x"], 200_000)]).unwrap();
        for format in [ReleaseFormat::Parquet, ReleaseFormat::Arrow] {
            let error = lines.write_as(format, &mut Full, &mut unwatched).unwrap_err();
            assert_eq!(error.raw_os_error(), Some(28), "{format:?}");
            let stopped = lines.write_as(format, &mut io::sink(), &mut |_| std::ops::ControlFlow::Break(()));
            assert!(crate::source::watch::is_cancelled(&stopped.unwrap_err()));
        }
    }
}

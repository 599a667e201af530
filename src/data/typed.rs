//! Parquet and Arrow IPC files: a private copy of the bytes, decoded by Polars column by column; every cell as text.
//!
//! The schema is looked at before anything is decoded, and only the columns that are asked for are: what a column that
//! nobody uses holds cannot matter. What the library throws is caught and becomes an error.

mod ahead;
mod lots;
mod numbered;
mod texts;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars_arrow::array::Utf8ViewArray;
use polars_arrow::datatypes::ArrowDataType;
use polars_buffer::Buffer;

use super::error::DataError;
use super::source::Format;
use lots::{Footer, Lots};

pub(super) use ahead::Lot;
pub(super) use numbered::Numbered;

/// Is shown a column of texts for each column that was asked for, and how many rows they have; answers whether it wants more.
pub(super) type LotVisitor<'a> = dyn FnMut(&[&Utf8ViewArray], usize) -> Result<bool, DataError> + 'a;

/// A Parquet or Arrow IPC file in memory.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    path: PathBuf,
    bytes: Buffer<u8>,
    footer: Arc<Footer>,
    /// Its columns, and why one cannot be read as text.
    columns: Vec<(String, Result<(), String>)>,
}

impl Typed {
    /// Takes the bytes of a file and reads its schema.
    pub(super) fn new(path: &Path, format: Format, bytes: Vec<u8>) -> Result<Self, DataError> {
        let bytes = Buffer::from_vec(bytes);
        let footer = guarded(path, || Footer::read(format, &bytes))?;
        let columns = footer.fields().map(|field| (field.name.to_string(), readable(&field.dtype))).collect();
        Ok(Self { path: path.to_owned(), bytes, footer: Arc::new(footer), columns })
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
        let (distinct, places) = self.places(columns)?;
        let mut lots =
            guarded(&self.path, || Lots::new(&self.bytes, &self.footer, &distinct, from, Lots::STRIDE))?;
        let mut next = || {
            let Some((cells, rows)) = lots.next()? else { return Ok(None) };
            let named =
                distinct.iter().zip(&cells).map(|(&place, cells)| cells.texts(&self.columns[place].0));
            Ok(Some((named.collect::<Result<Vec<_>, _>>()?, rows)))
        };
        while let Some((columns, rows)) = guarded(&self.path, &mut next)? {
            let texts: Vec<&Utf8ViewArray> = places.iter().map(|&place| &columns[place]).collect();
            if !show(&texts, rows)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// How many rows it has, where it says so.
    pub(super) fn rows(&self) -> Option<usize> {
        self.footer.rows()
    }

    /// The places in the schema of the columns that are to be read, in order, and where among them each of these stands.
    fn places(&self, columns: &[&str]) -> Result<(Vec<usize>, Vec<usize>), DataError> {
        for column in columns {
            if let Some((_, Err(kind))) = self.columns.iter().find(|(name, _)| name == column) {
                let (path, column, kind) = (self.path.clone(), (*column).to_owned(), kind.clone());
                return Err(DataError::UnreadableType { path, column, kind });
            }
        }
        // A column that is asked for twice is read once.
        let is_wanted = |place: &usize| columns.contains(&self.columns[*place].0.as_str());
        let mut distinct: Vec<usize> = (0..self.columns.len()).filter(is_wanted).collect();
        if distinct.is_empty() {
            // Something must be read for its rows to be counted.
            distinct.extend(self.columns.iter().position(|(_, readable)| readable.is_ok()));
        }
        let of_column =
            |column: &&str| distinct.iter().position(|&place| self.columns[place].0.as_str() == *column);
        let places: Option<Vec<usize>> = columns.iter().map(of_column).collect();
        let places =
            places.ok_or_else(|| complaint(&self.path, "it lacks a column that it had".to_owned()))?;
        Ok((distinct, places))
    }
}

/// Lets a library work on the bytes of a file; a panic of it is an error like any other.
pub(super) fn guarded<R>(path: &Path, work: impl FnOnce() -> Result<R, String>) -> Result<R, DataError> {
    let _guard = Guard::new();
    let worked = catch_unwind(AssertUnwindSafe(work));
    let gave_up =
        || "the library that reads it gave up; it is damaged, or holds values out of range".to_owned();
    worked.unwrap_or_else(|_| Err(gave_up())).map_err(|detail| complaint(path, detail))
}

fn complaint(path: &Path, detail: String) -> DataError {
    DataError::Polars { path: path.to_owned(), detail }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The verifier's reader is held to the same list.
    #[test]
    fn every_type_reads_as_the_texts_that_are_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let listed = std::fs::read_to_string(root.join("tests/typed/texts.tsv")).unwrap();
        let mut read = 0;
        for line in listed.lines().filter(|line| !line.starts_with('#')) {
            let [file, column, texts] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let format = Format::of(Path::new(file)).unwrap();
            let path = root.join("fuzz/seeds").join(format.as_str()).join(file);
            let found = Typed::new(&path, format, std::fs::read(&path).unwrap()).and_then(|typed| {
                let mut found = Vec::new();
                typed.visit(&[column], 0, &mut |columns, rows| {
                    found.extend((0..rows).map(|row| columns[0].get(row).unwrap_or_default().to_owned()));
                    Ok(true)
                })?;
                // The same, numbered and ahead.
                let mut ahead = Vec::new();
                typed.visit_ahead(&[column], 1, &mut |lot| {
                    let column = &lot.numbered[0];
                    assert_eq!(column.numbers.len(), lot.rows);
                    ahead.extend(column.numbers.iter().map(|&number| column.text(number).to_owned()));
                    Ok(true)
                })?;
                assert_eq!(ahead, found, "{line}");
                // From each row on there are the rows behind it.
                for from in 0..=found.len() {
                    let mut rest = 0;
                    typed.visit(&[column], from, &mut |columns, rows| {
                        assert_eq!(columns[0].get(0).unwrap_or_default(), found[from + rest], "{line}");
                        rest += rows;
                        Ok(true)
                    })?;
                    assert_eq!(rest, found.len() - from, "{line}");
                }
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

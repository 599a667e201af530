//! Parquet and Arrow IPC files: Polars decodes a private copy of the bytes into frames; each typed
//! cell has one text.
//!
//! The schema is checked first, and only the requested columns are decoded: an unused column cannot
//! cause an error. A panic of the library becomes an error.

mod ahead;
mod decode;
mod numbered;
mod people;
pub(crate) mod texts;
mod zone;

use palmtop_core::located::LocatedError;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use polars::prelude::*;

use super::guard::{complaint, guarded};
use crate::error::DataError;
use crate::source::spec::Format;
use decode::{Bytes, Footer, Frames};

pub(crate) use ahead::{Asked, Give, Lot, Show, ahead_in_turn};
pub(crate) use decode::behind;
pub(crate) use numbered::Numbered;

/// Receives some rows as a frame; returns whether it wants more.
pub(crate) type FrameVisitor<'a> = dyn FnMut(DataFrame) -> Result<bool, DataError> + 'a;

/// A Parquet or Arrow IPC file in memory.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    path: PathBuf,
    bytes: Bytes,
    footer: Footer,
    /// The columns, each with the reason if it cannot be read as text.
    columns: Vec<(String, Result<(), String>)>,
    /// The columns of numbers.
    numeric: Vec<String>,
    /// The number of each column.
    numbers: HashMap<String, usize>,
}

impl Typed {
    /// The default number of rows in a frame.
    pub(crate) const STRIDE: usize = decode::STRIDE;

    /// Takes the bytes of a file and reads its schema.
    pub(crate) fn new(path: &Path, format: Format, bytes: Vec<u8>) -> Result<Self, DataError> {
        let bytes = Bytes::new(bytes);
        let footer = guarded(path, || Footer::read(format, &bytes))?;
        let fields = footer.fields();
        let columns: Vec<(String, Result<(), String>)> =
            fields.map(|field| (field.name.to_string(), texts::readable(&field.dtype))).collect();
        let numeric = footer.fields().filter(|field| texts::is_number(&field.dtype));
        let numeric = numeric.map(|field| field.name.to_string()).collect();
        let numbers = columns.iter().map(|(name, _)| name.clone()).zip(0..).collect();
        Ok(Self { path: path.to_owned(), bytes, footer, columns, numeric, numbers })
    }

    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    pub(crate) fn is_readable(&self, column: &str) -> bool {
        self.can_be_read(column).is_some_and(Result::is_ok)
    }

    /// Whether a column can be read as text; `None` if there is no such column.
    fn can_be_read(&self, column: &str) -> Option<&Result<(), String>> {
        self.numbers.get(column).map(|&number| &self.columns[number].1)
    }

    pub(crate) fn is_numeric(&self, column: &str) -> bool {
        self.numeric.iter().any(|name| name == column)
    }

    /// Shows some columns from a row on, as frames of at most `stride` rows.
    pub(crate) fn visit(
        &self,
        columns: &[&str],
        from: usize,
        stride: usize,
        show: &mut FrameVisitor,
    ) -> Result<(), DataError> {
        let distinct = self.distinct(columns)?;
        let mut frames = guarded(&self.path, || {
            Frames::new(&self.bytes, &self.footer, distinct, from..usize::MAX, stride)
        })?;
        while let Some(frame) = guarded(&self.path, || frames.next())? {
            if !show(frame)? {
                break;
            }
        }
        Ok(())
    }

    /// The number of rows, if the file states it.
    pub(crate) fn rows(&self) -> Option<usize> {
        self.footer.rows()
    }

    /// The columns to decode, each once, in the file's order.
    fn distinct(&self, columns: &[&str]) -> Result<Vec<String>, DataError> {
        for column in columns {
            match self.can_be_read(column) {
                Some(Ok(())) => {}
                Some(Err(kind)) => {
                    return Err(LocatedError::new(format!(
                        "its type is {kind}, which cannot be read as text"
                    ))
                    .in_file(&self.path)
                    .at_column(*column)
                    .remedy("save it as text, whole numbers or dates")
                    .into());
                }
                None => {
                    return Err(complaint(&self.path, "a column is gone that was there before".to_owned()));
                }
            }
        }
        let columns: HashSet<&str> = columns.iter().copied().collect();
        let wanted = self.columns().filter(|name| columns.contains(name));
        let mut distinct: Vec<String> = wanted.map(ToOwned::to_owned).collect();
        if distinct.is_empty() {
            // At least one column must be decoded to count the rows.
            distinct.extend(self.columns().find(|column| self.is_readable(column)).map(ToOwned::to_owned));
        }
        Ok(distinct)
    }
}

/// The texts of a frame's column, equal to those of a file's cells of its type.
///
/// # Errors
/// If a value has no text.
pub fn texts_of(column: &Column) -> Result<StringChunked, String> {
    texts::of(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verifier's reader must give the same list.
    #[test]
    fn every_type_reads_as_its_listed_texts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let listed = std::fs::read_to_string(root.join("tests/typed/texts.tsv")).unwrap();
        let mut read = 0;
        for line in listed.lines().filter(|line| !line.starts_with('#')) {
            let [file, column, texts] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let format = Format::of(Path::new(file)).unwrap();
            let path = root.join("fuzz/seeds").join(format.as_str()).join(file);
            let found = Typed::new(&path, format, std::fs::read(&path).unwrap()).and_then(|typed| {
                let mut found = Vec::new();
                typed.visit(&[column], 0, Typed::STRIDE, &mut |frame| {
                    let texts = guarded(&path, || texts::of(&frame.columns()[0]))?;
                    found.extend(texts.iter().map(|text| text.unwrap_or_default().to_owned()));
                    Ok(true)
                })?;
                // The same, numbered and ahead.
                let mut ahead = Vec::new();
                typed.visit_ahead(Asked::all(&[column], 1), &mut |lot| {
                    let column = &lot.numbered[0];
                    assert_eq!(column.numbers.len(), lot.rows);
                    ahead.extend(column.numbers.iter().map(|&number| column.text(number).to_owned()));
                    Ok(true)
                })?;
                assert_eq!(ahead, found, "{line}");
                // From each row on there are the rows behind it.
                for from in 0..=found.len() {
                    let mut rest = 0;
                    typed.visit(&[column], from, 3, &mut |frame| {
                        let texts = guarded(&path, || texts::of(&frame.columns()[0]))?;
                        assert_eq!(texts.get(0).unwrap_or_default(), found[from + rest], "{line}");
                        rest += frame.height();
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

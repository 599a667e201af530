//! The cells of a CSV hierarchy as columns of numbers, one column per level.

use std::path::Path;

use memchr::{memchr, memchr_iter, memchr2_iter};
use rustc_hash::FxHashMap;

use crate::error::DataError;
use crate::read::records::{Records, first_record_unquoted};
use crate::source::form::MOST_RECORD;
use palmtop_core::model::{Words, size};

/// The labels of one level, numbered in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Column {
    /// The label of each row.
    labels: Vec<u32>,
    /// The number of each label's text.
    pub(super) texts: Vec<u32>,
    /// The first row of each label.
    pub(super) first_rows: Vec<u32>,
}

impl Column {
    pub(super) fn label(&self, row: usize) -> u32 {
        self.labels[row]
    }

    pub(super) fn label_count(&self) -> usize {
        self.texts.len()
    }

    /// Adds a row with a new label and returns the label's number.
    fn add(&mut self, text: u32) -> u32 {
        let label = size::number(self.texts.len());
        self.texts.push(text);
        self.first_rows.push(size::number(self.labels.len()));
        label
    }
}

/// The cells of a CSV hierarchy; each text is stored once.
#[derive(Debug, Default)]
pub(super) struct Grid {
    pub(super) words: Words,
    /// Finest level first.
    pub(super) columns: Vec<Column>,
    /// The first level of each text, and its label there.
    homes: Vec<(usize, u32)>,
    /// The labels of texts at further levels.
    others: FxHashMap<(u32, usize), u32>,
}

impl Grid {
    /// The number of rows.
    pub(super) fn height(&self) -> usize {
        self.columns.first().map_or(0, |column| column.labels.len())
    }

    /// The text of a row at a level.
    pub(super) fn text(&self, level: usize, row: usize) -> &str {
        let column = &self.columns[level];
        &self.words.texts()[column.texts[column.label(row) as usize] as usize]
    }

    /// The label of a text at a level.
    pub(super) fn find(&self, text: &str, level: usize) -> Option<u32> {
        let text = self.words.find(text)?;
        match self.homes[text as usize] {
            (home, label) if home == level => Some(label),
            _ => self.others.get(&(text, level)).copied(),
        }
    }

    /// Adds a cell of the next row at a level.
    pub(super) fn push(&mut self, level: usize, text: &str) {
        if level == self.columns.len() {
            self.columns.push(Column::default());
        }
        let column = &mut self.columns[level];
        // Neighbouring rows mostly have the same label.
        let last = column.labels.last().copied();
        let last = last.filter(|&last| self.words.texts()[column.texts[last as usize] as usize] == *text);
        let label = last.unwrap_or_else(|| {
            let number = self.words.number(text);
            match self.homes.get(number as usize) {
                None => {
                    let label = column.add(number);
                    self.homes.push((level, label));
                    label
                }
                Some(&(home, label)) if home == level => label,
                Some(_) => *self.others.entry((number, level)).or_insert_with(|| column.add(number)),
            }
        });
        column.labels.push(label);
    }
}

/// Reads the cells of a file, and the line of each row.
///
/// # Errors
/// A [`DataError`] with the line if the form is wrong, a row is longer or shorter than the first,
/// or there are no rows.
pub(super) fn read_grid(path: &Path, bytes: &[u8]) -> Result<(Grid, Vec<u64>), DataError> {
    let rows = memchr_iter(b'\n', bytes).count() + 1;
    let mut rows =
        Rows { path, grid: Grid::default(), lines: Vec::with_capacity(rows), width: None, found: 0 };
    rows.grid.words = Words::with_capacity(rows.lines.capacity());
    if !plain_text(bytes).is_some_and(|text| rows.read_plain(text)) {
        rows.restart();
        rows.read_records(bytes)?;
    }
    if rows.lines.is_empty() {
        let detail = "the file is empty; expected one value per line, finest level first";
        return Err(DataError::hierarchy(path, None, detail));
    }
    Ok((rows.grid, rows.lines))
}

/// The text of a file without quotes and without lone carriage returns: each record is one line.
fn plain_text(bytes: &[u8]) -> Option<&str> {
    const MARK: char = '\u{feff}';
    let is_line_end = |at: usize| bytes.get(at + 1) == Some(&b'\n');
    if memchr(b'"', bytes).is_some() || !memchr_iter(b'\r', bytes).all(is_line_end) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix(MARK).unwrap_or(text);
    (!text.starts_with(MARK)).then_some(text)
}

/// The rows of a file during reading.
struct Rows<'a> {
    path: &'a Path,
    grid: Grid,
    lines: Vec<u64>,
    /// The number of cells of the first row.
    width: Option<usize>,
    /// The number of cells read of this row.
    found: usize,
}

impl Rows<'_> {
    fn restart(&mut self) {
        *self = Self { path: self.path, grid: Grid::default(), lines: Vec::new(), width: None, found: 0 };
    }

    fn cell(&mut self, text: &str) {
        if self.width.is_none_or(|width| self.found < width) {
            self.grid.push(self.found, text);
        }
        self.found += 1;
    }

    fn end(&mut self, line: u64) -> Result<(), DataError> {
        let found = std::mem::take(&mut self.found);
        let expected = *self.width.get_or_insert(found);
        if found != expected {
            return Err(DataError::ragged(self.path, line, found, expected));
        }
        self.lines.push(line);
        Ok(())
    }

    /// Reads lines without quotes; `false` if something is wrong.
    /// [`read_records`](Self::read_records) then gives the error.
    fn read_plain(&mut self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let first = memchr(b'\n', bytes).map_or(bytes, |end| &bytes[..end]);
        let separator = if memchr(b';', first).is_some() { b';' } else { b',' };
        let end_of_last = Some(bytes.len()).filter(|_| !bytes.is_empty() && !bytes.ends_with(b"\n"));
        let (mut line, mut line_start, mut start) = (1, 0, 0);
        for end in memchr2_iter(separator, b'\n', bytes).chain(end_of_last) {
            let cell = &text[start..end];
            start = end + 1;
            if bytes.get(end) == Some(&separator) {
                self.cell(cell);
                continue;
            }
            let cell = cell.strip_suffix('\r').unwrap_or(cell);
            let is_blank = self.found == 0 && cell.is_empty();
            if is_blank || (start - line_start) as u64 > MOST_RECORD {
                return false;
            }
            self.cell(cell);
            if self.end(line).is_err() {
                return false;
            }
            line += 1;
            line_start = start;
        }
        true
    }

    /// Reads any CSV file, with or without quotes.
    fn read_records(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let quote = Some(b'"');
        let separator = if first_record_unquoted(bytes, quote).contains(&b';') { b';' } else { b',' };
        let mut records = Records::new(self.path, separator, quote, bytes);
        while let Some(record) = records.next()? {
            for text in record.texts(&[]) {
                self.cell(text.map_err(DataError::of_hierarchy)?);
            }
            self.end(record.line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8], is_plain: bool) -> Result<(Vec<Vec<String>>, Vec<u64>), String> {
        let path = Path::new("h.csv");
        let mut rows = Rows { path, grid: Grid::default(), lines: Vec::new(), width: None, found: 0 };
        let read = if is_plain {
            read_grid(path, bytes)
        } else {
            rows.read_records(bytes).map(|()| (rows.grid, rows.lines))
        };
        let (grid, lines) = read.map_err(|error| error.to_string())?;
        let row = |row| (0..grid.columns.len()).map(|level| grid.text(level, row).to_owned()).collect();
        Ok(((0..grid.height()).map(row).collect(), lines))
    }

    proptest! {
        /// Both ways of reading give the same rows and errors as the reader of tables.
        #[test]
        fn plain_lines_are_read_as_records(text in "\u{feff}{0,2}([ab;,ä\n]|\r\n|[\"\r]{0,1}){0,24}") {
            let (plain, records) = (read(text.as_bytes(), true), read(text.as_bytes(), false));
            match records {
                Ok((rows, _)) if rows.is_empty() => prop_assert!(plain.unwrap_err().contains("the file is empty")),
                records => prop_assert_eq!(plain, records),
            }
        }
    }

    #[test]
    fn each_text_has_one_number_and_its_labels() {
        let (grid, lines) = read_grid(Path::new("h.csv"), "a;x;*\r\nb;y;*\r\nx;x;*".as_bytes()).unwrap();
        assert_eq!(lines, [1, 2, 3]);
        assert_eq!((grid.find("x", 0), grid.find("x", 1), grid.find("a", 1)), (Some(2), Some(0), None));
        assert_eq!((grid.text(0, 2), grid.text(1, 2), grid.words.texts().len()), ("x", "x", 5));
    }

    #[test]
    fn undecodable_text_is_refused_with_its_line() {
        assert!(read(b"a;*\nb\xff;*\n", true).unwrap_err().contains("line 2"));
        assert_eq!(read(b"a;*\nb;*;*\n", true), read(b"a;*\nb;*;*\n", false));
    }
}

//! The released file as it stands on disk: its form checked byte by byte, its fields read by the `csv` crate.

use std::path::Path;

use super::problem::{Problem, Problems};
use crate::data::error::DataError;

/// The header and rows of a released file.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) header: Vec<String>,
    /// The rows that fit the header.
    pub(super) rows: Vec<Row>,
    /// How many rows there are, fitting or not.
    pub(super) rows_read: u64,
    /// Whether there is something that could not be read, so that nothing is known about who matches it.
    pub(super) is_partial: bool,
}

/// A released row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) fields: Vec<String>,
}

impl Written {
    /// Reads a file; all that is wrong with its form goes to `problems`. `None` where it has not even a header to read.
    pub(super) fn read(path: &Path, problems: &mut Problems) -> Result<Option<Self>, DataError> {
        let bytes = std::fs::read(path).map_err(DataError::io("read release", path))?;
        if let Err(error) = std::str::from_utf8(&bytes) {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() as u64;
            problems.push(Problem::NotUtf8 { line });
            return Ok(None);
        }
        if bytes.starts_with("\u{feff}".as_bytes()) {
            problems.push(Problem::ByteOrderMark);
        }
        let lines = split(&bytes, problems);
        let complaint = |source| DataError::Csv { path: path.to_owned(), source };
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes.as_slice());
        let records = reader.records().collect::<Result<Vec<_>, _>>().map_err(complaint)?;
        let mut written = Self::default();
        if lines.len() != records.len() {
            // The two readers part only over stray quotes, which the first has reported.
            problems.push(Problem::StrayQuote { line: 1 });
            written.is_partial = true;
        }
        let mut rows = lines.iter().zip(records).map(|(line, record)| Row {
            line: line.number,
            fields: record.iter().map(ToOwned::to_owned).collect(),
        });
        let Some(header) = rows.next() else {
            problems.push(Problem::Empty);
            return Ok(None);
        };
        written.header = header.fields;
        written.rows = rows.collect();
        written.rows_read = written.rows.len() as u64;
        written.check_fields(problems);
        for pair in lines.get(1..).unwrap_or_default().windows(2).filter(|pair| pair[0].bytes > pair[1].bytes)
        {
            problems.push(Problem::Unsorted { line: pair[1].number });
        }
        Ok(Some(written))
    }

    /// Removes rows that do not fit the header.
    fn check_fields(&mut self, problems: &mut Problems) {
        let expected = self.header.len();
        let before = self.rows.len();
        self.rows.retain(|row| {
            let found = row.fields.len();
            if found != expected {
                problems.push(Problem::Fields { line: row.line, found, expected });
            }
            found == expected
        });
        self.is_partial |= self.rows.len() < before;
    }
}

/// A line that is not blank, which may run over several where it has line ends in quotes.
struct Line<'a> {
    number: u64,
    /// As written, its end included.
    bytes: &'a [u8],
}

/// Where in a line a byte stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    FieldStart,
    Plain,
    Quoted,
    /// Behind a quote in a quoted field: doubled, or the end.
    QuoteInQuoted,
}

/// Splits a file into its lines, by the letter of RFC 4180.
fn split<'a>(bytes: &'a [u8], problems: &mut Problems) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let (mut start, mut first_number, mut number) = (0, 1, 1);
    let mut place = Place::FieldStart;
    for (at, &byte) in bytes.iter().enumerate() {
        let is_last = at + 1 == bytes.len();
        if byte == b'\n' {
            number += 1;
        }
        let ends = byte == b'\n' || byte == b'\r';
        place = match (place, byte) {
            (Place::Quoted, b'"') => Place::QuoteInQuoted,
            (Place::Quoted, _) | (Place::QuoteInQuoted, b'"') => Place::Quoted,
            (Place::FieldStart, b'"') => Place::Quoted,
            (_, b',') => Place::FieldStart,
            _ if ends => Place::FieldStart,
            (Place::QuoteInQuoted, _) | (Place::Plain, b'"') => {
                problems.push(Problem::StrayQuote { line: first_number });
                Place::Plain
            }
            _ => Place::Plain,
        };
        let is_end = ends && place == Place::FieldStart;
        if is_end && byte == b'\r' {
            problems.push(Problem::CarriageReturn { line: first_number });
            if bytes.get(at + 1) == Some(&b'\n') {
                continue;
            }
        }
        if is_end || is_last {
            let line = &bytes[start..=at];
            if line.iter().all(|byte| matches!(byte, b'\n' | b'\r')) {
                problems.push(Problem::BlankLine { line: first_number });
            } else {
                lines.push(Line { number: first_number, bytes: line });
            }
            (start, first_number) = (at + 1, number);
        }
        if is_last && !is_end {
            problems.push(Problem::NoLineEnd { line: number });
            if place == Place::Quoted {
                problems.push(Problem::StrayQuote { line: number });
            }
        }
    }
    lines
}

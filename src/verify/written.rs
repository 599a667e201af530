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
        Self::parse(&bytes, problems).map_err(|source| super::table::csv_wrong(path, &source))
    }

    fn parse(bytes: &[u8], problems: &mut Problems) -> Result<Option<Self>, csv::Error> {
        if let Err(error) = std::str::from_utf8(bytes) {
            let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count() as u64;
            problems.push(Problem::NotUtf8 { line });
            return Ok(None);
        }
        if bytes.starts_with("\u{feff}".as_bytes()) {
            problems.push(Problem::ByteOrderMark);
        }
        let lines = split(bytes, problems);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let records = reader.records().collect::<Result<Vec<_>, _>>()?;
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
            (Place::Quoted, _) | (Place::QuoteInQuoted | Place::FieldStart, b'"') => Place::Quoted,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Option<Written>, Vec<Problem>) {
        let mut problems = Problems::default();
        let written = Written::parse(text.as_bytes(), &mut problems).unwrap();
        (written, problems.into_list())
    }

    /// Every file of up to six of these characters: a file without complaint says what it says when written anew, but
    /// for quotes that are not needed; and the two readers never part unreported.
    #[test]
    fn whatever_is_not_complained_about_reads_one_way_only() {
        let mut files = vec![String::new()];
        let mut clean = 0;
        for _ in 0..6 {
            files = files
                .iter()
                .flat_map(|file| ["a", ",", "\"", "\n", "\r"].map(|next| format!("{file}{next}")))
                .collect();
            for file in &files {
                let (written, problems) = parse(file);
                if !problems.is_empty() {
                    continue;
                }
                clean += 1;
                let written = written.unwrap();
                let all = std::iter::once(&written.header).chain(written.rows.iter().map(|row| &row.fields));
                let quoted = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
                let fields: Vec<Vec<&String>> = all.map(|fields| fields.iter().collect()).collect();
                let anew = |plain: bool| {
                    let field = |field: &&String| if plain { (*field).clone() } else { quoted(field) };
                    let line =
                        |fields: &Vec<&String>| fields.iter().map(field).collect::<Vec<_>>().join(",") + "\n";
                    fields.iter().map(line).collect::<String>()
                };
                if file.contains('"') {
                    let (again, problems) = parse(&anew(false));
                    // Only the order may change with the quotes.
                    assert!(
                        problems.iter().all(|problem| matches!(problem, Problem::Unsorted { .. })),
                        "{file:?}"
                    );
                    let again = again.unwrap();
                    assert_eq!(again.header, written.header, "{file:?}");
                    assert_eq!(again.rows_read, written.rows_read, "{file:?}");
                    let pairs = again.rows.iter().zip(&written.rows);
                    assert!(pairs.into_iter().all(|(one, other)| one.fields == other.fields), "{file:?}");
                } else {
                    assert_eq!(anew(true), *file);
                }
            }
        }
        assert!(clean > 100, "{clean}");
    }

    #[test]
    fn lines_are_numbered_as_an_editor_numbers_them() {
        let (written, problems) = parse("a,b\n\"1\n2\",x\n\n3,y,z\n4,\"\"\"\"\n");
        let lines: Vec<u64> = written.unwrap().rows.iter().map(|row| row.line).collect();
        assert_eq!(lines, [2, 6]);
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, ["line 4: blank", "line 5: 3 fields, expected 2"]);
    }
}

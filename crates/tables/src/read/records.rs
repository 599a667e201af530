//! Reads a CSV file record by record. [`form`](crate::source::form) checks its form and the `csv`
//! crate splits its fields; both must agree on the number of records.
//! `bad_lines` and `beginning` follow the same rules of quotes, for messages and doubts only.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use csv::ByteRecord;

use crate::error::{DataError, NotUtf8};
use crate::source::form::Form;

/// The records of a CSV file.
pub(crate) struct Records<R> {
    path: PathBuf,
    reader: csv::Reader<Form<R>>,
    record: ByteRecord,
    read: u64,
    /// The line of the next record, from 1. The count of the `csv` crate omits the line feed after
    /// a carriage return.
    line: u64,
}

/// One record: its line in the file, from 1, and its fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'a> {
    pub(crate) line: u64,
    fields: &'a ByteRecord,
    path: &'a Path,
}

impl<R: Read> Records<R> {
    pub(crate) fn new(path: &Path, separator: u8, quote: Option<u8>, input: R) -> Self {
        Self::at_line(path, separator, quote, 1, input)
    }

    /// The records of an input that begins at this line of the file.
    pub(crate) fn at_line(path: &Path, separator: u8, quote: Option<u8>, line: u64, input: R) -> Self {
        let reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .quote(quote.unwrap_or(b'"'))
            .quoting(quote.is_some())
            .flexible(true)
            .has_headers(false)
            .buffer_capacity(1 << 16)
            .from_reader(Form::new(input, separator, quote).counted_from(line));
        Self { path: path.to_owned(), reader, record: ByteRecord::new(), read: 0, line }
    }

    /// The next record; `None` after the last.
    ///
    /// # Errors
    /// A [`DataError`] with file and line: the form is wrong, or the file cannot be read.
    pub(crate) fn next(&mut self) -> Result<Option<Record<'_>>, DataError> {
        let more = self.reader.read_byte_record(&mut self.record);
        if !more.map_err(|error| csv_error(&self.path, error))? {
            let expected = self.reader.get_ref().records();
            if self.read != expected {
                let difference = format!("{} records and {expected}", self.read);
                return Err(DataError::two_readings(&self.path, &difference));
            }
            return Ok(None);
        }
        self.read += 1;
        let line = self.line;
        let within = memchr::memchr_iter(b'\n', self.record.as_slice()).count();
        self.line += 1 + within as u64;
        Ok(Some(Record { line, fields: &self.record, path: &self.path }))
    }
}

/// The fields of a record, all of them UTF-8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    /// The fields, concatenated.
    text: &'a str,
    record: &'a ByteRecord,
}

impl<'a> Fields<'a> {
    /// All fields.
    pub(super) fn iter(self) -> impl Iterator<Item = &'a str> + Clone {
        (0..self.record.len()).map(move |index| self.get(index))
    }

    /// The field at an index; the empty text after the last.
    pub(super) fn get(&self, index: usize) -> &'a str {
        self.record.range(index).map(|range| &self.text[range]).unwrap_or_default()
    }
}

impl<'a> Record<'a> {
    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// The fields as far as they are texts; a field that is none is empty.
    pub(super) fn cells(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.fields.iter().map(|field| std::str::from_utf8(field).unwrap_or_default())
    }

    /// All fields, validated at once.
    ///
    /// # Errors
    /// As [`texts`](Self::texts).
    pub(super) fn fields(&self, names: &'a [String]) -> Result<Fields<'a>, DataError> {
        let record = self.fields;
        let ends = (0..record.len()).filter_map(|index| record.range(index)).map(|range| range.end);
        // A character must not begin in one field and end in the next.
        if let Ok(text) = std::str::from_utf8(record.as_slice())
            && ends.into_iter().all(|end| text.is_char_boundary(end))
        {
            return Ok(Fields { text, record });
        }
        let wrong = self.texts(names).find_map(Result::err);
        Err(wrong.unwrap_or_else(|| {
            DataError::two_readings(self.path, &format!("line {} is UTF-8, and is not", self.line))
        }))
    }

    /// The fields as texts.
    ///
    /// # Errors
    /// [`DataError::NotUtf8`] with the line, and with the column if names are given.
    pub(crate) fn texts(
        &self,
        names: &'a [String],
    ) -> impl Iterator<Item = Result<&'a str, DataError>> + use<'a> {
        let (line, path) = (self.line, self.path);
        self.fields.iter().enumerate().map(move |(index, field)| {
            std::str::from_utf8(field).map_err(|error| {
                let column = names.get(index).cloned();
                DataError::NotUtf8(Box::new(NotUtf8::new(path, line, column, field, error)))
            })
        })
    }
}

fn csv_error(path: &Path, error: csv::Error) -> DataError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => DataError::io("read", path)(error),
        kind => DataError::two_readings(path, &format!("{kind:?}")),
    }
}

/// The separator of a file: the most frequent of `,` `;` tab and `|` outside quotes in its header.
/// The earlier one wins a tie; a comma is the default.
///
/// # Errors
/// As reading `input` does.
pub(super) fn sniff_separator(mut input: impl Read, quote: Option<u8>) -> io::Result<u8> {
    let mut start = Vec::new();
    // Nearly all headers are shorter than the first limit.
    for most in [1 << 16, 16 << 20] {
        (&mut input).take(most).read_to_end(&mut start)?;
        if (start.len() as u64) < most || ends(&start, quote) {
            break;
        }
    }
    let header = first_record_unquoted(&start, quote);
    let count = |separator: u8| header.split(|&byte| byte == separator).count();
    // `max_by_key` keeps the last of equal items, so the comma comes last.
    Ok([b'|', b'\t', b';', b','].into_iter().max_by_key(|&separator| count(separator)).unwrap_or(b','))
}

fn ends(bytes: &[u8], quote: Option<u8>) -> bool {
    let mut is_quoted = false;
    bytes.iter().any(|&byte| {
        is_quoted ^= Some(byte) == quote;
        byte == b'\n' && !is_quoted
    })
}

/// The bytes outside quotes of the first record; a quoted field may contain line ends.
pub(crate) fn first_record_unquoted(bytes: &[u8], quote: Option<u8>) -> Vec<u8> {
    let (mut is_quoted, mut outside) = (false, Vec::new());
    for &byte in bytes {
        match byte {
            byte if Some(byte) == quote => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            _ if is_quoted => {}
            _ => outside.push(byte),
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn character_split_between_fields_is_an_error() {
        let names = ["a".to_owned(), "b".to_owned()];
        let bytes = b"a,b\n\xC3\xA9,x\n\xC3,\xA9\n";
        let mut records = Records::new(Path::new("t.csv"), b',', Some(b'"'), &bytes[..]);
        records.next().unwrap();
        let record = records.next().unwrap().unwrap();
        let fields = record.fields(&names).unwrap();
        assert_eq!([fields.get(0), fields.get(1), fields.get(2)], ["é", "x", ""]);
        let record = records.next().unwrap().unwrap();
        let error = record.fields(&names).unwrap_err();
        assert!(error.to_string().starts_with("t.csv, line 3: not UTF-8 in column `a`"), "{error}");
    }

    #[test]
    fn lines_are_numbered_as_an_editor_numbers_them() {
        for (text, lines) in [
            ("a,b\n1,2\n3,4\n", vec![1, 2, 3]),
            ("a,b\r\n1,2\r\n3,4", vec![1, 2, 3]),
            ("a,b\r\n\"1\r\n\n1\",2\r\n3,4\r\n", vec![1, 2, 5]),
        ] {
            let mut records = Records::new(Path::new("t.csv"), b',', Some(b'"'), text.as_bytes());
            let mut found = Vec::new();
            while let Some(record) = records.next().unwrap() {
                found.push(record.line);
            }
            assert_eq!(found, lines, "{text:?}");
        }
    }
}

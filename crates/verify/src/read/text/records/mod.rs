//! A strict CSV reader (RFC 4180) that reads one record at a time. Text that can be read in two ways is a fault.

use std::fmt;
use std::io::{self, BufRead};

/// The limit of a record, in bytes without its line end.
pub(crate) const LONGEST: usize = 16 << 20;

/// The reason why the rest of a file cannot be read.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The operating system could not read the file.
    Io(io::Error),
    /// A quote inside a field that does not begin with one, or text after the closing quote.
    StrayQuote { line: u64 },
    /// A quoted field without a closing quote.
    OpenQuote { line: u64 },
    /// A carriage return outside quotes that no line feed follows.
    LoneReturn { line: u64 },
    /// Bytes that are not UTF-8. `field` is the index of the field, from 0.
    NotUtf8 { line: u64, field: usize },
    /// A record of more than [`LONGEST`] bytes.
    TooLong { line: u64 },
}

impl Fault {
    /// The line, from 1; 0 for errors of the operating system.
    pub(crate) fn line(&self) -> u64 {
        match *self {
            Self::Io(_) => 0,
            Self::StrayQuote { line }
            | Self::OpenQuote { line }
            | Self::LoneReturn { line }
            | Self::NotUtf8 { line, .. }
            | Self::TooLong { line } => line,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::StrayQuote { .. } => {
                f.write_str("a stray quote; put quotes around the whole field, and double the quotes inside it (RFC 4180)")
            }
            Self::OpenQuote { .. } => f.write_str("a quoted field has no closing quote; add one"),
            Self::LoneReturn { .. } => f.write_str(
                "a carriage return without a line feed; end lines in LF or CR LF, or quote the field",
            ),
            Self::NotUtf8 { .. } => {
                f.write_str("not UTF-8; set `encoding` in the project, or convert the file")
            }
            Self::TooLong { .. } => {
                write!(f, "a record of more than {} MiB; look for a missing closing quote", LONGEST >> 20)
            }
        }
    }
}

/// How a record ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    #[default]
    Line,
    ReturnAndLine,
    File,
}

impl End {
    /// The width in bytes.
    fn width(self) -> usize {
        match self {
            Self::Line => 1,
            Self::ReturnAndLine => 2,
            Self::File => 0,
        }
    }
}

/// A record: the texts of its fields, without quotes. A record without fields is a blank line.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The first line of the record, from 1.
    pub(crate) line: u64,
    pub(crate) end: End,
    text: String,
    /// The end of each field in `text`.
    ends: Vec<usize>,
    /// The bytes of the record in the file, without the line end. Empty unless [`Records::keep_raw`] was called.
    pub(crate) raw: Vec<u8>,
}

impl Record {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn field(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.text[start..self.ends[index]]
    }

    pub(crate) fn fields(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|index| self.field(index))
    }
}

/// The state of the parser before a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field: the next byte decides whether the quote is doubled or closes the field.
    QuoteInQuoted,
    Return,
}

/// The records of a file.
#[derive(Debug)]
pub(crate) struct Records<R> {
    /// The bytes after the last record.
    pub(super) source: R,
    pub(super) separator: u8,
    /// The quote character. Without one, no field is quoted.
    pub(super) quote: Option<u8>,
    /// The line of the next byte, from 1.
    pub(super) line: u64,
    keeps_raw: bool,
    /// For each byte: whether it is the separator, the quote or part of a line end.
    is_special: [bool; 256],
}

impl<R: BufRead> Records<R> {
    pub(crate) fn new(source: R, separator: u8, quote: Option<u8>) -> Self {
        let mut is_special = [false; 256];
        for byte in [b'\n', b'\r', separator].into_iter().chain(quote) {
            is_special[usize::from(byte)] = true;
        }
        Self { source, separator, quote, line: 1, keeps_raw: false, is_special }
    }

    /// Counts lines from this one.
    pub(crate) fn counted_from(mut self, line: u64) -> Self {
        self.line = line;
        self
    }

    /// Keeps the bytes of each record in [`Record::raw`].
    pub(crate) fn keep_raw(mut self) -> Self {
        self.keeps_raw = true;
        self
    }

    /// The line of the next record, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next record; `false` at the end of the file.
    pub(crate) fn read(&mut self, record: &mut Record) -> Result<bool, Fault> {
        let mut text = std::mem::take(&mut record.text).into_bytes();
        text.clear();
        record.ends.clear();
        record.raw.clear();
        record.line = self.line;
        let Some(end) = self.scan(record, &mut text)? else { return Ok(false) };
        record.end = end;
        record.text = Self::check_text(record, text)?;
        Ok(true)
    }

    /// Splits the next record into fields; `None` at the end of the file.
    fn scan(&mut self, record: &mut Record, text: &mut Vec<u8>) -> Result<Option<End>, Fault> {
        let mut scan = Scan { state: State::FieldStart, length: 0, line: self.line, opened: self.line };
        loop {
            let chunk = match self.source.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Fault::Io(error)),
            };
            if chunk.is_empty() {
                return scan.finish(&mut record.ends, text.len());
            }
            if scan.length == 0
                && let Some((content, end)) =
                    Self::take_plain(chunk, self.separator, &self.is_special, &mut record.ends, text)
            {
                if self.keeps_raw {
                    record.raw.extend_from_slice(&chunk[..content]);
                }
                self.source.consume(content + end.width());
                self.line += 1;
                return Ok(Some(end));
            }
            let (read, end) = scan.read(chunk, self.separator, self.quote, &mut record.ends, text)?;
            if self.keeps_raw {
                record.raw.extend_from_slice(&chunk[..read]);
            }
            self.source.consume(read);
            scan.length += read;
            self.line = scan.line;
            let content = scan.length - end.map_or(0, End::width);
            if content > LONGEST + usize::from(end.is_none() && scan.state == State::Return) {
                return Err(Fault::TooLong { line: record.line });
            }
            if let Some(end) = end {
                if end == End::Line && content > 0 {
                    record.ends.push(text.len());
                }
                self.line += 1;
                record.raw.truncate(content);
                return Ok(Some(end));
            }
        }
    }

    /// Reads a record without quotes that ends in this chunk; returns its length and its end. `None`, with no field read, if
    /// the record has quotes, is incomplete or is faulty.
    fn take_plain(
        chunk: &[u8],
        separator: u8,
        is_special: &[bool; 256],
        ends: &mut Vec<usize>,
        text: &mut Vec<u8>,
    ) -> Option<(usize, End)> {
        let mut start = 0;
        let found = loop {
            let run = chunk[start..].iter().position(|&byte| is_special[usize::from(byte)]);
            let Some(stop) = run.map(|run| start + run) else { break None };
            let end = match chunk[stop] {
                byte if byte == separator => None,
                b'\n' => Some(End::Line),
                b'\r' if chunk.get(stop + 1) == Some(&b'\n') => Some(End::ReturnAndLine),
                _ => break None,
            };
            text.extend_from_slice(&chunk[start..stop]);
            ends.push(text.len());
            start = stop + 1;
            if let Some(end) = end {
                break Some((stop, end)).filter(|_| (1..=LONGEST).contains(&stop));
            }
        };
        if found.is_none() {
            text.clear();
            ends.clear();
        }
        found
    }

    /// Checks that each field is UTF-8.
    fn check_text(record: &Record, text: Vec<u8>) -> Result<String, Fault> {
        let wrong = |index: usize, text: &[u8]| Fault::NotUtf8 {
            line: record.line + line_ends(&text[..index]),
            field: record.ends.partition_point(|&end| end <= index),
        };
        let text = String::from_utf8(text).map_err(|error| {
            let index = error.utf8_error().valid_up_to();
            wrong(index, error.as_bytes())
        })?;
        // Two halves of a character in two fields are not UTF-8, although the joined text is.
        match record.ends.iter().find(|&&end| !text.is_char_boundary(end)) {
            Some(&end) => Err(wrong(end - 1, text.as_bytes())),
            None => Ok(text),
        }
    }
}

/// A record during reading.
struct Scan {
    /// The state after the last byte.
    state: State,
    /// The number of bytes of the record in earlier chunks.
    length: usize,
    /// The present line.
    line: u64,
    /// The line of the last opening quote.
    opened: u64,
}

impl Scan {
    /// Reads the bytes of a chunk up to the end of the record. Returns their number, and the end if the chunk has it.
    fn read(
        &mut self,
        chunk: &[u8],
        separator: u8,
        quote: Option<u8>,
        ends: &mut Vec<usize>,
        text: &mut Vec<u8>,
    ) -> Result<(usize, Option<End>), Fault> {
        let is_special =
            |&byte: &u8| byte == separator || matches!(byte, b'\n' | b'\r') || Some(byte) == quote;
        let mut next = 0;
        let mut end = None;
        while next < chunk.len() && end.is_none() {
            let byte = chunk[next];
            match self.state {
                State::Return if byte == b'\n' => end = Some(End::ReturnAndLine),
                State::Return => return Err(Fault::LoneReturn { line: self.line }),
                State::Quoted => {
                    let inside = &chunk[next..];
                    let run = inside.iter().position(|&byte| Some(byte) == quote).unwrap_or(inside.len());
                    text.extend_from_slice(&inside[..run]);
                    self.line += line_ends(&inside[..run]);
                    next += run;
                    if next < chunk.len() {
                        self.state = State::QuoteInQuoted;
                        next += 1;
                    }
                    continue;
                }
                State::FieldStart if Some(byte) == quote => {
                    self.state = State::Quoted;
                    self.opened = self.line;
                }
                State::QuoteInQuoted if Some(byte) == quote => {
                    text.push(byte);
                    self.state = State::Quoted;
                }
                _ if byte == separator => {
                    ends.push(text.len());
                    self.state = State::FieldStart;
                }
                _ if byte == b'\n' => end = Some(End::Line),
                _ if byte == b'\r' => {
                    // A carriage return at the beginning of a line ends a blank line.
                    if self.length + next > 0 {
                        ends.push(text.len());
                    }
                    self.state = State::Return;
                }
                State::QuoteInQuoted => return Err(Fault::StrayQuote { line: self.line }),
                State::FieldStart | State::Plain => {
                    let rest = &chunk[next..];
                    let run = rest.iter().position(is_special).unwrap_or(rest.len());
                    if run < rest.len() && Some(rest[run]) == quote {
                        return Err(Fault::StrayQuote { line: self.line });
                    }
                    text.extend_from_slice(&rest[..run]);
                    self.state = State::Plain;
                    next += run;
                    continue;
                }
            }
            next += 1;
        }
        Ok((next, end))
    }

    /// The end of the record at the end of the file; `None` if there is no record.
    fn finish(&self, ends: &mut Vec<usize>, text_length: usize) -> Result<Option<End>, Fault> {
        match self.state {
            State::Quoted => Err(Fault::OpenQuote { line: self.opened }),
            State::Return => Err(Fault::LoneReturn { line: self.line }),
            State::FieldStart if self.length == 0 => Ok(None),
            State::FieldStart | State::Plain | State::QuoteInQuoted => {
                ends.push(text_length);
                Ok(Some(End::File))
            }
        }
    }
}

/// The number of line feeds.
pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.split(|&byte| byte == b'\n').skip(1).count() as u64
}

#[cfg(test)]
mod tests;

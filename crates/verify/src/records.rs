//! CSV by the letter of RFC 4180, record by record over ordinary reads: whatever can be read in two ways is a fault.

use std::fmt;
use std::io::{self, BufRead};

/// How many bytes a record may have, its line end not counted.
pub(super) const LONGEST: usize = 16 << 20;

/// Why a file cannot be read on.
#[derive(Debug)]
pub(super) enum Fault {
    /// The operating system refused.
    Io(io::Error),
    /// A quote inside a field that does not begin with one, or something behind the closing quote.
    StrayQuote { line: u64 },
    /// A quoted field without an end.
    OpenQuote { line: u64 },
    /// A carriage return outside quotes that no line feed follows.
    LoneReturn { line: u64 },
    /// Bytes that are no UTF-8; the field is counted from 0.
    NotUtf8 { line: u64, field: usize },
    /// A record of more than [`LONGEST`] bytes.
    TooLong { line: u64 },
}

impl Fault {
    /// The line, from 1; 0 where there is none.
    pub(super) fn line(&self) -> u64 {
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
                f.write_str("a stray quote; quote a field whole, and double the quotes in it (RFC 4180)")
            }
            Self::OpenQuote { .. } => f.write_str("a quote is opened and never closed; close it"),
            Self::LoneReturn { .. } => f.write_str(
                "a carriage return without a line feed; end lines in LF or CR LF, or quote the field",
            ),
            Self::NotUtf8 { .. } => {
                f.write_str("not UTF-8; say in the project's `encoding` what it is, or convert the file")
            }
            Self::TooLong { .. } => {
                write!(f, "a record of more than {} MiB; look for a quote that is not closed", LONGEST >> 20)
            }
        }
    }
}

/// How a record ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    #[default]
    Line,
    ReturnAndLine,
    File,
}

impl End {
    /// How many bytes it takes.
    fn width(self) -> usize {
        match self {
            Self::Line => 1,
            Self::ReturnAndLine => 2,
            Self::File => 0,
        }
    }
}

/// One record: its texts, quotes removed. One without fields is a blank line.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The line that it begins in, from 1.
    pub(super) line: u64,
    pub(super) end: End,
    text: String,
    /// Where each field ends in `text`.
    ends: Vec<usize>,
    /// Its bytes as they stand in the file, without the line end; only where they are kept.
    pub(super) raw: Vec<u8>,
}

impl Record {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn is_blank(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn field(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[place]]
    }

    pub(super) fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|place| self.field(place))
    }
}

/// Where in a record a byte stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// Behind a quote in a quoted field: doubled, or the end.
    QuoteInQuoted,
    Return,
}

/// The records of a file.
#[derive(Debug)]
pub(super) struct Records<R> {
    source: R,
    separator: u8,
    /// What fields are quoted with, if with anything.
    quote: Option<u8>,
    /// The line of the next byte.
    line: u64,
    keeps_raw: bool,
    /// Of each byte, whether it separates, quotes or ends something.
    is_special: [bool; 256],
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(source: R, separator: u8, quote: Option<u8>) -> Self {
        let mut is_special = [false; 256];
        for byte in [b'\n', b'\r', separator].into_iter().chain(quote) {
            is_special[usize::from(byte)] = true;
        }
        Self { source, separator, quote, line: 1, keeps_raw: false, is_special }
    }

    /// Keeps of each record the bytes as they stand in the file.
    pub(super) fn keep_raw(mut self) -> Self {
        self.keeps_raw = true;
        self
    }

    /// The line of what comes next, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next record; `false` at the end of the file.
    pub(super) fn read(&mut self, record: &mut Record) -> Result<bool, Fault> {
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

    /// Takes one record apart; `None` at the end of the file.
    fn scan(&mut self, record: &mut Record, text: &mut Vec<u8>) -> Result<Option<End>, Fault> {
        let mut state = State::FieldStart;
        let (mut length, mut opened) = (0_usize, self.line);
        loop {
            let chunk = match self.source.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Fault::Io(error)),
            };
            if chunk.is_empty() {
                return match state {
                    State::Quoted => Err(Fault::OpenQuote { line: opened }),
                    State::Return => Err(Fault::LoneReturn { line: self.line }),
                    State::FieldStart if length == 0 => Ok(None),
                    State::FieldStart | State::Plain | State::QuoteInQuoted => {
                        record.ends.push(text.len());
                        Ok(Some(End::File))
                    }
                };
            }
            if length == 0
                && let Some((content, end)) =
                    Self::take_plain(chunk, (self.separator, &self.is_special), (&mut record.ends, text))
            {
                if self.keeps_raw {
                    record.raw.extend_from_slice(&chunk[..content]);
                }
                self.source.consume(content + end.width());
                self.line += 1;
                return Ok(Some(end));
            }
            let mut at = 0;
            let mut end = None;
            while at < chunk.len() && end.is_none() {
                let byte = chunk[at];
                match state {
                    State::Return if byte == b'\n' => end = Some(End::ReturnAndLine),
                    State::Return => return Err(Fault::LoneReturn { line: self.line }),
                    State::Quoted => {
                        let inside = &chunk[at..];
                        let run =
                            inside.iter().position(|&byte| Some(byte) == self.quote).unwrap_or(inside.len());
                        text.extend_from_slice(&inside[..run]);
                        self.line += line_ends(&inside[..run]);
                        at += run;
                        if at < chunk.len() {
                            state = State::QuoteInQuoted;
                            at += 1;
                        }
                        continue;
                    }
                    State::FieldStart if Some(byte) == self.quote => {
                        state = State::Quoted;
                        opened = self.line;
                    }
                    State::QuoteInQuoted if Some(byte) == self.quote => {
                        text.push(byte);
                        state = State::Quoted;
                    }
                    _ if byte == self.separator => {
                        record.ends.push(text.len());
                        state = State::FieldStart;
                    }
                    _ if byte == b'\n' => end = Some(End::Line),
                    _ if byte == b'\r' => {
                        // Without anything before it, it ends a blank line.
                        if length + at > 0 {
                            record.ends.push(text.len());
                        }
                        state = State::Return;
                    }
                    State::QuoteInQuoted => return Err(Fault::StrayQuote { line: self.line }),
                    State::FieldStart | State::Plain => {
                        let rest = &chunk[at..];
                        let (separator, quote) = (self.separator, self.quote);
                        let special = |&byte: &u8| {
                            byte == separator || matches!(byte, b'\n' | b'\r') || Some(byte) == quote
                        };
                        let run = rest.iter().position(special).unwrap_or(rest.len());
                        if run < rest.len() && Some(rest[run]) == quote {
                            return Err(Fault::StrayQuote { line: self.line });
                        }
                        text.extend_from_slice(&rest[..run]);
                        state = State::Plain;
                        at += run;
                        continue;
                    }
                }
                at += 1;
            }
            if self.keeps_raw {
                record.raw.extend_from_slice(&chunk[..at]);
            }
            length += at;
            self.source.consume(at);
            let content = length - end.map_or(0, End::width);
            if content > LONGEST + usize::from(end.is_none() && state == State::Return) {
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

    /// Takes a record without quotes that ends in this piece of the file: its length and its end. `None`, and nothing taken, if
    /// the record is another or is faulty.
    fn take_plain(
        chunk: &[u8],
        own: (u8, &[bool; 256]),
        record: (&mut Vec<usize>, &mut Vec<u8>),
    ) -> Option<(usize, End)> {
        let ((separator, is_special), (ends, text)) = (own, record);
        let mut start = 0;
        let found = loop {
            let run = chunk[start..].iter().position(|&byte| is_special[usize::from(byte)]);
            let Some(at) = run.map(|run| start + run) else { break None };
            let end = match chunk[at] {
                byte if byte == separator => None,
                b'\n' => Some(End::Line),
                b'\r' if chunk.get(at + 1) == Some(&b'\n') => Some(End::ReturnAndLine),
                _ => break None,
            };
            text.extend_from_slice(&chunk[start..at]);
            ends.push(text.len());
            start = at + 1;
            if let Some(end) = end {
                break Some((at, end)).filter(|_| (1..=LONGEST).contains(&at));
            }
        };
        if found.is_none() {
            text.clear();
            ends.clear();
        }
        found
    }

    /// The record's texts as UTF-8.
    fn check_text(record: &Record, text: Vec<u8>) -> Result<String, Fault> {
        let wrong = |at: usize, text: &[u8]| Fault::NotUtf8 {
            line: record.line + line_ends(&text[..at]),
            field: record.ends.partition_point(|&end| end <= at),
        };
        let text = String::from_utf8(text).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            wrong(at, error.as_bytes())
        })?;
        // Two halves of a character in two fields are none, although they would be one if joined.
        match record.ends.iter().find(|&&end| !text.is_char_boundary(end)) {
            Some(&end) => Err(wrong(end - 1, text.as_bytes())),
            None => Ok(text),
        }
    }
}

/// How many lines end in some bytes.
pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.split(|&byte| byte == b'\n').skip(1).count() as u64
}

#[cfg(test)]
mod tests;

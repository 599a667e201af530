//! Checks the form of a CSV file byte by byte: only what RFC 4180 defines without doubt passes.
//!
//! The `csv` crate makes records of any bytes. This reader checks the same bytes first, so a stray
//! or unclosed quote, a blank line or a lone carriage return is an error. It cannot add or remove a
//! person.

use std::io::{self, Read};

use palmtop_core::located::LocatedError;

/// The most bytes of one record: after an unclosed quote the rest of the file would be one record.
pub(crate) const MOST_RECORD: u64 = 16 << 20;

/// Forms that a CSV file must not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A quote inside a field that does not begin with one, or text after a closing quote.
    StrayQuote,
    /// A quote that is never closed; the line is that of the opening quote.
    Unclosed,
    /// A line without any character.
    Blank,
    /// A carriage return outside quotes that no line feed follows.
    LoneReturn,
    /// A second byte-order mark after the first.
    SecondMark,
    /// A record of more than 16 MiB.
    Endless,
}

impl Fault {
    /// What is wrong, and what to do.
    fn detail(self) -> &'static str {
        match self {
            Self::StrayQuote => {
                "a stray quote; quote the entire field and double each quote in it (RFC 4180)"
            }
            Self::Unclosed => "a quote that is never closed; close it, or double it inside a quoted field",
            Self::Blank => "a blank line; remove it, or write \"\" for a row with one empty value",
            Self::LoneReturn => {
                "a carriage return without a line feed; end lines in LF or CR LF, or quote the field that contains it"
            }
            Self::SecondMark => "two byte-order marks; remove them",
            Self::Endless => "a record of more than 16 MiB; is a quote missing?",
        }
    }
}

/// The state of the parser before a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    RecordStart,
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field: a doubled quote, or the end.
    QuoteInQuoted,
    /// After a carriage return that ends a record.
    Return,
}

/// Passes a CSV file on as long as its form is right, without its byte-order mark.
#[derive(Debug)]
pub(crate) struct Form<R> {
    inner: R,
    separator: u8,
    /// The quote character, if fields can be quoted.
    quote_mark: Option<u8>,
    state: State,
    line: u64,
    /// The line of the opening quote.
    quote: u64,
    /// The bytes of the record so far.
    length: u64,
    records: u64,
    /// Bytes of the beginning that were read but not passed on yet.
    start: Option<Vec<u8>>,
}

/// The byte-order mark.
pub(crate) const MARK: &[u8] = "\u{feff}".as_bytes();

impl<R: Read> Form<R> {
    pub(crate) fn new(inner: R, separator: u8, quote_mark: Option<u8>) -> Self {
        let state = State::RecordStart;
        Self { inner, separator, quote_mark, state, line: 1, quote: 1, length: 0, records: 0, start: None }
    }

    /// Takes the first byte for that of this line.
    pub(crate) fn counted_from(mut self, line: u64) -> Self {
        (self.line, self.quote) = (line, line);
        self
    }

    /// The number of records that have ended.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// The error for a reader, to which [`DataError::io`](crate::error::DataError::io) adds the file.
    fn fault(&self, fault: Fault) -> io::Error {
        let line = if fault == Fault::Unclosed { self.quote } else { self.line };
        io::Error::other(LocatedError::new(fault.detail()).at_line(line))
    }

    /// Checks one byte.
    fn take(&mut self, byte: u8) -> Result<(), Fault> {
        self.length += 1;
        let is_quote = Some(byte) == self.quote_mark;
        self.state = match (self.state, byte) {
            (State::RecordStart, b'\n' | b'\r') => return Err(Fault::Blank),
            (State::RecordStart | State::FieldStart, _) if is_quote => {
                self.quote = self.line;
                State::Quoted
            }
            (State::Quoted, _) if is_quote => State::QuoteInQuoted,
            (State::QuoteInQuoted, _) if is_quote => State::Quoted,
            (State::Quoted, byte) => {
                self.line += u64::from(byte == b'\n');
                State::Quoted
            }
            (State::Return, b'\n') => self.end(),
            (State::Return, _) => return Err(Fault::LoneReturn),
            (_, b'\n') => self.end(),
            (_, b'\r') => State::Return,
            (_, byte) if byte == self.separator => State::FieldStart,
            (State::QuoteInQuoted, _) => return Err(Fault::StrayQuote),
            (State::Plain, _) if is_quote => return Err(Fault::StrayQuote),
            _ => State::Plain,
        };
        if self.length > MOST_RECORD { Err(Fault::Endless) } else { Ok(()) }
    }

    fn end(&mut self) -> State {
        self.line += 1;
        self.records += 1;
        self.length = 0;
        State::RecordStart
    }

    /// Checks the end of the file.
    fn finish(&mut self) -> Result<(), Fault> {
        match self.state {
            State::RecordStart => {}
            State::Quoted => return Err(Fault::Unclosed),
            State::Return => return Err(Fault::LoneReturn),
            State::FieldStart | State::Plain | State::QuoteInQuoted => {
                self.state = State::RecordStart;
                self.records += 1;
            }
        }
        Ok(())
    }

    /// The first bytes of the file without its byte-order mark.
    fn read_start(&mut self) -> io::Result<Vec<u8>> {
        let mut start = vec![0; 2 * MARK.len()];
        let mut filled = 0;
        while filled < start.len() {
            match self.inner.read(&mut start[filled..])? {
                0 => break,
                count => filled += count,
            }
        }
        start.truncate(filled);
        if start.starts_with(MARK) {
            start.drain(..MARK.len());
            if start.starts_with(MARK) {
                return Err(self.fault(Fault::SecondMark));
            }
        }
        // Bytes are taken from the end.
        start.reverse();
        Ok(start)
    }
}

impl<R: Read> Read for Form<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.start.is_none() {
            self.start = Some(self.read_start()?);
        }
        let mut count = 0;
        if let Some(start) = &mut self.start {
            while count < buffer.len()
                && let Some(byte) = start.pop()
            {
                buffer[count] = byte;
                count += 1;
            }
        }
        if count == 0 {
            count = self.inner.read(buffer)?;
        }
        let taken = match count {
            0 if buffer.is_empty() => Ok(()),
            0 => self.finish(),
            _ => buffer[..count].iter().try_for_each(|&byte| self.take(byte)),
        };
        taken.map_err(|fault| self.fault(fault))?;
        Ok(count)
    }
}

/// Passes a text on from one of its lines.
#[derive(Debug)]
pub(crate) struct FromLine<R> {
    inner: R,
    /// The line ends before it.
    skipped: u64,
}

impl<R: Read> FromLine<R> {
    /// From `line` on, from 1.
    pub(crate) fn new(inner: R, line: u64) -> Self {
        Self { inner, skipped: line.saturating_sub(1) }
    }
}

impl<R: Read> Read for FromLine<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.inner.read(buffer)?;
            let mut start = 0;
            while self.skipped > 0
                && let Some(end) = memchr::memchr(b'\n', &buffer[start..count])
            {
                start += end + 1;
                self.skipped -= 1;
            }
            if self.skipped == 0 && start < count || count == 0 {
                buffer.copy_within(start..count, 0);
                return Ok(count - start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(text: &[u8]) -> Result<(Vec<u8>, u64), String> {
        let mut form = Form::new(text, b',', Some(b'"'));
        let mut passed = Vec::new();
        form.read_to_end(&mut passed).map_err(|error| error.to_string())?;
        Ok((passed, form.records()))
    }

    #[test]
    fn what_rfc_4180_allows_passes_unchanged() {
        for (text, records) in [
            ("", 0),
            ("a,b\n", 1),
            ("a,b\r\n1,2", 2),
            ("\"a\nb\",\"c\"\"d\"\r\n,\n", 2),
            ("\"\"\n\"\"", 2),
            (" \n x \n", 2),
        ] {
            assert_eq!(pass(text.as_bytes()), Ok((text.as_bytes().to_vec(), records)), "{text:?}");
        }
        assert_eq!(pass("\u{feff}a\n".as_bytes()), Ok((b"a\n".to_vec(), 1)));
    }

    #[test]
    fn ambiguous_text_is_refused_with_its_line() {
        for (text, line, fault) in [
            ("a\nfoo \"bar\n", 2, Fault::StrayQuote),
            ("a\n\"x\"y\n", 2, Fault::StrayQuote),
            ("a\nb\"\n", 2, Fault::StrayQuote),
            ("a\nb,\"x\ny\nz\n", 2, Fault::Unclosed),
            ("\"", 1, Fault::Unclosed),
            ("a\n\nb\n", 2, Fault::Blank),
            ("a\n\n", 2, Fault::Blank),
            ("a\r\n\r\n", 2, Fault::Blank),
            ("\n", 1, Fault::Blank),
            ("a\rb\n", 1, Fault::LoneReturn),
            ("a\n1\r", 2, Fault::LoneReturn),
            ("\u{feff}\u{feff}a\n", 1, Fault::SecondMark),
        ] {
            assert_eq!(pass(text.as_bytes()), Err(format!("line {line}: {}", fault.detail())), "{text:?}");
        }
    }

    #[test]
    fn quote_is_the_stated_character_or_none() {
        let pass = |text: &str, quote| {
            let mut form = Form::new(text.as_bytes(), b',', quote);
            io::copy(&mut form, &mut io::sink()).map(|_| form.records()).map_err(|error| error.to_string())
        };
        assert_eq!(pass("'a\n''b',\"c\n", Some(b'\'')), Ok(1));
        assert_eq!(pass("a'b\n", Some(b'\'')), Err(format!("line 1: {}", Fault::StrayQuote.detail())));
        assert_eq!(pass("\"a\n\"b,'c'\n", None), Ok(2));
    }

    #[test]
    fn a_text_begins_at_its_line() {
        for (line, rest) in [(1, "a\nb\nc"), (2, "b\nc"), (3, "c"), (4, ""), (9, "")] {
            let mut passed = String::new();
            FromLine::new("a\nb\nc".as_bytes(), line).read_to_string(&mut passed).unwrap();
            assert_eq!(passed, rest, "{line}");
        }
    }

    #[test]
    fn a_record_without_end_is_given_up() {
        let endless = io::repeat(b'x').take(MOST_RECORD + 10);
        let error = io::copy(&mut Form::new(endless, b',', None), &mut io::sink()).unwrap_err();
        assert_eq!(error.to_string(), format!("line 1: {}", Fault::Endless.detail()));
    }
}

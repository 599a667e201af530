//! Pieces of a CSV file that have whole records, so that each can be read apart.

use std::io::{self, BufRead, Read};

use super::records::{LONGEST, Records, line_ends};

/// Some records of a file.
#[derive(Debug)]
pub(crate) struct Piece {
    separator: u8,
    quote: Option<u8>,
    /// The line of the first record, from 1.
    line: u64,
    text: Vec<u8>,
}

impl Piece {
    /// The records, numbered by the lines of the file.
    pub(crate) fn records(&self) -> Records<&[u8]> {
        Records::new(self.text.as_slice(), self.separator, self.quote).counted_from(self.line)
    }
}

/// The pieces of the rest of a file, in order.
#[derive(Debug)]
pub(crate) struct Pieces<R> {
    source: R,
    separator: u8,
    quote: Option<u8>,
    line: u64,
    /// The bytes that are read at once.
    size: usize,
    /// The beginning of a record that ends in the next piece.
    begun: Vec<u8>,
}

impl<R: BufRead> Pieces<R> {
    /// What was not read yet, in pieces of about `size` bytes.
    pub(crate) fn of(records: Records<R>, size: usize) -> Self {
        let Records { source, separator, quote, line, .. } = records;
        Self { source, separator, quote, line, size, begun: Vec::new() }
    }

    /// At most so many pieces; none at the end of the file.
    pub(crate) fn some(&mut self, most: usize) -> io::Result<Vec<Piece>> {
        let mut some = Vec::with_capacity(most);
        while some.len() < most
            && let Some(piece) = self.next()?
        {
            some.push(piece);
        }
        Ok(some)
    }

    /// The next piece; `None` at the end of the file.
    pub(crate) fn next(&mut self) -> io::Result<Option<Piece>> {
        let mut text = std::mem::take(&mut self.begun);
        loop {
            text.reserve(self.size);
            let read = (&mut self.source).take(self.size as u64).read_to_end(&mut text)?;
            // A longer record is refused when it is read.
            let is_last = read < self.size || text.len() > LONGEST + 2;
            let whole = if is_last { text.len() } else { whole_records(&text, self.quote) };
            if whole > 0 || is_last {
                self.begun = text.split_off(whole);
                break;
            }
        }
        if text.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        self.line += line_ends(&text);
        Ok(Some(Piece { separator: self.separator, quote: self.quote, line, text }))
    }
}

/// The length of the whole records at the beginning of a text: up to the last line end outside quotes. Each quote in a field is
/// doubled, so an odd number of quotes means that the text ends in a quoted field.
fn whole_records(text: &[u8], quote: Option<u8>) -> usize {
    let is_quote = |byte: u8| Some(byte) == quote;
    let mut is_inside = text.iter().filter(|&&byte| is_quote(byte)).count() % 2 == 1;
    for (index, &byte) in text.iter().enumerate().rev() {
        is_inside ^= is_quote(byte);
        if byte == b'\n' && !is_inside {
            return index + 1;
        }
    }
    0
}

//! Cuts the text of a CSV file into blocks of whole records, which threads then split apart.
//!
//! A line end with an even number of quotes before it is that of a record. That holds up to the first
//! error of form. The block with that error begins with a record, so it is found as in one reading.

use std::io::{self, Read};

use memchr::{memchr_iter, memchr2_iter};

use crate::source::form::{MARK, MOST_RECORD};

/// The bytes of a block: enough rows for a lot, and few enough that a lot reuses the memory of another.
pub(super) const SIZE: usize = 1 << 20;

/// Some records.
#[derive(Debug)]
pub(super) struct Block {
    /// The line of the first, from 1.
    pub(super) line: u64,
    pub(super) is_first: bool,
    pub(super) bytes: Vec<u8>,
    /// The bytes of the file that were read up to its end, if somebody counts them.
    pub(super) read: u64,
}

/// The blocks of a text.
pub(super) struct Blocks<R> {
    inner: R,
    quote: Option<u8>,
    /// The least number of bytes of all blocks but the last.
    size: usize,
    /// The line of the next block.
    line: u64,
    is_first: bool,
    /// What was read behind the last block.
    rest: Vec<u8>,
    is_over: bool,
    /// The error after the rest.
    failed: Option<io::Error>,
}

impl<R: Read> Blocks<R> {
    /// The blocks of `size` bytes, or more, of a text that begins at a line of its file.
    pub(super) fn new(inner: R, quote: Option<u8>, line: u64, size: usize) -> Self {
        let rest = Vec::new();
        Self { inner, quote, size, line, is_first: true, rest, is_over: false, failed: None }
    }

    /// The next block; `None` after the last.
    ///
    /// # Errors
    /// That of the reader, after the records before it.
    pub(super) fn next(&mut self) -> io::Result<Option<Block>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut size = self.size;
        let end = loop {
            self.fill(&mut bytes, size);
            match last_end(&bytes, self.quote) {
                _ if self.is_over && self.failed.is_none() => break bytes.len(),
                Some(end) => break end,
                None if self.is_over => break 0,
                // The record is too long, which is an error of form.
                None if bytes.len() as u64 > MOST_RECORD => break bytes.len(),
                None => size = 2 * bytes.len().max(size),
            }
        };
        self.rest = bytes.split_off(end);
        if bytes.is_empty() {
            return self.failed.take().map_or(Ok(None), Err);
        }
        let block = Block { line: self.line, is_first: self.is_first, bytes, read: 0 };
        self.line += memchr_iter(b'\n', &block.bytes).count() as u64;
        self.is_first = false;
        Ok(Some(block))
    }

    /// Reads until there are so many bytes.
    fn fill(&mut self, bytes: &mut Vec<u8>, size: usize) {
        let missing = size.saturating_sub(bytes.len());
        if self.is_over || missing == 0 {
            return;
        }
        bytes.reserve(missing);
        match (&mut self.inner).take(missing as u64).read_to_end(bytes) {
            Ok(count) => self.is_over = count < missing,
            Err(error) => (self.is_over, self.failed) = (true, Some(error)),
        }
    }
}

/// The end of the last record that another follows. A block does not begin with a byte-order mark: only
/// that of a file is none of its text.
fn last_end(bytes: &[u8], quote: Option<u8>) -> Option<usize> {
    let mut is_quoted = quote.is_some_and(|quote| memchr_iter(quote, bytes).count() % 2 == 1);
    for at in memchr2_iter(b'\n', quote.unwrap_or(b'\n'), bytes).rev() {
        let behind = &bytes[at + 1..];
        match bytes[at] {
            b'\n' if is_quoted || behind.starts_with(MARK) || MARK.starts_with(behind) => {}
            b'\n' => return Some(at + 1),
            _ => is_quoted = !is_quoted,
        }
    }
    None
}

//! A table in the form of a release: a header, then rows sorted by text, with commas, LF, and
//! quotes where needed (RFC 4180).
//!
//! The order reveals nothing beyond the content. Equal rows are stored once with their number.
//! Memory grows with the distinct rows: at most twice as many as needed are held.

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use palmtop_core::progress::{Cancelled, Meter};

/// The lines of a table, each with its number of rows.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    header: Vec<u8>,
    /// The texts of all lines in one string.
    texts: Vec<u8>,
    distinct: Vec<Line>,
    /// The number of distinct lines at the last comparison.
    compared: usize,
    rows: u64,
    bytes: u64,
}

/// A line: the range of its text, and its number of rows.
#[derive(Clone, Debug)]
struct Line {
    text: Range<usize>,
    count: u64,
}

/// A table with more rows than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the release has more than {} rows, the most that palmtop writes; a count in the public table may be wrong",
    Lines::MOST_ROWS
)]
pub struct TooManyRows;

impl Lines {
    /// The most rows of a release.
    pub const MOST_ROWS: u64 = 50_000_000;

    /// The number of lines collected before they are compared.
    const UNCOMPARED: usize = 1 << 16;

    /// A table with this header and these rows, each with its number of repetitions.
    ///
    /// # Errors
    /// [`TooManyRows`] above [`Lines::MOST_ROWS`].
    pub fn new<'a, R>(header: &[String], rows: R) -> Result<Self, TooManyRows>
    where
        R: IntoIterator<Item = (Vec<&'a str>, u64)>,
    {
        let mut lines = Self::begin(header);
        for (fields, count) in rows {
            lines.push(&fields, count)?;
        }
        Ok(lines.sorted())
    }

    /// An empty table with this header.
    pub fn begin(header: &[String]) -> Self {
        let mut lines = Self::default();
        let fields: Vec<&str> = header.iter().map(String::as_str).collect();
        append(&mut lines.header, &fields);
        lines.bytes = lines.header.len() as u64;
        lines
    }

    /// Adds a row `count` times.
    ///
    /// # Errors
    /// [`TooManyRows`] above [`Lines::MOST_ROWS`].
    pub fn push(&mut self, fields: &[&str], count: u64) -> Result<(), TooManyRows> {
        let rows = self.rows.checked_add(count).filter(|rows| *rows <= Self::MOST_ROWS);
        let start = self.texts.len();
        append(&mut self.texts, fields);
        let text = start..self.texts.len();
        let bytes =
            (text.len() as u64).checked_mul(count).and_then(|row_bytes| self.bytes.checked_add(row_bytes));
        (self.rows, self.bytes) = rows.zip(bytes).ok_or(TooManyRows)?;
        self.distinct.push(Line { text, count });
        if self.distinct.len() >= (2 * self.compared).max(Self::UNCOMPARED) {
            self.compact();
        }
        Ok(())
    }

    /// Sorts the rows and joins equal ones.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.compact();
        self
    }

    /// Sorts the lines and joins equal ones.
    fn compact(&mut self) {
        let texts = &self.texts;
        self.distinct.sort_unstable_by(|one, other| texts[one.text.clone()].cmp(&texts[other.text.clone()]));
        self.distinct.dedup_by(|later, first| {
            let is_same = texts[later.text.clone()] == texts[first.text.clone()];
            if is_same {
                // The total is below the limit, so the sum cannot overflow.
                first.count += later.count;
            }
            is_same
        });
        let mut left = Vec::with_capacity(self.distinct.iter().map(|line| line.text.len()).sum());
        for line in &mut self.distinct {
            let start = left.len();
            left.extend_from_slice(&texts[line.text.clone()]);
            line.text = start..left.len();
        }
        self.texts = left;
        self.compared = self.distinct.len();
    }

    /// The column names.
    pub(super) fn header(&self) -> Vec<String> {
        fields(&self.header)
    }

    /// The fields of each distinct line, its bytes as written, and its number of rows.
    pub(super) fn distinct_fields(&self) -> impl Iterator<Item = (Vec<String>, u64, u64)> {
        self.distinct.iter().map(|line| {
            let text = &self.texts[line.text.clone()];
            (fields(text), text.len() as u64, line.count)
        })
    }

    /// The number of rows, without the header.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The size as written, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the table; the meter receives the bytes written at intervals.
    ///
    /// # Errors
    /// Errors of `out`; if the meter asks to stop, an error that
    /// [`DataError::io`](crate::error::DataError::io) recognizes.
    pub fn write_to(&self, out: &mut dyn Write, meter: &mut Meter) -> io::Result<()> {
        /// The number of bytes between two reports.
        const STRIDE: u64 = 1 << 20;
        out.write_all(&self.header)?;
        let (mut written, mut reported) = (self.header.len() as u64, 0);
        for line in &self.distinct {
            let text = &self.texts[line.text.clone()];
            for _ in 0..line.count {
                out.write_all(text)?;
                written += text.len() as u64;
                if written - reported >= STRIDE {
                    reported = written;
                    if meter(written).is_break() {
                        return Err(io::Error::other(Cancelled));
                    }
                }
            }
        }
        Ok(())
    }

    /// The fields of at most `rows` rows from `offset` on.
    pub fn page(&self, offset: u64, rows: usize) -> Vec<Vec<String>> {
        let (mut skipped, mut page) = (offset, Vec::new());
        for line in &self.distinct {
            if skipped >= line.count {
                skipped -= line.count;
                continue;
            }
            let room = (rows - page.len()) as u64;
            let fields = fields(&self.texts[line.text.clone()]);
            for _ in 0..(line.count - skipped).min(room) {
                page.push(fields.clone());
            }
            skipped = 0;
            if page.len() == rows {
                break;
            }
        }
        page
    }

    /// Shows the fields of all rows in order, until `show` breaks.
    pub fn visit(&self, show: &mut dyn FnMut(&[&str]) -> ControlFlow<()>) -> ControlFlow<()> {
        for line in &self.distinct {
            let fields = fields(&self.texts[line.text.clone()]);
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            for _ in 0..line.count {
                show(&fields)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Appends a row as written: a field is quoted if and only if it contains a comma, a quote, a CR or
/// an LF, or if the row is one empty field.
fn append(bytes: &mut Vec<u8>, fields: &[&str]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        if field.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n')) {
            bytes.push(b'"');
            bytes.extend_from_slice(field.replace('"', "\"\"").as_bytes());
            bytes.push(b'"');
        } else {
            bytes.extend_from_slice(field.as_bytes());
        }
    }
    if matches!(fields, [""]) {
        bytes.extend_from_slice(b"\"\"");
    }
    bytes.push(b'\n');
}

/// The fields of a row written by [`append`].
fn fields(line: &[u8]) -> Vec<String> {
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), Vec::new(), false);
    let mut bytes = line.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if is_quoted && bytes.next_if_eq(&b'"').is_some() => field.push(b'"'),
            b'"' => is_quoted = !is_quoted,
            b',' | b'\n' if !is_quoted => {
                fields.push(String::from_utf8_lossy(&field).into_owned());
                field.clear();
            }
            byte => field.push(byte),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use palmtop_core::progress::unwatched;

    fn text(lines: &Lines) -> String {
        let mut bytes = Vec::new();
        lines.write_to(&mut bytes, &mut unwatched).unwrap();
        assert_eq!(bytes.len() as u64, lines.bytes());
        String::from_utf8(bytes).unwrap()
    }

    fn header(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn rows_are_sorted_as_written_and_quoted_correctly() {
        let rows =
            [(vec!["9", "b"], 1), (vec!["[10, 19]", "a"], 1), (vec!["10", "c\"d"], 2), (vec!["9", "b"], 1)];
        let lines = Lines::new(&header(&["age", "x"]), rows).unwrap();
        assert_eq!(text(&lines), "age,x\n\"[10, 19]\",a\n10,\"c\"\"d\"\n10,\"c\"\"d\"\n9,b\n9,b\n");
        assert_eq!(lines.rows(), 5);
        let row = |fields: [&str; 2]| header(&fields);
        assert_eq!(lines.page(0, 2), [row(["[10, 19]", "a"]), row(["10", "c\"d"])]);
        assert_eq!(lines.page(2, 2), [row(["10", "c\"d"]), row(["9", "b"])]);
        assert_eq!(lines.page(4, 9), [row(["9", "b"])]);
        assert!(lines.page(5, 9).is_empty() && lines.page(0, 0).is_empty());
    }

    #[test]
    fn row_of_one_empty_field_is_not_blank() {
        let lines = Lines::new(&header(&["x"]), [(vec![""], 2), (vec!["\r"], 1), (vec!["a\nb"], 1)]).unwrap();
        assert_eq!(text(&lines), "x\n\"\r\"\n\"\"\n\"\"\n\"a\nb\"\n");
        assert_eq!(lines.page(0, 9), [["\r"], [""], [""], ["a\nb"]]);
        let odd = ["", "\"", "\"\"", "a\"b", ",", "\n\"\n", "a"];
        let lines = Lines::new(&header(&odd), [(odd.to_vec(), 1)]).unwrap();
        assert_eq!(lines.page(0, 1), [odd]);
        assert_eq!(text(&Lines::new(&header(&["x", "y"]), [(vec!["", ""], 1)]).unwrap()), "x,y\n,\n");
    }

    #[test]
    fn too_many_rows_are_refused_without_allocating_them() {
        let one = |count| Lines::new(&header(&["x"]), [(vec!["a"], count)]);
        let most = one(Lines::MOST_ROWS).unwrap();
        assert_eq!((most.rows(), most.bytes(), most.distinct.len()), (50_000_000, 100_000_002, 1));
        assert_eq!(most.page(49_999_999, 5), [["a"]]);
        assert_eq!(one(Lines::MOST_ROWS + 1).unwrap_err(), TooManyRows);
        assert_eq!(one(u64::MAX).unwrap_err(), TooManyRows);
        let two = Lines::new(&header(&["x"]), [(vec!["a"], 1), (vec!["b"], u64::MAX)]);
        assert!(two.unwrap_err().to_string().contains("more than 50000000 rows"));
    }

    #[test]
    fn equal_rows_are_held_once_while_collected() {
        let mut lines = Lines::begin(&header(&["x"]));
        let names: Vec<String> = (0..1000).map(|name| format!("{name:04}")).collect();
        let mut most = 0;
        for row in 0..500_000 {
            lines.push(&[&names[row * 7 % 1000]], 1).unwrap();
            most = most.max(lines.texts.capacity());
        }
        assert!(most <= 2 * Lines::UNCOMPARED * 5, "{most}");
        let lines = lines.sorted();
        assert_eq!((lines.distinct.len(), lines.rows(), lines.bytes()), (1000, 500_000, 2 + 5 * 500_000));
        assert!(lines.distinct.iter().all(|line| line.count == 500));
        assert!(
            lines.distinct.is_sorted_by(|one, other| {
                lines.texts[one.text.clone()] < lines.texts[other.text.clone()]
            })
        );
    }

    #[test]
    fn writing_can_be_stopped_on_the_way() {
        let lines = Lines::new(&header(&["x"]), [(vec!["a"], 10 << 20)]).unwrap();
        let (mut out, mut reported) = (Vec::new(), Vec::new());
        let stopped = lines.write_to(&mut out, &mut |done| {
            reported.push(done);
            if reported.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(stopped.is_err() && reported.len() == 3 && out.len() < 4 << 20, "{reported:?}");
    }
}

//! All lines of a CSV file that cannot be read, after the first of them was found.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

use palmtop_core::located::LocatedError;
use palmtop_core::progress::unwatched;
use palmtop_core::words::plural;

use super::bytes::text;
use crate::error::DataError;
use crate::source::form::FromLine;
use crate::source::rows::RowName;
use crate::source::spec::TableSpec;

/// The most lines that are listed.
const LISTED: usize = 20;

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bad {
    StrayQuote,
    Blank,
    /// It has this number of fields.
    Fields(usize),
}

impl Bad {
    fn describe(self) -> String {
        match self {
            Self::StrayQuote => "a stray quote".to_owned(),
            Self::Blank => "a blank line".to_owned(),
            Self::Fields(count) => plural(count as u64, "field"),
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            Self::StrayQuote => {
                "quote these fields entirely and double each quote in them, or write `quote = \"\"` in the project if \
                 quotes mean nothing in the file"
            }
            Self::Blank => "remove the blank lines",
            Self::Fields(_) => {
                "complete the lines, quote fields that contain the separator, or name another `separator` in the project"
            }
        }
    }
}

/// An error of one line, or of all bad lines of the file if there are more. `width` is the number
/// of columns, if it is known.
pub(super) fn all(
    error: DataError,
    path: &Path,
    spec: &TableSpec,
    separator: u8,
    width: Option<usize>,
) -> DataError {
    if !matches!(&error, DataError::Located(_)) {
        return error;
    }
    // Any other error is that of the first reading.
    match find(path, spec, separator, width) {
        Ok((first, count)) if count > 1 => several(path, &first, count, width),
        _ => error,
    }
}

fn several(path: &Path, first: &[(u64, Bad)], count: usize, width: Option<usize>) -> DataError {
    let mut lines: Vec<String> =
        first.iter().map(|(line, bad)| format!("\n  line {line}: {}", bad.describe())).collect();
    if count > first.len() {
        lines.push(format!("\n  and {} more", count - first.len()));
    }
    let has_fields = first.iter().any(|(_, bad)| matches!(bad, Bad::Fields(_)));
    let expected = width
        .filter(|_| has_fields)
        .map(|width| format!(" (the names have {})", plural(width as u64, "field")));
    // One remedy for each kind.
    let remedies: BTreeSet<&str> = first.iter().map(|(_, bad)| bad.remedy()).collect();
    let problem = format!(
        "{} cannot be read{}:{}\n",
        plural(count as u64, "line"),
        expected.unwrap_or_default(),
        lines.concat()
    );
    LocatedError::new(format!("{problem}{}", remedies.into_iter().collect::<Vec<_>>().join("; ")))
        .in_file(path)
        .into()
}

/// The first bad lines, and the number of all. After a stray quote, the next line begins a record.
fn find(
    path: &Path,
    spec: &TableSpec,
    separator: u8,
    width: Option<usize>,
) -> Result<(Vec<(u64, Bad)>, usize), DataError> {
    let mut unwatched = unwatched;
    let input = text(path, spec, None, &mut unwatched)?;
    let mut line = u64::from(spec.header_row.unwrap_or(1));
    let mut input = BufReader::new(FromLine::new(input, line));
    let (mut listed, mut count, mut bytes) = (Vec::new(), 0, Vec::new());
    // The fields of a record before the present line, if it goes on there, and its first line.
    let mut open: Option<(u64, usize)> = None;
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(DataError::io("read", path))? == 0 {
            break;
        }
        let content = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let content = content.strip_prefix("\u{feff}".as_bytes()).filter(|_| line == 1).unwrap_or(content);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        let (first, before) = open.take().unwrap_or((line, 0));
        let found = match fields(content, before, separator, spec.quote.mark()) {
            None => Some((first, Bad::StrayQuote)),
            Some((fields, true)) => {
                open = Some((first, fields));
                None
            }
            Some(_) if content.is_empty() && first == line => Some((line, Bad::Blank)),
            Some((fields, _)) if width.is_some_and(|width| width != fields) => {
                Some((first, Bad::Fields(fields)))
            }
            Some(_) => None,
        };
        let is_left_out = spec.rows.leave_out.contains(&RowName::Number(first));
        if let Some(bad) = found.filter(|_| !is_left_out) {
            count += 1;
            if listed.len() < LISTED {
                listed.push(bad);
            }
        }
        line += 1;
    }
    Ok((listed, count))
}

/// The number of fields up to the end of a line, and whether the last is open; `before` is their
/// number if the line begins in an open one. `None` if a quote is stray.
fn fields(line: &[u8], before: usize, separator: u8, quote: Option<u8>) -> Option<(usize, bool)> {
    let (mut count, mut is_quoted) = (before.max(1), before > 0);
    let (mut is_start, mut is_closed) = (before == 0, false);
    let mut bytes = line.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let is_quote = Some(byte) == quote;
        if is_quoted {
            if is_quote && bytes.next_if_eq(&byte).is_none() {
                (is_quoted, is_closed) = (false, true);
            }
        } else if byte == separator {
            count += 1;
            (is_start, is_closed) = (true, false);
        } else if is_quote && is_start {
            (is_quoted, is_start) = (true, false);
        } else if is_quote || is_closed {
            return None;
        } else {
            is_start = false;
        }
    }
    Some((count, is_quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_fields_are_counted_and_stray_quotes_found() {
        let of = |line: &str, before| fields(line.as_bytes(), before, b',', Some(b'"'));
        assert_eq!(of("a,\"b,c\",\"\"\"d\"", 0), Some((3, false)));
        assert_eq!(of("a,\"b", 0), Some((2, true)));
        assert_eq!(of("c\",d", 2), Some((3, false)));
        assert_eq!((of("a\"b\"", 0), of("\"a\"b", 0)), (None, None));
    }
}

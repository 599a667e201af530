//! All lines of a CSV file that cannot be read, for one message.

use std::io::{self, BufRead};

use palmtop_terms::words::plural;

/// The most lines that a message lists.
const LISTED: usize = 20;

/// The bad lines of a text that begins with line `first`, as lines of a message; empty if fewer than two are bad.
/// `columns` is the number of fields that a line has to have.
pub(crate) fn listed(
    text: impl BufRead,
    first: u64,
    separator: u8,
    quote: Option<u8>,
    columns: Option<usize>,
) -> io::Result<Option<String>> {
    let mut bad: Vec<(u64, String)> = Vec::new();
    // The line of the record that goes on in the next line, and its fields so far.
    let mut open: Option<(u64, usize)> = None;
    for (number, line) in (first..).zip(text.split(b'\n')) {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        let (start, fields) = open.take().map_or((number, None), |(start, fields)| (start, Some(fields)));
        match end(line, fields, separator, quote) {
            End::Stray => bad.push((start, "a stray quote".to_owned())),
            End::Open(fields) => open = Some((start, fields)),
            End::Closed(_) if line.is_empty() && start == number => {
                bad.push((number, "a blank line".to_owned()));
            }
            End::Closed(fields) if columns.is_some_and(|columns| columns != fields) => {
                bad.push((start, plural(fields as u64, "field")));
            }
            End::Closed(_) => {}
        }
    }
    if bad.len() < 2 {
        return Ok(None);
    }
    let mut message = format!("{} cannot be read:", plural(bad.len() as u64, "line"));
    for (line, what) in bad.iter().take(LISTED) {
        message.push_str(&format!("\n  line {line}: {what}"));
    }
    if bad.len() > LISTED {
        message.push_str(&format!("\n  and {} more", bad.len() - LISTED));
    }
    Ok(Some(message))
}

enum End {
    /// The number of fields of the record.
    Closed(usize),
    /// The last of so many fields goes on in the next line.
    Open(usize),
    Stray,
}

/// How a line ends that begins a record, or goes on in a quoted field after so many fields.
fn end(line: &[u8], before: Option<usize>, separator: u8, quote: Option<u8>) -> End {
    let mut fields = before.unwrap_or(1);
    // What a quote means here: at the start of a field it opens, inside it may close.
    let (mut is_inside, mut may_open, mut index) = (before.is_some(), before.is_none(), 0);
    while let Some(&byte) = line.get(index) {
        index += 1;
        if is_inside {
            if Some(byte) != quote {
                continue;
            }
            match line.get(index) {
                Some(next) if Some(*next) == quote => index += 1,
                None => is_inside = false,
                Some(next) if *next == separator => is_inside = false,
                Some(_) => return End::Stray,
            }
        } else if byte == separator {
            (fields, may_open) = (fields + 1, true);
        } else if Some(byte) == quote {
            if !may_open {
                return End::Stray;
            }
            is_inside = true;
        } else {
            may_open = false;
        }
    }
    if is_inside { End::Open(fields) } else { End::Closed(fields) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bad_lines_are_in_one_message() {
        let of = |text: &str| listed(text.as_bytes(), 1, b',', Some(b'"'), Some(2)).unwrap();
        assert_eq!(of("a,b\n1,\"x\ny\"\n\"1\",\"\"\"2\"\n3\n"), None);
        assert_eq!(
            of("a,b\n1,x\"y\n\n\"1\"2,3\n4\n").unwrap(),
            "4 lines cannot be read:\n  line 2: a stray quote\n  line 3: a blank line\n  line 4: a stray quote\n  line 5: 1 field"
        );
        let many = format!("a,b\n{}", "1\"\n".repeat(62));
        assert!(of(&many).unwrap().ends_with("line 21: a stray quote\n  and 42 more"));
    }
}

//! Identifiers that differ only in spelling: one person who may be counted as two.

use std::collections::HashMap;

use crate::read::Table;
use crate::source::position::{At, RowPosition};

/// A column of T with identifiers that probably belong to one person, in two spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlikeIdentifiers {
    /// The column.
    pub column: String,
    /// The number of identifiers that differ from an earlier one only in spelling.
    pub count: u64,
    /// The first rows of two such identifiers.
    pub rows: [RowPosition; 2],
}

impl AlikeIdentifiers {
    /// Examines the distinct identifiers of a column, each with its first row; `None` if all are
    /// distinct without their spelling. O(identifiers).
    pub(crate) fn find<'a>(
        table: &Table,
        column: &str,
        identifiers: impl Iterator<Item = (&'a str, At)>,
    ) -> Option<Self> {
        let mut sorted: Vec<(At, &str)> = identifiers.map(|(text, at)| (at, text)).collect();
        sorted.sort_unstable_by_key(|(at, _)| (at.file, at.row));
        let mut first: HashMap<String, At> = HashMap::with_capacity(sorted.len());
        let (mut count, mut rows) = (0, None);
        for (at, text) in sorted {
            let known = *first.entry(bare(text)).or_insert(at);
            if known != at {
                count += 1;
                rows.get_or_insert_with(|| [table.position(known), table.position(at)]);
            }
        }
        rows.map(|rows| Self { column: column.to_owned(), count, rows })
    }
}

/// An identifier without differences in spelling: spaces around it, invisible characters and, for
/// an integer, `+`, leading zeros and `.0`.
pub fn bare(text: &str) -> String {
    const UNSEEN: [char; 7] =
        ['\u{feff}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{2060}', '\u{ad}'];
    let seen: String =
        text.chars().filter(|character| !UNSEEN.contains(character) && !character.is_control()).collect();
    let seen = seen.trim();
    let (sign, number) = match seen.strip_prefix('-') {
        Some(number) => ("-", number),
        None => ("", seen.strip_prefix('+').unwrap_or(seen)),
    };
    let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(integer) || !fraction.bytes().all(|byte| byte == b'0') {
        return seen.to_owned();
    }
    match integer.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => format!("{sign}{digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_spellings_of_an_identifier_are_one() {
        for alike in [
            &["7", "07", " 7", "7.0", "7.", "+7", "\u{feff}7", "7\u{200b}", "7\t"][..],
            &["-7", "-07", "-7.00"],
            &["0", "00", "-0", "0.0"],
            &["a", " a ", "\u{feff}a"],
        ] {
            assert!(alike.iter().all(|identifier| bare(identifier) == bare(alike[0])), "{alike:?}");
        }
        let apart = ["7", "-7", "7.1", "7.10", "a7", "a07", "a", "A", "7a", "", "-", "+a", "1e3", "1000"];
        for (nth, identifier) in apart.iter().enumerate() {
            assert!(apart[..nth].iter().all(|other| bare(identifier) != bare(other)), "{identifier}");
        }
    }
}

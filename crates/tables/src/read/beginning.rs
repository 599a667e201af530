//! The first lines of a CSV file, before its names: a note for spreadsheets, or a title.

use super::scan::is_value;
use crate::error::doubts::{Doubt, DoubtKind};

/// The bytes that are looked at.
pub(super) const LENGTH: u64 = 1 << 16;
/// The most lines of a title.
const MOST_LINES: usize = 10;

/// A record, with its first line.
type Row = (u64, Vec<String>);

/// What the first line of a file is, if it does not have the names. `separator` is that of the
/// project.
pub(super) fn doubt(start: &[u8], separator: Option<u8>, quote: Option<u8>) -> Option<Doubt> {
    let start = String::from_utf8_lossy(start);
    let start = start.trim_start_matches('\u{feff}');
    let first = start.lines().next()?.trim_end();
    if is_separator_note(first) {
        return Some(Doubt { kind: DoubtKind::Separator, number: 1, texts: vec![first.to_owned()] });
    }
    let separators =
        separator.map_or_else(|| vec![',', ';', '\t', '|'], |separator| vec![char::from(separator)]);
    if separators.iter().any(|&separator| begins_as_it_goes_on(start, separator)) {
        return None;
    }
    let found = separators.into_iter().filter_map(|separator| {
        let rows = rows(start, separator, quote.map(char::from));
        let names = names(&rows)?;
        Some((rows[names].1.len(), rows[names].0))
    });
    let (_, names) = found.max()?;
    let texts = vec![first.to_owned()];
    Some(Doubt { kind: DoubtKind::Title { names }, number: 1, texts })
}

/// Whether the first line has as many separators as one of the next ones, between texts.
fn begins_as_it_goes_on(start: &str, separator: char) -> bool {
    let mut counts = start.lines().take(5).map(|line| line.matches(separator).count());
    let first = start.lines().next().unwrap_or_default();
    let filled = first.split(separator).filter(|cell| !cell.trim_matches(['"', ' ']).is_empty()).count();
    let count = counts.next().unwrap_or_default();
    filled > 1 && counts.any(|other| other == count)
}

/// Whether names look more like the cells of a title: with a date or a number, long, or after a blank.
pub(super) fn is_title(names: &[String]) -> bool {
    names.iter().any(|name| {
        let digits = name.chars().filter(char::is_ascii_digit).count();
        name.trim() != name.as_str() || digits > 4 || name.chars().count() > 30
    })
}

/// Whether a line is such as `sep=;`.
fn is_separator_note(line: &str) -> bool {
    let line = line.trim_matches('"');
    let (Some(head), Some(mark)) = (line.get(..4), line.get(4..)) else { return false };
    head.eq_ignore_ascii_case("sep=") && mark.chars().count() <= 1
}

/// The row with the names, if the rows before it are a title: they have a value at most, or a few,
/// and the rows after it have as many cells.
fn names(rows: &[Row]) -> Option<usize> {
    let width = |row: &Row| row.1.len();
    let filled = |row: &Row| row.1.iter().filter(|cell| !cell.trim().is_empty()).count();
    let are_names = |row: &Row| {
        let cells = &row.1;
        cells.len() > 1 && cells.iter().all(|cell| !cell.trim().is_empty() && !is_value(cell))
    };
    let is_title = |row: &Row, names: &Row| {
        let few = filled(row) <= 1 && (width(row) != 2 || width(names) != 2);
        few || (2 * width(row) <= width(names))
    };
    let first = rows.iter().position(are_names).filter(|first| (1..=MOST_LINES).contains(first))?;
    let after = &rows[first + 1..rows.len().min(first + 4)];
    let is_table = !after.is_empty() && after.iter().all(|row| width(row) == width(&rows[first]));
    let has_text = filled(&rows[0]) > 0;
    (has_text && is_table && rows[..first].iter().all(|row| is_title(row, &rows[first]))).then_some(first)
}

/// The first records, whatever their form.
fn rows(start: &str, separator: char, quote: Option<char>) -> Vec<Row> {
    let (mut rows, mut cells, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut is_quoted, mut line, mut first) = (false, 1, 1);
    for character in start.chars() {
        match character {
            _ if Some(character) == quote => is_quoted = !is_quoted,
            '\n' if !is_quoted => {
                cells.push(std::mem::take(&mut cell).trim_end_matches('\r').to_owned());
                rows.push((first, std::mem::take(&mut cells)));
                first = line + 1;
            }
            _ if character == separator && !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
        line += u64::from(character == '\n');
        if rows.len() > MOST_LINES + 5 {
            return rows;
        }
    }
    if !cell.is_empty() || !cells.is_empty() {
        cells.push(cell);
        rows.push((first, cells));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(start: &str) -> Option<(DoubtKind, u64)> {
        doubt(start.as_bytes(), None, Some(b'"')).map(|doubt| (doubt.kind, doubt.number))
    }

    #[test]
    fn notes_and_titles_before_the_names_are_found() {
        let title = |names| Some((DoubtKind::Title { names }, 1));
        for (start, expected) in [
            ("sep=;\na;b\n1;2\n", Some((DoubtKind::Separator, 1))),
            ("\u{feff}\"sep=,\"\r\na,b\r\n", Some((DoubtKind::Separator, 1))),
            ("Register 2024\nage,sex\n20,f\n21,m\n", title(2)),
            ("Register, 2024\n\nage;sex;zip\n20;f;1\n21;m;2\n", title(3)),
            ("Register 2024,,\nage,sex,zip\n20,f,1\n", title(2)),
            ("\"Register\n2024\"\nage,sex\n20,f\n", title(3)),
            ("\"Table 1\",\"\",\"\"\nage,sex,zip\n20,f,1\n", title(2)),
            ("age,sex\n20,f\n21,m\n", None),
            (",age\n1,20\n", None),
            ("age\n20\n21\n", None),
            ("name\n\"Berg, Anna\"\nKlein\n", None),
            ("a,b\n1,2,\n3,4,\n", None),
            ("a;b;c\n1;x, y;2\nx\"1;x, y;3\nz;x, y;4\n", None),
            ("", None),
        ] {
            assert_eq!(of(start), expected, "{start:?}");
        }
    }
}

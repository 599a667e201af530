//! Tables of people: names of columns, and rows as lists of texts.

use std::path::Path;

use super::{Refusal, csv, refuse};

/// Where the names are, and which rows are no people.
#[derive(Default)]
pub(super) struct Rows {
    /// The line with the names, or of the first person if no line has them.
    pub(super) header_row: usize,
    /// The names that no line has: none for `column 1`, `column 2` and so on.
    pub(super) given: Option<Vec<String>>,
    /// The lines and texts of rows that are left out.
    pub(super) out: (Vec<usize>, Vec<String>),
}

pub(super) struct People {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl People {
    /// Reads a CSV table of at least one row.
    pub(super) fn read(path: &Path, separator: Option<u8>, rows: &Rows) -> Result<Self, Refusal> {
        let Ok(bytes) = std::fs::read(path) else { return refuse(format!("cannot read {}", path.display())) };
        let wide = csv::decode_utf_16(&bytes)?;
        // The lines above the names may have any bytes.
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let above: usize = lines.take(rows.header_row.saturating_sub(1)).map(<[u8]>::len).sum();
        let bytes = [String::from_utf8_lossy(&bytes[..above]).as_bytes(), &bytes[above..]].concat();
        let text = match &wide {
            Some(text) => text,
            None => csv::decode(&bytes)?,
        };
        let mut text: &str = text;
        for _ in 1..rows.header_row {
            text = text.split_once('\n').map_or("", |(_, rest)| rest);
        }
        let separator = separator.unwrap_or_else(|| csv::table_separator(text));
        let is_out = |line: &usize, fields: &Vec<String>| {
            rows.out.0.contains(line) || fields.iter().any(|field| rows.out.1.contains(field))
        };
        let mut records = csv::lines(text, separator, rows.header_row)?;
        if rows.given.is_some() {
            records.retain(|(line, fields)| !is_out(line, fields));
        }
        let mut records = records.into_iter().peekable();
        let header = match (&rows.given, records.peek()) {
            (_, None) => return refuse("an empty table"),
            (None, Some(_)) => records.next().map(|(_, names)| names).unwrap_or_default(),
            (Some(names), Some((_, first))) if names.is_empty() => {
                (1..=first.len()).map(|nth| format!("column {nth}")).collect()
            }
            (Some(names), _) => names.clone(),
        };
        for (nth, name) in header.iter().enumerate() {
            if header[..nth].contains(name) {
                return refuse(format!("column {name:?} twice"));
            }
        }
        let people = records.filter(|(line, fields)| !is_out(line, fields));
        let rows: Vec<Vec<String>> = people.map(|(_, fields)| fields).collect();
        if rows.iter().any(|row| row.len() != header.len()) {
            return refuse("a line of another number of fields");
        }
        if rows.is_empty() { refuse("a table of nobody") } else { Ok(Self { header, rows }) }
    }

    /// The index of a column.
    pub(super) fn position(&self, name: &str) -> Result<usize, Refusal> {
        let position = self.header.iter().position(|known| known == name);
        position.ok_or_else(|| Refusal(format!("there is no column {name:?}")))
    }
}

/// Reads a count: digits, from 0 to 4294967295, optionally with zeros after a decimal point.
pub(super) fn count(text: &str) -> Result<u128, Refusal> {
    let zeros = text.chars().rev().take_while(|&character| character == '0').count();
    let text = match text[..text.len() - zeros].strip_suffix('.') {
        Some(integer) if zeros > 0 => integer,
        _ => text,
    };
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = format!("0{}", text.trim_start_matches('0')).parse::<u128>();
    match number {
        Ok(number) if digits && number <= 4_294_967_295 => Ok(number),
        _ => refuse(format!("{text:?} is no count")),
    }
}

/// Whether the text marks a member.
pub(super) fn member(text: &str) -> Result<bool, Refusal> {
    match text.to_ascii_uppercase().as_str() {
        "TRUE" | "1" | "YES" | "Y" => Ok(true),
        "FALSE" | "0" | "NO" | "N" | "" => Ok(false),
        other => refuse(format!("{other:?} is neither yes nor no")),
    }
}

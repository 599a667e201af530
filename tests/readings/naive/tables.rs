//! Tables of people: names of columns, and rows as lists of texts.

use std::path::Path;

use super::{Refusal, csv, refuse};

pub(super) struct People {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl People {
    /// Reads a CSV table of at least one row.
    pub(super) fn read(path: &Path, separator: Option<u8>) -> Result<Self, Refusal> {
        let Ok(bytes) = std::fs::read(path) else { return refuse(format!("cannot read {}", path.display())) };
        let wide = csv::decode_utf_16(&bytes)?;
        let text = match &wide {
            Some(text) => text,
            None => csv::decode(&bytes)?,
        };
        let separator = separator.unwrap_or_else(|| csv::table_separator(text));
        let mut records = csv::records(text, separator)?.into_iter();
        let Some(header) = records.next() else { return refuse("an empty table") };
        for (nth, name) in header.iter().enumerate() {
            if header[..nth].contains(name) {
                return refuse(format!("column {name:?} twice"));
            }
        }
        let rows: Vec<Vec<String>> = records.collect();
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

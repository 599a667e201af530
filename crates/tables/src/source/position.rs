//! The position of a row: its number, and its file if the table has several.

use std::fmt;
use std::path::{Path, PathBuf};

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowPosition {
    /// The file, if the table has several.
    pub file: Option<PathBuf>,
    /// The row in its file, from 1, the header not counted.
    pub row: u64,
}

impl fmt::Display for RowPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "row {} of {}", self.row, file.display()),
            None => write!(f, "row {}", self.row),
        }
    }
}

/// A row of a table during reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The index of the file among the table's files, from 0.
    pub(crate) file: usize,
    /// The row in it, from 1, the header not counted.
    pub row: u64,
}

/// Two rows as text, without file names if the table has one file.
pub(crate) fn both(first: &RowPosition, second: &RowPosition) -> String {
    match (&first.file, &second.file) {
        (None, None) => format!("rows {} and {}", first.row, second.row),
        _ => format!("{first} and {second}"),
    }
}

/// The first rows by file, and the number of further rows.
pub(crate) fn listed(first: &[RowPosition], count: u64) -> String {
    let mut text = String::new();
    let mut file: Option<&Path> = None;
    for (nth, position) in first.iter().enumerate() {
        if position.file.as_deref() == file {
            text += &format!("{}{}", if nth > 0 { ", " } else { "" }, position.row);
        } else {
            file = position.file.as_deref();
            let name = file.map(|file| file.display().to_string()).unwrap_or_default();
            text += &format!("{}{name}: {}", if nth > 0 { "; " } else { "" }, position.row);
        }
    }
    match count - first.len() as u64 {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_their_file_where_several_exist() {
        let position = |file: Option<&str>, row| RowPosition { file: file.map(PathBuf::from), row };
        let (one, other) = (position(None, 3), position(None, 5));
        assert_eq!(both(&one, &other), "rows 3 and 5");
        assert_eq!(listed(&[one, other], 4), "3, 5 and 2 more");
        let (one, other) = (position(Some("a.csv"), 3), position(Some("b.csv"), 5));
        assert_eq!(both(&one, &other), "row 3 of a.csv and row 5 of b.csv");
        assert_eq!(listed(&[one.clone(), position(Some("a.csv"), 4), other], 3), "a.csv: 3, 4; b.csv: 5");
    }
}

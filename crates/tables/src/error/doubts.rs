//! Rows of a file that may be no people: what they look like, and the lines of a project that
//! answer.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::values::literal::toml_string;
use palmtop_core::words::plural;

/// A row that may be no person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What the row looks like.
    pub kind: DoubtKind,
    /// The line of a CSV file, the row of a sheet, or the row of another file, from 1.
    pub number: u64,
    /// The texts of its cells that are not empty.
    pub texts: Vec<String>,
}

/// What a row looks like that may be no person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DoubtKind {
    /// The names of the columns look like values: they may be a person.
    Header,
    /// `sep=;`, which is for a spreadsheet.
    Separator,
    /// A title above the names, which are in this line or row.
    Title {
        /// The line or row with the names.
        names: u64,
    },
    /// The first row after the names, with texts where all others have numbers or dates: units, or
    /// the names under a title.
    SecondHeader,
    /// The names of the columns once more.
    NamesAgain,
    /// A total or another summary.
    Total,
    /// A value of a table of counts that counts everybody again.
    Margin {
        /// The column with the value.
        column: String,
    },
    /// Texts in columns of numbers or dates.
    NoValue,
    /// Few of its cells have a value, and all other rows have values there.
    Sparse,
    /// Rows that the workbook hides; `number` is the first of them.
    Hidden {
        /// The number of these rows.
        rows: u64,
    },
}

impl DoubtKind {
    /// What the row looks like, in words.
    pub fn describe(&self) -> String {
        match self {
            Self::Header => "the names of the columns look like values".to_owned(),
            Self::Separator => "a note for spreadsheets".to_owned(),
            Self::Title { names } => format!("a title; the names of the columns seem to follow ({names})"),
            Self::SecondHeader => "units, or the names of the columns under a title".to_owned(),
            Self::NamesAgain => "the names of the columns once more".to_owned(),
            Self::Total => "a total".to_owned(),
            Self::Margin { column } => format!("a total in column `{column}`, which counts everybody again"),
            Self::NoValue => "a text among numbers or dates".to_owned(),
            Self::Sparse => "nearly empty".to_owned(),
            Self::Hidden { rows } => format!("{} hidden", plural(*rows, "row")),
        }
    }

    /// Whether only the place of the names answers it.
    fn is_about_names(&self) -> bool {
        matches!(self, Self::Header | Self::Separator | Self::Title { .. })
    }
}

/// The doubts about the rows of one file. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubts {
    /// The file.
    pub file: PathBuf,
    /// The word for a position in it: `line` or `row`.
    pub unit: &'static str,
    /// Whether the table has other files, so that a number does not name a row.
    pub is_one_of_several: bool,
    /// The doubts, by position.
    pub list: Vec<Doubt>,
}

impl Doubts {
    /// The most rows that a message lists.
    const LISTED: usize = 20;

    /// The file's name in messages.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The possible answers: what each means, and the key and value of the project. The first is
    /// proposed.
    pub fn answers(&self) -> Vec<(&'static str, &'static str, String)> {
        let rows = self.rows();
        match self.list.first().map(|first| (&first.kind, first.number)) {
            // The names of such a file are in no row.
            Some((DoubtKind::Header, 0)) => vec![("these are names", "header", "true".to_owned())],
            Some((DoubtKind::Header, _)) => vec![
                ("the file has no names", "header", "false".to_owned()),
                ("these are names", "header", "true".to_owned()),
            ],
            Some((DoubtKind::Separator, number)) => vec![
                ("the names follow", "header_row", (number + 1).to_string()),
                ("these are names", "header_row", number.to_string()),
            ],
            Some((DoubtKind::Title { names }, number)) => vec![
                ("the names follow", "header_row", names.to_string()),
                ("these are names", "header_row", number.to_string()),
            ],
            Some((DoubtKind::Hidden { .. }, _)) => vec![
                ("they are people", "hidden_rows", "\"keep\"".to_owned()),
                ("they are no people", "hidden_rows", "\"leave_out\"".to_owned()),
            ],
            Some((DoubtKind::SecondHeader, number)) if self.list.len() == 1 => vec![
                ("units, no person", "leave_out", rows.clone()),
                ("the names of the columns", "header_row", number.to_string()),
                ("a person", "keep_rows", rows),
            ],
            _ => vec![("no people", "leave_out", rows.clone()), ("people", "keep_rows", rows)],
        }
    }

    /// Whether they are about values of a column, so that only a text names the rows.
    fn are_values(&self) -> bool {
        self.list.iter().all(|doubt| matches!(doubt.kind, DoubtKind::Margin { .. }))
    }

    /// The rows as a list of the project: by their numbers, or by texts if a number names no row or
    /// one text names many.
    fn rows(&self) -> String {
        let texts: BTreeSet<&String> = self.list.iter().filter_map(first_text).collect();
        let all_have_text = self.list.iter().all(|doubt| first_text(doubt).is_some());
        let by_text = self.is_one_of_several
            || self.are_values()
            || (self.list.len() > Self::LISTED && texts.len() * 4 <= self.list.len());
        let names: Vec<String> = if by_text && all_have_text {
            texts.into_iter().map(|text| toml_string(text)).collect()
        } else {
            self.list.iter().map(|doubt| doubt.number.to_string()).collect()
        };
        format!("[{}]", names.join(", "))
    }

    /// Only the doubts about where the names are, if there are any: they are settled first.
    #[must_use]
    pub(crate) fn names_first(mut self) -> Self {
        if self.list.iter().any(|doubt| doubt.kind.is_about_names()) {
            self.list.retain(|doubt| doubt.kind.is_about_names());
            self.list.truncate(1);
        } else if self.list.iter().any(|doubt| matches!(doubt.kind, DoubtKind::Hidden { .. })) {
            self.list.retain(|doubt| matches!(doubt.kind, DoubtKind::Hidden { .. }));
        }
        self
    }

    /// What the rows look like, a line each, without the file.
    pub fn lines(&self) -> Vec<String> {
        let line = |doubt: &Doubt| {
            let texts: Vec<String> = doubt
                .texts
                .iter()
                .filter(|text| !text.is_empty())
                .take(8)
                .map(|text| format!("{:?}", cut(text)))
                .collect();
            let what = doubt.kind.describe();
            let texts = if texts.is_empty() { "no value".to_owned() } else { texts.join(", ") };
            match doubt.number {
                0 => format!("{what}: {texts}"),
                number => format!("{} {number}: {what}: {texts}", self.unit),
            }
        };
        let mut lines: Vec<String> = self.list.iter().take(Self::LISTED).map(line).collect();
        if self.list.len() > Self::LISTED {
            lines.push(format!("and {} more", self.list.len() - Self::LISTED));
        }
        lines
    }
}

impl fmt::Display for Doubts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, lines) = (self.file.display(), self.lines());
        if let [only] = lines.as_slice() {
            write!(f, "{file}, {only}")?;
        } else {
            let what = if self.are_values() { "value" } else { "row" };
            write!(f, "{file}: {} may be no people", plural(self.list.len() as u64, what))?;
            lines.iter().try_for_each(|line| write!(f, "\n  {line}"))?;
        }
        f.write_str("\nwrite one of these lines under the file's path in the project:")?;
        self.answers().iter().try_for_each(|(meaning, key, value)| write!(f, "\n{key} = {value} # {meaning}"))
    }
}

fn first_text(doubt: &Doubt) -> Option<&String> {
    doubt.texts.iter().find(|text| !text.is_empty())
}

/// At most 40 characters.
fn cut(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(39).chain(['…']).collect() }
}

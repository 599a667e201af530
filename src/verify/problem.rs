//! What can be wrong with a written release, with its place.

use std::fmt;
use std::mem::{Discriminant, discriminant};

/// Something that makes a file no faithful release of T. Lines are numbered from 1, the header being the first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The file has not even a header.
    Empty,
    /// Bytes that are no UTF-8.
    NotUtf8 {
        /// The line.
        line: u64,
    },
    /// A byte-order mark at the beginning.
    ByteOrderMark,
    /// A carriage return outside quotes; lines end in LF alone.
    CarriageReturn {
        /// The line.
        line: u64,
    },
    /// The last line does not end: the file may be cut off.
    NoLineEnd {
        /// The line.
        line: u64,
    },
    /// A line without anything.
    BlankLine {
        /// The line.
        line: u64,
    },
    /// A quote that RFC 4180 does not have there, so that two readers may read two things.
    StrayQuote {
        /// The line.
        line: u64,
    },
    /// A row with too few or too many fields.
    Fields {
        /// The line.
        line: u64,
        /// Its number of fields.
        found: usize,
        /// The number of the header.
        expected: usize,
    },
    /// An identifier of T is published.
    Identifier {
        /// The column.
        column: String,
    },
    /// A column that no release of T has.
    ExtraColumn {
        /// The column.
        column: String,
    },
    /// The same column twice.
    RepeatedColumn {
        /// The column.
        column: String,
    },
    /// A column of T that the release lacks.
    MissingColumn {
        /// The column.
        column: String,
    },
    /// The right columns in another order than T's.
    ColumnOrder {
        /// The header.
        found: Vec<String>,
        /// T's order.
        expected: Vec<String>,
    },
    /// A row that stands after one that sorts behind it.
    Unsorted {
        /// The line of the row that comes too late.
        line: u64,
    },
    /// A quasi-identifier's text that denotes nothing.
    Unreadable {
        /// A line that has it.
        line: u64,
        /// The column.
        column: String,
        /// The text.
        value: String,
        /// What was expected instead.
        expected: String,
    },
    /// Public people who match more than one distinct row.
    Overlap {
        /// How many people.
        people: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
        /// Two rows that they match, each with its first line and its quasi-identifiers' texts.
        rows: [(u64, Vec<String>); 2],
    },
    /// People of T who match no row.
    Unpublished {
        /// How many people.
        people: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// People of T beyond those that P has of their combination.
    NotInPublic {
        /// How many people.
        people: u64,
        /// One of them: each quasi-identifier with its value.
        person: Vec<(String, String)>,
    },
    /// A row that occurs more or less often than people of T match it.
    Count {
        /// The first line that has it.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
        /// How often it occurs.
        rows: u64,
        /// How many people of T match it.
        people: u64,
    },
    /// Kept values that a row's class has more or less often in the release than in T.
    Kept {
        /// The first line of the class.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
        /// The kept values.
        values: Vec<String>,
        /// How often the release has them in this class.
        rows: u64,
        /// How many people of T in this class have them.
        people: u64,
    },
    /// A row that nobody in P matches.
    Nobody {
        /// The first line that has it.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
    },
    /// A row that more people of T than of P match.
    AboveOne {
        /// The first line that has it.
        line: u64,
        /// Its quasi-identifiers' texts.
        row: Vec<String>,
        /// How many people of T match it.
        private: u64,
        /// How many people of P match it.
        public: u64,
    },
    /// Further problems of a kind, not listed.
    More {
        /// One that is listed, of the same kind.
        like: Box<Problem>,
        /// How many more there are.
        count: u64,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty; expected a header line"),
            Self::NotUtf8 { line } => write!(f, "line {line}: not UTF-8"),
            Self::ByteOrderMark => write!(f, "line 1: begins with a byte-order mark; expected none"),
            Self::CarriageReturn { line } => {
                write!(f, "line {line}: a carriage return; expected lines that end in LF alone")
            }
            Self::NoLineEnd { line } => {
                write!(f, "line {line}: the last line does not end; the file may be cut off")
            }
            Self::BlankLine { line } => write!(f, "line {line}: blank"),
            Self::StrayQuote { line } => {
                write!(
                    f,
                    "line {line}: a stray quote; expected fields quoted whole, quotes in them doubled (RFC 4180)"
                )
            }
            Self::Fields { line, found, expected } => {
                write!(f, "line {line}: {found} fields, expected {expected}")
            }
            Self::Identifier { column } => {
                write!(f, "column `{column}` is an identifier; a release must never have it")
            }
            Self::ExtraColumn { column } => write!(f, "column `{column}` does not belong in a release of T"),
            Self::RepeatedColumn { column } => write!(f, "column `{column}` occurs twice"),
            Self::MissingColumn { column } => write!(f, "column `{column}` of T is missing"),
            Self::ColumnOrder { found, expected } => {
                write!(f, "the columns are {}; expected T's order, {}", list(found), list(expected))
            }
            Self::Unsorted { line } => {
                write!(
                    f,
                    "line {line}: sorts before the line above it; expected rows sorted by their written text"
                )
            }
            Self::Unreadable { line, column, value, expected } => {
                write!(f, "line {line}, column `{column}`: `{value}` denotes nothing: {expected}")
            }
            Self::Overlap { people, person, rows: [(first, one), (second, other)] } => write!(
                f,
                "{} more than one row: {} matches both {} (line {first}) and {} (line {second}); expected at most one",
                matches(*people, "public"),
                named(person),
                list(one),
                list(other)
            ),
            Self::Unpublished { people, person } => {
                write!(f, "{} no row, such as {}", matches(*people, "private"), named(person))
            }
            Self::NotInPublic { people, person } => write!(
                f,
                "{people} private {} not in the public table, such as {}",
                if *people == 1 { "person is" } else { "people are" },
                named(person)
            ),
            Self::Count { line, row, rows, people } => {
                let (row, times, people) = (list(row), times(*rows), matches(*people, "private"));
                write!(f, "line {line}: {row} occurs {times}, but {people} it")
            }
            Self::Kept { line, row, values, rows, people } => {
                let (row, values, found, expected) = (list(row), list(values), times(*rows), times(*people));
                write!(f, "line {line}: {row} occurs {found} with {values}, expected {expected} as in T")
            }
            Self::Nobody { line, row } => {
                write!(f, "line {line}: nobody in the public table matches {}", list(row))
            }
            Self::AboveOne { line, row, private, public } => write!(
                f,
                "line {line}: {} private people match {}, but only {public} public ones",
                private,
                list(row)
            ),
            Self::More { like, count } => write!(f, "{count} more like this: {like}"),
        }
    }
}

fn matches(people: u64, table: &str) -> String {
    if people == 1 { format!("1 {table} person matches") } else { format!("{people} {table} people match") }
}

fn times(count: u64) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

fn list(texts: &[String]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" · ")
}

fn named(person: &[(String, String)]) -> String {
    person.iter().map(|(name, value)| format!("{name} `{value}`")).collect::<Vec<_>>().join(" · ")
}

/// The problems found so far; of each kind only the first are listed.
#[derive(Debug, Default)]
pub(super) struct Problems {
    listed: Vec<Problem>,
    kinds: Vec<(Discriminant<Problem>, u64)>,
}

impl Problems {
    /// How many of a kind are listed.
    pub(super) const LISTED: u64 = 10;

    pub(super) fn push(&mut self, problem: Problem) {
        let kind = discriminant(&problem);
        let place = self.kinds.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            self.kinds.push((kind, 0));
            self.kinds.len() - 1
        });
        self.kinds[place].1 += 1;
        if self.kinds[place].1 <= Self::LISTED {
            self.listed.push(problem);
        }
    }

    /// The listed problems, and how many more there are of each kind.
    pub(super) fn into_list(mut self) -> Vec<Problem> {
        for (kind, count) in self.kinds.iter().filter(|(_, count)| *count > Self::LISTED) {
            if let Some(like) = self.listed.iter().find(|problem| discriminant(*problem) == *kind) {
                self.listed.push(Problem::More { like: Box::new(like.clone()), count: count - Self::LISTED });
            }
        }
        self.listed
    }
}

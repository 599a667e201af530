//! What can be wrong with a file, with its place and the remedy.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::form::Misformed;
use super::refused::{RefusedValue, RefusedValues};
use super::watch;
use crate::model::{Counts, ModelError};

/// A file that cannot be read, understood or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The operating system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried: `read`, `write`, …
        action: &'static str,
        /// Its reason.
        source: io::Error,
    },
    /// Bytes that are no UTF-8.
    #[error("{}, line {line}: not UTF-8{}; convert the file, for instance with `iconv -f LATIN1 -t UTF-8`", path.display(), in_column(column.as_deref()))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, where it is known.
        column: Option<String>,
    },
    /// A line with too few or too many fields.
    #[error("{}, line {line}: {found} fields, expected {expected}; complete the line, or quote fields that hold the separator", path.display())]
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Its number of fields.
        found: usize,
        /// The number of the first line.
        expected: usize,
    },
    /// A form that RFC 4180 does not have, so that two readers may read two things.
    #[error("{}, {misformed}", path.display())]
    Misformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which line.
        misformed: Misformed,
    },
    /// A file of another kind than its name says.
    #[error("{}: it is {what}; {remedy}", path.display())]
    Disguised {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A file without so much as a header.
    #[error("{} is empty; expected a header line with the names of the columns", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// Two columns of one name.
    #[error("{}, line 1: column `{column}` occurs twice; rename one", path.display())]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        column: String,
    },
    /// A column that the project names and the file lacks.
    #[error("{}: no column `{column}`, it has {}; correct the project's {setting}", path.display(), listed(available))]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The missing name.
        column: String,
        /// The setting that names it.
        setting: String,
        /// The columns that there are.
        available: Vec<String>,
    },
    /// A file name with an ending that palmtop does not know.
    #[error("{}: unknown kind of table; expected a name ending in .csv, .tsv, .txt, .parquet, .arrow, .ipc or .feather", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A column of a type that cannot be read as text.
    #[error("{}, column `{column}`: it is {kind}, which cannot be read as text; write it as text, a whole number or a date", path.display())]
    UnreadableType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type.
        kind: String,
    },
    /// A complaint of Polars, which reads the tables.
    #[error("cannot read {}: {detail}", path.display())]
    Polars {
        /// The file.
        path: PathBuf,
        /// Its complaint.
        detail: String,
    },
    /// Two independent readings of one file that differ.
    #[error("{}: {detail}; this is a mistake in palmtop, or the file changed while it was read", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where they differ.
        detail: String,
    },
    /// More people than can be counted.
    #[error("{}: more people than can be counted; correct its counts", path.display())]
    TooManyPeople {
        /// The file.
        path: PathBuf,
    },
    /// Two rows of T that an identifier says are one person.
    #[error("{}, column `{column}`: rows {first} and {second} have the same value{}; an identifier stands for one person, and a person must not count twice: remove the repetition, or set `repeats = true` for it in the project where several people may share a value", path.display(), if *count > 1 { format!(", and {} more rows repeat one", count - 1) } else { String::new() })]
    RepeatedIdentifier {
        /// T.
        path: PathBuf,
        /// The identifier's column.
        column: String,
        /// The first row, from 1, the header not counted.
        first: u64,
        /// The first row that repeats its value.
        second: u64,
        /// How many rows repeat a value.
        count: u64,
    },
    /// Whoever was told how much is read said stop.
    #[error("stopped on request")]
    Cancelled,
    /// A table that changed between two readings.
    #[error("{} changed while it was read; start again when nobody writes to it", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A table without rows.
    #[error("{}: the {table} table is empty; it needs at least one person", path.display())]
    EmptyTable {
        /// The file.
        path: PathBuf,
        /// `private` or `public`.
        table: &'static str,
    },
    /// A count that is no whole number.
    #[error("{}, row {row}, column `{column}`: `{value}` is no count; expected a whole number from 0 to 4294967295, or say in the project what it stands for: `count = {{ column = …, texts = {{ {value:?} = 1 }} }}`", path.display())]
    NotACount {
        /// The file.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The count column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A membership that is neither true nor false.
    #[error("{}, row {row}, column `{column}`: `{value}` is no membership; expected true, yes, y or 1, or false, no, n, 0 or nothing, or say in the project which text marks the people of T: `member = {{ column = …, is = {value:?} }}`", path.display())]
    NotAMembership {
        /// The file.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The member column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A prior that is no probability below 1.
    #[error("{}, row {row}, column `{column}`: `{value}` is no prior; expected a fraction such as 1/30, a decimal such as 0.05 or a percentage such as 5%, from 0 to below 1", path.display())]
    NotAPrior {
        /// The file.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A member of T of whom the prior says that they cannot be in it.
    #[error("{}, row {row}, column `{column}`: the prior of a member of T is 0, which says that they cannot be in it; give them one above 0", path.display())]
    ImpossibleMember {
        /// P.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The prior's column.
        column: String,
    },
    /// Members of T of whom the prior says that they cannot be in it.
    #[error("{0}")]
    Impossible(Box<Impossible>),
    /// A table of rates with a column that it cannot have, or without one that it needs.
    #[error("{}: {detail}", path.display())]
    Rates {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// People whom no row of a table of rates matches, or more than one.
    #[error("{0}")]
    Unmatched(Box<Unmatched>),
    /// A hierarchy that the model refuses.
    #[error("hierarchy {}", path.display())]
    Hierarchy {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ModelError,
    },
    /// A line of a hierarchy that is wrong in itself or against another line.
    #[error("hierarchy {}{}: {detail}", path.display(), at_line(*line))]
    HierarchyFile {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where there is one.
        line: Option<u64>,
        /// What is wrong and what to do.
        detail: String,
    },
    /// Values of a table that cannot be read, or that a hierarchy lacks.
    #[error("{0}")]
    Refused(Box<RefusedValues>),
    /// A value that the hierarchy gives two meanings.
    #[error("{}, column `{column}`: `{value}` can be read in two ways by hierarchy {}: it would be `{}` or `{}` at the level of the public table; rename one of them there and in the tables", table.display(), hierarchy.display(), labels.0, labels.1)]
    TwoReadings {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The hierarchy.
        hierarchy: PathBuf,
        /// The value.
        value: String,
        /// What one reading makes of it, and what the other does.
        labels: Box<(String, String)>,
    },
    /// Several of these at once.
    #[error("{}", lines(.0))]
    Several(Vec<DataError>),
    /// People of T who are not in P.
    #[error("{0}")]
    NotInPublic(Box<NotInPublic>),
    /// Tables and hierarchies that make no valid problem.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl DataError {
    /// Everything that went wrong, as one error.
    ///
    /// # Errors
    /// The one that there is, or [`Several`](Self::Several).
    pub fn all(results: impl IntoIterator<Item = Result<(), Self>>) -> Result<(), Self> {
        let mut wrong = Vec::new();
        for error in results.into_iter().filter_map(Result::err) {
            match error {
                Self::Several(errors) => wrong.extend(errors),
                error => wrong.push(error),
            }
        }
        match wrong.len() {
            0 => Ok(()),
            1 => Err(wrong.remove(0)),
            _ => Err(Self::Several(wrong)),
        }
    }

    /// The same with the places of values that a hierarchy lacks, as `place` says for a table's column and a value.
    #[must_use]
    pub fn with_places(self, place: &dyn Fn(&Path, &str, &str) -> Option<RefusedValue>) -> Self {
        match self {
            Self::Refused(refused) => {
                let (table, column) = (refused.table.clone(), refused.column.clone());
                let own =
                    |text: &str| place(&table, &column, text).unwrap_or_else(|| RefusedValue::new(text));
                Self::Refused(Box::new(refused.with_places(&own)))
            }
            Self::Several(errors) => {
                Self::Several(errors.into_iter().map(|error| error.with_places(place)).collect())
            }
            other => other,
        }
    }

    /// An error of the operating system on a file; [`Cancelled`](Self::Cancelled) where it only passes on a stop.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| {
            if watch::is_cancelled(&source) { Self::Cancelled } else { Self::Io { path, action, source } }
        }
    }
}

/// People of T who are not in P, where the project says what becomes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outsiders {
    /// Whether they are added to P; else everybody of T with such a combination is left out.
    pub is_added: bool,
    /// How many are added or left out.
    pub people: u64,
    /// The rows of T with such a combination, from 1, the header not counted; at most [`NotInPublic::ROWS`].
    pub rows: Vec<u64>,
    /// How many such rows there are in all.
    pub row_count: u64,
}

impl fmt::Display for Outsiders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = plural(self.people, "member");
        let rows = row_numbers(&self.rows, self.row_count);
        if self.is_added {
            return write!(
                f,
                "{people} of T not in P, added to P as the project says: rows with such a combination {rows}; what follows \
                 holds against who knows P with them"
            );
        }
        write!(f, "{people} of T not in P, excluded as the project says: rows {rows}")
    }
}

/// The people of the private table who are not in the public one: the definition needs T ⊆ P, combination by combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInPublic {
    /// The private table.
    pub private: PathBuf,
    /// The public table.
    pub public: PathBuf,
    /// How many people too many there are in the private table.
    pub people: u64,
    /// The rows of T with such a combination, from 1, the header not counted; at most [`NotInPublic::ROWS`].
    pub rows: Vec<u64>,
    /// How many such rows there are in all.
    pub row_count: u64,
    /// The combinations with their counts, at most [`NotInPublic::COMBINATIONS`].
    pub combinations: Vec<(Vec<String>, Counts)>,
    /// How many such combinations there are in all.
    pub combination_count: u64,
    /// The quasi-identifiers' names.
    pub attributes: Vec<String>,
    /// Of the people too many, those whose combination P has, but not so often.
    pub repeated: u64,
    /// Each attribute without which some of them would be in P, and how many; the most first.
    pub explained_by: Vec<(String, u64)>,
    /// The attributes that are blank for somebody in P.
    pub blank: Vec<String>,
}

impl NotInPublic {
    /// How many combinations are listed at most.
    pub const COMBINATIONS: usize = 20;
    /// How many row numbers are listed at most.
    pub const ROWS: usize = 100;
}

impl fmt::Display for NotInPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (private, public) = (self.private.display(), self.public.display());
        writeln!(
            f,
            "{} not in {public}: every combination of quasi-identifiers must be in the public table at least as \
             often as in the private one",
            match self.people {
                1 => format!("1 person of {private} is"),
                people => format!("{people} people of {private} are"),
            }
        )?;
        let rows = row_numbers(&self.rows, self.row_count);
        writeln!(f, "rows of {private} with these combinations (header not counted): {rows}")?;
        writeln!(f, "{} (in {private} / in {public}):", self.attributes.join(" · "))?;
        for (combination, counts) in &self.combinations {
            writeln!(f, "  {}   {} / {}", combination.join(" · "), counts.private, counts.public)?;
        }
        let hidden = self.combination_count - self.combinations.len() as u64;
        if hidden > 0 {
            writeln!(f, "  and {} more", plural(hidden, "combination"))?;
        }
        if self.repeated > 0 {
            writeln!(
                f,
                "{} of {} have a combination that {public} has, but less often: look for rows that stand twice in {private}, or \
                 for rows of {public} that stand for several people (`count`)",
                self.repeated, self.people
            )?;
        }
        let total = self.people;
        for (attribute, people) in &self.explained_by {
            writeln!(
                f,
                "`{attribute}` alone explains {people} of {total}: look for another spelling or coding of it in one of the tables"
            )?;
        }
        if self.explained_by.is_empty() {
            writeln!(f, "no attribute alone explains them: look for people who are missing from {public}")?;
        }
        if !self.blank.is_empty() {
            let blank = listed(&self.blank);
            writeln!(
                f,
                "{public} has people without a value of {blank}: no value of {private} is that of a blank"
            )?;
        }
        write!(
            f,
            "to go on without these people, say `not_in_public = \"drop\"` under [private]: everybody with such a combination is \
             left out of the release, and counted; or `\"add\"`: they are added to P, and counted"
        )
    }
}

/// The members of T of whom the prior says that they cannot be in it: T has more with a combination than P has with a
/// prior above 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// The private table.
    pub private: PathBuf,
    /// The public table.
    pub public: PathBuf,
    /// How many members too many there are.
    pub people: u64,
    /// The rows of T with such a combination, from 1, the header not counted; at most [`NotInPublic::ROWS`].
    pub rows: Vec<u64>,
    /// How many such rows there are in all.
    pub row_count: u64,
    /// The combinations, each with its people of P with a prior above 0 and its members of T; at most
    /// [`NotInPublic::COMBINATIONS`].
    pub combinations: Vec<(Vec<String>, Counts)>,
    /// How many such combinations there are in all.
    pub combination_count: u64,
    /// The quasi-identifiers' names.
    pub attributes: Vec<String>,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (private, public) = (self.private.display(), self.public.display());
        writeln!(
            f,
            "the prior says impossible: {} of T cannot be in it, as {public} has fewer people of their combination with a prior above 0 \
             than {private} has members",
            plural(self.people, "member")
        )?;
        let rows = row_numbers(&self.rows, self.row_count);
        writeln!(f, "rows of {private} with these combinations (header not counted): {rows}")?;
        writeln!(f, "{} (in {private} / in {public} with a prior above 0):", self.attributes.join(" · "))?;
        for (combination, counts) in &self.combinations {
            writeln!(f, "  {}   {} / {}", combination.join(" · "), counts.private, counts.public)?;
        }
        let hidden = self.combination_count - self.combinations.len() as u64;
        if hidden > 0 {
            writeln!(f, "  and {} more", plural(hidden, "combination"))?;
        }
        write!(f, "correct the prior: whoever may be in T has one above 0")
    }
}

/// People whom no row of a table of rates matches, or more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// The table of rates.
    pub rates: PathBuf,
    /// The attributes that it has columns of.
    pub attributes: Vec<String>,
    /// The values of the first of them, with the rows that match them, from 1, the header not counted: none or two. At most
    /// [`RefusedValues::LISTED`].
    pub values: Vec<(Vec<String>, Vec<u64>)>,
    /// How many such values there are.
    pub count: u64,
    /// How many people of P have such values.
    pub people: u64,
    /// The first row that matches nobody, from 1, the header not counted: perhaps it was meant for them.
    pub idle: Option<u64>,
}

impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rates = self.rates.display();
        writeln!(
            f,
            "{rates}: each person of the public table must match one row, and {} not ({}):",
            if self.people == 1 { "1 does".to_owned() } else { format!("{} do", self.people) },
            self.attributes.join(" · ")
        )?;
        for (values, rows) in &self.values {
            let rows = rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
            let matched = if rows.is_empty() { "no row".to_owned() } else { format!("rows {rows}") };
            writeln!(f, "  {}: {matched}", values.join(" · "))?;
        }
        let hidden = self.count - self.values.len() as u64;
        if hidden > 0 {
            writeln!(f, "  and {hidden} more")?;
        }
        if let Some(row) = self.idle {
            writeln!(
                f,
                "row {row} matches nobody: its values are no labels of the hierarchies, or nobody has them"
            )?;
        }
        write!(
            f,
            "add a row for each, and let no two rows match the same people; a cell is a value or a label of the attribute's hierarchy"
        )
    }
}

/// The line, from 1, of a place in a text.
pub(crate) fn line_of(text: &[u8], place: usize) -> u64 {
    1 + text[..place].split(|byte| *byte == b'\n').skip(1).count() as u64
}

fn in_column(column: Option<&str>) -> String {
    column.map(|column| format!(" in column `{column}`")).unwrap_or_default()
}

fn at_line(line: Option<u64>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The first rows of so many, and how many more there are.
fn row_numbers(first: &[u64], count: u64) -> String {
    let rows = first.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match count - first.len() as u64 {
        0 => rows,
        more => format!("{rows} and {more} more"),
    }
}

fn lines(errors: &[DataError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

pub(super) fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

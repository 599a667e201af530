//! What can be wrong with a file, with its place and the remedy.

mod people;
pub mod refused;
mod words;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use self::refused::{Refusal, RefusedValue, RefusedValues};
use self::words::names;
use crate::source::encoding::{self, Encoding, Undecodable};
use crate::source::form::Misformed;
use crate::source::identity::SharedInput;
use crate::source::place::{self, RowPlace};
use crate::source::watch;
use palmtop_core::model::ModelError;

pub use self::people::{Impossible, NotInPublic, Outsiders, Unmatched};

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
    /// Bytes that are no UTF-8, where nobody said that they are something else.
    #[error("{0}")]
    NotUtf8(Box<NotUtf8>),
    /// Bytes that mean nothing in the encoding that the project or a mark says.
    #[error("{}, {undecodable}", path.display())]
    Undecodable {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which line.
        undecodable: Undecodable,
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
    #[error("{}: no column `{column}`, it has {}; correct the project's {setting}", path.display(), names(available))]
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
    /// A file of a table that has other columns than the table's first.
    #[error("{}: its columns are not those of {}: {}; all files of a table need the same columns, in any order", path.display(), first.display(), differing(missing, surplus))]
    OtherColumns {
        /// The file.
        path: PathBuf,
        /// The first file.
        first: PathBuf,
        /// The columns that the first has and this one lacks.
        missing: Vec<String>,
        /// The columns that this one has and the first lacks.
        surplus: Vec<String>,
    },
    /// Hierarchies that are not there.
    #[error("no such hierarchy: {}; the project names hierarchies relative to its folder: copy them to where it names them, or correct `hierarchy` under [[attribute]] (the sample projects use the folder `hierarchies` two folders above them; `palmtop check @clinic` needs no files)", paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))]
    NoHierarchies {
        /// The files.
        paths: Vec<PathBuf>,
    },
    /// A file of a table that is another input, too.
    #[error(transparent)]
    SharedInput(#[from] Box<SharedInput>),
    /// A setting for another kind of file.
    #[error("{}: `{setting}` is for {kind}, and this is none; remove it from the project, or give the table other files", path.display())]
    SettingForOthers {
        /// The file.
        path: PathBuf,
        /// The key.
        setting: &'static str,
        /// What it is for.
        kind: &'static str,
    },
    /// A workbook that cannot be read, or a sheet that is no table.
    #[error("{}{}: {detail}", path.display(), in_sheet(sheet.as_deref(), cell.as_deref()))]
    Sheet {
        /// The file.
        path: PathBuf,
        /// The sheet, where there is one.
        sheet: Option<String>,
        /// The cell, as `B7`.
        cell: Option<String>,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// A file name with an ending that palmtop does not know.
    #[error("{}: unknown kind of table; expected a name ending in .csv, .tsv, .txt, .parquet, .arrow, .ipc, .feather, .xlsx, .xls or .ods, and perhaps .gz or .zst behind it", path.display())]
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
    /// A complaint of the library that reads a file: Polars, or `calamine`.
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
    #[error("{}, column `{column}`: {} have the same value{}; an identifier stands for one person, and a person must not count twice: remove the repetition, or in the project set `role = \"entity\"` where several rows are one person's and P has the column, or `repeats = true` where several people may share a value", path.display(), place::both(&rows[0], &rows[1]), if *count > 1 { format!(", and {} more rows repeat one", count - 1) } else { String::new() })]
    RepeatedIdentifier {
        /// T.
        path: PathBuf,
        /// The identifier's column.
        column: String,
        /// The first row, and the first that repeats its value.
        rows: Box<[RowPlace; 2]>,
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

    /// Whether it is, among others, that hierarchies lack values.
    pub fn is_lacking(&self) -> bool {
        match self {
            Self::Refused(refused) => matches!(refused.refusal, Refusal::Lacking(_)),
            Self::Several(errors) => errors.iter().any(Self::is_lacking),
            _ => false,
        }
    }

    /// The same of a file that is a hierarchy, and of which a project cannot say what it is encoded in.
    #[must_use]
    pub(crate) fn of_hierarchy(self) -> Self {
        match self {
            Self::NotUtf8(mut field) => {
                field.is_hierarchy = true;
                Self::NotUtf8(field)
            }
            other => other,
        }
    }

    /// An error of the operating system on a file; [`Cancelled`](Self::Cancelled) where it only passes on a stop.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| {
            if watch::is_cancelled(&source) {
                return Self::Cancelled;
            }
            match encoding::undecodable(&source) {
                Some(undecodable) => Self::Undecodable { path, undecodable: undecodable.clone() },
                None => Self::Io { path, action, source },
            }
        }
    }
}

/// A field whose bytes are no UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    /// The file.
    pub path: PathBuf,
    /// The line of its record, from 1.
    pub line: u64,
    /// The column, where it is known.
    pub column: Option<String>,
    /// The first bytes that are none.
    pub bytes: Vec<u8>,
    /// What the field would be in windows-1252; `None` where it is nothing there either.
    pub in_windows_1252: Option<String>,
    /// Whether the file is one of a hierarchy, whose encoding no project can say.
    pub is_hierarchy: bool,
}

impl NotUtf8 {
    pub(crate) fn new(
        path: &Path,
        line: u64,
        column: Option<String>,
        field: &[u8],
        error: std::str::Utf8Error,
    ) -> Self {
        let wrong = &field[error.valid_up_to()..];
        // What stands at the end may lack its rest.
        let bytes = &wrong[..error.error_len().unwrap_or(wrong.len()).min(wrong.len())];
        // Enough to recognize it: the field may be long.
        let start = error.valid_up_to().saturating_sub(20);
        let around = &field[start..field.len().min(start + 60)];
        let in_windows_1252 = encoding::as_windows_1252(around);
        let (path, bytes) = (path.to_owned(), bytes.to_vec());
        Self { path, line, column, bytes, in_windows_1252, is_hierarchy: false }
    }
}

impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, line, bytes) = (self.path.display(), self.line, encoding::hexadecimal(&self.bytes));
        let column = self.column.as_ref().map(|column| format!(" in column `{column}`")).unwrap_or_default();
        let noun = if self.bytes.len() == 1 { "byte" } else { "bytes" };
        write!(f, "{path}, line {line}: not UTF-8{column} ({noun} {bytes})")?;
        match &self.in_windows_1252 {
            _ if self.is_hierarchy => {
                f.write_str("; convert the file, for instance with `iconv -f LATIN1 -t UTF-8`")
            }
            Some(text) => write!(
                f,
                "\nin windows-1252 it would be {text:?}; if that is right, write under the table's path in the project:\n\
                 encoding = \"{}\"",
                Encoding::Windows1252
            ),
            None => write!(
                f,
                ", and nothing in windows-1252 either; find out what it is in, and say so in the project's `encoding`, or \
                 convert the file, for instance with `iconv -f LATIN1 -t UTF-8`"
            ),
        }
    }
}

/// The line, from 1, of a place in a text.
pub fn line_of(text: &[u8], place: usize) -> u64 {
    1 + text[..place].split(|byte| *byte == b'\n').skip(1).count() as u64
}

fn in_sheet(sheet: Option<&str>, cell: Option<&str>) -> String {
    let sheet = sheet.map(|sheet| format!(", sheet `{sheet}`")).unwrap_or_default();
    let cell = cell.map(|cell| format!(", cell {cell}")).unwrap_or_default();
    sheet + &cell
}

fn differing(missing: &[String], surplus: &[String]) -> String {
    let told =
        |what: &str, columns: &[String]| (!columns.is_empty()).then(|| format!("{what} {}", names(columns)));
    let both = [told("it lacks", missing), told("it has", surplus)];
    both.into_iter().flatten().collect::<Vec<_>>().join(", and ")
}

fn at_line(line: Option<u64>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

fn lines(errors: &[DataError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

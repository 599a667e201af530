//! The errors of files: what is wrong, where, and what to do.

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
    /// The operating system refused an operation on the file.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The verb of the message: `read`, `write`, …
        action: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// Bytes that are not UTF-8, in a file for which the project sets no encoding.
    #[error("{0}")]
    NotUtf8(Box<NotUtf8>),
    /// Bytes that are invalid in the encoding given by the project or by a byte-order mark.
    #[error("{}, {undecodable}", path.display())]
    Undecodable {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which line.
        undecodable: Undecodable,
    },
    /// A line with too few or too many fields.
    #[error("{}, line {line}: {found} fields, expected {expected}; complete the line, or quote fields that contain the separator", path.display())]
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The number of fields in this line.
        found: usize,
        /// The number of fields in the first line.
        expected: usize,
    },
    /// A form that RFC 4180 does not define, so two readers could read different tables.
    #[error("{}, {misformed}", path.display())]
    Misformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which line.
        misformed: Misformed,
    },
    /// A file whose content is of another kind than its name indicates.
    #[error("{}: the file is {what}; {remedy}", path.display())]
    Disguised {
        /// The file.
        path: PathBuf,
        /// The kind that its first bytes show.
        what: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A file without a header line.
    #[error("{} is empty; expected a header line with the column names", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// Two columns with the same name.
    #[error("{}, line 1: column `{column}` occurs twice; rename one", path.display())]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        column: String,
    },
    /// A column that the project names and the file does not have.
    #[error("{}: no column `{column}`, it has {}; correct the project's {setting}", path.display(), names(available))]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The missing name.
        column: String,
        /// The project setting that names the column.
        setting: String,
        /// The columns that the file has.
        available: Vec<String>,
    },
    /// A file of a table with other columns than the first file of the table.
    #[error("{}: its columns differ from those of {}: {}; all files of a table need the same columns, in any order", path.display(), first.display(), differing(missing, surplus))]
    OtherColumns {
        /// The file.
        path: PathBuf,
        /// The first file.
        first: PathBuf,
        /// Columns that only the first file has.
        missing: Vec<String>,
        /// Columns that only this file has.
        surplus: Vec<String>,
    },
    /// Hierarchy files that do not exist.
    #[error("no such hierarchy: {}; paths in a project start at its folder: copy the files there, or correct `hierarchy` under [[attribute]] (the sample projects use ../../hierarchies; `palmtop check @clinic` needs no files)", paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))]
    NoHierarchies {
        /// All missing files.
        paths: Vec<PathBuf>,
    },
    /// A file of a table that is also another input.
    #[error(transparent)]
    SharedInput(#[from] Box<SharedInput>),
    /// A setting that this kind of file does not have.
    #[error("{}: `{setting}` applies only to {kind}; remove it from the project, or use files of that kind", path.display())]
    SettingForOthers {
        /// The file with the setting.
        path: PathBuf,
        /// The key.
        setting: &'static str,
        /// The kind of file that has this setting.
        kind: &'static str,
    },
    /// A workbook that cannot be read, or a sheet that is not a table.
    #[error("{}{}: {detail}", path.display(), in_sheet(sheet.as_deref(), cell.as_deref()))]
    Sheet {
        /// The file.
        path: PathBuf,
        /// The sheet, if the error is about one.
        sheet: Option<String>,
        /// The cell, such as `B7`.
        cell: Option<String>,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// A file name whose ending is not a known table format.
    #[error("{}: unknown kind of table; expected a name ending in .csv, .tsv, .txt, .parquet, .arrow, .ipc, .feather, .xlsx, .xls or .ods, optionally followed by .gz or .zst", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A column with a type that cannot be read as text.
    #[error("{}, column `{column}`: its type is {kind}, which cannot be read as text; save it as text, whole numbers or dates", path.display())]
    UnreadableType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The type, as Polars names it.
        kind: String,
    },
    /// An error of the library that reads the file: Polars or `calamine`.
    #[error("cannot read {}: {detail}", path.display())]
    Polars {
        /// The file.
        path: PathBuf,
        /// The library's message.
        detail: String,
    },
    /// Two independent readings of one file differ.
    #[error("{}: {detail}; this is a bug in palmtop, or the file changed while it was read", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The difference.
        detail: String,
    },
    /// The counts add up to more people than the counter can hold.
    #[error("{}: more people than palmtop can count; correct the counts", path.display())]
    TooManyPeople {
        /// The file.
        path: PathBuf,
    },
    /// Two rows of T with the same value of an identifier.
    #[error("{}, column `{column}`: {} have the same value{}; an identifier has one row per person: remove the repetition; or set `role = \"entity\"` in the project if a person has several rows and P has the column; or set `repeats = true` if several people may share a value", path.display(), place::both(&rows[0], &rows[1]), if *count > 1 { format!(", and {} more rows repeat one", count - 1) } else { String::new() })]
    RepeatedIdentifier {
        /// The file of T.
        path: PathBuf,
        /// The identifier's column.
        column: String,
        /// The first of these rows, and the first row that repeats its value.
        rows: Box<[RowPlace; 2]>,
        /// How many rows repeat a value.
        count: u64,
    },
    /// The observer of the progress asked to stop.
    #[error("stopped on request")]
    Cancelled,
    /// A table that changed between two readings.
    #[error("{} changed while it was read; start again when no program writes to it", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A table without any row.
    #[error("{}: the {table} table is empty; it needs at least one person", path.display())]
    EmptyTable {
        /// The file.
        path: PathBuf,
        /// `private` or `public`.
        table: &'static str,
    },
    /// A count that is not a whole number.
    #[error("{}, row {row}, column `{column}`: `{value}` is not a count; expected a whole number from 0 to 4294967295, or give its meaning in the project: `count = {{ column = …, texts = {{ {value:?} = 1 }} }}`", path.display())]
    NotACount {
        /// The file.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The count column.
        column: String,
        /// The cell's text.
        value: String,
    },
    /// A membership that is neither true nor false.
    #[error("{}, row {row}, column `{column}`: `{value}` is not a membership; expected true, yes, y or 1, or false, no, n, 0 or a blank, or name the text that marks members in the project: `member = {{ column = …, is = {value:?} }}`", path.display())]
    NotAMembership {
        /// The file.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The member column.
        column: String,
        /// The cell's text.
        value: String,
    },
    /// A prior that is not a probability below 1.
    #[error("{}, row {row}, column `{column}`: `{value}` is not a prior; expected a fraction such as 1/30, a decimal such as 0.05 or a percentage such as 5%, from 0 to below 1", path.display())]
    NotAPrior {
        /// The file.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The column.
        column: String,
        /// The cell's text.
        value: String,
    },
    /// A member of T whose prior is 0.
    #[error("{}, row {row}, column `{column}`: this member of T has the prior 0, which means that they cannot be in T; give them a prior above 0", path.display())]
    ImpossibleMember {
        /// The file of P.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The prior's column.
        column: String,
    },
    /// Members of T whom the prior excludes from T.
    #[error("{0}")]
    Impossible(Box<Impossible>),
    /// A table of rates with a column that it cannot have, or without a column that it needs.
    #[error("{}: {detail}", path.display())]
    Rates {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// People in P who match no row of the table of rates, or several rows.
    #[error("{0}")]
    Unmatched(Box<Unmatched>),
    /// A hierarchy that the model rejects.
    #[error("hierarchy {}", path.display())]
    Hierarchy {
        /// The file.
        path: PathBuf,
        /// The model's reason.
        source: ModelError,
    },
    /// A line of a hierarchy that is wrong, or contradicts another line.
    #[error("hierarchy {}{}: {detail}", path.display(), at_line(*line))]
    HierarchyFile {
        /// The file.
        path: PathBuf,
        /// The line, from 1, if one line is at fault.
        line: Option<u64>,
        /// What is wrong and what to do.
        detail: String,
    },
    /// Values of a table that cannot be read, or that a hierarchy lacks.
    #[error("{0}")]
    Refused(Box<RefusedValues>),
    /// A value with two meanings in its hierarchy.
    #[error("{}, column `{column}`: `{value}` has two meanings in hierarchy {}: `{}` or `{}` at the level of the public table; rename one of them in the hierarchy and in the tables", table.display(), hierarchy.display(), labels.0, labels.1)]
    TwoReadings {
        /// The table.
        table: PathBuf,
        /// Its column.
        column: String,
        /// The hierarchy.
        hierarchy: PathBuf,
        /// The value.
        value: String,
        /// The labels of both meanings at the level of the public table.
        labels: Box<(String, String)>,
    },
    /// Several errors, one after the other.
    #[error("{}", lines(.0))]
    Several(Vec<DataError>),
    /// People of T who are not in P.
    #[error("{0}")]
    NotInPublic(Box<NotInPublic>),
    /// The tables and hierarchies do not form a valid problem.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl DataError {
    /// Combines the errors of all results into one.
    ///
    /// # Errors
    /// The only error, or [`Several`](Self::Several) of them.
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

    /// Adds to each value that a hierarchy lacks its first row and its number of people. `lookup`
    /// finds them by table, column and value.
    #[must_use]
    pub fn with_places(self, lookup: &dyn Fn(&Path, &str, &str) -> Option<RefusedValue>) -> Self {
        match self {
            Self::Refused(refused) => {
                let (table, column) = (refused.table.clone(), refused.column.clone());
                let in_column =
                    |text: &str| lookup(&table, &column, text).unwrap_or_else(|| RefusedValue::new(text));
                Self::Refused(Box::new(refused.with_places(&in_column)))
            }
            Self::Several(errors) => {
                Self::Several(errors.into_iter().map(|error| error.with_places(lookup)).collect())
            }
            other => other,
        }
    }

    /// Whether a hierarchy lacks values, here or in one of [`Several`](Self::Several) errors.
    pub fn is_lacking(&self) -> bool {
        match self {
            Self::Refused(refused) => matches!(refused.refusal, Refusal::Lacking(_)),
            Self::Several(errors) => errors.iter().any(Self::is_lacking),
            _ => false,
        }
    }

    /// Marks the file as a hierarchy: a project cannot set the encoding of a hierarchy.
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

    /// Turns an error of the operating system into one with the file and the verb. Becomes
    /// [`Cancelled`](Self::Cancelled) if the error only passes on a stop.
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

/// A field with bytes that are not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    /// The file.
    pub path: PathBuf,
    /// The first line of its record, from 1.
    pub line: u64,
    /// The column, if known.
    pub column: Option<String>,
    /// The first invalid bytes.
    pub bytes: Vec<u8>,
    /// The field read as windows-1252; `None` if it is invalid there, too.
    pub in_windows_1252: Option<String>,
    /// Whether the file is a hierarchy: a project cannot set the encoding of a hierarchy.
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
        // A sequence at the end of the field may be cut off.
        let bytes = &wrong[..error.error_len().unwrap_or(wrong.len()).min(wrong.len())];
        // The field may be long; 60 bytes are enough to recognize it.
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
                "\nin windows-1252 the text is {text:?}; if that is right, write under the table's path in the project:\n\
                 encoding = \"{}\"",
                Encoding::Windows1252
            ),
            None => write!(
                f,
                ", nor windows-1252; find out the file's encoding and set `encoding` in the project, or convert the file, \
                 for instance with `iconv -f LATIN1 -t UTF-8`"
            ),
        }
    }
}

/// The line, from 1, of a byte offset in a text.
pub fn line_of(text: &[u8], offset: usize) -> u64 {
    1 + text[..offset].split(|byte| *byte == b'\n').skip(1).count() as u64
}

fn in_sheet(sheet: Option<&str>, cell: Option<&str>) -> String {
    let sheet = sheet.map(|sheet| format!(", sheet `{sheet}`")).unwrap_or_default();
    let cell = cell.map(|cell| format!(", cell {cell}")).unwrap_or_default();
    sheet + &cell
}

fn differing(missing: &[String], surplus: &[String]) -> String {
    let part =
        |verb: &str, columns: &[String]| (!columns.is_empty()).then(|| format!("{verb} {}", names(columns)));
    let parts = [part("it lacks", missing), part("it has", surplus)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", and ")
}

fn at_line(line: Option<u64>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

fn lines(errors: &[DataError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

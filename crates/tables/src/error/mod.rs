//! The errors of files: what is wrong, where, and what to do.

pub mod doubts;
mod people;
mod repeats;
pub mod refused;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use self::doubts::Doubts;
use self::refused::{Refusal, RefusedValue, RefusedValues};
use crate::source::encoding::{self, Encoding};
use crate::source::watch;
use palmtop_core::located::{Located, LocatedError, Place, Position};
use palmtop_core::model::ModelError;
use palmtop_core::words::{chain, plural};

pub(crate) use self::people::Unmatched;
pub use self::people::{Excess, NotInPublic, Outsiders};
pub use self::repeats::Repeats;

/// A file that cannot be read, understood or written.
///
/// Only the errors that a caller recognizes have a variant. All others are
/// [`Located`](Self::Located).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// An error of a file, with its position and what to do.
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// Bytes that are not UTF-8, in a file for which the project sets no encoding.
    #[error("{0}")]
    NotUtf8(Box<NotUtf8>),
    /// Values of a table that cannot be read, or that a hierarchy lacks.
    #[error("{0}")]
    Refused(Box<RefusedValues>),
    /// Rows that may be no people, about which the project says nothing.
    #[error("{0}")]
    Doubts(Box<Doubts>),
    /// People of T who are not in P.
    #[error("{0}")]
    NotInPublic(Box<NotInPublic>),
    /// Rows that repeat an identifier, while the project does not say who is a person.
    #[error("{0}")]
    Repeats(Box<Repeats>),
    /// Several errors, one after the other.
    #[error("{}", lines(.0))]
    Several(Vec<DataError>),
    /// The tables and hierarchies do not form a valid problem.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The observer of the progress asked to stop.
    #[error("stopped on request")]
    Cancelled,
}

impl Located for DataError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Located(error) => error.places(),
            Self::NotUtf8(field) => {
                let place = Place::of(&field.path).at(Position::Line(field.line));
                vec![field.column.iter().cloned().map(Position::Column).fold(place, Place::at)]
            }
            Self::Refused(refused) => refused.places(),
            Self::Doubts(doubts) => vec![Place::of(&doubts.file)],
            Self::NotInPublic(outside) => {
                let Excess { private, rows, .. } = &outside.excess;
                rows.iter().map(|row| Place::of(private).at(Position::Row(row.row))).collect()
            }
            Self::Repeats(repeats) => {
                vec![Place::of(&repeats.table).at(Position::Column(repeats.column.clone()))]
            }
            Self::Several(errors) => errors.iter().flat_map(Self::places).collect(),
            Self::Model(_) | Self::Cancelled => Vec::new(),
        }
    }
}

/// Errors that several readers report.
impl DataError {
    /// A hierarchy file that is wrong; in one line, counted from 1, or as a whole.
    pub fn hierarchy(path: &Path, line: Option<u64>, detail: impl Into<String>) -> Self {
        let error = LocatedError::new(detail).in_named("hierarchy", path);
        line.into_iter().fold(error, LocatedError::at_line).into()
    }

    /// A hierarchy that the model rejects.
    pub(crate) fn hierarchy_model(path: &Path) -> impl Fn(ModelError) -> Self {
        move |reason| LocatedError::new("").in_named("hierarchy", path).caused_by(reason).into()
    }

    /// A table that changed between two readings.
    pub fn changed(path: &Path) -> Self {
        Self::of_file(path, "the file changed while it was read", "start again when no program writes to it")
    }

    /// A table without any row; `table` is `private` or `public`.
    pub fn empty_table(path: &Path, table: &str) -> Self {
        let needed = "give it at least one person";
        Self::of_file(path, &format!("the {table} table is empty"), needed)
    }

    /// An error of an entire file.
    pub(crate) fn of_file(path: &Path, problem: &str, remedy: &str) -> Self {
        LocatedError::new(problem).in_file(path).remedy(remedy).into()
    }

    /// A line with too few or too many fields.
    pub(crate) fn ragged(path: &Path, line: u64, found: usize, expected: usize) -> Self {
        LocatedError::new(plural(found as u64, "field"))
            .in_file(path)
            .at_line(line)
            .expected(expected.to_string())
            .remedy("complete the line, or quote fields that contain the separator")
            .into()
    }

    /// A file name whose ending is not a known table format.
    pub(crate) fn unknown_format(path: &Path) -> Self {
        LocatedError::new("unknown kind of table")
            .in_file(path)
            .expected(
                "a name ending in .csv, .tsv, .txt, .parquet, .arrow, .ipc, .feather, .xlsx or .xls, \
                 optionally followed by .gz or .zst",
            )
            .into()
    }

    /// An error of the library that reads the file: Polars or `calamine`.
    pub(crate) fn unreadable(path: &Path, detail: impl Into<String>) -> Self {
        LocatedError::new(detail).in_named("cannot read", path).into()
    }

    /// Two independent readings of one file differ.
    pub(crate) fn two_readings(path: &Path, difference: &str) -> Self {
        let cause = "this is a bug in palmtop, or the file changed while it was read";
        Self::of_file(path, &format!("two readings differ: {difference}"), cause)
    }

    /// Turns an error of the operating system into one with the file and the verb, and adds the
    /// file to a [`LocatedError`] of a reader. Becomes [`Cancelled`](Self::Cancelled) if the error
    /// only passes on a stop.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| {
            if watch::is_cancelled(&error) {
                return Self::Cancelled;
            }
            match error.downcast::<LocatedError>() {
                Ok(located) => located.in_file(&path).into(),
                Err(error) => LocatedError::cannot(action, &path, error).into(),
            }
        }
    }
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
    pub fn with_positions(self, lookup: &dyn Fn(&Path, &str, &str) -> Option<RefusedValue>) -> Self {
        match self {
            Self::Refused(refused) => {
                let (table, column) = (refused.table.clone(), refused.column.clone());
                let in_column =
                    |text: &str| lookup(&table, &column, text).unwrap_or_else(|| RefusedValue::new(text));
                Self::Refused(Box::new(refused.with_positions(&in_column)))
            }
            Self::Several(errors) => {
                Self::Several(errors.into_iter().map(|error| error.with_positions(lookup)).collect())
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

    /// Whether the error is that the file does not exist.
    pub fn is_not_found(&self) -> bool {
        let Self::Located(error) = self else { return false };
        error.cause::<io::Error>().is_some_and(|reason| reason.kind() == io::ErrorKind::NotFound)
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
        let in_windows_1252 = Encoding::WINDOWS_1252.decode(around);
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
                 encoding = \"{}\"\nelse the file's own encoding, such as windows-1250 or iso-8859-2; `palmtop init` guesses it",
                Encoding::WINDOWS_1252
            ),
            None => write!(
                f,
                ", nor windows-1252; write the file's encoding under the table's path in the project, such as \
                 encoding = \"shift_jis\", or convert the file, for instance with `iconv -f CP850 -t UTF-8`; \
                 `palmtop init` guesses it"
            ),
        }
    }
}

/// The line, from 1, of a byte offset in a text.
pub fn line_of(text: &[u8], offset: usize) -> u64 {
    1 + text[..offset].split(|byte| *byte == b'\n').skip(1).count() as u64
}

/// The errors with their causes, which the error of several has no room for.
fn lines(errors: &[DataError]) -> String {
    errors.iter().map(|error| chain(error)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_several_errors_has_its_cause() {
        let refused = |file: &str, why: &str| {
            Err(DataError::hierarchy_model(Path::new(file))(ModelError::Invalid(why.to_owned())))
        };
        let both = DataError::all([refused("a.toml", "`[x]` is odd"), refused("b.toml", "`*` is odd")]);
        let both = both.unwrap_err().to_string();
        let lines: Vec<&str> = both.lines().collect();
        assert_eq!(lines, ["hierarchy a.toml: `[x]` is odd", "hierarchy b.toml: `*` is odd"]);
    }
}

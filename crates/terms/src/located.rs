//! An error of an input: its location, what is wrong, what was expected, and what to do.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// An error with its location.
///
/// The message has one form:
/// `file, line 3, column `age`: what is wrong; expected …; what to do`. Each part may be missing.
///
/// ```
/// use palmtop_terms::located::LocatedError;
/// # use std::path::Path;
/// let error = LocatedError::new("`x` is not a count")
///     .in_file(Path::new("p.csv"))
///     .at_line(3)
///     .at_column("people")
///     .expected("a whole number")
///     .remedy("correct it");
/// assert_eq!(
///     error.to_string(),
///     "p.csv, line 3, column `people`: `x` is not a count; expected a whole number; correct it"
/// );
/// ```
///
/// A crate gives an error a type of its own only if a caller matches on it. The message may contain
/// values of tables: print it to stderr only.
#[derive(Debug)]
pub struct LocatedError(Box<Parts>);

#[derive(Debug, Default)]
struct Parts {
    /// The words before the file: `hierarchy`, `cannot read`.
    lead: String,
    file: Option<PathBuf>,
    positions: Vec<Position>,
    problem: String,
    expected: Option<String>,
    remedy: Option<String>,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

/// A position in a file. Several of them lead from the outside to the inside: sheet, cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a text file, from 1.
    Line(u64),
    /// A row of a table, from 1. The header does not count.
    Row(u64),
    /// A character of a line, from 1.
    Character(u64),
    /// A sheet of a workbook.
    Sheet(String),
    /// A cell of a sheet, such as `B7`.
    Cell(String),
    /// A column of a table.
    Column(String),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row} (header not counted)"),
            Self::Character(character) => write!(f, "character {character}"),
            Self::Sheet(sheet) => write!(f, "sheet `{sheet}`"),
            Self::Cell(cell) => write!(f, "cell {cell}"),
            Self::Column(column) => write!(f, "column `{column}`"),
        }
    }
}

/// A place that an error names, and what is wrong there. What the error does not name is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Option<PathBuf>,
    /// The positions in it, from the outside to the inside.
    pub positions: Vec<Position>,
    /// The value at this position.
    pub value: Option<String>,
    /// What is wrong.
    pub problem: Option<String>,
    /// What is allowed there.
    pub expected: Option<String>,
    /// What to do.
    pub remedy: Option<String>,
}

impl Place {
    /// A file as a whole.
    pub fn of(file: &Path) -> Self {
        Self { file: Some(file.to_owned()), ..Self::default() }
    }

    /// A position in the file, inside the positions that the place already has.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.positions.push(position);
        self
    }
}

/// An error that knows its places.
///
/// Each error that has a file, or that passes on an error with one, implements this beside its
/// enum, with a `match` that names every variant: so a new variant must decide. An error that is
/// passed on (`#[error(transparent)]`, or quoted in the message) is hidden from the chain of causes,
/// so its places are those of the error that passes it on. Those of a `#[source]` are not: the chain
/// has it.
pub trait Located: Error {
    /// The places, one for each file, column and value that the error names.
    fn places(&self) -> Vec<Place>;
}

impl LocatedError {
    /// An error, in words. The builder methods add its location and what to do.
    pub fn new(problem: impl Into<String>) -> Self {
        Self(Box::new(Parts { problem: problem.into(), ..Parts::default() }))
    }

    /// A failed operation on a file: `cannot read p.csv`, with the reason as its source.
    pub fn cannot(action: &str, file: &Path, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new("").in_named(&format!("cannot {action}"), file).caused_by(cause)
    }

    /// The file with the error.
    #[must_use]
    pub fn in_file(self, file: &Path) -> Self {
        self.in_named("", file)
    }

    /// The file with the error, after words that describe it: `hierarchy age.csv`.
    #[must_use]
    pub fn in_named(mut self, lead: &str, file: &Path) -> Self {
        lead.clone_into(&mut self.0.lead);
        self.0.file = Some(file.to_owned());
        self
    }

    /// A position in the file, inside the positions that the error already has.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.0.positions.push(position);
        self
    }

    /// A line of the file, from 1.
    #[must_use]
    pub fn at_line(self, line: u64) -> Self {
        self.at(Position::Line(line))
    }

    /// A row of the table, from 1. The header does not count.
    #[must_use]
    pub fn at_row(self, row: u64) -> Self {
        self.at(Position::Row(row))
    }

    /// A column of the table.
    #[must_use]
    pub fn at_column(self, column: impl Into<String>) -> Self {
        self.at(Position::Column(column.into()))
    }

    /// What is allowed there.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.0.expected = Some(expected.into());
        self
    }

    /// What to do, as a command; ideally the line to write.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy = Some(remedy.into());
        self
    }

    /// The error that led to this one. It is the source, and not part of the message.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// The file, if the error is about one.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The positions in the file, from the outside to the inside.
    pub fn positions(&self) -> &[Position] {
        &self.0.positions
    }

    /// The line, from 1, if the error has one.
    pub fn line(&self) -> Option<u64> {
        self.0.positions.iter().find_map(|position| match position {
            Position::Line(line) => Some(*line),
            _ => None,
        })
    }

    /// What is wrong, without its location and remedy.
    pub fn problem(&self) -> &str {
        &self.0.problem
    }

    /// What is allowed there.
    pub fn expectation(&self) -> Option<&str> {
        self.0.expected.as_deref()
    }

    /// What to do.
    pub fn advice(&self) -> Option<&str> {
        self.0.remedy.as_deref()
    }

    /// The error that led to this one, if it has this type.
    pub fn cause<E: Error + 'static>(&self) -> Option<&E> {
        self.0.cause.as_deref()?.downcast_ref()
    }
}

impl fmt::Display for LocatedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { lead, file, positions, problem, expected, remedy, .. } = &*self.0;
        if !lead.is_empty() {
            write!(f, "{lead} ")?;
        }
        let mut separator = "";
        if let Some(file) = file {
            write!(f, "{}", file.display())?;
            separator = ", ";
        }
        for position in positions {
            write!(f, "{separator}{position}")?;
            separator = ", ";
        }
        if !problem.is_empty() {
            write!(f, "{}{problem}", if separator.is_empty() { "" } else { ": " })?;
        }
        if let Some(expected) = expected {
            write!(f, "; expected {expected}")?;
        }
        if let Some(remedy) = remedy {
            write!(f, "; {remedy}")?;
        }
        Ok(())
    }
}

impl Located for LocatedError {
    fn places(&self) -> Vec<Place> {
        let Parts { lead: _, file, positions, problem, expected, remedy, cause: _ } = &*self.0;
        vec![Place {
            file: file.clone(),
            positions: positions.clone(),
            value: None,
            problem: Some(problem.clone()).filter(|problem| !problem.is_empty()),
            expected: expected.clone(),
            remedy: remedy.clone(),
        }]
    }
}

impl Error for LocatedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_parts_that_are_given() {
        let file = Path::new("p.xlsx");
        let in_cell = LocatedError::new("an error of the formula")
            .in_file(file)
            .at(Position::Sheet("one".to_owned()))
            .at(Position::Cell("B7".to_owned()));
        assert_eq!(in_cell.to_string(), "p.xlsx, sheet `one`, cell B7: an error of the formula");
        let without_file = LocatedError::new("no such value").at_column("age").remedy("correct it");
        assert_eq!(without_file.to_string(), "column `age`: no such value; correct it");
        assert_eq!(LocatedError::new("no prior").expected("one").to_string(), "no prior; expected one");
        let in_row = LocatedError::new("a blank").in_named("project", file).at_row(2);
        assert_eq!(in_row.to_string(), "project p.xlsx, row 2 (header not counted): a blank");
    }

    #[test]
    fn a_failed_operation_keeps_its_reason() {
        let failed = LocatedError::cannot("read", Path::new("p.csv"), fmt::Error);
        assert_eq!(failed.to_string(), "cannot read p.csv");
        assert_eq!(failed.cause::<fmt::Error>(), Some(&fmt::Error));
        assert!(failed.source().is_some());
    }
}

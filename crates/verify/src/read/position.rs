//! The position of a row in a table.

use std::fmt;

use crate::problems::VerifyError;
use palmtop_terms::located;

/// A position in a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// A line of a CSV file, from 1.
    Line(u64),
    /// A row of a Parquet or Arrow file or of a workbook, from 1. The header does not count.
    Row(u64),
}

impl From<Position> for located::Position {
    fn from(position: Position) -> Self {
        match position {
            Position::Line(line) => Self::Line(line),
            Position::Row(row) => Self::Row(row),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        located::Position::from(*self).fmt(f)
    }
}

/// The location of a row in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// The index of the file, from 0.
    pub(crate) file: usize,
    pub(crate) position: Position,
}

/// Receives the position and the texts of each row of a file.
pub(crate) type Visitor<'a> = dyn FnMut(Position, &[&str]) -> Result<(), VerifyError> + 'a;

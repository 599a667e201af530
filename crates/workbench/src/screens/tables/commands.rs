//! The commands of the tables.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Next,
    Left,
    Right,
    Widen,
    Reveal,
    Class,
    Frequencies,
    Find,
    FindNext,
    FindPrevious,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("tables", (), V::Listed, "", "the tables: T, P, the release");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("tables.next", C::Next, V::Pane, "next", "the next table"),
    row("tables.left", C::Left, V::Left, "", "columns to the left"),
    row("tables.right", C::Right, V::Right, "columns", "columns to the right"),
    row("tables.widen", C::Widen, V::Columns, "", "show values in full, or more columns"),
    row("tables.reveal", C::Reveal, V::Values, "reveal", "show or hide identifiers and sensitive values"),
    row("tables.class", C::Class, V::Open, "its class", "open the class of this row on the workbench"),
    row("tables.frequencies", C::Frequencies, V::Listed, "frequencies", "the most frequent values of each quasi-identifier, in P and T"),
    row("tables.find", C::Find, V::Find, "find", "find a row by part of a shown value or a complete identifier, or a column by its name"),
    row("tables.next-found", C::FindNext, V::Next, "", "the next row found"),
    row("tables.previous", C::FindPrevious, V::Previous, "", "the previous row found"),
];

//! The commands of the tables.

use crate::kit::command::{Row, row};

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
pub(crate) const SHOW: Row<()> = row("tables", (), &["8"], "", "the tables: T, P, the release");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("tables.next", C::Next, &["Tab"], "next", "the next table"),
    row("tables.left", C::Left, &["h", "Left"], "", "columns to the left"),
    row("tables.right", C::Right, &["l", "Right"], "columns", "columns to the right"),
    row("tables.widen", C::Widen, &["_"], "", "show values in full, or more columns"),
    row("tables.reveal", C::Reveal, &["v"], "reveal", "show or hide identifiers and sensitive values"),
    row("tables.class", C::Class, &["Enter"], "its class", "open the class of this row on the workbench"),
    row("tables.frequencies", C::Frequencies, &["F"], "frequencies", "the most frequent values of each quasi-identifier, in P and T"),
    row("tables.find", C::Find, &["/"], "find", "find a row by part of a shown value, or a complete identifier"),
    row("tables.next-found", C::FindNext, &["n"], "", "the next row found"),
    row("tables.previous", C::FindPrevious, &["N"], "", "the previous row found"),
];

//! The commands of the comparison.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Left,
    Right,
    Base,
    Open,
    Forget,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("compare", (), &["c", "5"], "compare", "compare releases, best first");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("compare.left", C::Left, &["h", "Left"], "", "sort by the column to the left"),
    row("compare.right", C::Right, &["l", "Right"], "", "sort by the column to the right"),
    row("compare.base", C::Base, &["b"], "base", "make this release the base"),
    row("compare.open", C::Open, &["o", "Enter"], "open", "open it on the workbench"),
    row("compare.forget", C::Forget, &["x"], "forget", "leave it out of the comparison"),
];

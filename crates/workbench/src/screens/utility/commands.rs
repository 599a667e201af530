//! The commands of the utility.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Part,
    Left,
    Right,
    Open,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> =
    row("utility", (), &["0"], "", "utility: distributions, pairs, queries, classes");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("utility.part", C::Part, &["Tab"], "next part", "show another part first"),
    row("utility.left", C::Left, &["h", "Left"], "", "the previous attribute first"),
    row("utility.right", C::Right, &["l", "Right"], "", "the next attribute first"),
    row("utility.open", C::Open, &["o", "Enter"], "open", "open it on the workbench"),
];

//! The commands of the utility.

use crate::kit::command::{Row, row};

/// What its keys ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Part,
    Left,
    Right,
    Open,
}

use Command as C;

/// What opens it.
pub(crate) const SHOW: Row<()> =
    row("utility", (), &["0"], "", "utility: distributions, pairs, queries, classes");

/// Its part of the table.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("utility.part", C::Part, &["Tab"], "next part", "show another part first"),
    row("utility.left", C::Left, &["h", "Left"], "", "the previous attribute first"),
    row("utility.right", C::Right, &["l", "Right"], "", "the next attribute first"),
    row("utility.open", C::Open, &["o", "Enter"], "open", "open it on the workbench"),
];

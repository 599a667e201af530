//! The commands of the risks.

use crate::kit::command::{Row, row};

/// What its keys ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Open,
}

use Command as C;

/// What opens it.
pub(crate) const SHOW: Row<()> =
    row("risk", (), &["9"], "", "risks other than δ: class sizes, diversity, closeness");

/// Its part of the table.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("risk.open", C::Open, &["o", "Enter"], "open", "open it on the workbench"),
];

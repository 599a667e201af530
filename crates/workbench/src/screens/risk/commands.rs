//! The commands of the risks.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Open,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> =
    row("risk", (), &["9"], "", "risks other than δ: class sizes, diversity, closeness");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("risk.open", C::Open, &["o", "Enter"], "open", "open it on the workbench"),
];

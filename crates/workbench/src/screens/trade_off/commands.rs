//! The commands of the trade-off.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Left,
    Right,
    Run,
    RunAll,
    Stop,
    Take,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("trade-off", (), &["t", "6"], "", "loss against δmax");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("trade-off.left", C::Left, &["h", "Left"], "", "the δmax to the left"),
    row("trade-off.right", C::Right, &["l", "Right"], "", "the δmax to the right"),
    row("trade-off.run", C::Run, &["r"], "run", "measure simulatable, SPALM and MPALM's n over δmax"),
    row("trade-off.run-all", C::RunAll, &["a"], "run all", "measure simulatable, SPALM, the nine and best"),
    row("trade-off.stop", C::Stop, &["x", "X"], "stop", "stop measuring"),
    row("trade-off.take", C::Take, &["Enter"], "take δmax", "use the selected δmax"),
];

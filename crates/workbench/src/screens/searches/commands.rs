//! The commands of the searches.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Left,
    Right,
    Run,
    RunAll,
    Best,
    Stop,
    StopAll,
    Open,
    More,
    Seconds,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("searches", (), &["s", "4"], "searches", "the searches");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("searches.left", C::Left, &["h", "Left"], "", "the cell to the left"),
    row("searches.right", C::Right, &["l", "Right"], "", "the cell to the right"),
    row("searches.run", C::Run, &["r", "Enter"], "run", "run this search"),
    row("searches.run-all", C::RunAll, &["a"], "run all", "run all searches"),
    row("searches.best", C::Best, &["b"], "", "run best: the least loss that palmtop finds"),
    row("searches.stop", C::Stop, &["x"], "stop", "stop it and keep its best"),
    row("searches.stop-all", C::StopAll, &["X"], "stop all", "stop all searches"),
    row("searches.open", C::Open, &["o"], "open", "open its release on the workbench"),
    row("searches.more", C::More, &["m"], "more", "show all strategies, or only the first four"),
    row("searches.seconds", C::Seconds, &["S"], "", "the seconds that best may take"),
];

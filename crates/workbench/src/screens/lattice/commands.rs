//! The commands of the lattice.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Left,
    Right,
    Open,
    Next,
    Previous,
    Frontier,
    Best,
    Here,
    Find,
    Check,
    Stop,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("lattice", (), &["g", "3"], "lattice", "the whole lattice");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("lattice.left", C::Left, &["h", "Left"], "less loss", "the node to the left: less loss"),
    row("lattice.right", C::Right, &["l", "Right"], "more", "the node to the right: more loss"),
    row("lattice.open", C::Open, &["Enter", "o"], "go there", "show the node on the workbench"),
    row("lattice.next", C::Next, &["n"], "next ✓", "the next node that keeps δ"),
    row("lattice.previous", C::Previous, &["N"], "", "the previous node that keeps δ"),
    row("lattice.frontier", C::Frontier, &["f"], "frontier", "the next node of the frontier"),
    row("lattice.best", C::Best, &["b"], "best", "the δ-present node of least loss"),
    row("lattice.here", C::Here, &["H"], "here", "the node of the workbench"),
    row("lattice.find", C::Find, &["/"], "find", "find a node by its levels: 2,1,*,0"),
    row("lattice.check", C::Check, &["r"], "", "check the nodes again, after a stop"),
    row("lattice.stop", C::Stop, &["x"], "", "stop checking nodes"),
];

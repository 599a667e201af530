//! The commands of the lattice.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

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
    Pane,
    Smaller,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("lattice", (), V::Listed, "", "the whole lattice");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("lattice.left", C::Left, V::Left, "less loss", "the node to the left: less loss"),
    row("lattice.right", C::Right, V::Right, "more", "the node to the right: more loss"),
    row("lattice.open", C::Open, V::Open, "go there", "show the node on the workbench"),
    row("lattice.next", C::Next, V::Next, "next ✓", "the next node that keeps δ"),
    row("lattice.previous", C::Previous, V::Previous, "", "the previous node that keeps δ"),
    row("lattice.frontier", C::Frontier, V::Listed, "frontier", "the next node of the frontier"),
    row("lattice.best", C::Best, V::Listed, "best", "the δ-present node of least loss"),
    row("lattice.here", C::Here, V::Listed, "here", "the node of the workbench"),
    row("lattice.find", C::Find, V::Find, "find", "find a node by its levels: 2,1,*,0"),
    row("lattice.check", C::Check, V::Run, "", "check the nodes again, after a stop"),
    row("lattice.stop", C::Stop, V::Stop, "", "stop checking nodes"),
    row("lattice.pane", C::Pane, V::Pane, "pane", "back to the steps and the classes"),
    row("lattice.smaller", C::Smaller, V::Smaller, "", "the same"),
];

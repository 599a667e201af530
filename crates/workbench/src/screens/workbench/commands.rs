//! The commands of the workbench.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Finer,
    Coarser,
    NextPane,
    Explain,
    Pin,
    Find,
    FindNext,
    FindPrevious,
    Filter,
    Sort,
    Reverse,
    Left,
    Right,
    Widen,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("workbench", (), &["1"], "", "the workbench: node, classes, steps");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("workbench.finer", C::Finer, &["h", "Left"], "finer", "one level finer"),
    row("workbench.coarser", C::Coarser, &["l", "Right"], "coarser", "one level coarser"),
    row("workbench.pane", C::NextPane, &["Tab"], "pane", "switch between steps and classes"),
    row("workbench.explain", C::Explain, &["Enter"], "explain", "the class in full, with its remedies"),
    row("workbench.pin", C::Pin, &["p"], "pin", "pin this release to the comparison"),
    row("workbench.find", C::Find, &["/"], "", "find a class by its labels"),
    row("workbench.next", C::FindNext, &["n"], "", "the next class found"),
    row("workbench.previous", C::FindPrevious, &["N"], "", "the previous class found"),
    row("workbench.filter", C::Filter, &["f"], "filter", "show some classes: presence>.4 zip:089 over"),
    row("workbench.sort", C::Sort, &["o"], "", "sort by the next column"),
    row("workbench.reverse", C::Reverse, &["O"], "", "reverse the order"),
    row("workbench.left", C::Left, &["<"], "", "scroll the attributes to the left"),
    row("workbench.right", C::Right, &[">"], "", "scroll the attributes to the right"),
    row("workbench.widen", C::Widen, &["_"], "", "show labels in full, or more attributes"),
];

//! The commands of the workbench.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Finer,
    Coarser,
    NextPane,
    Enlarge,
    Explain,
    Pin,
    Find,
    FindNext,
    FindPrevious,
    Filter,
    Sort,
    Reverse,
    Widen,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("workbench", (), V::Listed, "", "the workbench: node, classes, steps");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("workbench.finer", C::Finer, V::Left, "finer", "one level finer; in the classes, the attributes to the left"),
    row("workbench.coarser", C::Coarser, V::Right, "coarser", "one level coarser; in the classes, the attributes to the right"),
    row("workbench.explain", C::Explain, V::Open, "explain", "the class in full, with its remedies"),
    row("workbench.pane", C::NextPane, V::Pane, "pane", "the steps, the classes, the lattice"),
    row("workbench.enlarge", C::Enlarge, V::Larger, "", "the classes alone, with one explained"),
    row("workbench.pin", C::Pin, V::Pin, "pin", "pin this release to the comparison"),
    row("workbench.find", C::Find, V::Find, "", "find a class by its labels"),
    row("workbench.next", C::FindNext, V::Next, "", "the next class found"),
    row("workbench.previous", C::FindPrevious, V::Previous, "", "the previous class found"),
    row("workbench.filter", C::Filter, V::Filter, "filter", "show some classes: presence>.4 zip:089 over"),
    row("workbench.sort", C::Sort, V::Order, "", "sort by the next column"),
    row("workbench.reverse", C::Reverse, V::Listed, "", "reverse the order"),
    row("workbench.widen", C::Widen, V::Columns, "", "show labels in full, or more attributes"),
];

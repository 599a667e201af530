//! The commands of the workbench.

use crate::kit::command::{Row, row};

/// What its keys ask for.
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
}

use Command as C;

/// What opens it.
pub(crate) const SHOW: Row<()> = row("workbench", (), &["w", "1"], "", "the workbench: node, classes, steps");

/// Its part of the table.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("workbench.finer", C::Finer, &["h", "Left"], "finer", "one level finer"),
    row("workbench.coarser", C::Coarser, &["l", "Right"], "coarser", "one level coarser"),
    row("workbench.pane", C::NextPane, &["Tab"], "pane", "steps or classes"),
    row("workbench.explain", C::Explain, &["Enter"], "explain", "the class in full: what would mend it"),
    row("workbench.pin", C::Pin, &["p"], "pin", "keep this place to compare"),
    row("workbench.find", C::Find, &["/"], "", "find a class by its labels"),
    row("workbench.next", C::FindNext, &["n"], "", "the next one found"),
    row("workbench.previous", C::FindPrevious, &["N"], "", "the one found before"),
    row("workbench.filter", C::Filter, &["f"], "filter", "show only some: presence>.4 zip:089 over"),
    row("workbench.sort", C::Sort, &["o"], "", "sort by the next column"),
    row("workbench.reverse", C::Reverse, &["O"], "", "sort the other way round"),
    row("workbench.left", C::Left, &["<"], "", "attributes to the left, in the classes"),
    row("workbench.right", C::Right, &[">"], "", "attributes to the right, in the classes"),
];

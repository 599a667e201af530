//! The commands of the screen of classes.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    NextPane,
    Find,
    FindNext,
    FindPrevious,
    Filter,
    Sort,
    SortBack,
    Reverse,
    Left,
    Right,
    Widen,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("classes", (), &["2"], "", "the classes, with one explained");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("classes.pane", C::NextPane, &["Tab"], "pane", "switch between the table and the class below"),
    row("classes.find", C::Find, &["/"], "find", "find a class by its labels"),
    row("classes.next", C::FindNext, &["n"], "", "the next class found"),
    row("classes.previous", C::FindPrevious, &["N"], "", "the previous class found"),
    row("classes.filter", C::Filter, &["f"], "filter", "show some classes: presence>.4 zip:089 over"),
    row("classes.sort", C::Sort, &["o", "Right", "l"], "sort", "sort by the next column"),
    row("classes.sort-back", C::SortBack, &["Left", "h"], "", "sort by the column before"),
    row("classes.reverse", C::Reverse, &["O"], "reverse", "reverse the order"),
    row("classes.left", C::Left, &["<"], "", "scroll the attributes to the left"),
    row("classes.right", C::Right, &[">"], "", "scroll the attributes to the right"),
    row("classes.widen", C::Widen, &["_"], "", "show labels in full, or more attributes"),
];

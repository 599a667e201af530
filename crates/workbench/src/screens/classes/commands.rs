//! The commands of the screen of classes.

use crate::kit::command::{Row, row};

/// What its keys ask for.
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
}

use Command as C;

/// What opens it.
pub(crate) const SHOW: Row<()> = row("classes", (), &["2"], "", "the classes, and one explained");

/// Its part of the table.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("classes.pane", C::NextPane, &["Tab"], "pane", "the table, or the class below it, which scrolls"),
    row("classes.find", C::Find, &["/"], "find", "find a class by its labels"),
    row("classes.next", C::FindNext, &["n"], "", "the next one found"),
    row("classes.previous", C::FindPrevious, &["N"], "", "the one found before"),
    row("classes.filter", C::Filter, &["f"], "filter", "show only some: presence>.4 zip:089 over"),
    row("classes.sort", C::Sort, &["o", "Right", "l"], "sort", "sort by the next column"),
    row("classes.sort-back", C::SortBack, &["Left", "h"], "", "sort by the column before"),
    row("classes.reverse", C::Reverse, &["O"], "reverse", "sort the other way round"),
    row("classes.left", C::Left, &["<"], "", "attributes to the left, in the classes"),
    row("classes.right", C::Right, &[">"], "", "attributes to the right, in the classes"),
];

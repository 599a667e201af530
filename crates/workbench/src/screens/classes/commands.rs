//! The commands of the screen of classes.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    NextPane,
    Smaller,
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
pub(crate) const SHOW: Row<()> = row("classes", (), V::Listed, "", "the classes, with one explained");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("classes.pane", C::NextPane, V::Pane, "pane", "switch between the table and the class below"),
    row("classes.smaller", C::Smaller, V::Smaller, "back", "back to the steps and the classes"),
    row("classes.find", C::Find, V::Find, "find", "find a class by its labels"),
    row("classes.next", C::FindNext, V::Next, "", "the next class found"),
    row("classes.previous", C::FindPrevious, V::Previous, "", "the previous class found"),
    row("classes.filter", C::Filter, V::Filter, "filter", "show some classes: presence>.4 zip:089 over"),
    row("classes.sort", C::Sort, V::Order, "sort", "sort by the next column"),
    row("classes.reverse", C::Reverse, V::Listed, "", "reverse the order"),
    row("classes.left", C::Left, V::Left, "", "scroll the attributes to the left"),
    row("classes.right", C::Right, V::Right, "", "scroll the attributes to the right"),
    row("classes.widen", C::Widen, V::Columns, "", "show labels in full, or more attributes"),
];

//! The commands of the hierarchies.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Finer,
    Coarser,
    Next,
    Change,
    Fold,
    Mark,
    MarkFound,
    Group,
    Split,
    Rename,
    Move,
    Borders,
    Limit,
    Insert,
    Remove,
    Save,
    File,
    Values,
    Find,
    FindNext,
    FindPrevious,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> =
    row("hierarchies", (), V::Listed, "", "the hierarchies, with people per label");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("hierarchies.finer", C::Finer, V::Left, "finer", "one level finer, as a step"),
    row("hierarchies.coarser", C::Coarser, V::Right, "coarser", "one level coarser, as a step"),
    row("hierarchies.next", C::Next, V::Pane, "next", "the next attribute"),
    row("hierarchies.change", C::Change, V::Open, "change", "what can be done with the label: group, split, rename, move, borders, levels"),
    row("hierarchies.fold", C::Fold, V::Listed, "", "fold or unfold a label"),
    row("hierarchies.mark", C::Mark, V::Mark, "mark", "mark or unmark a label"),
    row("hierarchies.mark-found", C::MarkFound, V::Listed, "", "mark every label of its level that was found"),
    row("hierarchies.group", C::Group, V::Listed, "", "group the marked labels under a new name"),
    row("hierarchies.split", C::Split, V::Listed, "", "split a label into its parts"),
    row("hierarchies.rename", C::Rename, V::Listed, "", "rename a label"),
    row("hierarchies.move", C::Move, V::Listed, "", "move the marked labels into another label"),
    row("hierarchies.borders", C::Borders, V::Listed, "", "type the borders of a level: bands of numbers or days"),
    row("hierarchies.limit", C::Limit, V::Listed, "", "change `terms` or `borders` of the attribute in the project"),
    row("hierarchies.insert", C::Insert, V::Listed, "", "add a level above the label's level"),
    row("hierarchies.remove", C::Remove, V::Listed, "", "remove the label's level"),
    row("hierarchies.save", C::Save, V::Write, "", "save the hierarchy to a new file for the project"),
    row("hierarchies.file", C::File, V::Listed, "", "another file for the hierarchy of the attribute"),
    row("hierarchies.values", C::Values, V::Values, "", "show or hide the members of T that a label has"),
    row("hierarchies.find", C::Find, V::Find, "find", "find a label"),
    row("hierarchies.find-next", C::FindNext, V::Next, "", "the next label found"),
    row("hierarchies.find-previous", C::FindPrevious, V::Previous, "", "the previous label found"),
];

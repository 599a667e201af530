//! The commands of the hierarchies.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Finer,
    Coarser,
    Next,
    Fold,
    Mark,
    Group,
    Split,
    Rename,
    Move,
    Borders,
    Limit,
    Insert,
    Remove,
    TakeBack,
    Again,
    Save,
    Find,
    FindNext,
    FindPrevious,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> = row("hierarchies", (), &["7"], "", "the hierarchies, with people per label");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("hierarchies.finer", C::Finer, &["h", "Left"], "finer", "one level finer, as a step"),
    row("hierarchies.coarser", C::Coarser, &["l", "Right"], "coarser", "one level coarser, as a step"),
    row("hierarchies.next", C::Next, &["Tab"], "next", "the next attribute"),
    row("hierarchies.fold", C::Fold, &["Enter"], "fold", "fold or unfold a label"),
    row("hierarchies.mark", C::Mark, &["Space"], "mark", "mark or unmark a label"),
    row("hierarchies.group", C::Group, &["m"], "group", "group the marked labels under a new name"),
    row("hierarchies.split", C::Split, &["x"], "split", "split a label into its parts"),
    row("hierarchies.rename", C::Rename, &["r"], "rename", "rename a label"),
    row("hierarchies.move", C::Move, &["v"], "", "move the marked labels into another label"),
    row("hierarchies.borders", C::Borders, &["b"], "", "type the borders of a level: bands of numbers or days"),
    row("hierarchies.limit", C::Limit, &["T"], "limit", "change `terms` or `borders` of the attribute in the project"),
    row("hierarchies.insert", C::Insert, &["i"], "", "add a level above the label's level"),
    row("hierarchies.remove", C::Remove, &["D"], "", "remove the label's level"),
    row("hierarchies.take-back", C::TakeBack, &["z"], "", "take back the last change of the hierarchy"),
    row("hierarchies.again", C::Again, &["Z"], "", "make the change again that was taken back"),
    row("hierarchies.save", C::Save, &["S"], "", "save the hierarchy to a new file for the project"),
    row("hierarchies.find", C::Find, &["/"], "find", "find a label"),
    row("hierarchies.find-next", C::FindNext, &["n"], "", "the next label found"),
    row("hierarchies.find-previous", C::FindPrevious, &["N"], "", "the previous label found"),
];

//! The commands of the hierarchies.

use crate::tui::kit::command::{Row, row};

/// What its keys ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Finer,
    Coarser,
    Next,
    Fold,
    Find,
    FindNext,
    FindPrevious,
}

use Command as C;

/// What opens it.
pub(crate) const SHOW: Row<()> = row("hierarchies", (), &["7"], "", "the hierarchies, with their people");

/// Its part of the table.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("hierarchies.finer", C::Finer, &["h", "Left"], "finer", "its level finer, as a step"),
    row("hierarchies.coarser", C::Coarser, &["l", "Right"], "coarser", "its level coarser, as a step"),
    row("hierarchies.next", C::Next, &["Tab"], "next", "the next attribute"),
    row("hierarchies.fold", C::Fold, &["Enter", "Space"], "fold", "fold or unfold a label"),
    row("hierarchies.find", C::Find, &["/"], "find", "find a label"),
    row("hierarchies.find-next", C::FindNext, &["n"], "", "the next label found"),
    row("hierarchies.find-previous", C::FindPrevious, &["N"], "", "the label found before"),
];

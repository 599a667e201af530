//! The commands of the proposal.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;
use palmtop_proposal::Aspect;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Give the marked answer, and go on.
    Settle,
    /// The next row with an open question.
    Next,
    /// The previous one.
    Previous,
    /// Mark another answer.
    Left,
    Right,
    /// Show or hide values.
    Examples,
    /// The other columns of the table.
    Sheet,
    /// Write the project, and open it.
    Write,
    /// Decide one part of the attribute under the cursor.
    Decide(Aspect),
}

use Command as C;

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("proposal.settle", C::Settle, V::Open, "answer", "give the marked answer, and go on to the next question"),
    row("proposal.right", C::Right, V::Right, "choose", "mark the next answer"),
    row("proposal.left", C::Left, V::Left, "", "mark the answer before"),
    row("proposal.next", C::Next, V::Next, "next", "the next open question"),
    row("proposal.previous", C::Previous, V::Previous, "", "the previous one"),
    row("proposal.sheet", C::Sheet, V::Pane, "columns", "the other columns: kind, hierarchy, limit"),
    row("proposal.examples", C::Examples, V::Values, "values", "show or hide three values in T and in P"),
    row("proposal.write", C::Write, V::Write, "write", "write the project, and open it"),
    row("proposal.role", C::Decide(Aspect::Role), V::Listed, "role", "the role of the column"),
    row("proposal.kind", C::Decide(Aspect::Kind), V::Listed, "", "the kind of its values: numbers, days, codes, texts"),
    row("proposal.form", C::Decide(Aspect::Form), V::Listed, "", "the format of its dates or numbers"),
    row("proposal.hierarchy", C::Decide(Aspect::Hierarchy), V::Listed, "hierarchy", "its hierarchy: a found one, or a built one"),
    row("proposal.limit", C::Decide(Aspect::Limit), V::Listed, "", "the limit of its published sets or ranges: `terms` or `borders`"),
    row("proposal.pair", C::Decide(Aspect::Pair), V::Listed, "", "its column of P"),
];

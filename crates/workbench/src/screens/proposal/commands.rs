//! The commands of the proposal.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;
use palmtop_proposal::Aspect;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Decide one part of the attribute under the cursor.
    Decide(Aspect),
    /// The column of P that counts people.
    Count,
    /// The column of P that marks members.
    Member,
    /// The treatment of members that P lacks.
    Missing,
    /// The next open question or note.
    Next,
    /// The previous one.
    Previous,
    /// Answer the open question.
    Settle,
    /// Show or hide three values.
    Examples,
    /// Write the project, and open it.
    Write,
}

use Command as C;

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("proposal.next", C::Next, V::Next, "next", "the next open question or note"),
    row("proposal.previous", C::Previous, V::Previous, "", "the previous one"),
    row("proposal.settle", C::Settle, V::Open, "settle", "answer the open question: its choices"),
    row("proposal.role", C::Decide(Aspect::Role), V::Listed, "role", "the role of the column"),
    row("proposal.kind", C::Decide(Aspect::Kind), V::Listed, "", "the kind of its values: numbers, days, codes, texts"),
    row("proposal.examples", C::Examples, V::Values, "values", "show or hide three values in T, and those missing in P"),
    row("proposal.form", C::Decide(Aspect::Form), V::Listed, "", "the format of its dates or numbers"),
    row("proposal.hierarchy", C::Decide(Aspect::Hierarchy), V::Listed, "hierarchy", "its hierarchy: a found one, or a built one"),
    row("proposal.limit", C::Decide(Aspect::Limit), V::Listed, "", "the limit of its published sets or ranges: `terms` or `borders`"),
    row("proposal.pair", C::Decide(Aspect::Pair), V::Listed, "", "its column of P"),
    row("proposal.count", C::Count, V::Listed, "", "the column of P that counts the people of a row"),
    row("proposal.member", C::Member, V::Listed, "", "the column of P that marks members, if T is part of P"),
    row("proposal.missing", C::Missing, V::Listed, "", "what to do with members that P lacks"),
    row("proposal.write", C::Write, V::Write, "write", "write the project, and open it"),
];

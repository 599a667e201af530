//! The commands of the proposal.

use crate::kit::command::{Row, row};
use palmtop_flow::proposal::Aspect;

/// What its keys ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Decide a side of the attribute under the cursor.
    Decide(Aspect),
    /// Which column of P counts people.
    Count,
    /// Which column of P says members of T.
    Member,
    /// What becomes of people of T whom P lacks.
    Missing,
    /// The next thing that is open.
    Next,
    /// The one before.
    Previous,
    /// Settle what is open.
    Settle,
    /// Show three values, or hide them.
    Examples,
    /// Write the project, and open it.
    Write,
}

use Command as C;

/// Its part of the table.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("proposal.next", C::Next, &["n"], "next", "the next open question or note"),
    row("proposal.previous", C::Previous, &["N"], "", "the previous one"),
    row("proposal.settle", C::Settle, &["Enter"], "settle", "answer the open question: its choices"),
    row("proposal.role", C::Decide(Aspect::Role), &["r"], "role", "the role of the column"),
    row("proposal.kind", C::Decide(Aspect::Kind), &["K"], "", "the kind of its values: numbers, days, codes, texts"),
    row("proposal.examples", C::Examples, &["v"], "values", "show or hide three values in T, and those missing in P"),
    row("proposal.form", C::Decide(Aspect::Form), &["f"], "", "the format of its dates or numbers"),
    row("proposal.hierarchy", C::Decide(Aspect::Hierarchy), &["h"], "hierarchy", "its hierarchy: a found one, or a built one"),
    row("proposal.pair", C::Decide(Aspect::Pair), &["p"], "", "its column of P"),
    row("proposal.count", C::Count, &["#"], "", "the column of P that counts the people of a row"),
    row("proposal.member", C::Member, &["i"], "", "the column of P that marks members, if T is part of P"),
    row("proposal.missing", C::Missing, &["m"], "", "what to do with members that P lacks"),
    row("proposal.write", C::Write, &["o"], "write", "write the project, and open it"),
];

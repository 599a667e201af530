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
    /// Which column of P says who is in T.
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
    row("proposal.next", C::Next, &["n"], "next", "the next thing that is open"),
    row("proposal.previous", C::Previous, &["N"], "", "the one before that is open"),
    row("proposal.settle", C::Settle, &["Enter"], "settle", "settle what is open: its choices"),
    row("proposal.role", C::Decide(Aspect::Role), &["r"], "role", "its role"),
    row("proposal.kind", C::Decide(Aspect::Kind), &["K"], "", "what its values are: numbers, days, codes, texts"),
    row("proposal.examples", C::Examples, &["v"], "values", "show or hide three of its values in T, and those that P has nowhere"),
    row("proposal.form", C::Decide(Aspect::Form), &["f"], "", "how its dates or numbers are written"),
    row("proposal.hierarchy", C::Decide(Aspect::Hierarchy), &["h"], "hierarchy", "its hierarchy: one that was found, or one that is built"),
    row("proposal.pair", C::Decide(Aspect::Pair), &["p"], "", "which column of P it is"),
    row("proposal.count", C::Count, &["#"], "", "which column of P says for how many people a row stands"),
    row("proposal.member", C::Member, &["i"], "", "which column of P says who is in T, where T is part of P"),
    row("proposal.missing", C::Missing, &["m"], "", "what becomes of T's people whom P lacks"),
    row("proposal.write", C::Write, &["o"], "write", "write the project, and open it"),
];

//! The commands of the releases.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Left,
    Right,
    Open,
    Run,
    Mark,
    Columns,
    Pin,
    Base,
    Stop,
    Member,
    Next,
    Previous,
    Values,
    More,
    Best,
    RunAll,
    StopAll,
    Seconds,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> =
    row("releases", (), V::Listed, "releases", "the releases: run, compare, risk, utility");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("releases.run", C::Run, V::Run, "run", "run this search, or all marked ones"),
    row("releases.open", C::Open, V::Open, "open", "open its release on the workbench"),
    row("releases.columns", C::Columns, V::Pane, "columns", "the next columns: loss, risk, utility"),
    row("releases.pin", C::Pin, V::Pin, "pin", "pin it to the comparison, or let it go"),
    row("releases.base", C::Base, V::Base, "base", "make it the base of the comparison"),
    row("releases.mark", C::Mark, V::Mark, "mark", "mark or unmark it, to run and for the curve"),
    row("releases.stop", C::Stop, V::Stop, "stop", "stop its search; else let a pinned release go"),
    row("releases.left", C::Left, V::Left, "", "the release to the left, in a row of three"),
    row("releases.right", C::Right, V::Right, "", "the release to the right, in a row of three"),
    row("releases.member", C::Member, V::Find, "member", "find the member to compare, by a published text or its row in T"),
    row("releases.next-member", C::Next, V::Next, "", "the next member"),
    row("releases.previous-member", C::Previous, V::Previous, "", "the previous member"),
    row("releases.values", C::Values, V::Values, "", "show or hide the member's values in T"),
    row("releases.more", C::More, V::Columns, "", "more or fewer columns"),
    row("releases.best", C::Best, V::Listed, "", "run best: the least loss that palmtop finds"),
    row("releases.run-all", C::RunAll, V::Listed, "", "run all searches"),
    row("releases.stop-all", C::StopAll, V::Listed, "", "stop all searches"),
    row("releases.seconds", C::Seconds, V::Listed, "", "the seconds that best may take"),
];

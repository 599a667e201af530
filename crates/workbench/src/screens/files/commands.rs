//! The commands of the written files.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Verify,
    Papers,
    Mark,
    Compose,
    Open,
    Stop,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> =
    row("files", (), V::Listed, "", "files: verify, report, compose what was written");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("files.verify", C::Verify, V::Run, "verify", "verify the written file from the raw tables"),
    row("files.papers", C::Papers, V::Write, "papers", "write the reports and the code list that it lacks"),
    row("files.mark", C::Mark, V::Mark, "mark", "mark or unmark it, to compose"),
    row("files.compose", C::Compose, V::Base, "compose", "what it reveals together with the marked releases"),
    row("files.open", C::Open, V::Open, "open", "make it again and open it on the workbench"),
    row("files.stop", C::Stop, V::Stop, "", "stop the running job"),
];

//! The commands of the releases.

use crate::kit::command::{Row, row};

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Verify,
    Report,
    ReportForRecipient,
    Mark,
    Compose,
    Open,
    Stop,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> =
    row("files", (), &["E"], "", "files: verify, report, compose what was written");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("files.verify", C::Verify, &["v"], "verify", "verify the written file from the raw tables"),
    row("files.report", C::Report, &["r"], "report", "write the report for the person who signs"),
    row("files.recipient", C::ReportForRecipient, &["R"], "recipient's", "write the report that goes with the release"),
    row("files.mark", C::Mark, &["Space"], "mark", "mark or unmark it, to compose"),
    row("files.compose", C::Compose, &["b"], "compose", "what two marked releases reveal together"),
    row("files.open", C::Open, &["o", "Enter"], "open", "make it again and open it on the workbench"),
    row("files.stop", C::Stop, &["x"], "", "stop the running job"),
];

//! The beginning and the end of a program: panics, the answers of clap, and the exit status.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::status::Status;
use crate::{output, say};

/// Runs a program: prints its error, if it ends with one, and turns its end into an exit status.
pub fn run(
    program: impl FnOnce() -> anyhow::Result<Status>,
    status_of: impl FnOnce(&anyhow::Error) -> Status,
) -> ExitCode {
    panic::set_hook(Box::new(tell_where));
    match program() {
        Ok(status) => status.into(),
        Err(error) => {
            // `{:#}` prints the whole chain of causes, once.
            say::message(&format!("{error:#}"));
            status_of(&error).into()
        }
    }
}

/// Prints the answer of clap: help and the version on stdout, a wrong command line on stderr. An error quotes the command
/// line, so it is escaped and has no colours.
pub fn answered(answer: &clap::Error) -> anyhow::Result<Status> {
    if matches!(answer.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        output::is_written(answer.print())?;
        return Ok(Status::Done);
    }
    say::line(&answer.render().to_string());
    Ok(Status::Usage)
}

/// Prints the position of a panic, but not its text, which may contain rows of a table. A failure to print is ignored.
fn tell_where(panic: &PanicHookInfo) {
    // A library panicked on a damaged file. The reader catches this panic and reports an error of the file.
    if palmtop_tables::panics_are_caught() || palmtop_verify::panics_are_caught() {
        return;
    }
    let location = panic.location().map(|location| format!(" at {location}")).unwrap_or_default();
    let backtrace = Backtrace::capture();
    let mut stderr = std::io::stderr().lock();
    let _ = writeln!(stderr, "palmtop: an internal error{location}; this is a bug in palmtop");
    if backtrace.status() == BacktraceStatus::Captured {
        let _ = writeln!(stderr, "{backtrace}");
    }
}

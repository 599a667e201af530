//! palmtop: argv to the workbench or a command, and what comes of it to an exit status.

mod cli;
#[cfg(test)]
mod references;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

fn main() -> ExitCode {
    panic::set_hook(Box::new(tell_where));
    match cli::run() {
        Ok(status) => status.into(),
        Err(error) => {
            // `{:#}` prints the whole chain of causes, once.
            cli::say::message(&format!("{error:#}"));
            cli::status_of(&error).into()
        }
    }
}

/// Tells of a panic where it happened, and not its text: that may hold rows. Nobody may be left to read it.
fn tell_where(panic: &PanicHookInfo) {
    // A library that reads somebody else's file gave up on it: that is told as an error of the file.
    if palmtop::data::panics_are_caught() || palmtop::verify::panics_are_caught() {
        return;
    }
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let backtrace = Backtrace::capture();
    let mut stderr = std::io::stderr().lock();
    let _ = writeln!(stderr, "palmtop: an internal error{place}; this is a mistake in palmtop");
    if backtrace.status() == BacktraceStatus::Captured {
        let _ = writeln!(stderr, "{backtrace}");
    }
}

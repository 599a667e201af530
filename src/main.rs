//! palmtop: argv to the workbench or a command, and what comes of it to an exit status.

mod cli;
#[cfg(test)]
mod references;

use std::process::ExitCode;

fn main() -> ExitCode {
    palmtop_console::start::run(cli::run, cli::status_of)
}

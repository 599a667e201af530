//! palmtop: opens the workbench or runs a command, and turns the result into an exit status.

mod cli;
#[cfg(test)]
mod references;

use std::process::ExitCode;

fn main() -> ExitCode {
    palmtop_console::start::run(cli::run, cli::status_of)
}

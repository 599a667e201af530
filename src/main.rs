//! palmtop: argv to the workbench or a command, and what comes of it to an exit status.

mod chart;
mod cli;
mod tui;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(status) => status.into(),
        Err(error) => {
            // `{:#}` prints the whole chain of causes, once.
            eprintln!("palmtop: {error:#}");
            cli::status_of(&error).into()
        }
    }
}

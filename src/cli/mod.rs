//! The commands: each the headless twin of something that the workbench does.

mod args;
mod practice;
mod status;
mod output;
mod progress;
mod interrupt;
mod result;
mod load;
mod workbench;
mod check;
mod advise;
mod classes;
mod lattice;
mod delivery;
mod anonymize;
mod replay;
mod compare;
mod experiment;
mod verify;
mod documents;

use clap::Parser;

use args::{Arguments, Command};
pub(crate) use status::{Status, status_of};

/// Reads the command line and does what it says.
pub(crate) fn run() -> anyhow::Result<Status> {
    let arguments = Arguments::parse();
    match arguments.command {
        None => workbench::run(&arguments.workbench),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Advise(arguments)) => advise::run(&arguments),
        Some(Command::Classes(arguments)) => classes::run(&arguments),
        Some(Command::Lattice(arguments)) => lattice::run(&arguments),
        Some(Command::Anonymize(arguments)) => anonymize::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Compare(arguments)) => compare::run(&arguments),
        Some(Command::Experiment(arguments)) => experiment::run(&arguments),
        Some(Command::Verify(arguments)) => verify::run(&arguments),
        Some(Command::BenchFrame(arguments)) => workbench::bench_frame(&arguments),
        Some(Command::Completions { shell }) => documents::completions(shell),
        Some(Command::Man) => documents::man(),
    }
}

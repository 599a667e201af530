//! The commands. Each is the counterpart of a function of the workbench, without its screens.

mod args;
mod status;
mod load;
mod measured;
mod tables;
mod workbench;
mod check;
mod reduce;
mod fetch;
mod sql;
mod registered;
mod advise;
mod again;
mod unique;
mod estimate;
mod classes;
mod lattice;
mod risk;
mod utility;
mod cautions;
mod delivery;
mod drawing;
mod anonymize;
mod replay;
mod compare;
mod audit;
mod compose;
mod verify;
mod report;
mod hierarchy;
mod init;
mod try_table;
mod documents;

use clap::Parser;
#[cfg(test)]
use palmtop::columns::{Column, Head};
use palmtop::data::trial;

pub(crate) use args::Arguments;
use args::Command;
use palmtop_console::start::answered;
use palmtop_console::status::Status;
pub(crate) use status::status_of;

/// Reads the command line and runs the command or the workbench.
pub(crate) fn run() -> anyhow::Result<Status> {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => return answered(&answer),
    };
    if !matches!(arguments.command, Some(Command::TryTable { .. }))
        && let Ok(program) = std::env::current_exe()
    {
        trial::set_program(program);
    }
    match arguments.command {
        None => workbench::run(&arguments.workbench),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Reduce(arguments)) => reduce::run(&arguments),
        Some(Command::Fetch(arguments)) => fetch::run(&arguments),
        Some(Command::Sql(arguments)) => sql::run(&arguments),
        Some(Command::Advise(arguments)) => advise::run(&arguments),
        Some(Command::Unique(arguments)) => unique::run(&arguments),
        Some(Command::Estimate(arguments)) => estimate::run(&arguments),
        Some(Command::Audit(arguments)) => audit::run(&arguments),
        Some(Command::Classes(arguments)) => classes::run(&arguments),
        Some(Command::Risk(arguments)) => risk::run(&arguments),
        Some(Command::Utility(arguments)) => utility::run(&arguments),
        Some(Command::Lattice(arguments)) => lattice::run(&arguments),
        Some(Command::Anonymize(arguments)) => anonymize::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Compare(arguments)) => compare::run(&arguments),
        Some(Command::Compose(arguments)) => compose::run(&arguments),
        Some(Command::Verify(arguments)) => verify::run(&arguments),
        Some(Command::Report(arguments)) => report::run(&arguments),
        Some(Command::Init(arguments)) => init::run(&arguments),
        Some(Command::Hierarchy(command)) => hierarchy::run(&command),
        Some(Command::TryTable { format, sheet }) => try_table::run(&format, sheet.as_deref()),
        Some(Command::BenchFrame(arguments)) => workbench::bench_frame(&arguments),
        Some(Command::Completions { shell }) => documents::completions(shell),
        Some(Command::Man) => documents::man(),
    }
}

/// The columns of each command that lists them as a constant, for `docs/outputs.md`.
#[cfg(test)]
pub(crate) fn outputs() -> Vec<(&'static str, Vec<Head>)> {
    fn heads<T>(columns: &[Column<T>]) -> Vec<Head> {
        columns.iter().map(|column| column.head).collect()
    }
    vec![
        ("unique", heads(&unique::COLUMNS)),
        ("advise", heads(&advise::COLUMNS)),
        ("lattice", heads(&lattice::COLUMNS)),
        ("verify", heads(&verify::COLUMNS)),
    ]
}

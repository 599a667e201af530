//! The commands. Each is the counterpart of a function of the workbench, without its screens.

mod args;
mod status;
mod load;
mod tables;
mod workbench;
mod check;
mod fetch;
mod registered;
mod advise;
mod estimate;
mod classes;
mod lattice;
mod cautions;
mod with;
mod delivery;
mod drawing;
mod anonymize;
mod step;
mod gone;
mod history;
mod compare;
mod audit;
mod compose;
mod verify;
mod report;
mod hierarchy;
mod init;
mod try_table;
mod documents;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod surface;

use std::ffi::OsString;

use clap::{FromArgMatches as _, Subcommand};
use palmtop::data::trial;
#[cfg(test)]
use palmtop::{
    codebook::{Codebook, Mapping},
    columns::{Column, Head},
    keys::{Key, Keyed as _},
};

pub(crate) use args::Arguments;
use args::Messages;
#[cfg(test)]
use palmtop_console::result::{RunResult, compared_columns};
use palmtop_console::say;
use palmtop_console::start::answered;
use palmtop_console::status::{Status, Usage};
pub(crate) use status::status_of;

/// The commands in the order of the help. A row has the help, the name, the arguments and the function that runs the command.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($arguments:ty) => $run:path;)*) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[$attribute])* $name($arguments),)*
        }

        impl Command {
            fn run(&self) -> anyhow::Result<Status> {
                match self {
                    $(Self::$name(arguments) => $run(arguments),)*
                }
            }
        }
    };
}

commands! {
    /// Describes a project and its tables, and lists its cautions.
    ///
    /// Loads all tables and describes them: rows, combinations, hierarchies, lattice, feasibility, rare combinations.
    Check(check::CheckArguments) => check::run;
    /// Computes δ from a belief and how far it may move.
    ///
    /// The belief is that of an attacker before the release; the release may move it so far.
    Advise(advise::AdviseArguments) => advise::run;
    /// Estimates what can be said if P is not fully known.
    ///
    /// Estimates uniqueness and presence if P is a sample, or if only T and the size of the population are known. Never a verdict.
    Estimate(estimate::EstimateArguments) => estimate::run;
    /// Lists the classes of a node or a release, worst first.
    ///
    /// Lists the equivalence classes of a node or of a strategy's release.
    Classes(classes::ClassesArguments) => classes::run;
    /// Lists every node with its verdict and loss.
    ///
    /// The nodes are those of the generalization lattice.
    Lattice(lattice::LatticeArguments) => lattice::run;
    /// Searches a release, writes it, and verifies the file.
    ///
    /// Then prints the result.
    #[command(alias = "anonymise")]
    Anonymize(anonymize::AnonymizeArguments) => anonymize::run;
    /// Compares releases: their loss, risks and utility.
    ///
    /// Compares strategies, nodes and written releases under one or several δmax.
    Compare(compare::CompareArguments) => compare::run;
    /// Measures what an attacker who knows palmtop learns.
    ///
    /// It is at least how many people are outside δ for an attacker who also knows how the release was searched.
    Audit(audit::AuditArguments) => audit::run;
    /// Judges several releases of one table together.
    ///
    /// It is how many people are outside δ for an attacker who has all of them.
    Compose(compose::ComposeArguments) => compose::run;
    /// Recounts a written release from the raw tables.
    Verify(verify::VerifyArguments) => verify::run;
    /// Writes the report for the signer or the recipient.
    ///
    /// Recounts every figure of the release from the raw tables.
    Report(report::ReportArguments) => report::run;
    /// Proposes a project for two tables.
    ///
    /// Proposes a project for two tables or for a project of ARX, with a reason for each choice: roles, kinds, hierarchies, formats of
    /// values.
    Init(init::InitArguments) => init::run;
    /// Counts P in a database, or prints the SQL.
    ///
    /// Fetches P from the project's database: the database counts the histogram, and palmtop stores it as a snapshot.
    Fetch(fetch::FetchArguments) => fetch::run;
    /// Checks, builds and translates files of hierarchies.
    ///
    /// A hierarchy says what generalizes the values of a quasi-identifier.
    #[command(subcommand)]
    Hierarchy(args::HierarchyCommand) => hierarchy::run;
    /// Measures the time per frame of the workbench, without a terminal.
    #[command(hide = true)]
    BenchFrame(args::BenchFrameArguments) => workbench::bench_frame;
    /// Reads a Parquet or Arrow file or a workbook from stdin. A damaged file then ends only this process.
    #[command(hide = true)]
    TryTable(try_table::TryTableArguments) => try_table::run;
    /// Prints a completion script for a shell.
    #[command(hide = true)]
    Completions(documents::CompletionsArguments) => documents::completions;
    #[command(hide = true)]
    /// Prints the manual page (roff), for instance for `palmtop man | man -l -`.
    Man(documents::ManArguments) => documents::man;
}

/// Reads the command line and runs the command or the workbench.
pub(crate) fn run() -> anyhow::Result<Status> {
    if Messages::are_json(std::env::args_os()) {
        say::use_json();
    }
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(now) = gone::command(&words) {
        return Err(Usage(now).into());
    }
    let parsed = args::program().try_get_matches_from(&words);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(answer) => match gone::option(&words).filter(|_| answer.use_stderr()) {
            Some(now) => return Err(Usage(now).into()),
            None => return answered(&answer),
        },
    };
    if !matches!(arguments.command, Some(Command::TryTable { .. }))
        && let Ok(program) = std::env::current_exe()
    {
        trial::set_program(program);
    }
    match arguments.command {
        None => workbench::run(&arguments.workbench),
        Some(command) => command.run(),
    }
}

/// What a command prints or writes, for `docs/outputs.md`.
#[cfg(test)]
pub(crate) struct Output {
    /// The heading on the page.
    pub(crate) heading: &'static str,
    /// The columns of CSV.
    pub(crate) columns: Vec<Head>,
    /// The keys of JSON.
    pub(crate) keys: Vec<Key>,
}

/// The outputs whose columns or keys are constants, in the order of the page.
#[cfg(test)]
pub(crate) fn outputs() -> Vec<Output> {
    fn heads<T>(columns: &[Column<T>]) -> Vec<Head> {
        columns.iter().map(|column| column.head).collect()
    }
    let output = |heading, columns, keys| Output { heading, columns, keys };
    let run = RunResult::keys();
    let is_added = |key: &Key| !run.iter().any(|known| known.path == key.path);
    let report = delivery::Report::keys().into_iter().filter(is_added).collect();
    let of_audit = audit::COLUMNS.iter().map(|column| column.head.key()).collect();
    let audit = [audit::AuditResult::keys(), Key::under("knows_algorithm", of_audit)].concat();
    let hierarchies = [heads(&check::HIERARCHIES), heads(&palmtop_console::people::COARSEST)].concat();
    vec![
        output("`check`", hierarchies, check::Checked::keys()),
        output("`check --attribute`", heads(&check::LABELS), Vec::<check::LabelRow>::keys()),
        output("`check --history`", heads(&history::COLUMNS), history::Listing::keys()),
        output("`advise`", heads(&advise::COLUMNS), advise::Advised::keys()),
        output("`estimate`", heads(&estimate::COLUMNS), estimate::EstimateResult::keys()),
        output("`lattice`", heads(&lattice::COLUMNS), Vec::new()),
        output("A run: `compare`, `anonymize`", compared_columns().collect(), run),
        output("The run report: `anonymize --with report`", Vec::new(), report),
        output("`audit`", Vec::new(), audit),
        output("`compose`", Vec::new(), compose::ComposeResult::keys()),
        output("`verify`", heads(&verify::COLUMNS), verify::VerifyResult::keys()),
        output("The code list", heads(&Codebook::COLUMNS), Codebook::keys()),
        output("The mapping", heads(&Mapping::COLUMNS), Mapping::keys()),
    ]
}

//! The command line: the program and its commands. The options are in one file for each purpose of a command, as in the README.

mod prepare;
mod hierarchy;
mod decide;
mod look;
mod make;
mod prove;
mod shared;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

pub(super) use decide::{AdviseArguments, CompareArguments, EstimateArguments, UniqueArguments};
pub(super) use hierarchy::{
    ColumnArgument, HierarchyBuildArguments, HierarchyCheckArguments, HierarchyCommand,
    HierarchyExportArguments, HierarchyShowArguments, KindArgument,
};
pub(super) use look::{
    ClassesArguments, LatticeArguments, Measured, MeasuredArguments, RiskArguments, UtilityArguments,
};
pub(super) use make::{AnonymizeArguments, ReplayArguments};
pub(super) use prepare::{
    BenchFrameArguments, CheckArguments, FetchArguments, InitArguments, NamedTables, ReduceArguments,
    RoleArgument, SettingArgument, SqlArguments, TablesArguments, WorkbenchArguments,
};
pub(super) use prove::{
    AuditArguments, AuditHow, ChangeArgument, ComposeArguments, Evidence, Reader, ReportArguments,
    ReportFormat, VerifyArguments,
};
pub(super) use shared::{
    BoundArgument, ChartArguments, DeltaArguments, Minimized, NodeArgument, SearchArguments,
};

/// A terminal workbench for δ-presence: releases a table if presence in the table is itself sensitive.
///
/// Without a command, palmtop opens the workbench with PROJECT, or with a practice project. Every command has --help.
#[derive(Debug, Parser)]
#[command(version, bin_name = "palmtop", args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_help = "PROJECT is a project file, or one of the built-in examples @clinic, @paper, @trial.\n\n\
    Exit status: 0 done and δ-present; 1 an error; 2 wrong usage; 3 δ or the prior is infeasible, no release exists, or the \
    release is not δ-present or not faithful."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) workbench: WorkbenchArguments,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Loads all tables and describes them: rows, combinations, hierarchies, lattice, feasibility, rare combinations.
    Check(CheckArguments),
    /// Computes δ from a prior belief and from how far a release may move that belief.
    Advise(AdviseArguments),
    /// Estimates how many of N people share their combination with nobody, if all combinations are equally likely.
    Unique(UniqueArguments),
    /// Estimates uniqueness and presence if P is a sample, or if only T and the size of the population are known. Never a verdict.
    Estimate(EstimateArguments),
    /// Lists the equivalence classes of a node or of a strategy's release, worst first.
    Classes(ClassesArguments),
    /// Measures the risks of releases besides δ, side by side: class sizes, unique members, diversity and closeness of sensitive values.
    Risk(RiskArguments),
    /// Measures what releases are good for, side by side: distributions, associations, counting queries, the classes that lose most.
    Utility(UtilityArguments),
    /// Lists every node of the generalization lattice with its verdict and loss.
    Lattice(LatticeArguments),
    /// Searches, writes the release, verifies the written file and prints the result.
    #[command(alias = "anonymise")]
    Anonymize(AnonymizeArguments),
    /// Makes the release of a step of a saved session again, writes and verifies it; or lists the steps.
    Replay(ReplayArguments),
    /// Runs several strategies under several δmax, and prints a line for each run.
    Compare(CompareArguments),
    /// Measures what an attacker who also knows palmtop learns from a release: at least how many people are outside δ.
    Audit(AuditArguments),
    /// Judges several releases of one table together: how many people are outside δ for an attacker who has all of them.
    Compose(ComposeArguments),
    /// Reads a written release again and recounts it from the raw tables.
    Verify(VerifyArguments),
    /// Writes the report of a release, for the signer or for the recipient. Recounts every figure from the raw tables.
    Report(ReportArguments),
    /// Proposes a project for two tables, with a reason for each choice: roles, kinds, hierarchies, formats of values.
    Init(InitArguments),
    /// Stores a large P in reduced form in the project's folder. P is then read again only after it has changed.
    Reduce(ReduceArguments),
    /// Fetches P from the project's database: the database counts the histogram, and palmtop stores it as a snapshot.
    Fetch(FetchArguments),
    /// Prints the SQL that counts P's histogram in a database, or the SQL that loads a release into one.
    Sql(SqlArguments),
    /// Shows, checks, builds and exports generalization hierarchies.
    #[command(subcommand)]
    Hierarchy(HierarchyCommand),
    /// Measures the time per frame of the workbench, without a terminal.
    #[command(hide = true)]
    BenchFrame(BenchFrameArguments),
    /// Reads a Parquet or Arrow file or a workbook from stdin. A damaged file then ends only this process.
    #[command(hide = true)]
    TryTable {
        /// `parquet`, `arrow`, `xlsx`, `xls` or `ods`.
        format: String,
        /// The sheet of a workbook; by default every sheet.
        #[arg(long)]
        sheet: Option<String>,
    },
    /// Prints a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Prints the manual page (roff), for instance for `palmtop man | man -l -`.
    Man,
}

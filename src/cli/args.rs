//! What may stand on the command line.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use palmtop::caution::Acceptance;
use palmtop::data::hierarchies::build::ValueKind;
use palmtop::listing::Column;
use palmtop::metrics::Metric;
use palmtop::model::{Fraction, Kind, Level, Presence, Role};
use palmtop::pipeline::ExportOptions;
use palmtop::search::{AuditConfig, Strategy};
use palmtop::sql::Dialect;
use palmtop::utility::Workload;

use palmtop_console::format::Format;
use palmtop_console::status::Usage;

/// What `--filter` takes.
const FILTERS: &str = "A filter is a list of terms, separated by blanks. A class is listed if all terms hold:\n  \
    presence>.4    its presence compares so: > >= < <= =, with a fraction, a decimal or a percentage\n  \
    private>=10    its number of members of T compares so; likewise public<5 for people of P\n  \
    posterior_max>.4  somebody's posterior compares so; likewise posterior_min<1%. This needs a prior\n  \
    age:45         the label is this value, or a label, range or set that covers it\n  \
    zip:479        479 is no value of zip, and the label contains this text, in any case\n  \
    zip=4790*      the label is exactly this text\n  \
    over, under, ok, broken, empty  it has this verdict; broken is over or under, empty has no member\n  \
    any other word  the label of some attribute contains it\n\
    ! before a term negates it. Double quotes keep blanks and operators in a value: education:\"first degree\". \
    The name of an attribute may be in any case, and may be shortened as long as it is unique.\n\n\
    The exit status judges all classes, listed or not.";

/// What `compose` says, in its help.
const COMPOSING: &str = "Bounds hold for every prior belief. Expectations assume the uniform prior: all T of this size are \
    equally likely, or with --change added|removed all chains of T. If T changed in any other way, the releases cannot be \
    combined: judge each with `classes` and `verify`.\n\n\
    Exit status: 0 nobody leaves δ, by bounds or by expectation; 3 somebody does; 1 an error, for example if no T gives all \
    of the releases.";

/// What `estimate` says, in its help.
const ESTIMATING: &str = "If the project says `sample_of = N` under [public], P is a random sample of N people. The command then \
    bounds the presence of each class from above, and estimates from P how many people are unique in the population. \
    Without `sample_of`, the command does not use P: it takes T for a random sample of --population N people, which never \
    gives a δ.\n\n\
    Exit status: 0 estimates were made, whatever they are; 1 an error; 2 wrong usage, for example a δ if P is no sample.";

/// What `reduce` says, in its help.
const REDUCING: &str = "The command writes the file .NAME.reduced into the folder of NAME.toml. The file holds P's values and \
    combinations with their counts, and nothing of T. It is as sensitive as P: keep it where P is kept, and out of version \
    control. Every command uses the file as long as P's files, and what the project says about them, are the same. If they \
    differ, the command makes the file again. Loading writes the file by itself if reading P took more than 5 seconds. \
    `cache = false` under [public] switches the file off.";

/// The help of `classes --sort`.
fn sort_help() -> String {
    let figures = |of_prior| {
        let figures = Column::ALL.into_iter().filter(|column| column.is_figure());
        let named = figures.filter(|column| column.needs_prior() == of_prior).map(Column::name);
        named.collect::<Vec<_>>().join(", ")
    };
    format!(
        "Sort by KEY: worst (farthest outside δ first), {} (highest first; with a prior also {}), or a \
         quasi-identifier (in the order of its values). A - before KEY reverses the order",
        figures(false),
        figures(true)
    )
}

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
    pub(super) workbench: WorkbenchArguments,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// What the workbench may be told.
#[derive(Debug, Args)]
pub(super) struct WorkbenchArguments {
    /// The project file; by default the practice project. If this is a table, the workbench proposes a project for it.
    pub(super) project: Option<String>,
    #[command(flatten)]
    pub(super) tables: TablesArguments,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// Continue a session: this one, or by default the newest of the project.
    #[arg(long, value_name = "SESSION", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "not given, given, given with a file")]
    pub(super) resume: Option<Option<PathBuf>>,
    /// Read keys, colours and symbols from this file; by default palmtop/settings.toml in your configuration folder.
    #[arg(long, value_name = "FILE")]
    pub(super) settings: Option<PathBuf>,
}

/// Tables that have no project yet.
#[derive(Clone, Debug, Args)]
#[group(conflicts_with_all = ["project", "resume", "delta_min", "delta_max"], multiple = true)]
pub(super) struct TablesArguments {
    /// The public table P: the workbench shows the project that `init` proposes for this table. Several files with the same
    /// columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1..)]
    pub(super) public: Vec<PathBuf>,
    /// With --public: the private table T. By default a column of P marks the members of T.
    #[arg(long, value_name = "T", num_args = 1.., requires = "public")]
    pub(super) private: Vec<PathBuf>,
    /// With --public: declare how the files of a table are written, as in `init --set`.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE", requires = "public")]
    pub(super) settings: Vec<SettingArgument>,
    /// With --public: the column of P that marks the members of T; by default palmtop proposes one.
    #[arg(long, value_name = "COLUMN", requires = "public", conflicts_with = "private")]
    pub(super) member: Option<String>,
    /// With --public: look for fitting hierarchies in this folder.
    #[arg(long, value_name = "FOLDER", requires = "public")]
    pub(super) hierarchies: Option<PathBuf>,
    /// With --public: the project file to write, when you save the proposal.
    #[arg(short, long, value_name = "FILE", requires = "public")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
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
    /// Measures what an attacker who also knows palmtop learns from a release: how many people leave δ, at least.
    Audit(AuditArguments),
    /// Judges several releases of one table together: how many people leave δ if an attacker has all of them.
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

#[derive(Debug, Args)]
pub(super) struct BenchFrameArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The columns of the screen.
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub(super) columns: u16,
    /// The rows of the screen.
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub(super) rows: u16,
    /// How many times to press each kind of key.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(super) presses: usize,
}

#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct DeltaArguments {
    /// Use this δmin: a fraction (2/3), a decimal (0.05) or a percentage (5%). By default the project's.
    #[arg(long, value_name = "D")]
    pub(super) delta_min: Option<Presence>,
    /// Use this δmax; by default the project's.
    #[arg(long, value_name = "D")]
    pub(super) delta_max: Option<Presence>,
}

/// How T may have changed from one release to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ChangeArgument {
    /// T did not change.
    #[default]
    Same,
    /// People were added: each T is part of the next T.
    Added,
    /// People were removed: each T contains the next T.
    Removed,
}

#[derive(Debug, Args)]
pub(super) struct FetchArguments {
    /// The project file, with the database of P under `[public.source]`.
    pub(super) project: PathBuf,
    /// Print the statements, and send nothing to the database.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Overwrite an existing snapshot.
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Args)]
pub(super) struct SqlArguments {
    /// The project file; not with --load.
    #[arg(required_unless_present = "load", conflicts_with = "load")]
    pub(super) project: Option<PathBuf>,
    /// The dialect: ansi, postgresql, sqlserver, oracle, mysql, spark, bigquery, duckdb or sqlite.
    #[arg(long, value_name = "DIALECT", default_value = "ansi")]
    pub(super) dialect: Dialect,
    /// The table in the database: the one with the rows of P, by default that of `[public.source]`; or with --load the table
    /// to create, by default named as the file.
    #[arg(long, value_name = "TABLE")]
    pub(super) table: Option<String>,
    /// Take the rows of P from the query in this file, not from a table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "load"])]
    pub(super) query: Option<PathBuf>,
    /// Print CREATE TABLE for this release, and the statements that load it.
    #[arg(long, value_name = "RELEASE")]
    pub(super) load: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = REDUCING)]
pub(super) struct ReduceArguments {
    /// The project file.
    pub(super) project: PathBuf,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("of").required(true).args(["project", "share"]))]
pub(super) struct AdviseArguments {
    /// Take |T|/|P| from this project: its file, or @clinic, @paper, @trial. The project needs no δ.
    pub(super) project: Option<String>,
    /// |T|/|P|, without a project: a fraction (1/25), a decimal (0.04) or a percentage (4%).
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(super) share: Option<Presence>,
    /// The prior belief that a random person of P has the property that all of T has.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(super) prior: Presence,
    /// The acceptable misuse if belief rises: with a cost of 1, how far belief may rise. This bounds δmax.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(super) misuse: Fraction,
    /// The acceptable misuse if belief falls. This bounds δmin; by default δmin is 0.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(super) misuse_down: Option<Fraction>,
    /// The cost of one wrongly changed belief, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", allow_negative_numbers = true)]
    pub(super) cost: Fraction,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct UniqueArguments {
    /// The number of people.
    #[arg(long, value_name = "N")]
    pub(super) people: NonZeroU64,
    /// The number of possible combinations: multiply the numbers of values of all attributes.
    #[arg(long, value_name = "D")]
    pub(super) combinations: NonZeroU64,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = ESTIMATING)]
pub(super) struct EstimateArguments {
    /// The project file, or @clinic, @paper, @trial. The project needs no δ.
    pub(super) project: String,
    /// The node: one level per quasi-identifier, separated by commas. By default the finest node.
    #[arg(long, visible_alias = "levels", value_name = "LEVELS")]
    pub(super) node: Option<NodeArgument>,
    /// The size of the population; by default the project's `sample_of`. T counts as a random sample of this population.
    #[arg(long, value_name = "N")]
    pub(super) population: Option<u64>,
    /// The k of the k-map test.
    #[arg(long, value_name = "K", default_value_t = 11)]
    pub(super) k_map: u64,
    /// The error rate of the k-map test: how often it may take a class of only k people for a larger one.
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub(super) alpha: f64,
    /// The confidence of all bounds of presence together, if P is a sample; by default 0.95.
    #[arg(long, value_name = "C")]
    pub(super) confidence: Option<f64>,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = FILTERS)]
pub(super) struct ClassesArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The node: one level per quasi-identifier, separated by commas. By default the finest node.
    #[arg(long, value_name = "LEVELS", conflicts_with = "strategy")]
    pub(super) node: Option<NodeArgument>,
    #[arg(long, value_name = "S", help = format!("List the release of this strategy: {}", Strategy::names()))]
    pub(super) strategy: Option<Strategy>,
    /// List only the classes for which all terms hold, such as 'broken private>=10 zip:479'. The terms are listed below.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) filter: String,
    #[arg(long, value_name = "KEY", default_value = "worst", allow_hyphen_values = true, help = sort_help())]
    pub(super) sort: String,
    #[command(flatten)]
    pub(super) chart: ChartArguments,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    #[command(flatten)]
    pub(super) search: SearchArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct LatticeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// Count the classes of every node, also if its verdict follows from another node.
    #[arg(long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["strategy", "node"]))]
pub(super) struct AnonymizeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    #[arg(long, value_name = "S", help = format!("The search: {}", Strategy::names()))]
    pub(super) strategy: Option<Strategy>,
    /// Release this node, without a search: one level per quasi-identifier, separated by commas.
    #[arg(long, value_name = "LEVELS")]
    pub(super) node: Option<NodeArgument>,
    /// The file to write: CSV, or Parquet or Arrow if its name ends in .parquet or .arrow.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Also write the result with the hashes of all inputs, as JSON. This file is for you, not for the recipient.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Make the release so that it keeps δ together with this earlier release of the same T. The search then runs within each
    /// class of the earlier release; `best` runs --rounds in each (by default 20). Only for strategies that find regions.
    #[arg(long, value_name = "RELEASE", requires = "strategy", conflicts_with_all = ["node", "seconds", "opening", "k", "allow_not_present", "transcript"])]
    pub(super) beside: Option<PathBuf>,
    /// Also write the questions that `simulatable` asked of T, and the answers. They reveal no more than the release does.
    #[arg(long, value_name = "FILE")]
    pub(super) transcript: Option<PathBuf>,
    /// Also audit what an attacker who knows the algorithm learns, and add it to the result.
    #[arg(long, conflicts_with = "beside")]
    pub(super) audit: bool,
    #[command(flatten)]
    pub(super) search: SearchArguments,
    #[command(flatten)]
    pub(super) bound: BoundArgument,
    #[command(flatten)]
    pub(super) permissions: PermissionArguments,
    #[command(flatten)]
    pub(super) accepted: AcceptArguments,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct AuditArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// A written release to audit. Name the search that made it with --made-by.
    #[arg(requires = "made_by")]
    pub(super) release: Option<PathBuf>,
    #[arg(long, value_name = "S", conflicts_with = "release", required_unless_present = "release", help = format!("Audit the release of this search: {}", Strategy::names()))]
    pub(super) strategy: Option<Strategy>,
    /// The search that made the written release.
    #[arg(long, value_name = "S", requires = "release")]
    pub(super) made_by: Option<Strategy>,
    /// Also check that this transcript of `anonymize` belongs to this project and δ: its answers must lead to its questions.
    #[arg(long, value_name = "FILE")]
    pub(super) transcript: Option<PathBuf>,
    #[command(flatten)]
    pub(super) how: AuditHow,
    #[command(flatten)]
    pub(super) search: SearchArguments,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// How an audit is made.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct AuditHow {
    /// Draw at most N tables in a region. For the release of a node, the audit draws at most 4,096 (for `k-optimal` 256),
    /// because it runs a search for each.
    #[arg(long, value_name = "N", default_value_t = AuditConfig::default().draws)]
    pub(super) draws: u64,
    /// Audit each region by its rejected cuts alone, not also by the earlier steps of the paper's nine strategies.
    #[arg(long)]
    pub(super) own_cuts: bool,
}

impl Default for AuditHow {
    fn default() -> Self {
        Self { draws: AuditConfig::default().draws, own_cuts: false }
    }
}

#[derive(Debug, Args)]
#[command(after_help = COMPOSING)]
pub(super) struct ComposeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The written releases, at least two, in the order in which they were made.
    #[arg(required = true, num_args = 2.., value_name = "RELEASE")]
    pub(super) releases: Vec<PathBuf>,
    /// How T may have changed from each release to the next.
    #[arg(long, value_enum, value_name = "C", default_value_t)]
    pub(super) change: ChangeArgument,
    /// Do not link rows by the columns that are published unchanged. Use this if their values changed between the releases.
    #[arg(long)]
    pub(super) unlinked: bool,
    /// Also write the combinations of P whose people leave δ, with what can be inferred, as CSV. This file is for you only.
    #[arg(long, value_name = "FILE")]
    pub(super) people: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// What is written only where it was said.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct PermissionArguments {
    /// Overwrite existing files.
    #[arg(long)]
    pub(super) force: bool,
    /// Write the release even if it is not δ-present.
    #[arg(long)]
    pub(super) allow_not_present: bool,
}

/// Severe cautions that the analyst accepts.
#[derive(Debug, Args)]
pub(super) struct AcceptArguments {
    /// Write the release despite this severe caution, and record the reason, a sentence. KEY is certain, betrays:COLUMN or
    /// undecided:COLUMN. Repeat the option for several cautions.
    #[arg(long, value_name = "KEY=REASON")]
    pub(super) accept: Vec<Acceptance>,
}

impl From<PermissionArguments> for ExportOptions {
    fn from(arguments: PermissionArguments) -> Self {
        Self { force: arguments.force, allow_not_present: arguments.allow_not_present }
    }
}

#[derive(Debug, Args)]
pub(super) struct ReplayArguments {
    /// The session file that the workbench saved.
    pub(super) session: PathBuf,
    /// Only list the steps: number, the current step, how each was made, position, δ.
    #[arg(long, conflicts_with_all = ["output", "report", "step", "bound", "force", "allow_not_present", "allow_looser_delta", "accept"])]
    pub(super) list: bool,
    /// The file to write: CSV, or Parquet or Arrow if its name ends in .parquet or .arrow.
    #[arg(short, long, value_name = "FILE", required_unless_present = "list")]
    pub(super) output: Option<PathBuf>,
    /// Make the release of this step, counted from 0 as in --list; by default the current step.
    #[arg(long, value_name = "N")]
    pub(super) step: Option<usize>,
    /// Also write the result with the hashes of all inputs, as JSON. This file is for you, not for the recipient.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) bound: BoundArgument,
    #[command(flatten)]
    pub(super) permissions: PermissionArguments,
    #[command(flatten)]
    pub(super) accepted: AcceptArguments,
    /// Make the release even if the δ of the step is looser than the project's.
    #[arg(long)]
    pub(super) allow_looser_delta: bool,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct CompareArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = format!("Run these strategies, separated by commas; by default all. They are {}", Strategy::names()))]
    pub(super) strategies: Vec<Strategy>,
    /// Use this δmin; by default the project's.
    #[arg(long, value_name = "D")]
    pub(super) delta_min: Option<Presence>,
    /// Use these δmax, separated by commas; by default the project's.
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    pub(super) delta_max: Vec<Presence>,
    #[command(flatten)]
    pub(super) search: SearchArguments,
    #[command(flatten)]
    pub(super) bound: BoundArgument,
    #[command(flatten)]
    pub(super) chart: ChartArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// Where a chart of the result goes.
#[derive(Clone, Debug, Args)]
pub(super) struct ChartArguments {
    /// Also draw a chart, as one SVG file: `classes` draws the people of P by presence, `compare` its lines. With several δmax,
    /// `compare` draws the loss of each strategy by δmax.
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "svg")]
    pub(super) force: bool,
}

/// What is measured, for `risk` and `utility`.
#[derive(Debug, Args)]
pub(super) struct MeasuredArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// What to measure: a node (3,2,2), a strategy, or a written release; by default the finest node. Write ./best for a file
    /// whose name is that of a strategy.
    #[arg(value_name = "WHAT")]
    pub(super) measured: Vec<Measured>,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    #[command(flatten)]
    pub(super) search: SearchArguments,
}

#[derive(Debug, Args)]
pub(super) struct RiskArguments {
    #[command(flatten)]
    pub(super) what: MeasuredArguments,
    /// The c of recursive (c, l)-diversity: the most frequent value must occur fewer than c times as often as the rarer values together.
    #[arg(long, value_name = "C", default_value = "3", allow_negative_numbers = true)]
    pub(super) recursive_c: Fraction,
    /// List the N classes with the highest risk.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(super) worst: usize,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct UtilityArguments {
    #[command(flatten)]
    pub(super) what: MeasuredArguments,
    /// Ask N counting queries, drawn from --seed.
    #[arg(long, value_name = "N", default_value_t = Workload::QUERIES, value_parser = clap::value_parser!(u64).range(1..=Workload::MOST_QUERIES))]
    pub(super) queries: u64,
    /// List the N classes with the highest loss, and the N queries with the largest error.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(super) worst: usize,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The proposal gives a reason for each choice. If a choice is doubtful and stdin is a terminal, the command \
    asks, a line for each choice; Enter accepts the proposal. With --yes, or without a terminal, the command accepts every \
    proposal, and lists the doubtful ones on stderr with the alternative. Neither the project nor its hierarchies take a \
    value from T.\n\n\
    Exit status: that of `palmtop check` for the project."
)]
pub(super) struct InitArguments {
    #[command(flatten)]
    pub(super) tables: NamedTables,
    /// Accept every proposal without asking. The project marks each role that is not decided with `undecided = true`.
    #[arg(long)]
    pub(super) yes: bool,
    /// Assign a role to a column, such as `diagnosis=sensitive`. ROLE is sensitive, insensitive, identifier (never published) or quasi.
    #[arg(long = "role", id = "role", value_name = "COLUMN=ROLE")]
    pub(super) roles: Vec<RoleArgument>,
    /// The project file to write. Hierarchies that are built go to a folder next to it.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Overwrite existing files.
    #[arg(long)]
    pub(super) force: bool,
}

/// Two tables that have no project, and what is said of them.
#[derive(Clone, Debug, Args)]
pub(super) struct NamedTables {
    /// The public table P. Several files with the same columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1.., required = true)]
    pub(super) public: Vec<PathBuf>,
    /// The private table T; by default a column of P marks the members of T.
    #[arg(long, value_name = "T", num_args = 1..)]
    pub(super) private: Vec<PathBuf>,
    /// Declare how the files of a table are written, with the keys of a project: `public.encoding=latin-1`, `private.sheet=2024`,
    /// `public.header_row=3`, `private.separator=;`, `public.quote='`.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE")]
    pub(super) settings: Vec<SettingArgument>,
    /// The column of P that marks the members of T; by default palmtop proposes one.
    #[arg(long, value_name = "COLUMN", conflicts_with = "private")]
    pub(super) member: Option<String>,
    /// Look for fitting hierarchies in this folder. They may be files of ARX or of palmtop.
    #[arg(long, value_name = "FOLDER")]
    pub(super) hierarchies: Option<PathBuf>,
}

/// `diagnosis=sensitive`.
#[derive(Clone, Debug)]
pub(super) struct RoleArgument {
    pub(super) column: String,
    pub(super) role: Role,
}

impl std::str::FromStr for RoleArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected COLUMN=ROLE, such as diagnosis=sensitive; ROLE is sensitive, insensitive, identifier or quasi";
        let (column, written) = text.rsplit_once('=').ok_or(expected)?;
        let roles = [Role::Sensitive, Role::Insensitive, Role::Identifier, Role::Quasi];
        let role = roles.into_iter().find(|role| role.as_str() == written).ok_or(expected)?;
        Ok(Self { column: column.to_owned(), role })
    }
}

/// `public.encoding=latin-1`.
#[derive(Clone, Debug)]
pub(super) struct SettingArgument {
    pub(super) table: String,
    pub(super) key: String,
    pub(super) value: String,
}

impl std::str::FromStr for SettingArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(name, value)| Some((name.split_once('.')?, value)));
        match parts {
            Some(((table @ ("public" | "private"), key), value)) => {
                Ok(Self { table: table.to_owned(), key: key.to_owned(), value: value.to_owned() })
            }
            _ => {
                Err("expected public.KEY=VALUE or private.KEY=VALUE, such as public.encoding=latin-1"
                    .to_owned())
            }
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum HierarchyCommand {
    /// Lists the labels of a quasi-identifier's hierarchy, with the values and the people of P below each.
    Show(HierarchyShowArguments),
    /// Checks whether a hierarchy file nests, and whether it has every value of a column.
    Check(HierarchyCheckArguments),
    /// Builds a hierarchy over the values of a column: bands, masks, levels of dates, or value → *.
    Build(HierarchyBuildArguments),
    /// Writes a quasi-identifier's hierarchy as ARX's CSV: leaf;level 1;…;*
    Export(HierarchyExportArguments),
}

#[derive(Debug, Args)]
pub(super) struct HierarchyShowArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The quasi-identifier.
    pub(super) attribute: String,
    /// Show only this level, counted from 0; by default all levels.
    #[arg(long, value_name = "N")]
    pub(super) level: Option<u8>,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct HierarchyCheckArguments {
    /// The hierarchy file: .csv or .toml.
    pub(super) file: PathBuf,
    /// Check that the hierarchy has every value of this column.
    #[arg(long, value_name = "TABLE:COLUMN")]
    pub(super) values: Option<ColumnArgument>,
    /// The kind of the values; by default the kind that the file declares.
    #[arg(long, value_enum, requires = "values")]
    pub(super) kind: Option<KindArgument>,
    /// The level of the column's values.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "values")]
    pub(super) public_level: u8,
}

#[derive(Debug, Args)]
pub(super) struct HierarchyBuildArguments {
    /// The column whose values the hierarchy generalizes.
    #[arg(value_name = "TABLE:COLUMN")]
    pub(super) values: ColumnArgument,
    /// The kind of its values; by default palmtop infers the kind from the values.
    #[arg(long, value_enum)]
    pub(super) kind: Option<KindArgument>,
    /// The number of levels between the value and *; by default palmtop chooses it from the values.
    #[arg(long, value_name = "N")]
    pub(super) levels: Option<usize>,
    /// The file to write; its name ends in .toml.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Overwrite existing files.
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Args)]
pub(super) struct HierarchyExportArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The quasi-identifier.
    pub(super) attribute: String,
    /// The file to write; its name ends in .csv.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// Overwrite existing files.
    #[arg(long)]
    pub(super) force: bool,
}

/// A column of a table, as typed: what stands behind the last colon is the column.
#[derive(Clone, Debug)]
pub(super) struct ColumnArgument {
    pub(super) table: PathBuf,
    pub(super) column: String,
}

impl std::str::FromStr for ColumnArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.rsplit_once(':') {
            Some((table, column)) if !table.is_empty() && !column.is_empty() => {
                Ok(Self { table: PathBuf::from(table), column: column.to_owned() })
            }
            _ => Err("expected a table and its column, such as people.csv:age".to_owned()),
        }
    }
}

impl std::fmt::Display for ColumnArgument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.table.display(), self.column)
    }
}

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KindArgument {
    /// Plain decimal numbers.
    Number,
    /// Days: 2024-01-05.
    Date,
    /// Codes of one length.
    Code,
    /// Anything else.
    Category,
}

impl KindArgument {
    pub(super) fn of_values(self) -> ValueKind {
        match self {
            Self::Number => ValueKind::Number,
            Self::Date => ValueKind::Date,
            Self::Code => ValueKind::Code,
            Self::Category => ValueKind::Category,
        }
    }
}

impl From<KindArgument> for Kind {
    fn from(kind: KindArgument) -> Self {
        match kind {
            KindArgument::Number => Self::Number,
            KindArgument::Date => Self::Date,
            KindArgument::Code | KindArgument::Category => Self::Category,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The written release.
    pub(super) release: PathBuf,
    /// Also judge the release against an attacker with the project's prior: every posterior must be within δ.
    #[arg(long)]
    pub(super) prior: bool,
    /// Make this JSON report again and compare every leaf. The file is from `report --format json`, for either reader, or from
    /// `anonymize --report`.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) evidence: Evidence,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// The files that say how a release came about.
#[derive(Debug, Args)]
pub(super) struct Evidence {
    /// Judge by the δ of this session, in which the release was made. A report also lists its steps and decisions.
    #[arg(long, value_name = "FILE", conflicts_with = "no_session")]
    pub(super) session: Option<PathBuf>,
    /// Use no session, even if one makes this release.
    #[arg(long)]
    pub(super) no_session: bool,
    /// The run report of `anonymize --report` or `replay --report`, if its name or folder is not one that is searched.
    #[arg(long, value_name = "FILE")]
    pub(super) run: Option<PathBuf>,
}

/// What `report` says, in its help.
const REPORTING: &str = "No figure comes from a search or from another report: the command verifies the release, and measures its \
    rows. The report describes how the release was made if the run report of `anonymize --report` is found. It must be in the \
    folder of the release (NAME.json, STEM.json, STEM.report.json, STEM-report.json or report.json), with the SHA-256 of the \
    release. The report quotes the run report as a claim. If a step of the project's newest session makes this release, the \
    report also has the session's steps.\n\n\
    Exit status: as `verify`. With 3, the release is not verified, and the report says REFUSED in its first lines.";

#[derive(Debug, Args)]
#[command(after_help = REPORTING)]
pub(super) struct ReportArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The written release.
    pub(super) release: PathBuf,
    /// The report to write.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// The form of the report; by default JSON where the name ends in .json, else HTML.
    #[arg(long, value_enum)]
    pub(super) format: Option<ReportFormat>,
    /// The reader of the report.
    #[arg(long = "for", value_enum, value_name = "READER", default_value_t)]
    pub(super) reader: Reader,
    #[command(flatten)]
    pub(super) evidence: Evidence,
    /// The prior belief that a random person of P has the property that all of T has. With --misuse, the report then states the
    /// δ that `advise` computes from both.
    #[arg(long, value_name = "D", requires = "misuse", allow_negative_numbers = true)]
    pub(super) prior: Option<Presence>,
    /// The acceptable misuse if belief rises.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(super) misuse: Option<Fraction>,
    /// The acceptable misuse if belief falls.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(super) misuse_down: Option<Fraction>,
    /// The cost of one wrongly changed belief, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", requires = "prior", allow_negative_numbers = true)]
    pub(super) cost: Fraction,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// One page, without links to other files.
    Html,
    /// One object.
    Json,
}

/// Who reads a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Reader {
    /// The person who signs the release. The report has all sections.
    #[default]
    Signer,
    /// The recipient. The report has only what is in the release or public.
    Recipient,
}

/// What a search may be told.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct SearchArguments {
    #[command(flatten)]
    pub(super) metric: MetricArgument,
    /// Stop each search after N seconds, and take the best release found so far. By default, `best` stops after 5 seconds if
    /// neither --rounds nor --opening is given.
    #[arg(long, value_name = "N", conflicts_with_all = ["rounds", "opening"], allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,
    /// Stop `best` after N rounds. With the same seed, this gives the same release on every machine.
    #[arg(long, value_name = "N")]
    pub(super) rounds: Option<u64>,
    /// Stop `best` after N opening steps, before round 1. A run that was stopped by time prints this N; use it to repeat that run.
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub(super) opening: Option<u64>,
    /// The seed of random draws: the moves of `best`, and the queries of `utility` and `compare`. No other strategy draws.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// The k of a baseline, whether its release is δ-present or not; by default the least k whose release is δ-present.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) k: Option<u64>,
}

/// Whether to compute the bound.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct BoundArgument {
    /// Also compute a lower limit on the loss of every release that publishes all members in disjoint classes. On large
    /// tables, this takes longer than the search.
    #[arg(long)]
    pub(super) bound: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct MetricArgument {
    /// What the search minimizes: loss (the weighted mean of the attributes' losses), `loss_geometric` (Π(1 + loss)^(w/W) − 1),
    /// discernibility (Σ t² over classes with t members), or `query_error` (the median relative error of the counting queries of
    /// `utility`, drawn from --seed; only `anonymize` with spalm or best). The nine strategies of the
    /// paper and Mondrian follow their own rules.
    #[arg(long, value_name = "M", default_value = "loss", value_parser = minimized)]
    pub(super) metric: Minimized,
}

/// A node as typed: its levels, not yet checked against a lattice.
#[derive(Clone, Debug)]
pub(super) struct NodeArgument(pub(super) Vec<Level>);

impl std::str::FromStr for NodeArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let level = |part: &str| {
            let number = part.trim().parse();
            number.map(Level).map_err(|_| format!("`{part}` is not a level; expected numbers, such as 3,2,2"))
        };
        text.split(',').map(level).collect::<Result<_, _>>().map(Self)
    }
}

/// What is measured: a node, a strategy's release, or a written file.
#[derive(Clone, Debug)]
pub(super) enum Measured {
    Node(NodeArgument),
    Strategy(Strategy),
    File(PathBuf),
}

impl std::str::FromStr for Measured {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(strategy) = text.parse() {
            return Ok(Self::Strategy(strategy));
        }
        Ok(text.parse().map_or_else(|_: String| Self::File(PathBuf::from(text)), Self::Node))
    }
}

fn minimized(name: &str) -> Result<Minimized, String> {
    if name == Workload::QUERY_ERROR {
        return Ok(Minimized::QueryError);
    }
    let known = Metric::ALL.into_iter().find(|metric| metric.name() == name);
    known
        .map(Minimized::Metric)
        .ok_or_else(|| "possible are loss, loss_geometric, discernibility and query_error".to_owned())
}

/// What a search minimizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Minimized {
    /// A cost of classes.
    Metric(Metric),
    /// The error of a workload, of which only `anonymize` knows how to search for the least.
    QueryError,
}

impl Minimized {
    /// The metric, where it is one.
    pub(super) fn metric(self) -> Result<Metric, Usage> {
        match self {
            Self::Metric(metric) => Ok(metric),
            Self::QueryError => Err(Usage(
                "--metric query_error is only for `anonymize` with --strategy spalm or best. `utility` and `compare` measure the query \
                 errors of every release"
                    .to_owned(),
            )),
        }
    }
}

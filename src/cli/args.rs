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
const FILTERS: &str = "A filter is terms separated by blanks, and all of them must hold:\n  \
    presence>.4    the presence compares so: > >= < <= =; a fraction, a decimal or a percentage\n  \
    private>=10    so many private people; likewise public<5\n  \
    posterior_max>.4  with a prior: somebody's posterior compares so; likewise posterior_min<1%\n  \
    age:45         somebody of 45 may be in it: it is written so, or a label, range or set covers it\n  \
    zip:479        what is no value: what is written for the attribute contains it, whatever the case\n  \
    zip=4790*      it is exactly what is written for the attribute\n  \
    over, under, ok, broken (over or under), empty (no private people)\n  \
    any other word: what is written for some attribute contains it\n\
    ! before a term negates it. Double quotes hold blanks and operators together: education:\"first degree\". \
    A name may be given in any case, and as much of it as tells it from the others.\n\n\
    The exit status judges all classes, listed or not.";

/// What `compose` says, in its help.
const COMPOSING: &str = "Bounds hold whatever is believed beforehand; expectations are under the uniform prior: all T of \
    this size, or all chains of T's that were added to or removed from, are equally likely. Where T changed in other ways, \
    nothing can be combined beyond what each release tells by itself: see `classes` and `verify`.\n\n\
    Exit status: 0 nobody leaves δ, by bounds or by expectation; 3 somebody does; 1 an error, as when no T gives all of the \
    releases.";

/// What `estimate` says, in its help.
const ESTIMATING: &str = "Where the project says `sample_of = N` under [public], P is a random sample of N people: the presence of each \
    class is bounded from above, and the population's uniques are estimated from P. Otherwise P is not looked at: T is taken for a random \
    sample of --population N people, of whom δ never follows.\n\n\
    Exit status: 0 estimates were made, whatever they are; 1 an error; 2 wrong usage, as where δ is asked for and P is no sample.";

/// What `reduce` says, in its help.
const REDUCING: &str = "The file is .NAME.reduced beside NAME.toml. It holds P's values and combinations with their counts and is \
    as sensitive as P: keep it where P is kept, and out of version control. It holds nothing of T. Every command uses it as \
    long as P's files and what the project says of them are the same, and makes it anew where they are not. Loading makes it \
    by itself where reading P took more than 5 seconds; `cache = false` under [public] switches both off.";

/// The help of `classes --sort`.
fn sort_help() -> String {
    let figures = |of_prior| {
        let figures = Column::ALL.into_iter().filter(|column| column.is_figure());
        let named = figures.filter(|column| column.needs_prior() == of_prior).map(Column::name);
        named.collect::<Vec<_>>().join(", ")
    };
    format!(
        "The order: worst (farthest outside δ first), {} (highest first; with a prior also {}), or the name of a \
         quasi-identifier (as its values stand); with a - before it the other way round",
        figures(false),
        figures(true)
    )
}

/// A terminal workbench for δ-presence: release a table of people whose mere presence in it is sensitive.
///
/// Without a command it opens the workbench on PROJECT, or on a practice project. Every command has its own --help.
#[derive(Debug, Parser)]
#[command(version, bin_name = "palmtop", args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_help = "PROJECT is a project file, or one of the built-in examples @clinic, @paper, @trial.\n\n\
    Exit status: 0 done and δ-present; 1 an error; 2 wrong usage; 3 infeasible δ or prior, none exists, not δ-present, or not \
    a faithful release."
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
    /// The project file; without it, the practice project. A table opens a proposal of a project for it.
    pub(super) project: Option<String>,
    #[command(flatten)]
    pub(super) tables: TablesArguments,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// Go on with the project's newest session, or with this one.
    #[arg(long, value_name = "SESSION", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "not given, given, given with a file")]
    pub(super) resume: Option<Option<PathBuf>>,
    /// Keys, colours and symbols; by default palmtop/settings.toml in your configuration folder.
    #[arg(long, value_name = "FILE")]
    pub(super) settings: Option<PathBuf>,
}

/// Tables that have no project yet.
#[derive(Clone, Debug, Args)]
#[group(conflicts_with_all = ["project", "resume", "delta_min", "delta_max"], multiple = true)]
pub(super) struct TablesArguments {
    /// P, the table that everybody may know: opens a proposal of a project for it, as `init` makes one, to be looked at. Several
    /// files with the same columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1..)]
    pub(super) public: Vec<PathBuf>,
    /// With --public: T, the table whose people are to be hidden in P; without it, T is part of P.
    #[arg(long, value_name = "T", num_args = 1.., requires = "public")]
    pub(super) private: Vec<PathBuf>,
    /// With --public: how the files of a table are written, as `init --set` takes it.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE", requires = "public")]
    pub(super) settings: Vec<SettingArgument>,
    /// With --public: the column of P that says who is in T; by default the one that looks so.
    #[arg(long, value_name = "COLUMN", requires = "public", conflicts_with = "private")]
    pub(super) member: Option<String>,
    /// With --public: a folder of hierarchies to look for fitting ones in.
    #[arg(long, value_name = "FOLDER", requires = "public")]
    pub(super) hierarchies: Option<PathBuf>,
    /// With --public: where the project is to go; it is written when you say so.
    #[arg(short, long, value_name = "FILE", requires = "public")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Loads everything and says what is there: rows, combinations, hierarchies, lattice, feasibility, thin classes.
    Check(CheckArguments),
    /// Advises on δ: from what is believed beforehand, and how far a release may move that belief.
    Advise(AdviseArguments),
    /// Estimates how many of so many people share their combination with nobody, where all combinations are equally likely.
    Unique(UniqueArguments),
    /// Estimates what can be said where P is a sample, or where only T and the size of the population are known. Never a verdict.
    Estimate(EstimateArguments),
    /// Lists the equivalence classes of a node or of a strategy's release, worst first.
    Classes(ClassesArguments),
    /// Measures what releases risk beside δ, side by side: class sizes, unique members, diversity and closeness of sensitive values.
    Risk(RiskArguments),
    /// Measures what releases are good for, side by side: distributions, associations, counting queries, the classes that lose most.
    Utility(UtilityArguments),
    /// Lists every node of the generalization lattice with its verdict and loss.
    Lattice(LatticeArguments),
    /// Searches, writes the release, verifies the written file, prints the result.
    #[command(alias = "anonymise")]
    Anonymize(AnonymizeArguments),
    /// Makes the release of a saved session's step again, writes and verifies it; or lists the steps.
    Replay(ReplayArguments),
    /// Runs several strategies, under several δmax, and prints a line for each.
    Compare(CompareArguments),
    /// Says what a strategy's release tells an adversary who also knows palmtop: how many people leave δ, at least.
    Audit(AuditArguments),
    /// Says what whoever holds several releases of one table can infer: how many people leave δ together.
    Compose(ComposeArguments),
    /// Re-reads a written release and recounts it from the raw tables.
    Verify(VerifyArguments),
    /// Writes the report of a release that is signed, or the one that goes with it: all of it recounted from the raw tables.
    Report(ReportArguments),
    /// Proposes a project for two tables: roles, kinds, hierarchies, how values are written, each with its reason.
    Init(InitArguments),
    /// Keeps a large P reduced beside the project, so that it is not read again until it changes.
    Reduce(ReduceArguments),
    /// Fetches P from the database that the project names: its histogram is counted there and becomes a snapshot here.
    Fetch(FetchArguments),
    /// Prints the statement that makes P's histogram in a database, or the ones that load a release into one.
    Sql(SqlArguments),
    /// Shows, checks, builds and exports generalization hierarchies.
    #[command(subcommand)]
    Hierarchy(HierarchyCommand),
    /// Measures how long frames of the workbench take, without a terminal.
    #[command(hide = true)]
    BenchFrame(BenchFrameArguments),
    /// Reads a Parquet or Arrow file or a workbook from stdin, so that a damaged one ends this process and no other.
    #[command(hide = true)]
    TryTable {
        /// `parquet`, `arrow`, `xlsx`, `xls` or `ods`.
        format: String,
        /// The sheet of a workbook; without it, every one.
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
    /// How often each kind of key is pressed.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(super) presses: usize,
}

#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct DeltaArguments {
    /// δmin in place of the project's: a fraction (2/3), a decimal (0.05) or a percentage (5%).
    #[arg(long, value_name = "D")]
    pub(super) delta_min: Option<Presence>,
    /// δmax in place of the project's.
    #[arg(long, value_name = "D")]
    pub(super) delta_max: Option<Presence>,
}

/// How T may have changed between releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ChangeArgument {
    /// Not at all: all are releases of one T.
    #[default]
    Same,
    /// People were added: each T is a part of the next.
    Added,
    /// People were removed: each T holds the next.
    Removed,
}

#[derive(Debug, Args)]
pub(super) struct FetchArguments {
    /// The project file; its `[public.source]` says where P is.
    pub(super) project: PathBuf,
    /// Print the statements that would be sent, and ask nobody.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Overwrite the snapshot that is there.
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
    /// The table with the rows of P, or, with --load, the table that is made; by default the one of `[public.source]`, or the name of
    /// the file.
    #[arg(long, value_name = "TABLE")]
    pub(super) table: Option<String>,
    /// A file with a query in place of a table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "load"])]
    pub(super) query: Option<PathBuf>,
    /// Print CREATE TABLE for this release, and what loads it.
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
    /// The project whose |T|/|P| to take: its file, or @clinic, @paper, @trial. It needs no δ.
    pub(super) project: Option<String>,
    /// |T|/|P| itself, without a project: a fraction (1/25), a decimal (0.04) or a percentage (4%).
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(super) share: Option<Presence>,
    /// How likely a random person of P is taken, before the release, to have the property that all of T has.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(super) prior: Presence,
    /// The acceptable misuse where belief rises: with a cost of 1, by how much it may rise. It bounds δmax.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(super) misuse: Fraction,
    /// The acceptable misuse where belief falls. It bounds δmin; without it δmin is 0.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(super) misuse_down: Option<Fraction>,
    /// What one wrongly changed belief costs, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", allow_negative_numbers = true)]
    pub(super) cost: Fraction,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct UniqueArguments {
    /// How many people there are.
    #[arg(long, value_name = "N")]
    pub(super) people: NonZeroU64,
    /// How many combinations are possible: the product of the attributes' numbers of values.
    #[arg(long, value_name = "D")]
    pub(super) combinations: NonZeroU64,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = ESTIMATING)]
pub(super) struct EstimateArguments {
    /// The project file, or @clinic, @paper, @trial. It needs no δ.
    pub(super) project: String,
    /// The node: one level per quasi-identifier, separated by commas. By default the finest.
    #[arg(long, visible_alias = "levels", value_name = "LEVELS")]
    pub(super) node: Option<NodeArgument>,
    /// The size of the population, of which T is then taken to be a random sample; by default the project's `sample_of`.
    #[arg(long, value_name = "N")]
    pub(super) population: Option<u64>,
    /// The k of the test for k-map.
    #[arg(long, value_name = "K", default_value_t = 11)]
    pub(super) k_map: u64,
    /// How likely the test for k-map may take a class of only k people for a larger one.
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub(super) alpha: f64,
    /// Where P is a sample: how sure the bounds of presence are to be, all of them together; 0.95 where nothing is said.
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
    /// The node: one level per quasi-identifier, separated by commas. By default the finest.
    #[arg(long, value_name = "LEVELS", conflicts_with = "strategy")]
    pub(super) node: Option<NodeArgument>,
    #[arg(long, value_name = "S", help = format!("The strategy whose release to list: {}", Strategy::names()))]
    pub(super) strategy: Option<Strategy>,
    /// List only the classes of which all terms hold, such as 'broken private>=10 zip:479'. See below.
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
    /// Count the classes of every node, those too whose verdict follows from another's.
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
    /// A node of your own: one level per quasi-identifier, separated by commas.
    #[arg(long, value_name = "LEVELS")]
    pub(super) node: Option<NodeArgument>,
    /// The file to write: CSV, or Parquet or Arrow if its name ends in .parquet or .arrow.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Also write the result with the hashes of all inputs, as JSON; it is yours, not the recipient's.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Make it beside this earlier release of the same T: nobody leaves δ for whoever holds both. The search runs within each
    /// class of it; `best` does --rounds in each (20). For strategies that find regions.
    #[arg(long, value_name = "RELEASE", requires = "strategy", conflicts_with_all = ["node", "seconds", "opening", "k", "allow_not_present", "transcript"])]
    pub(super) beside: Option<PathBuf>,
    /// Also write what `simulatable` asked of T, and the answers: all that its release can tell, and harmless.
    #[arg(long, value_name = "FILE")]
    pub(super) transcript: Option<PathBuf>,
    /// Also audit what it tells who knows palmtop, and say so in the result.
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
    /// A written release to audit; --made-by says which search made it.
    #[arg(requires = "made_by")]
    pub(super) release: Option<PathBuf>,
    #[arg(long, value_name = "S", conflicts_with = "release", required_unless_present = "release", help = format!("The search whose release is audited: {}", Strategy::names()))]
    pub(super) strategy: Option<Strategy>,
    /// The search that made the written release.
    #[arg(long, value_name = "S", requires = "release")]
    pub(super) made_by: Option<Strategy>,
    /// Also says whether a transcript that `anonymize` wrote is of this project and δ: its answers bring up its questions.
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
    /// How often the audit draws in a region at most; of a node's release no more than 4,096 tables (of
    /// k-optimal 256), for each is a search.
    #[arg(long, value_name = "N", default_value_t = AuditConfig::default().draws)]
    pub(super) draws: u64,
    /// Audit each region by its own rejected cuts alone, not also by how the nine came to it.
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
    /// Do not link rows by the columns that are published unchanged: these values were changed between the releases.
    #[arg(long)]
    pub(super) unlinked: bool,
    /// Also write the combinations of P whose people leave δ, with what can be inferred of them, as CSV; it is yours.
    #[arg(long, value_name = "FILE")]
    pub(super) people: Option<PathBuf>,
    /// Overwrite a file of that name.
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
    /// Overwrite files of these names.
    #[arg(long)]
    pub(super) force: bool,
    /// Write a release that is not δ-present all the same.
    #[arg(long)]
    pub(super) allow_not_present: bool,
}

/// Severe cautions that the analyst accepts.
#[derive(Debug, Args)]
pub(super) struct AcceptArguments {
    /// Write the release although it has this severe caution: certain, betrays:COLUMN or undecided:COLUMN, with a sentence
    /// that says why; may be given several times.
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
    /// The session file, as the workbench saves it.
    pub(super) session: PathBuf,
    /// Only list the steps: number, where the session stands, how each was taken, place, δ.
    #[arg(long, conflicts_with_all = ["output", "report", "step", "bound", "force", "allow_not_present", "allow_looser_delta", "accept"])]
    pub(super) list: bool,
    /// The file to write: CSV, or Parquet or Arrow if its name ends in .parquet or .arrow.
    #[arg(short, long, value_name = "FILE", required_unless_present = "list")]
    pub(super) output: Option<PathBuf>,
    /// The step whose release to make, counted from 0 as --list does; by default where the session stands.
    #[arg(long, value_name = "N")]
    pub(super) step: Option<usize>,
    /// Also write the result with the hashes of all inputs, as JSON; it is yours, not the recipient's.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) bound: BoundArgument,
    #[command(flatten)]
    pub(super) permissions: PermissionArguments,
    #[command(flatten)]
    pub(super) accepted: AcceptArguments,
    /// Make the release of a step all the same whose δ is looser than the project's.
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
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = format!("Of {}; separated by commas, by default all", Strategy::names()))]
    pub(super) strategies: Vec<Strategy>,
    /// δmin in place of the project's.
    #[arg(long, value_name = "D")]
    pub(super) delta_min: Option<Presence>,
    /// One or more δmax, separated by commas, in place of the project's.
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
    /// Also draw it, as SVG that needs nothing else: individuals in P by presence, or what is compared; over several δmax the loss
    /// of each strategy.
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Overwrite a file of that name.
    #[arg(long, requires = "svg")]
    pub(super) force: bool,
}

/// What is measured, for `risk` and `utility`.
#[derive(Debug, Args)]
pub(super) struct MeasuredArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// What to measure: a node (3,2,2), a strategy, or a written release (./best for a file that is called like a strategy); by default
    /// the finest node.
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
    /// The c of recursive (c, l)-diversity: how often more than the rarer values together the most frequent one may occur.
    #[arg(long, value_name = "C", default_value = "3", allow_negative_numbers = true)]
    pub(super) recursive_c: Fraction,
    /// How many of the classes that risk most to list.
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
    /// How many counting queries to ask, drawn from --seed.
    #[arg(long, value_name = "N", default_value_t = Workload::QUERIES, value_parser = clap::value_parser!(u64).range(1..=Workload::MOST_QUERIES))]
    pub(super) queries: u64,
    /// How many of the classes that lose most, and of the queries that are farthest off, to list.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(super) worst: usize,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Everything is shown with its reason. What could be meant in two ways is asked for, a line each, where \
    stdin is a terminal; Enter takes what is proposed. With --yes, or without a terminal, that is taken, and listed on stderr \
    with what to do otherwise. No value of T goes into the project or the hierarchies beside it.\n\n\
    Exit status: that of `palmtop check` on what was written."
)]
pub(super) struct InitArguments {
    #[command(flatten)]
    pub(super) tables: NamedTables,
    /// Ask nothing, and take what is proposed; the project marks the roles that nobody decided (`undecided = true`).
    #[arg(long)]
    pub(super) yes: bool,
    /// Decide the role of a column: `diagnosis=sensitive`; else `insensitive`, `identifier` (never published) or `quasi`.
    #[arg(long = "role", id = "role", value_name = "COLUMN=ROLE")]
    pub(super) roles: Vec<RoleArgument>,
    /// Where the project goes; the hierarchies that are built go to a folder beside it.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Replace what is there.
    #[arg(long)]
    pub(super) force: bool,
}

/// Two tables that have no project, and what is said of them.
#[derive(Clone, Debug, Args)]
pub(super) struct NamedTables {
    /// P: the table that everybody may know; several files with the same columns, or a pattern in quotes, are one table.
    #[arg(long, value_name = "P", num_args = 1.., required = true)]
    pub(super) public: Vec<PathBuf>,
    /// T: the table whose people are to be hidden in P; without it, T is part of P.
    #[arg(long, value_name = "T", num_args = 1..)]
    pub(super) private: Vec<PathBuf>,
    /// How the files of a table are written, as the keys of a project say it: `public.encoding=latin-1`, `private.sheet=2024`,
    /// `public.header_row=3`, `private.separator=;`, `public.quote='`.
    #[arg(long = "set", id = "set", value_name = "TABLE.KEY=VALUE")]
    pub(super) settings: Vec<SettingArgument>,
    /// The column of P that says who is in T; by default the one that looks so.
    #[arg(long, value_name = "COLUMN", conflicts_with = "private")]
    pub(super) member: Option<String>,
    /// A folder of hierarchies, as ARX or palmtop writes them, to look for fitting ones in.
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
    /// Says whether a hierarchy file nests, and whether it has every value of a column.
    Check(HierarchyCheckArguments),
    /// Builds a hierarchy over the values of a column: bands, levels of dates, masks, or value → *.
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
    /// This level only, from 0.
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
    /// The hierarchy: .csv or .toml.
    pub(super) file: PathBuf,
    /// A column whose values it has to have.
    #[arg(long, value_name = "TABLE:COLUMN")]
    pub(super) values: Option<ColumnArgument>,
    /// What the values are, where the file's own is not meant.
    #[arg(long, value_enum, requires = "values")]
    pub(super) kind: Option<KindArgument>,
    /// The level that the column holds.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "values")]
    pub(super) public_level: u8,
}

#[derive(Debug, Args)]
pub(super) struct HierarchyBuildArguments {
    /// The column.
    #[arg(value_name = "TABLE:COLUMN")]
    pub(super) values: ColumnArgument,
    /// What its values are; by default what they look like.
    #[arg(long, value_enum)]
    pub(super) kind: Option<KindArgument>,
    /// How many levels between the value and *; by default as many as suit the values.
    #[arg(long, value_name = "N")]
    pub(super) levels: Option<usize>,
    /// Where it goes; a name ending in .toml.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Replace what is there.
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Args)]
pub(super) struct HierarchyExportArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The quasi-identifier.
    pub(super) attribute: String,
    /// Where it goes; a name ending in .csv.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
    /// Replace what is there.
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
    /// Judge it also against an adversary with the project's prior: everybody's posterior must be within δ.
    #[arg(long)]
    pub(super) prior: bool,
    /// Make this report again and compare it leaf by leaf: what `report --format json` wrote for either reader, or
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
    /// The session that the release came from: its δ is the one to judge by, and a report lists its steps and decisions.
    #[arg(long, value_name = "FILE", conflicts_with = "no_session")]
    pub(super) session: Option<PathBuf>,
    /// Tell no session, even where one makes this release.
    #[arg(long)]
    pub(super) no_session: bool,
    /// What `anonymize --report` or `replay --report` wrote with the release, if it has another name or folder.
    #[arg(long, value_name = "FILE")]
    pub(super) run: Option<PathBuf>,
}

/// What `report` says, in its help.
const REPORTING: &str = "Nothing is taken from a search or from another report: the release is verified, and measured from its rows. \
    Where a file beside the release (NAME.json, STEM.json, STEM.report.json, STEM-report.json or report.json) is what \
    `anonymize --report` wrote with it, which its SHA-256 shows, the report tells how it was made, as told there. Where a step of the \
    project's newest session makes this release, it has the session's steps, too.\n\n\
    Exit status: as `verify`: 3 where the release is not verified; the report then says REFUSED in its first lines.";

#[derive(Debug, Args)]
#[command(after_help = REPORTING)]
pub(super) struct ReportArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(super) project: String,
    /// The written release.
    pub(super) release: PathBuf,
    /// Where the report goes.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// The form of the report; by default JSON where the name ends in .json, else HTML.
    #[arg(long, value_enum)]
    pub(super) format: Option<ReportFormat>,
    /// Who reads it.
    #[arg(long = "for", value_enum, value_name = "READER", default_value_t)]
    pub(super) reader: Reader,
    #[command(flatten)]
    pub(super) evidence: Evidence,
    /// With --misuse: how likely a random individual in P is taken, before the release, to have what all of T has. The report then
    /// says what δ that asks for, as `advise` does.
    #[arg(long, value_name = "D", requires = "misuse", allow_negative_numbers = true)]
    pub(super) prior: Option<Presence>,
    /// The acceptable misuse where belief rises.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(super) misuse: Option<Fraction>,
    /// The acceptable misuse where belief falls.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(super) misuse_down: Option<Fraction>,
    /// What one wrongly changed belief costs, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", requires = "prior", allow_negative_numbers = true)]
    pub(super) cost: Fraction,
    /// Overwrite a file of that name.
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) delta: DeltaArguments,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// One page that needs nothing else.
    Html,
    /// One object.
    Json,
}

/// Who reads a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Reader {
    /// The person who signs: all that is known.
    #[default]
    Signer,
    /// Whoever gets the release: nothing that is not in it or public.
    Recipient,
}

/// What a search may be told.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct SearchArguments {
    #[command(flatten)]
    pub(super) metric: MetricArgument,
    /// Stop each search after this long and take the best found so far; `best` takes 5 seconds where neither this nor
    /// --rounds nor --opening is given.
    #[arg(long, value_name = "N", conflicts_with_all = ["rounds", "opening"], allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,
    /// Stop `best` after so many rounds: with the same seed, the same release anywhere.
    #[arg(long, value_name = "N")]
    pub(super) rounds: Option<u64>,
    /// Stop `best` after so many steps of its opening, before its first round: what a run says that time stopped there.
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub(super) opening: Option<u64>,
    /// What `best` draws from, and `utility` and `compare` their queries; the other strategies do not draw.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// The k of a baseline, whatever the verdict; without it, the least k whose release is δ-present.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) k: Option<u64>,
}

/// Whether to compute the bound.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct BoundArgument {
    /// Also compute a loss that no release without overlaps that publishes every member can be below. On large tables it
    /// takes longer than the search.
    #[arg(long)]
    pub(super) bound: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct MetricArgument {
    /// What the search minimizes: loss (the mean of the m attributes' losses by their weights), `loss_geometric` (Π(1 + loss)^(w/W) − 1),
    /// discernibility (Σ a² over classes of a private people), or in `anonymize` with spalm or best `query_error` (the median relative
    /// error of counting queries drawn from --seed, as `utility` has it). The nine and Mondrian follow their own rules.
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
            number.map(Level).map_err(|_| format!("`{part}` is no level; expected numbers such as 3,2,2"))
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
                "--metric query_error is for `anonymize` with --strategy spalm or best; elsewhere the errors of releases are measured, as \
                 `utility` and `compare` do"
                    .to_owned(),
            )),
        }
    }
}

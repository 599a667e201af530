//! Options of the commands that check a release: `verify`, `audit`, `compose` and `report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use palmtop::model::{Fraction, Presence};
use palmtop::search::{AuditConfig, Strategy};

use super::shared::{DeltaArguments, SearchArguments};
use palmtop_console::format::Format;

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The written release.
    pub(crate) release: PathBuf,
    /// Also judge the release against an attacker with the project's prior: every posterior must be within δ.
    #[arg(long)]
    pub(crate) prior: bool,
    /// Make this JSON report again and compare every leaf. The file is from `report --format json`, for either reader, or from
    /// `anonymize --report`.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) evidence: Evidence,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// The files that say how a release came about.
#[derive(Debug, Args)]
pub(crate) struct Evidence {
    /// Judge by the δ of this session, in which the release was made. A report also lists its steps and decisions.
    #[arg(long, value_name = "FILE", conflicts_with = "no_session")]
    pub(crate) session: Option<PathBuf>,
    /// Use no session, even if one makes this release.
    #[arg(long)]
    pub(crate) no_session: bool,
    /// The run report of `anonymize --report` or `replay --report`, if its name or folder is not one that is searched.
    #[arg(long, value_name = "FILE")]
    pub(crate) run: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// A written release to audit. Name the search that made it with --made-by.
    #[arg(requires = "made_by")]
    pub(crate) release: Option<PathBuf>,
    #[arg(long, value_name = "S", conflicts_with = "release", required_unless_present = "release", help = format!("Audit the release of this search: {}", Strategy::names()))]
    pub(crate) strategy: Option<Strategy>,
    /// The search that made the written release.
    #[arg(long, value_name = "S", requires = "release")]
    pub(crate) made_by: Option<Strategy>,
    /// Also check that this transcript of `anonymize` belongs to this project and δ: its answers must lead to its questions.
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) how: AuditHow,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// How an audit is made.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AuditHow {
    /// Draw at most N tables in a region. For the release of a node, the audit draws at most 4,096 (for `k-optimal` 256),
    /// because it runs a search for each.
    #[arg(long, value_name = "N", default_value_t = AuditConfig::default().draws)]
    pub(crate) draws: u64,
    /// Audit each region by its rejected cuts alone, not also by the earlier steps of the paper's nine strategies.
    #[arg(long)]
    pub(crate) own_cuts: bool,
}

impl Default for AuditHow {
    fn default() -> Self {
        Self { draws: AuditConfig::default().draws, own_cuts: false }
    }
}

/// What `compose` says, in its help.
const COMPOSING: &str = "Bounds hold for every prior belief. Expectations assume the uniform prior: all T of this size are \
    equally likely, or with --change added|removed all chains of T. If T changed in any other way, the releases cannot be \
    combined: judge each with `classes` and `verify`.\n\n\
    Exit status: 0 nobody is outside δ, by bounds or by expectation; 3 somebody is; 1 an error, for example if no T gives all \
    of the releases.";

#[derive(Debug, Args)]
#[command(after_help = COMPOSING)]
pub(crate) struct ComposeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The written releases, at least two, in the order in which they were made.
    #[arg(required = true, num_args = 2.., value_name = "RELEASE")]
    pub(crate) releases: Vec<PathBuf>,
    /// How T may have changed from each release to the next.
    #[arg(long, value_enum, value_name = "C", default_value_t)]
    pub(crate) change: ChangeArgument,
    /// Do not link rows by the columns that are published unchanged. Use this if their values changed between the releases.
    #[arg(long)]
    pub(crate) unlinked: bool,
    /// Also write the combinations of P whose people are outside δ, with what can be inferred, as CSV. This file is for you only.
    #[arg(long, value_name = "FILE")]
    pub(crate) people: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// How T may have changed from one release to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChangeArgument {
    /// T did not change.
    #[default]
    Same,
    /// People were added: each T is part of the next T.
    Added,
    /// People were removed: each T contains the next T.
    Removed,
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
pub(crate) struct ReportArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The written release.
    pub(crate) release: PathBuf,
    /// The report to write.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The form of the report; by default JSON where the name ends in .json, else HTML.
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
    /// The reader of the report.
    #[arg(long = "for", value_enum, value_name = "READER", default_value_t)]
    pub(crate) reader: Reader,
    #[command(flatten)]
    pub(crate) evidence: Evidence,
    /// The prior belief that a random person of P has the property that all of T has. With --misuse, the report then states the
    /// δ that `advise` computes from both.
    #[arg(long, value_name = "D", requires = "misuse", allow_negative_numbers = true)]
    pub(crate) prior: Option<Presence>,
    /// The acceptable misuse if belief rises.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(crate) misuse: Option<Fraction>,
    /// The acceptable misuse if belief falls.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(crate) misuse_down: Option<Fraction>,
    /// The cost of one wrongly changed belief, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", requires = "prior", allow_negative_numbers = true)]
    pub(crate) cost: Fraction,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One page, without links to other files.
    Html,
    /// One object.
    Json,
}

/// Who reads a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reader {
    /// The person who signs the release. The report has all sections.
    #[default]
    Signer,
    /// The recipient. The report has only what is in the release or public.
    Recipient,
}

//! Options of the commands that make a release: `anonymize` and `replay`.

use std::path::PathBuf;

use clap::Args;
use palmtop::caution::Acceptance;
use palmtop::pipeline::ExportOptions;
use palmtop::search::Strategy;

use super::shared::{BoundArgument, DeltaArguments, NodeArgument, SearchArguments};
use palmtop_console::format::Format;

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["strategy", "node"]))]
pub(crate) struct AnonymizeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    #[arg(long, value_name = "S", help = format!("The search: {}", Strategy::names()))]
    pub(crate) strategy: Option<Strategy>,
    /// Release this node, without a search: one level per quasi-identifier, separated by commas.
    #[arg(long, value_name = "LEVELS")]
    pub(crate) node: Option<NodeArgument>,
    /// The file to write: CSV, or Parquet or Arrow if its name ends in .parquet or .arrow.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Also write the result with the hashes of all inputs, as JSON. This file is for you, not for the recipient.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Make the release so that it keeps δ together with this earlier release of the same T. The search then runs within each
    /// class of the earlier release; `best` runs --rounds in each (by default 20). Only for strategies that find regions.
    #[arg(long, value_name = "RELEASE")]
    pub(crate) beside: Option<PathBuf>,
    /// Also write the questions that `simulatable` asked of T, and the answers. They reveal no more than the release does.
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Also audit what an attacker who knows the algorithm learns, and add it to the result.
    #[arg(long)]
    pub(crate) audit: bool,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) bound: BoundArgument,
    #[command(flatten)]
    pub(crate) permissions: PermissionArguments,
    #[command(flatten)]
    pub(crate) accepted: AcceptArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What is written only where it was said.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PermissionArguments {
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
    /// Write the release even if it is not δ-present.
    #[arg(long)]
    pub(crate) allow_not_present: bool,
}

impl From<PermissionArguments> for ExportOptions {
    fn from(arguments: PermissionArguments) -> Self {
        Self { force: arguments.force, allow_not_present: arguments.allow_not_present }
    }
}

/// Severe cautions that the analyst accepts.
#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    /// Write the release despite this severe caution, and record the reason, a sentence. KEY is certain, betrays:COLUMN or
    /// undecided:COLUMN. Repeat the option for several cautions.
    #[arg(long, value_name = "KEY=REASON")]
    pub(crate) accept: Vec<Acceptance>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The session file that the workbench saved.
    pub(crate) session: PathBuf,
    /// Only list the steps: number, the current step, how each was made, position, δ.
    #[arg(long, conflicts_with_all = ["output", "report", "step", "bound", "force", "allow_not_present", "allow_looser_delta", "accept"])]
    pub(crate) list: bool,
    /// The file to write: CSV, or Parquet or Arrow if its name ends in .parquet or .arrow.
    #[arg(short, long, value_name = "FILE", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// Make the release of this step, counted from 0 as in --list; by default the current step.
    #[arg(long, value_name = "N")]
    pub(crate) step: Option<usize>,
    /// Also write the result with the hashes of all inputs, as JSON. This file is for you, not for the recipient.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bound: BoundArgument,
    #[command(flatten)]
    pub(crate) permissions: PermissionArguments,
    #[command(flatten)]
    pub(crate) accepted: AcceptArguments,
    /// Make the release even if the δ of the step is looser than the project's.
    #[arg(long)]
    pub(crate) allow_looser_delta: bool,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

//! Options of both commands that make a release, `anonymize` and `replay`: what may be overwritten, and accepted cautions.

use clap::Args;
use palmtop::caution::Acceptance;
use palmtop::pipeline::ExportOptions;

/// Permissions without which nothing is overwritten or released against the policy.
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

//! Options of both commands that make a release, `anonymize` and `replay`: what may be overwritten, and accepted cautions.

use clap::Args;
use palmtop::caution::Acceptance;
use palmtop::pipeline::ExportOptions;
use std::path::PathBuf;

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
    /// Answer a severe caution with a reason.
    ///
    /// Write the release despite this severe caution, and record the reason, a sentence.
    ///
    /// KEY is certain, betrays:COLUMN or undecided:COLUMN. Repeat the option for several cautions.
    #[arg(long, value_name = "KEY=REASON")]
    pub(crate) accept: Vec<Acceptance>,
}

/// The files that explain the texts of a release.
#[derive(Clone, Debug, Args)]
pub(crate) struct CodebookArguments {
    /// Also write the code list (.csv, .json or .md).
    ///
    /// It has each text of the release with the values of P that it means, and the people of P who have them.
    ///
    /// CSV, JSON or Markdown, by the ending .csv, .json or .md. It has nothing of T that the release lacks.
    #[arg(long, value_name = "FILE")]
    pub(crate) codebook: Option<PathBuf>,
    /// Also write the mapping (.csv, .json or .md).
    ///
    /// It has each value of P with the texts of the release that mean it.
    ///
    /// CSV, JSON or Markdown, by the ending.
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,
}

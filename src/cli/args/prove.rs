//! Options that several commands which check a release share.

use clap::{Args, ValueEnum};
use palmtop::search::AuditConfig;

/// How an audit is made.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AuditHow {
    /// Draw at most N tables in a region.
    ///
    /// For the release of a node, the audit draws at most 4,096, because it runs a search for each.
    #[arg(long, value_name = "N", default_value_t = AuditConfig::default().draws)]
    pub(crate) draws: u64,
}

impl Default for AuditHow {
    fn default() -> Self {
        Self { draws: AuditConfig::default().draws }
    }
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

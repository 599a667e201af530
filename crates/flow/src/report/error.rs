//! Why there is no report.

use std::path::PathBuf;

use crate::pipeline::PipelineError;
use crate::register::RegisterError;
use crate::session::SessionError;
use palmtop_core::model::AdviceError;
use palmtop_tables::error::DataError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The project, an input, or the release cannot be read.
    #[error(transparent)]
    Pipeline(Box<PipelineError>),
    /// The session cannot be read.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The register of releases cannot be read.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// A file cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A prior and a misuse that give no δ.
    #[error("the prior and the misuse give no δ: {0}")]
    Advice(#[from] AdviceError),
    /// The release was written to while it was looked at.
    #[error("{} was changed while it was verified; nothing is said of it: run the command again", path.display())]
    ReleaseChanged {
        /// The release.
        path: PathBuf,
    },
    /// The file given as a run's report is none.
    #[error("{} is no report of `anonymize` or `replay`: {detail}; give the file that --report wrote", path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The run's report is of another file.
    #[error(
        "{} is the report of another file: it says that the release has the SHA-256 {told}, and {} has {found}; give the report \
         that was written with this release",
        path.display(),
        release.display()
    )]
    RunOfAnother {
        /// The run's report.
        path: PathBuf,
        /// The release.
        release: PathBuf,
        /// The hash that the report has.
        told: Box<str>,
        /// The hash that the release has.
        found: Box<str>,
    },
    /// The engine and the verifier do not say the same of the release.
    #[error("the verifier and the engine disagree on {}: {detail}; do not release it, and report this", path.display())]
    Disagreement {
        /// The release.
        path: PathBuf,
        /// What they disagree on.
        detail: String,
    },
    /// The report to hold against a release is none.
    #[error("{} is no report that can be held against a release: {detail}", path.display())]
    NoReport {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to give.
        detail: String,
    },
}

impl From<PipelineError> for ReportError {
    fn from(error: PipelineError) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

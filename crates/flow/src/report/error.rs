//! The reasons why a report cannot be made.

use std::path::PathBuf;

use crate::pipeline::PipelineError;
use crate::register::RegisterError;
use crate::session::SessionError;
use palmtop_core::model::AdviceError;
use palmtop_tables::error::DataError;

/// The reason why a report cannot be made.
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
    /// No δ follows from the prior and the misuse.
    #[error("the prior and the misuse give no δ: {0}")]
    Advice(#[from] AdviceError),
    /// The release was changed while it was verified.
    #[error("{} was changed while it was verified, so there is no verdict; run the command again", path.display())]
    ReleaseChanged {
        /// The path of the release.
        path: PathBuf,
    },
    /// The file that was given as a run's report is not one.
    #[error("{} is not a report of `anonymize` or `replay`: {detail}; give the file that --report wrote", path.display())]
    NoRun {
        /// The path of the given file.
        path: PathBuf,
        /// What is wrong with the file.
        detail: String,
    },
    /// The run's report is about another file.
    #[error(
        "{} is the report of another file: it names the SHA-256 {reported}, but {} has {found}; give the report that was written \
         with this release",
        path.display(),
        release.display()
    )]
    RunOfAnother {
        /// The path of the run's report.
        path: PathBuf,
        /// The path of the release.
        release: PathBuf,
        /// The hash of the release in the report.
        reported: Box<str>,
        /// The hash of the file.
        found: Box<str>,
    },
    /// The engine and the verifier have different results for the release.
    #[error("the verifier and the engine disagree on {}: {detail}; do not release the file, and report this as a bug", path.display())]
    Disagreement {
        /// The release.
        path: PathBuf,
        /// Both results.
        detail: String,
    },
    /// The file to compare with a release is not a report.
    #[error("{} is not a report that can be compared with a release: {detail}", path.display())]
    NoReport {
        /// The path of the given file.
        path: PathBuf,
        /// What is wrong, and which file to give.
        detail: String,
    },
}

impl From<PipelineError> for ReportError {
    fn from(error: PipelineError) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

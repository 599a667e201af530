//! The reasons why a report cannot be made.

use crate::history::HistoryError;
use crate::pipeline::PipelineError;
use palmtop_core::located::{Located, LocatedError, Place};
use palmtop_core::model::AdviceError;
use palmtop_tables::error::DataError;

/// The reason why a report cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The project, an input, or the release cannot be read.
    #[error(transparent)]
    Pipeline(Box<PipelineError>),
    /// The history cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A file cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No δ follows from the prior and the misuse.
    #[error("the prior and the misuse give no δ: {0}")]
    Advice(AdviceError),
    /// The release was changed meanwhile, the verifier and the engine disagree, or a given file is not a report of this release.
    #[error(transparent)]
    Located(#[from] LocatedError),
}

impl Located for ReportError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Pipeline(error) => error.places(),
            Self::History(error) => error.places(),
            Self::Data(error) => error.places(),
            Self::Located(error) => error.places(),
            Self::Advice(_) => Vec::new(),
        }
    }
}

impl From<AdviceError> for ReportError {
    fn from(error: AdviceError) -> Self {
        Self::Advice(error)
    }
}

impl From<PipelineError> for ReportError {
    fn from(error: PipelineError) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

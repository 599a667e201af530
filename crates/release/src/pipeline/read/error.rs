//! The errors between a project and a written release.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use palmtop_core::located::{Located, LocatedError, Place};
use palmtop_core::model::{ModelError, PresenceBounds, Standing, TermError};
use palmtop_measure::utility::WorkloadError;
use palmtop_project::compatibility::Refused;
use palmtop_search::release::Achieved;
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::edit::EditError;
use palmtop_tables::write::{TargetError, TooManyRows, WriteError};
use palmtop_verify::VerifyError;

/// Any error between a project and a written release.
///
/// Only the errors that a caller recognizes have a variant of their own. All others are
/// [`Located`](Self::Located), or the error of another crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// An error with its location and remedy.
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// A table or a hierarchy is invalid or cannot be read.
    #[error(transparent)]
    Data(DataError),
    /// The release cannot be recorded in the history of the project, so it is not written.
    #[error("nothing was written, because the release cannot be recorded in the history of the project")]
    Record(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The project does not combine with the request.
    #[error("project {}: {refused}", path.display())]
    Refused {
        /// The project file.
        path: PathBuf,
        /// The two features, and the reason.
        refused: Refused,
    },
    /// A person with several rows has several values of a sensitive attribute, but each person counts
    /// with one value.
    #[error(transparent)]
    SeveralValues(LocatedError),
    /// No workload can be drawn.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// A number is too large for a term.
    #[error(transparent)]
    Term(#[from] TermError),
    /// The tables give no valid problem.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The target must not be written to.
    #[error(transparent)]
    Target(TargetError),
    /// The release does not satisfy its policy, and the options do not allow this.
    #[error(
        "the release {}; nothing was written; --accept not_present=REASON writes it nevertheless",
        breaks(achieved, *bounds, broken)
    )]
    NotPresent {
        /// The presence that the release achieves.
        achieved: Achieved,
        /// The required δ.
        bounds: PresenceBounds,
        /// The broken criteria other than δ.
        broken: Vec<Standing>,
    },
    /// The release has too many rows to write.
    #[error(transparent)]
    TooManyRows(#[from] TooManyRows),
    /// The written file failed its verification and was removed.
    #[error("the written file failed its verification and was removed: {0}")]
    Unfaithful(String),
    /// A file changed since it was loaded.
    #[error("{} changed since it was loaded; load the project again", path.display())]
    InputChanged {
        /// The changed file.
        path: PathBuf,
    },
    /// The verifier could not read its inputs.
    #[error(transparent)]
    Verify(VerifyError),
    /// A row of a written release occurs more often than people of P match it.
    #[error(transparent)]
    BeyondPublic(LocatedError),
    /// No new release can be combined with an earlier one.
    #[error(transparent)]
    UnusableEarlierRelease(LocatedError),
    /// A release does not keep δ together with an earlier one.
    #[error("together with {}, the release puts {people} people outside δ; nothing was written", path.display())]
    NotPresentTogether {
        /// The earlier release.
        path: PathBuf,
        /// The number of people outside δ.
        people: u64,
    },
    /// A hierarchy does not allow the edit, or cannot be written.
    #[error(transparent)]
    Edit(EditError),
    /// The observer or the meter stopped the work.
    #[error("stopped on request; nothing was written")]
    Cancelled,
}

impl Located for PipelineError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Located(error)
            | Self::SeveralValues(error)
            | Self::BeyondPublic(error)
            | Self::UnusableEarlierRelease(error) => error.places(),
            Self::Data(error) => error.places(),
            Self::Target(error) => error.places(),
            Self::Verify(error) => error.places(),
            Self::Refused { path, refused: _ } | Self::InputChanged { path } => vec![Place::of(path)],
            // The chain of causes has what cannot be recorded. Of two releases that show too much
            // together, no file is wrong.
            Self::Record(_)
            | Self::NotPresentTogether { .. }
            | Self::Workload(_)
            | Self::Term(_)
            | Self::Model(_)
            | Self::NotPresent { .. }
            | Self::TooManyRows(_)
            | Self::Unfaithful(_)
            | Self::Edit(_)
            | Self::Cancelled => Vec::new(),
        }
    }
}

impl PipelineError {
    /// A release that cannot be recorded in the history.
    pub(crate) fn record(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Record(Box::new(error))
    }

    /// A file that changed since it was loaded.
    pub(crate) fn changed(path: &Path) -> Self {
        Self::InputChanged { path: path.to_owned() }
    }

    /// A column that is needed for a measure and was not read.
    pub(crate) fn not_read(path: &Path, column: &str) -> Self {
        let problem = "the column was not read, so it cannot be measured";
        LocatedError::new(problem).in_file(path).at_column(column).remedy("load the project again").into()
    }
}

impl From<DataError> for PipelineError {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Cancelled => Self::Cancelled,
            error => Self::Data(error),
        }
    }
}

impl From<TargetError> for PipelineError {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::Disk(error) => error.into(),
            error => Self::Target(error),
        }
    }
}

/// The error of a check that refused the file.
impl<E> From<WriteError<E>> for PipelineError
where
    Self: From<E>,
{
    fn from(error: WriteError<E>) -> Self {
        match error {
            WriteError::Target(error) => error.into(),
            WriteError::Disk(error) => error.into(),
            WriteError::Refused(error) => error.into(),
        }
    }
}

impl From<Infallible> for PipelineError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<VerifyError> for PipelineError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Cancelled => Self::Cancelled,
            error => Self::Verify(error),
        }
    }
}

/// The broken requirements. δ is among them unless the release keeps δ and breaks another
/// criterion.
fn breaks(achieved: &Achieved, bounds: PresenceBounds, broken: &[Standing]) -> String {
    let mut reasons = Vec::new();
    if achieved.min < bounds.floor() || achieved.max > bounds.max() || broken.is_empty() {
        let Achieved { min, max } = achieved;
        reasons.push(format!("is not δ-present: presence {min} to {max}, δ {}", bounds.delta()));
    }
    reasons.extend(broken.iter().map(|standing| format!("breaks {standing}")));
    reasons.join(", and ")
}

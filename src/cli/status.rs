//! Exit statuses.

use std::process::ExitCode;

use palmtop::model::ModelError;
use palmtop::pipeline::PipelineError;
use palmtop::session::ReplayError;

use super::cautions::Unanswered;

/// What palmtop tells the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Done, and δ-present.
    Done,
    /// An error: bad input, a disk that failed.
    Error,
    /// Wrong usage.
    Usage,
    /// Infeasible δ, none exists, not δ-present, not a faithful release, or a severe caution that nobody answered.
    NotPresent,
    /// A signal ended the workbench.
    Signal(u8),
}

impl Status {
    /// [`Done`](Self::Done) or [`NotPresent`](Self::NotPresent).
    pub(super) fn of_presence(is_present: bool) -> Self {
        if is_present { Self::Done } else { Self::NotPresent }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Error => 1,
            Status::Usage => 2,
            Status::NotPresent => 3,
            Status::Signal(number) => 128 + number,
        })
    }
}

/// A command line that clap accepts and the project does not.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Usage(pub(super) String);

/// The status of an error.
pub(crate) fn status_of(error: &anyhow::Error) -> Status {
    if error.is::<Usage>() || matches!(error.downcast_ref(), Some(ModelError::NotANode { .. })) {
        return Status::Usage;
    }
    let none_exists = matches!(error.downcast_ref(), Some(ReplayError::FindsNothing { .. }));
    if error.is::<Unanswered>() {
        return Status::NotPresent;
    }
    match error.downcast_ref() {
        Some(PipelineError::NotPresent { .. } | PipelineError::NotPresentTogether { .. }) => {
            Status::NotPresent
        }
        _ if none_exists => Status::NotPresent,
        _ => Status::Error,
    }
}

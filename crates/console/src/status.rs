//! Exit statuses.

use std::process::ExitCode;

/// The exit status of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done, and δ-present.
    Done,
    /// An error: bad input, a disk that failed.
    Error,
    /// Wrong usage.
    Usage,
    /// δ is infeasible, no release exists, the release is not δ-present or not faithful, or a severe caution has no answer.
    NotPresent,
    /// A signal ended the workbench.
    Signal(u8),
}

impl Status {
    /// [`Done`](Self::Done) or [`NotPresent`](Self::NotPresent).
    pub fn of_presence(is_present: bool) -> Self {
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

/// A command line that clap accepts and that does not fit the project.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

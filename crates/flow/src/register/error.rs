//! Errors of the register of releases.

use crate::session::SessionError;
use palmtop_core::located::LocatedError;
use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;

/// A register that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The register cannot be read, a key is invalid, or other programs wrote to it during every attempt.
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// The register cannot name a file.
    #[error(transparent)]
    Name(#[from] SessionError),
    /// The disk refused an operation.
    #[error(transparent)]
    Data(DataError),
    /// The name of the register is protected or not a regular file.
    #[error(transparent)]
    Target(#[from] TargetError),
}

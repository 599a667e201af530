//! A session file that cannot be read, or cannot be saved.

use std::path::PathBuf;

use palmtop_core::located::LocatedError;
use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;

/// A session file that cannot be read, or cannot be saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The file cannot be read, or a key is unknown, missing or invalid.
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// Another program changed the file: saving would overwrite its session.
    #[error("session {} was changed by another program; save under another name", path.display())]
    ChangedOnDisk {
        /// The path of the session file.
        path: PathBuf,
    },
    /// The disk refused an operation.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The name of the session file is protected or not a regular file.
    #[error(transparent)]
    Target(#[from] TargetError),
}

//! Errors of the register of releases.

use std::path::PathBuf;

use crate::session::SessionError;
use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;

/// A register that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The operating system refused to read the register.
    #[error("cannot read the register of releases {}", path.display())]
    Io {
        /// The path of the register.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The register is not TOML, or a key is unknown, missing or invalid.
    #[error("register of releases {}{}: {detail}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Text {
        /// The path of the register.
        path: PathBuf,
        /// The line, from 1, if the complaint is about one.
        line: Option<u64>,
        /// The complaint, with the key and what was expected.
        detail: String,
    },
    /// Other programs wrote to the register during every attempt.
    #[error("register of releases {}: other programs wrote to it during every attempt; try again", path.display())]
    Busy {
        /// The path of the register.
        path: PathBuf,
    },
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

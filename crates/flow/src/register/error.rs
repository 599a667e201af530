//! A register that cannot be read or written.

use std::path::PathBuf;

use crate::session::SessionError;
use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;

/// A register that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The operating system refused to read it.
    #[error("cannot read the register of releases {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason that the system gives.
        source: std::io::Error,
    },
    /// It is not TOML, or a key is unknown, missing, or has a value that it cannot have.
    #[error("register of releases {}{}: {detail}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Text {
        /// The file.
        path: PathBuf,
        /// The line, from 1, if the complaint is about one.
        line: Option<u64>,
        /// The complaint, with the key and what was expected.
        detail: String,
    },
    /// Other programs wrote to it again and again while this one tried to.
    #[error("register of releases {}: other programs write to it all the time; try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A file that the register cannot name.
    #[error(transparent)]
    Name(#[from] SessionError),
    /// The disk.
    #[error(transparent)]
    Data(DataError),
    /// Nothing may be written to its name.
    #[error(transparent)]
    Target(#[from] TargetError),
}

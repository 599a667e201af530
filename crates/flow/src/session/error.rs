//! A session file that cannot be read, or cannot be saved.

use std::path::PathBuf;

use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;

/// A session file that cannot be read, or cannot be saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The operating system refused to have it read.
    #[error("cannot read session {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// No TOML, or a key that is unknown, missing, or has a value that it cannot have.
    #[error("session {}{}: {detail}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Text {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where there is one.
        line: Option<u64>,
        /// The complaint, with the key and what was expected.
        detail: String,
    },
    /// Somebody else wrote the file since we did: saving would lose their session.
    #[error("session {} was changed by somebody else; save under another name", path.display())]
    ChangedOnDisk {
        /// The file.
        path: PathBuf,
    },
    /// A path that is no UTF-8, so no session can name it.
    #[error("{} is not UTF-8, so no session can name it; rename it", path.display())]
    PathNotUtf8 {
        /// The path.
        path: PathBuf,
    },
    /// The disk.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Nothing may be written to its name any more.
    #[error(transparent)]
    Target(#[from] TargetError),
}

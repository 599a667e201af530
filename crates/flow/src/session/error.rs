//! A session file that cannot be read, or cannot be saved.

use std::path::PathBuf;

use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;

/// A session file that cannot be read, or cannot be saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The operating system refused to read the file.
    #[error("cannot read session {}", path.display())]
    Io {
        /// The path of the session file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The file is not TOML, or a key is unknown, missing or invalid.
    #[error("session {}{}: {detail}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Text {
        /// The path of the session file.
        path: PathBuf,
        /// The line, from 1, if the complaint is about one line.
        line: Option<u64>,
        /// The complaint, with the key and what was expected.
        detail: String,
    },
    /// Another program changed the file: saving would overwrite its session.
    #[error("session {} was changed by another program; save under another name", path.display())]
    ChangedOnDisk {
        /// The path of the session file.
        path: PathBuf,
    },
    /// A session cannot name a path that is not UTF-8.
    #[error("{} is not UTF-8, so a session cannot name it; rename the file", path.display())]
    PathNotUtf8 {
        /// The path that is not UTF-8.
        path: PathBuf,
    },
    /// The disk refused an operation.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The name of the session file is protected or not a regular file.
    #[error(transparent)]
    Target(#[from] TargetError),
}

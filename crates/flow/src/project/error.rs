//! The errors of a project file.

use std::path::PathBuf;

/// A project file that cannot be read or does not make sense.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// The operating system refused.
    #[error("cannot read project {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// No TOML, or a key that is unknown, missing or of the wrong type.
    #[error("project {}{}: {detail}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Toml {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where there is one.
        line: Option<u64>,
        /// The complaint.
        detail: String,
    },
    /// Settings that contradict each other or leave something out.
    #[error("project {}: {detail}", path.display())]
    Setting {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// No δ, neither in the project nor by flags, or one that is none.
    #[error("project {}: {detail}", path.display())]
    Delta {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
}

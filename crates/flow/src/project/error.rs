//! Errors of a project file.

use std::path::PathBuf;

/// A project file cannot be read, or its settings are invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// The operating system refused to read the file.
    #[error("cannot read project {}", path.display())]
    Io {
        /// The path of the project file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The file is not TOML, or a key is unknown, missing or of the wrong type.
    #[error("project {}{}: {detail}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Toml {
        /// The path of the project file.
        path: PathBuf,
        /// The line, from 1, if the complaint is about one line.
        line: Option<u64>,
        /// The complaint, with the remedy.
        detail: String,
    },
    /// Settings contradict each other, or a setting is missing.
    #[error("project {}: {detail}", path.display())]
    Setting {
        /// The path of the project file.
        path: PathBuf,
        /// The problem, and the remedy.
        detail: String,
    },
    /// Neither the project nor the options have a δ, or its bounds are invalid.
    #[error("project {}: {detail}", path.display())]
    Delta {
        /// The path of the project file.
        path: PathBuf,
        /// The problem, and the remedy.
        detail: String,
    },
}

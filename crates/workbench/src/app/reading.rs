//! A project that is being read while the present one stays open.

use std::path::PathBuf;

use super::loading::Loading;

/// A project that is being read in the background.
pub(crate) struct Reading {
    pub(super) loading: Loading,
    pub(super) target: Target,
}

/// Which project it is.
pub(super) enum Target {
    /// The open project, read again; `done` says what the workbench has just written into it.
    Same { done: Option<String> },
    /// Another project, with its name as typed.
    Other { name: String, path: PathBuf },
}

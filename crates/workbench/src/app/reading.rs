//! A project that is being read while another one stands.

use std::path::PathBuf;

use super::loading::Loading;

/// A project that is being read while another one stands.
pub(crate) struct Reading {
    pub(super) loading: Loading,
    pub(super) target: Target,
}

/// What comes of it.
pub(super) enum Target {
    /// The same project, as it is by now, and what was done to it here.
    Same { done: Option<String> },
    /// Another one: how it was named.
    Other { name: String, path: PathBuf },
}

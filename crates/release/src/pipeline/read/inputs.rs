//! The files of a project, and the settings of a caller.

use std::path::PathBuf;

use palmtop_core::model::Presence;

/// Settings of a caller that replace those of the project. `None` keeps the project's setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The lower bound of every presence, δmin.
    pub delta_min: Option<Presence>,
    /// The upper bound of every presence, δmax.
    pub delta_max: Option<Presence>,
}

/// An input file and its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// The number of rows, if the file is a table.
    pub rows: Option<u64>,
    /// The number of rows that are no people, by the project.
    pub left_out: u64,
}

//! The file of a hierarchy.

use std::path::PathBuf;

use palmtop_terms::{Kind, Level};

/// The file of a hierarchy and the settings of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchySource {
    /// A `.csv` or `.toml` file.
    pub path: PathBuf,
    /// The kind of the values. By default, the file decides.
    pub kind: Option<Kind>,
    /// The level of the values in the public table.
    pub public_level: Level,
}

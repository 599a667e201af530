//! Writes decisions of the analyst into the project file and into hierarchies.
//!
//! A loaded project and a decision enter: δ, a limit, an edited hierarchy, or that older keys become those of today. A file leaves
//! in which only these lines changed.

pub mod settings;
pub mod limit_line;
pub mod older_keys;
pub mod hierarchies;

//! What is read of a project's files before they are a problem.
//!
//! A project and its tables enter. Counted combinations leave, with who is a person, the files with their hashes, and notes for the
//! analyst. Errors and stages of the whole path are here, for every room needs them.

pub(in crate::pipeline) mod error;
pub(in crate::pipeline) mod stage;
pub(in crate::pipeline) mod hierarchy_spec;
pub(in crate::pipeline) mod inputs;
pub(in crate::pipeline) mod reduction;
pub(in crate::pipeline) mod published_columns;
pub(in crate::pipeline) mod persons;
pub(in crate::pipeline) mod tables;
pub(in crate::pipeline) mod asked;
pub(in crate::pipeline) mod same_person;
pub(in crate::pipeline) mod notes;

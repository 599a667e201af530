//! From a project's files to a verified release and its report: the crate that joins all others of the engine.

// In this order: each uses only those above it.
pub mod columns;
pub mod figures;
pub mod keys;
pub mod listing;
pub mod explain;
pub mod compatibility;
pub mod project;
pub mod sql;
pub mod fetch;
pub mod pipeline;
pub mod codebook;
pub mod history;
pub mod caution;
pub mod svg;
pub mod report;
pub mod proposal;
#[cfg(test)]
mod messages;

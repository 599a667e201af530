//! From a project to a verified release and its report: load, choose, write, verify, history, report.

// In this order: each uses only those above it.
pub mod columns;
pub mod figures;
pub mod listing;
pub mod explain;
pub mod sql;
pub mod fetch;
pub mod pipeline;
pub mod codebook;
pub mod history;
pub mod caution;
pub mod svg;
pub mod chart;
pub mod report;
pub mod package;
#[cfg(test)]
mod messages;

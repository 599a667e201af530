//! Trees of splits, which grow in counted steps and whose parts grow again.
//!
//! The rows of a problem and a setting enter. A tree leaves whose leaves are regions; it is a valid
//! release after every step.

pub(super) mod grower;
pub(super) mod growth;
pub(super) mod improve;
pub(super) mod tree;

//! What the searches ask about classes and nodes: are they allowed, and what do they cost?
//!
//! A problem enters, and then one node or class after another. Verdicts, failing classes and costs
//! leave; all are exact.

pub(crate) mod base_counts;
pub(crate) mod cost;
pub(crate) mod counter;
pub(crate) mod floors;
mod label_sets;
pub(crate) mod objective;
mod people_judge;
mod rungs;
pub(crate) mod steps;
pub(crate) mod tally;
pub(crate) mod value_judge;

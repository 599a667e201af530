//! Searches over the nodes of the lattice: SPALM, SPALM with withdrawal, and the survey of all
//! verdicts.
//!
//! A problem, a metric and an observer enter. A node leaves, or the verdicts of all nodes, with the
//! number of nodes that were counted.

mod antichain;
mod branch_and_bound;
mod cheapest_first;
mod cheapest_search;
mod failure_index;
mod known_failures;
pub(crate) mod lattice_survey;
mod node_search;
mod open_box;
pub(crate) mod spalm;
pub(crate) mod withdrawal;

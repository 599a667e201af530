//! Which column is what: the pairs of columns of T and P, and the role of each.
//!
//! Two surveys, the hierarchies at hand and the decisions enter; a [`Proposal`](crate::Proposal) leaves.

pub(crate) mod attributes;
pub(crate) mod choices;
pub(crate) mod kin;
pub(crate) mod pairs;
pub(crate) mod private_only;
pub(crate) mod roles;

//! The hierarchies of a proposal: those of the analyst, those that palmtop carries, its ready lists, those that are built, and the limit of published sets.
//!
//! A column with its values enters; the source of a hierarchy leaves. No hierarchy is written here.

pub(crate) mod carried;
pub(crate) mod found;
pub(crate) mod hierarchy_source;
pub(crate) mod limit;
pub(crate) mod ready;
pub(crate) mod recipes;

//! The screens, one folder each. A screen knows the other screens only by name.

pub(crate) mod proposal;
pub(crate) mod workbench;
pub(crate) mod classes;
pub(crate) mod lattice;
pub(crate) mod searches;
pub(crate) mod compare;
pub(crate) mod trade_off;
pub(crate) mod hierarchies;
pub(crate) mod tables;
pub(crate) mod risk;
pub(crate) mod utility;
pub(crate) mod releases;

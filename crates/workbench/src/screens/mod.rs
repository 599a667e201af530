//! The screens, one folder each, and their list. A screen knows the other screens only by name.

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

use crate::shared::mounted::{Entry, entry};

/// Every screen, in the order of their keys. Keys, clicks, messages, commands, help, palette and the
/// docs follow from this list.
pub(crate) const SCREENS: &[Entry] = &[
    entry::<workbench::state::Workbench>(),
    entry::<classes::Classes>(),
    entry::<lattice::walk::LatticeWalk>(),
    entry::<searches::state::Searches>(),
    entry::<compare::state::Compare>(),
    entry::<trade_off::state::Sweep>(),
    entry::<hierarchies::state::HierarchyTree>(),
    entry::<tables::state::TablePages>(),
    entry::<risk::RiskScreen>(),
    entry::<utility::UtilityScreen>(),
    entry::<releases::state::Releases>(),
];

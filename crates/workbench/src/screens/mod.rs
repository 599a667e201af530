//! The screens, one folder each, and their list. A screen knows the other screens only by name.

pub(crate) mod proposal;
pub(crate) mod workbench;
pub(crate) mod classes;
pub(crate) mod lattice;
pub(crate) mod releases;
pub(crate) mod policy;
pub(crate) mod hierarchies;
pub(crate) mod tables;
pub(crate) mod files;

use crate::shared::screen::{About, Screen};

/// The screen before a project exists.
pub(crate) const BEFORE: &About = &proposal::state::ProposalScreen::ABOUT;

/// Every screen, in the order of their keys. Keys, clicks, messages, commands, help, palette and the
/// docs follow from this list.
pub(crate) const SCREENS: &[Screen] = &[
    workbench::state::Workbench::SCREEN,
    classes::Classes::SCREEN,
    lattice::walk::LatticeWalk::SCREEN,
    releases::state::Releases::SCREEN,
    policy::state::PolicyScreen::SCREEN,
    hierarchies::state::HierarchyTree::SCREEN,
    tables::state::TablePages::SCREEN,
    files::state::FilesScreen::SCREEN,
];

//! The screens, one folder each, and their list. A screen knows the other screens only by name.

pub(crate) mod proposal;
pub(crate) mod workbench;
pub(crate) mod classes;
pub(crate) mod lattice;
pub(crate) mod hierarchies;
pub(crate) mod tables;
pub(crate) mod releases;
pub(crate) mod policy;
pub(crate) mod files;

use crate::kit::name::ScreenName;
use crate::shared::screen::{About, Screen, Tab};

/// The screen before a project exists.
pub(crate) const BEFORE: &About = &proposal::state::ProposalScreen::ABOUT;

/// Every screen, in the order of the tabs; the first of a tab is its main pane. Keys, clicks, messages, commands, help, palette and the
/// docs follow from this list.
pub(crate) const SCREENS: &[Screen] = &[
    tables::state::TablePages::SCREEN,
    hierarchies::state::HierarchyTree::SCREEN,
    workbench::state::Workbench::SCREEN,
    classes::Classes::SCREEN,
    lattice::walk::LatticeWalk::SCREEN,
    releases::state::Releases::SCREEN,
    policy::state::PolicyScreen::SCREEN,
    files::state::FilesScreen::SCREEN,
];

/// The tab of a screen; none before a project is open.
pub(crate) fn tab_of(name: ScreenName) -> Option<Tab> {
    SCREENS.iter().find(|screen| screen.about.name == name).map(|screen| screen.tab)
}

/// The screens of a tab, the main one first.
pub(crate) fn panes(tab: Tab) -> impl Iterator<Item = ScreenName> {
    SCREENS.iter().filter(move |screen| screen.tab == tab).map(|screen| screen.about.name)
}

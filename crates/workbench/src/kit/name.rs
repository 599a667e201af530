//! The names of the screens. A part that opens a screen knows only its name; the screen defines its
//! title and commands.

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScreenName {
    /// The screen before a project exists. It never appears together with another screen.
    Proposal,
    Workbench,
    Classes,
    Lattice,
    Searches,
    Compare,
    TradeOff,
    Hierarchies,
    Tables,
    Risk,
    Utility,
    Releases,
}

//! The screens by name: whoever opens one names it, and knows nothing else of it. How it is written is the screen's to say.

/// The screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScreenName {
    /// The one that is there before a project is; no other is there with it.
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

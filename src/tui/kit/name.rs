//! The screens by name: whoever opens one names it, and knows nothing else of it. How it is written is the screen's to say.

/// The screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScreenName {
    Workbench,
    Classes,
    Lattice,
    Searches,
    Compare,
    TradeOff,
    Hierarchies,
    Tables,
}

//! The names of the screens: whoever opens one names it, and knows nothing else of it.

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

impl ScreenName {
    /// Its name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Workbench => "workbench",
            Self::Classes => "classes",
            Self::Lattice => "lattice",
            Self::Searches => "searches",
            Self::Compare => "compare",
            Self::TradeOff => "trade-off",
            Self::Hierarchies => "hierarchies",
            Self::Tables => "tables",
        }
    }
}

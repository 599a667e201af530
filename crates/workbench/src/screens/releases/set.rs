//! The sets of columns by name.

/// A set of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ColumnSet {
    #[default]
    Loss,
    Risk,
    Utility,
}

impl ColumnSet {
    /// All sets, in order.
    pub(super) const ALL: [Self; 3] = [Self::Loss, Self::Risk, Self::Utility];

    /// The next set; after the last one, the first.
    pub(super) fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Its name, as `compare --show` has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Risk => "risk",
            Self::Utility => "utility",
        }
    }
}

//! The parts of a release's utility, and which of them comes first.

/// A part of a release's utility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Attributes,
    Pairs,
    Queries,
    Classes,
}

impl Part {
    /// All parts, in order.
    pub(super) const ALL: [Self; 4] = [Self::Attributes, Self::Pairs, Self::Queries, Self::Classes];
}

/// What comes first when a utility is shown.
#[derive(Default)]
pub(crate) struct UtilityParts {
    /// The index of the part that comes first; the next parts follow as far as they fit.
    pub(super) part: usize,
    /// The attribute that comes first.
    pub(super) first: usize,
}

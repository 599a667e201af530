//! The parts of a release's utility, and which of them comes first.

use crate::shared::utility::KnownBasis;

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

/// The utility of each release, and what comes first when it is shown.
#[derive(Default)]
pub(crate) struct UtilityParts {
    /// The index of the part that comes first; the next parts follow as far as they fit.
    pub(super) part: usize,
    /// The attribute that comes first.
    pub(super) first: usize,
    pub(super) basis: KnownBasis,
}

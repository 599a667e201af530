//! What a project declares before any search: cuts, limits of levels and weights of its quasi-identifiers,
//! and how a search that asks questions prepares.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use super::asking::Belief;
use super::hierarchy::Level;
use super::ranges::Ranges;
use super::weights::Weights;

/// Where regions may be cut in a quasi-identifier. The project declares it before any search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cuts {
    /// Between any two values, as in the paper.
    #[default]
    Values,
    /// Only between labels of the hierarchy. A cut of a label separates all labels directly under
    /// it, so the release publishes labels.
    Labels,
    /// The attribute is never cut.
    Never,
}

/// The levels at which a quasi-identifier may be published. The project declares them before any
/// search.
///
/// `None` leaves that end to the hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Levels {
    /// The finest permitted level.
    pub finest: Option<Level>,
    /// The coarsest permitted level.
    pub coarsest: Option<Level>,
}

impl fmt::Display for Levels {
    /// The notation of the project file: `2`, `1-3`, `1-`, `-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |level: Option<Level>| level.map(|level| level.to_string()).unwrap_or_default();
        if self.finest == self.coarsest && self.finest.is_some() {
            f.pad(&text(self.finest))
        } else {
            f.pad(&format!("{}-{}", text(self.finest), text(self.coarsest)))
        }
    }
}

/// The declarations of a problem.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) cuts: Arc<[Cuts]>,
    pub(super) levels: Arc<[Levels]>,
    /// For each quasi-identifier, whether its sides are labels whatever `cuts` declares. A raised
    /// problem needs this flag, because its limits no longer show whether the original levels
    /// require labels.
    pub(super) labels: Arc<[bool]>,
    /// For each quasi-identifier, the largest number of terms of a published set.
    pub(super) terms: Arc<[Option<NonZeroU32>]>,
    /// For each quasi-identifier, the level at whose borders ranges begin and end.
    pub(super) borders: Arc<[Option<Level>]>,
    /// For each quasi-identifier of a raised problem, the ranges of the original problem. Its leaves are the
    /// labels of these ranges.
    pub(super) ranges: Arc<[Option<Arc<Ranges>>]>,
    pub(super) weights: Weights,
    pub(super) belief: Belief,
}

impl Declared {
    /// No declarations for this many quasi-identifiers.
    pub(super) fn nothing(width: usize) -> Self {
        Self {
            cuts: vec![Cuts::default(); width].into(),
            levels: vec![Levels::default(); width].into(),
            labels: vec![false; width].into(),
            terms: vec![None; width].into(),
            borders: vec![None; width].into(),
            ranges: vec![None; width].into(),
            weights: Weights::even(width),
            belief: Belief::default(),
        }
    }
}

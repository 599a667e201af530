//! The state of the screen of utility: the selected release, the first part, and the measures.

use palmtop_flow::session::RecodingRecipe;

use crate::kit::link::Link;
use crate::shared::measured;
use crate::shared::state::Shared;
use crate::shared::utility::{self, Utilities};
use crate::shared::view::Candidate;

/// A message of the jobs: one release at a time.
pub(crate) type Message = utility::Message;

/// The parts of a release's utility, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Attributes,
    Pairs,
    Queries,
    Classes,
}

impl Part {
    /// All parts.
    pub(crate) const ALL: [Self; 4] = [Self::Attributes, Self::Pairs, Self::Queries, Self::Classes];
}

/// The state of the screen.
pub(crate) struct UtilityTable {
    /// The selected place; the best candidate if it is not among the candidates.
    pub(crate) pointed: Option<RecodingRecipe>,
    /// The index of the part that comes first; the next parts follow as far as they fit.
    pub(crate) part: usize,
    /// The attribute that comes first.
    pub(crate) first: usize,
    pub(crate) utilities: Utilities,
}

impl UtilityTable {
    /// A screen that nobody has opened.
    pub(super) fn unopened() -> Self {
        Self { pointed: None, part: 0, first: 0, utilities: Utilities::new() }
    }

    /// The candidates, and the index of the selected one.
    pub(super) fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        measured::candidates(shared, self.pointed.as_ref())
    }

    /// Measures the candidates without a measure.
    pub(super) fn ask(&mut self, link: &Link<Message>, shared: &Shared) {
        let Ok((candidates, pointed)) = self.candidates(shared) else { return };
        self.utilities.ask(link, |answer| answer, shared, (&candidates, pointed));
    }
}

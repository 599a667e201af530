//! What the screen of utility has of its own: what it points at, what stands first, and what was measured of whom.

use palmtop_flow::session::Place;

use crate::kit::link::Link;
use crate::shared::measured;
use crate::shared::state::Shared;
use crate::shared::utility::{self, Utilities};
use crate::shared::view::Candidate;

/// What its jobs have to say: a release at a time.
pub(crate) type Message = utility::Message;

/// The parts of what is said of a release, in their order.
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
    /// What it points at; the best candidate if this is none of them.
    pub(crate) pointed: Option<Place>,
    /// The part that stands first, by its place among all; those behind it follow as far as there is room.
    pub(crate) part: usize,
    /// The attribute that stands first.
    pub(crate) first: usize,
    pub(crate) utilities: Utilities,
}

impl UtilityTable {
    /// A screen that nobody has opened.
    pub(super) fn unopened() -> Self {
        Self { pointed: None, part: 0, first: 0, utilities: Utilities::new() }
    }

    /// The candidates, and which of them is pointed at.
    pub(super) fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        measured::candidates(shared, self.pointed.as_ref())
    }

    /// Measures the candidates that are not measured yet.
    pub(super) fn ask(&mut self, link: &Link<Message>, shared: &Shared) {
        let Ok((candidates, pointed)) = self.candidates(shared) else { return };
        self.utilities.ask(link, |answer| answer, shared, (&candidates, pointed));
    }
}

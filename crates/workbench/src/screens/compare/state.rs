//! What the comparison has of its own: what it points at, and how that differs from the base.

use palmtop_flow::session::Place;

use super::difference::Difference;
use super::rows::MEASURES;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::shared::candidates::{best_first, place_in};
use crate::shared::state::Shared;
use crate::shared::utility::{self, Utilities};
use crate::shared::view::Candidate;

/// Which two differ, the base first, and how.
pub(crate) type Differed = ((Place, Place), Difference);

/// What its jobs have to say.
pub(crate) enum Message {
    /// How two differ.
    Differed(Answer<Box<Differed>>),
    /// What a release is good for.
    Utility(utility::Message),
}

/// The state of the screen.
pub(crate) struct Compare {
    /// What it points at; the best candidate if this is none of them. A search that ends meanwhile puts its release between
    /// others, so a place in the list would point at another one then.
    pub(crate) pointed: Option<Place>,
    /// The measure that the rows are sorted by.
    pub(crate) sort: usize,
    /// How the two differ, once it is counted.
    pub(crate) difference: Option<Box<Differed>>,
    pub(crate) differences: Slot<Box<Differed>>,
    /// What candidates are good for, as far as it is measured: only while this is open.
    pub(crate) utilities: Utilities,
}

impl Compare {
    /// A comparison that nobody has opened.
    pub(super) fn unopened() -> Self {
        let task = Task { kind: "difference", doing: "comparing" };
        Self {
            pointed: None,
            sort: 0,
            difference: None,
            differences: Slot::new(task),
            utilities: Utilities::new(),
        }
    }

    /// The candidates as they are shown: those that keep δ first, and of them the best by the measure that they are sorted by.
    pub(crate) fn ordered(&self, shared: &Shared) -> Vec<Candidate> {
        best_first(shared.candidates(), &shared.problem, |candidate| MEASURES[self.sort].key(candidate))
    }

    /// In which row a place is; the one that loses least where it is in none.
    pub(crate) fn place_of(&self, shared: &Shared, wanted: Option<&Place>) -> usize {
        let best = shared.candidates();
        let Some(found) = best.get(place_in(&best, wanted)) else { return 0 };
        place_in(&self.ordered(shared), Some(&found.place))
    }

    /// The two that are compared: the base, and what is pointed at; none where they are the same.
    pub(crate) fn pair(&self, shared: &Shared) -> Option<(Place, Place)> {
        let candidates = shared.candidates();
        let base = place_in(&candidates, shared.base.as_ref());
        let pointed = place_in(&candidates, self.pointed.as_ref());
        (base != pointed).then(|| (candidates[base].place.clone(), candidates[pointed].place.clone()))
    }

    /// Asks how the two that are compared differ, and what is not measured yet.
    pub(super) fn ask(&mut self, link: &Link<Message>, shared: &Shared) {
        let candidates = shared.candidates();
        let pointed = place_in(&candidates, self.pointed.as_ref());
        self.utilities.ask(link, Message::Utility, shared, (&candidates, pointed));
        self.ask_difference(link, shared);
    }

    fn ask_difference(&mut self, link: &Link<Message>, shared: &Shared) {
        let known = self.difference.as_ref().map(|difference| &difference.0);
        let Some(pair) = self.pair(shared).filter(|pair| known != Some(pair)) else {
            self.differences.void();
            return;
        };
        let candidates = shared.candidates();
        let measured = |place: &Place| {
            candidates.iter().find(|known| known.place == *place).map(|known| known.measured.clone())
        };
        let (Some(base), Some(other)) = (measured(&pair.0), measured(&pair.1)) else {
            self.differences.void();
            return;
        };
        let problem = shared.problem.clone();
        self.differences.ask(link, Message::Differed, move |job| {
            let between = || Box::new((pair, Difference::between(&problem, &base, &other)));
            job.is_current().then(between)
        });
    }

    /// δ changed: nothing that is known holds any more.
    pub(super) fn forget(&mut self) {
        self.difference = None;
        self.differences.void();
    }
}

//! What an earlier session had, and what is kept of this one.

use palmtop::session::Place;

use super::state::{Candidate, Ground, Shared};
use super::view::Measured;

impl Shared {
    /// The node to step from is the last one that the log stood on, also where it stands on regions now.
    pub(super) fn restore_ground(&mut self) {
        let before = &self.log.steps()[..=self.log.current()];
        if let Some(node) = before.iter().rev().find_map(|step| self.node_of(&step.place)) {
            self.ground = Ground { node, measured: None };
        }
    }

    /// Counts the nodes that an earlier session kept, where that is quick; the others wait until somebody stands there.
    pub(super) fn restore_pins(&mut self) {
        /// With more combinations than this, counting at the start would be felt.
        const COUNTED: usize = 100_000;
        if self.problem.histogram().len() > COUNTED {
            return;
        }
        for place in std::mem::take(&mut self.waiting_pins) {
            match self.node_of(&place) {
                Some(node) if matches!(place, Place::Node(_)) => {
                    let measured = Measured::new(&self.problem, self.analysis.by_hand(&self.problem, node));
                    self.pins.push(Candidate { place, measured, seconds: None });
                }
                _ => self.waiting_pins.push(place),
            }
        }
    }

    /// Finds again, in the background, what an earlier session had found under the δ of now, and where it stood. The same
    /// search finds the same; of several by one strategy the last is wanted.
    pub(super) fn restore_searches(&mut self) {
        let step = self.step().clone();
        let here = match &step.place {
            Place::Search(search) => Some(search),
            Place::Node(_) => None,
        };
        for search in here.into_iter().chain(self.log.searches.iter().rev()) {
            if search.delta == step.delta || Some(search) == here {
                self.runs.enqueue_again(search);
            }
        }
        self.start_waiting();
    }

    /// A place that an earlier session kept is counted now.
    pub(super) fn pin_again(&mut self, place: &Place, measured: &Measured) {
        let waiting = self.waiting_pins.len();
        self.waiting_pins.retain(|pin| pin != place);
        if self.waiting_pins.len() < waiting {
            self.pins.push(Candidate { place: place.clone(), measured: measured.clone(), seconds: None });
        }
    }

    /// Writes the log to disk, in the background.
    pub(crate) fn save(&mut self) {
        let pins = self.pins.iter().map(|pin| &pin.place).chain(&self.waiting_pins);
        self.log.pins = pins.cloned().collect();
        self.saver.save(&self.log);
    }
}

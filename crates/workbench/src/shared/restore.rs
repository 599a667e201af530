//! What an earlier session had, and what is kept of this one.

use palmtop_flow::session::{Place, Search};
use palmtop_search::Strategy;

use super::state::{LastNode, Shared};
use super::view::Candidate;
use super::view::Measured;

impl Shared {
    /// The node to step from is the last one that the log stood on, also where it stands on regions now.
    pub(super) fn restore_ground(&mut self) {
        let before = &self.log.steps()[..=self.log.current()];
        if let Some(node) = before.iter().rev().find_map(|step| self.node_of(&step.place)) {
            self.ground = LastNode { node, measured: None };
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

    /// Finds again, in the background, where an earlier session stood, and what it had kept to compare. What else it had
    /// found waits until somebody asks: all of it at once would take as long as all of the session's searches.
    pub(super) fn restore_searches(&mut self) {
        let step = self.step().clone();
        let pins = self.waiting_pins.clone();
        for place in std::iter::once(&step.place).chain(&pins) {
            if let Place::Search(search) = place
                && (search.delta == step.delta || *place == step.place)
            {
                self.runs.enqueue_again(search);
            }
        }
        self.start_waiting();
    }

    /// What an earlier session had found by a strategy under the current δ, and nobody has asked for again: the last of
    /// several. The same search finds the same.
    pub(crate) fn found_before(&self, strategy: Strategy) -> Option<&Search> {
        let key = self.run_key(strategy);
        let is_wanted =
            |search: &&Search| search.strategy == strategy && search.delta == key.delta && search.repeats();
        self.log.searches.iter().rev().filter(|_| self.runs.get(key).is_none()).find(is_wanted)
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

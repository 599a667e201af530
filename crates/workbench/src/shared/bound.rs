//! The least loss that any release could have, counted in the background when the comparison first asks for it; another for each δ.

use palmtop_core::model::Problem;
use palmtop_search::{self as search, NoBound};

use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// The least loss possible under the current δ.
#[derive(Debug)]
pub(crate) struct Bound {
    slot: Slot<Option<f64>>,
    known: Known,
}

/// What is known of the least loss possible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Known {
    /// Nobody has asked.
    #[default]
    Unasked,
    /// It is being counted.
    Counting,
    /// Counting it broke.
    Broken,
    /// No release that keeps δ loses less; `None` where the tables are too large to say, or nothing keeps δ.
    Counted(Option<f64>),
}

impl Bound {
    /// One that nobody has asked for.
    pub(crate) fn new() -> Self {
        let task = Task { kind: "bound", doing: "computing the least possible loss" };
        Self { slot: Slot::new(task), known: Known::Unasked }
    }

    /// What is known.
    pub(crate) fn known(&self) -> Known {
        self.known
    }

    /// Begins to count it, unless somebody has asked before.
    pub(crate) fn ask(&mut self, link: &Link<Answer<Option<f64>>>, problem: &Problem) {
        if self.known != Known::Unasked {
            return;
        }
        if !problem.feasibility().holds() {
            self.known = Known::Counted(None);
            return;
        }
        self.known = Known::Counting;
        let problem = problem.clone();
        // What was stopped is nobody's answer; the slot drops it.
        self.slot.ask(
            link,
            |answer| answer,
            move |job| match search::bound(&problem, &mut |_| job.go_on()) {
                Ok(bound) => Some(Some(bound)),
                Err(NoBound::TooLarge { .. }) => Some(None),
                Err(NoBound::Cancelled) => None,
            },
        );
    }

    /// δ changed: nothing that is known holds any more, and what is being counted is not wanted.
    pub(crate) fn forget(&mut self) {
        self.slot.void();
        self.known = Known::Unasked;
    }

    /// Takes it, unless it is of another δ; answers what is to be said.
    pub(crate) fn take(&mut self, answer: Answer<Option<f64>>) -> Option<String> {
        match self.slot.take(answer)? {
            Ok(bound) => {
                self.known = Known::Counted(bound);
                None
            }
            Err(said) => {
                self.known = Known::Broken;
                Some(said)
            }
        }
    }
}

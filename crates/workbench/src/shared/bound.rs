//! The least possible loss of a release under δ, computed in the background when the comparison
//! first needs it.

use palmtop_core::model::Problem;
use palmtop_project::compatibility::Feature;
use palmtop_release::pipeline::Analysis;
use palmtop_search::{self as search, NoBound};

use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// The least possible loss under the current δ.
#[derive(Debug)]
pub(crate) struct Bound {
    slot: Slot<Option<f64>>,
    known: Known,
}

/// The state of the least possible loss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Known {
    /// Not requested yet.
    #[default]
    Unasked,
    /// The computation is running.
    Counting,
    /// The computation failed.
    Broken,
    /// A setting of the project excludes it.
    Refused,
    /// A lower bound on the loss of every release that keeps δ; `None` if the tables are too large
    /// to compute it, or if no release keeps δ.
    Counted(Option<f64>),
}

impl Bound {
    /// A bound that is not requested.
    pub(crate) fn new() -> Self {
        let task = Task { kind: "bound", doing: "computing the least possible loss" };
        Self { slot: Slot::new(task), known: Known::Unasked }
    }

    /// The state of the bound.
    pub(crate) fn known(&self) -> Known {
        self.known
    }

    /// Starts the computation on the first request.
    pub(crate) fn ask(&mut self, link: &Link<Answer<Option<f64>>>, analysis: &Analysis, problem: &Problem) {
        if self.known != Known::Unasked {
            return;
        }
        if analysis.refusal(Feature::RowCount).is_some() {
            self.known = Known::Refused;
            return;
        }
        if !problem.feasibility().holds() {
            self.known = Known::Counted(None);
            return;
        }
        self.known = Known::Counting;
        let problem = problem.clone();
        // A stopped computation has no result; the slot drops its answer.
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

    /// Forgets the bound and abandons its computation, because δ changed.
    pub(crate) fn forget(&mut self) {
        self.slot.void();
        self.known = Known::Unasked;
    }

    /// Takes the answer, unless it belongs to another δ; returns the message of a failure.
    pub(crate) fn take(&mut self, answer: Answer<Option<f64>>) -> Option<String> {
        match self.slot.take(answer)? {
            Ok(bound) => {
                self.known = Known::Counted(bound);
                None
            }
            Err(message) => {
                self.known = Known::Broken;
                Some(message)
            }
        }
    }
}

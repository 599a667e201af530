//! The least loss that any release could have, counted in the background when the comparison first asks for it; another for each δ.

use std::ops::ControlFlow;

use palmtop::model::Problem;
use palmtop::search;

use crate::tui::app::message::{JobName, Message};
use crate::tui::kit::job::Jobs;
use crate::tui::kit::slot::{Slot, Ticket};

/// The least loss possible under the δ of now.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    slot: Slot,
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
    /// What is known.
    pub(crate) fn known(&self) -> Known {
        self.known
    }

    /// Begins to count it, unless somebody has asked before.
    pub(crate) fn ask(&mut self, jobs: &Jobs, problem: &Problem) {
        if self.known != Known::Unasked {
            return;
        }
        if !problem.feasibility().holds() {
            self.known = Known::Counted(None);
            return;
        }
        self.known = Known::Counting;
        let (ticket, problem) = (self.slot.ask(), problem.clone());
        jobs.start(JobName::Bound(ticket.clone()), move |sender| {
            let bound = search::bound(&problem, &mut |_| {
                if ticket.is_current() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            // What was stopped is nobody's answer; the slot drops it.
            let _ = sender.send(Message::Bound(ticket, bound));
        });
    }

    /// δ changed: nothing that is known holds any more, and what is being counted is not wanted.
    pub(crate) fn forget(&mut self) {
        self.slot.void();
        self.known = Known::Unasked;
    }

    /// Takes it, unless it is of another δ.
    pub(crate) fn take(&mut self, ticket: &Ticket, bound: Option<f64>) {
        if self.slot.accept(ticket) {
            self.known = Known::Counted(bound);
        }
    }

    /// Counting it broke; says whether anybody still waited for it.
    pub(crate) fn fail(&mut self, ticket: &Ticket, why: &str) -> bool {
        let wanted = self.slot.fail(ticket, why);
        if wanted {
            self.known = Known::Broken;
        }
        wanted
    }
}

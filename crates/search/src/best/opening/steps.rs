//! The counted steps of the opening.

use std::ops::ControlFlow;

use crate::{SearchStage, Step, StopReason};

/// The counted steps of the opening.
pub(crate) struct Steps {
    done: u64,
    limit: Option<u64>,
    /// The work of one step of a paper's strategy: see
    /// [`Splitting`](crate::regions::mpalm::Splitting).
    pub(crate) work: u64,
    /// The last step that was reported.
    pub(crate) reported: Step,
}

impl Steps {
    /// A counter at 0, with an optional limit.
    pub(crate) fn up_to(limit: Option<u64>, work: u64) -> Self {
        Self { done: 0, limit, work, reported: Step::of(0, 0) }
    }

    /// The last step that was reported, while regions are listed.
    pub(crate) fn listing(&self) -> Step {
        let stage = SearchStage { lists_regions: true, ..self.reported.stage };
        Step { stage, ..self.reported }
    }

    /// The number of steps done.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Counts a finished step.
    pub(crate) fn count(&mut self) {
        self.done += 1;
    }

    /// Continues if another step is permitted.
    pub(crate) fn go_on(&self) -> ControlFlow<StopReason> {
        if self.limit.is_some_and(|limit| self.done >= limit) {
            ControlFlow::Break(StopReason::Rounds)
        } else {
            ControlFlow::Continue(())
        }
    }
}

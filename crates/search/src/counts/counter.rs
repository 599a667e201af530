//! The counts by which a search over nodes judges and prices a node: of rows, or of people with
//! several rows each.

use std::ops::ControlFlow;

use super::base_counts::{BaseCounts, Failure};
use super::floors::Floors;
use super::people_judge::PeopleJudge;
use super::steps::{levels_at, steps_to};
use super::tally::Tally;
use crate::control::pace::Pace;
use palmtop_core::model::{Level, Problem};

/// What a node is counted from.
pub(crate) enum Counter<W> {
    /// Each row is a person: the combinations are merged at the floors.
    Merged(Box<BaseCounts<W>>),
    /// A person has several rows: each node is counted from the rows of each person.
    People(Box<PeopleJudge>, Vec<Level>),
}

impl<W: Tally> Counter<W> {
    /// The counter of a problem for the nodes above the floors.
    pub(crate) fn of(problem: &Problem, floors: &Floors, pace: &mut Pace) -> ControlFlow<(), Self> {
        ControlFlow::Continue(match PeopleJudge::of(problem) {
            None => Self::Merged(Box::new(BaseCounts::new(problem, floors, pace)?)),
            Some(judge) => Self::People(Box::new(judge), floors.levels().to_vec()),
        })
    }

    /// Counts the classes of the node that is `steps` above the floors. Returns `None` if all
    /// satisfy the policy, else the reason of the failure.
    pub(crate) fn breaks(
        &mut self,
        steps: &[u8],
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Failure<'_, W>>> {
        match self {
            Self::Merged(counts) => counts.breaks(steps, pace),
            Self::People(judge, floors) => {
                let raised = judge.breaks(levels_at(floors, steps), pace)?;
                ControlFlow::Continue(raised.map(|raised| Failure::UpTo(steps_to(&raised, floors))))
            }
        }
    }

    /// Failing nodes in which two quasi-identifiers are below their tops, found faster than node by
    /// node. Of people with several rows, none.
    pub(crate) fn failing_pairs(&self, spans: &[usize], pace: &mut Pace) -> ControlFlow<(), Vec<Vec<u8>>> {
        match self {
            Self::Merged(counts) => counts.failing_pairs(spans, pace),
            Self::People(..) => ControlFlow::Continue(Vec::new()),
        }
    }

    /// Σ a² over the classes of a node, with a members in a class, as in
    /// [`discernibility`](palmtop_core::metrics::discernibility).
    pub(crate) fn discernibility(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), u64> {
        match self {
            Self::Merged(counts) => counts.discernibility(steps, pace),
            Self::People(judge, floors) => judge.discernibility(&levels_at(floors, steps), pace),
        }
    }
}

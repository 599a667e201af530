//! The judgement of the policy on each class of a node.

use std::ops::ControlFlow;

use super::refined::Refined;
use crate::control::pace::Pace;
use crate::counts::tally::Judge;
use crate::counts::value_judge::ValueJudge;
use palmtop_core::model::Problem;

/// All criteria of a policy: those on counts, and those on sensitive values if there are any.
pub(crate) struct ClassJudge {
    counts: Judge,
    values: Option<ValueJudge>,
}

impl ClassJudge {
    pub(crate) fn of(problem: &Problem) -> Self {
        Self { counts: Judge::of(problem), values: ValueJudge::of(problem) }
    }

    /// Whether the policy allows each of these classes. O(c) for the criteria on counts, and
    /// O(t·log c) for those on sensitive values, for t combinations with members.
    pub(crate) fn judge(&self, classes: &Refined, pace: &mut Pace) -> ControlFlow<(), Vec<bool>> {
        let counts = classes.classes().iter();
        let mut is_allowed: Vec<bool> = counts.map(|&counts| self.counts.allows_counts(counts)).collect();
        if let Some(values) = &self.values {
            pace.spend(16 * values.combinations())?;
            values.exclude_broken(&mut is_allowed, |combination| classes.class_of(combination));
        }
        ControlFlow::Continue(is_allowed)
    }
}

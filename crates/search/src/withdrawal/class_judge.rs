//! The judgement of the policy on each class of a node.

use std::ops::ControlFlow;

use super::super::pace::Pace;
use super::super::tally::Judge;
use super::super::value_judge::ValueJudge;
use super::refined::Refined;
use palmtop_core::model::Problem;

/// All criteria of a policy: those on counts, and those on sensitive values if there are any.
pub(super) struct ClassJudge {
    counts: Judge,
    values: Option<ValueJudge>,
}

impl ClassJudge {
    pub(super) fn of(problem: &Problem) -> Self {
        Self { counts: Judge::of(problem), values: ValueJudge::of(problem) }
    }

    /// Whether the policy allows each of these classes. O(c) for the criteria on counts, and
    /// O(t·log c) for those on sensitive values, for t combinations with members.
    pub(super) fn judge(&self, classes: &Refined, pace: &mut Pace) -> ControlFlow<(), Vec<bool>> {
        let counts = classes.classes().iter();
        let mut is_allowed: Vec<bool> = counts.map(|&counts| self.counts.allows_counts(counts)).collect();
        if let Some(values) = &self.values {
            pace.spend(16 * values.combinations())?;
            values.exclude_broken(&mut is_allowed, |combination| classes.class_of(combination));
        }
        ControlFlow::Continue(is_allowed)
    }
}

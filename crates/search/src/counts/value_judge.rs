//! The criteria on sensitive values, judged by T's combinations.
//!
//! These criteria concern members only, so that a class without members satisfies them.
use std::collections::BTreeMap;
use std::sync::Arc;

use palmtop_core::model::{ClassData, ClassValues, Counts, Criteria, Level, Problem, Rollup, ValueCounts};

/// The criteria of the policy that look at sensitive values.
/// [`Judge`](super::tally::Judge) has δ and the criteria on counts.
#[derive(Clone, Debug)]
pub(crate) struct ValueJudge {
    criteria: Criteria,
    problem: Problem,
}

impl ValueJudge {
    /// The judge of a problem; `None` if no enforced criterion looks at sensitive values.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        let criteria = problem.policy().criteria().on_values();
        (!criteria.is_empty()).then(|| Self { criteria, problem: problem.clone() })
    }

    /// Whether one class of these combinations satisfies the criteria.
    pub(crate) fn holds(&self, combinations: impl IntoIterator<Item = u32>) -> bool {
        self.problem.sensitive().is_some_and(|values| self.allow(values.among(combinations)))
    }

    /// Whether every part of a region with these members satisfies the criteria. `part` gives the
    /// part that a member falls into.
    pub(crate) fn all_hold<T, K: Ord>(
        &self,
        members: &[T],
        combination: impl Fn(&T) -> u32,
        part: impl Fn(&T) -> K,
    ) -> bool {
        let mut parts: BTreeMap<K, Vec<u32>> = BTreeMap::new();
        for member in members {
            parts.entry(part(member)).or_default().push(combination(member));
        }
        parts.into_values().all(|combinations| self.holds(combinations))
    }

    /// Marks the classes that break the criteria, among those with members that `is_allowed` has so
    /// far. `class_of` gives the class of a combination with members.
    pub(crate) fn exclude_broken(&self, is_allowed: &mut [bool], class_of: impl Fn(u32) -> u32) {
        // If the values are unknown, no class with members satisfies the criteria.
        let Some(values) = self.problem.sensitive() else { return is_allowed.fill(false) };
        for (class, values) in values.by_class(|_, combination| class_of(combination)) {
            let is_allowed = &mut is_allowed[class as usize];
            *is_allowed = *is_allowed && self.allow(values);
        }
    }

    /// The number of combinations with members.
    pub(crate) fn combinations(&self) -> usize {
        self.problem.sensitive().map_or(0, |values| values.combinations().len())
    }

    fn allow(&self, values: Arc<ClassValues>) -> bool {
        let members = values.counts().first().map_or(0, ValueCounts::members);
        // These criteria do not use the counts of P.
        self.criteria.allow(&ClassData::with_values(Counts::new(members, members), values))
    }
}

/// The same criteria, judged for all classes of a node.
#[derive(Clone, Debug)]
pub(crate) struct NodeValueJudge {
    judge: ValueJudge,
    /// The problem with T's combinations only, in the order of the full histogram.
    members: Problem,
    rollup: Rollup,
}

impl NodeValueJudge {
    /// The judge of a problem; `None` if no enforced criterion looks at sensitive values.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        let judge = ValueJudge::of(problem)?;
        Some(Self { judge, members: problem.members_alone(), rollup: Rollup::new() })
    }

    /// Finds a class of the node with these levels that breaks the criteria. Returns the index of
    /// one of its combinations among T's.
    pub(crate) fn breaks(&mut self, levels: &[Level]) -> Option<usize> {
        self.rollup.number(&self.members, levels);
        let class_of = self.rollup.class_of();
        let Some(values) = self.judge.problem.sensitive() else { return Some(0) };
        let broken = values
            .by_class(|index, _| class_of[index])
            .into_iter()
            .find(|(_, values)| !self.judge.allow(Arc::clone(values)))?;
        class_of.iter().position(|&class| class == broken.0)
    }

    /// Raises the levels of a node one attribute at a time, as long as the class of `witness` (an
    /// index among T's combinations) still breaks the criteria.
    pub(crate) fn raise(&self, witness: usize, levels: &mut [Level]) {
        let Some(values) = self.judge.problem.sensitive() else { return };
        let histogram = self.members.histogram();
        let all: Vec<u32> = values.combinations().collect();
        let breaks = |levels: &[Level]| {
            let meets = |index: &usize| {
                levels.iter().enumerate().all(|(attribute, &level)| {
                    let labels = self.members.hierarchy(attribute).labels_of(level);
                    let label = |index: usize| labels[histogram.column(attribute)[index] as usize];
                    label(*index) == label(witness)
                })
            };
            let class = (0..histogram.len()).filter(meets).map(|index| all[index]);
            !self.judge.allow(values.among(class))
        };
        for attribute in 0..levels.len() {
            let top = self.judge.problem.coarsest(attribute);
            while levels[attribute] < top {
                let here = levels[attribute];
                levels[attribute] = Level(here.0 + 1);
                if !breaks(levels) {
                    levels[attribute] = here;
                    break;
                }
            }
        }
    }
}

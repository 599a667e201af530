//! Criteria on sensitive values, asked of T's members alone: what a class without members has does not matter to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use palmtop_core::model::{ClassData, ClassValues, Counts, Criteria, Level, Problem, Rollup, ValueCounts};

/// Whether classes satisfy the criteria that look at sensitive values. δ and the criteria on counts are another's,
/// [`Judge`](super::tally::Judge)'s.
#[derive(Clone, Debug)]
pub(super) struct ValueJudge {
    criteria: Criteria,
    problem: Problem,
}

impl ValueJudge {
    /// That of a problem; `None` where nothing that is enforced looks at sensitive values.
    pub(super) fn of(problem: &Problem) -> Option<Self> {
        let criteria = problem.policy().criteria().on_values();
        (!criteria.is_empty()).then(|| Self { criteria, problem: problem.clone() })
    }

    /// Whether one class of these combinations satisfies them.
    pub(super) fn holds(&self, combinations: impl IntoIterator<Item = u32>) -> bool {
        self.problem.sensitive().is_some_and(|values| self.allow(values.among(combinations)))
    }

    /// Whether every part satisfies them that a region with these members is cut into; `part` says to which a member goes.
    pub(super) fn all_hold<T, K: Ord>(
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

    fn allow(&self, values: Arc<ClassValues>) -> bool {
        let members = values.own().first().map_or(0, ValueCounts::members);
        // These criteria ask nothing of P.
        self.criteria.allow(&ClassData::with_values(Counts::new(members, members), values))
    }
}

/// The same, asked of all classes of a node.
#[derive(Clone, Debug)]
pub(super) struct NodeValueJudge {
    judge: ValueJudge,
    /// T alone: its combinations, in the order of the problem's, and no others.
    members: Problem,
    rollup: Rollup,
}

impl NodeValueJudge {
    /// That of a problem; `None` where nothing that is enforced looks at sensitive values.
    pub(super) fn of(problem: &Problem) -> Option<Self> {
        let judge = ValueJudge::of(problem)?;
        Some(Self { judge, members: problem.members_alone(), rollup: Rollup::new() })
    }

    /// A member's combination, by its place among T's, in a class of the node with these levels that breaks them; `None` where none does.
    pub(super) fn breaks(&mut self, levels: &[Level]) -> Option<usize> {
        self.rollup.number(&self.members, levels);
        let class_of = self.rollup.class_of();
        let Some(values) = self.judge.problem.sensitive() else { return Some(0) };
        let broken = values
            .by_class(|place, _| class_of[place])
            .into_iter()
            .find(|(_, values)| !self.judge.allow(Arc::clone(values)))?;
        class_of.iter().position(|&class| class == broken.0)
    }

    /// Raises the levels of a node as far as the class of `witness`, a place among T's combinations, still breaks them.
    pub(super) fn raise(&self, witness: usize, levels: &mut [Level]) {
        let Some(values) = self.judge.problem.sensitive() else { return };
        let histogram = self.members.histogram();
        let all: Vec<u32> = values.combinations().collect();
        let breaks = |levels: &[Level]| {
            let meets = |place: &usize| {
                levels.iter().enumerate().all(|(attribute, &level)| {
                    let labels = self.members.hierarchy(attribute).labels_of(level);
                    let label = |place: usize| labels[histogram.column(attribute)[place] as usize];
                    label(*place) == label(witness)
                })
            };
            let own = (0..histogram.len()).filter(meets).map(|place| all[place]);
            !self.judge.allow(values.among(own))
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

//! Explains why a class keeps or breaks the policy: its combinations, the missing people, and the changes that would repair it.

use std::cmp::{Ordering, Reverse};

use palmtop_core::model::size;
use palmtop_core::model::{
    ClassData, Classes, Counts, EquivalenceClass, Label, Level, Node, Policy, Presence, Problem, Verdict,
};
use palmtop_search::release::Release;

/// The greatest number of listed combinations of a class.
const MEMBERS: usize = 200;

/// The greatest number of listed classes with which a class could be joined.
const MERGES: usize = 50;

/// The explanation of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The counts of the class.
    pub counts: Counts,
    /// The verdict under the release's policy.
    pub verdict: Verdict,
    /// The distance from satisfying the policy, in people.
    pub shortfall: Shortfall,
    /// The combinations of the class, most members first, then by text; at most 200.
    pub members: Vec<Member>,
    /// The number of all its combinations.
    pub combinations: usize,
    /// For a node: the class that would result one level coarser, for each quasi-identifier that has a coarser level.
    pub coarser: Vec<Coarser>,
    /// Classes with the same labels except for one quasi-identifier. Classes whose union satisfies the policy come first, then
    /// classes with the most similar number of public people; at most 50.
    pub merges: Vec<Merge>,
}

/// The distance of a class from satisfying the policy, in people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// The class satisfies the policy.
    Nobody,
    /// The class is above δmax.
    Over {
        /// The fewest non-members who would have to join; `None` if δmax is 0, so that no number suffices.
        lacks: Option<u128>,
        /// The fewest members who would have to leave the private table, but stay in the public table.
        too_many: u128,
    },
    /// The class is below δmin.
    Under {
        /// The fewest members who would have to join; `None` if δmin is 1, so that no number suffices.
        lacks: Option<u128>,
    },
    /// The class keeps δ, but breaks another criterion.
    Breaks {
        /// The key of the criterion in `[policy]`.
        criterion: &'static str,
    },
}

/// A combination of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The leaf of each quasi-identifier.
    pub texts: Vec<String>,
    /// The counts of the combination.
    pub counts: Counts,
}

/// The class that results if one quasi-identifier is one level coarser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coarser {
    /// The index of the quasi-identifier.
    pub attribute: usize,
    /// The coarser label.
    pub text: String,
    /// The counts of the resulting class.
    pub counts: Counts,
    /// The verdict on the resulting class.
    pub verdict: Verdict,
}

/// A class with the same labels except for one quasi-identifier, and the union of both classes.
///
/// For regions, only the counts are joined: the box around two distant regions may overlap a third region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// The index of the quasi-identifier.
    pub attribute: usize,
    /// The other class, as an index into the release's classes.
    pub class: u32,
    /// The label of the other class there.
    pub text: String,
    /// The counts of the union.
    pub counts: Counts,
    /// The verdict on the union.
    pub verdict: Verdict,
}

/// Explains a class of a release of this problem, by the release's policy.
///
/// One pass over the combinations and one over the classes: O(c + k·m) for c combinations, k classes and m
/// quasi-identifiers.
///
/// # Panics
/// If the release has no class with this index.
pub fn explain(problem: &Problem, release: &Release, class: u32) -> Explanation {
    let own = release.classes.class(class);
    let (members, combinations) = members(problem, &release.classes, class);
    let pool = release.classes.pool();
    // If members are withdrawn, the pool hides classes that another level would unite, so no change is computed.
    let (coarser, merges) =
        if pool.is_some() { (Vec::new(), Vec::new()) } else { neighbours(problem, release, class) };
    let verdict = release.classes.judge(&release.policy, class);
    let is_ok = verdict == Verdict::Ok;
    Explanation {
        counts: own.counts,
        verdict,
        shortfall: if is_ok {
            Shortfall::Nobody
        } else {
            Shortfall::of(&release.policy, release.classes.data(class))
        },
        members,
        combinations,
        coarser,
        merges,
    }
}

impl Shortfall {
    /// The distance of a class from satisfying a policy.
    pub fn of(policy: &Policy, class: impl Into<ClassData>) -> Self {
        let class = class.into();
        let (delta, counts) = (policy.delta(), class.counts());
        let (private, public) = (u128::from(counts.private), u128::from(counts.public));
        let ratio = |bound: Presence| (u128::from(bound.numerator()), u128::from(bound.denominator()));
        match policy.judge(class) {
            Verdict::Ok => Self::Nobody,
            Verdict::Breaks(criterion) => Self::Breaks { criterion },
            Verdict::Over => {
                let (above, below) = ratio(delta.max());
                Self::Over {
                    lacks: (above > 0).then(|| (private * below).div_ceil(above) - public),
                    too_many: private - above * public / below,
                }
            }
            Verdict::Under => {
                let (above, below) = ratio(delta.floor());
                let missing = above * public - private * below;
                Self::Under { lacks: (above < below).then(|| missing.div_ceil(below - above)) }
            }
        }
    }
}

/// The first combinations of a class, and the number of all its combinations.
fn members(problem: &Problem, classes: &Classes, class: u32) -> (Vec<Member>, usize) {
    let histogram = problem.histogram();
    let counts = |index: u32| histogram.counts()[index as usize];
    let texts = |index: u32| {
        let code = move |attribute| histogram.column(attribute)[index as usize];
        (0..histogram.width()).map(move |attribute| problem.hierarchy(attribute).leaf(code(attribute)))
    };
    let mut combinations = 0;
    let members = (0..).zip(&classes.class_of).filter(|&(_, &of)| of == class).map(|(index, _)| index);
    let chosen = first_of(members.inspect(|_| combinations += 1), MEMBERS, |&left: &u32, &right: &u32| {
        let by_people = counts(right).private.cmp(&counts(left).private);
        by_people.then_with(|| texts(left).cmp(texts(right))).then(left.cmp(&right))
    });
    let member =
        |index| Member { texts: texts(index).map(ToOwned::to_owned).collect(), counts: counts(index) };
    (chosen.into_iter().map(member).collect(), combinations)
}

/// The changes of a class: one level coarser, or joined with another class.
fn neighbours(problem: &Problem, release: &Release, class: u32) -> (Vec<Coarser>, Vec<Merge>) {
    let policy = &release.policy;
    let classes = &release.classes;
    let own = classes.class(class);
    let own_data = classes.data(class);
    let mut steps =
        release.recoding.node().map_or_else(Vec::new, |node| steps(problem, node, &own, own_data));
    let candidates = (0..size::number(classes.len())).filter_map(|other| {
        let attribute = only_difference(classes, class, other)?;
        if let Some(step) = steps.iter_mut().find(|step| step.attribute == attribute) {
            step.join(classes.labels(attribute).label(other), classes.data(other));
        }
        Some((other, attribute))
    });
    let text = |attribute: usize, label: &Label| label.text(problem.hierarchy(attribute));
    let together = |other: u32| own_data.united(classes.data(other));
    let key = |&(other, attribute): &(u32, usize)| {
        let mends = policy.allows(together(other));
        (Reverse(mends), classes.counts(other).public.abs_diff(own.counts.public), attribute, other)
    };
    let chosen = first_of(candidates, MERGES, |left, right| key(left).cmp(&key(right)));
    let merge = |(other, attribute): (u32, usize)| Merge {
        attribute,
        class: other,
        text: text(attribute, classes.labels(attribute).label(other)),
        counts: together(other).counts(),
        verdict: policy.judge(together(other)),
    };
    let merges = chosen.into_iter().map(merge).collect();
    let coarser = |step: Step| Coarser {
        attribute: step.attribute,
        text: text(step.attribute, &Label::Of(step.level, step.label)),
        counts: step.data.counts(),
        verdict: policy.judge(&step.data),
    };
    (steps.into_iter().map(coarser).collect(), merges)
}

/// One level coarser in one quasi-identifier, while the counts are summed.
struct Step {
    attribute: usize,
    level: Level,
    /// For each label at the node's level, the label above it.
    above: Vec<u32>,
    /// The label above the label of the class.
    label: u32,
    data: ClassData,
}

impl Step {
    /// Adds a class that differs only in this quasi-identifier, if the coarser level unites them.
    fn join(&mut self, label: &Label, other: &ClassData) {
        if let Label::Of(_, label) = *label
            && self.above[label as usize] == self.label
        {
            self.data = self.data.united(other);
        }
    }
}

/// A step for each quasi-identifier that has a coarser level, with the counts of the class.
fn steps(problem: &Problem, node: &Node, own: &EquivalenceClass, data: &ClassData) -> Vec<Step> {
    let step = |(attribute, (&level, label)): (usize, (&Level, &Label))| {
        let hierarchy = problem.hierarchy(attribute);
        let Label::Of(_, label) = *label else { return None };
        if level >= problem.coarsest(attribute) {
            return None;
        }
        let coarser = Level(level.0 + 1);
        let above = hierarchy.labels_above(level, coarser);
        let label = above[label as usize];
        Some(Step { attribute, level: coarser, above, label, data: data.clone() })
    };
    node.levels().iter().zip(&own.labels).enumerate().filter_map(step).collect()
}

/// The only quasi-identifier in which two classes differ; `None` if they differ in none or in several.
///
/// Two regions have the same label if and only if they have the same side.
fn only_difference(classes: &Classes, own: u32, other: u32) -> Option<usize> {
    let differ = |&attribute: &usize| {
        let labels = classes.labels(attribute).label_of();
        labels[own as usize] != labels[other as usize]
    };
    let mut differences = (0..classes.width()).filter(differ);
    let first = differences.next()?;
    differences.next().is_none().then_some(first)
}

/// The first items of an order, without sorting the others: O(items) for a small limit.
fn first_of<T: Copy>(
    items: impl Iterator<Item = T>,
    limit: usize,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(2 * limit);
    let mut last = None;
    for item in items {
        // Most items come after the kept items.
        if last.is_some_and(|last| compare(&item, &last).is_gt()) {
            continue;
        }
        kept.push(item);
        if kept.len() == 2 * limit {
            kept.select_nth_unstable_by(limit - 1, &compare);
            kept.truncate(limit);
            last = kept.last().copied();
        }
    }
    kept.sort_unstable_by(compare);
    kept.truncate(limit);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::{Criteria, Delta, EmptyRegions};

    #[test]
    fn a_class_says_how_many_people_it_lacks() {
        let read = |text: &str| text.parse::<Presence>().unwrap();
        let delta = |min, max| Delta::new(read(min), read(max)).unwrap();
        let over = |lacks, too_many| Shortfall::Over { lacks, too_many };
        let under = |lacks| Shortfall::Under { lacks };
        for (min, max, private, public, expected) in [
            ("1/4", "1/2", 2, 4, Shortfall::Nobody),
            ("1/4", "1/2", 31, 47, over(Some(15), 8)),
            ("0", "2/3", 3, 3, over(Some(2), 1)),
            ("0", "1/3", 1, 1, over(Some(2), 1)),
            ("0", "0", 1, 2, over(None, 1)),
            ("1/4", "1/2", 0, 9, under(Some(3))),
            ("1/2", "2/3", 1, 3, under(Some(1))),
            ("1", "1", 1, 2, under(None)),
            ("0", "1/2", u64::MAX, u64::MAX, over(Some(u128::from(u64::MAX)), 1 << 63)),
        ] {
            let delta = delta(min, max);
            let policy = Policy::new(delta, EmptyRegions::Allow, Criteria::default(), Counts::new(1, 1));
            let found = Shortfall::of(&policy, Counts::new(public, private));
            assert_eq!(found, expected, "{private}/{public} under ({min}, {max})");
        }
    }

    #[test]
    fn the_first_of_many_are_those_of_a_full_sort() {
        for length in [0, 3, 7, 8, 9, 100] {
            let items: Vec<u32> = (0..length).map(|item| item * 37 % 101).collect();
            let mut sorted = items.clone();
            sorted.sort_unstable();
            sorted.truncate(4);
            assert_eq!(first_of(items.iter().copied(), 4, Ord::cmp), sorted);
        }
    }
}

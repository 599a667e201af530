//! Explains why a class keeps or breaks the policy: its combinations, the missing people, and the changes that would repair it.

use std::cmp::{Ordering, Reverse};

use palmtop_core::model::size;
use palmtop_core::model::{
    ClassData, Classes, Counts, EquivalenceClass, Label, Level, Node, Policy, Presence, Problem, Rollup,
    Verdict,
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
    /// The units of the class, most members first, then by text; at most 200. A unit is a combination, or, if people have
    /// several rows, a multiset of combinations.
    pub members: Vec<Member>,
    /// The number of all its units.
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

/// A unit of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The leaf of each quasi-identifier, for each row of a person.
    pub rows: Vec<Vec<String>>,
    /// The counts of the unit.
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
/// One pass over the units and one over the classes: O(u + k·m) for u units, k classes and m quasi-identifiers. If people have
/// several rows, O(m·s) more for s rows of all units.
///
/// # Panics
/// If the release has no class with this index.
pub fn explain(problem: &Problem, release: &Release, class: u32) -> Explanation {
    let class_labels = release.classes.class(class);
    let (members, combinations) = members(problem, &release.classes, class);
    let pool = release.classes.pool();
    // If members are withdrawn, the pool hides classes that another level would unite, so no change is computed.
    let (coarser, merges) =
        if pool.is_some() { (Vec::new(), Vec::new()) } else { neighbours(problem, release, class) };
    let verdict = release.classes.judge(&release.policy, class);
    let is_ok = verdict == Verdict::Ok;
    Explanation {
        counts: class_labels.counts,
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
        let (bounds, counts) = (policy.bounds(), class.counts());
        let (private, public) = (u128::from(counts.private), u128::from(counts.public));
        let ratio = |bound: Presence| (u128::from(bound.numerator()), u128::from(bound.denominator()));
        match policy.judge(class) {
            Verdict::Ok => Self::Nobody,
            Verdict::Breaks(criterion) => Self::Breaks { criterion },
            Verdict::Over => {
                let (above, below) = ratio(bounds.max());
                Self::Over {
                    lacks: (above > 0).then(|| (private * below).div_ceil(above) - public),
                    too_many: private - above * public / below,
                }
            }
            Verdict::Under => {
                let (above, below) = ratio(bounds.floor());
                let missing = above * public - private * below;
                Self::Under { lacks: (above < below).then(|| missing.div_ceil(below - above)) }
            }
        }
    }
}

/// The first units of a class, and the number of all its units.
fn members(problem: &Problem, classes: &Classes, class: u32) -> (Vec<Member>, usize) {
    let histogram = problem.histogram();
    let counts = |unit: u32| problem.unit_counts()[unit as usize];
    let texts = |row: u32| {
        let code = move |attribute| histogram.column(attribute)[row as usize];
        (0..histogram.width()).map(move |attribute| problem.hierarchy(attribute).leaf(code(attribute)))
    };
    let all_texts = |rows: &[u32]| -> Vec<&str> { rows.iter().flat_map(|&row| texts(row)).collect() };
    let mut units = 0;
    let members = (0..).zip(&classes.class_of).filter(|&(_, &of)| of == class).map(|(unit, _)| unit);
    let chosen = first_of(members.inspect(|_| units += 1), MEMBERS, |left: &u32, right: &u32| {
        let by_people = counts(*right).private.cmp(&counts(*left).private);
        let by_text = || all_texts(problem.rows_of_unit(left)).cmp(&all_texts(problem.rows_of_unit(right)));
        by_people.then_with(by_text).then(left.cmp(right))
    });
    let member = |unit: u32| {
        let rows = problem.rows_of_unit(&unit).iter();
        Member {
            rows: rows.map(|&row| texts(row).map(ToOwned::to_owned).collect()).collect(),
            counts: counts(unit),
        }
    };
    (chosen.into_iter().map(member).collect(), units)
}

/// The changes of a class: one level coarser, or joined with another class.
fn neighbours(problem: &Problem, release: &Release, class: u32) -> (Vec<Coarser>, Vec<Merge>) {
    let policy = &release.policy;
    let classes = &release.classes;
    let found = classes.class(class);
    let data = classes.data(class);
    let mut steps = release.recoding.node().map_or_else(Vec::new, |node| steps(problem, node, &found, data));
    let candidates: Vec<(u32, usize)> = match release.recoding.node().filter(|_| problem.people().is_some()) {
        Some(node) => join_people(problem, (classes, class), node, &mut steps),
        None => (0..size::number(classes.len()))
            .filter_map(|other| {
                let attribute = only_difference(classes, class, other)?;
                if let Some(step) = steps.iter_mut().find(|step| step.attribute == attribute) {
                    step.join(classes.labels(attribute).label(other), classes.data(other));
                }
                Some((other, attribute))
            })
            .collect(),
    };
    let text = |attribute: usize, label: &Label| label.text(problem.hierarchy(attribute));
    let together = |other: u32| data.united(classes.data(other));
    let key = |&(other, attribute): &(u32, usize)| {
        let mends = policy.allows(together(other));
        (Reverse(mends), classes.counts(other).public.abs_diff(found.counts.public), attribute, other)
    };
    let chosen = first_of(candidates.into_iter(), MERGES, |left, right| key(left).cmp(&key(right)));
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
        text: text(step.attribute, &step.label),
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
    /// The label of the class at the coarser level.
    label: Label,
    data: ClassData,
}

impl Step {
    /// Adds a class that differs only in this quasi-identifier, if the coarser level unites them.
    fn join(&mut self, label: &Label, other: &ClassData) {
        if coarser(label, self.level, &self.above) == self.label {
            self.data = self.data.united(other);
        }
    }
}

/// A step for each quasi-identifier that has a coarser level, with the counts of the class.
fn steps(problem: &Problem, node: &Node, class: &EquivalenceClass, data: &ClassData) -> Vec<Step> {
    let step = |(attribute, (&level, label)): (usize, (&Level, &Label))| {
        if level >= problem.coarsest(attribute) {
            return None;
        }
        let next = Level(level.0 + 1);
        let above = problem.hierarchy(attribute).labels_above(level, next);
        let label = coarser(label, next, &above);
        Some(Step { attribute, level: next, above, label, data: data.clone() })
    };
    node.levels().iter().zip(&class.labels).enumerate().filter_map(step).collect()
}

/// The label of a node's class at the next level; `above` has the label above each label.
fn coarser(label: &Label, level: Level, above: &[u32]) -> Label {
    match label {
        Label::Of(_, label) => Label::Of(level, above[*label as usize]),
        Label::Rows(rows) => Label::Rows(rows.iter().map(|label| coarser(label, level, above)).collect()),
        Label::Range(..) | Label::Span(..) | Label::Union(_) | Label::Except(..) => label.clone(),
    }
}

/// The classes of people whose rows have the same labels except in one quasi-identifier, each with the first such
/// quasi-identifier. Adds to each step the classes that it unites.
///
/// The rows of a person have no order, so the classes are numbered again at coarser levels instead of comparing labels.
fn join_people(
    problem: &Problem,
    (classes, class): (&Classes, u32),
    node: &Node,
    steps: &mut [Step],
) -> Vec<(u32, usize)> {
    let mut rollup = Rollup::new();
    let mut others = |attribute: usize, level: Level| {
        let mut levels = node.levels().to_vec();
        levels[attribute] = level;
        rollup.number(problem, &levels);
        let mut of_class = vec![0; classes.len()];
        for (&class, &coarser) in classes.class_of.iter().zip(rollup.class_of()) {
            of_class[class as usize] = coarser;
        }
        let own_label = of_class[class as usize];
        let is_other = move |&(other, coarser): &(u32, u32)| other != class && coarser == own_label;
        (0..).zip(of_class).filter(is_other).map(|(other, _)| other)
    };
    for step in steps {
        for other in others(step.attribute, step.level) {
            step.data = step.data.united(classes.data(other));
        }
    }
    let alike = |attribute| {
        others(attribute, problem.hierarchy(attribute).top()).map(move |other| (other, attribute))
    };
    let mut found: Vec<(u32, usize)> = (0..classes.width()).flat_map(alike).collect();
    found.sort_unstable();
    found.dedup_by_key(|(other, _)| *other);
    found
}

/// The only quasi-identifier in which two classes differ; `None` if they differ in none or in several.
///
/// Two regions have the same label if and only if they have the same side.
fn only_difference(classes: &Classes, class: u32, other: u32) -> Option<usize> {
    let differ = |&attribute: &usize| {
        let labels = classes.labels(attribute).label_of();
        labels[class as usize] != labels[other as usize]
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
    fn first_items_equal_those_of_a_full_sort() {
        for length in [0, 3, 7, 8, 9, 100] {
            let items: Vec<u32> = (0..length).map(|item| item * 37 % 101).collect();
            let mut sorted = items.clone();
            sorted.sort_unstable();
            sorted.truncate(4);
            assert_eq!(first_of(items.iter().copied(), 4, Ord::cmp), sorted);
        }
    }
}

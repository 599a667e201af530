//! The classes of a release, ranked once, so that every listing of them is fast.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::column::{Cell, Column};
use super::filter::Filter;
use super::order::{Key, Order};
use palmtop_core::model::label::span;
use palmtop_core::model::{
    ClassColumns, ClassData, Classes, Code, Counts, EquivalenceClass, Label, LabelColumn, Level, Policy,
    Problem, Verdict, dense_ranks, sort_by_rank,
};
use palmtop_search::release::Release;

/// The shared part of all listings of a release: its classes, worst first, with their distinct counts and labels.
///
/// Classes are judged by the policy of the release. A listing applies the filter once to each distinct count and label. Then it
/// costs O(k·t) for k classes and t terms.
#[derive(Clone, Debug)]
pub struct Ranking {
    policy: Policy,
    columns: ClassColumns,
    worst_first: Vec<u32>,
    /// For each quasi-identifier and each distinct label: its first leaf that occurs in the public table.
    first_leaves: Vec<Vec<Code>>,
    summary: Summary,
}

/// The number of classes, and of those that break the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of all classes, including classes without members.
    pub classes: u64,
    /// The number of classes above δmax.
    pub over: u64,
    /// The number of classes below δmin.
    pub under: u64,
    /// The number of classes that keep δ, but break another criterion.
    pub breaking: u64,
    /// The number of members in classes that break the policy.
    pub exposed: u64,
}

impl Summary {
    /// The number of classes that break the policy.
    pub fn violations(self) -> u64 {
        self.over + self.under + self.breaking
    }

    fn of(policy: &Policy, classes: &Classes) -> Self {
        let mut summary = Self::default();
        let pool = classes.pool().map(|pool| classes.data(pool));
        for &(ref data, alike) in classes.spread() {
            let (counts, is_pooled) = (data.counts(), pool == Some(data));
            summary.add(counts, alike - u64::from(is_pooled), policy.judge(data));
            if is_pooled {
                summary.add(counts, 1, policy.judge_pool(counts));
            }
        }
        summary
    }

    /// Adds a number of classes with the same counts.
    fn add(&mut self, counts: Counts, classes: u64, verdict: Verdict) {
        self.classes += classes;
        match verdict {
            Verdict::Ok => return,
            Verdict::Over => self.over += classes,
            Verdict::Under => self.under += classes,
            Verdict::Breaks(_) => self.breaking += classes,
        }
        self.exposed += counts.private * classes;
    }
}

impl Ranking {
    /// Ranks the classes of a release of this problem. The policy of the problem is not used.
    pub fn new(problem: &Problem, release: &Release) -> Self {
        let columns = ClassColumns::of(problem, &release.classes);
        let attributes = 0..problem.quasi().len();
        Self {
            worst_first: columns.worst_first(&release.policy),
            first_leaves: attributes
                .map(|attribute| first_leaves(problem, attribute, columns.labels(attribute).labels()))
                .collect(),
            summary: Summary::of(&release.policy, &release.classes),
            policy: release.policy.clone(),
            columns,
        }
    }

    /// The classes that pass a filter, in this order: indices into the release's classes. Ties are worst first.
    pub fn list(&self, filter: &Filter, order: Order) -> Vec<u32> {
        let mut listed = self.passing(filter);
        match order.key {
            Key::Worst => {
                if order.reversed {
                    listed.reverse();
                }
                listed
            }
            Key::Column(column) => self.by_counts(&listed, order, |counts| Reverse(column.figure(counts))),
            Key::Attribute(attribute) => {
                let ranks = &self.first_leaves[attribute];
                let column = self.columns.labels(attribute).label_of();
                sort_by_rank(&listed, column, ranks, order.reversed)
            }
        }
    }

    /// Every class, worst first.
    pub fn worst_first(&self) -> &[u32] {
        &self.worst_first
    }

    /// The distinct data of the classes, each with its number of classes, in the order of
    /// [`Classes::spread`](palmtop_core::model::Classes::spread).
    pub fn spread(&self) -> &[(ClassData, u64)] {
        self.columns.classes().spread()
    }

    /// The number of classes, and of those that break the policy.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// The policy by which classes are judged.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The verdict on a class. The pool is judged only by δ.
    pub fn verdict(&self, class: u32) -> Verdict {
        self.columns.classes().judge(&self.policy, class)
    }

    /// Whether a class is the pool: the people who match no released row, if classes are withdrawn.
    pub fn is_pool(&self, class: u32) -> bool {
        self.columns.classes().pool() == Some(class)
    }

    /// The number of classes that break a policy.
    pub fn broken(&self, policy: &Policy) -> u64 {
        self.summary_under(policy).violations()
    }

    /// The number of classes, and of those that break another policy.
    pub fn summary_under(&self, policy: &Policy) -> Summary {
        Summary::of(policy, self.columns.classes())
    }

    /// The value of a column for a class.
    pub fn cell(&self, class: u32, column: Column) -> Cell {
        column.cell(self.verdict(class), self.counts(class))
    }

    /// The counts of a class.
    pub fn counts(&self, class: u32) -> Counts {
        self.columns.classes().counts(class)
    }

    /// The data of a class that criteria use.
    pub fn data(&self, class: u32) -> &ClassData {
        self.columns.classes().data(class)
    }

    /// The labels and counts of a class.
    pub fn class(&self, class: u32) -> EquivalenceClass {
        self.columns.classes().class(class)
    }

    /// The published label of a class in one quasi-identifier.
    pub fn text(&self, class: u32, attribute: usize) -> &str {
        self.columns.labels(attribute).text(class)
    }

    /// The distinct labels of one quasi-identifier.
    pub fn labels(&self, attribute: usize) -> LabelColumn<'_> {
        self.columns.labels(attribute)
    }

    /// The classes that pass a filter, worst first.
    fn passing(&self, filter: &Filter) -> Vec<u32> {
        if filter.is_empty() {
            return self.worst_first.clone();
        }
        let (classes, policy) = (self.columns.classes(), &self.policy);
        let pass = |(data, _): &(ClassData, u64)| filter.passes_counts(policy.judge(data), data.counts());
        let data_pass: Vec<bool> = classes.spread().iter().map(pass).collect();
        // Another class may have the same counts as the pool, but a different verdict.
        let pool_passes = classes
            .pool()
            .map(|pool| (pool, filter.passes_counts(classes.judge(policy, pool), classes.counts(pool))));
        let columns = |attribute: usize| self.columns.labels(attribute);
        let labels_pass = filter.label_masks(columns);
        let passes = |&number: &u32| {
            let class = number as usize;
            let label = |attribute: usize| self.columns.labels(attribute).label_of()[class] as usize;
            let passes = match pool_passes {
                Some((pool, passes)) if pool == number => passes,
                _ => data_pass[classes.data_of()[class] as usize],
            };
            passes && labels_pass.iter().all(|mask| mask.passes(label))
        };
        self.worst_first.iter().copied().filter(passes).collect()
    }

    fn by_counts<K: Ord>(&self, listed: &[u32], order: Order, key: impl Fn(Counts) -> K) -> Vec<u32> {
        let keys: Vec<K> =
            self.columns.classes().spread().iter().map(|(data, _)| key(data.counts())).collect();
        sort_by_rank(listed, self.columns.classes().data_of(), &dense_ranks(&keys), order.reversed)
    }
}

/// For each label, its first leaf that occurs in the public table.
fn first_leaves(problem: &Problem, attribute: usize, labels: &[Label]) -> Vec<Code> {
    let hierarchy = problem.hierarchy(attribute);
    let mut by_level: BTreeMap<Level, Vec<Code>> = BTreeMap::new();
    let of_level = |level: Level| {
        let mut first: Vec<Option<Code>> = vec![None; hierarchy.label_count(level)];
        for (code, &label) in (0..).zip(hierarchy.labels_of(level)) {
            if problem.occurs(attribute, code) {
                first[label as usize].get_or_insert(code);
            }
        }
        first.into_iter().map(Option::unwrap_or_default).collect()
    };
    let mut first_of = |(level, label): (Level, u32)| {
        by_level.entry(level).or_insert_with(|| of_level(level))[label as usize]
    };
    // Of several rows, the first.
    let first = |label: &Label| match label.rows().first().unwrap_or(label) {
        Label::Of(level, label) => first_of((*level, *label)),
        Label::Span(level, members) => first_of((*level, *span(members).start())),
        Label::Except(..) => {
            let codes = label.codes(hierarchy).into_iter();
            codes.filter(|&code| problem.occurs(attribute, code)).min().unwrap_or(0)
        }
        Label::Range(low, _) => *low,
        Label::Union(terms) => terms.first().copied().map_or(0, &mut first_of),
        Label::Rows(_) => 0,
    };
    labels.iter().map(first).collect()
}

//! Recodings, and the equivalence classes that they produce.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::criterion::ClassData;
use super::delta::Verdict;
use super::hierarchy::{Hierarchy, Level};
use super::keys::dense_ranks;
use super::label::{Label, SideLabels};
use super::lattice::Node;
use super::partition::Partition;
use super::people::People;
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::rollup::{Rollup, examples, people_by_class};
use super::sensitive::{ClassValues, SensitiveValues};
use super::size;
use super::values::ValueCounts;

/// A rule that assigns combinations to classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recoding {
    /// Single-dimensional: each quasi-identifier at one level.
    Node(Node),
    /// Multi-dimensional: disjoint regions.
    Regions(Partition),
    /// Another recoding, with some of its classes withdrawn.
    Withdrawn(Withdrawal),
}

/// A recoding with some of its classes withdrawn: the release has no row of their members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    recoding: Box<Recoding>,
    /// Ascending numbers of classes of `recoding`.
    classes: Vec<u32>,
}

impl Withdrawal {
    /// The recoding that the classes are withdrawn from.
    pub fn before_withdrawal(&self) -> &Recoding {
        &self.recoding
    }

    /// The numbers of the withdrawn classes, ascending. [`Classes::of`] gives these numbers for the
    /// recoding without withdrawal.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }
}

impl Recoding {
    /// The node, if the recoding is single-dimensional. Some of its classes may be withdrawn.
    pub fn node(&self) -> Option<&Node> {
        match self.before_withdrawal() {
            Self::Node(node) => Some(node),
            Self::Regions(_) | Self::Withdrawn(_) => None,
        }
    }

    /// The recoding before classes were withdrawn.
    pub fn before_withdrawal(&self) -> &Self {
        match self {
            Self::Node(_) | Self::Regions(_) => self,
            Self::Withdrawn(withdrawal) => withdrawal.recoding.before_withdrawal(),
        }
    }

    /// The recoding without these classes, which have members. If the list is empty, the recoding
    /// is unchanged.
    ///
    /// # Panics
    /// If classes are withdrawn already: the remaining classes would have other numbers.
    #[must_use]
    pub fn withdrawing(self, mut classes: Vec<u32>) -> Self {
        assert!(!matches!(self, Self::Withdrawn(_)), "classes are withdrawn once");
        if classes.is_empty() {
            return self;
        }
        classes.sort_unstable();
        classes.dedup();
        Self::Withdrawn(Withdrawal { recoding: Box::new(self), classes })
    }
}

/// An equivalence class: its published labels and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquivalenceClass {
    /// One label per quasi-identifier.
    pub labels: Vec<Label>,
    /// Its public and private people.
    pub counts: Counts,
}

impl EquivalenceClass {
    /// The published text of each label, in project order.
    pub fn texts(&self, problem: &Problem) -> Vec<String> {
        let written = self.labels.iter().zip(problem.quasi());
        written.map(|(label, attribute)| label.text(&attribute.hierarchy)).collect()
    }

    /// The published texts of each row of a person of the class, in project order. There is one row
    /// if each row is a person.
    pub fn row_texts(&self, problem: &Problem) -> Vec<Vec<String>> {
        let rows = self.labels.first().map_or(0, |label| label.rows().len());
        let text = |row: usize, attribute: usize| {
            self.labels[attribute].rows()[row].text(problem.hierarchy(attribute))
        };
        let texts = |row| (0..self.labels.len()).map(|attribute| text(row, attribute)).collect();
        (0..rows).map(texts).collect()
    }
}

/// The classes of a recoding, with the class of each unit.
///
/// Data are stored as columns of small numbers, because millions of classes share a few hundred
/// labels and counts. So each distinct label or count is evaluated once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    spread: Vec<(ClassData, u64)>,
    data_of: Vec<u32>,
    labels: Vec<ClassLabels>,
    pool: Option<u32>,
    /// The classes of rows at the same node, if people are counted.
    of_rows: Option<Arc<Classes>>,
    /// The class of each unit, as a number below [`len`](Self::len). A unit is a combination of the
    /// histogram, or, if people are counted, a multiset.
    pub class_of: Vec<u32>,
}

/// The distinct labels of one quasi-identifier, and the label of each class as an index into them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassLabels {
    labels: Vec<Label>,
    label_of: Vec<u32>,
}

impl Classes {
    /// Counts all classes of a recoding from the histogram, including classes without private
    /// people.
    ///
    /// The classes of a node are in lexicographic order of label numbers; regions keep the
    /// partition's order. O(c·m) for c combinations and m quasi-identifiers. A node also needs the
    /// time to number its classes.
    ///
    /// If people are counted, a class of a node has everyone whose rows have the same labels.
    /// Classes are in lexicographic order of their sorted rows.
    ///
    /// If classes are withdrawn, they and the classes without members form one class, the
    /// [pool](Self::pool). A reader of the release cannot distinguish them. The pool is the last
    /// class and has `*` in every attribute.
    ///
    /// # Panics
    /// If people are counted and the recoding is not a node.
    pub fn of(problem: &Problem, recoding: &Recoding) -> Self {
        match recoding {
            Recoding::Node(node) => match problem.people() {
                None => Self::of_node(problem, node),
                Some(people) => Self::of_people(problem, people, node),
            },
            Recoding::Regions(partition) => {
                assert!(problem.people().is_none(), "regions are of rows");
                Self::of_partition(problem, partition)
            }
            Recoding::Withdrawn(withdrawal) => {
                assert!(problem.people().is_none(), "members are withdrawn by their rows");
                Self::of(problem, &withdrawal.recoding).pooled(problem, &withdrawal.classes)
            }
        }
    }

    /// Merges these classes and all classes without members into one, the last.
    fn pooled(self, problem: &Problem, withdrawn: &[u32]) -> Self {
        let before: Vec<Counts> = self.all_counts().collect();
        let mut is_pooled: Vec<bool> = before.iter().map(|counts| counts.private == 0).collect();
        for &class in withdrawn {
            is_pooled[class as usize] = true;
        }
        let kept: Vec<usize> = (0..before.len()).filter(|&class| !is_pooled[class]).collect();
        let pool = size::number(kept.len());
        let mut number_of = vec![pool; before.len()];
        for (number, &class) in (0..).zip(&kept) {
            number_of[class] = number;
        }
        let labels = self.labels.iter().enumerate().map(|(attribute, column)| {
            let top = Label::Of(problem.hierarchy(attribute).top(), 0);
            let kept = kept.iter().map(|&class| column.labels[column.label_of[class] as usize].clone());
            ClassLabels::of_labels(kept.chain([top]))
        });
        let labels = labels.collect();
        let class_of: Vec<u32> = self.class_of.iter().map(|&class| number_of[class as usize]).collect();
        let data = data(problem, &class_of, kept.len() + 1);
        Self { pool: Some(pool), ..Self::new(&data, labels, class_of) }
    }

    fn of_node(problem: &Problem, node: &Node) -> Self {
        let histogram = problem.histogram();
        let mut rollup = Rollup::new();
        let count = rollup.number(problem, node.levels());
        let example = examples(rollup.class_of(), count);
        let class_of = rollup.into_class_of();
        let data = data(problem, &class_of, count);
        let labels = (0..histogram.width()).into_par_iter().map(|attribute| {
            let level = node.levels()[attribute];
            let (codes, above) = (histogram.column(attribute), problem.hierarchy(attribute).labels_of(level));
            let number = |&index: &u32| above[codes[index as usize] as usize];
            ClassLabels::of_level(level, example.iter().map(number).collect())
        });
        Self::new(&data, labels.collect(), class_of)
    }

    /// The classes of people at a node: all people with the same multiset of row labels.
    fn of_people(problem: &Problem, people: &People, node: &Node) -> Self {
        let of_rows = Self::of_node(&problem.rows_alone(), node);
        let mut rollup = Rollup::new();
        let count = rollup.number(problem, node.levels());
        let example = examples(rollup.class_of(), count);
        let class_of = rollup.into_class_of();
        let data = data(problem, &class_of, count);
        let rows = |&multiset: &u32| {
            let combinations = people.multiset(multiset as usize).iter();
            let mut rows: Vec<u32> = combinations.map(|&row| of_rows.class_of[row as usize]).collect();
            rows.sort_unstable();
            rows
        };
        let rows: Vec<Vec<u32>> = example.par_iter().map(rows).collect();
        let labels = (0..of_rows.width()).into_par_iter().map(|attribute| {
            let column = of_rows.labels(attribute);
            let label = |row: &u32| column.label(*row).clone();
            ClassLabels::of_labels(rows.iter().map(|rows| Label::Rows(rows.iter().map(label).collect())))
        });
        let labels = labels.collect();
        Self { of_rows: Some(Arc::new(of_rows)), ..Self::new(&data, labels, class_of) }
    }

    /// The classes of rows; these are `self` if each row is a person. A release writes them, and
    /// losses are computed from them.
    pub fn of_rows(&self) -> &Self {
        self.of_rows.as_deref().unwrap_or(self)
    }

    fn of_partition(problem: &Problem, partition: &Partition) -> Self {
        let class_of = partition.region_of().to_vec();
        let data = data(problem, &class_of, partition.len());
        // The finest label of a side needs a walk up the hierarchy, so it is found once for each
        // distinct side.
        let labels = (0..problem.quasi().len()).into_par_iter().with_max_len(1).map(|attribute| {
            let (sides, side_of) = partition.sides(attribute);
            let labels = SideLabels::of(problem, attribute);
            let sides = sides.par_iter().with_min_len(SIDES).map(|side| labels.label(problem, side));
            ClassLabels::of_sides(sides.collect::<Vec<Label>>().into_iter(), side_of.to_vec())
        });
        Self::new(&data, labels.collect(), class_of)
    }

    fn new(data: &Data, labels: Vec<ClassLabels>, class_of: Vec<u32>) -> Self {
        let (spread, data_of) = spread_of(data);
        Self { spread, data_of, labels, pool: None, of_rows: None, class_of }
    }

    /// If classes are withdrawn, the class of everyone who matches no released row. The pool is not
    /// a class that could be released.
    pub fn pool(&self) -> Option<u32> {
        self.pool
    }

    /// The number of withdrawn members.
    pub fn withdrawn(&self) -> u64 {
        self.pool.map_or(0, |pool| self.counts(pool).private)
    }

    /// The counts of the pool, if there is one.
    pub fn pooled_counts(&self) -> Option<Counts> {
        self.pool.map(|pool| self.counts(pool))
    }

    /// The verdict on a class: that of the policy, or for the pool that of δ alone.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn judge(&self, policy: &Policy, class: u32) -> Verdict {
        if self.pool == Some(class) {
            policy.judge_pool(self.counts(class))
        } else {
            policy.judge(self.data(class))
        }
    }

    /// The counts of each class except the pool.
    pub fn counts_without_pool(&self) -> impl Iterator<Item = Counts> + Clone + '_ {
        self.data_without_pool().map(ClassData::counts)
    }

    /// The data of each class except the pool, as criteria use them.
    pub fn data_without_pool(&self) -> impl Iterator<Item = &ClassData> + Clone {
        // The pool is the last class.
        (0..size::number(self.len() - usize::from(self.pool.is_some()))).map(|class| self.data(class))
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.data_of.len()
    }

    /// Always false, because the public table has people.
    pub fn is_empty(&self) -> bool {
        self.data_of.is_empty()
    }

    /// The public and private people of a class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn counts(&self, class: u32) -> Counts {
        self.data(class).counts()
    }

    /// The data of a class, as criteria use them.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn data(&self, class: u32) -> &ClassData {
        &self.spread[self.data_of[class as usize] as usize].0
    }

    /// The public and private people of each class.
    pub fn all_counts(&self) -> impl ExactSizeIterator<Item = Counts> + Clone + '_ {
        self.data_of.iter().map(|&number| self.spread[number as usize].0.counts())
    }

    /// The distinct data of classes, each with the number of its classes.
    ///
    /// They ascend by presence, then by public people, then by sensitive values if these are known.
    pub fn spread(&self) -> &[(ClassData, u64)] {
        &self.spread
    }

    /// The data of each class, as an index into [`spread`](Self::spread).
    pub fn data_of(&self) -> &[u32] {
        &self.data_of
    }

    /// The number of quasi-identifiers.
    pub fn width(&self) -> usize {
        self.labels.len()
    }

    /// The labels of the classes in one quasi-identifier.
    pub fn labels(&self, attribute: usize) -> &ClassLabels {
        &self.labels[attribute]
    }

    /// The class with this number.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn class(&self, class: u32) -> EquivalenceClass {
        let labels = self.labels.iter().map(|column| column.label(class).clone()).collect();
        EquivalenceClass { labels, counts: self.counts(class) }
    }

    /// All classes, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = EquivalenceClass> + Clone + '_ {
        (0..size::number(self.len())).map(|class| self.class(class))
    }

    /// The number of classes that publish rows: they have private people and are not withdrawn.
    pub fn released(&self) -> u64 {
        let with: u64 = self
            .spread
            .iter()
            .filter(|(data, _)| data.counts().private > 0)
            .map(|(_, classes)| classes)
            .sum();
        // If members are withdrawn, the pool is one of the counted classes.
        with - u64::from(self.withdrawn() > 0)
    }

    /// Whether every class satisfies the policy.
    ///
    /// If classes are withdrawn, every other class must satisfy it, the pool must keep δ, and the
    /// limit on withdrawn members must hold.
    pub fn satisfy(&self, policy: &Policy) -> bool {
        let Some(pool) = self.pooled_counts() else {
            return self.spread.iter().all(|(data, _)| policy.allows(data));
        };
        let members = self.all_counts().map(|counts| counts.private).sum();
        policy.allows_pool(pool, members) && self.data_without_pool().all(|data| policy.allows(data))
    }
}

impl ClassLabels {
    /// Creates the column from each class's label number at a level.
    fn of_level(level: Level, mut label_of: Vec<u32>) -> Self {
        let mut labels = Vec::new();
        let mut known = vec![u32::MAX; label_of.iter().max().map_or(0, |&last| last as usize + 1)];
        for number in &mut label_of {
            let known = &mut known[*number as usize];
            if *known == u32::MAX {
                *known = size::number(labels.len());
                labels.push(Label::Of(level, *number));
            }
            *number = *known;
        }
        Self { labels, label_of }
    }

    /// Creates the column from the label of each class.
    fn of_labels(each: impl Iterator<Item = Label>) -> Self {
        let (mut labels, mut known) = (Vec::new(), FxHashMap::default());
        let number = |label: Label| {
            *known.entry(label).or_insert_with_key(|label: &Label| {
                labels.push(label.clone());
                size::number(labels.len() - 1)
            })
        };
        let label_of = each.map(number).collect();
        Self { labels, label_of }
    }

    /// Creates the column from the label of each distinct side and the side of each class.
    fn of_sides(sides: impl Iterator<Item = Label>, mut label_of: Vec<u32>) -> Self {
        let Self { labels, label_of: numbers } = Self::of_labels(sides);
        for number in &mut label_of {
            *number = numbers[*number as usize];
        }
        Self { labels, label_of }
    }

    /// The distinct labels, in order of first appearance.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The published text of each distinct label.
    pub fn texts(&self, hierarchy: &Hierarchy) -> Vec<String> {
        self.labels.par_iter().with_min_len(SIDES).map(|label| label.text(hierarchy)).collect()
    }

    /// The label of each class, as an index into [`labels`](Self::labels).
    pub fn label_of(&self) -> &[u32] {
        &self.label_of
    }

    /// The label of a class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn label(&self, class: u32) -> &Label {
        &self.labels[self.label_of[class as usize] as usize]
    }
}

/// The data that criteria use: the counts of each class and, if known, the sensitive values of each
/// class with members.
struct Data {
    counts: Vec<Counts>,
    values: BTreeMap<u32, Arc<ClassValues>>,
}

fn data(problem: &Problem, class_of: &[u32], classes: usize) -> Data {
    let counts = people_by_class(class_of, problem.unit_counts(), classes);
    let by_class = |values: &SensitiveValues| values.by_class(|_, unit| class_of[unit as usize]);
    Data { counts, values: problem.sensitive().map(by_class).unwrap_or_default() }
}

/// The number of sides for which a second thread pays off.
const SIDES: usize = 1 << 8;

/// Classes with fewer people and without members are found by their count instead of a hash.
const SMALL: usize = 1 << 10;

/// The distinct data in order, each with the number of its classes, and the index of each class's
/// data.
fn spread_of(data: &Data) -> (Vec<(ClassData, u64)>, Vec<u32>) {
    type Known<'a> = (Counts, Option<&'a [ValueCounts]>);
    let mut known: FxHashMap<Known, u32> = FxHashMap::default();
    let mut found: Vec<(ClassData, u64)> = Vec::new();
    let mut small = [u32::MAX; SMALL];
    let number = |(class, &counts): (u32, &Counts)| {
        let values = if data.values.is_empty() { None } else { data.values.get(&class) };
        // Of millions of classes, most are small and have no members.
        let is_small = counts.private == 0 && values.is_none() && counts.public < SMALL as u64;
        if is_small
            && let number = small[size::index(counts.public)]
            && number != u32::MAX
        {
            found[number as usize].1 += 1;
            return number;
        }
        let next = size::number(found.len());
        let number = *known.entry((counts, values.map(|values| values.counts()))).or_insert(next);
        if number == next {
            let data = match values {
                Some(values) => ClassData::with_values(counts, Arc::clone(values)),
                None => counts.into(),
            };
            found.push((data, 0));
        }
        found[number as usize].1 += 1;
        if is_small {
            small[size::index(counts.public)] = number;
        }
        number
    };
    let mut data_of: Vec<u32> = (0..).zip(&data.counts).map(number).collect();
    let key = |(data, _): &(ClassData, u64)| {
        let (counts, values) = data.key();
        (counts.presence(), counts.public, values.map(<[_]>::to_vec))
    };
    let keys: Vec<_> = found.iter().map(key).collect();
    // The keys are distinct, so no two have the same rank.
    let ranks = dense_ranks(&keys);
    let mut spread = found.clone();
    for (&rank, counted) in ranks.iter().zip(found) {
        spread[rank as usize] = counted;
    }
    for number in &mut data_of {
        *number = ranks[*number as usize];
    }
    (spread, data_of)
}

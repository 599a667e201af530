//! Recodings and the equivalence classes that they make.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::columns;
use super::criterion::ClassData;
use super::delta::Verdict;
use super::hierarchy::Level;
use super::label::{Label, SideLabels};
use super::lattice::Node;
use super::partition::Partition;
use super::people::People;
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::rollup::{Rollup, people_by_class};
use super::sensitive::{ClassValues, SensitiveValues};
use super::size;
use super::values::ValueCounts;

/// How combinations become classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recoding {
    /// Single-dimensional: each quasi-identifier at one level.
    Node(Node),
    /// Multi-dimensional: disjoint regions.
    Regions(Partition),
    /// Another recoding, some of whose classes are withdrawn.
    Withdrawn(Withdrawal),
}

/// A recoding some of whose classes are withdrawn: no row of their members is released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    whole: Box<Recoding>,
    /// Ascending, as the classes of `whole` are numbered.
    classes: Vec<u32>,
}

impl Withdrawal {
    /// The recoding that the classes are withdrawn from.
    pub fn whole(&self) -> &Recoding {
        &self.whole
    }

    /// The withdrawn classes, ascending, as [`Classes::of`] numbers those of the whole recoding.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }
}

impl Recoding {
    /// The node, where the recoding is single-dimensional; its classes may be withdrawn in part.
    pub fn node(&self) -> Option<&Node> {
        match self.whole() {
            Self::Node(node) => Some(node),
            Self::Regions(_) | Self::Withdrawn(_) => None,
        }
    }

    /// The recoding with all its classes.
    pub fn whole(&self) -> &Self {
        match self {
            Self::Node(_) | Self::Regions(_) => self,
            Self::Withdrawn(withdrawal) => withdrawal.whole.whole(),
        }
    }

    /// The same without these classes, which have members; it is itself where there are none.
    ///
    /// # Panics
    /// If some of its classes are withdrawn already: they would be numbered otherwise.
    #[must_use]
    pub fn withdrawing(self, mut classes: Vec<u32>) -> Self {
        assert!(!matches!(self, Self::Withdrawn(_)), "classes are withdrawn once");
        if classes.is_empty() {
            return self;
        }
        classes.sort_unstable();
        classes.dedup();
        Self::Withdrawn(Withdrawal { whole: Box::new(self), classes })
    }
}

/// A class: what is published of it and how many people it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquivalenceClass {
    /// One label per quasi-identifier.
    pub labels: Vec<Label>,
    /// Its public and private people.
    pub counts: Counts,
}

impl EquivalenceClass {
    /// The written labels, in project order.
    pub fn texts(&self, problem: &Problem) -> Vec<String> {
        let written = self.labels.iter().zip(problem.quasi());
        written.map(|(label, attribute)| label.text(&attribute.hierarchy)).collect()
    }

    /// The labels of each row of a person of the class, in project order, as written; one row if each row is a person.
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
/// They are columns of small numbers: millions of classes share a few hundred labels and counts, so what is asked of a label or of
/// counts is answered once for each distinct one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    spread: Vec<(ClassData, u64)>,
    data_of: Vec<u32>,
    labels: Vec<ClassLabels>,
    pool: Option<u32>,
    /// The classes of rows at the same node, if people are counted.
    of_rows: Option<Arc<Classes>>,
    /// The class of each unit (each combination of the histogram, or if people are counted each multiset), as a number below
    /// [`len`](Self::len).
    pub class_of: Vec<u32>,
}

/// The distinct labels that classes have in one quasi-identifier, and which of them each class has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassLabels {
    labels: Vec<Label>,
    label_of: Vec<u32>,
}

impl Classes {
    /// Counts the classes of a recoding from the histogram: every class, those without private people too. For a node they are in
    /// lexicographic order of label numbers, for regions in the partition's. O(c·m) for c combinations and m quasi-identifiers, for a
    /// node beside numbering them.
    ///
    /// If people are counted, a class of a node is everybody whose rows have the same labels; classes are in lexicographic order of their
    /// sorted rows.
    ///
    /// Where classes are withdrawn, they and those without members are one class, the last, with `*` everywhere: the
    /// [pool](Self::pool), which nobody who reads the release can tell apart.
    ///
    /// # Panics
    /// If people are counted, and the recoding is no node.
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
                Self::of(problem, &withdrawal.whole).pooled(problem, &withdrawal.classes)
            }
        }
    }

    /// The same with these classes and those without members as one, the last.
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
        let labels = self.labels.iter().enumerate().map(|(attribute, own)| {
            let whole = Label::Of(problem.hierarchy(attribute).top(), 0);
            let own = kept.iter().map(|&class| own.labels[own.label_of[class] as usize].clone());
            ClassLabels::of_labels(own.chain([whole]))
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
        let example = rollup.examples(count);
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

    /// The classes of people at a node: everybody whose rows have the same multiset of labels.
    fn of_people(problem: &Problem, people: &People, node: &Node) -> Self {
        let of_rows = Self::of_node(&problem.rows_alone(), node);
        let mut rollup = Rollup::new();
        let count = rollup.number(problem, node.levels());
        let example = rollup.examples(count);
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

    /// The classes of rows: these themselves if each row is a person. They are what a release writes, and what losses are counted of.
    pub fn of_rows(&self) -> &Self {
        self.of_rows.as_deref().unwrap_or(self)
    }

    fn of_partition(problem: &Problem, partition: &Partition) -> Self {
        let class_of = partition.region_of().to_vec();
        let data = data(problem, &class_of, partition.len());
        // Finding the finest label of a side walks the hierarchy: once for each distinct side.
        let labels = (0..problem.quasi().len()).map(|attribute| {
            let (sides, side_of) = partition.sides(attribute);
            let labels = SideLabels::of(problem, attribute);
            ClassLabels::of_sides(sides.iter().map(|side| labels.label(side)), side_of.to_vec())
        });
        Self::new(&data, labels.collect(), class_of)
    }

    fn new(data: &Data, labels: Vec<ClassLabels>, class_of: Vec<u32>) -> Self {
        let (spread, data_of) = spread_of(data);
        Self { spread, data_of, labels, pool: None, of_rows: None, class_of }
    }

    /// Where classes are withdrawn, the class of everybody who matches no released row; it is in no listing a class of its
    /// own that could be released.
    pub fn pool(&self) -> Option<u32> {
        self.pool
    }

    /// How many members are withdrawn.
    pub fn withdrawn(&self) -> u64 {
        self.pool.map_or(0, |pool| self.counts(pool).private)
    }

    /// The people of the pool, where there is one.
    pub fn pooled_counts(&self) -> Option<Counts> {
        self.pool.map(|pool| self.counts(pool))
    }

    /// The verdict on a class: the policy's, and on the pool that of δ alone.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn judge(&self, policy: &Policy, class: u32) -> Verdict {
        if self.pool == Some(class) {
            policy.judge_pool(self.counts(class))
        } else {
            policy.judge(self.data(class))
        }
    }

    /// The people of each class but the pool.
    pub fn counts_without_pool(&self) -> impl Iterator<Item = Counts> + Clone + '_ {
        self.data_without_pool().map(ClassData::counts)
    }

    /// Each class but the pool, as criteria see it.
    pub fn data_without_pool(&self) -> impl Iterator<Item = &ClassData> + Clone {
        // The pool is the last.
        (0..size::number(self.len() - usize::from(self.pool.is_some()))).map(|class| self.data(class))
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.data_of.len()
    }

    /// Whether there is no class; never so, since the public table has people.
    pub fn is_empty(&self) -> bool {
        self.data_of.is_empty()
    }

    /// The public and private people of a class.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn counts(&self, class: u32) -> Counts {
        self.data(class).counts()
    }

    /// A class as criteria see it.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn data(&self, class: u32) -> &ClassData {
        &self.spread[self.data_of[class as usize] as usize].0
    }

    /// The people of each class.
    pub fn all_counts(&self) -> impl ExactSizeIterator<Item = Counts> + Clone + '_ {
        self.data_of.iter().map(|&number| self.spread[number as usize].0.counts())
    }

    /// What criteria see of classes, each distinct one with how many classes are so: ascending by presence, by public people and then by
    /// sensitive values, where these are known.
    pub fn spread(&self) -> &[(ClassData, u64)] {
        &self.spread
    }

    /// Of each class, what criteria see of it as an index into [`spread`](Self::spread).
    pub fn data_of(&self) -> &[u32] {
        &self.data_of
    }

    /// How many quasi-identifiers there are.
    pub fn width(&self) -> usize {
        self.labels.len()
    }

    /// What the classes have in one quasi-identifier.
    pub fn labels(&self, attribute: usize) -> &ClassLabels {
        &self.labels[attribute]
    }

    /// One class.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn class(&self, class: u32) -> EquivalenceClass {
        let labels = self.labels.iter().map(|column| column.label(class).clone()).collect();
        EquivalenceClass { labels, counts: self.counts(class) }
    }

    /// Every class, by its number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = EquivalenceClass> + Clone + '_ {
        (0..size::number(self.len())).map(|class| self.class(class))
    }

    /// How many classes have private people and are not withdrawn: those that publish rows.
    pub fn released(&self) -> u64 {
        let with: u64 = self
            .spread
            .iter()
            .filter(|(data, _)| data.counts().private > 0)
            .map(|(_, classes)| classes)
            .sum();
        // A pool has members: some are withdrawn.
        with - u64::from(self.withdrawn() > 0)
    }

    /// Whether every class satisfies a policy; where classes are withdrawn, whether every other does, the pool keeps δ, and
    /// no more members are withdrawn than may be.
    pub fn satisfy(&self, policy: &Policy) -> bool {
        let Some(pool) = self.pooled_counts() else {
            return self.spread.iter().all(|(data, _)| policy.allows(data));
        };
        let members = self.all_counts().map(|counts| counts.private).sum();
        policy.allows_pool(pool, members) && self.data_without_pool().all(|data| policy.allows(data))
    }

    /// The classes, worst first: those that break the policy most (δ before other criteria), then highest presence, then
    /// labels: numbers and dates by their value, others as written.
    pub fn worst_first(&self, problem: &Problem) -> Vec<EquivalenceClass> {
        let order = columns::worst_first(self, &columns::written(problem, self), problem.policy());
        order.into_iter().map(|class| self.class(class)).collect()
    }
}

impl ClassLabels {
    /// From the number that each class's label has at a level.
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

    /// From the label of each class.
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

    /// From the label of each distinct side, and the side that each class has.
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

    /// Of each class, its label as an index into [`labels`](Self::labels).
    pub fn label_of(&self) -> &[u32] {
        &self.label_of
    }

    /// The label of a class.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn label(&self, class: u32) -> &Label {
        &self.labels[self.label_of[class as usize] as usize]
    }
}

/// What criteria see of classes: the people of each and, where values are known, those of each with members.
struct Data {
    counts: Vec<Counts>,
    values: BTreeMap<u32, Arc<ClassValues>>,
}

fn data(problem: &Problem, class_of: &[u32], classes: usize) -> Data {
    let counts = people_by_class(class_of, problem.unit_counts(), classes);
    let by_class = |values: &SensitiveValues| values.by_class(|_, unit| class_of[unit as usize]);
    Data { counts, values: problem.sensitive().map(by_class).unwrap_or_default() }
}

/// Classes of fewer people without members are known by how many they are.
const SMALL: usize = 1 << 10;

/// What is distinct of the classes in order, with how many classes are so, and which each class is.
fn spread_of(data: &Data) -> (Vec<(ClassData, u64)>, Vec<u32>) {
    type Known<'a> = (Counts, Option<&'a [ValueCounts]>);
    let mut known: FxHashMap<Known, u32> = FxHashMap::default();
    let mut found: Vec<(ClassData, u64)> = Vec::new();
    let mut small = [u32::MAX; SMALL];
    let number = |(class, &counts): (u32, &Counts)| {
        let values = if data.values.is_empty() { None } else { data.values.get(&class) };
        // Of millions of classes most are small and have no members.
        let is_small = counts.private == 0 && values.is_none() && counts.public < SMALL as u64;
        if is_small
            && let number = small[size::index(counts.public)]
            && number != u32::MAX
        {
            found[number as usize].1 += 1;
            return number;
        }
        let next = size::number(found.len());
        let number = *known.entry((counts, values.map(|values| values.own()))).or_insert(next);
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
    // Presence and public people tell counts apart, so no two share a rank.
    let ranks = columns::dense_ranks(&keys);
    let mut spread = found.clone();
    for (&rank, counted) in ranks.iter().zip(found) {
        spread[rank as usize] = counted;
    }
    for number in &mut data_of {
        *number = ranks[*number as usize];
    }
    (spread, data_of)
}

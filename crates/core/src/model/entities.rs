//! People who have several rows each: the combination of a person is the multiset of the combinations of his rows.
//!
//! Everything that is defined of combinations is then defined of multisets. At a node each row has its labels, and a class is everybody
//! with the same multiset of labels; at a coarser node classes are unions of these, so that what holds for a node holds for all that
//! generalize it (paper, theorem 1). At the top people are still told apart by how many rows they have.
//!
//! [`EntityProblem`] is that with what is enforced. It has the rows as a [`Problem`] of their own, of which nothing is enforced: for their
//! hierarchies, the lattice and the loss of T's rows. It is made where tables are read, and is no `Problem`: whatever takes one counts a
//! row for a person.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::class::{Classes, Recoding};
use super::criterion::ClassData;
use super::error::ModelError;
use super::hierarchy::Level;
use super::lattice::Node;
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::rollup::Rollup;
use super::sensitive::SensitiveValues;
use super::size;

/// How many people of P, and of T, have each distinct multiset of combinations. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entities(Arc<Multisets>);

#[derive(Debug, PartialEq, Eq)]
struct Multisets {
    /// The combinations of each, ascending; they ascend themselves.
    multisets: Vec<Box<[u32]>>,
    counts: Vec<Counts>,
}

/// Counts people one after the other.
#[derive(Clone, Debug, Default)]
pub struct EntityCounter(BTreeMap<Box<[u32]>, Counts>);

impl EntityCounter {
    /// Counts somebody: the combinations of his rows, in any order, and whether he is in T.
    pub fn add(&mut self, mut rows: Vec<u32>, is_member: bool) {
        rows.sort_unstable();
        *self.0.entry(rows.into()).or_default() += Counts::new(1, u64::from(is_member));
    }

    /// Everybody who was counted.
    pub fn finish(self) -> Entities {
        let (multisets, counts) = self.0.into_iter().unzip();
        Entities(Arc::new(Multisets { multisets, counts }))
    }
}

impl Entities {
    /// Counts people: the combinations of everybody's rows, in any order, and whether he is in T.
    pub fn of(people: impl IntoIterator<Item = (Vec<u32>, bool)>) -> Self {
        let mut counter = EntityCounter::default();
        people.into_iter().for_each(|(rows, is_member)| counter.add(rows, is_member));
        counter.finish()
    }

    /// How many distinct multisets there are.
    pub fn len(&self) -> usize {
        self.0.counts.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.0.counts.is_empty()
    }

    /// The people of each multiset.
    pub fn counts(&self) -> &[Counts] {
        &self.0.counts
    }

    /// |P| and |T|, in people.
    pub fn total(&self) -> Counts {
        self.counts().iter().fold(Counts::default(), |total, &counts| total + counts)
    }

    /// The combinations of each multiset, ascending, in the order of [`counts`](Self::counts).
    pub fn multisets(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.0.multisets.iter().map(AsRef::as_ref)
    }

    /// The number of a multiset whose combinations ascend.
    pub fn find(&self, multiset: &[u32]) -> Option<usize> {
        self.0.multisets.binary_search_by(|own| own.as_ref().cmp(multiset)).ok()
    }

    /// How many rows the distinct multisets have together.
    pub fn rows(&self) -> usize {
        self.multisets().map(<[u32]>::len).sum()
    }

    /// The rows of each of so many combinations: those of everybody in P, and of T's members; `None` where there are not so many.
    fn by_combination(&self, combinations: usize) -> Option<Vec<Counts>> {
        let mut rows = vec![Counts::default(); combinations];
        for (multiset, &people) in self.multisets().zip(self.counts()) {
            for &combination in multiset {
                *rows.get_mut(combination as usize)? += people;
            }
        }
        Some(rows)
    }
}

/// A δ-presence problem of people who have several rows each.
#[derive(Clone, Debug)]
pub struct EntityProblem {
    rows: Problem,
    entities: Entities,
    policy: Policy,
    sensitive: Option<SensitiveValues>,
}

impl EntityProblem {
    /// The people whose rows are those of a problem. What that enforces is enforced for classes of people, and nothing for its rows.
    ///
    /// # Errors
    /// [`ModelError::EmptyPublic`], [`ModelError::EmptyPrivate`]; [`ModelError::HistogramShape`] where these people have not the problem's
    /// rows.
    pub fn new(rows: &Problem, entities: Entities) -> Result<Self, ModelError> {
        let histogram = rows.histogram();
        if entities.by_combination(histogram.len()).as_deref() != Some(histogram.counts()) {
            let detail = "the people have other rows than the tables".to_owned();
            return Err(ModelError::HistogramShape { detail });
        }
        let total = entities.total();
        if total.public == 0 {
            return Err(ModelError::EmptyPublic);
        }
        if total.private == 0 {
            return Err(ModelError::EmptyPrivate);
        }
        let criteria = rows.policy().criteria().clone();
        let policy = Policy::new(rows.delta(), rows.empty_regions(), criteria, total);
        Ok(Self { rows: rows.without_policy(), entities, policy, sensitive: None })
    }

    /// The same with the sensitive values of T's members, one of each person.
    ///
    /// # Panics
    /// If they are not those of as many members of each multiset.
    #[must_use]
    pub fn with_sensitive(self, values: SensitiveValues) -> Self {
        assert!(values.is_of(self.entities.counts()), "the values of T's members");
        Self { sensitive: Some(values), ..self }
    }

    /// The rows: their hierarchies, lattice and losses. Its counts are of rows, and nothing of it is enforced.
    pub fn rows(&self) -> &Problem {
        &self.rows
    }

    /// The people.
    pub fn entities(&self) -> &Entities {
        &self.entities
    }

    /// What every class of people has to satisfy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The classes of people at a node.
    pub fn classes(&self, node: &Node) -> EntityClasses {
        let mut rollup = EntityRollup::new();
        let classes = rollup.number(self, node.levels());
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); classes];
        for (multiset, &class) in self.entities.multisets().zip(&rollup.class_of) {
            let rows = &mut rows[class as usize];
            if rows.is_empty() {
                rows.extend(multiset.iter().map(|&combination| rollup.of_row[combination as usize]));
                rows.sort_unstable();
            }
        }
        let mut all: Vec<(Vec<u32>, ClassData)> = rows.into_iter().zip(self.data(&rollup, classes)).collect();
        // In lexicographic order of their rows, as classes of combinations are in that of their labels.
        all.sort_by(|left, right| left.0.cmp(&right.0));
        let (rows, data) = all.into_iter().unzip();
        EntityClasses { of_rows: Classes::of(&self.rows, &Recoding::Node(node.clone())), rows, data }
    }

    /// Whether every class of people at the node with these levels satisfies the policy.
    pub fn holds(&self, rollup: &mut EntityRollup, levels: &[Level]) -> bool {
        let classes = rollup.number(self, levels);
        if self.sensitive.is_some() {
            return self.data(rollup, classes).into_iter().all(|class| self.policy.allows(class));
        }
        self.counts(rollup, classes).into_iter().all(|class| self.policy.allows(class))
    }

    /// The people of classes.
    fn counts(&self, rollup: &EntityRollup, classes: usize) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); classes];
        for (&class, &people) in rollup.class_of.iter().zip(self.entities.counts()) {
            counts[class as usize] += people;
        }
        counts
    }

    /// Classes as criteria see them.
    fn data(&self, rollup: &EntityRollup, classes: usize) -> Vec<ClassData> {
        let by_class =
            |values: &SensitiveValues| values.by_class(|_, multiset| rollup.class_of[multiset as usize]);
        let mut values = self.sensitive.as_ref().map(by_class).unwrap_or_default();
        let data = |(class, counts): (u32, Counts)| match values.remove(&class) {
            Some(values) => ClassData::with_values(counts, values),
            None => counts.into(),
        };
        (0..).zip(self.counts(rollup, classes)).map(data).collect()
    }
}

/// Numbers the classes of people of one node after another, in buffers that are reused: O(c·m + Σ r log r) for c combinations of m
/// quasi-identifiers, and r rows of each distinct multiset.
#[derive(Clone, Debug, Default)]
pub struct EntityRollup {
    rows: Rollup,
    /// The class of each combination of the rows.
    of_row: Vec<u32>,
    /// Of each multiset the classes of its rows, ascending, one multiset after the other.
    classes: Vec<u32>,
    /// The class of each multiset.
    class_of: Vec<u32>,
}

impl EntityRollup {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Numbers the classes in order of first appearance and returns how many there are.
    fn number(&mut self, problem: &EntityProblem, levels: &[Level]) -> usize {
        self.rows.number(&problem.rows, levels);
        self.of_row.clear();
        self.of_row.extend(self.rows.class_of());
        let entities = &problem.entities;
        self.classes.clear();
        self.classes.reserve(entities.rows());
        for multiset in entities.multisets() {
            let start = self.classes.len();
            self.classes.extend(multiset.iter().map(|&combination| self.of_row[combination as usize]));
            self.classes[start..].sort_unstable();
        }
        let mut known: FxHashMap<&[u32], u32> = FxHashMap::default();
        self.class_of.clear();
        let mut start = 0;
        for multiset in entities.multisets() {
            let (next, end) = (size::number(known.len()), start + multiset.len());
            self.class_of.push(*known.entry(&self.classes[start..end]).or_insert(next));
            start = end;
        }
        known.len()
    }
}

/// The classes of people at a node: everybody whose rows have the same multiset of labels.
#[derive(Clone, Debug)]
pub struct EntityClasses {
    of_rows: Classes,
    rows: Vec<Vec<u32>>,
    data: Vec<ClassData>,
}

impl EntityClasses {
    /// How many classes there are, those without members too.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there is no class; never so, since the public table has people.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The classes of rows: the labels that a row has.
    pub fn of_rows(&self) -> &Classes {
        &self.of_rows
    }

    /// Of a class of people, the classes of the rows that each of them has, ascending.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn rows(&self, class: u32) -> &[u32] {
        &self.rows[class as usize]
    }

    /// A class as criteria see it.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn data(&self, class: u32) -> &ClassData {
        &self.data[class as usize]
    }

    /// Every class, as criteria see it.
    pub fn all(&self) -> &[ClassData] {
        &self.data
    }

    /// Every class, the one that breaks the policy most first, then by presence, then in their own order.
    pub fn worst_first(&self, policy: &Policy) -> Vec<u32> {
        let mut order: Vec<u32> = (0..size::number(self.len())).collect();
        order.sort_by_cached_key(|&class| {
            let data = self.data(class);
            Reverse((policy.severity(data), data.counts().presence()))
        });
        order
    }
}

#[cfg(test)]
mod tests;

//! Roll-up: which combinations, or which classes of a finer node, form one class at a node.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::hierarchy::Level;
use super::keys::{SHARED, dense_ranks};
use super::numbering::{Digit, Numbering};
use super::people::People;
use super::presence::Counts;
use super::problem::Problem;
use super::size;

/// Numbers the classes of nodes ([`Numbering`]). The buffers are reused from one node to the next.
///
/// If people are counted, the key of a class of people is the sorted list of its rows' class
/// numbers. This adds O(Σ r log r) for r rows of each distinct multiset, and the time to sort the
/// distinct keys.
#[derive(Clone, Debug, Default)]
pub struct Rollup {
    /// The class of each combination of rows.
    rows: Numbering,
    /// If people are counted, the row classes of each multiset, ascending. The lists follow each
    /// other.
    row_classes: Vec<u32>,
    /// If people are counted, the class of each multiset; else empty.
    people_class_of: Vec<u32>,
    counts: Vec<Counts>,
}

impl Rollup {
    /// Creates empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Numbers the classes of units at the node with these levels, and returns the number of
    /// classes.
    ///
    /// Classes are in lexicographic order of labels; classes of people are in that of their sorted
    /// rows.
    ///
    /// # Panics
    /// If a hierarchy lacks its level.
    pub fn number(&mut self, problem: &Problem, levels: &[Level]) -> usize {
        let histogram = problem.histogram();
        let digits = levels.iter().enumerate().map(|(attribute, &level)| {
            let hierarchy = problem.hierarchy(attribute);
            let (codes, labels) = (histogram.column(attribute), hierarchy.labels_of(level));
            Digit { radix: hierarchy.label_count(level) as u64, codes, labels: Some(labels) }
        });
        let classes = self.rows.number(histogram.len(), digits);
        self.people_class_of.clear();
        match problem.people() {
            None => classes,
            Some(people) => self.number_people(people),
        }
    }

    /// Numbers the classes of people. `rows` has the class of each combination of their rows.
    fn number_people(&mut self, people: &People) -> usize {
        let keys = &mut self.row_classes;
        keys.clear();
        keys.reserve(people.rows());
        for multiset in people.multisets() {
            let start = keys.len();
            keys.extend(multiset.iter().map(|&combination| self.rows.class_of()[combination as usize]));
            keys[start..].sort_unstable();
        }
        let mut distinct: Vec<&[u32]> = Vec::new();
        let mut known: FxHashMap<&[u32], u32> = FxHashMap::default();
        let mut start = 0;
        for multiset in people.multisets() {
            let key = &keys[start..start + multiset.len()];
            start += multiset.len();
            let number = *known.entry(key).or_insert_with(|| {
                distinct.push(key);
                size::number(distinct.len() - 1)
            });
            self.people_class_of.push(number);
        }
        let ranks = dense_ranks(&distinct);
        self.people_class_of.iter_mut().for_each(|class| *class = ranks[*class as usize]);
        distinct.len()
    }

    /// The class of each unit, after [`number`](Self::number).
    pub fn class_of(&self) -> &[u32] {
        if self.people_class_of.is_empty() { self.rows.class_of() } else { &self.people_class_of }
    }

    /// As `class_of`, but moves the buffer out.
    pub fn into_class_of(self) -> Vec<u32> {
        if self.people_class_of.is_empty() { self.rows.into_class_of() } else { self.people_class_of }
    }

    /// The counts of each class of the node with these levels. The order has no meaning.
    ///
    /// # Panics
    /// If a hierarchy lacks its level.
    pub fn counts(&mut self, problem: &Problem, levels: &[Level]) -> &[Counts] {
        let classes = self.number(problem, levels);
        self.counts = people_by_class(self.class_of(), problem.unit_counts(), classes);
        &self.counts
    }
}

/// The counts of each class. `class_of` has the class of each item.
pub(super) fn people_by_class(class_of: &[u32], people: &[Counts], classes: usize) -> Vec<Counts> {
    let add = |(class_of, people): (&[u32], &[Counts])| {
        let mut sums = vec![Counts::default(); classes];
        for (&class, &people) in class_of.iter().zip(people) {
            sums[class as usize] += people;
        }
        sums
    };
    let parts = rayon::current_num_threads();
    if class_of.len() < SHARED || classes.saturating_mul(parts) > class_of.len() {
        return add((class_of, people));
    }
    let part = class_of.len().div_ceil(parts);
    let sums = class_of.par_chunks(part).zip(people.par_chunks(part)).map(add);
    sums.reduce_with(unite).unwrap_or_default()
}

/// Adds the sums of two parts.
pub(super) fn unite(mut left: Vec<Counts>, right: Vec<Counts>) -> Vec<Counts> {
    left.iter_mut().zip(right).for_each(|(sum, more)| *sum += more);
    left
}

/// One item of each class.
pub(super) fn examples(class_of: &[u32], classes: usize) -> Vec<u32> {
    let mut examples = vec![0; classes];
    for (item, &class) in (0..).zip(class_of) {
        examples[class as usize] = item;
    }
    examples
}

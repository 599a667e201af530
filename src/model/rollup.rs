//! Roll-up: which combinations fall together at a node.

use super::hierarchy::{Code, Level};
use super::presence::Counts;
use super::problem::Problem;

/// Numbers the classes of one node after another, in buffers that are reused.
///
/// A class is known by a packed key: its labels' numbers as the digits of a mixed radix, so that keys are in
/// lexicographic order of labels. Small key spaces are numbered through a dense array, others by sorting: O(c·m) and
/// O(c·(m + log c)) for c combinations and m quasi-identifiers.
#[derive(Clone, Debug, Default)]
pub struct Rollup {
    keys: Vec<u64>,
    class_of: Vec<u32>,
    dense: Vec<u32>,
    distinct: Vec<u64>,
    counts: Vec<Counts>,
}

impl Rollup {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Numbers the classes of the node with these levels and returns how many there are.
    ///
    /// # Panics
    /// If a hierarchy lacks its level.
    pub fn number(&mut self, problem: &Problem, levels: &[Level]) -> usize {
        let span = self.pack(problem, levels);
        if span <= dense_limit(self.keys.len()) {
            self.number_densely(span)
        } else {
            self.number_by_sorting()
        }
    }

    /// The class of each combination, after [`number`](Self::number).
    pub fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// The counts of each class of the node with these levels, in no order that means anything.
    ///
    /// # Panics
    /// If a hierarchy lacks its level.
    pub fn counts(&mut self, problem: &Problem, levels: &[Level]) -> &[Counts] {
        let classes = self.number(problem, levels);
        self.counts.clear();
        self.counts.resize(classes, Counts::default());
        for (&class, &people) in self.class_of.iter().zip(problem.histogram().counts()) {
            self.counts[class as usize] += people;
        }
        &self.counts
    }

    /// Fills `keys` and returns the size of their space.
    fn pack(&mut self, problem: &Problem, levels: &[Level]) -> u64 {
        let histogram = problem.histogram();
        self.keys.clear();
        self.keys.resize(histogram.len(), 0);
        let mut span = 1_u64;
        for (attribute, &level) in levels.iter().enumerate() {
            let hierarchy = problem.hierarchy(attribute);
            let radix = hierarchy.label_count(level) as u64;
            if radix == 1 {
                continue;
            }
            if span.checked_mul(radix).is_none() {
                span = self.compress();
            }
            span *= radix;
            let (column, labels): (&[Code], &[u32]) =
                (histogram.column(attribute), hierarchy.labels_of(level));
            for (key, &code) in self.keys.iter_mut().zip(column) {
                *key = *key * radix + u64::from(labels[code as usize]);
            }
        }
        span
    }

    /// Replaces each key by its rank, so that the next digit fits.
    fn compress(&mut self) -> u64 {
        self.sort_distinct();
        for key in &mut self.keys {
            *key = self.distinct.partition_point(|known| known < key) as u64;
        }
        self.distinct.len() as u64
    }

    fn sort_distinct(&mut self) {
        self.distinct.clear();
        self.distinct.extend_from_slice(&self.keys);
        self.distinct.sort_unstable();
        self.distinct.dedup();
    }

    fn number_densely(&mut self, span: u64) -> usize {
        let span = usize::try_from(span).unwrap_or(usize::MAX);
        self.dense.clear();
        self.dense.resize(span, u32::MAX);
        for &key in &self.keys {
            self.dense[position(key)] = 0;
        }
        let mut next = 0;
        for number in self.dense.iter_mut().filter(|number| **number == 0) {
            *number = next;
            next += 1;
        }
        self.class_of.clear();
        self.class_of.extend(self.keys.iter().map(|&key| self.dense[position(key)]));
        next as usize
    }

    fn number_by_sorting(&mut self) -> usize {
        self.sort_distinct();
        let distinct = &self.distinct;
        let rank = |key: &u64| distinct.partition_point(|known| known < key);
        self.class_of.clear();
        self.class_of.extend(self.keys.iter().map(|key| u32::try_from(rank(key)).unwrap_or(u32::MAX)));
        self.distinct.len()
    }
}

/// A key space up to this size is cheaper to number through an array than by sorting.
fn dense_limit(combinations: usize) -> u64 {
    (combinations as u64) * 16 + 4096
}

/// A key as an index; keys reach here only below [`dense_limit`].
fn position(key: u64) -> usize {
    usize::try_from(key).unwrap_or(usize::MAX)
}

//! Roll-up: which combinations, or which classes of a finer node, fall together at a node.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::criterion::ClassData;
use super::hierarchy::Level;
use super::lattice::Node;
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::sensitive::ClassValues;
use super::size;

/// From so many items on, cores share a pass.
const SHARED: usize = 1 << 16;

/// Numbers the classes of one node after another, in buffers that are reused.
///
/// A class is known by a packed key: its labels' numbers as the digits of a mixed radix, so that keys are in
/// lexicographic order of labels. Key spaces that are not much larger than there are combinations are numbered through a set of bits,
/// others by sorting: O(c·m) and O(c·(m + log c)) for c combinations and m quasi-identifiers.
#[derive(Clone, Debug, Default)]
pub struct Rollup {
    keys: Vec<u64>,
    class_of: Vec<u32>,
    present: Present,
    order: Vec<(u64, u32)>,
    counts: Vec<Counts>,
}

/// One digit of a key: `labels[codes[item]]`, below `radix`.
struct Digit<'a> {
    radix: u64,
    codes: &'a [u32],
    labels: &'a [u32],
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
        let histogram = problem.histogram();
        let digits = levels.iter().enumerate().map(|(attribute, &level)| {
            let hierarchy = problem.hierarchy(attribute);
            let (codes, labels) = (histogram.column(attribute), hierarchy.labels_of(level));
            Digit { radix: hierarchy.label_count(level) as u64, codes, labels }
        });
        self.number_items(histogram.len(), digits)
    }

    /// The class of each combination, after [`number`](Self::number).
    pub fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// The same, with the buffer it is in.
    pub fn into_class_of(self) -> Vec<u32> {
        self.class_of
    }

    /// The counts of each class of the node with these levels, in no order that means anything.
    ///
    /// # Panics
    /// If a hierarchy lacks its level.
    pub fn counts(&mut self, problem: &Problem, levels: &[Level]) -> &[Counts] {
        let classes = self.number(problem, levels);
        self.sum(classes, problem.histogram().counts());
        &self.counts
    }

    /// Adds up the people of each class.
    fn sum(&mut self, classes: usize, people: &[Counts]) {
        self.counts.clear();
        self.counts.resize(classes, Counts::default());
        for (&class, &people) in self.class_of.iter().zip(people) {
            self.counts[class as usize] += people;
        }
    }

    /// Numbers items by their digits.
    fn number_items<'a>(&mut self, length: usize, digits: impl Iterator<Item = Digit<'a>>) -> usize {
        let span = self.pack(length, digits);
        if span <= bits_limit(length) { self.number_by_bits(span) } else { self.number_by_sorting() }
    }

    /// Fills `keys` and returns the size of their space.
    fn pack<'a>(&mut self, length: usize, digits: impl Iterator<Item = Digit<'a>>) -> u64 {
        self.keys.clear();
        self.keys.resize(length, 0);
        let mut span = 1_u64;
        for Digit { radix, codes, labels } in digits.filter(|digit| digit.radix > 1) {
            if span.checked_mul(radix).is_none() {
                span = self.compress();
            }
            span *= radix;
            let extend =
                |(key, &code): (&mut u64, &u32)| *key = *key * radix + u64::from(labels[code as usize]);
            if length < SHARED {
                self.keys.iter_mut().zip(codes).for_each(extend);
            } else {
                self.keys.par_iter_mut().zip(codes).with_min_len(SHARED / 2).for_each(extend);
            }
        }
        span
    }

    /// Replaces each key by its rank, so that the next digit fits.
    fn compress(&mut self) -> u64 {
        let classes = self.number_by_sorting();
        self.keys.iter_mut().zip(&self.class_of).for_each(|(key, &class)| *key = u64::from(class));
        classes as u64
    }

    fn number_by_bits(&mut self, span: u64) -> usize {
        let classes = self.present.take(&self.keys, size::index(span));
        self.class_of.resize(self.keys.len(), 0);
        let number = |(class, &key): (&mut u32, &u64)| *class = self.present.rank(key);
        if self.keys.len() < SHARED {
            self.class_of.iter_mut().zip(&self.keys).for_each(number);
        } else {
            self.class_of.par_iter_mut().zip(&self.keys).with_min_len(SHARED / 2).for_each(number);
        }
        classes
    }

    fn number_by_sorting(&mut self) -> usize {
        self.order.clear();
        self.order.extend(self.keys.iter().copied().zip(0..));
        if self.order.len() < SHARED {
            self.order.sort_unstable();
        } else {
            self.order.par_sort_unstable();
        }
        self.class_of.clear();
        self.class_of.resize(self.keys.len(), 0);
        let mut classes = 0;
        for equals in self.order.chunk_by(|left, right| left.0 == right.0) {
            for &(_, item) in equals {
                self.class_of[item as usize] = classes;
            }
            classes += 1;
        }
        classes as usize
    }
}

/// A key space up to this size is cheaper to number through a set of bits than by sorting; it then takes 34 bytes an item at most.
fn bits_limit(items: usize) -> u64 {
    (items as u64) * 256 + 4096
}

/// Which keys there are, as bits, and how many lie before each.
#[derive(Debug, Default)]
struct Present {
    words: Vec<AtomicU64>,
    /// How many keys lie before each block of words.
    before: Vec<u32>,
}

impl Clone for Present {
    /// A buffer is filled anew each time: a copy of one is an empty one.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Present {
    /// The words of a block.
    const BLOCK: usize = 8;

    /// Takes keys below `span` and answers how many distinct ones there are.
    fn take(&mut self, keys: &[u64], span: usize) -> usize {
        let words = span.div_ceil(64);
        self.words.iter_mut().take(words).for_each(|word| *word.get_mut() = 0);
        self.words.resize_with(words, AtomicU64::default);
        let set = |&key: &u64| {
            self.words[size::index(key / 64)].fetch_or(1 << (key % 64), Ordering::Relaxed);
        };
        if keys.len() < SHARED {
            for &key in keys {
                *self.words[size::index(key / 64)].get_mut() |= 1 << (key % 64);
            }
        } else {
            keys.par_iter().with_min_len(SHARED / 2).for_each(set);
        }
        self.before.clear();
        let mut before = 0;
        for block in self.words.chunks_mut(Self::BLOCK) {
            self.before.push(before);
            before += block.iter_mut().map(|word| word.get_mut().count_ones()).sum::<u32>();
        }
        before as usize
    }

    /// How many distinct keys lie before one that was taken.
    fn rank(&self, key: u64) -> u32 {
        let place = size::index(key / 64);
        let block = place / Self::BLOCK;
        let word = |place: usize| self.words[place].load(Ordering::Relaxed);
        let within: u32 = (block * Self::BLOCK..place).map(|place| word(place).count_ones()).sum();
        self.before[block] + within + (word(place) & ((1 << (key % 64)) - 1)).count_ones()
    }
}

/// The classes of a node as numbers: for each its labels and its people. What a step of the workbench counts.
///
/// Hierarchies nest, so the classes of a coarser node are unions of these. A step upwards therefore costs O(k·m) for k
/// classes, however many combinations there are; any other is counted from the combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeClasses {
    node: Node,
    labels: Vec<Vec<u32>>,
    counts: Vec<Counts>,
    /// Where they are known, the sensitive values of each class with members.
    values: BTreeMap<u32, Arc<ClassValues>>,
}

impl NodeClasses {
    /// Counts the classes of a node from the combinations, in lexicographic order of label numbers.
    pub fn of(problem: &Problem, node: &Node) -> Self {
        let mut rollup = Rollup::new();
        let classes = rollup.number(problem, node.levels());
        rollup.sum(classes, problem.histogram().counts());
        let labels = node.levels().iter().enumerate().map(|(attribute, &level)| {
            let labels = problem.hierarchy(attribute).labels_of(level);
            let codes = problem.histogram().column(attribute);
            first_of_each(classes, &rollup.class_of, |item| labels[codes[item] as usize])
        });
        let values = problem
            .sensitive()
            .map(|values| values.by_class(|_, combination| rollup.class_of[combination as usize]));
        let (labels, values) = (labels.collect(), values.unwrap_or_default());
        Self { node: node.clone(), labels, counts: rollup.counts, values }
    }

    /// The classes of another node of the same problem: from these where it generalizes this node, else from the
    /// combinations.
    #[must_use]
    pub fn at(&self, problem: &Problem, node: &Node) -> Self {
        if !node.generalizes(&self.node) {
            return Self::of(problem, node);
        }
        let levels = || self.node.levels().iter().zip(node.levels());
        let above: Vec<Vec<u32>> = levels()
            .enumerate()
            .map(|(a, (&from, &to))| problem.hierarchy(a).labels_above(from, to))
            .collect();
        let digits = above.iter().zip(&self.labels).zip(node.levels()).enumerate().map(
            |(attribute, ((labels, codes), &level))| {
                let radix = problem.hierarchy(attribute).label_count(level) as u64;
                Digit { radix, codes, labels }
            },
        );
        let mut rollup = Rollup::new();
        let classes = rollup.number_items(self.len(), digits);
        rollup.sum(classes, &self.counts);
        let labels = above.iter().zip(&self.labels).map(|(above, labels)| {
            first_of_each(classes, &rollup.class_of, |item| above[labels[item] as usize])
        });
        let mut values: BTreeMap<u32, Arc<ClassValues>> = BTreeMap::new();
        for (&class, own) in &self.values {
            let whole = values.entry(rollup.class_of[class as usize]);
            whole.and_modify(|whole| *whole = Arc::new(whole.united(own))).or_insert_with(|| Arc::clone(own));
        }
        Self { node: node.clone(), labels: labels.collect(), counts: rollup.counts, values }
    }

    /// Every class, as criteria see it.
    pub fn data(&self) -> impl Iterator<Item = ClassData> + '_ {
        (0..).zip(&self.counts).map(|(class, &counts)| match self.values.get(&class) {
            Some(values) => ClassData::with_values(counts, Arc::clone(values)),
            None => counts.into(),
        })
    }

    /// How many classes break a policy.
    pub fn broken(&self, policy: &Policy) -> usize {
        self.data().filter(|class| !policy.allows(class)).count()
    }

    /// The node.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is no class; never so, since the public table has people.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The people of each class.
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// The label number of each class in one quasi-identifier, at the node's level.
    pub fn labels(&self, attribute: usize) -> &[u32] {
        &self.labels[attribute]
    }
}

/// Of each class, what its items have: they all have the same.
fn first_of_each(classes: usize, class_of: &[u32], label: impl Fn(usize) -> u32) -> Vec<u32> {
    let mut labels = vec![0; classes];
    for (item, &class) in class_of.iter().enumerate() {
        labels[class as usize] = label(item);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Code, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Presence, QuasiIdentifier};

    /// A hundred leaves in tens.
    fn hundred() -> Hierarchy {
        let chain = |leaf: u32| vec![leaf.to_string(), format!("{}x", leaf / 10), "*".to_owned()];
        Hierarchy::new(Kind::Category, Level(0), &(0..100).map(chain).collect::<Vec<_>>()).unwrap()
    }

    /// People scattered over so many quasi-identifiers, one in eight of them private.
    fn scattered(width: usize, people: u64) -> Problem {
        let mut state = 1_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut counts = BTreeMap::new();
        for _ in 0..people {
            let codes: Vec<Code> = (0..width).map(|_| Code::try_from(draw(100)).unwrap()).collect();
            *counts.entry(codes).or_insert(Counts::default()) += Counts::new(1, u64::from(draw(8) == 0));
        }
        let columns = (0..width).map(|a| counts.keys().map(|codes| codes[a]).collect()).collect();
        let histogram = Histogram::new(columns, counts.into_values().collect()).unwrap();
        let quasi = (0..width)
            .map(|position| QuasiIdentifier { name: format!("q{position}"), hierarchy: hundred() })
            .collect();
        let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }

    /// Classes by labels, counted one combination after another.
    fn naive(problem: &Problem, node: &Node) -> BTreeMap<Vec<u32>, Counts> {
        let mut classes = BTreeMap::new();
        for (index, &people) in problem.histogram().counts().iter().enumerate() {
            let codes = problem.histogram().combination(index);
            let levels = codes.iter().zip(node.levels()).enumerate();
            let label = |(attribute, (&code, &level)): (usize, (&Code, &Level))| {
                problem.hierarchy(attribute).labels_of(level)[code as usize]
            };
            *classes.entry(levels.map(label).collect()).or_insert(Counts::default()) += people;
        }
        classes
    }

    fn check(problem: &Problem) {
        let lattice = problem.lattice();
        let mut here = NodeClasses::of(problem, &lattice.bottom());
        for attribute in 0..lattice.width() {
            let coarser = lattice.coarser(here.node(), attribute).unwrap();
            here = here.at(problem, &coarser);
            assert_eq!(here, NodeClasses::of(problem, &coarser));
            let label = |class: usize| (0..lattice.width()).map(|a| here.labels(a)[class]).collect();
            let counted: Vec<(Vec<u32>, Counts)> =
                here.counts().iter().enumerate().map(|(class, &people)| (label(class), people)).collect();
            assert_eq!(counted, naive(problem, &coarser).into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn classes_too_scattered_for_bits_are_sorted() {
        check(&scattered(6, 500));
    }

    #[test]
    fn keys_too_long_for_64_bits_are_compressed() {
        check(&scattered(14, 500));
    }

    #[test]
    fn cores_that_share_a_pass_count_the_same() {
        check(&scattered(5, 2 * SHARED as u64));
    }
}

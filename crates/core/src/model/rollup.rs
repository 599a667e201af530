//! Roll-up: which combinations, or which classes of a finer node, form one class at a node.

mod neighbourhood;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::columns;
use super::criterion::ClassData;
use super::hierarchy::Level;
use super::keys::SortedItems;
use super::lattice::Node;
use super::people::People;
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::sensitive::ClassValues;
use super::size;

pub use neighbourhood::{Neighbourhood, NodeTally};

/// The least number of items for which a pass is shared among cores.
const SHARED: usize = 1 << 16;

/// Numbers the classes of nodes. The buffers are reused from one node to the next.
///
/// The key of a class packs its label numbers as digits of a mixed radix, so keys have the
/// lexicographic order of labels. If the key space is not much larger than the number of
/// combinations, a bit set numbers the keys: O(c·m). Otherwise they are sorted: O(c·(m + log c)).
/// Here c counts combinations and m quasi-identifiers.
///
/// If people are counted, the key of a class of people is the sorted list of its rows' class
/// numbers. This adds O(Σ r log r) for r rows of each distinct multiset, and the time to sort the
/// distinct keys.
#[derive(Clone, Debug, Default)]
pub struct Rollup {
    keys: Vec<u64>,
    class_of: Vec<u32>,
    /// If people are counted, the class of each combination of their rows.
    row_class_of: Vec<u32>,
    /// If people are counted, the row classes of each multiset, ascending. The lists follow each
    /// other.
    row_classes: Vec<u32>,
    present: Present,
    /// The keys of items with members.
    members: Present,
    counts: Vec<Counts>,
}

/// One digit of a key: the label of `codes[item]`, below `radix`.
struct Digit<'a> {
    radix: u64,
    codes: &'a [u32],
    /// The label of each code; `None` if the codes are the labels.
    labels: Option<&'a [u32]>,
}

/// How many keys are packed at once. They fit the cache of a core.
const PACKED: usize = 1 << 12;

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
        let classes = self.number_items(histogram.len(), digits);
        match problem.people() {
            None => classes,
            Some(people) => self.number_people(people),
        }
    }

    /// Numbers the classes of people. `class_of` has the class of each combination of their rows.
    fn number_people(&mut self, people: &People) -> usize {
        std::mem::swap(&mut self.class_of, &mut self.row_class_of);
        let keys = &mut self.row_classes;
        keys.clear();
        keys.reserve(people.rows());
        for multiset in people.multisets() {
            let start = keys.len();
            keys.extend(multiset.iter().map(|&combination| self.row_class_of[combination as usize]));
            keys[start..].sort_unstable();
        }
        let mut distinct: Vec<&[u32]> = Vec::new();
        let mut known: FxHashMap<&[u32], u32> = FxHashMap::default();
        self.class_of.clear();
        let mut start = 0;
        for multiset in people.multisets() {
            let key = &keys[start..start + multiset.len()];
            start += multiset.len();
            let number = *known.entry(key).or_insert_with(|| {
                distinct.push(key);
                size::number(distinct.len() - 1)
            });
            self.class_of.push(number);
        }
        let ranks = columns::dense_ranks(&distinct);
        self.class_of.iter_mut().for_each(|class| *class = ranks[*class as usize]);
        distinct.len()
    }

    /// The class of each unit, after [`number`](Self::number).
    pub fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// As `class_of`, but moves the buffer out.
    pub fn into_class_of(self) -> Vec<u32> {
        self.class_of
    }

    /// The counts of each class of the node with these levels. The order has no meaning.
    ///
    /// # Panics
    /// If a hierarchy lacks its level.
    pub fn counts(&mut self, problem: &Problem, levels: &[Level]) -> &[Counts] {
        let classes = self.number(problem, levels);
        self.sum(classes, problem.unit_counts());
        &self.counts
    }

    /// Computes the counts of each class.
    fn sum(&mut self, classes: usize, people: &[Counts]) {
        self.counts = people_by_class(&self.class_of, people, classes);
    }

    /// One item of each class.
    pub(super) fn examples(&self, classes: usize) -> Vec<u32> {
        let mut examples = vec![0; classes];
        for (item, &class) in (0..).zip(&self.class_of) {
            examples[class as usize] = item;
        }
        examples
    }

    /// Numbers items by their digits.
    fn number_items<'a>(&mut self, length: usize, digits: impl Iterator<Item = Digit<'a>>) -> usize {
        let span = self.pack(length, digits);
        self.number_keys(span)
    }

    /// Numbers the keys, all of which are below `span`.
    fn number_keys(&mut self, span: u64) -> usize {
        if is_sorted(&self.keys) {
            self.number_runs()
        } else if span <= bits_limit(self.keys.len()) {
            self.number_by_bits(span)
        } else {
            self.number_by_sorting(span)
        }
    }

    /// Fills `keys` and returns the size of their space.
    fn pack<'a>(&mut self, length: usize, digits: impl Iterator<Item = Digit<'a>>) -> u64 {
        self.keys.resize(length, 0);
        let digits: Vec<Digit> = digits.filter(|digit| digit.radix > 1).collect();
        let (mut rest, mut is_begun, mut span) = (&digits[..], false, 1_u64);
        let limit = bits_limit(length);
        loop {
            let before = rest.len();
            let mut next = rest;
            // The first digit alone would have as many ranks as labels, so replacing it by ranks
            // saves nothing.
            let least = if is_begun { 1 } else { 2 };
            while let [digit, later @ ..] = next
                && let Some(wider) = span.checked_mul(digit.radix)
                && (wider <= limit || span > limit || next.len() + least > before)
            {
                (next, span) = (later, wider);
            }
            self.extend(&rest[..before - next.len()], is_begun);
            if next.is_empty() {
                return span;
            }
            // Ranks need a smaller space than keys, so the next digit fits.
            span = self.number_keys(span) as u64;
            self.keys.iter_mut().zip(&self.class_of).for_each(|(key, &class)| *key = u64::from(class));
            (rest, is_begun) = (next, true);
        }
    }

    /// Appends digits to each key. Before the first digits, all keys are set to 0.
    fn extend(&mut self, digits: &[Digit], is_begun: bool) {
        let extend = |(block, keys): (usize, &mut [u64])| {
            if !is_begun {
                keys.fill(0);
            }
            let items = block * PACKED..block * PACKED + keys.len();
            for Digit { radix, codes, labels } in digits {
                let keys = keys.iter_mut().zip(&codes[items.clone()]);
                match labels {
                    Some(labels) => {
                        keys.for_each(|(key, &code)| *key = *key * radix + u64::from(labels[code as usize]));
                    }
                    None => keys.for_each(|(key, &code)| *key = *key * radix + u64::from(code)),
                }
            }
        };
        if self.keys.len() < SHARED {
            self.keys.chunks_mut(PACKED).enumerate().for_each(extend);
        } else {
            self.keys.par_chunks_mut(PACKED).enumerate().for_each(extend);
        }
    }

    /// Numbers ascending keys.
    fn number_runs(&mut self) -> usize {
        self.class_of.clear();
        let Some(&first) = self.keys.first() else { return 0 };
        let (mut class, mut last) = (0, first);
        self.class_of.extend(self.keys.iter().map(|&key| {
            class += u32::from(key != last);
            last = key;
            class
        }));
        class as usize + 1
    }

    fn number_by_bits(&mut self, span: u64) -> usize {
        let classes = self.present.take(&self.keys, span);
        self.class_of.resize(self.keys.len(), 0);
        let number = |(class, &key): (&mut u32, &u64)| *class = self.present.rank(key);
        if self.keys.len() < SHARED {
            self.class_of.iter_mut().zip(&self.keys).for_each(number);
        } else {
            self.class_of.par_iter_mut().zip(&self.keys).with_min_len(SHARED / 2).for_each(number);
        }
        classes
    }

    fn number_by_sorting(&mut self, span: u64) -> usize {
        let sorted = SortedItems::of(&self.keys, span);
        self.class_of.clear();
        self.class_of.resize(self.keys.len(), 0);
        let (mut classes, mut last) = (0_u32, None);
        for (key, item) in sorted.iter() {
            classes += u32::from(last != Some(key));
            last = Some(key);
            self.class_of[item as usize] = classes - 1;
        }
        classes as usize
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
fn unite(mut left: Vec<Counts>, right: Vec<Counts>) -> Vec<Counts> {
    left.iter_mut().zip(right).for_each(|(sum, more)| *sum += more);
    left
}

/// Whether keys ascend. Equal keys may follow each other.
pub(super) fn is_sorted(keys: &[u64]) -> bool {
    if keys.len() < SHARED {
        return keys.is_sorted();
    }
    // Each part ends with the first key of the next one.
    let part = |part: usize| &keys[part * PACKED..keys.len().min((part + 1) * PACKED + 1)];
    (0..keys.len().div_ceil(PACKED)).into_par_iter().all(|nth| part(nth).is_sorted())
}

/// The largest key space that is cheaper to number by a bit set than by sorting. The bit set takes
/// at most 9 bytes an item.
fn bits_limit(items: usize) -> u64 {
    (items as u64) * 64 + 4096
}

/// A set of keys as bits, with the number of keys before each block.
#[derive(Debug, Default)]
struct Present {
    words: Vec<AtomicU64>,
    /// The number of keys before each block of words.
    before: Vec<u32>,
}

impl Clone for Present {
    /// Returns an empty buffer, because buffers are filled before each use.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Present {
    /// The number of words in a block.
    const BLOCK: usize = 8;

    /// Sets the bits of keys, all below `span`, and returns the number of distinct keys.
    fn take(&mut self, keys: &[u64], span: u64) -> usize {
        let words = size::index(span.div_ceil(64)).next_multiple_of(Self::BLOCK);
        self.words.iter_mut().take(words).for_each(|word| *word.get_mut() = 0);
        self.words.resize_with(words, AtomicU64::default);
        let set = |&key: &u64| {
            let (word, bit) = (&self.words[size::index(key / 64)], 1 << (key % 64));
            // Reading first is cheaper than an atomic write to a word that has the bit.
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        };
        if keys.len() < SHARED {
            for &key in keys {
                *self.words[size::index(key / 64)].get_mut() |= 1 << (key % 64);
            }
        } else {
            keys.par_iter().with_min_len(SHARED / 2).for_each(set);
        }
        let count = |block: &mut [AtomicU64]| -> u32 {
            block.iter_mut().map(|word| word.get_mut().count_ones()).sum()
        };
        self.before.clear();
        if words < SHARED {
            self.before.extend(self.words.chunks_mut(Self::BLOCK).map(count));
        } else {
            let blocks = self.words.par_chunks_mut(Self::BLOCK).with_min_len(SHARED / Self::BLOCK);
            blocks.map(count).collect_into_vec(&mut self.before);
        }
        let mut sum = 0;
        for before in &mut self.before {
            sum += std::mem::replace(before, sum);
        }
        sum as usize
    }

    /// Whether the set has a key.
    fn has(&self, key: u64) -> bool {
        self.words[size::index(key / 64)].load(Ordering::Relaxed) >> (key % 64) & 1 == 1
    }

    /// The number of distinct keys below a key of the set.
    fn rank(&self, key: u64) -> u32 {
        let place = size::index(key / 64);
        let block = place / Self::BLOCK;
        let word = |place: usize| self.words[place].load(Ordering::Relaxed);
        let within: u32 = (block * Self::BLOCK..place).map(|place| word(place).count_ones()).sum();
        self.before[block] + within + (word(place) & ((1 << (key % 64)) - 1)).count_ones()
    }
}

/// The labels and counts of the classes of a node, as numbers. The workbench computes them for each
/// step.
///
/// Hierarchies nest, so the classes of a coarser node are unions of these. A step to a coarser node
/// therefore costs O(k·m) for k classes, independent of the number of combinations. Any other step
/// counts from the combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeClasses {
    node: Node,
    /// One column for each quasi-identifier. Empty if people are counted, because their classes
    /// have the labels of several rows.
    labels: Vec<Vec<u32>>,
    counts: Vec<Counts>,
    /// The sensitive values of each class with members, if they are known.
    values: BTreeMap<u32, Arc<ClassValues>>,
}

impl NodeClasses {
    /// Counts the classes of a node from the combinations, in lexicographic order of label numbers.
    pub fn of(problem: &Problem, node: &Node) -> Self {
        Self::with_class_of(problem, node).0
    }

    /// As `of`, with the class of each unit.
    pub(super) fn with_class_of(problem: &Problem, node: &Node) -> (Self, Vec<u32>) {
        let mut rollup = Rollup::new();
        let classes = rollup.number(problem, node.levels());
        rollup.sum(classes, problem.unit_counts());
        let examples = rollup.examples(classes);
        let attributes = if problem.people().is_some() { 0 } else { node.levels().len() };
        let labels = label_columns(attributes, &examples, |attribute| {
            let labels = problem.hierarchy(attribute).labels_of(node.levels()[attribute]);
            let codes = problem.histogram().column(attribute);
            move |item| labels[codes[item] as usize]
        });
        let values =
            problem.sensitive().map(|values| values.by_class(|_, unit| rollup.class_of[unit as usize]));
        let counts = std::mem::take(&mut rollup.counts);
        let classes = Self { node: node.clone(), labels, counts, values: values.unwrap_or_default() };
        (classes, rollup.class_of)
    }

    /// The classes of another node of the same problem.
    ///
    /// They are computed from these classes if the node generalizes this one and rows are counted,
    /// otherwise from the combinations.
    #[must_use]
    pub fn at(&self, problem: &Problem, node: &Node) -> Self {
        if !node.generalizes(&self.node) || problem.people().is_some() {
            return Self::of(problem, node);
        }
        let above = self.labels_above(problem, node);
        let mut rollup = Rollup::new();
        let classes = rollup.number_items(self.len(), self.digits_above(problem, node, &above));
        rollup.sum(classes, &self.counts);
        let examples = rollup.examples(classes);
        let labels = label_columns(self.labels.len(), &examples, |attribute| {
            let (above, labels) = (&above[attribute], &self.labels[attribute]);
            move |item| above[labels[item] as usize]
        });
        let values = self.values_above(&rollup.class_of);
        Self { node: node.clone(), labels, counts: rollup.counts, values }
    }

    /// For each label of these classes, the label at a more general node.
    fn labels_above(&self, problem: &Problem, node: &Node) -> Vec<Vec<u32>> {
        let levels = self.node.levels().iter().zip(node.levels()).enumerate();
        levels.map(|(a, (&from, &to))| problem.hierarchy(a).labels_above(from, to)).collect()
    }

    fn digits_above<'a>(
        &'a self,
        problem: &Problem,
        node: &Node,
        above: &'a [Vec<u32>],
    ) -> impl Iterator<Item = Digit<'a>> {
        above.iter().zip(&self.labels).zip(node.levels()).enumerate().map(
            |(attribute, ((labels, codes), &level))| {
                let radix = problem.hierarchy(attribute).label_count(level) as u64;
                Digit { radix, codes, labels: Some(labels) }
            },
        )
    }

    /// The sensitive values of unions of these classes. `class_of` has the union of each class.
    fn values_above(&self, class_of: &[u32]) -> BTreeMap<u32, Arc<ClassValues>> {
        let mut values: BTreeMap<u32, Arc<ClassValues>> = BTreeMap::new();
        for (&class, own) in &self.values {
            let united = values.entry(class_of[class as usize]);
            united
                .and_modify(|united| *united = Arc::new(united.united(own)))
                .or_insert_with(|| Arc::clone(own));
        }
        values
    }

    /// The data of each class, as criteria use them.
    pub fn data(&self) -> impl Iterator<Item = ClassData> + '_ {
        (0..).zip(&self.counts).map(|(class, &counts)| match self.values.get(&class) {
            Some(values) => ClassData::with_values(counts, Arc::clone(values)),
            None => counts.into(),
        })
    }

    /// The number of classes that break a policy.
    pub fn broken(&self, policy: &Policy) -> usize {
        broken(&self.counts, &self.values, policy)
    }

    /// The node of these classes.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Always false, because the public table has people.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The public and private people of each class.
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// The label number of each class in one quasi-identifier, at the node's level.
    ///
    /// # Panics
    /// If people are counted: their classes have the labels of several rows.
    pub fn labels(&self, attribute: usize) -> &[u32] {
        &self.labels[attribute]
    }
}

/// For each attribute, the label of each class. All items of a class have the same label.
fn label_columns<F: Fn(usize) -> u32>(
    attributes: usize,
    examples: &[u32],
    label_of: impl Fn(usize) -> F + Sync,
) -> Vec<Vec<u32>> {
    let column = |attribute: usize| {
        let label = label_of(attribute);
        examples.iter().map(|&item| label(item as usize)).collect()
    };
    if examples.len() < SHARED {
        (0..attributes).map(column).collect()
    } else {
        (0..attributes).into_par_iter().map(column).collect()
    }
}

/// The number of classes that break a policy, given the counts of all classes and the known
/// sensitive values.
fn broken(counts: &[Counts], values: &BTreeMap<u32, Arc<ClassValues>>, policy: &Policy) -> usize {
    if values.is_empty() {
        let breaks = |counts: &&Counts| !policy.allows(**counts);
        return if counts.len() < SHARED {
            counts.iter().filter(breaks).count()
        } else {
            counts.par_iter().with_min_len(SHARED / 2).filter(breaks).count()
        };
    }
    let data = (0..).zip(counts).map(|(class, &counts)| match values.get(&class) {
        Some(values) => ClassData::with_values(counts, Arc::clone(values)),
        None => counts.into(),
    });
    data.filter(|class| !policy.allows(class)).count()
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
    pub(super) fn scattered(width: usize, people: u64) -> Problem {
        scattered_by(width, people, 100)
    }

    /// The same over so many leaves.
    pub(super) fn scattered_by(width: usize, people: u64, leaves: u64) -> Problem {
        let mut state = 1_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut counts = BTreeMap::new();
        for _ in 0..people {
            let codes: Vec<Code> = (0..width).map(|_| Code::try_from(draw(leaves)).unwrap()).collect();
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

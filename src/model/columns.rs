//! Classes as columns of small numbers: which of the distinct counts and labels each class has.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::class::{Classes, EquivalenceClass};
use super::hierarchy::{Code, Hierarchy, Kind, Level};
use super::label::Label;
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::size;

/// The classes of a release as columns.
///
/// Thousands of classes share a few hundred labels and counts, so what is asked of a label or of counts is answered
/// once for each distinct one, and classes are sorted by numbers. Made in O(k·m) for k classes and m quasi-identifiers,
/// beside the sorting of what is distinct.
#[derive(Clone, Debug)]
pub struct ClassColumns {
    spread: Vec<(Counts, u64)>,
    counts_of: Vec<u32>,
    labels: Vec<LabelColumn>,
}

/// The distinct labels that classes have in one quasi-identifier, and which of them each class has.
#[derive(Clone, Debug)]
pub struct LabelColumn {
    labels: Vec<Label>,
    texts: Vec<String>,
    /// Of each distinct label, its place among them: numbers and dates by value, others as written.
    ranks: Vec<u32>,
    label_of: Vec<u32>,
}

impl ClassColumns {
    /// The columns of these classes.
    pub fn of(problem: &Problem, classes: &Classes) -> Self {
        let (spread, counts_of) = spread_of(&classes.classes);
        let mut interned: Vec<Interner> =
            problem.quasi().iter().map(|quasi| Interner::new(&quasi.hierarchy)).collect();
        for class in &classes.classes {
            for (interner, label) in interned.iter_mut().zip(&class.labels) {
                interner.push(label);
            }
        }
        Self { spread, counts_of, labels: interned.into_iter().map(Interner::finish).collect() }
    }

    /// The distinct counts, ascending by presence and then by public people, each with how many classes have them.
    pub fn spread(&self) -> &[(Counts, u64)] {
        &self.spread
    }

    /// Of each class, its counts as an index into [`spread`](Self::spread).
    pub fn counts_of(&self) -> &[u32] {
        &self.counts_of
    }

    /// The labels of one quasi-identifier.
    pub fn labels(&self, attribute: usize) -> &LabelColumn {
        &self.labels[attribute]
    }

    /// The classes, worst first: those that break the policy most, then highest presence, then labels (numbers and dates by
    /// their value, others as written), then by number.
    pub fn worst_first(&self, policy: &Policy) -> Vec<u32> {
        let badness: Vec<_> = self
            .spread
            .iter()
            .map(|&(counts, _)| (Reverse(policy.severity(counts)), Reverse(counts.presence())))
            .collect();
        let all: Vec<u32> = (0..).take(self.counts_of.len()).collect();
        // From the last key to the first, each sorting keeping what the one before it did.
        let by_texts = self
            .labels
            .iter()
            .rfold(all, |classes, column| sort_by_rank(&classes, &column.label_of, &column.ranks, false));
        sort_by_rank(&by_texts, &self.counts_of, &dense_ranks(&badness), false)
    }
}

impl LabelColumn {
    /// The distinct labels, in order of first appearance.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The written text of each distinct label.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Of each class, its label as an index into [`labels`](Self::labels) and [`texts`](Self::texts).
    pub fn label_of(&self) -> &[u32] {
        &self.label_of
    }

    /// What is written for a class.
    pub fn text(&self, class: u32) -> &str {
        &self.texts[self.label_of[class as usize] as usize]
    }
}

/// Classes by the rank of their value in a column, in O(classes + ranks); those of one rank stay as they were.
pub(crate) fn sort_by_rank(classes: &[u32], column: &[u32], ranks: &[u32], reversed: bool) -> Vec<u32> {
    let highest = ranks.iter().max().map_or(0, |&rank| rank as usize);
    if highest == 0 {
        return classes.to_vec();
    }
    let rank = |class: u32| {
        let rank = ranks[column[class as usize] as usize] as usize;
        if reversed { highest - rank } else { rank }
    };
    // Each rank's next place is first that of the rank before.
    let mut next = vec![0_u32; highest + 2];
    for &class in classes {
        next[rank(class) + 1] += 1;
    }
    for rank in 1..next.len() {
        next[rank] += next[rank - 1];
    }
    let mut sorted = vec![0; classes.len()];
    for &class in classes {
        let place = &mut next[rank(class)];
        sorted[*place as usize] = class;
        *place += 1;
    }
    sorted
}

/// The place of each key among the distinct keys.
pub(crate) fn dense_ranks<K: Ord>(keys: &[K]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(keys.len()).collect();
    let key = |place: &u32| &keys[*place as usize];
    order.sort_unstable_by(|left, right| key(left).cmp(key(right)));
    let mut ranks = vec![0; keys.len()];
    for (rank, equals) in (0..).zip(order.chunk_by(|left, right| key(left) == key(right))) {
        for &place in equals {
            ranks[place as usize] = rank;
        }
    }
    ranks
}

/// The distinct counts in order, with how many classes have them, and which of them each class has.
fn spread_of(classes: &[EquivalenceClass]) -> (Vec<(Counts, u64)>, Vec<u32>) {
    let mut known: FxHashMap<Counts, u32> = FxHashMap::default();
    let mut found: Vec<(Counts, u64)> = Vec::new();
    let number = |class: &EquivalenceClass| {
        let next = size::number(found.len());
        let number = *known.entry(class.counts).or_insert(next);
        if number == next {
            found.push((class.counts, 0));
        }
        found[number as usize].1 += 1;
        number
    };
    let mut counts_of: Vec<u32> = classes.iter().map(number).collect();
    let keys: Vec<_> = found.iter().map(|(counts, _)| (counts.presence(), counts.public)).collect();
    // Presence and public people tell counts apart, so no two share a rank.
    let ranks = dense_ranks(&keys);
    let mut spread = found.clone();
    for (&rank, &counted) in ranks.iter().zip(&found) {
        spread[rank as usize] = counted;
    }
    for number in &mut counts_of {
        *number = ranks[*number as usize];
    }
    (spread, counts_of)
}

/// The first and the last leaf of each label of a level.
fn ends_of(hierarchy: &Hierarchy, level: Level) -> Vec<(Code, Code)> {
    let mut ends = vec![(Code::MAX, 0); hierarchy.label_count(level)];
    for (code, &label) in (0..).zip(hierarchy.labels_of(level)) {
        let (first, last) = &mut ends[label as usize];
        *first = code.min(*first);
        *last = code.max(*last);
    }
    ends
}

/// A whole number in a form that compares by its value whatever its length; what is none comes after all that are.
fn number_in(text: &str) -> (bool, usize, &str) {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = if is_number { text.trim_start_matches('0') } else { "" };
    (!is_number, digits.len(), digits)
}

/// Numbers the distinct labels of one quasi-identifier.
struct Interner<'a> {
    hierarchy: &'a Hierarchy,
    labels: Vec<Label>,
    label_of: Vec<u32>,
    /// Of each level from the base and each of its labels, its number here; empty until the level is met.
    levels: Vec<Vec<u32>>,
    ranges: FxHashMap<(Code, Code), u32>,
    sets: FxHashMap<Vec<Code>, u32>,
}

impl<'a> Interner<'a> {
    const UNKNOWN: u32 = u32::MAX;

    fn new(hierarchy: &'a Hierarchy) -> Self {
        Self {
            hierarchy,
            labels: Vec::new(),
            label_of: Vec::new(),
            levels: vec![Vec::new(); hierarchy.levels().count()],
            ranges: FxHashMap::default(),
            sets: FxHashMap::default(),
        }
    }

    fn push(&mut self, label: &Label) {
        let next = size::number(self.labels.len());
        let number = match label {
            Label::Of(level, label) => {
                let numbers = &mut self.levels[usize::from(level.0 - self.hierarchy.base().0)];
                if numbers.is_empty() {
                    numbers.resize(self.hierarchy.label_count(*level), Self::UNKNOWN);
                }
                let known = &mut numbers[*label as usize];
                if *known == Self::UNKNOWN {
                    *known = next;
                }
                *known
            }
            Label::Range(low, high) => *self.ranges.entry((*low, *high)).or_insert(next),
            Label::Set(codes) => self.sets.get(codes).copied().unwrap_or_else(|| {
                self.sets.insert(codes.clone(), next);
                next
            }),
        };
        if number == next {
            self.labels.push(label.clone());
        }
        self.label_of.push(number);
    }

    /// The place of each label among all: where leaves have an order of their own by that of its first and last leaf, else
    /// whole numbers by their value, then the others as texts.
    fn ranks(&self, texts: &[String]) -> Vec<u32> {
        if self.hierarchy.kind() == Kind::Category {
            let key = |text| (number_in(text), text);
            return dense_ranks(&texts.iter().map(String::as_str).map(key).collect::<Vec<_>>());
        }
        let mut ends: Vec<Vec<(Code, Code)>> = vec![Vec::new(); self.levels.len()];
        let mut key = |(label, text): (&Label, &String)| {
            let (first, last) = match label {
                Label::Of(level, label) => {
                    let known = &mut ends[usize::from(level.0 - self.hierarchy.base().0)];
                    if known.is_empty() {
                        *known = ends_of(self.hierarchy, *level);
                    }
                    known[*label as usize]
                }
                Label::Range(low, high) => (*low, *high),
                Label::Set(codes) => {
                    (codes.first().copied().unwrap_or(0), codes.last().copied().unwrap_or(0))
                }
            };
            (first, last, text.clone())
        };
        dense_ranks(&self.labels.iter().zip(texts).map(&mut key).collect::<Vec<_>>())
    }

    fn finish(self) -> LabelColumn {
        let texts: Vec<String> = self.labels.iter().map(|label| label.text(self.hierarchy)).collect();
        let ranks = self.ranks(&texts);
        LabelColumn { labels: self.labels, texts, ranks, label_of: self.label_of }
    }
}

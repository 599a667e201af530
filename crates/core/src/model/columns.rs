//! The published texts of classes, and orders of classes: worst first, or by the ranks of a column.

use std::cmp::Reverse;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::class::{ClassLabels, Classes, EquivalenceClass};
use super::description::Term;
use super::hierarchy::{Code, Hierarchy, Kind, Level};
use super::keys::{PACKED, SHARED, SortedItems, dense_ranks, is_sorted};
use super::label::{Label, span};
use super::policy::Policy;
use super::problem::Problem;
use super::tables::QuasiIdentifier;

/// The classes of a release with their published texts, for listings in any order.
#[derive(Clone, Debug)]
pub struct ClassColumns {
    classes: Arc<Classes>,
    written: Vec<Written>,
}

/// The published texts of the distinct labels of one quasi-identifier.
#[derive(Clone, Debug)]
pub(super) struct Written {
    texts: Vec<String>,
    /// The rank of each distinct label. Numbers and dates are ordered by value, other labels by
    /// text.
    ranks: Vec<u32>,
}

/// The distinct labels of one quasi-identifier with their texts, and the label of each class.
#[derive(Clone, Copy, Debug)]
pub struct LabelColumn<'a> {
    labels: &'a ClassLabels,
    texts: &'a [String],
}

impl ClassColumns {
    /// Creates the columns of these classes. Each distinct label is written once.
    pub fn of(problem: &Problem, classes: &Arc<Classes>) -> Self {
        Self { classes: Arc::clone(classes), written: written(problem, classes) }
    }

    /// The classes of these columns.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The labels of one quasi-identifier.
    pub fn labels(&self, attribute: usize) -> LabelColumn<'_> {
        LabelColumn { labels: self.classes.labels(attribute), texts: &self.written[attribute].texts }
    }

    /// The numbers of the classes, worst first. The order is by how far a class breaks the policy,
    /// then by descending presence, then by label, then by number.
    ///
    /// Numbers and dates are compared by value, other labels by text.
    pub fn worst_first(&self, policy: &Policy) -> Vec<u32> {
        worst_first(&self.classes, &self.written, policy)
    }
}

impl Classes {
    /// The classes, worst first. The order is by how far a class breaks the policy (δ before other
    /// criteria), then by descending presence, then by label.
    ///
    /// Numbers and dates are compared by value, other labels by text.
    pub fn worst_first(&self, problem: &Problem) -> Vec<EquivalenceClass> {
        let order = worst_first(self, &written(problem, self), problem.policy());
        order.into_iter().map(|class| self.class(class)).collect()
    }
}

impl<'a> LabelColumn<'a> {
    /// The distinct labels, in order of first appearance.
    pub fn labels(self) -> &'a [Label] {
        self.labels.labels()
    }

    /// The published text of each distinct label.
    pub fn texts(self) -> &'a [String] {
        self.texts
    }

    /// The label of each class, as an index into [`labels`](Self::labels) and
    /// [`texts`](Self::texts).
    pub fn label_of(self) -> &'a [u32] {
        self.labels.label_of()
    }

    /// The published text of a class.
    pub fn text(self, class: u32) -> &'a str {
        &self.texts[self.labels.label_of()[class as usize] as usize]
    }
}

/// The published texts of each quasi-identifier's labels.
pub(super) fn written(problem: &Problem, classes: &Classes) -> Vec<Written> {
    let of_attribute = |(attribute, quasi): (usize, &QuasiIdentifier)| {
        let labels = classes.labels(attribute).labels();
        let texts: Vec<String> = labels.iter().map(|label| label.text(&quasi.hierarchy)).collect();
        let ranks = ranks(&quasi.hierarchy, labels, &texts);
        Written { texts, ranks }
    };
    problem.quasi().iter().enumerate().map(of_attribute).collect()
}

/// The numbers of classes in the order of [`ClassColumns::worst_first`].
pub(super) fn worst_first(classes: &Classes, written: &[Written], policy: &Policy) -> Vec<u32> {
    let badness: Vec<_> = classes
        .spread()
        .iter()
        .map(|(data, _)| (Reverse(policy.severity(data)), Reverse(data.counts().presence())))
        .collect();
    let columns: Vec<(&[u32], &[u32])> = written
        .iter()
        .enumerate()
        .map(|(attribute, written)| (classes.labels(attribute).label_of(), &written.ranks[..]))
        .collect();
    let by_texts = by_ranks(classes.len(), &columns);
    sort_by_rank(&by_texts, classes.data_of(), &dense_ranks(&badness), false)
}

/// Sorts class numbers by the ranks of their values in columns. The first column is the most
/// significant; ties are ordered by number.
fn by_ranks(classes: usize, columns: &[(&[u32], &[u32])]) -> Vec<u32> {
    let all: Vec<u32> = (0..).take(classes).collect();
    let spans = columns.iter().map(|(_, ranks)| ranks.iter().max().map_or(0, |&rank| u64::from(rank)) + 1);
    let is_small = spans.clone().try_fold(1_u64, u64::checked_mul).is_some();
    if classes < SHARED || !is_small {
        // Sorts from the last key to the first. Each sort is stable.
        let one = |classes: Vec<u32>, &(column, ranks): &(&[u32], &[u32])| {
            sort_by_rank(&classes, column, ranks, false)
        };
        return columns.iter().rfold(all, one);
    }
    let mut keys = vec![0_u64; classes];
    let columns: Vec<_> = columns.iter().zip(spans.clone()).collect();
    keys.par_chunks_mut(PACKED).enumerate().for_each(|(block, keys)| {
        let items = block * PACKED..block * PACKED + keys.len();
        for &(&(column, ranks), span) in &columns {
            let extend =
                |(key, &value): (&mut u64, &u32)| *key = *key * span + u64::from(ranks[value as usize]);
            keys.iter_mut().zip(&column[items.clone()]).for_each(extend);
        }
    });
    // Classes of a node are already sorted if the order of label numbers is that of the texts.
    if is_sorted(&keys) {
        return all;
    }
    SortedItems::of(&keys, spans.product()).iter().map(|(_, class)| class).collect()
}

/// Sorts classes by the rank of their value in a column. The sort is stable. O(classes + ranks).
pub fn sort_by_rank(classes: &[u32], column: &[u32], ranks: &[u32], reversed: bool) -> Vec<u32> {
    let highest = ranks.iter().max().map_or(0, |&rank| rank as usize);
    if highest == 0 {
        return classes.to_vec();
    }
    let rank = |class: u32| {
        let rank = ranks[column[class as usize] as usize] as usize;
        if reversed { highest - rank } else { rank }
    };
    // Counting sort: the next position of each rank starts at that of the previous rank.
    let mut next = vec![0_u32; highest + 2];
    for &class in classes {
        next[rank(class) + 1] += 1;
    }
    for rank in 1..next.len() {
        next[rank] += next[rank - 1];
    }
    let mut sorted = vec![0; classes.len()];
    for &class in classes {
        let position = &mut next[rank(class)];
        sorted[*position as usize] = class;
        *position += 1;
    }
    sorted
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

/// A key that compares whole numbers by value, whatever their length. Texts that are not numbers
/// come last.
fn number_in(text: &str) -> (bool, usize, &str) {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = if is_number { text.trim_start_matches('0') } else { "" };
    (!is_number, digits.len(), digits)
}

/// The rank of each label.
///
/// If the leaves are ordered, labels are compared by their first and last leaf. Otherwise whole
/// numbers are compared by value and precede all other texts.
fn ranks(hierarchy: &Hierarchy, labels: &[Label], texts: &[String]) -> Vec<u32> {
    if hierarchy.kind() == Kind::Category {
        let key = |text| (number_in(text), text);
        return dense_ranks(&texts.iter().map(String::as_str).map(key).collect::<Vec<_>>());
    }
    let mut known: FxHashMap<Level, Vec<(Code, Code)>> = FxHashMap::default();
    let mut ends = |(level, label): Term| {
        known.entry(level).or_insert_with(|| ends_of(hierarchy, level))[label as usize]
    };
    let mut key = |(label, text): (&Label, &String)| {
        // Labels of several rows are compared by that of the first row, then by text.
        let (first, last) = match label.rows().first().unwrap_or(label) {
            Label::Of(level, label) | Label::Except((level, label), _) => ends((*level, *label)),
            Label::Range(low, high) => (*low, *high),
            Label::Span(level, members) => {
                let labels = span(members);
                (ends((*level, *labels.start())).0, ends((*level, *labels.end())).1)
            }
            Label::Union(terms) => {
                let all = terms.iter().map(|&term| ends(term));
                all.reduce(|left, right| (left.0.min(right.0), left.1.max(right.1))).unwrap_or((0, 0))
            }
            Label::Rows(_) => (0, 0),
        };
        (first, last, text.clone())
    };
    dense_ranks(&labels.iter().zip(texts).map(&mut key).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes that cores share, keys that fit 64 bits and keys that do not, in order and not.
    #[test]
    fn classes_are_ordered_by_rank_at_any_size() {
        for (classes, width, values) in [(100, 3, 7), (SHARED + 1000, 3, 50), (SHARED + 1000, 13, 50)] {
            let mut state = 7_u64;
            let mut draw = |below: u32| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                u32::try_from(state >> 33).unwrap() % below
            };
            let mut columns: Vec<(Vec<u32>, Vec<u32>)> = (0..width)
                .map(|_| {
                    let column = (0..classes).map(|_| draw(values)).collect();
                    (column, dense_ranks(&(0..values).map(|_| draw(40)).collect::<Vec<_>>()))
                })
                .collect();
            let rank =
                |(column, ranks): &(Vec<u32>, Vec<u32>), class: u32| ranks[column[class as usize] as usize];
            for _ in 0..2 {
                let borrowed: Vec<(&[u32], &[u32])> =
                    columns.iter().map(|(column, ranks)| (&column[..], &ranks[..])).collect();
                let found = by_ranks(classes, &borrowed);
                let key = |&class: &u32| columns.iter().map(|column| rank(column, class)).collect::<Vec<_>>();
                let mut expected: Vec<u32> = (0..).take(classes).collect();
                expected.sort_by_key(key);
                assert!(found == expected, "{classes} classes of {width} columns");
                // Then the same classes in this order.
                for (column, _) in &mut columns {
                    *column = found.iter().map(|&class| column[class as usize]).collect();
                }
            }
        }
    }
}

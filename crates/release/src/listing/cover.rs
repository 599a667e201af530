//! The labels that cover a value, such as the labels that `age:45` in a filter can mean.

use std::str::FromStr;

use rust_decimal::Decimal;

use palmtop_core::model::label::span;
use palmtop_core::model::{Code, Hierarchy, Kind, Label, Level};

/// Leaves of a quasi-identifier, with their labels at every level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// Leaves in the order of their codes. A label covers them if it contains one of them.
    Leaves {
        codes: Vec<Code>,
        /// The label of each leaf at each level, and the distinct labels, ascending.
        labels: Vec<(Level, Vec<u32>, Vec<u32>)>,
    },
    /// A number or a day between two leaves. A label covers it if it contains both.
    Between { above: Code, labels: Vec<(Level, [u32; 2])> },
}

impl Cover {
    /// Finds the leaves that a text names at any level, in upper or lower case, or the two leaves between which a number or a
    /// day is. `None` if the text is not a value.
    pub(super) fn of(hierarchy: &Hierarchy, text: &str) -> Option<Self> {
        Self::named(hierarchy, text).or_else(|| Self::between(hierarchy, text))
    }

    /// Finds the leaves that a text names, in O(leaves · levels).
    fn named(hierarchy: &Hierarchy, text: &str) -> Option<Self> {
        let wanted = text.to_lowercase();
        let mut is_named = vec![false; hierarchy.leaf_count()];
        for level in hierarchy.levels() {
            let labels: Vec<bool> =
                hierarchy.labels(level).iter().map(|label| label.to_lowercase() == wanted).collect();
            for (is_named, &label) in is_named.iter_mut().zip(hierarchy.labels_of(level)) {
                *is_named |= labels[label as usize];
            }
        }
        let codes: Vec<Code> =
            (0..).zip(is_named).filter_map(|(code, named)| named.then_some(code)).collect();
        if codes.is_empty() {
            return None;
        }
        let labels_of = |level| {
            let labels: Vec<u32> =
                codes.iter().map(|&code| hierarchy.labels_of(level)[code as usize]).collect();
            let mut distinct = labels.clone();
            distinct.sort_unstable();
            distinct.dedup();
            (level, labels, distinct)
        };
        Some(Self::Leaves { labels: hierarchy.levels().map(labels_of).collect(), codes })
    }

    /// Finds the position of a text among ordered leaves if it is not a leaf, in O(log leaves).
    fn between(hierarchy: &Hierarchy, text: &str) -> Option<Self> {
        let leaf = |code| hierarchy.leaf(code);
        let above = match hierarchy.kind() {
            Kind::Category => None,
            Kind::Date => first_beyond(hierarchy, |code| day(leaf(code)), &day(text)?),
            Kind::Number => first_beyond(hierarchy, |code| number(leaf(code)), &number(text)?),
        }?;
        let labels_of = |level| {
            let labels = hierarchy.labels_of(level);
            (level, [labels[above as usize - 1], labels[above as usize]])
        };
        Some(Self::Between { above, labels: hierarchy.levels().map(labels_of).collect() })
    }

    /// Whether the text itself is not a leaf. Then a published label may still contain it.
    pub(super) fn is_between(&self) -> bool {
        matches!(self, Self::Between { .. })
    }

    /// Whether a person with the value can have a label.
    pub(super) fn is_under(&self, label: &Label) -> bool {
        match (self, label) {
            (_, Label::Of(level, label)) => self.is_under_label(*level, |found| found == *label),
            (_, Label::Span(level, members)) => {
                self.is_under_label(*level, |found| span(members).contains(&found))
            }
            (Self::Leaves { codes, .. }, Label::Range(low, high)) => {
                codes.get(codes.partition_point(|code| code < low)).is_some_and(|code| code <= high)
            }
            (Self::Between { above, .. }, Label::Range(low, high)) => low < above && above <= high,
            (_, Label::Union(terms)) => {
                terms.iter().any(|&(level, label)| self.is_under_label(level, |found| found == label))
            }
            (Self::Leaves { codes, labels }, Label::Except(around, exceptions)) => {
                (0..codes.len()).any(|leaf| {
                    let has = |&(level, label): &(Level, u32)| {
                        let found = labels.iter().find(|(known, ..)| *known == level);
                        found.is_some_and(|(_, of_leaves, _)| of_leaves[leaf] == label)
                    };
                    has(around) && !exceptions.iter().any(has)
                })
            }
            (Self::Between { .. }, Label::Except((level, label), exceptions)) => {
                self.is_under_label(*level, |found| found == *label)
                    && !exceptions
                        .iter()
                        .any(|&(level, label)| self.is_under_label(level, |found| found == label))
            }
            (_, Label::Rows(labels)) => labels.iter().any(|label| self.is_under(label)),
        }
    }

    /// Whether a label of the value at a level is one of some labels. A value between two leaves must have
    /// both of their labels.
    fn is_under_label(&self, level: Level, is_one: impl Fn(u32) -> bool) -> bool {
        match self {
            Self::Leaves { labels, .. } => {
                let found = labels.iter().find(|(known, ..)| *known == level);
                found.is_some_and(|(_, _, distinct)| distinct.iter().any(|&label| is_one(label)))
            }
            Self::Between { labels, .. } => {
                let found = labels.iter().find(|(known, _)| *known == level);
                found.is_some_and(|(_, labels)| labels.iter().all(|&label| is_one(label)))
            }
        }
    }
}

/// The first leaf beyond a value. `None` if no leaf is before the value, or an examined leaf cannot be read.
fn first_beyond<V: Ord>(
    hierarchy: &Hierarchy,
    value: impl Fn(Code) -> Option<V>,
    wanted: &V,
) -> Option<Code> {
    // The leaf for a missing value comes before all values, and is skipped.
    let first = Code::from(hierarchy.missing().is_some());
    let mut range = first..Code::try_from(hierarchy.leaf_count()).ok()?;
    let end = range.end;
    while range.start < range.end {
        let middle = range.start + (range.end - range.start) / 2;
        if value(middle)? < *wanted {
            range.start = middle + 1;
        } else {
            range.end = middle;
        }
    }
    (range.start > first && range.start < end).then_some(range.start)
}

fn number(text: &str) -> Option<Decimal> {
    Decimal::from_str(text.trim()).ok()
}

/// A day as `2024-01-05`. The order of such texts is the order of the days.
fn day(text: &str) -> Option<String> {
    let form = |(index, byte): (usize, u8)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    (text.len() == 10 && text.bytes().enumerate().all(form)).then(|| text.to_owned())
}

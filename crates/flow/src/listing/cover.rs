//! Which labels a value can be under: what `age:45` asks of a region.

use std::str::FromStr;

use rust_decimal::Decimal;

use palmtop_core::model::{Code, Hierarchy, Kind, Label, Level};

/// Some leaves of a quasi-identifier, with what they are called at every level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// Leaves in the order of their codes: a label covers them where it denotes one.
    Leaves {
        codes: Vec<Code>,
        /// Of each level, the labels of the leaves, ascending.
        labels: Vec<(Level, Vec<u32>)>,
    },
    /// A number or a day between two leaves: a label covers it where it denotes both.
    Between { above: Code, labels: Vec<(Level, [u32; 2])> },
}

impl Cover {
    /// What a text means, whatever the case: the leaves that it names at any level, or a place between two numbers or days.
    /// `None` for what is no value.
    pub(super) fn of(hierarchy: &Hierarchy, text: &str) -> Option<Self> {
        Self::named(hierarchy, text).or_else(|| Self::between(hierarchy, text))
    }

    /// The leaves that a text names, O(leaves · levels).
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
            let mut labels: Vec<u32> =
                codes.iter().map(|&code| hierarchy.labels_of(level)[code as usize]).collect();
            labels.sort_unstable();
            labels.dedup();
            (level, labels)
        };
        Some(Self::Leaves { labels: hierarchy.levels().map(labels_of).collect(), codes })
    }

    /// Where a text that is no leaf would stand among leaves that are ordered, O(log leaves).
    fn between(hierarchy: &Hierarchy, text: &str) -> Option<Self> {
        let leaf = |code| hierarchy.leaf(code);
        let above = match hierarchy.kind() {
            Kind::Category => None,
            Kind::Date => place(hierarchy, |code| day(leaf(code)), &day(text)?),
            Kind::Number => place(hierarchy, |code| number(leaf(code)), &number(text)?),
        }?;
        let labels_of = |level| {
            let labels = hierarchy.labels_of(level);
            (level, [labels[above as usize - 1], labels[above as usize]])
        };
        Some(Self::Between { above, labels: hierarchy.levels().map(labels_of).collect() })
    }

    /// Whether the text itself names no leaf, so that what is written may still contain it.
    pub(super) fn is_between(&self) -> bool {
        matches!(self, Self::Between { .. })
    }

    /// Whether somebody with the value can be under a label.
    pub(super) fn is_under(&self, label: &Label) -> bool {
        match (self, label) {
            (Self::Leaves { labels, .. }, Label::Of(level, label)) => {
                let own = labels.iter().find(|(own, _)| own == level);
                own.is_some_and(|(_, own)| own.binary_search(label).is_ok())
            }
            (Self::Leaves { codes, .. }, Label::Range(low, high)) => {
                codes.get(codes.partition_point(|code| code < low)).is_some_and(|code| code <= high)
            }
            (Self::Leaves { codes, .. }, Label::Set(set)) => {
                set.iter().any(|code| codes.binary_search(code).is_ok())
            }
            (Self::Between { labels, .. }, Label::Of(level, label)) => {
                let own = labels.iter().find(|(own, _)| own == level);
                own.is_some_and(|(_, own)| own == &[*label; 2])
            }
            (Self::Between { above, .. }, Label::Range(low, high)) => low < above && above <= high,
            (Self::Between { .. }, Label::Set(_)) => false,
            (_, Label::Rows(labels)) => labels.iter().any(|label| self.is_under(label)),
        }
    }
}

/// The first leaf beyond a value, if there is one before it too and all that are looked at can be read.
fn place<V: Ord>(hierarchy: &Hierarchy, value: impl Fn(Code) -> Option<V>, wanted: &V) -> Option<Code> {
    // Who has no value stands before all values and is none.
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

/// A day as `2024-01-05`: such texts are ordered as the days are.
fn day(text: &str) -> Option<String> {
    let form = |(place, byte): (usize, u8)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    (text.len() == 10 && text.bytes().enumerate().all(form)).then(|| text.to_owned())
}

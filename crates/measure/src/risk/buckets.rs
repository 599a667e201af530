//! The number of classes and members by measures of their class, in the buckets of usual risk
//! analyses.

use super::RiskClass;
use palmtop_core::model::{Counts, Presence, ValueCounts};

/// The classes whose measure is between two bounds. A size includes both bounds. A presence is
/// above the lower bound and at most the upper one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The lower bound.
    pub from: String,
    /// The upper bound; `None` if there is none.
    pub to: Option<String>,
    /// The number of classes with members.
    pub classes: u64,
    /// The number of members of these classes.
    pub members: u64,
}

/// The buckets of each measure, in ascending order, including empty ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// By the number of members of T.
    pub members: Vec<Bucket>,
    /// By the number of people of P.
    pub people: Vec<Bucket>,
    /// By the number of distinct values of the attribute that has the fewest in the class. Empty if
    /// T has no sensitive attribute.
    pub distinct: Vec<Bucket>,
    /// By presence.
    pub presence: Vec<Bucket>,
}

/// The lower bounds of the buckets of sizes. The last bucket has no upper bound.
const SIZES: [u64; 10] = [1, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000];

/// The upper bounds of the buckets of presence, in hundredths. Each bucket starts above the
/// previous one. One more bucket follows, from above 99/100 to 1 inclusive.
const HUNDREDTHS: [u64; 8] = [1, 5, 10, 20, 33, 50, 75, 99];

impl Buckets {
    pub(super) fn of(released: &[RiskClass]) -> Self {
        let distinct = |class: &RiskClass| {
            class.values.iter().map(ValueCounts::distinct).min().map(|least| least as u64)
        };
        let has_values = released.iter().any(|class| !class.values.is_empty());
        Self {
            members: by_size(released, |class| class.counts.private),
            people: by_size(released, |class| class.counts.public),
            distinct: if has_values {
                by_size(released, |class| distinct(class).unwrap_or(0))
            } else {
                Vec::new()
            },
            presence: by_presence(released),
        }
    }
}

fn by_size(released: &[RiskClass], size: impl Fn(&RiskClass) -> u64) -> Vec<Bucket> {
    let ends = SIZES.iter().skip(1).map(|next| Some(next - 1)).chain([None]);
    let bucket = |(&from, to): (&u64, Option<u64>)| {
        let is_within = |size: u64| size >= from && to.is_none_or(|to| size <= to);
        let classes = released.iter().filter(|class| is_within(size(class)));
        counted(from.to_string(), to.map(|to| to.to_string()), classes)
    };
    SIZES.iter().zip(ends).map(bucket).collect()
}

fn by_presence(released: &[RiskClass]) -> Vec<Bucket> {
    let of = |hundredths: u64| Presence::new(hundredths, 100).unwrap_or(Presence::ONE);
    let ends = HUNDREDTHS.iter().map(|&end| of(end)).chain([Presence::ONE]);
    let mut from = Presence::ZERO;
    let mut buckets = Vec::new();
    for to in ends {
        let is_within = |presence: Presence| presence > from && (presence <= to);
        let classes = released.iter().filter(|class| is_within(class.counts.presence()));
        buckets.push(counted(from.to_string(), Some(to.to_string()), classes));
        from = to;
    }
    buckets
}

fn counted<'a>(from: String, to: Option<String>, classes: impl Iterator<Item = &'a RiskClass>) -> Bucket {
    let (mut count, mut people) = (0, Counts::default());
    for class in classes {
        count += 1;
        people += class.counts;
    }
    Bucket { from, to, classes: count, members: people.private }
}

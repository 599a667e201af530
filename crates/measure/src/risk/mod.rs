//! Risks of a release other than δ. They are measured, but not enforced. Definitions:
//! `docs/measures.md`, *Risk*.
//!
//! The measures are the sizes of the classes and the number of their sensitive values. They also
//! compare the distribution of these values in each class with T's. Only classes with members
//! count, because the other classes have no released rows.

mod buckets;
mod membership;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use palmtop_core::model::{Counts, Fraction, Presence, SensitiveColumn, ValueCounts, closeness, diversity};

pub use buckets::{Bucket, Buckets};
pub use membership::{Attack, Membership, f1_with_full_recall, relative_f1};

/// A class as input of the risk measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskClass {
    /// The published label of each quasi-identifier.
    pub labels: Vec<String>,
    /// The number of its people of P and of its members of T.
    pub counts: Counts,
    /// The values of its members, for each sensitive attribute.
    pub values: Vec<ValueCounts>,
}

/// The classes of a release that have members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskClasses {
    /// The number of all classes, also of those without members.
    pub all: u64,
    /// The classes with members.
    pub released: Vec<RiskClass>,
    /// The sensitive attributes of T.
    pub sensitive: Vec<SensitiveColumn>,
}

/// The measured risks of a release.
#[derive(Clone, Debug, PartialEq)]
pub struct Risk {
    /// The number of all classes, also of those without members.
    pub classes: u64,
    /// The number of classes with members.
    pub released_classes: u64,
    /// The number of members in all classes.
    pub members: u64,
    /// The least number of members in a class.
    pub k: u64,
    /// The least number of people of P in a class.
    pub k_map: u64,
    /// The number of members who are alone in their class.
    pub unique_members: u64,
    /// The number of members who are the only person of P in their class.
    pub unique_people: u64,
    /// The mean over the members of 1/(members of their class).
    pub mean_risk: Fraction,
    /// The mean over the members of 1/(people of P in their class).
    pub mean_map_risk: Fraction,
    /// The risk of each sensitive attribute.
    pub sensitive: Vec<SensitiveRisk>,
    /// The number of classes and members by the measures of their class.
    pub buckets: Buckets,
}

/// The disclosure risk of a sensitive attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitiveRisk {
    /// The name of the attribute.
    pub name: String,
    /// The least number of distinct values in a class.
    pub distinct: u64,
    /// The least e^H of a class, with H the entropy of its values. It is the number of equally
    /// frequent values with the same entropy.
    pub entropy: f64,
    /// The greatest l for which every class is recursively (c, l)-diverse.
    pub recursive: u64,
    /// The number of members in classes with only one value.
    pub one_value: u64,
    /// The greatest share of one value in a class: the probability of guessing the value of a known
    /// member.
    pub largest_guess: Presence,
    /// The mean over the members of the share of the most frequent value in their class.
    pub mean_guess: Presence,
    /// The greatest distance of a class from T, if all values are equally far apart.
    pub equal: Fraction,
    /// The greatest distance of a class from T, if the values are ordered; `None` if they are not
    /// numbers.
    pub ordered: Option<Fraction>,
    /// The greatest distance of a class from T by the hierarchy of the values; `None` if they have
    /// none.
    pub hierarchy: Option<Fraction>,
}

impl Risk {
    /// Measures the classes with members of a release. `c` is the parameter of recursive diversity.
    pub fn of(classes: &RiskClasses, c: &Fraction) -> Self {
        let released = &classes.released;
        let members: u64 = released.iter().map(|class| class.counts.private).sum();
        let least = |count: fn(Counts) -> u64| released.iter().map(|class| count(class.counts)).min();
        let alone = |count: fn(Counts) -> u64| {
            let alone = released.iter().filter(|class| count(class.counts) == 1);
            alone.map(|class| class.counts.private).sum()
        };
        let mean_over = |count: fn(Counts) -> u64| {
            let each = released.iter().map(|class| (class.counts.private.into(), count(class.counts)));
            mean(each, members)
        };
        Self {
            classes: classes.all,
            released_classes: released.len() as u64,
            members,
            k: least(|counts| counts.private).unwrap_or(0),
            k_map: least(|counts| counts.public).unwrap_or(0),
            unique_members: alone(|counts| counts.private),
            unique_people: alone(|counts| counts.public),
            mean_risk: mean_over(|counts| counts.private),
            mean_map_risk: mean_over(|counts| counts.public),
            sensitive: (0..)
                .zip(&classes.sensitive)
                .map(|(nth, column)| SensitiveRisk::of(column, released, nth, c))
                .collect(),
            buckets: Buckets::of(released),
        }
    }
}

impl SensitiveRisk {
    fn of(column: &SensitiveColumn, released: &[RiskClass], nth: usize, c: &Fraction) -> Self {
        let values = || released.iter().map(|class| &class.values[nth]);
        let greatest = |distance: &dyn Fn(&ValueCounts, &ValueCounts) -> Fraction| {
            values().map(|values| distance(values, &column.all)).max().unwrap_or_else(Fraction::zero)
        };
        let least = |measure: &dyn Fn(&ValueCounts) -> usize| values().map(measure).min().unwrap_or(0) as u64;
        let guessed = |values: &ValueCounts| values.iter().map(|(_, members)| members).max().unwrap_or(0);
        let guess = |values: &ValueCounts| Counts::new(values.members(), guessed(values)).presence();
        Self {
            name: column.name.clone(),
            distinct: least(&ValueCounts::distinct),
            entropy: values().map(diversity::effective_values).min_by(f64::total_cmp).unwrap_or(0.0),
            recursive: least(&|values| diversity::recursive_level(values, c)),
            one_value: values().filter(|values| values.distinct() == 1).map(ValueCounts::members).sum(),
            largest_guess: values().map(guess).max().unwrap_or(Presence::ZERO),
            mean_guess: Counts::new(values().map(ValueCounts::members).sum(), values().map(guessed).sum())
                .presence(),
            equal: greatest(&closeness::equal_distance),
            ordered: column.is_ordered.then(|| greatest(&closeness::ordered_distance)),
            hierarchy: column
                .tree
                .as_ref()
                .map(|tree| greatest(&|class, _| closeness::hierarchical_distance(class, tree))),
        }
    }
}

/// The sum of fractions over the members, as a mean over members; 0 without members. Fractions with
/// one denominator are summed first, and then pairs, so that the numbers stay short.
fn mean(fractions: impl Iterator<Item = (u128, u64)>, members: u64) -> Fraction {
    if members == 0 {
        return Fraction::zero();
    }
    let mut above: BTreeMap<u64, u128> = BTreeMap::new();
    for (numerator, denominator) in fractions {
        *above.entry(denominator).or_default() += numerator;
    }
    let mut sums: Vec<Fraction> =
        above.into_iter().map(|(below, above)| Fraction::ratio(above, below.into())).collect();
    while sums.len() > 1 {
        let pairs = sums.chunks(2).map(|pair| pair.iter().fold(Fraction::zero(), |sum, part| sum.plus(part)));
        sums = pairs.collect();
    }
    let sum = sums.pop().unwrap_or_else(Fraction::zero);
    (sum.as_ratio() / Fraction::ratio(members.into(), 1).as_ratio()).into()
}

impl RiskClasses {
    /// The number of members with a risk above `limit`. The risk is 1 over the `count` of their class.
    pub fn members_above(&self, limit: Presence, count: fn(Counts) -> u64) -> u64 {
        let is_above = |class: &&RiskClass| Counts::new(count(class.counts), 1).presence() > limit;
        self.released.iter().filter(is_above).map(|class| class.counts.private).sum()
    }

    /// The classes with the greatest risk, the worst first. The order is by fewest members, then
    /// fewest people of P, then fewest distinct values, then labels.
    pub fn worst(&self, count: usize) -> Vec<&RiskClass> {
        let distinct = |class: &RiskClass| class.values.iter().map(ValueCounts::distinct).min();
        let order = |left: &&RiskClass, right: &&RiskClass| -> Ordering {
            let people =
                (left.counts.private, left.counts.public).cmp(&(right.counts.private, right.counts.public));
            people
                .then_with(|| distinct(left).cmp(&distinct(right)))
                .then_with(|| left.labels.cmp(&right.labels))
        };
        let mut worst: Vec<&RiskClass> = self.released.iter().collect();
        worst.sort_by(order);
        worst.truncate(count);
        worst
    }
}

#[cfg(test)]
mod tests;

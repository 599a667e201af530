//! Risks of a release other than δ. They are measured, but not enforced. Definitions:
//! `docs/measures.md`, *Risk*.
//!
//! The measures are the sizes of the classes and the number of their sensitive values. They also
//! compare the distribution of these values in each class with T's. Only classes with members
//! count, because the other classes have no released rows.

mod buckets;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use palmtop_core::model::{Counts, Fraction, SensitiveColumn, ValueCounts, closeness, diversity};

pub use buckets::{Bucket, Buckets};

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
    pub mean_risk: f64,
    /// The mean over the members of 1/(people of P in their class).
    pub mean_map_risk: f64,
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
        Self {
            classes: classes.all,
            released_classes: released.len() as u64,
            members,
            k: least(|counts| counts.private).unwrap_or(0),
            k_map: least(|counts| counts.public).unwrap_or(0),
            unique_members: alone(|counts| counts.private),
            unique_people: alone(|counts| counts.public),
            mean_risk: mean(released, |counts| counts.private),
            mean_map_risk: mean(released, |counts| counts.public),
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
        Self {
            name: column.name.clone(),
            distinct: least(&ValueCounts::distinct),
            entropy: values().map(diversity::effective_values).min_by(f64::total_cmp).unwrap_or(0.0),
            recursive: least(&|values| diversity::recursive_level(values, c)),
            equal: greatest(&closeness::equal_distance),
            ordered: column.is_ordered.then(|| greatest(&closeness::ordered_distance)),
            hierarchy: column
                .tree
                .as_ref()
                .map(|tree| greatest(&|class, _| closeness::hierarchical_distance(class, tree))),
        }
    }
}

/// The mean over the members of 1/(count of their class).
#[expect(clippy::cast_precision_loss, reason = "a mean to show")]
fn mean(released: &[RiskClass], count: fn(Counts) -> u64) -> f64 {
    // Summed by size, so that the order of classes does not change the last digit.
    let mut by_size: BTreeMap<u64, u64> = BTreeMap::new();
    for class in released {
        *by_size.entry(count(class.counts)).or_default() += class.counts.private;
    }
    let members: u64 = by_size.values().sum();
    let risk = |(&size, &members): (&u64, &u64)| members as f64 / size as f64;
    if members == 0 { 0.0 } else { by_size.iter().map(risk).sum::<f64>() / members as f64 }
}

impl RiskClasses {
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

//! What a release risks beside δ, measured and enforced by nobody: how large its classes are, how many sensitive values they have, and
//! how far these are distributed from those of all of T. Definitions: `docs/measures.md`, *Risk*.
//!
//! Only classes with members count: the others publish nothing.

mod buckets;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use palmtop_core::model::{Counts, Fraction, SensitiveColumn, ValueCounts, closeness, diversity};

pub use buckets::{Bucket, Buckets};

/// A class as its risk is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskClass {
    /// What is published for each quasi-identifier.
    pub labels: Vec<String>,
    /// Its people.
    pub counts: Counts,
    /// Of each sensitive attribute, the values of its members.
    pub values: Vec<ValueCounts>,
}

/// The classes of a release with members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskClasses {
    /// All classes of it, those without members too.
    pub all: u64,
    /// Those with members.
    pub released: Vec<RiskClass>,
    /// T's sensitive attributes.
    pub sensitive: Vec<SensitiveColumn>,
}

/// What a release risks.
#[derive(Clone, Debug, PartialEq)]
pub struct Risk {
    /// All classes, those without members too.
    pub classes: u64,
    /// The classes with members.
    pub released_classes: u64,
    /// The members of all of them.
    pub members: u64,
    /// The least members of a class.
    pub k: u64,
    /// The least people of P in a class.
    pub k_map: u64,
    /// Members who are alone in their class.
    pub unique_members: u64,
    /// Members who are the only person of P in their class.
    pub unique_people: u64,
    /// The mean over members of one over the members of their class.
    pub mean_risk: f64,
    /// The mean over members of one over the people of P in their class.
    pub mean_map_risk: f64,
    /// Of each sensitive attribute.
    pub sensitive: Vec<SensitiveRisk>,
    /// Classes and members by what is measured of their class.
    pub buckets: Buckets,
}

/// What a release tells of a sensitive attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitiveRisk {
    /// Its name.
    pub name: String,
    /// The least distinct values in a class.
    pub distinct: u64,
    /// The least number of even values that would have the entropy of a class: e^H.
    pub entropy: f64,
    /// The greatest l for which every class is recursively (c, l)-diverse.
    pub recursive: u64,
    /// The greatest distance of a class from all of T, all values equally far from each other.
    pub equal: Fraction,
    /// The same, where the values stand in a row; `None` where they are no numbers.
    pub ordered: Option<Fraction>,
    /// The same by the hierarchy of the values; `None` where they have none.
    pub hierarchy: Option<Fraction>,
}

impl Risk {
    /// Measures the classes with members of a release; recursive diversity with this c.
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

/// The mean over members of one over a count of their class.
#[expect(clippy::cast_precision_loss, reason = "a mean to show")]
fn mean(released: &[RiskClass], count: fn(Counts) -> u64) -> f64 {
    // By size, so that no order of classes matters to the last digit.
    let mut by_size: BTreeMap<u64, u64> = BTreeMap::new();
    for class in released {
        *by_size.entry(count(class.counts)).or_default() += class.counts.private;
    }
    let members: u64 = by_size.values().sum();
    let risk = |(&size, &members): (&u64, &u64)| members as f64 / size as f64;
    if members == 0 { 0.0 } else { by_size.iter().map(risk).sum::<f64>() / members as f64 }
}

impl RiskClasses {
    /// The classes that risk most, worst first: by the fewest members, then the fewest people of P, then the fewest distinct values, then
    /// by their labels.
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

//! The distribution of each attribute in T and in a release, and their distance.

use super::floats::{float, size};
use super::original::OriginalTable;
use super::published::PublishedTable;

/// The distributions of an attribute in T and in a release.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeUtility {
    /// The name of the attribute.
    pub name: String,
    /// Whether the attribute is sensitive. All others are quasi-identifiers.
    pub is_sensitive: bool,
    /// The number of compared values.
    pub values: usize,
    /// Total variation, from 0 to 1: half the sum of the differences of shares.
    pub distance: f64,
    /// The earth mover's distance of ordered values, from 0 to 1.
    ///
    /// Neighbouring values are one step apart. The distance is the work that moves one distribution
    /// onto the other, divided by the steps from the first value to the last. `None` if the values
    /// are not ordered, or if the release has values that T lacks.
    pub ordered: Option<f64>,
    /// The shares of groups of its values.
    pub groups: Vec<GroupShare>,
}

/// The share of a group of values in T and in a release.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupShare {
    /// The group: a label of the hierarchy, a range, a value, or the number of other values.
    pub label: String,
    /// Its share of T's rows, from 0 to 1.
    pub original: f64,
    /// Its share of the release's rows, from 0 to 1.
    pub published: f64,
}

/// The distributions of each attribute of a table. Takes O(values of each distinct label).
pub(super) fn of(original: &OriginalTable, published: &PublishedTable) -> Vec<AttributeUtility> {
    (0..original.attributes().len()).map(|attribute| of_attribute(original, published, attribute)).collect()
}

/// The mean of the total variations of the quasi-identifiers.
pub(super) fn mean(attributes: &[AttributeUtility]) -> f64 {
    let quasi = || attributes.iter().filter(|attribute| !attribute.is_sensitive);
    quasi().map(|attribute| attribute.distance).sum::<f64>() / size(quasi().count())
}

fn of_attribute(original: &OriginalTable, published: &PublishedTable, attribute: usize) -> AttributeUtility {
    let known = &original.attributes()[attribute];
    let before = shares(&original.rows_by_value(attribute).into_iter().map(float).collect::<Vec<_>>());
    let after = shares(&spread(original, published, attribute));
    // Values that T lacks follow T's values, and have no position in their order.
    let is_in_a_row = known.is_ordered && after.len() == before.len();
    let mut groups: Vec<GroupShare> = known
        .groups
        .iter()
        .map(|label| GroupShare { label: label.clone(), original: 0.0, published: 0.0 })
        .collect();
    for (value, &group) in known.group_of.iter().enumerate() {
        groups[group as usize].original += before[value];
        groups[group as usize].published += after[value];
    }
    if after.len() > before.len() {
        let label = "not in T".to_owned();
        groups.push(GroupShare { label, original: 0.0, published: after[before.len()..].iter().sum() });
    }
    AttributeUtility {
        name: known.name.clone(),
        is_sensitive: known.is_sensitive,
        values: known.values.len(),
        distance: total_variation(&before, &after),
        ordered: is_in_a_row.then(|| earth_mover(&before, &after)),
        groups,
    }
}

/// The number of rows of a release with each value of an attribute. Labels are spread evenly.
/// Values that T lacks come last.
pub(super) fn spread(original: &OriginalTable, published: &PublishedTable, attribute: usize) -> Vec<f64> {
    let values = original.attributes()[attribute].values.len();
    if let Some(nth) = attribute.checked_sub(original.width()) {
        let mut rows = vec![0; values + published.foreign(nth)];
        published
            .sensitive(nth)
            .all()
            .iter()
            .for_each(|&(value, value_rows)| rows[value as usize] += value_rows);
        return rows.into_iter().map(float).collect();
    }
    let labels = published.labels(attribute);
    let mut rows = vec![0; labels.len()];
    for (&label, label_rows) in published.label_of(attribute).iter().zip(published.rows_of()) {
        rows[label as usize] += label_rows;
    }
    let mut spread = vec![0.0; values];
    for (label, rows) in labels.iter().zip(rows) {
        let each = float(rows) / label.size();
        label.values().for_each(|value| spread[value as usize] += each);
    }
    spread
}

/// Each number as a share of the sum; 0 if the sum is 0.
pub(super) fn shares(counts: &[f64]) -> Vec<f64> {
    let all: f64 = counts.iter().sum();
    counts.iter().map(|count| if all > 0.0 { count / all } else { 0.0 }).collect()
}

/// ½Σ|p − q|. The shorter list has shares of 0 at its end.
pub(super) fn total_variation(before: &[f64], after: &[f64]) -> f64 {
    let at = |shares: &[f64], value: usize| shares.get(value).copied().unwrap_or(0.0);
    let values = 0..before.len().max(after.len());
    values.map(|value| (at(before, value) - at(after, value)).abs()).sum::<f64>() / 2.0
}

/// Σ|P − Q|/(m − 1) over the m − 1 steps between neighbouring values; P and Q are cumulative
/// shares. 0 if there is only one value.
pub(super) fn earth_mover(before: &[f64], after: &[f64]) -> f64 {
    let steps = before.len().saturating_sub(1);
    if steps == 0 {
        return 0.0;
    }
    let (mut moved, mut work) = (0.0_f64, 0.0);
    for (p, q) in before.iter().zip(after).take(steps) {
        moved += p - q;
        work += moved.abs();
    }
    work / size(steps)
}

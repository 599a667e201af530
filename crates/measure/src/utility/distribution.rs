//! The distribution of each attribute in T and in a release, and how far they are from each other.

use super::original::OriginalTable;
use super::published::PublishedTable;
use super::{float, size};

/// How an attribute is distributed in T and in a release.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeUtility {
    /// Its name.
    pub name: String,
    /// Whether it is sensitive; it is a quasi-identifier else.
    pub is_sensitive: bool,
    /// How many values are compared.
    pub values: usize,
    /// Total variation, from 0 to 1: half the sum of the differences of shares.
    pub distance: f64,
    /// The earth mover's distance where values stand in a row, each one step from the next: the work of moving one distribution onto the
    /// other, as a share of the way from the first value to the last. `None` where they do not, or the release has values that T lacks.
    pub ordered: Option<f64>,
    /// The shares of groups of its values.
    pub groups: Vec<GroupShare>,
}

/// The share of a group of values in T and in a release.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupShare {
    /// The group: a label of the hierarchy, a range, a value, or how many others.
    pub label: String,
    /// Its share of T's members.
    pub original: f64,
    /// Its share of the rows of the release.
    pub published: f64,
}

/// Of each attribute of a table. O(values of each distinct label).
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
    let before = shares(&original.members_by_value(attribute).into_iter().map(float).collect::<Vec<_>>());
    let after = shares(&spread(original, published, attribute));
    // What T lacks stands behind what it has, and in no row with it.
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

/// How many rows of a release have each value of an attribute, its labels spread evenly; values that T lacks stand last.
pub(super) fn spread(original: &OriginalTable, published: &PublishedTable, attribute: usize) -> Vec<f64> {
    let values = original.attributes()[attribute].values.len();
    if let Some(nth) = attribute.checked_sub(original.width()) {
        let mut rows = vec![0; values + published.foreign(nth)];
        published.sensitive(nth).all().iter().for_each(|&(value, own)| rows[value as usize] += own);
        return rows.into_iter().map(float).collect();
    }
    let labels = published.labels(attribute);
    let mut rows = vec![0; labels.len()];
    for (&label, own) in published.label_of(attribute).iter().zip(published.rows_of()) {
        rows[label as usize] += own;
    }
    let mut spread = vec![0.0; values];
    for (label, rows) in labels.iter().zip(rows) {
        let each = float(rows) / label.size();
        label.values().for_each(|value| spread[value as usize] += each);
    }
    spread
}

/// Each number as a share of all; 0 where there is nothing.
pub(super) fn shares(counts: &[f64]) -> Vec<f64> {
    let all: f64 = counts.iter().sum();
    counts.iter().map(|count| if all > 0.0 { count / all } else { 0.0 }).collect()
}

/// ½Σ|p − q|; what one of them lacks at its end has no share in it.
pub(super) fn total_variation(before: &[f64], after: &[f64]) -> f64 {
    let at = |shares: &[f64], value: usize| shares.get(value).copied().unwrap_or(0.0);
    let values = 0..before.len().max(after.len());
    values.map(|value| (at(before, value) - at(after, value)).abs()).sum::<f64>() / 2.0
}

/// Σ|P − Q| over the m − 1 steps from one value to the next, P and Q being the shares up to there, over m − 1; 0 where there is one value.
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

//! The classes of a release that lose most.

use super::floats::{float, size};
use super::published::PublishedTable;

/// A class and its loss.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassLoss {
    /// The published label of each quasi-identifier.
    pub labels: Vec<String>,
    /// The number of rows.
    pub rows: u64,
    /// The loss of each row, from 0 to 1: the mean over the quasi-identifiers of (leaves of the
    /// label − 1)/(leaves − 1).
    pub loss: f64,
    /// The loss of all rows of the class, as a share of the loss of all rows of the release.
    pub share: f64,
}

/// The classes whose rows together lose most, the worst first. Classes with equal loss are ordered
/// by fewer rows, then by their labels.
pub(super) fn worst(published: &PublishedTable, count: usize) -> Vec<ClassLoss> {
    let width = published.width();
    let loss = |class: usize| {
        let each = (0..width).map(|attribute| label(published, attribute, class).loss());
        each.sum::<f64>() / size(width)
    };
    let weights: Vec<f64> =
        published.rows_of().iter().enumerate().map(|(class, &rows)| float(rows) * loss(class)).collect();
    let all: f64 = weights.iter().sum();
    let texts = |class: usize| -> Vec<String> {
        (0..width).map(|attribute| label(published, attribute, class).text().to_owned()).collect()
    };
    let mut order: Vec<usize> = (0..weights.len()).filter(|&class| weights[class] > 0.0).collect();
    let rows = published.rows_of();
    order.sort_by(|&left, &right| {
        let by_loss = weights[right].total_cmp(&weights[left]).then(rows[left].cmp(&rows[right]));
        by_loss.then_with(|| texts(left).cmp(&texts(right)))
    });
    order.truncate(count);
    let class = |class: usize| ClassLoss {
        labels: texts(class),
        rows: rows[class],
        loss: loss(class),
        share: weights[class] / all,
    };
    order.into_iter().map(class).collect()
}

fn label(published: &PublishedTable, attribute: usize, class: usize) -> &super::PublishedLabel {
    &published.labels(attribute)[published.label_of(attribute)[class] as usize]
}

//! Which classes of a release lose most.

use super::published::PublishedTable;
use super::{float, size};

/// A class with what it loses.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassLoss {
    /// What is published for each quasi-identifier.
    pub labels: Vec<String>,
    /// Its rows.
    pub rows: u64,
    /// The loss of each: the mean over the quasi-identifiers of (leaves of the label − 1)/(leaves − 1).
    pub loss: f64,
    /// What all of its rows lose together, as a share of what all rows of the release do.
    pub share: f64,
}

/// The classes whose rows lose most together, the worst first; of those that lose the same the one with fewer rows, then by their labels.
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

//! The cost of a node where it is known before any class is counted, compared exactly.

use std::cmp::Ordering;

use super::floors::Floors;
use super::natural::Natural;
use crate::metrics::{Metric, NodeLosses};
use crate::model::{Level, Node, Problem};

/// The loss of every node above the floors, arithmetic or geometric.
///
/// Floating-point sums depend on their order, so two nodes of equal loss may come out a little apart. Here a difference
/// of more than one part in 10⁹ decides, far above any rounding, and a smaller one is decided in whole numbers. Equal
/// losses therefore tie, always, and the order is total.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    geometric: bool,
    losses: NodeLosses,
    /// The term or factor of each step of each quasi-identifier.
    terms: Vec<Vec<f64>>,
    /// extra leaves over all of T, of each step of each quasi-identifier.
    extra: Vec<Vec<u128>>,
    /// leaves − 1 of each quasi-identifier, at least 1.
    parts: Vec<u64>,
    rows: u64,
}

impl Costs {
    /// The table for a problem; `None` for a metric that must be counted.
    pub(super) fn of(problem: &Problem, metric: Metric, floors: &Floors) -> Option<Self> {
        let geometric = match metric {
            Metric::Loss => false,
            Metric::LossGeometric => true,
            Metric::Discernibility => return None,
        };
        let losses = NodeLosses::of(problem);
        let levels = |attribute: usize| {
            let floor = floors.levels()[attribute].0;
            (floor..=problem.hierarchy(attribute).top().0).map(Level)
        };
        let attributes = 0..floors.levels().len();
        let term = |loss: f64| if geometric { 1.0 + loss } else { loss };
        Some(Self {
            geometric,
            terms: attributes
                .clone()
                .map(|a| levels(a).map(|level| term(losses.at(a, level))).collect())
                .collect(),
            extra: attributes.clone().map(|a| extra(problem, a, levels(a))).collect(),
            parts: attributes.map(|a| (problem.hierarchy(a).leaf_count() as u64 - 1).max(1)).collect(),
            rows: problem.histogram().total().private,
            losses,
        })
    }

    /// A number that grows with the cost of the node so many steps above the floors: within one part in 10¹² of its
    /// exact value, for up to a thousand quasi-identifiers.
    pub(super) fn value(&self, steps: &[u8]) -> f64 {
        let terms = self.terms.iter().zip(steps).map(|(terms, &step)| terms[usize::from(step)]);
        if self.geometric { terms.product() } else { terms.sum() }
    }

    /// The metric itself, as [`Metrics`](crate::metrics::Metrics) has it.
    pub(super) fn metric(&self, node: &Node) -> f64 {
        let loss = self.losses.of_node(node);
        if self.geometric { loss.geometric() } else { loss.mean() }
    }

    /// Compares the costs of two nodes whose [`value`](Self::value)s are given: exactly.
    pub(super) fn compare(&self, left: (f64, &[u8]), right: (f64, &[u8])) -> Ordering {
        if (left.0 - right.0).abs() > 1e-9 * left.0.abs().max(right.0.abs()) {
            return left.0.total_cmp(&right.0);
        }
        if left.1 == right.1 { Ordering::Equal } else { self.exact(left.1).cmp(&self.exact(right.1)) }
    }

    /// The cost over a denominator that all nodes share: Σ extra/(part·rows) or Π (1 + extra/(part·rows)).
    fn exact(&self, steps: &[u8]) -> Natural {
        let extras = self.extra.iter().zip(steps).map(|(extra, &step)| extra[usize::from(step)]);
        if self.geometric {
            let whole = |part: u64| u128::from(part) * u128::from(self.rows);
            return extras.zip(&self.parts).fold(Natural::from(1), |product, (extra, &part)| {
                product.times(&Natural::from(whole(part)).plus(&Natural::from(extra)))
            });
        }
        // Σ extra/part, built up as numerator and denominator.
        let (sum, _) = extras.zip(&self.parts).fold(
            (Natural::from(0), Natural::from(1)),
            |(numerator, denominator), (extra, &part)| {
                let part = Natural::from(u128::from(part));
                let numerator = numerator.times(&part).plus(&denominator.times(&Natural::from(extra)));
                (numerator, denominator.times(&part))
            },
        );
        sum
    }
}

/// Σ over T of (leaves of the label − 1), at each of some levels.
fn extra(problem: &Problem, attribute: usize, levels: impl Iterator<Item = Level>) -> Vec<u128> {
    let (hierarchy, leaves) = (problem.hierarchy(attribute), problem.leaf_counts(attribute));
    let at = |level| {
        let labels = hierarchy.labels_of(level).iter().zip(leaves);
        labels
            .map(|(&label, people)| {
                u128::from(hierarchy.label_size(level, label) - 1) * u128::from(people.private)
            })
            .sum()
    };
    levels.map(at).collect()
}

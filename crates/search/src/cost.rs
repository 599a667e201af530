//! The cost of a node where it is known before any class is counted, compared exactly.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::pace::Pace;
use palmtop_core::metrics::loss::{extra_by_level, weighed_factor};
use palmtop_core::metrics::{Metric, NodeLosses};
use palmtop_core::model::{Level, Node, Problem, Weights};

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
    weights: Weights,
}

impl Costs {
    /// The table for a problem; `None` for a metric that must be counted. O(leaves) for each level.
    pub(super) fn of(
        problem: &Problem,
        metric: Metric,
        floors: &[Level],
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Self>> {
        let geometric = match metric {
            Metric::Loss => false,
            Metric::LossGeometric => true,
            Metric::Discernibility => return ControlFlow::Continue(None),
        };
        let losses = NodeLosses::of(problem);
        let (mut terms, mut extras) = (Vec::new(), Vec::new());
        for (attribute, floor) in floors.iter().enumerate() {
            let hierarchy = problem.hierarchy(attribute);
            let levels = || (floor.0..=hierarchy.top().0).map(Level);
            pace.spend(hierarchy.leaf_count() * levels().count())?;
            let weight = problem.weights().relative(attribute);
            terms.push(levels().map(|level| term(geometric, losses.at(attribute, level), weight)).collect());
            extras.push(levels().map(extra_by_level(problem, attribute)).collect());
        }
        let attributes = 0..floors.len();
        ControlFlow::Continue(Some(Self {
            geometric,
            terms,
            extra: extras,
            parts: attributes.map(|a| u64::from(problem.hierarchy(a).denoted_leaves() - 1).max(1)).collect(),
            rows: problem.histogram().total().private,
            weights: problem.weights().clone(),
            losses,
        }))
    }

    /// A number that grows with the cost of the node so many steps above the floors: within one part in 10¹² of its
    /// exact value, for up to a thousand quasi-identifiers.
    pub(super) fn value(&self, steps: &[u8]) -> f64 {
        let terms = self.terms.iter().zip(steps).map(|(terms, &step)| terms[usize::from(step)]);
        if self.geometric { terms.product() } else { terms.sum() }
    }

    /// What each step of each quasi-identifier above its floor adds to the cost.
    pub(super) fn rises(&self) -> Rises {
        let rise = |terms: &Vec<f64>| -> Vec<f64> {
            let floor = terms[0];
            let rise = |&term: &f64| if self.geometric { libm::log(term / floor) } else { term - floor };
            terms.iter().map(rise).collect()
        };
        Rises { geometric: self.geometric, by_step: self.terms.iter().map(rise).collect() }
    }

    /// The metric of nodes with this [`value`](Self::value), of so many quasi-identifiers; off by rounding.
    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub(super) fn metric_at(&self, value: f64, width: usize) -> f64 {
        let width = width as f64;
        if self.geometric { libm::pow(value, 1.0 / width) - 1.0 } else { value / width }
    }

    /// The metric itself, as [`Metrics`](palmtop_core::metrics::Metrics) has it.
    pub(super) fn metric(&self, node: &Node) -> f64 {
        let loss = self.losses.of_node(node);
        if self.geometric { loss.geometric() } else { loss.mean() }
    }

    /// The [`value`](Self::value) of nodes with this metric, of so many quasi-identifiers; off by rounding.
    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub(super) fn value_at(&self, metric: f64, width: usize) -> f64 {
        let width = width as f64;
        if self.geometric { libm::pow(1.0 + metric, width) } else { metric * width }
    }

    /// Whether two values alone tell which node costs less.
    #[expect(clippy::unused_self, reason = "it is this table whose values are so exact")]
    pub(super) fn are_apart(&self, left: f64, right: f64) -> bool {
        (left - right).abs() > 1e-9 * left.abs().max(right.abs())
    }

    /// Compares the costs of two nodes whose [`value`](Self::value)s are given: exactly.
    pub(super) fn compare(&self, left: (f64, &[u8]), right: (f64, &[u8])) -> Ordering {
        if self.are_apart(left.0, right.0) {
            return left.0.total_cmp(&right.0);
        }
        let (left, right) = self.differences(left.1, right.1);
        if left.is_empty() { Ordering::Equal } else { self.exact(&left).cmp(&self.exact(&right)) }
    }

    /// Of each quasi-identifier, the extra leaves over all of T at the node so many steps above the floors.
    pub(super) fn sums(&self, steps: &[u8]) -> Vec<u128> {
        self.extra.iter().zip(steps).map(|(extra, &step)| extra[usize::from(step)]).collect()
    }

    /// Of each quasi-identifier, the loss of so many extra leaves over all of T.
    #[expect(clippy::cast_precision_loss, reason = "the one rounding of an exact sum")]
    pub(super) fn losses(&self, sums: &[u128]) -> Vec<f64> {
        let whole = |part: u64| u128::from(part) * u128::from(self.rows);
        sums.iter().zip(&self.parts).map(|(&sum, &part)| sum as f64 / whole(part) as f64).collect()
    }

    /// What [`value`](Self::value) would be with so many extra leaves in each quasi-identifier.
    pub(super) fn value_of(&self, sums: &[u128]) -> f64 {
        let losses = self.losses(sums).into_iter().zip(self.weights());
        let terms = losses.map(|(loss, &weight)| term(self.geometric, loss, weight));
        if self.geometric { terms.product() } else { terms.sum() }
    }

    /// Compares costs by the extra leaves in each quasi-identifier, with their [values](Self::value_of): exactly.
    pub(super) fn compare_sums(&self, left: (f64, &[u128]), right: (f64, &[u128])) -> Ordering {
        if self.are_apart(left.0, right.0) {
            return left.0.total_cmp(&right.0);
        }
        let shares = |sums: &[u128]| -> Vec<Share> {
            sums.iter().enumerate().map(|(attribute, &extra)| self.share(attribute, extra)).collect()
        };
        self.exact(&shares(left.1)).cmp(&self.exact(&shares(right.1)))
    }

    /// How much each quasi-identifier weighs, where all together weigh as many as they are.
    pub(super) fn weights(&self) -> &[f64] {
        self.weights.all_relative()
    }

    /// Whether the losses are multiplied.
    pub(super) fn is_geometric(&self) -> bool {
        self.geometric
    }

    fn share(&self, attribute: usize, extra: u128) -> Share {
        (self.parts[attribute], self.weights.at(attribute), extra)
    }

    /// What two nodes do not have in common, as shares: the steps in which they differ, but for those that another
    /// quasi-identifier of the same parts and weight takes the other way. Terms and factors that both have do not tell them apart; both keep as many, over the same parts.
    fn differences(&self, left: &[u8], right: &[u8]) -> (Vec<Share>, Vec<Share>) {
        let (mut only_left, mut only_right) = (Vec::new(), Vec::new());
        for (attribute, (&own, &other)) in
            left.iter().zip(right).enumerate().filter(|(_, (own, other))| own != other)
        {
            let share = |step: u8| self.share(attribute, self.extra[attribute][usize::from(step)]);
            only_left.push(share(own));
            only_right.push(share(other));
        }
        only_left.sort_unstable();
        only_right.sort_unstable();
        let (mut kept_left, mut kept_right) = (Vec::new(), Vec::new());
        let (mut own, mut other) = (only_left.into_iter().peekable(), only_right.into_iter().peekable());
        loop {
            match (own.peek(), other.peek()) {
                (Some(left), Some(right)) if left == right => {
                    own.next();
                    other.next();
                }
                (Some(left), right) if right.is_none_or(|right| left < right) => kept_left.extend(own.next()),
                (_, Some(_)) => kept_right.extend(other.next()),
                (_, None) => return (kept_left, kept_right),
            }
        }
    }

    /// Σ w·extra/part or Π (1 + extra/(part·rows))ʷ, over the product of the parts, which both sides of a comparison share.
    fn exact(&self, shares: &[Share]) -> BigUint {
        if self.geometric {
            let factor =
                |&(part, weight, extra): &Share| (BigUint::from(part) * self.rows + extra).pow(weight);
            return shares.iter().map(factor).product();
        }
        // Built up as numerator and denominator.
        let none = (BigUint::ZERO, BigUint::from(1_u32));
        let add = |(numerator, denominator): (BigUint, BigUint), &(part, weight, extra): &Share| {
            (numerator * part + &denominator * extra * weight, denominator * part)
        };
        shares.iter().fold(none, add).0
    }
}

/// What is left of what each step of each quasi-identifier adds to a node's value: as a number, or of a product as the logarithm
/// of its factor.
#[derive(Clone, Debug)]
pub(super) struct Rises {
    geometric: bool,
    by_step: Vec<Vec<f64>>,
}

impl Rises {
    /// Those of one quasi-identifier, by step.
    pub(super) fn of(&self, attribute: usize) -> &[f64] {
        &self.by_step[attribute]
    }

    /// The least of one quasi-identifier from a step on; infinite if there is no such step.
    pub(super) fn least(&self, attribute: usize, from: usize) -> f64 {
        self.by_step[attribute][from..].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Takes a part of those of one quasi-identifier from a step on.
    pub(super) fn take(&mut self, attribute: usize, from: usize, part: f64) {
        self.by_step[attribute][from..].iter_mut().for_each(|rise| *rise -= part);
    }

    /// The value of a node whose value rises by so much.
    pub(super) fn added(&self, value: f64, rise: f64) -> f64 {
        if self.geometric { value * libm::exp(rise) } else { value + rise }
    }
}

/// leaves − 1 of a quasi-identifier, its weight, and its extra leaves over all of T at some step.
type Share = (u64, u32, u128);

/// What a quasi-identifier adds to the sum, or brings into the product.
fn term(geometric: bool, loss: f64, weight: f64) -> f64 {
    if geometric { weighed_factor(loss, weight) } else { weight * loss }
}

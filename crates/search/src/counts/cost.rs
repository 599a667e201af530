//! The loss of a node, known before any class is counted, and compared exactly.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use crate::control::pace::Pace;
use palmtop_core::metrics::loss::{extra_by_level, weighed_factor};
use palmtop_core::metrics::{Metric, NodeLosses};
use palmtop_core::model::{Level, Node, Problem, Weights};

/// The arithmetic or geometric loss of every node above the floors.
///
/// A floating-point sum depends on its order, so that two nodes of equal loss may get slightly
/// different values. Values that differ by more than one part in 10⁹, far above any rounding,
/// decide a comparison. Closer values are compared in integers. So equal losses always tie, and the
/// order is total.
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    geometric: bool,
    losses: NodeLosses,
    /// For each quasi-identifier and step, the term of the sum or the factor of the product.
    terms: Vec<Vec<f64>>,
    /// For each quasi-identifier and step, the extra leaves summed over all members. A label has
    /// leaves − 1 extra leaves.
    extra: Vec<Vec<u128>>,
    /// For each quasi-identifier, leaves − 1, at least 1.
    parts: Vec<u64>,
    rows: u64,
    weights: Weights,
}

impl Costs {
    /// The costs of a problem; `None` for discernibility, which must be counted. O(leaves) for each
    /// level.
    pub(crate) fn of(
        problem: &Problem,
        metric: Metric,
        floors: &[Level],
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Self>> {
        let geometric = match metric {
            // Each cell of a node has one term.
            Metric::Loss | Metric::Readable => false,
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

    /// A number that grows with the cost of the node that is `steps` above the floors. It is within
    /// one part in 10¹² of its exact value for up to a thousand quasi-identifiers.
    pub(crate) fn value(&self, steps: &[u8]) -> f64 {
        let terms = self.terms.iter().zip(steps).map(|(terms, &step)| terms[usize::from(step)]);
        if self.geometric { terms.product() } else { terms.sum() }
    }

    /// The cost that each step of each quasi-identifier adds above its floor.
    pub(crate) fn rises(&self) -> Rises {
        let rise = |terms: &Vec<f64>| -> Vec<f64> {
            let floor = terms[0];
            let rise = |&term: &f64| if self.geometric { libm::log(term / floor) } else { term - floor };
            terms.iter().map(rise).collect()
        };
        Rises { geometric: self.geometric, by_step: self.terms.iter().map(rise).collect() }
    }

    /// Converts a [`value`](Self::value) to a metric for `width` quasi-identifiers, up to rounding.
    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub(crate) fn metric_at(&self, value: f64, width: usize) -> f64 {
        let width = width as f64;
        if self.geometric { libm::pow(value, 1.0 / width) - 1.0 } else { value / width }
    }

    /// The metric of a node, as in [`Metrics`](palmtop_core::metrics::Metrics).
    pub(crate) fn metric(&self, node: &Node) -> f64 {
        let loss = self.losses.of_node(node);
        if self.geometric { loss.geometric() } else { loss.mean() }
    }

    /// Converts a metric to a [`value`](Self::value) for `width` quasi-identifiers, up to rounding.
    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub(crate) fn value_at(&self, metric: f64, width: usize) -> f64 {
        let width = width as f64;
        if self.geometric { libm::pow(1.0 + metric, width) } else { metric * width }
    }

    /// Whether the difference of two values decides which node costs less.
    #[expect(clippy::unused_self, reason = "the threshold belongs to the accuracy of this table")]
    pub(crate) fn are_apart(&self, left: f64, right: f64) -> bool {
        (left - right).abs() > 1e-9 * left.abs().max(right.abs())
    }

    /// Compares the costs of two nodes exactly, given their [`value`](Self::value)s.
    pub(crate) fn compare(&self, left: (f64, &[u8]), right: (f64, &[u8])) -> Ordering {
        if self.are_apart(left.0, right.0) {
            return left.0.total_cmp(&right.0);
        }
        let (left, right) = self.differences(left.1, right.1);
        if left.is_empty() { Ordering::Equal } else { self.exact(&left).cmp(&self.exact(&right)) }
    }

    /// For each quasi-identifier, the extra leaves over all members at the node `steps` above the
    /// floors.
    pub(crate) fn sums(&self, steps: &[u8]) -> Vec<u128> {
        self.extra.iter().zip(steps).map(|(extra, &step)| extra[usize::from(step)]).collect()
    }

    /// For each quasi-identifier, the loss of this number of extra leaves over all members.
    #[expect(clippy::cast_precision_loss, reason = "the one rounding of an exact sum")]
    pub(crate) fn losses(&self, sums: &[u128]) -> Vec<f64> {
        let denominator = |part: u64| u128::from(part) * u128::from(self.rows);
        sums.iter().zip(&self.parts).map(|(&sum, &part)| sum as f64 / denominator(part) as f64).collect()
    }

    /// The [`value`](Self::value) of a recoding with these extra leaves in each quasi-identifier.
    pub(crate) fn value_of(&self, sums: &[u128]) -> f64 {
        let losses = self.losses(sums).into_iter().zip(self.weights());
        let terms = losses.map(|(loss, &weight)| term(self.geometric, loss, weight));
        if self.geometric { terms.product() } else { terms.sum() }
    }

    /// Compares costs exactly, given the extra leaves in each quasi-identifier and their
    /// [values](Self::value_of).
    pub(crate) fn compare_sums(&self, left: (f64, &[u128]), right: (f64, &[u128])) -> Ordering {
        if self.are_apart(left.0, right.0) {
            return left.0.total_cmp(&right.0);
        }
        let shares = |sums: &[u128]| -> Vec<Share> {
            sums.iter().enumerate().map(|(attribute, &extra)| self.share(attribute, extra)).collect()
        };
        self.exact(&shares(left.1)).cmp(&self.exact(&shares(right.1)))
    }

    /// The weight of each quasi-identifier; the weights sum to their number.
    pub(crate) fn weights(&self) -> &[f64] {
        self.weights.all_relative()
    }

    /// Whether the losses are multiplied (the geometric loss) or added.
    pub(crate) fn is_geometric(&self) -> bool {
        self.geometric
    }

    fn share(&self, attribute: usize, extra: u128) -> Share {
        (self.parts[attribute], self.weights.at(attribute), extra)
    }

    /// The shares in which two nodes differ.
    ///
    /// Equal shares cancel, even if they belong to different quasi-identifiers with the same parts
    /// and weight. Both sides keep the same number of shares over the same parts.
    fn differences(&self, left: &[u8], right: &[u8]) -> (Vec<Share>, Vec<Share>) {
        let (mut only_left, mut only_right) = (Vec::new(), Vec::new());
        for (attribute, (&left_step, &right_step)) in
            left.iter().zip(right).enumerate().filter(|(_, (left_step, right_step))| left_step != right_step)
        {
            let share = |step: u8| self.share(attribute, self.extra[attribute][usize::from(step)]);
            only_left.push(share(left_step));
            only_right.push(share(right_step));
        }
        only_left.sort_unstable();
        only_right.sort_unstable();
        let (mut kept_left, mut kept_right) = (Vec::new(), Vec::new());
        let (mut only_left, mut only_right) =
            (only_left.into_iter().peekable(), only_right.into_iter().peekable());
        loop {
            match (only_left.peek(), only_right.peek()) {
                (Some(left), Some(right)) if left == right => {
                    only_left.next();
                    only_right.next();
                }
                (Some(left), right) if right.is_none_or(|right| left < right) => {
                    kept_left.extend(only_left.next());
                }
                (_, Some(_)) => kept_right.extend(only_right.next()),
                (_, None) => return (kept_left, kept_right),
            }
        }
    }

    /// The numerator of Σ w·extra/part or Π (1 + extra/(part·rows))ʷ over the product of the parts,
    /// which both sides of a comparison share.
    fn exact(&self, shares: &[Share]) -> BigUint {
        if self.geometric {
            let factor =
                |&(part, weight, extra): &Share| (BigUint::from(part) * self.rows + extra).pow(weight);
            return shares.iter().map(factor).product();
        }
        // The sum so far, as numerator and denominator.
        let none = (BigUint::ZERO, BigUint::from(1_u32));
        let add = |(numerator, denominator): (BigUint, BigUint), &(part, weight, extra): &Share| {
            (numerator * part + &denominator * extra * weight, denominator * part)
        };
        shares.iter().fold(none, add).0
    }
}

/// The part of each step's cost that a bound has not used yet: a number to add, or the logarithm of
/// a factor.
#[derive(Clone, Debug)]
pub(crate) struct Rises {
    geometric: bool,
    by_step: Vec<Vec<f64>>,
}

impl Rises {
    /// Rises that are added.
    #[cfg(test)]
    pub(crate) fn added_up(by_step: Vec<Vec<f64>>) -> Self {
        Self { geometric: false, by_step }
    }

    /// The rises of one quasi-identifier, by step.
    pub(crate) fn of(&self, attribute: usize) -> &[f64] {
        &self.by_step[attribute]
    }

    /// The least rise of one quasi-identifier from step `from` to step `to`.
    pub(crate) fn least(&self, attribute: usize, from: usize, to: u8) -> f64 {
        let rises = &self.by_step[attribute][from..=usize::from(to)];
        rises.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Subtracts a part of the rises of one quasi-identifier at `from` and all further steps.
    pub(crate) fn take(&mut self, attribute: usize, from: usize, part: f64) {
        self.by_step[attribute][from..].iter_mut().for_each(|rise| *rise -= part);
    }

    /// The value of a node whose value rises by this much.
    pub(crate) fn added(&self, value: f64, rise: f64) -> f64 {
        if self.geometric { value * libm::exp(rise) } else { value + rise }
    }
}

/// A quasi-identifier's leaves − 1, its weight, and its extra leaves over all members at some step.
type Share = (u64, u32, u128);

/// The term of a sum or the factor of a product for one quasi-identifier.
fn term(geometric: bool, loss: f64, weight: f64) -> f64 {
    if geometric { weighed_factor(loss, weight) } else { weight * loss }
}

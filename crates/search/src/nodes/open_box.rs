//! The open part of a branch and bound over nodes: boxes, each with a bound on the cost of its nodes.

use std::cmp::Ordering;

use super::antichain::Antichain;
use crate::counts::cost::Rises;
use crate::counts::objective::Priced;
use crate::counts::steps::is_below;

/// The number of failures whose escape costs are added up in a bound.
const ADDED: usize = 512;
/// The error that rounding may add to a sum of rises.
const ROUNDED: f64 = 1e-11;

/// The nodes between two nodes.
#[derive(Clone, Debug)]
pub(super) struct OpenBox {
    /// The finest node, which costs least.
    pub(super) least: Priced,
    /// The coarsest node.
    pub(super) most: Vec<u8>,
    /// Whether the coarsest node is known to keep δ. If it fails, all nodes of the box do.
    pub(super) keeps: bool,
    /// A lower bound on the cost of its nodes that keep δ.
    pub(super) bound: f64,
    /// The number of boxes made before it.
    pub(super) number: u64,
}

/// The greatest box is the next to visit: the one of least bound, of these the newest.
impl Ord for OpenBox {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for OpenBox {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenBox {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenBox {}

/// The failures that a node must still escape, given the finest and the coarsest node of a box.
///
/// If a failure leaves one way out within the box, all nodes that keep δ take it, and `least` is
/// raised. Returns `None` if a failure leaves none.
pub(super) fn narrowed(
    failures: &Antichain,
    least: &mut [u8],
    most: &[u8],
    active: &mut Vec<usize>,
) -> Option<()> {
    active.clear();
    active.extend(failures.above(least, 0));
    loop {
        let mut is_raised = false;
        for &fail in active.iter() {
            let steps = failures.of(fail);
            let mut ways = (0..most.len()).filter(|&attribute| steps[attribute] < most[attribute]);
            let first = ways.next()?;
            if ways.next().is_none() && least[first] <= steps[first] {
                least[first] = steps[first] + 1;
                is_raised = true;
            }
        }
        if !is_raised {
            return Some(());
        }
        active.retain(|&fail| is_below(least, failures.of(fail)));
    }
}

/// A lower bound on what the nodes of a box that escape these failures cost above the finest of
/// them, in rises.
///
/// Escaping one failure costs at least its cheapest rise. The costs of several failures add up as
/// far as they share no rise. Each failure takes its part of every rise by which it can be escaped,
/// and the next failure works with the remaining rises. This is a feasible solution of the dual of
/// the linear program for the cheapest rises that escape all failures, so that any order of failures
/// gives a valid bound.
pub(super) fn escape(failures: &Antichain, rises: &Rises, ends: [&[u8]; 2], active: &[usize]) -> f64 {
    let ([least, most], mut left) = (ends, rises.clone());
    for (attribute, &step) in least.iter().enumerate() {
        let here = rises.of(attribute)[usize::from(step)];
        left.take(attribute, usize::from(step), here);
    }
    let ways = |fail: usize| {
        let steps = failures.of(fail);
        (0..most.len())
            .filter(move |&attribute| steps[attribute] < most[attribute])
            .map(move |attribute| (attribute, usize::from(steps[attribute]) + 1))
    };
    let cheapest = |left: &Rises, fail| {
        ways(fail).map(|(open, from)| left.least(open, from, most[open])).fold(f64::INFINITY, f64::min)
    };
    let mut order: Vec<(f64, usize)> = active.iter().map(|&fail| (cheapest(&left, fail), fail)).collect();
    let dearest =
        |one: &(f64, usize), other: &(f64, usize)| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
    if order.len() > ADDED {
        order.select_nth_unstable_by(ADDED, dearest);
        order.truncate(ADDED);
    }
    order.sort_unstable_by(dearest);
    let mut sum = 0.0;
    for (_, fail) in order {
        let part = cheapest(&left, fail);
        if part > 0.0 {
            ways(fail).for_each(|(open, from)| left.take(open, from, part));
            sum += part;
        }
    }
    (sum - ROUNDED).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All nodes between two nodes.
    fn nodes(least: &[u8], most: &[u8]) -> Vec<Vec<u8>> {
        let mut nodes = vec![Vec::new()];
        for (&from, &to) in least.iter().zip(most) {
            let longer = |node: Vec<u8>| (from..=to).map(move |step| [&node[..], &[step]].concat());
            nodes = nodes.into_iter().flat_map(longer).collect();
        }
        nodes
    }

    #[test]
    fn bound_of_a_box_is_below_every_escape() {
        let mut state = 3_u64;
        let mut draw = |below: u8| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u8::try_from((state >> 33) % u64::from(below)).unwrap()
        };
        let (mut dead, mut raised, mut tight) = (0, 0, 0);
        for _ in 0..2_000 {
            let top: Vec<u8> = (0..4).map(|_| draw(4)).collect();
            let spans: Vec<usize> = top.iter().map(|&top| usize::from(top) + 1).collect();
            let mut failures = Antichain::new(&spans);
            for _ in 0..draw(7) {
                failures
                    .add(&top.iter().map(|&top| top - draw(top + 1).min(draw(top + 1))).collect::<Vec<_>>());
            }
            let rises = spans.iter().map(|&span| {
                let mut sum = 0.0;
                (0..span)
                    .map(|step| (sum += f64::from(draw(5)) * f64::from(u8::from(step > 0)), sum).1)
                    .collect()
            });
            let rises = Rises::added_up(rises.collect());
            let most: Vec<u8> = top.iter().map(|&top| top - draw(top + 1) / 2).collect();
            let least: Vec<u8> = most.iter().map(|&most| draw(most + 1) / 2).collect();
            let mut escaping = nodes(&least, &most);
            escaping.retain(|node| failures.above(node, 0).next().is_none());
            let cost = |node: &[u8]| -> f64 {
                node.iter().enumerate().map(|(attribute, &step)| rises.of(attribute)[usize::from(step)]).sum()
            };
            let (mut narrower, mut active) = (least.clone(), Vec::new());
            if narrowed(&failures, &mut narrower, &most, &mut active).is_none() {
                assert!(escaping.is_empty());
                dead += 1;
                continue;
            }
            assert!(escaping.iter().all(|node| is_below(&narrower, node)), "{narrower:?} {escaping:?}");
            raised += u32::from(narrower != least);
            let bound = cost(&narrower) + escape(&failures, &rises, [&narrower, &most], &active);
            let cheapest = escaping.iter().map(|node| cost(node)).fold(f64::INFINITY, f64::min);
            assert!(bound <= cheapest + 1e-9, "{bound} {cheapest}");
            tight += u32::from(!active.is_empty() && bound > cheapest - 1e-6);
        }
        assert!(dead > 50 && raised > 50 && tight > 50, "{dead} {raised} {tight}");
    }
}

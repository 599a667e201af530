//! The further classes to withdraw so that the pool keeps δ: a covering knapsack problem, solved
//! exactly.

use std::ops::ControlFlow;

use super::pricing::{Cost, Pricing};
use crate::control::pace::Pace;

/// The relative difference up to which two costs of one node are equal.
const EQUAL: f64 = 1e-12;

/// A class whose withdrawal brings the pool nearer to δ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The index of the class.
    pub(crate) class: u32,
    /// The number of its members.
    pub(crate) members: u64,
    /// The amount by which it reduces what the pool lacks; above 0.
    pub(crate) gain: u128,
    /// The amounts that its withdrawal adds to the sums of the cost.
    pub(crate) added: Vec<u128>,
}

/// A selection of classes to withdraw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The indices of the classes.
    pub(crate) classes: Vec<u32>,
    /// The number of their members.
    pub(crate) members: u64,
}

/// Finds the cheapest selection whose gains sum to at least `need`, with at most `capacity`
/// members.
///
/// It is a branch and bound. Classes are tried in the order of their price for one unit of gain.
/// The remainder is bounded by the cheapest fractions of classes that would suffice. Equal classes
/// are interchangeable. The worst case is exponential in the number of different classes, because
/// the problem is NP-hard; the observer is asked throughout.
pub(crate) struct Knapsack<'a> {
    pricing: &'a Pricing,
    base: &'a Cost,
    items: Vec<Item>,
    /// For each item, the least amount that it adds to the score.
    prices: Vec<f64>,
    /// For each item, the sum of the gains of all items before it; the last entry is the total.
    gain_before: Vec<u128>,
    /// For each item, the sum of the prices of all items before it; the last entry is the total.
    price_before: Vec<f64>,
    need: u128,
    capacity: u64,
}

/// The selection so far.
struct Chosen {
    /// The indices of the selected items.
    indices: Vec<usize>,
    sums: Vec<u128>,
    members: u64,
    gain: u128,
    price: f64,
    /// The price before each item was added, so that its removal does not round.
    prices: Vec<f64>,
}

impl<'a> Knapsack<'a> {
    pub(crate) fn new(
        pricing: &'a Pricing,
        base: &'a Cost,
        items: Vec<Item>,
        need: u128,
        capacity: u64,
    ) -> Self {
        let slopes = pricing.slopes(base, capacity);
        let mut sorted: Vec<(f64, f64, Item)> = items
            .into_iter()
            .map(|item| {
                let price = price(&item, &slopes);
                (ratio(price, item.gain), price, item)
            })
            .collect();
        sorted.sort_by(|(left, _, one), (right, _, other)| {
            let key = |item: &Item| (item.gain, item.members, item.class);
            left.total_cmp(right)
                .then_with(|| one.added.cmp(&other.added))
                .then_with(|| key(one).cmp(&key(other)))
        });
        let (mut gain_before, mut price_before) = (vec![0], vec![0.0]);
        let (mut items, mut prices) = (Vec::new(), Vec::new());
        let (mut gains, mut all) = (0_u128, 0.0);
        for (_, price, item) in sorted {
            gains = gains.saturating_add(item.gain);
            all += price;
            gain_before.push(gains);
            price_before.push(all);
            prices.push(price);
            items.push(item);
        }
        Self { pricing, base, items, prices, gain_before, price_before, need, capacity }
    }

    /// The cheapest selection with its cost; `None` if there is none, or none that is cheaper than
    /// `known`.
    pub(crate) fn solve(
        &self,
        known: Option<&Cost>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<(Cost, Choice)>> {
        let start = self.pricing.score(self.base);
        let mut chosen = Chosen {
            indices: Vec::new(),
            sums: self.base.sums().to_vec(),
            members: 0,
            gain: 0,
            price: start,
            prices: Vec::new(),
        };
        // A result may tie with the known one, and then lose by a later criterion.
        let mut limit = known.map_or(f64::INFINITY, |known| self.pricing.score(known) * (1.0 + 1e-8));
        let mut best: Option<(Cost, Choice)> = None;
        let mut next = 0;
        loop {
            pace.spend(8 + self.base.sums().len())?;
            if chosen.gain >= self.need {
                let cost = self.pricing.cost(chosen.sums.clone());
                let is_better =
                    best.as_ref().is_none_or(|(best, _)| self.pricing.compare(&cost, best).is_lt());
                if is_better {
                    limit = limit.min(self.pricing.score(&cost) * (1.0 - EQUAL));
                    let classes = chosen.indices.iter().map(|&index| self.items[index].class).collect();
                    best = Some((cost, Choice { classes, members: chosen.members }));
                }
            } else if self.least(&chosen, next).is_some_and(|least| least <= limit) {
                if chosen.members + self.items[next].members <= self.capacity {
                    self.take(&mut chosen, next);
                }
                next += 1;
                continue;
            }
            // Later items cost no less: continue after the last item, and skip the items equal to
            // it.
            let Some(last) = self.put_back(&mut chosen) else { return ControlFlow::Continue(best) };
            next = last + 1;
            while next < self.items.len() && self.are_alike(last, next) {
                next += 1;
            }
        }
    }

    /// A lower bound on the score of the selection with some of the items from `next` on; `None` if
    /// all of them do not suffice.
    fn least(&self, chosen: &Chosen, next: usize) -> Option<f64> {
        let need = self.need - chosen.gain;
        let until = self.gain_before[next].saturating_add(need);
        if *self.gain_before.last()? < until || next == self.items.len() {
            return None;
        }
        // The last item that is needed; a part of it may suffice.
        let last = self.gain_before.partition_point(|&gain| gain < until) - 1;
        let part = until - self.gain_before[last];
        let complete = self.price_before[last] - self.price_before[next];
        Some(
            chosen.price
                + (complete + ratio(self.prices[last], self.items[last].gain) * as_float(part))
                    * (1.0 - 1e-9),
        )
    }

    fn take(&self, chosen: &mut Chosen, index: usize) {
        let item = &self.items[index];
        chosen.indices.push(index);
        chosen.sums.iter_mut().zip(&item.added).for_each(|(sum, more)| *sum += more);
        chosen.members += item.members;
        chosen.gain += item.gain;
        chosen.prices.push(chosen.price);
        chosen.price += self.prices[index];
    }

    fn put_back(&self, chosen: &mut Chosen) -> Option<usize> {
        let index = chosen.indices.pop()?;
        let item = &self.items[index];
        chosen.sums.iter_mut().zip(&item.added).for_each(|(sum, more)| *sum -= more);
        chosen.members -= item.members;
        chosen.gain -= item.gain;
        chosen.price = chosen.prices.pop()?;
        Some(index)
    }

    fn are_alike(&self, left: usize, right: usize) -> bool {
        let (left, right) = (&self.items[left], &self.items[right]);
        (left.members, left.gain) == (right.members, right.gain) && left.added == right.added
    }
}

fn price(item: &Item, slopes: &[f64]) -> f64 {
    item.added.iter().zip(slopes).map(|(&more, slope)| as_float(more) * slope).sum()
}

/// The price for one unit of gain.
fn ratio(price: f64, gain: u128) -> f64 {
    price / as_float(gain)
}

#[expect(clippy::cast_precision_loss, reason = "a bound with a margin for rounding")]
fn as_float(number: u128) -> f64 {
    number as f64
}

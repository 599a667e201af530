//! Which further classes to withdraw so that the pool keeps δ: a knapsack that has to be filled, exactly.

use std::ops::ControlFlow;

use super::super::pace::Pace;
use super::pricing::{Cost, Pricing};

/// Costs of one node that are no farther apart than this, of the whole, are equal.
const EQUAL: f64 = 1e-12;

/// A class that may be withdrawn so that the pool keeps δ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Its number.
    pub(super) class: u32,
    /// Its members.
    pub(super) members: u64,
    /// How much less the pool lacks with it; above 0.
    pub(super) gain: u128,
    /// What withdrawing it adds to each sum of the cost.
    pub(super) added: Vec<u128>,
}

/// Classes to withdraw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// Their numbers.
    pub(super) classes: Vec<u32>,
    /// Their members.
    pub(super) members: u64,
}

/// The classes to choose from: those whose gains add up to `need`, with at most `capacity` members, that cost least.
///
/// It is a branch and bound: classes are tried in the order of what they cost for what they gain, and what is left is
/// bounded by the cheapest fractions that would do. Classes that are alike are interchangeable. In the worst case it is
/// exponential in the classes that are not, as the problem is NP-hard; its observer is asked throughout.
pub(super) struct Knapsack<'a> {
    pricing: &'a Pricing,
    base: &'a Cost,
    items: Vec<Item>,
    /// The least that each item adds to the score.
    prices: Vec<f64>,
    /// Gains and prices of the items before each, and of all.
    gain_before: Vec<u128>,
    price_before: Vec<f64>,
    need: u128,
    capacity: u64,
}

/// What is chosen so far, as places among the items.
struct Chosen {
    places: Vec<usize>,
    sums: Vec<u128>,
    members: u64,
    gain: u128,
    price: f64,
    /// The price before each that was taken, so that putting back rounds nothing.
    prices: Vec<f64>,
}

impl<'a> Knapsack<'a> {
    pub(super) fn new(
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

    /// The cost with the cheapest choice, and the choice; `None` where there is none, or none that costs less than what is
    /// known already.
    pub(super) fn solve(
        &self,
        known: Option<&Cost>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<(Cost, Choice)>> {
        let start = self.pricing.score(self.base);
        let mut chosen = Chosen {
            places: Vec::new(),
            sums: self.base.sums().to_vec(),
            members: 0,
            gain: 0,
            price: start,
            prices: Vec::new(),
        };
        // What is known may tie with what is found, and lose to it.
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
                    let classes = chosen.places.iter().map(|&place| self.items[place].class).collect();
                    best = Some((cost, Choice { classes, members: chosen.members }));
                }
            } else if self.least(&chosen, next).is_some_and(|least| least <= limit) {
                if chosen.members + self.items[next].members <= self.capacity {
                    self.take(&mut chosen, next);
                }
                next += 1;
                continue;
            }
            // Whatever comes later costs no less: go on after the last that was taken, with one that is not like it.
            let Some(last) = self.put_back(&mut chosen) else { return ControlFlow::Continue(best) };
            next = last + 1;
            while next < self.items.len() && self.are_alike(last, next) {
                next += 1;
            }
        }
    }

    /// The least score that what is chosen comes to with some of the items from `next` on; `None` where all of them are too
    /// little.
    fn least(&self, chosen: &Chosen, next: usize) -> Option<f64> {
        let need = self.need - chosen.gain;
        let until = self.gain_before[next].saturating_add(need);
        if *self.gain_before.last()? < until || next == self.items.len() {
            return None;
        }
        // The last of the items that are needed, of which a part may do.
        let last = self.gain_before.partition_point(|&gain| gain < until) - 1;
        let part = until - self.gain_before[last];
        let whole = self.price_before[last] - self.price_before[next];
        Some(
            chosen.price
                + (whole + ratio(self.prices[last], self.items[last].gain) * as_float(part)) * (1.0 - 1e-9),
        )
    }

    fn take(&self, chosen: &mut Chosen, place: usize) {
        let item = &self.items[place];
        chosen.places.push(place);
        chosen.sums.iter_mut().zip(&item.added).for_each(|(sum, more)| *sum += more);
        chosen.members += item.members;
        chosen.gain += item.gain;
        chosen.prices.push(chosen.price);
        chosen.price += self.prices[place];
    }

    fn put_back(&self, chosen: &mut Chosen) -> Option<usize> {
        let place = chosen.places.pop()?;
        let item = &self.items[place];
        chosen.sums.iter_mut().zip(&item.added).for_each(|(sum, more)| *sum -= more);
        chosen.members -= item.members;
        chosen.gain -= item.gain;
        chosen.price = chosen.prices.pop()?;
        Some(place)
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.items[one], &self.items[other]);
        (one.members, one.gain) == (other.members, other.gain) && one.added == other.added
    }
}

fn price(item: &Item, slopes: &[f64]) -> f64 {
    item.added.iter().zip(slopes).map(|(&more, slope)| as_float(more) * slope).sum()
}

/// The price of one of a gain.
fn ratio(price: f64, gain: u128) -> f64 {
    price / as_float(gain)
}

#[expect(clippy::cast_precision_loss, reason = "a bound, for which there is room")]
fn as_float(number: u128) -> f64 {
    number as f64
}

//! The smallest box that contains one combination and enough people, by branch and bound (Land and
//! Doig 1960).
//!
//! A branch is a box, together with combinations that must stay outside. Its lower bound is the
//! loss of its box, plus the distance to the last of the nearest combinations that it needs to have
//! enough people. A branch is divided by its nearest combination: one child includes it, the other
//! excludes it. The second child has the same box, and its bound needs no pass over the
//! combinations.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::nearest::Near;
use super::space::Space;
use palmtop_core::model::Code;
use palmtop_core::model::size;

/// The number of branches that are examined for one combination. After that, the least bound of the
/// remaining branches is the result.
const BRANCHES: usize = 36;
/// The number of 64-bit words for a bit set of the nearby combinations or of their values; see
/// [`Near`].
const WORDS: usize = 4;

type Bits = [u64; WORDS];

/// A box, with some of its nearest combinations excluded.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// A lower bound on the loss of every box in the branch.
    least: f64,
    /// Whether the box has enough people. Then `least` is its loss.
    is_enough: bool,
    /// The index of the box in `hulls`.
    hull: usize,
    /// The number of the nearest combinations that are excluded.
    skipped: usize,
}

/// A box, with the combinations that it may include.
#[derive(Clone, Debug)]
struct Hull {
    loss: f64,
    /// The number of people inside.
    people: u128,
    /// For each column, a range of codes, or the set of values that occur.
    sides: Vec<Side>,
    /// The combinations that must stay outside.
    outside: Bits,
    /// The range in `orders` of the combinations that it may include, the nearest first.
    order: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Range(Code, Code),
    Set(Bits),
}

impl PartialEq for Branch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Branch {}

impl Ord for Branch {
    /// The least bound is the greatest branch, for a heap. Of equal bounds, the newest branch comes
    /// first, so that the search goes deep.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = (self.hull, self.skipped);
        other.least.total_cmp(&self.least).then(key.cmp(&(other.hull, other.skipped)))
    }
}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The search. It reuses its buffers for one combination after another.
#[derive(Debug, Default)]
pub(super) struct LeastBox {
    /// The nearby combinations, the nearest first; the combination itself is among them.
    pub(super) near: Near,
    people: Vec<u64>,
    /// The distinct nearby values of each column, column by column.
    values: Vec<Code>,
    /// The index in `values` of each column's first value.
    starts: Vec<usize>,
    /// For each nearby combination, the indices of its values in `values`.
    value_indices: Vec<u32>,
    /// The loss that each value adds to the current box.
    added: Vec<f64>,
    /// The boxes made so far.
    hulls: Vec<Hull>,
    /// For each box in turn: the loss that each outside combination adds to it, and its index in
    /// `near`.
    orders: Vec<(f64, usize)>,
    waiting: BinaryHeap<Branch>,
}

impl LeastBox {
    /// A lower bound on the loss of every box that contains `row` and `needed` people. `far` is a
    /// lower bound for every box that contains a combination outside `near`.
    pub(super) fn run(&mut self, space: &Space, row: usize, needed: u128, far: f64) -> f64 {
        self.load(space);
        let sides = self.sides_of(space, row);
        let far = self.drop_distant(space, &sides, needed, far);
        self.waiting.clear();
        self.hulls.clear();
        self.orders.clear();
        self.offer(space, sides, [0; WORDS], 0.0, needed, far);
        let mut looked = 0;
        while let Some(branch) = self.waiting.pop() {
            if branch.is_enough || branch.least >= far || looked == BRANCHES {
                return branch.least.min(far);
            }
            looked += 1;
            let hull = &self.hulls[branch.hull];
            let order = &self.orders[hull.order.clone()];
            let (mut sides, mut outside) = (hull.sides.clone(), hull.outside);
            for &(_, index) in &order[..branch.skipped] {
                outside[index / 64] |= 1 << (index % 64);
            }
            let next = order.get(branch.skipped).map(|&(_, index)| index);
            let skipped = branch.skipped + 1;
            if skipped < order.len() {
                let least = branch.least.max(self.least_of(hull, skipped, needed, far));
                self.waiting.push(Branch { least, skipped, ..branch });
            }
            let Some(next) = next else { continue };
            self.widen(space, &mut sides, next);
            self.offer(space, sides, outside, branch.least, needed, far);
        }
        // No box of nearby combinations has enough people. If there are no others, δ is infeasible,
        // and no bound is needed.
        if far.is_finite() { far } else { 0.0 }
    }

    /// The box around one combination.
    fn sides_of(&self, space: &Space, row: usize) -> Vec<Side> {
        let origin = space.row(row);
        let side = |column: usize| {
            if space.ordered[column] {
                return Side::Range(origin[column], origin[column]);
            }
            let values = &self.values[self.starts[column]..self.starts[column + 1]];
            let mut bits = [0; WORDS];
            if let Some(index) = values.iter().position(|&value| value == origin[column]) {
                bits[index / 64] |= 1 << (index % 64);
            }
            Side::Set(bits)
        };
        (0..space.width()).map(side).collect()
    }

    /// Drops the nearby combinations that are too far for the smallest box. It builds the box
    /// around the nearest combinations that have enough people; its loss is an upper bound. Returns
    /// the lesser of that loss and `far`.
    fn drop_distant(&mut self, space: &Space, sides: &[Side], needed: u128, far: f64) -> f64 {
        let mut sides = sides.to_vec();
        let mut people = 0_u128;
        for index in 0..self.near.len() {
            people += u128::from(self.people[index]);
            self.widen(space, &mut sides, index);
            if people >= needed {
                let far = self.add_up(space, &sides).min(far);
                let kept = self.near.partition_point(|&(distance, _)| distance < far);
                self.near.truncate(kept);
                self.people.truncate(kept);
                self.value_indices.truncate(kept * space.width());
                return far;
            }
        }
        far
    }

    /// Numbers the nearby values.
    fn load(&mut self, space: &Space) {
        let width = space.width();
        self.people.clear();
        self.people.extend(self.near.iter().map(|&(_, row)| space.counts[row as usize].public));
        self.values.clear();
        self.starts.clear();
        self.value_indices.clear();
        self.value_indices.resize(self.near.len() * width, 0);
        for column in 0..width {
            let start = self.values.len();
            self.starts.push(start);
            let code = |row: u32| space.row(row as usize)[column];
            self.values.extend(self.near.iter().map(|&(_, row)| code(row)));
            self.values[start..].sort_unstable();
            let mut kept = start;
            for index in start..self.values.len() {
                if index == start || self.values[index] != self.values[kept - 1] {
                    self.values[kept] = self.values[index];
                    kept += 1;
                }
            }
            self.values.truncate(kept);
            let values = &self.values[start..];
            for (index, &(_, row)) in self.near.iter().enumerate() {
                let value = start + values.partition_point(|&value| value < code(row));
                self.value_indices[index * width + column] = size::number(value);
            }
        }
        self.starts.push(self.values.len());
        self.added.resize(self.values.len(), 0.0);
    }

    /// Extends a box by one nearby combination.
    fn widen(&self, space: &Space, sides: &mut [Side], near: usize) {
        let width = space.width();
        let value_indices = &self.value_indices[near * width..(near + 1) * width];
        for ((side, &index), start) in sides.iter_mut().zip(value_indices).zip(&self.starts) {
            let index = index as usize;
            match side {
                Side::Range(low, high) => {
                    let code = self.values[index];
                    (*low, *high) = ((*low).min(code), (*high).max(code));
                }
                Side::Set(bits) => bits[(index - start) / 64] |= 1 << ((index - start) % 64),
            }
        }
    }

    /// Bounds a box from which some combinations are excluded, and adds it as a branch unless it
    /// contains one of these.
    fn offer(&mut self, space: &Space, sides: Vec<Side>, outside: Bits, least: f64, needed: u128, far: f64) {
        let loss = self.add_up(space, &sides);
        let start = self.orders.len();
        let mut people = 0_u128;
        for (index, value_indices) in self.value_indices.chunks_exact(space.width()).enumerate() {
            let added: f64 = value_indices.iter().map(|&value| self.added[value as usize]).sum();
            let is_outside = outside[index / 64] >> (index % 64) & 1 == 1;
            if added > 0.0 {
                if !is_outside && loss + added < far {
                    self.orders.push((added, index));
                }
            } else if is_outside {
                self.orders.truncate(start);
                return;
            } else {
                people += u128::from(self.people[index]);
            }
        }
        self.orders[start..]
            .sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        let hull = Hull { loss, people, sides, outside, order: start..self.orders.len() };
        let is_enough = people >= needed;
        let bound = if is_enough { loss } else { self.least_of(&hull, 0, needed, far) };
        let number = self.hulls.len();
        self.hulls.push(hull);
        self.waiting.push(Branch { least: least.max(bound), is_enough, hull: number, skipped: 0 });
    }

    /// A lower bound on the loss of every box that contains this one and enough people, without the
    /// nearest `skipped` combinations.
    fn least_of(&self, hull: &Hull, skipped: usize, needed: u128, far: f64) -> f64 {
        let mut people = hull.people;
        for &(added, index) in &self.orders[hull.order.clone()][skipped..] {
            people += u128::from(self.people[index]);
            if people >= needed {
                return hull.loss + added;
            }
        }
        // If the nearby combinations have too few people, the box needs others.
        far
    }

    /// Computes the loss that each value adds to a box, and returns the loss of the box.
    fn add_up(&mut self, space: &Space, sides: &[Side]) -> f64 {
        let mut loss = 0.0;
        for (column, side) in sides.iter().enumerate() {
            let unit = space.units[column];
            let range = self.starts[column]..self.starts[column + 1];
            let values = &self.values[range.clone()];
            let added = &mut self.added[range];
            match side {
                Side::Range(low, high) => {
                    loss += f64::from(high - low) * unit;
                    for (added, value) in added.iter_mut().zip(values) {
                        *added = f64::from(low.saturating_sub(*value) + value.saturating_sub(*high)) * unit;
                    }
                }
                Side::Set(bits) => {
                    loss +=
                        f64::from(bits.iter().map(|word| word.count_ones()).sum::<u32>().saturating_sub(1))
                            * unit;
                    for (index, added) in added.iter_mut().enumerate() {
                        let is_in = bits[index / 64] >> (index % 64) & 1 == 1;
                        *added = if is_in { 0.0 } else { unit };
                    }
                }
            }
        }
        loss
    }
}

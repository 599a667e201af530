//! The smallest box that holds one combination and enough people, by branch and bound (Land and Doig 1960).
//!
//! A branch is a box, and combinations that are to stay outside. It is no smaller than what it has by now and, on top,
//! what the last of the nearest combinations needs that bring enough people. A branch is taken further by its nearest
//! combination: in one it is inside, in the other outside. The other has the same box, and is bounded without a look at
//! the combinations.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::Space;
use super::nearest::Near;
use palmtop_core::model::Code;
use palmtop_core::model::size;

/// How many branches are looked at for one person before the least one yet to be looked at has to do.
const BRANCHES: usize = 36;
/// Bits for the combinations nearby and for their values, of which there are no more; see [`Near`].
const WORDS: usize = 4;

type Bits = [u64; WORDS];

/// A box, and some of those whom it could take in kept outside.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// No box of the branch has less loss.
    least: f64,
    /// Whether the box has enough people, and `least` is its own loss.
    is_enough: bool,
    /// The number of its box.
    hull: usize,
    /// How many of the nearest to the box stay outside.
    skipped: usize,
}

/// A box, with those whom it could take in.
#[derive(Clone, Debug)]
struct Hull {
    loss: f64,
    /// The people inside.
    people: u128,
    /// For each column a range of codes, or the bits of the values that occur.
    sides: Vec<Side>,
    /// Who is to stay outside whatever is taken in.
    outside: Bits,
    /// Where in `orders` stand those whom it could take in, the nearest first.
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
    /// The least is the greatest, for a heap; of equals the one made last, which goes deep.
    fn cmp(&self, other: &Self) -> Ordering {
        let own = (self.hull, self.skipped);
        other.least.total_cmp(&self.least).then(own.cmp(&(other.hull, other.skipped)))
    }
}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The search, in the same buffers for one combination after another.
#[derive(Debug, Default)]
pub(super) struct LeastBox {
    /// The combinations nearby, the nearest first, its own among them.
    pub(super) near: Near,
    people: Vec<u64>,
    /// The distinct values nearby of each column, one column after another, and where each column begins.
    values: Vec<Code>,
    starts: Vec<usize>,
    /// Of each combination nearby the places of its values in `values`.
    places: Vec<u32>,
    /// What each value adds to the loss of a box.
    added: Vec<f64>,
    /// The boxes so far.
    hulls: Vec<Hull>,
    /// What each combination outside adds to the loss of a box, and its place among those nearby, box after box.
    orders: Vec<(f64, usize)>,
    waiting: BinaryHeap<Branch>,
}

impl LeastBox {
    /// A loss that no box falls below which holds `own` and `needed` people; `far` is one that no box falls below which
    /// holds a combination that is not near.
    pub(super) fn run(&mut self, space: &Space, own: usize, needed: u128, far: f64) -> f64 {
        self.load(space);
        let sides = self.sides_of(space, own);
        let far = self.come_nearer(space, &sides, needed, far);
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
            for &(_, place) in &order[..branch.skipped] {
                outside[place / 64] |= 1 << (place % 64);
            }
            let next = order.get(branch.skipped).map(|&(_, place)| place);
            let skipped = branch.skipped + 1;
            if skipped < order.len() {
                let least = branch.least.max(self.least_of(hull, skipped, needed, far));
                self.waiting.push(Branch { least, skipped, ..branch });
            }
            let Some(next) = next else { continue };
            self.widen(space, &mut sides, next);
            self.offer(space, sides, outside, branch.least, needed, far);
        }
        // No box of those near is enough; if they are everybody, δ is infeasible and there is nothing to bound.
        if far.is_finite() { far } else { 0.0 }
    }

    /// The box around one combination.
    fn sides_of(&self, space: &Space, own: usize) -> Vec<Side> {
        let origin = space.row(own);
        let side = |column: usize| {
            if space.ordered[column] {
                return Side::Range(origin[column], origin[column]);
            }
            let values = &self.values[self.starts[column]..self.starts[column + 1]];
            let mut bits = [0; WORDS];
            if let Some(place) = values.iter().position(|&value| value == origin[column]) {
                bits[place / 64] |= 1 << (place % 64);
            }
            Side::Set(bits)
        };
        (0..space.width()).map(side).collect()
    }

    /// Forgets those who are no nearer than one box goes that is enough: the one around the nearest who are enough.
    /// Returns its loss, where that is less than `far`.
    fn come_nearer(&mut self, space: &Space, sides: &[Side], needed: u128, far: f64) -> f64 {
        let mut sides = sides.to_vec();
        let mut people = 0_u128;
        for place in 0..self.near.len() {
            people += u128::from(self.people[place]);
            self.widen(space, &mut sides, place);
            if people >= needed {
                let far = self.add_up(space, &sides).min(far);
                let kept = self.near.partition_point(|&(distance, _)| distance < far);
                self.near.truncate(kept);
                self.people.truncate(kept);
                self.places.truncate(kept * space.width());
                return far;
            }
        }
        far
    }

    /// Numbers the values nearby.
    fn load(&mut self, space: &Space) {
        let width = space.width();
        self.people.clear();
        self.people.extend(self.near.iter().map(|&(_, row)| space.counts[row as usize].public));
        self.values.clear();
        self.starts.clear();
        self.places.clear();
        self.places.resize(self.near.len() * width, 0);
        for column in 0..width {
            let start = self.values.len();
            self.starts.push(start);
            let code = |row: u32| space.row(row as usize)[column];
            self.values.extend(self.near.iter().map(|&(_, row)| code(row)));
            self.values[start..].sort_unstable();
            let mut kept = start;
            for place in start..self.values.len() {
                if place == start || self.values[place] != self.values[kept - 1] {
                    self.values[kept] = self.values[place];
                    kept += 1;
                }
            }
            self.values.truncate(kept);
            let values = &self.values[start..];
            for (place, &(_, row)) in self.near.iter().enumerate() {
                let value = start + values.partition_point(|&value| value < code(row));
                self.places[place * width + column] = size::number(value);
            }
        }
        self.starts.push(self.values.len());
        self.added.resize(self.values.len(), 0.0);
    }

    /// Widens a box around one of those near.
    fn widen(&self, space: &Space, sides: &mut [Side], near: usize) {
        let width = space.width();
        let places = &self.places[near * width..(near + 1) * width];
        for ((side, &place), start) in sides.iter_mut().zip(places).zip(&self.starts) {
            let place = place as usize;
            match side {
                Side::Range(low, high) => {
                    let code = self.values[place];
                    (*low, *high) = ((*low).min(code), (*high).max(code));
                }
                Side::Set(bits) => bits[(place - start) / 64] |= 1 << ((place - start) % 64),
            }
        }
    }

    /// Bounds a box that somebody stays outside of, and lets it wait unless it holds one of those.
    fn offer(&mut self, space: &Space, sides: Vec<Side>, outside: Bits, least: f64, needed: u128, far: f64) {
        let loss = self.add_up(space, &sides);
        let start = self.orders.len();
        let mut people = 0_u128;
        for (place, places) in self.places.chunks_exact(space.width()).enumerate() {
            let added: f64 = places.iter().map(|&value| self.added[value as usize]).sum();
            let is_outside = outside[place / 64] >> (place % 64) & 1 == 1;
            if added > 0.0 {
                if !is_outside && loss + added < far {
                    self.orders.push((added, place));
                }
            } else if is_outside {
                self.orders.truncate(start);
                return;
            } else {
                people += u128::from(self.people[place]);
            }
        }
        self.orders[start..]
            .sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        let hull = Hull { loss, people, sides, outside, order: start..self.orders.len() };
        let is_enough = people >= needed;
        let own = if is_enough { loss } else { self.least_of(&hull, 0, needed, far) };
        let number = self.hulls.len();
        self.hulls.push(hull);
        self.waiting.push(Branch { least: least.max(own), is_enough, hull: number, skipped: 0 });
    }

    /// A loss that no box falls below which holds this one and enough people, without the nearest so many.
    fn least_of(&self, hull: &Hull, skipped: usize, needed: u128, far: f64) -> f64 {
        let mut people = hull.people;
        for &(added, place) in &self.orders[hull.order.clone()][skipped..] {
            people += u128::from(self.people[place]);
            if people >= needed {
                return hull.loss + added;
            }
        }
        // Where those near are too few, a box needs others.
        far
    }

    /// Notes what each value adds to the loss of a box, and returns that.
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
                    for (place, added) in added.iter_mut().enumerate() {
                        let is_in = bits[place / 64] >> (place % 64) & 1 == 1;
                        *added = if is_in { 0.0 } else { unit };
                    }
                }
            }
        }
        loss
    }
}

//! The possible counts of members in each cell with their weights, and the outcomes of an offer.

pub(super) mod cell;
pub(super) mod cluster;
pub(super) mod weight;

use rustc_hash::FxHashMap;

use self::cell::{Cell, Halves};
use self::weight::{Divisions, Share, Weight};
use palmtop_core::model::size;

/// The largest number of steps to compute the states after an answer.
const MOST_STEPS: usize = 80_000;
/// A rounded state with less than this share of all weight is dropped, and counted as lost.
const LEAST_STATE: f64 = 1e-17;
/// The share of the likeliest division below which a division of a cell's members is dropped, if
/// the cluster is clean. A failure of a clean cluster may be arbitrarily rare.
const LEAST_CLEAN: f64 = 1e-200;
/// The same share for all other clusters.
const LEAST: f64 = 1e-20;

/// The states of a cluster: all possible combinations of cell counts, with weights.
#[derive(Clone, Debug)]
pub(super) enum States {
    /// Each weight is the number of sets of members in the state: exact.
    Exact(Table<u128>),
    /// Weights are shares of the total, up to rounding and the lost weight.
    Rounded(Table<f64>),
}

/// States as rows, with one count for each cell.
#[derive(Clone, Debug)]
pub(super) struct Table<W> {
    pub(super) counts: Vec<u64>,
    pub(super) weights: Vec<W>,
    /// An upper bound of the weight that was dropped.
    pub(super) lost: f64,
}

/// For each number of members in the left half, its weight and the moments of every cell part.
#[derive(Debug)]
pub(super) struct Outcomes<W> {
    /// The least possible number.
    pub(super) first: u64,
    /// The weight of each number, from the least.
    pub(super) weights: Vec<W>,
    /// The parts of all cells of the cluster.
    pub(super) parts: Vec<Part<W>>,
    /// An upper bound of the weight that was dropped, for each outcome.
    pub(super) lost: f64,
}

/// A part of a cell, with its moment for each number of members in the left half.
#[derive(Debug)]
pub(super) struct Part<W> {
    pub(super) side: Side,
    pub(super) people: u64,
    /// The most members that the part can have.
    pub(super) most: u64,
    /// The members of the part's region.
    pub(super) members: u64,
    pub(super) moments: Vec<W>,
}

/// The half of the cut that a part lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    /// In another region of the cluster.
    Elsewhere,
}

impl<W: Weight> Part<W> {
    /// The part's share in one outcome.
    pub(super) fn share(&self, outcome: usize, weight: W) -> Share<W> {
        let Self { people, most, members, .. } = *self;
        Share { moment: self.moments[outcome], weight, people, most, members }
    }
}

impl States {
    /// The number of states.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Exact(table) => table.weights.len(),
            Self::Rounded(table) => table.weights.len(),
        }
    }

    /// The most members of each cell over all states.
    pub(super) fn most(&self, cells: usize) -> Vec<u64> {
        let counts = match self {
            Self::Exact(table) => &table.counts,
            Self::Rounded(table) => &table.counts,
        };
        let mut most = vec![0; cells];
        for state in counts.chunks_exact(cells) {
            most.iter_mut().zip(state).for_each(|(most, &members)| *most = members.max(*most));
        }
        most
    }

    /// The states after an answer, in which the number of members in the left half is possible.
    /// `None` if there would be more than `most` states.
    pub(super) fn divided(
        &self,
        cells: &[Cell],
        halves: &Halves,
        is_possible: &dyn Fn(u64) -> bool,
        most: usize,
    ) -> Option<Self> {
        Some(match self {
            Self::Exact(table) => Self::Exact(table.divided(cells, halves, is_possible, most)?),
            Self::Rounded(table) => {
                Self::Rounded(table.divided(cells, halves, is_possible, most)?.normalized())
            }
        })
    }

    /// Removes the cells whose counts are known.
    pub(super) fn keep(&mut self, is_kept: &[bool], cells: &[Cell]) {
        match self {
            Self::Exact(table) => table.keep(is_kept, cells),
            Self::Rounded(table) => table.keep(is_kept, cells),
        }
    }
}

/// For each cell that a cut divides, and each of its possible counts, the ways to divide the count.
struct Cache<'a, W> {
    cells: &'a [Cell],
    halves: &'a Halves,
    /// The indices of the divided cells.
    divided: Vec<usize>,
    known: Vec<FxHashMap<u64, Divisions<W>>>,
}

impl<'a, W: Weight> Cache<'a, W> {
    fn of(table: &Table<W>, cells: &'a [Cell], halves: &'a Halves) -> Self {
        let divided: Vec<usize> = (0..cells.len()).filter(|&cell| halves.divides(cells, cell)).collect();
        let mut known: Vec<FxHashMap<u64, Divisions<W>>> = vec![FxHashMap::default(); divided.len()];
        let least = if cells.len() == 1 { LEAST_CLEAN } else { LEAST };
        for state in table.counts.chunks_exact(cells.len()) {
            for (&cell, known) in divided.iter().zip(&mut known) {
                known.entry(state[cell]).or_insert_with(|| {
                    let left = halves.left[cell];
                    W::divisions(left, cells[cell].people - left, state[cell], least)
                });
            }
        }
        Self { cells, halves, divided, known }
    }

    /// The divisions of each divided cell in a state.
    fn of_state(&self, state: &[u64]) -> Vec<&Divisions<W>> {
        self.divided.iter().zip(&self.known).map(|(&cell, known)| &known[&state[cell]]).collect()
    }

    /// The members that are in the left half in every division.
    fn fixed(&self, state: &[u64]) -> u64 {
        let is_left = |cell: &usize| {
            self.cells[*cell].region == self.halves.region
                && self.halves.left[*cell] == self.cells[*cell].people
        };
        (0..self.cells.len()).filter(is_left).map(|cell| state[cell]).sum()
    }

    /// The weight of a state without the factors of the divided cells.
    fn undivided(&self, state: &[u64], weight: W) -> W {
        self.divided.iter().fold(weight, |weight, &cell| weight.without(self.cells[cell].people, state[cell]))
    }
}

impl<W: Weight> Table<W> {
    /// The weight and the moments of each number of members in the left half.
    pub(super) fn outcomes(&self, cells: &[Cell], members: &[u64], halves: &Halves) -> Outcomes<W> {
        let cache = Cache::of(self, cells, halves);
        let states = || self.counts.chunks_exact(cells.len()).zip(self.weights.iter().copied());
        let (mut first, mut end) = (u64::MAX, 0);
        for (state, _) in states() {
            let divisions = cache.of_state(state);
            let low = cache.fixed(state) + divisions.iter().map(|divisions| divisions.first).sum::<u64>();
            first = first.min(low);
            end = end
                .max(low + divisions.iter().map(|divisions| divisions.weights.len() as u64 - 1).sum::<u64>());
        }
        let count = size::index(end - first) + 1;
        let mut parts = Vec::new();
        // For each cell, the indices of its parts.
        let mut left_of = vec![usize::MAX; cells.len()];
        let mut right_of = vec![usize::MAX; cells.len()];
        for (index, cell) in cells.iter().enumerate() {
            let mut part = |side, people: u64| {
                let members = members[cell.region];
                let most = people.min(members);
                parts.push(Part { side, people, most, members, moments: vec![W::default(); count] });
                parts.len() - 1
            };
            if cell.region != halves.region {
                left_of[index] = part(Side::Elsewhere, cell.people);
                continue;
            }
            let left = halves.left[index];
            if left > 0 {
                left_of[index] = part(Side::Left, left);
            }
            if left < cell.people {
                right_of[index] = part(Side::Right, cell.people - left);
            }
        }
        let mut weights = vec![W::default(); count];
        let mut lost = self.lost;
        for (state, weight) in states() {
            let divisions = cache.of_state(state);
            lost += weight.to_f64() * divisions.iter().map(|divisions| divisions.lost).sum::<f64>();
            let start =
                cache.fixed(state) + divisions.iter().map(|divisions| divisions.first).sum::<u64>() - first;
            let start = size::index(start);
            let joint = Joint::of(cache.undivided(state, weight), &divisions);
            let span = start..start + joint.weights.len();
            add(&mut weights[span.clone()], &joint.weights);
            for (index, &count) in state.iter().enumerate() {
                let count = W::of(count);
                if let Some(divided) = cache.divided.iter().position(|&divided| divided == index) {
                    let left = &joint.moments[divided];
                    add(&mut parts[left_of[index]].moments[span.clone()], left);
                    let right = &mut parts[right_of[index]].moments[span.clone()];
                    for ((sum, &weight), &left) in right.iter_mut().zip(&joint.weights).zip(left) {
                        *sum += (weight * count).less(left);
                    }
                } else {
                    let part = if left_of[index] == usize::MAX { right_of[index] } else { left_of[index] };
                    let moments = &mut parts[part].moments[span.clone()];
                    moments.iter_mut().zip(&joint.weights).for_each(|(sum, &weight)| *sum += weight * count);
                }
            }
        }
        Outcomes { first, weights, parts, lost }
    }

    /// The states in which the number of members in the left half is possible.
    fn divided(
        &self,
        cells: &[Cell],
        halves: &Halves,
        is_possible: &dyn Fn(u64) -> bool,
        most: usize,
    ) -> Option<Self> {
        let cache = Cache::of(self, cells, halves);
        let mut new = Self { counts: Vec::new(), weights: Vec::new(), lost: self.lost };
        let mut steps = 0;
        for (state, &weight) in self.counts.chunks_exact(cells.len()).zip(&self.weights) {
            let divisions = cache.of_state(state);
            new.lost += weight.to_f64() * divisions.iter().map(|divisions| divisions.lost).sum::<f64>();
            let (fixed, undivided) = (cache.fixed(state), cache.undivided(state, weight));
            // All choices of a count for each divided cell, as an odometer.
            let mut choice = vec![0_usize; divisions.len()];
            loop {
                steps += 1;
                if steps > MOST_STEPS {
                    return None;
                }
                let left = |divided: usize| divisions[divided].first + choice[divided] as u64;
                if is_possible(fixed + (0..choice.len()).map(left).sum::<u64>()) {
                    let factors = divisions.iter().zip(&choice).map(|(divisions, &at)| divisions.weights[at]);
                    new.weights.push(factors.fold(undivided, |product, factor| product * factor));
                    for (index, &count) in state.iter().enumerate() {
                        match cache.divided.iter().position(|&divided| divided == index) {
                            Some(divided) => new.counts.extend([left(divided), count - left(divided)]),
                            None => new.counts.push(count),
                        }
                    }
                }
                let Some(index) =
                    (0..choice.len()).find(|&index| choice[index] + 1 < divisions[index].weights.len())
                else {
                    break;
                };
                choice[..index].fill(0);
                choice[index] += 1;
            }
        }
        let width = cells.len() + cache.divided.len();
        new.drop_rare(width);
        (new.weights.len() <= most).then_some(new)
    }

    /// Drops states of negligible weight, if weights are shares.
    fn drop_rare(&mut self, width: usize) {
        let limit = self.weights.iter().fold(0.0, |sum, weight| sum + weight.to_f64()) * LEAST_STATE;
        if self.weights.iter().all(|&weight| !W::may_be_dropped(weight, limit)) {
            return;
        }
        let (mut counts, mut weights) = (Vec::new(), Vec::new());
        for (state, &weight) in self.counts.chunks_exact(width).zip(&self.weights) {
            if W::may_be_dropped(weight, limit) {
                self.lost += weight.to_f64();
            } else {
                counts.extend_from_slice(state);
                weights.push(weight);
            }
        }
        (self.counts, self.weights) = (counts, weights);
    }

    fn keep(&mut self, is_kept: &[bool], cells: &[Cell]) {
        let mut counts = Vec::with_capacity(self.counts.len());
        for (state, weight) in self.counts.chunks_exact(is_kept.len()).zip(&mut self.weights) {
            for ((&count, &is_kept), cell) in state.iter().zip(is_kept).zip(cells) {
                if is_kept {
                    counts.push(count);
                } else {
                    *weight = weight.without(cell.people, count);
                }
            }
        }
        self.counts = counts;
    }
}

impl Table<f64> {
    /// Scales the weights so that they sum to 1.
    fn normalized(mut self) -> Self {
        let total: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= total);
        self.lost /= total;
        self
    }
}

/// For each number of members in the left half, its weight and the moment of each divided cell.
struct Joint<W> {
    weights: Vec<W>,
    moments: Vec<Vec<W>>,
}

impl<W: Weight> Joint<W> {
    /// The convolution of independent cells.
    fn of(weight: W, divisions: &[&Divisions<W>]) -> Self {
        let mut joint = Self { weights: vec![weight], moments: Vec::with_capacity(divisions.len()) };
        for divisions in divisions {
            let products: Vec<W> =
                (divisions.first..).zip(&divisions.weights).map(|(k, &w)| w * W::of(k)).collect();
            let moment = convolved(&joint.weights, &products);
            joint.moments.iter_mut().for_each(|known| *known = convolved(known, &divisions.weights));
            joint.moments.push(moment);
            joint.weights = convolved(&joint.weights, &divisions.weights);
        }
        joint
    }
}

fn convolved<W: Weight>(left: &[W], right: &[W]) -> Vec<W> {
    let mut sums = vec![W::default(); left.len() + right.len() - 1];
    for (shift, &factor) in left.iter().enumerate() {
        sums[shift..].iter_mut().zip(right).for_each(|(sum, &weight)| *sum += factor * weight);
    }
    sums
}

fn add<W: Weight>(to: &mut [W], from: &[W]) {
    to.iter_mut().zip(from).for_each(|(sum, &value)| *sum += value);
}

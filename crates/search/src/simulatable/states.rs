//! The possible numbers of members of each cell, with their weights, and what an offer's outcomes would make of them.

use rustc_hash::FxHashMap;

use super::cluster::{Cell, Halves};
use super::weight::{Divisions, Share, Weight};
use palmtop_core::model::size;

/// So many steps it may take to find the states after an answer.
const MOST_STEPS: usize = 80_000;
/// A rounded state of less than this share of all is left out, and counted as lost.
const LEAST_STATE: f64 = 1e-17;
/// The numbers that a cell's members are divided by are left out below this share of the likeliest: where nothing is known
/// and a failure may be as rare as it likes, and elsewhere.
const LEAST_CLEAN: f64 = 1e-200;
const LEAST: f64 = 1e-20;

/// The states of a cluster.
#[derive(Clone, Debug)]
pub(super) enum States {
    /// Each weighs as many sets of members as there are: exact.
    Exact(Table<u128>),
    /// Weights are shares of the whole, but for rounding and for what is lost.
    Rounded(Table<f64>),
}

/// States, a row of counts each, a column for each cell.
#[derive(Clone, Debug)]
pub(super) struct Table<W> {
    pub(super) counts: Vec<u64>,
    pub(super) weights: Vec<W>,
    /// At most so much weight was left out.
    pub(super) lost: f64,
}

/// What each number of members in the left half would mean.
#[derive(Debug)]
pub(super) struct Outcomes<W> {
    /// The least number that is possible.
    pub(super) first: u64,
    /// The weight of each number from there on.
    pub(super) weights: Vec<W>,
    /// Every part of every cell of the cluster.
    pub(super) parts: Vec<Part<W>>,
    /// At most so much weight was left out, of any outcome.
    pub(super) lost: f64,
}

/// A part of a cell, and its moment for each number of members in the left half.
#[derive(Debug)]
pub(super) struct Part<W> {
    pub(super) side: Side,
    pub(super) people: u64,
    /// The most members that it can have.
    pub(super) most: u64,
    /// The members of its region.
    pub(super) members: u64,
    pub(super) moments: Vec<W>,
}

/// Where a part lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    /// In another region of the cluster.
    Elsewhere,
}

impl<W: Weight> Part<W> {
    /// Its share in one outcome.
    pub(super) fn share(&self, outcome: usize, weight: W) -> Share<W> {
        let Self { people, most, members, .. } = *self;
        Share { moment: self.moments[outcome], weight, people, most, members }
    }
}

impl States {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Exact(table) => table.weights.len(),
            Self::Rounded(table) => table.weights.len(),
        }
    }

    /// The most members of each cell.
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

    /// The states after an answer that leaves only some numbers of members in the left half possible; none where there
    /// would be more than `most`.
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

    /// Leaves out cells whose members are known.
    pub(super) fn keep(&mut self, is_kept: &[bool], cells: &[Cell]) {
        match self {
            Self::Exact(table) => table.keep(is_kept, cells),
            Self::Rounded(table) => table.keep(is_kept, cells),
        }
    }
}

/// The ways to divide each number of members of the cells that a cut goes through.
struct Cache<'a, W> {
    cells: &'a [Cell],
    halves: &'a Halves,
    /// The cells that are divided.
    divided: Vec<usize>,
    known: Vec<FxHashMap<u64, Divisions<W>>>,
}

impl<'a, W: Weight> Cache<'a, W> {
    fn of(table: &Table<W>, cells: &'a [Cell], halves: &'a Halves) -> Self {
        let divided: Vec<usize> = (0..cells.len()).filter(|&place| halves.divides(cells, place)).collect();
        let mut known: Vec<FxHashMap<u64, Divisions<W>>> = vec![FxHashMap::default(); divided.len()];
        let least = if cells.len() == 1 { LEAST_CLEAN } else { LEAST };
        for state in table.counts.chunks_exact(cells.len()) {
            for (&place, known) in divided.iter().zip(&mut known) {
                known.entry(state[place]).or_insert_with(|| {
                    let left = halves.left[place];
                    W::divisions(left, cells[place].people - left, state[place], least)
                });
            }
        }
        Self { cells, halves, divided, known }
    }

    /// The divisions of each divided cell in a state.
    fn of_state(&self, state: &[u64]) -> Vec<&Divisions<W>> {
        self.divided.iter().zip(&self.known).map(|(&place, known)| &known[&state[place]]).collect()
    }

    /// The members that are on the left whatever happens.
    fn fixed(&self, state: &[u64]) -> u64 {
        let is_left = |place: &usize| {
            self.cells[*place].region == self.halves.region
                && self.halves.left[*place] == self.cells[*place].people
        };
        (0..self.cells.len()).filter(is_left).map(|place| state[place]).sum()
    }

    /// A state's weight but for the cells that are divided.
    fn undivided(&self, state: &[u64], weight: W) -> W {
        self.divided
            .iter()
            .fold(weight, |weight, &place| weight.without(self.cells[place].people, state[place]))
    }
}

impl<W: Weight> Table<W> {
    /// What each number of members in the left half would mean for every part of every cell.
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
        // Of each cell, where its parts are.
        let mut left_of = vec![usize::MAX; cells.len()];
        let mut right_of = vec![usize::MAX; cells.len()];
        for (place, cell) in cells.iter().enumerate() {
            let mut part = |side, people: u64| {
                let members = members[cell.region];
                let most = people.min(members);
                parts.push(Part { side, people, most, members, moments: vec![W::default(); count] });
                parts.len() - 1
            };
            if cell.region != halves.region {
                left_of[place] = part(Side::Elsewhere, cell.people);
                continue;
            }
            let left = halves.left[place];
            if left > 0 {
                left_of[place] = part(Side::Left, left);
            }
            if left < cell.people {
                right_of[place] = part(Side::Right, cell.people - left);
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
            for (place, &count) in state.iter().enumerate() {
                let count = W::of(count);
                if let Some(divided) = cache.divided.iter().position(|&divided| divided == place) {
                    let left = &joint.moments[divided];
                    add(&mut parts[left_of[place]].moments[span.clone()], left);
                    let right = &mut parts[right_of[place]].moments[span.clone()];
                    for ((sum, &weight), &left) in right.iter_mut().zip(&joint.weights).zip(left) {
                        *sum += (weight * count).less(left);
                    }
                } else {
                    let part = if left_of[place] == usize::MAX { right_of[place] } else { left_of[place] };
                    let moments = &mut parts[part].moments[span.clone()];
                    moments.iter_mut().zip(&joint.weights).for_each(|(sum, &weight)| *sum += weight * count);
                }
            }
        }
        Outcomes { first, weights, parts, lost }
    }

    /// The states in which the left half has one of the possible numbers of members.
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
            // Every choice of a number for each divided cell, as an odometer.
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
                    for (place, &count) in state.iter().enumerate() {
                        match cache.divided.iter().position(|&divided| divided == place) {
                            Some(divided) => new.counts.extend([left(divided), count - left(divided)]),
                            None => new.counts.push(count),
                        }
                    }
                }
                let Some(place) =
                    (0..choice.len()).find(|&place| choice[place] + 1 < divisions[place].weights.len())
                else {
                    break;
                };
                choice[..place].fill(0);
                choice[place] += 1;
            }
        }
        let width = cells.len() + cache.divided.len();
        new.drop_rare(width);
        (new.weights.len() <= most).then_some(new)
    }

    /// Leaves out states that are next to impossible, if weights are shares.
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
    /// The same with weights that sum to 1.
    fn normalized(mut self) -> Self {
        let whole: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= whole);
        self.lost /= whole;
        self
    }
}

/// The weights of each number of members on the left, and for each divided cell their moments.
struct Joint<W> {
    weights: Vec<W>,
    moments: Vec<Vec<W>>,
}

impl<W: Weight> Joint<W> {
    /// The convolution of independent cells.
    fn of(weight: W, divisions: &[&Divisions<W>]) -> Self {
        let mut joint = Self { weights: vec![weight], moments: Vec::with_capacity(divisions.len()) };
        for divisions in divisions {
            let own: Vec<W> =
                (divisions.first..).zip(&divisions.weights).map(|(k, &w)| w * W::of(k)).collect();
            let moment = convolved(&joint.weights, &own);
            joint.moments.iter_mut().for_each(|known| *known = convolved(known, &divisions.weights));
            joint.moments.push(moment);
            joint.weights = convolved(&joint.weights, &divisions.weights);
        }
        joint
    }
}

fn convolved<W: Weight>(one: &[W], other: &[W]) -> Vec<W> {
    let mut sums = vec![W::default(); one.len() + other.len() - 1];
    for (place, &factor) in one.iter().enumerate() {
        sums[place..].iter_mut().zip(other).for_each(|(sum, &weight)| *sum += factor * weight);
    }
    sums
}

fn add<W: Weight>(to: &mut [W], from: &[W]) {
    to.iter_mut().zip(from).for_each(|(sum, &value)| *sum += value);
}

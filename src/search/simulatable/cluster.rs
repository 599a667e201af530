//! What is known of some regions, given everything answered so far: which numbers of members their cells may have.

use super::population::{Cut, Population, Rows};
use super::states::{States, Table};
use super::weight::{Weight, has_room};

/// Regions whose cells have possible counts that hang together, independent of all others.
///
/// Invariant: given the transcript, the members of a cell are a uniformly random set of its people of the size that the
/// state says, and the state is drawn in proportion to the weights.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) regions: Vec<Region>,
    /// The cells, region by region in no order; each state has a count for each.
    pub(super) cells: Vec<Cell>,
    pub(super) states: States,
}

/// A region: its number of members is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// Its number in the transcript.
    pub(super) number: u32,
    pub(super) members: u64,
    /// How many offers have failed.
    pub(super) tries: u32,
    pub(super) is_open: bool,
}

/// Combinations of one region that no answer has told apart.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The place of its region.
    pub(super) region: usize,
    pub(super) rows: Rows,
    pub(super) people: u64,
}

/// The parts of every cell of a region that is cut; cells of other regions have none.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    /// The place of the region.
    pub(super) region: usize,
    /// Of each cell of the cluster that is in the region, the people on the left.
    pub(super) left: Vec<u64>,
}

impl Halves {
    /// Whether a cut goes through a cell of its region.
    pub(super) fn divides(&self, cells: &[Cell], place: usize) -> bool {
        let (cell, left) = (&cells[place], self.left[place]);
        cell.region == self.region && left > 0 && left < cell.people
    }
}

/// What became of a cluster.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// What still hangs together and has an open region.
    pub(super) rest: Option<Cluster>,
    /// Clean regions to go on with.
    pub(super) clean: Vec<Cluster>,
    /// Regions that are not cut further.
    pub(super) done: Vec<Vec<u32>>,
}

impl Cluster {
    /// A region of which nothing is known but how many members it has.
    pub(super) fn clean(population: &Population, number: u32, rows: Rows, members: u64) -> Self {
        let people = rows.count();
        let states = if population.rules().is_exact && has_room(people, members, population.delta()) {
            let whole = u128::divisions(people, 0, members, 0.0).weights;
            States::Exact(Table { counts: vec![members], weights: whole, lost: 0.0 })
        } else {
            States::Rounded(Table { counts: vec![members], weights: vec![1.0], lost: 0.0 })
        };
        Self {
            regions: vec![Region { number, members, tries: 0, is_open: true }],
            cells: vec![Cell { region: 0, rows, people }],
            states,
        }
    }

    /// Whether its one region has one cell.
    pub(super) fn is_clean(&self) -> bool {
        self.cells.len() == 1
    }

    /// The cells of a region.
    pub(super) fn cells_of(&self, region: usize) -> impl Iterator<Item = &Cell> + Clone {
        self.cells.iter().filter(move |cell| cell.region == region)
    }

    /// How a cut divides the cells of a region.
    pub(super) fn halves(&self, population: &Population, region: usize, cut: Cut) -> Halves {
        let goes_left = population.goes_left(cut);
        let left = |cell: &Cell| {
            let rows = if cell.region == region { Some(cell.rows.iter()) } else { None };
            rows.into_iter().flatten().filter(|(codes, _)| goes_left(codes)).map(|(_, people)| people).sum()
        };
        Halves { region, left: self.cells.iter().map(left).collect() }
    }

    /// The combinations on the left of a cut, a list for each cell.
    pub(super) fn left_half(&self, population: &Population, region: usize, cut: Cut) -> Vec<Vec<u32>> {
        let goes_left = population.goes_left(cut);
        let places = |cell: &Cell| {
            let rows = cell.rows.iter().zip(cell.rows.places());
            rows.filter(|((codes, _), _)| goes_left(codes)).map(|(_, &place)| place).collect()
        };
        self.cells_of(region).map(places).collect()
    }

    /// The cluster after an answer: the members of the left half, whose regions are then numbered from `next` on, or
    /// failed. Nothing is open any more where there would be too many states.
    pub(super) fn answered(
        mut self,
        population: &Population,
        cut: Cut,
        halves: &Halves,
        is_accepted: &dyn Fn(u64) -> bool,
        answer: Option<u64>,
        next: u32,
    ) -> Self {
        let region = halves.region;
        let is_possible = |members| answer.map_or(!is_accepted(members), |known| members == known);
        let most = population.rules().most_states;
        let states = self.states.divided(&self.cells, halves, &is_possible, most);
        let right_region = if let Some(members) = answer {
            let whole = self.regions[region];
            let half = |number, members| Region { number, members, tries: 0, is_open: true };
            self.regions[region] = half(next, members);
            self.regions.push(half(next + 1, whole.members - members));
            self.regions.len() - 1
        } else {
            self.regions[region].tries += 1;
            region
        };
        let goes_left = population.goes_left(cut);
        let mut cells = Vec::with_capacity(self.cells.len() * 2);
        for cell in self.cells {
            if cell.region != region {
                cells.push(cell);
                continue;
            }
            let (left, right) = cell.rows.divided(&goes_left);
            for (rows, region) in [(left, region), (right, right_region)] {
                if rows.len() > 0 {
                    cells.push(Cell { region, people: rows.count(), rows });
                }
            }
        }
        self.cells = cells;
        match states {
            Some(states) => self.states = states,
            None => self.regions.iter_mut().for_each(|region| region.is_open = false),
        }
        self
    }

    /// Takes apart what hangs together no longer: a region without members, one of a single cell, and everything where no
    /// region is open.
    pub(super) fn settled(mut self, population: &Population) -> Settled {
        let mut settled = Settled::default();
        if self.regions.iter().all(|region| !region.is_open) {
            settled.done = (0..self.regions.len()).map(|region| self.places(region)).collect();
            return settled;
        }
        if self.is_clean() {
            settled.rest = Some(self);
            return settled;
        }
        let stands_alone: Vec<bool> = (0..self.regions.len())
            .map(|region| self.regions[region].members == 0 || self.cells_of(region).count() == 1)
            .collect();
        for (place, region) in self.regions.iter().enumerate().filter(|(place, _)| stands_alone[*place]) {
            if region.members == 0 || !region.is_open {
                settled.done.push(self.places(place));
            } else if let Some(cell) = self.cells_of(place).next() {
                settled.clean.push(Self::clean(population, region.number, cell.rows.clone(), region.members));
            }
        }
        let kept = |cell: &Cell| !stands_alone[cell.region];
        self.states.keep(&self.cells.iter().map(kept).collect::<Vec<_>>(), &self.cells);
        self.cells.retain(kept);
        let mut new_place = vec![0; self.regions.len()];
        let mut regions = Vec::new();
        for (place, region) in self.regions.iter().enumerate().filter(|(place, _)| !stands_alone[*place]) {
            new_place[place] = regions.len();
            regions.push(*region);
        }
        self.cells.iter_mut().for_each(|cell| cell.region = new_place[cell.region]);
        self.regions = regions;
        if self.regions.iter().any(|region| region.is_open) {
            settled.rest = Some(self);
        } else {
            settled.done.extend((0..self.regions.len()).map(|region| self.places(region)));
        }
        settled
    }

    /// The combinations of a region.
    fn places(&self, region: usize) -> Vec<u32> {
        self.cells_of(region).flat_map(|cell| cell.rows.places()).copied().collect()
    }
}

//! What is known of some regions, given everything answered so far: which numbers of members their cells may have.

use super::population::{Cut, Labels, Population, Rows};
use super::states::{States, Table};
use super::weight::{Weight, has_room};
use palmtop_core::model::Cuts;

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
    /// Where it is several of the labels that a region is being parted into.
    pub(super) parted: Option<Labels>,
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
    pub(super) done: Vec<Done>,
}

/// A region that is not cut further.
#[derive(Debug)]
pub(super) struct Done {
    /// Its combinations: a list, or without members one for each label that it is parted into.
    pub(super) parts: Vec<Vec<u32>>,
    /// Whether it is several of the labels that a region was being parted into, and so no label.
    pub(super) is_rest: bool,
}

impl Cluster {
    /// Everybody, of whom nothing is known but how many members there are.
    pub(super) fn everybody(population: &Population, members: u64) -> Self {
        let region = Region { number: 0, members, tries: 0, is_open: true, parted: None };
        Self::clean(population, region, population.everybody())
    }

    /// A region of which nothing is known but how many members it has.
    fn clean(population: &Population, region: Region, rows: Rows) -> Self {
        let members = region.members;
        let people = rows.count();
        let states = if population.rules().is_exact && has_room(people, members, population.delta()) {
            let whole = u128::divisions(people, 0, members, 0.0).weights;
            States::Exact(Table { counts: vec![members], weights: whole, lost: 0.0 })
        } else {
            States::Rounded(Table { counts: vec![members], weights: vec![1.0], lost: 0.0 })
        };
        Self {
            regions: vec![Region { tries: 0, is_open: true, ..region }],
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
            let half = |number, members, is_left| {
                let parted = self.parted(population, region, cut, is_left);
                Region { number, members, tries: 0, is_open: true, parted }
            };
            let (left, right) = (half(next, members, true), half(next + 1, whole.members - members, false));
            self.regions[region] = left;
            self.regions.push(right);
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

    /// Of a half of a cut between labels, whether there are several in it, and of what level.
    fn parted(&self, population: &Population, region: usize, cut: Cut, is_left: bool) -> Option<Labels> {
        let column = &population.columns()[cut.column];
        if column.cuts != Cuts::Labels {
            return None;
        }
        let (labels, goes_left) = (column.hierarchy.labels_of(cut.level), population.goes_left(cut));
        let rows = self.cells_of(region).flat_map(|cell| cell.rows.iter());
        let rows = rows.filter(|(codes, _)| goes_left(codes) == is_left);
        let mut labels = rows.map(|(codes, _)| labels[codes[cut.column] as usize]);
        let first = labels.next();
        labels.any(|label| Some(label) != first).then_some((cut.column, cut.level))
    }

    /// Takes apart what hangs together no longer: a region without members, one of a single cell, and everything where no
    /// region is open.
    pub(super) fn settled(mut self, population: &Population) -> Settled {
        let mut settled = Settled::default();
        if self.regions.iter().all(|region| !region.is_open) {
            settled.done = (0..self.regions.len()).map(|region| self.done(population, region)).collect();
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
                settled.done.push(self.done(population, place));
            } else if let Some(cell) = self.cells_of(place).next() {
                settled.clean.push(Self::clean(population, *region, cell.rows.clone()));
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
            settled.done.extend((0..self.regions.len()).map(|region| self.done(population, region)));
        }
        settled
    }

    /// A region as it is.
    fn done(&self, population: &Population, region: usize) -> Done {
        let rows = Rows::joined(self.cells_of(region).map(|cell| &cell.rows));
        match (self.regions[region].parted, self.regions[region].members) {
            // That nobody of them is a member is known, whatever they are parted into.
            (Some(labels), 0) => {
                let parts = rows.by_label(population, labels);
                Done { parts: parts.iter().map(|part| part.places().to_vec()).collect(), is_rest: false }
            }
            (parted, _) => Done { parts: vec![rows.places().to_vec()], is_rest: parted.is_some() },
        }
    }
}

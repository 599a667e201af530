//! The knowledge about some regions after the answers so far: the possible counts of their cells.

use std::sync::Arc;

use super::cell::{Cell, Halves};
use super::weight::{Weight, has_room};
use super::{States, Table};
use crate::simulatable::candidates::Ranked;
use crate::simulatable::population::{Cut, Labels, Population, Rows};
use palmtop_core::model::{CutBox, Cuts};

/// Regions with dependent cell counts, independent of all other clusters.
///
/// Invariant: given the transcript, the cell counts have the distribution given by the weights of
/// the states. Given the counts, the members of each cell are a uniformly random subset of its
/// people.
///
/// The invariant holds at the start by the uniform prior. A cut divides the members of a cell by
/// the hypergeometric distribution. An answer depends on cell counts only, so that conditioning on
/// it keeps the members within a cell uniform.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    pub(crate) regions: Vec<Region>,
    /// The cells of all regions, in any order. Each state has one count for each cell.
    pub(crate) cells: Vec<Cell>,
    pub(crate) states: States,
}

/// A region, whose number of members is known.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The number of the region in the transcript.
    pub(crate) number: u32,
    pub(crate) members: u64,
    /// The number of failed offers.
    pub(crate) tries: u32,
    pub(crate) is_open: bool,
    /// The labels into which the region is being divided, if it still has several of them.
    pub(crate) parted: Option<Labels>,
    /// The sides of the cut box in columns with a limit of terms.
    pub(crate) cut_box: CutBox,
    /// The best cuts, once they were ranked. A failure does not change them.
    pub(crate) ranked: Option<Arc<[Ranked]>>,
}

/// The rows of a region on both sides of a cut.
#[derive(Debug)]
pub(crate) struct Divided {
    cut: Cut,
    /// For each cell of the region, its rows on the left and on the right.
    pub(crate) rows: Vec<[Rows; 2]>,
}

/// A cluster after its independent regions were separated.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// The regions with dependent counts, if one of them is open.
    pub(crate) rest: Option<Cluster>,
    /// Regions with a single cell that are still open.
    pub(crate) clean: Vec<Cluster>,
    /// Regions that are not cut further.
    pub(crate) done: Vec<Done>,
}

/// A region that is not cut further.
#[derive(Debug)]
pub(crate) struct Done {
    /// The combinations: one list, or one list for each label of a region without members that is
    /// being divided into labels.
    pub(crate) parts: Vec<Vec<u32>>,
    /// The cut box of each part.
    pub(crate) cut_box: CutBox,
    /// Whether the region has several of the labels of an unfinished division, so that no label
    /// denotes it.
    pub(crate) is_rest: bool,
}

impl Cluster {
    /// The cluster of everyone, of which only the number of members is known.
    pub(crate) fn everybody(population: &Population, members: u64) -> Self {
        let cut_box = population.boxes().everything();
        let region =
            Region { number: 0, members, tries: 0, is_open: true, parted: None, cut_box, ranked: None };
        Self::clean(population, region, population.everybody())
    }

    /// The cluster of one region of which only the number of members is known.
    fn clean(population: &Population, region: Region, rows: Rows) -> Self {
        let members = region.members;
        let people = rows.count();
        let states = if population.rules().is_exact && has_room(people, members, population.delta()) {
            let ways = u128::divisions(people, 0, members, 0.0).weights;
            States::Exact(Table { counts: vec![members], weights: ways, lost: 0.0 })
        } else {
            States::Rounded(Table { counts: vec![members], weights: vec![1.0], lost: 0.0 })
        };
        Self {
            regions: vec![Region { tries: 0, is_open: true, ..region }],
            cells: vec![Cell { region: 0, rows, people }],
            states,
        }
    }

    /// Whether the cluster is one region with one cell.
    pub(crate) fn is_clean(&self) -> bool {
        self.cells.len() == 1
    }

    /// The number of combinations.
    pub(crate) fn combinations(&self) -> usize {
        self.cells.iter().map(|cell| cell.rows.len()).sum()
    }

    /// The cells of a region.
    pub(crate) fn cells_of(&self, region: usize) -> impl Iterator<Item = &Cell> + Clone {
        self.cells.iter().filter(move |cell| cell.region == region)
    }

    /// The division of a region's cells by a cut.
    pub(crate) fn halves(&self, population: &Population, region: usize, cut: Cut) -> Halves {
        let goes_left = population.goes_left(cut);
        let left = |cell: &Cell| {
            if cell.region != region {
                return 0;
            }
            let rows = cell.rows.column(cut.column).iter().zip(cell.rows.people());
            rows.filter(|(code, _)| goes_left(**code)).map(|(_, people)| people).sum()
        };
        Halves { region, left: self.cells.iter().map(left).collect() }
    }

    /// The rows of both halves of a cut, for each cell of the region.
    pub(crate) fn divided(&self, population: &Population, region: usize, cut: Cut) -> Divided {
        let rows = self.cells_of(region).map(|cell| cell.rows.divided(population, cut)).collect();
        Divided { cut, rows }
    }

    /// The cluster after an answer: an accepted number, which splits the region into regions `next`
    /// and `next + 1`, or *failed*. If there would be too many states, all regions are closed.
    pub(crate) fn answered(
        mut self,
        population: &Population,
        divided: Divided,
        halves: &Halves,
        is_accepted: &dyn Fn(u64) -> bool,
        answer: Option<u64>,
        next: u32,
    ) -> Self {
        let (region, cut) = (halves.region, divided.cut);
        let is_possible = |members| answer.map_or(!is_accepted(members), |known| members == known);
        let most = population.rules().most_states;
        let states = self.states.divided(&self.cells, halves, &is_possible, most);
        let right_region = if let Some(members) = answer {
            let Region { members: parent, ref cut_box, .. } = self.regions[region];
            let [left_box, right_box] = population.halves_of(cut_box, cut);
            let half = |number, members, is_left, cut_box| {
                let parted = self.parted(population, region, cut, is_left);
                Region { number, members, tries: 0, is_open: true, parted, cut_box, ranked: None }
            };
            let left = half(next, members, true, left_box);
            let right = half(next + 1, parent - members, false, right_box);
            self.regions[region] = left;
            self.regions.push(right);
            self.regions.len() - 1
        } else {
            self.regions[region].tries += 1;
            region
        };
        let mut divided = divided.rows.into_iter();
        let mut cells = Vec::with_capacity(self.cells.len() * 2);
        for cell in self.cells {
            if cell.region != region {
                cells.push(cell);
                continue;
            }
            for (rows, region) in divided.next().into_iter().flatten().zip([region, right_region]) {
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

    /// If a half of a cut between labels has several labels, its column and level.
    fn parted(&self, population: &Population, region: usize, cut: Cut, is_left: bool) -> Option<Labels> {
        let column = &population.columns()[cut.column];
        if column.cuts != Cuts::Labels {
            return None;
        }
        let (labels, goes_left) = (column.hierarchy.labels_of(cut.level), population.goes_left(cut));
        let codes = self.cells_of(region).flat_map(|cell| cell.rows.column(cut.column));
        let mut labels = codes.filter(|code| goes_left(**code) == is_left).map(|&code| labels[code as usize]);
        let first = labels.next();
        labels.any(|label| Some(label) != first).then_some((cut.column, cut.level))
    }

    /// Separates the regions whose counts are known or independent: regions without members,
    /// regions with a single cell, and all regions if none is open.
    pub(crate) fn settled(mut self, population: &Population) -> Settled {
        let mut settled = Settled::default();
        if self.regions.iter().all(|region| !region.is_open) {
            settled.done = (0..self.regions.len()).map(|region| self.done(population, region)).collect();
            return settled;
        }
        if self.is_clean() {
            settled.rest = Some(self);
            return settled;
        }
        let is_independent: Vec<bool> = (0..self.regions.len())
            .map(|region| self.regions[region].members == 0 || self.cells_of(region).count() == 1)
            .collect();
        for (index, region) in self.regions.iter().enumerate().filter(|(index, _)| is_independent[*index]) {
            if region.members == 0 || !region.is_open {
                settled.done.push(self.done(population, index));
            } else if let Some(cell) = self.cells.iter_mut().find(|cell| cell.region == index) {
                let rows = std::mem::take(&mut cell.rows);
                settled.clean.push(Self::clean(population, region.clone(), rows));
            }
        }
        let kept = |cell: &Cell| !is_independent[cell.region];
        self.states.keep(&self.cells.iter().map(kept).collect::<Vec<_>>(), &self.cells);
        self.cells.retain(kept);
        let mut new_index = vec![0; self.regions.len()];
        let mut regions = Vec::new();
        for (index, region) in self.regions.iter().enumerate().filter(|(index, _)| !is_independent[*index]) {
            new_index[index] = regions.len();
            regions.push(region.clone());
        }
        self.cells.iter_mut().for_each(|cell| cell.region = new_index[cell.region]);
        self.regions = regions;
        if self.regions.iter().any(|region| region.is_open) {
            settled.rest = Some(self);
        } else {
            settled.done.extend((0..self.regions.len()).map(|region| self.done(population, region)));
        }
        settled
    }

    /// A region in its final form.
    fn done(&self, population: &Population, region: usize) -> Done {
        let rows = self.cells_of(region).map(|cell| &cell.rows);
        let cut_box = self.regions[region].cut_box.clone();
        match (self.regions[region].parted, self.regions[region].members) {
            // All individuals are known not to be members, so that each label may be a region.
            (Some(labels), 0) => {
                let parts = Rows::joined(rows).by_label(population, labels);
                Done {
                    parts: parts.iter().map(|part| part.combinations().to_vec()).collect(),
                    cut_box,
                    is_rest: false,
                }
            }
            (parted, _) => {
                let all = rows.flat_map(Rows::combinations).copied().collect();
                Done { parts: vec![all], cut_box, is_rest: parted.is_some() }
            }
        }
    }
}

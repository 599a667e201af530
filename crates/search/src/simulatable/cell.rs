//! Combinations that no answer distinguishes.

use super::population::Rows;

/// Combinations of one region that no answer distinguishes.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The index of the cell's region.
    pub(super) region: usize,
    pub(super) rows: Rows,
    pub(super) people: u64,
}

/// The left parts of the cells of a region that is cut.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    /// The index of the region.
    pub(super) region: usize,
    /// For each cell of the cluster, the number of people on the left; 0 for cells of other
    /// regions.
    pub(super) left: Vec<u64>,
}

impl Halves {
    /// Whether the cut divides the cell at this index.
    pub(super) fn divides(&self, cells: &[Cell], index: usize) -> bool {
        let (cell, left) = (&cells[index], self.left[index]);
        cell.region == self.region && left > 0 && left < cell.people
    }
}

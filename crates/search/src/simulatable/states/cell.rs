//! Combinations that no answer distinguishes.

use crate::simulatable::population::Rows;

/// Combinations of one region that no answer distinguishes.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The index of the cell's region.
    pub(crate) region: usize,
    pub(crate) rows: Rows,
    pub(crate) people: u64,
}

/// The left parts of the cells of a region that is cut.
#[derive(Clone, Debug)]
pub(crate) struct Halves {
    /// The index of the region.
    pub(crate) region: usize,
    /// For each cell of the cluster, the number of people on the left; 0 for cells of other
    /// regions.
    pub(crate) left: Vec<u64>,
}

impl Halves {
    /// Whether the cut divides the cell at this index.
    pub(crate) fn divides(&self, cells: &[Cell], index: usize) -> bool {
        let (cell, left) = (&cells[index], self.left[index]);
        cell.region == self.region && left > 0 && left < cell.people
    }
}

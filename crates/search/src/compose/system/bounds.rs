//! Bounds on every cell from its margins, propagated until none moves. They are correct for every
//! table with these margins, but not always the narrowest.
//!
//! The first pass gives Fréchet's bounds. A cell is at most the least of its margins. It is at
//! least the part of a margin that the other cells cannot hold. Propagating the bounds is the
//! shuttle algorithm (Buzzigoli, Giusti: An algorithm to calculate the lower and upper bounds of
//! the elements of an array given its k-dimensional marginals, Statistical Data Protection '98,
//! Eurostat 1999).

use std::collections::VecDeque;

use super::System;
use super::work::{Halt, Work};
use palmtop_core::model::size;

/// The largest number of cells that are examined in total. The bounds are correct at any time.
const MOST_LOOKS: u64 = 1 << 28;

/// The bounds on every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) least: Vec<u64>,
    pub(crate) most: Vec<u64>,
}

impl Known {
    pub(crate) fn is_free(&self, cell: usize) -> bool {
        self.least[cell] < self.most[cell]
    }

    /// The bounds on the number of an atom's people in a table: from the cells in the table, and
    /// from the cells outside.
    pub(crate) fn members(&self, system: &System, atom: usize, table: usize) -> (u64, u64) {
        let (mut inside, mut outside) = ((0, 0), (0, 0));
        for cell in system.cells_of(atom) {
            let sums = if system.is_in(cell, table) { &mut inside } else { &mut outside };
            sums.0 += self.least[cell];
            sums.1 += self.most[cell];
        }
        let people = system.people[atom];
        (inside.0.max(people.saturating_sub(outside.1)), inside.1.min(people.saturating_sub(outside.0)))
    }
}

/// The bounds that follow from the margins.
pub(crate) fn shuttle(system: &System, work: &mut Work) -> Result<Known, Halt> {
    let most = |cell| system.margins.of(cell).iter().map(|&margin| system.totals[margin as usize]).min();
    let most: Vec<u64> = (0..system.cells()).map(|cell| most(cell).unwrap_or(0)).collect();
    let mut known = Known { least: vec![0; system.cells()], most };
    propagate(system, &mut known, work)?;
    Ok(known)
}

/// Propagates bounds until none moves.
pub(crate) fn propagate(system: &System, known: &mut Known, work: &mut Work) -> Result<(), Halt> {
    let margins = system.parts.len();
    let sum = |bounds: &[u64], margin: usize| -> u64 {
        system.parts.of(margin).iter().map(|&cell| bounds[cell as usize]).sum()
    };
    let mut sums: Vec<(u64, u64)> =
        (0..margins).map(|margin| (sum(&known.least, margin), sum(&known.most, margin))).collect();
    let mut waiting: VecDeque<u32> = (0..size::number(margins)).collect();
    let mut is_waiting = vec![true; margins];
    let mut looks = 0;
    while let Some(margin) = waiting.pop_front() {
        let index = margin as usize;
        is_waiting[index] = false;
        let cells = system.parts.of(index);
        looks += cells.len() as u64;
        work.spend(cells.len() as u64)?;
        let total = system.totals[index];
        if sums[index].0 > total || sums[index].1 < total {
            return Err(Halt::NoTable);
        }
        for &cell in cells {
            let cell = cell as usize;
            let (least, most) = (known.least[cell], known.most[cell]);
            // The remainder if all others have their least, and the part that the others cannot
            // hold.
            let room = total - (sums[index].0 - least);
            let rest = total.saturating_sub(sums[index].1 - most);
            let (new_least, new_most) = (least.max(rest), most.min(room));
            if new_least > new_most {
                return Err(Halt::NoTable);
            }
            if (new_least, new_most) == (least, most) {
                continue;
            }
            (known.least[cell], known.most[cell]) = (new_least, new_most);
            for &other in system.margins.of(cell) {
                let sums = &mut sums[other as usize];
                sums.0 += new_least - least;
                sums.1 -= most - new_most;
                if sums.0 > system.totals[other as usize] || sums.1 < system.totals[other as usize] {
                    return Err(Halt::NoTable);
                }
                if looks < MOST_LOOKS && !is_waiting[other as usize] {
                    is_waiting[other as usize] = true;
                    waiting.push_back(other);
                }
            }
        }
    }
    Ok(())
}

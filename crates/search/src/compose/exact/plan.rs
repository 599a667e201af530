//! The steps of the dynamic program, cell by cell, and the states between them.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::order::order;
use super::states::States;
use crate::compose::system::System;
use crate::compose::system::bounds::Known;
use crate::compose::system::work::{Halt, Work};
use palmtop_core::model::size;

/// The step for one cell.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The index in the plan.
    pub(super) index: usize,
    pub(super) cell: u32,
    /// The index of the cell's atom in the component.
    pub(super) atom: usize,
    least: u64,
    most: u64,
    /// The cell's margins, with the bounds of their later cells.
    margins: Vec<Takes>,
    /// For each margin that is open after the step, its slot before the step. Margins that the step
    /// opens have the last slots.
    next: Vec<usize>,
    /// The initial remainders of the margins that the step opens.
    opens: Vec<u64>,
}

/// A margin that a cell takes people from.
#[derive(Clone, Copy, Debug)]
struct Takes {
    /// The slot among the open margins, including those that the step opens.
    slot: usize,
    /// The sum of the least counts of the margin's later cells.
    later_least: u64,
    /// The sum of the greatest counts of the margin's later cells.
    later_most: u64,
}

pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
}

/// A count of people that a cell may have, between two states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) people: u64,
}

/// The transitions of one cell, with the numbers of states before and after it.
pub(super) struct Layer {
    pub(super) transitions: Vec<Transition>,
    pub(super) before: usize,
    pub(super) after: usize,
}

impl Plan {
    pub(super) fn of(system: &System, known: &Known, atoms: &[u32], work: &mut Work) -> Result<Self, Halt> {
        let free_of = |atom: u32| {
            // The people in no table come last: they are the remainder of the atom.
            let cells = system.cells_of(atom as usize).rev().filter(|&cell| known.is_free(cell));
            cells.map(size::number).collect::<Vec<u32>>()
        };
        let cells: Vec<Vec<u32>> = atoms.iter().map(|&atom| free_of(atom)).collect();
        let order = order(system, known, &cells, work)?;
        // For each margin: its remainder, and the sums of the least and greatest counts of later
        // cells.
        let mut left: FxHashMap<u32, (u64, u64, u64)> = FxHashMap::default();
        for &cell in cells.iter().flatten() {
            let (least, most) = (known.least[cell as usize], known.most[cell as usize]);
            for &margin in system.margins.of(cell as usize) {
                let (_, later_least, later_most) = left.entry(margin).or_insert_with(|| {
                    let certain = system.parts.of(margin as usize).iter().map(|&cell| cell as usize);
                    let certain = certain.filter(|&cell| !known.is_free(cell));
                    let taken: u64 = certain.map(|cell| known.least[cell]).sum();
                    (system.totals[margin as usize] - taken, 0, 0)
                });
                *later_least += least;
                *later_most += most;
            }
        }
        let mut remaining: FxHashMap<u32, usize> = FxHashMap::default();
        for &margin in cells.iter().flatten().flat_map(|&cell| system.margins.of(cell as usize)) {
            *remaining.entry(margin).or_default() += 1;
        }
        let mut open: Vec<u32> = Vec::new();
        let mut steps = Vec::new();
        for atom in order {
            for &cell in &cells[atom] {
                let (least, most) = (known.least[cell as usize], known.most[cell as usize]);
                let mut opens = Vec::new();
                let mut margins = Vec::new();
                for &margin in system.margins.of(cell as usize) {
                    let Some((total, later_least, later_most)) = left.get_mut(&margin) else { continue };
                    *later_least -= least;
                    *later_most -= most;
                    let slot = open.iter().position(|known| *known == margin).unwrap_or_else(|| {
                        open.push(margin);
                        opens.push(*total);
                        open.len() - 1
                    });
                    margins.push(Takes { slot, later_least: *later_least, later_most: *later_most });
                    *remaining.entry(margin).or_default() -= 1;
                }
                let next: Vec<usize> =
                    (0..open.len()).filter(|&slot| remaining.get(&open[slot]) != Some(&0)).collect();
                open = next.iter().map(|&slot| open[slot]).collect();
                steps.push(Step { index: steps.len(), cell, atom, least, most, margins, next, opens });
            }
        }
        Ok(Self { steps })
    }

    /// The transitions from every reachable state, cell by cell, with their number. If there are
    /// more than `most`, the number that were made.
    pub(super) fn layers(
        &self,
        most: u64,
        work: &mut Work,
    ) -> Result<ControlFlow<u64, (Vec<Layer>, u64)>, Halt> {
        let mut layers = Vec::with_capacity(self.steps.len());
        let mut spent = 0;
        let mut states = States::new(0);
        states.number([]);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for step in &self.steps {
            let mut next = States::new(step.next.len());
            let mut transitions = Vec::new();
            for from in 0..states.len() {
                before.clear();
                before.extend(states.state(from).iter().chain(&step.opens));
                let Some((low, high)) = step.range(&before) else { continue };
                if high - low >= most - spent {
                    return Ok(ControlFlow::Break(most));
                }
                spent += high - low + 1;
                work.spend(high - low + 1)?;
                for people in low..=high {
                    after.clone_from(&before);
                    for takes in &step.margins {
                        after[takes.slot] -= people;
                    }
                    let to = next.number(step.next.iter().map(|&slot| after[slot]));
                    transitions.push(Transition { from: size::number(from), to, people });
                }
            }
            layers.push(Layer { transitions, before: states.len(), after: next.len() });
            states = next;
        }
        Ok(ControlFlow::Continue((layers, spent)))
    }
}

impl Step {
    /// The possible counts of the cell, given the remainders of the open margins.
    fn range(&self, left: &[u64]) -> Option<(u64, u64)> {
        let mut range = (self.least, self.most);
        for takes in &self.margins {
            let left = left[takes.slot];
            range.0 = range.0.max(left.saturating_sub(takes.later_most));
            range.1 = range.1.min(left.checked_sub(takes.later_least)?);
        }
        (range.0 <= range.1).then_some(range)
    }
}

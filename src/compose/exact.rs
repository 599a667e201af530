//! One component by all of its tables: the narrowest bounds, in whole numbers, and the expectations.
//!
//! A dynamic program over the component's cells, atom after atom. Its states are what is left of every margin that has been
//! begun and is not finished; a path from the first state to the last is a table of counts, and weighs Π 1/y! over its
//! cells. One pass forward finds the states, one backward those from which there is a way to the end, and both together,
//! with the weights, the mean of every cell. Cost: the transitions, which depend on how many margins are open at once.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::bounds::Known;
use super::system::System;
use super::work::{Halt, Work};
use crate::model::size;

/// With more atoms than this nothing is tried.
const MOST_ATOMS: usize = 1 << 12;

/// What is known of a component.
pub(super) struct Exact {
    /// Its free cells, each with its mean.
    pub(super) expected: Vec<(u32, f64)>,
    /// Of each of its atoms, in the component's order, and each table the least and the most members.
    pub(super) bounds: Vec<Vec<(u64, u64)>>,
    /// What it cost.
    pub(super) transitions: u64,
}

/// Solves a component; where that takes more than so many transitions, says how many were tried.
pub(super) fn solve(
    system: &System,
    known: &Known,
    atoms: &[u32],
    most: u64,
    work: &mut Work,
) -> Result<ControlFlow<u64, Exact>, Halt> {
    if atoms.len() > MOST_ATOMS || most == 0 {
        return Ok(ControlFlow::Break(0));
    }
    let plan = Plan::of(system, known, atoms, work)?;
    let (mut layers, transitions) = match plan.layers(most, work)? {
        ControlFlow::Continue(layers) => layers,
        ControlFlow::Break(spent) => return Ok(ControlFlow::Break(spent)),
    };
    let live = keep_live(&mut layers);
    if !live.first().is_some_and(|first| first[0]) {
        return Err(Halt::NoTable);
    }
    let expected = means(&layers, work)?;
    let expected = plan.steps.iter().map(|step| step.cell).zip(expected).collect();
    let mut bounds = vec![Vec::new(); atoms.len()];
    for block in plan.steps.chunk_by(|one, other| one.atom == other.atom) {
        let start = plan.steps.partition_point(|step| step.place < block[0].place);
        let of_block = &layers[start..start + block.len()];
        let place = block[0].atom;
        bounds[place] = (0..system.tables)
            .map(|table| {
                let cells = system.cells_of(atoms[place] as usize);
                let certain = cells.filter(|&cell| system.is_in(cell, table) && !known.is_free(cell));
                let certain: u64 = certain.map(|cell| known.least[cell]).sum();
                let counts = |step: &Step| system.is_in(step.cell as usize, table);
                let (least, most) = extremes(of_block, &live[start], block.iter().map(counts));
                (certain + least, certain + most)
            })
            .collect();
    }
    work.finish(atoms.len());
    Ok(ControlFlow::Continue(Exact { expected, bounds, transitions }))
}

/// One cell's turn.
#[derive(Clone, Debug)]
struct Step {
    /// Its place in the plan.
    place: usize,
    cell: u32,
    /// Its atom, by its place in the component.
    atom: usize,
    least: u64,
    most: u64,
    /// The margins that it counts in, each with what later cells of it have at least and at most.
    margins: Vec<Takes>,
    /// Of each margin that is open behind it, where it stands before it; a margin that it opens stands behind all of those.
    next: Vec<usize>,
    /// What the margins that it opens have to begin with.
    opens: Vec<u64>,
}

/// What a cell takes from.
#[derive(Clone, Copy, Debug)]
struct Takes {
    /// Where it stands among the open margins, with those that the cell opens.
    slot: usize,
    later_least: u64,
    later_most: u64,
}

struct Plan {
    steps: Vec<Step>,
}

/// What a cell may add to a path.
#[derive(Clone, Copy, Debug)]
struct Transition {
    from: u32,
    to: u32,
    people: u64,
}

/// The transitions of one cell, and how many states there are behind it.
struct Layer {
    transitions: Vec<Transition>,
    before: usize,
    behind: usize,
}

impl Plan {
    fn of(system: &System, known: &Known, atoms: &[u32], work: &mut Work) -> Result<Self, Halt> {
        let free_of = |atom: u32| {
            // Who is in no table comes last: that is what is left of the atom.
            let cells = system.cells_of(atom as usize).rev().filter(|&cell| known.is_free(cell));
            cells.map(size::number).collect::<Vec<u32>>()
        };
        let cells: Vec<Vec<u32>> = atoms.iter().map(|&atom| free_of(atom)).collect();
        let order = order(system, known, &cells, work)?;
        // What is left of each margin, and of it what the cells to come have at least and at most.
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
                steps.push(Step { place: steps.len(), cell, atom, least, most, margins, next, opens });
            }
        }
        Ok(Self { steps })
    }

    /// The transitions from every state that can be reached, cell by cell, with their number; or how many were made where
    /// there are more than so many.
    fn layers(&self, most: u64, work: &mut Work) -> Result<ControlFlow<u64, (Vec<Layer>, u64)>, Halt> {
        let mut layers = Vec::with_capacity(self.steps.len());
        let mut spent = 0;
        let mut states: Vec<Box<[u64]>> = vec![Box::new([])];
        for step in &self.steps {
            let mut numbers: FxHashMap<Box<[u64]>, u32> = FxHashMap::default();
            let mut next_states: Vec<Box<[u64]>> = Vec::new();
            let mut transitions = Vec::new();
            for (from, state) in (0..).zip(&states) {
                let before: Vec<u64> = state.iter().chain(&step.opens).copied().collect();
                let Some((low, high)) = step.range(&before) else { continue };
                work.spend(high - low + 1)?;
                for people in low..=high {
                    spent += 1;
                    if spent > most {
                        return Ok(ControlFlow::Break(spent));
                    }
                    let mut after = before.clone();
                    for takes in &step.margins {
                        after[takes.slot] -= people;
                    }
                    let key: Box<[u64]> = step.next.iter().map(|&slot| after[slot]).collect();
                    let to = *numbers.entry(key).or_insert_with_key(|key| {
                        next_states.push(key.clone());
                        size::number(next_states.len() - 1)
                    });
                    transitions.push(Transition { from, to, people });
                }
            }
            layers.push(Layer { transitions, before: states.len(), behind: next_states.len() });
            states = next_states;
        }
        Ok(ControlFlow::Continue((layers, spent)))
    }
}

impl Step {
    /// How many people the cell may have where so much is left of the open margins.
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

/// The order of a component's atoms: always the one that leaves the least open; ties in the component's order.
fn order(system: &System, known: &Known, cells: &[Vec<u32>], work: &mut Work) -> Result<Vec<usize>, Halt> {
    // Of each margin of more than one atom how many atoms have not had their turn, and what it weighs while it is open.
    let mut waiting: FxHashMap<u32, (usize, f64)> = FxHashMap::default();
    let mut margins: Vec<Vec<u32>> = Vec::with_capacity(cells.len());
    for of_atom in cells {
        let mut own: Vec<u32> = Vec::new();
        for &cell in of_atom {
            for &margin in &system.margins.of(cell as usize)[1..] {
                let entry = waiting.entry(margin).or_default();
                entry.1 += width(known.most[cell as usize] - known.least[cell as usize]);
                own.push(margin);
            }
        }
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|margin| {
            waiting.entry(*margin).and_modify(|own| own.0 += 1);
        });
        margins.push(own);
    }
    for (margin, (_, weight)) in &mut waiting {
        *weight = weight.min(width(system.totals[*margin as usize])).ln_1p();
    }
    let mut sharing: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (atom, own) in margins.iter().enumerate() {
        own.iter().for_each(|&margin| sharing.entry(margin).or_default().push(atom));
    }
    let mut is_done = vec![false; cells.len()];
    let mut is_open: FxHashMap<u32, bool> = FxHashMap::default();
    let mut open: Vec<u32> = Vec::new();
    let mut order = Vec::with_capacity(cells.len());
    while order.len() < cells.len() {
        let beside = || open.iter().flat_map(|margin| &sharing[margin]).copied();
        let anybody = open.is_empty();
        let candidates = (0..if anybody { cells.len() } else { 0 }).chain(beside());
        let mut best: Option<(f64, usize)> = None;
        let mut looked = 0;
        for atom in candidates.filter(|&atom| !is_done[atom]) {
            looked += margins[atom].len() as u64;
            let change = margins[atom].iter().map(|margin| {
                let (waiting, weight) = waiting[margin];
                match (is_open.get(margin) == Some(&true), waiting == 1) {
                    (true, true) => -weight,
                    (true, false) | (false, true) => 0.0,
                    (false, false) => weight,
                }
            });
            let change: f64 = change.sum();
            if best.is_none_or(|(least, place)| (change, atom) < (least, place)) {
                best = Some((change, atom));
            }
        }
        work.spend(looked)?;
        let Some((_, atom)) = best else { break };
        is_done[atom] = true;
        order.push(atom);
        for margin in &margins[atom] {
            waiting.entry(*margin).and_modify(|own| own.0 -= 1);
            is_open.insert(*margin, waiting[margin].0 > 0);
            open.push(*margin);
        }
        open.sort_unstable();
        open.dedup();
        open.retain(|margin| is_open.get(margin) == Some(&true));
    }
    Ok(order)
}

#[expect(clippy::cast_precision_loss, reason = "how wide a range is, to choose an order")]
fn width(range: u64) -> f64 {
    range as f64
}

/// Drops every transition that does not lead to the end; which states of each layer do, the end's too.
fn keep_live(layers: &mut [Layer]) -> Vec<Vec<bool>> {
    let mut live = vec![vec![true; layers.last().map_or(1, |layer| layer.behind)]];
    for layer in layers.iter_mut().rev() {
        let mut before = vec![false; layer.before];
        let behind = &live[live.len() - 1];
        layer.transitions.retain(|own| behind[own.to as usize]);
        layer.transitions.iter().for_each(|own| before[own.from as usize] = true);
        live.push(before);
    }
    live.reverse();
    live
}

/// The mean of every cell: Σ over its transitions of the people, by the weight of all paths through it.
///
/// Weights are logarithms, so that none is too large or too small; each sum is right to about one part in 10¹².
#[expect(clippy::cast_precision_loss, reason = "people of a cell, for a mean")]
fn means(layers: &[Layer], work: &mut Work) -> Result<Vec<f64>, Halt> {
    let mut forward: Vec<Vec<f64>> = vec![vec![0.0]];
    for layer in layers {
        let before = &forward[forward.len() - 1];
        let weight = |own: &Transition| (own.to, before[own.from as usize] - ln_factorial(own.people));
        let next = log_sums(layer.behind, layer.transitions.iter().map(weight));
        work.spend(2 * layer.transitions.len() as u64)?;
        forward.push(next);
    }
    let mut behind = vec![0.0; forward.last().map_or(0, Vec::len)];
    let whole = forward.last().and_then(|last| last.first()).copied().unwrap_or(0.0);
    let mut means = vec![0.0; layers.len()];
    for (place, layer) in layers.iter().enumerate().rev() {
        let before = &forward[place];
        let through = |own: &Transition| behind[own.to as usize] - ln_factorial(own.people);
        means[place] = layer
            .transitions
            .iter()
            .map(|own| (before[own.from as usize] + through(own) - whole).exp() * own.people as f64)
            .sum();
        let weight = |own: &Transition| (own.from, through(own));
        behind = log_sums(layer.before, layer.transitions.iter().map(weight));
        work.spend(3 * layer.transitions.len() as u64)?;
    }
    Ok(means)
}

/// ln Σ exp of the logarithms that belong to each place.
fn log_sums(places: usize, logarithms: impl Iterator<Item = (u32, f64)> + Clone) -> Vec<f64> {
    let mut greatest = vec![f64::NEG_INFINITY; places];
    for (place, logarithm) in logarithms.clone() {
        let greatest = &mut greatest[place as usize];
        *greatest = greatest.max(logarithm);
    }
    let mut sums = vec![0.0; places];
    for (place, logarithm) in logarithms {
        sums[place as usize] += (logarithm - greatest[place as usize]).exp();
    }
    sums.iter().zip(greatest).map(|(sum, greatest): (&f64, f64)| greatest + sum.ln()).collect()
}

/// ln n!.
#[expect(clippy::cast_precision_loss, reason = "a weight in floating point")]
fn ln_factorial(n: u64) -> f64 {
    if n < 2 { 0.0 } else { libm::lgamma(n as f64 + 1.0) }
}

/// The least and the most that the cells of some layers, those that count, add up to on any path.
fn extremes(layers: &[Layer], live: &[bool], counts: impl Iterator<Item = bool>) -> (u64, u64) {
    let mut sums: Vec<Option<(u64, u64)>> = live.iter().map(|&live| live.then_some((0, 0))).collect();
    for (layer, counts) in layers.iter().zip(counts) {
        let mut next: Vec<Option<(u64, u64)>> = vec![None; layer.behind];
        for own in &layer.transitions {
            let Some((least, most)) = sums[own.from as usize] else { continue };
            let added = if counts { own.people } else { 0 };
            let next = &mut next[own.to as usize];
            let (low, high) = next.unwrap_or((u64::MAX, 0));
            *next = Some((low.min(least + added), high.max(most + added)));
        }
        sums = next;
    }
    sums.into_iter().flatten().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))).unwrap_or((0, 0))
}

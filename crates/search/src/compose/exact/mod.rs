//! One component by all of its tables: the narrowest bounds, in whole numbers, and the expectations.
//!
//! A dynamic program over the component's cells, atom after atom. Its states are what is left of every margin that has been
//! begun and is not finished; a path from the first state to the last is a table of counts, and weighs Π 1/y! over its
//! cells. One pass forward finds the states, one backward those from which there is a way to the end, and both together,
//! with the weights, the mean of every cell. Cost: the transitions, which depend on how many margins are open at once.

mod order;
mod plan;
mod states;

use std::ops::ControlFlow;

use self::plan::{Layer, Plan, Step, Transition};
use super::bounds::Known;
use super::system::System;
use super::work::{Halt, Work};
use palmtop_core::model::size;

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
/// Weights are logarithms, so that none is too large or too small, and of each cell relative to its least, which changes no
/// share; each mean is right to about one part in 10⁹, also where millions of people are in a cell.
#[expect(clippy::cast_precision_loss, reason = "people of a cell, for a mean")]
fn means(layers: &[Layer], work: &mut Work) -> Result<Vec<f64>, Halt> {
    let weights: Vec<Weights> = layers.iter().map(Weights::of).collect();
    let mut forward: Vec<Vec<f64>> = vec![vec![0.0]];
    for (layer, weights) in layers.iter().zip(&weights) {
        let before = &forward[forward.len() - 1];
        let weight = |own: &Transition| (own.to, before[own.from as usize] + weights.ln(own.people));
        let next = log_sums(layer.behind, layer.transitions.iter().map(weight));
        work.spend(2 * layer.transitions.len() as u64)?;
        forward.push(next);
    }
    let mut behind = vec![0.0; forward.last().map_or(0, Vec::len)];
    let whole = forward.last().and_then(|last| last.first()).copied().unwrap_or(0.0);
    let mut means = vec![0.0; layers.len()];
    for (place, (layer, weights)) in layers.iter().zip(&weights).enumerate().rev() {
        let before = &forward[place];
        let through = |own: &Transition| behind[own.to as usize] + weights.ln(own.people);
        let share = |own: &Transition| libm::exp(before[own.from as usize] + through(own) - whole);
        // What is beyond the least is summed, so that it does not drown in it.
        let beyond = layer.transitions.iter().map(|own| share(own) * (own.people - weights.least) as f64);
        means[place] = weights.least as f64 + beyond.sum::<f64>();
        let weight = |own: &Transition| (own.from, through(own));
        behind = log_sums(layer.before, layer.transitions.iter().map(weight));
        work.spend(3 * layer.transitions.len() as u64)?;
    }
    Ok(means)
}

/// ln least!/y! for every y that a cell has in some table.
struct Weights {
    least: u64,
    logarithms: Vec<f64>,
}

impl Weights {
    #[expect(clippy::cast_precision_loss, reason = "people of a cell, for a weight")]
    fn of(layer: &Layer) -> Self {
        let people = || layer.transitions.iter().map(|own| own.people);
        let (least, most) = (people().min().unwrap_or(0), people().max().unwrap_or(0));
        let mut sum = 0.0;
        let next = |people: u64| {
            sum -= libm::log(people as f64);
            sum
        };
        let logarithms = std::iter::once(0.0).chain((least + 1..=most).map(next)).collect();
        Self { least, logarithms }
    }

    fn ln(&self, people: u64) -> f64 {
        self.logarithms[size::index(people - self.least)]
    }
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
        sums[place as usize] += libm::exp(logarithm - greatest[place as usize]);
    }
    sums.iter().zip(greatest).map(|(sum, greatest): (&f64, f64)| greatest + libm::log(*sum)).collect()
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

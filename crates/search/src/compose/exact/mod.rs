//! The exact solution of one component: the narrowest bounds as integers, and the expectations.
//!
//! It is a dynamic program over the component's cells, atom by atom. A state has the remainder of
//! every open margin: a margin that has been started but not finished. A path from the first state
//! to the last is a table of counts, with the weight Π vʸ/y! over its cells, for v values. A forward pass finds
//! the reachable states. A backward pass finds those from which the end can be reached. Both passes
//! together, with the weights, give the mean of every cell.
//!
//! Complexity: the number of transitions, which depends on the number of margins that are open at
//! once.

mod order;
mod plan;
mod states;

use std::ops::ControlFlow;

use self::plan::{Layer, Plan, Step, Transition};
use super::system::System;
use super::system::bounds::Known;
use super::system::work::{Halt, Work};
use palmtop_core::model::size;

/// The largest number of atoms of a component that is tried.
const MOST_ATOMS: usize = 1 << 12;

/// The solution of a component.
pub(super) struct Exact {
    /// The mean of each free cell.
    pub(super) expected: Vec<(u32, f64)>,
    /// For each atom in the component's order, and each table, the least and the most members.
    pub(super) bounds: Vec<Vec<(u64, u64)>>,
    /// The number of transitions.
    pub(super) transitions: u64,
}

/// Solves a component. If that needs more than `most` transitions, returns the number that were
/// tried.
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
    let values: Vec<f64> = plan.steps.iter().map(|step| system.values_of(step.cell as usize)).collect();
    let expected = means(&layers, &values, work)?;
    let expected = plan.steps.iter().map(|step| step.cell).zip(expected).collect();
    let mut bounds = vec![Vec::new(); atoms.len()];
    for block in plan.steps.chunk_by(|left, right| left.atom == right.atom) {
        let start = plan.steps.partition_point(|step| step.index < block[0].index);
        let of_block = &layers[start..start + block.len()];
        let atom = block[0].atom;
        bounds[atom] = (0..system.tables)
            .map(|table| {
                let cells = system.cells_of(atoms[atom] as usize);
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

/// Drops every transition that does not lead to the end. Returns for each layer, and for the end,
/// which states lead to the end.
fn keep_live(layers: &mut [Layer]) -> Vec<Vec<bool>> {
    let mut live = vec![vec![true; layers.last().map_or(1, |layer| layer.after)]];
    for layer in layers.iter_mut().rev() {
        let mut before = vec![false; layer.before];
        let after = &live[live.len() - 1];
        layer.transitions.retain(|transition| after[transition.to as usize]);
        layer.transitions.iter().for_each(|transition| before[transition.from as usize] = true);
        live.push(before);
    }
    live.reverse();
    live
}

/// The mean of every cell: the mean of its people over all paths, by weight. `values` has the number
/// of values that each member of a cell may have.
///
/// Weights are logarithms, so that they neither overflow nor underflow. The weights of a cell are
/// relative to its least count, which changes no share. Each mean has a relative error of about
/// 10⁻⁹, even if millions of people are in a cell.
#[expect(clippy::cast_precision_loss, reason = "people of a cell, for a mean")]
fn means(layers: &[Layer], values: &[f64], work: &mut Work) -> Result<Vec<f64>, Halt> {
    let weights: Vec<Weights> =
        layers.iter().zip(values).map(|(layer, &values)| Weights::of(layer, values)).collect();
    let mut forward: Vec<Vec<f64>> = vec![vec![0.0]];
    for (layer, weights) in layers.iter().zip(&weights) {
        let before = &forward[forward.len() - 1];
        let weight = |transition: &Transition| {
            (transition.to, before[transition.from as usize] + weights.ln(transition.people))
        };
        let next = log_sums(layer.after, layer.transitions.iter().map(weight));
        work.spend(2 * layer.transitions.len() as u64)?;
        forward.push(next);
    }
    let mut after = vec![0.0; forward.last().map_or(0, Vec::len)];
    let total = forward.last().and_then(|last| last.first()).copied().unwrap_or(0.0);
    let mut means = vec![0.0; layers.len()];
    for (index, (layer, weights)) in layers.iter().zip(&weights).enumerate().rev() {
        let before = &forward[index];
        let through = |transition: &Transition| after[transition.to as usize] + weights.ln(transition.people);
        let share = |transition: &Transition| {
            libm::exp(before[transition.from as usize] + through(transition) - total)
        };
        // Only the part above the least is summed, so that it is not lost in rounding.
        let beyond = layer
            .transitions
            .iter()
            .map(|transition| share(transition) * (transition.people - weights.least) as f64);
        means[index] = weights.least as f64 + beyond.sum::<f64>();
        let weight = |transition: &Transition| (transition.from, through(transition));
        after = log_sums(layer.before, layer.transitions.iter().map(weight));
        work.spend(3 * layer.transitions.len() as u64)?;
    }
    Ok(means)
}

/// ln vʸ·least!/y! + a constant for every count y that a cell has in some table, for v values.
struct Weights {
    least: u64,
    logarithms: Vec<f64>,
}

impl Weights {
    #[expect(clippy::cast_precision_loss, reason = "people of a cell, for a weight")]
    fn of(layer: &Layer, values: f64) -> Self {
        let people = || layer.transitions.iter().map(|transition| transition.people);
        let (least, most) = (people().min().unwrap_or(0), people().max().unwrap_or(0));
        let mut sum = 0.0;
        let next = |people: u64| {
            sum += libm::log(values) - libm::log(people as f64);
            sum
        };
        let logarithms = std::iter::once(0.0).chain((least + 1..=most).map(next)).collect();
        Self { least, logarithms }
    }

    fn ln(&self, people: u64) -> f64 {
        self.logarithms[size::index(people - self.least)]
    }
}

/// For each of `count` indices, ln Σ exp of its logarithms.
fn log_sums(count: usize, logarithms: impl Iterator<Item = (u32, f64)> + Clone) -> Vec<f64> {
    let mut greatest = vec![f64::NEG_INFINITY; count];
    for (index, logarithm) in logarithms.clone() {
        let greatest = &mut greatest[index as usize];
        *greatest = greatest.max(logarithm);
    }
    let mut sums = vec![0.0; count];
    for (index, logarithm) in logarithms {
        sums[index as usize] += libm::exp(logarithm - greatest[index as usize]);
    }
    sums.iter().zip(greatest).map(|(sum, greatest): (&f64, f64)| greatest + libm::log(*sum)).collect()
}

/// The least and the greatest sum of the counting cells over all paths through some layers.
fn extremes(layers: &[Layer], live: &[bool], counts: impl Iterator<Item = bool>) -> (u64, u64) {
    let mut sums: Vec<Option<(u64, u64)>> = live.iter().map(|&live| live.then_some((0, 0))).collect();
    for (layer, counts) in layers.iter().zip(counts) {
        let mut next: Vec<Option<(u64, u64)>> = vec![None; layer.after];
        for transition in &layer.transitions {
            let Some((least, most)) = sums[transition.from as usize] else { continue };
            let added = if counts { transition.people } else { 0 };
            let next = &mut next[transition.to as usize];
            let (low, high) = next.unwrap_or((u64::MAX, 0));
            *next = Some((low.min(least + added), high.max(most + added)));
        }
        sums = next;
    }
    sums.into_iter()
        .flatten()
        .reduce(|left, right| (left.0.min(right.0), left.1.max(right.1)))
        .unwrap_or((0, 0))
}

//! The expectations of a component that is too large to be counted: belief propagation.
//!
//! Every margin tells each of its cells how likely it makes each count, by what its other cells say of themselves; and
//! again, until nobody says anything new (Pearl: Probabilistic Reasoning in Intelligent Systems, 1988, chapter 4). Where no
//! margins are linked in a circle that is exact; else it is the approximation of Bethe, whose means meet every margin
//! (Yedidia, Freeman, Weiss: Constructing free-energy approximations and generalized belief propagation algorithms, 2005).
//! Unlike fitting it knows that people come in whole numbers, which matters where they are few.

use std::collections::BTreeMap;

use super::Fit;
use super::bounds::Known;
use super::system::System;
use super::work::{Halt, Work};
use crate::model::size;

/// Nothing new is said where no likelihood changes by more.
const QUIET: f64 = 1e-9;
/// How often all margins speak at most.
const MOST_SWEEPS: u64 = 1000;
/// How much of what a margin said before it says again: circles that swing come to rest.
const DAMPING: f64 = 0.3;

/// The means of a component's free cells in place of those that were fitted; `None` where the work does not suffice or they
/// do not settle.
///
/// The fitted ones say how much each count weighs: 1/y! times the y-th power of the fitted mean. The powers are products of a
/// factor for each margin, so that they change no share; and what weighs most is near the mean, where no number is too small.
#[expect(clippy::cast_precision_loss, reason = "people, for an estimate")]
pub(super) fn propagate(
    system: &System,
    known: &Known,
    atoms: &[u32],
    left: &mut u64,
    means: &mut [f64],
    work: &mut Work,
) -> Result<Option<Fit>, Halt> {
    let Some(mut graph) = Graph::of(system, known, atoms, means, *left) else { return Ok(None) };
    let each: u64 = graph.factors.iter().map(Factor::cost).sum();
    let mut sweeps = 0;
    loop {
        if sweeps == MOST_SWEEPS || *left < each {
            return Ok(None);
        }
        *left -= each;
        sweeps += 1;
        let mut news = 0.0_f64;
        for factor in 0..graph.factors.len() {
            work.spend(graph.factors[factor].cost())?;
            let Some(own) = graph.speak(factor) else { return Ok(None) };
            news = news.max(own);
        }
        if news <= QUIET {
            break;
        }
    }
    for cell in &graph.cells {
        means[cell.number as usize] = cell.least as f64 + cell.mean();
    }
    let mut deviation = 0.0_f64;
    for &atom in atoms {
        // Who is in no table is what is left.
        let out = system.cells_of(atom as usize).start;
        let inside = system.cells_of(atom as usize).skip(1);
        let sum: f64 =
            inside.map(|cell| if known.is_free(cell) { means[cell] } else { known.least[cell] as f64 }).sum();
        if known.is_free(out) {
            means[out] = system.people[atom as usize] as f64 - sum;
        }
    }
    for factor in graph.factors.iter().filter(|factor| factor.weights.len() == 1) {
        let of = |&(cell, _): &(usize, usize)| graph.cells[cell].mean();
        let sum: f64 = factor.cells.iter().map(of).sum();
        deviation = deviation.max((sum - factor.from as f64).abs() / (factor.from as f64).max(1.0));
    }
    Ok(Some(Fit { sweeps, deviation }))
}

/// A cell whose people are in some table, with what it may be.
struct Cell {
    number: u32,
    least: u64,
    /// How much each count weighs by itself, from the least on.
    weights: Vec<f64>,
    /// What each of its margins says of these counts.
    said: Vec<Vec<f64>>,
}

/// A margin of free cells.
struct Factor {
    /// Its cells, each with the place of this margin among those of the cell.
    cells: Vec<(usize, usize)>,
    /// What its cells add up to beyond their least: from this on ...
    from: usize,
    /// ... with these weights; one alone where the sum is known.
    weights: Vec<f64>,
    /// How many counts its cells have together.
    counts: usize,
}

struct Graph {
    cells: Vec<Cell>,
    factors: Vec<Factor>,
}

impl Factor {
    /// The greatest sum.
    fn top(&self) -> usize {
        self.from + self.weights.len() - 1
    }

    fn cost(&self) -> u64 {
        3 * (self.top() as u64 + 1) * self.counts as u64
    }
}

impl Graph {
    /// The margins of a component; `None` where speaking once would cost more than there is.
    fn of(system: &System, known: &Known, atoms: &[u32], fitted: &[f64], most: u64) -> Option<Self> {
        let mut cells = Vec::new();
        // Of each margin its cells.
        let mut margins: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
        let mut sum = 0;
        for &atom in atoms {
            for number in system.cells_of(atom as usize).skip(1).filter(|&cell| known.is_free(cell)) {
                let (least, most_people) = (known.least[number], known.most[number]);
                sum += most_people - least + 1;
                if sum > most {
                    return None;
                }
                let own = system.margins.of(number);
                for (place, &margin) in own.iter().enumerate() {
                    margins.entry(margin).or_default().push((cells.len(), place));
                }
                let weights = weights(least, most_people, fitted[number]);
                let said = vec![vec![1.0; weights.len()]; own.len()];
                cells.push(Cell { number: size::number(number), least, weights, said });
            }
        }
        let mut factors = Vec::with_capacity(margins.len());
        for (margin, own) in margins {
            let factor = Factor::of(system, known, (margin, own), &cells, fitted)?;
            if factor.cost() > most {
                return None;
            }
            factors.push(factor);
        }
        Some(Self { cells, factors })
    }

    /// Lets a margin tell its cells how likely it makes each of their counts; by how much that is news. `None` where it makes
    /// nothing likely, as rounding may.
    fn speak(&mut self, factor: usize) -> Option<f64> {
        let factor = &self.factors[factor];
        let top = factor.top();
        let heard: Vec<Vec<f64>> =
            factor.cells.iter().map(|&(cell, place)| self.cells[cell].says_but_to(place)).collect();
        // How likely the cells from each on add up to what is left, by what the cells before it add up to.
        let mut behind = vec![vec![0.0; top + 1]; heard.len() + 1];
        behind[heard.len()][factor.from..].copy_from_slice(&factor.weights);
        for (place, own) in heard.iter().enumerate().skip(1).rev() {
            let (before, after) = behind.split_at_mut(place + 1);
            for (sum, likely) in before[place].iter_mut().enumerate() {
                *likely = own.iter().zip(&after[0][sum..]).map(|(own, after)| own * after).sum();
            }
            normalize(&mut before[place])?;
        }
        let mut before = vec![0.0; top + 1];
        before[0] = 1.0;
        let mut news = 0.0_f64;
        for ((place, own), &(cell, slot)) in heard.iter().enumerate().zip(&factor.cells) {
            let after = &behind[place + 1];
            let mut said: Vec<f64> = (0..own.len())
                .map(|count| {
                    before.iter().zip(after.get(count..).unwrap_or_default()).map(|(a, b)| a * b).sum()
                })
                .collect();
            normalize(&mut said)?;
            for (known, new) in self.cells[cell].said[slot].iter_mut().zip(said) {
                news = news.max((*known - new).abs());
                *known = DAMPING * *known + (1.0 - DAMPING) * new;
            }
            let mut next = vec![0.0; top + 1];
            for (count, &likely) in own.iter().enumerate().take(top + 1) {
                for (next, before) in next[count..].iter_mut().zip(&before) {
                    *next += likely * before;
                }
            }
            normalize(&mut next)?;
            before = next;
        }
        Some(news)
    }
}

impl Factor {
    fn of(
        system: &System,
        known: &Known,
        (margin, cells): (u32, Vec<(usize, usize)>),
        all: &[Cell],
        fitted: &[f64],
    ) -> Option<Self> {
        let parts = system.parts.of(margin as usize);
        let certain = parts.iter().map(|&cell| cell as usize).filter(|&cell| !known.is_free(cell));
        let taken: u64 = certain.map(|cell| known.least[cell]).sum();
        let least: u64 = cells.iter().map(|&(cell, _)| all[cell].least).sum();
        let room = system.totals[margin as usize].checked_sub(taken + least)?;
        let counts = cells.iter().map(|&(cell, _)| all[cell].weights.len()).sum();
        // An atom's people in no table are no cell here; they take what is left of it.
        let out = (margin as usize) < system.atoms();
        let out = out.then(|| system.cells_of(margin as usize).start).filter(|&cell| known.is_free(cell));
        let (from, weights) = match out {
            None => (room, vec![1.0]),
            Some(cell) => {
                let most = known.most[cell].min(room);
                let mut own = weights(known.least[cell], most, fitted[cell]);
                own.reverse();
                (room - most, own)
            }
        };
        Some(Self { cells, from: usize::try_from(from).ok()?, weights, counts })
    }
}

impl Cell {
    /// How likely each count is by itself and by what all margins but one say.
    fn says_but_to(&self, but: usize) -> Vec<f64> {
        let others = || self.said.iter().enumerate().filter(|(place, _)| *place != but);
        let likely =
            |count: usize| self.weights[count] * others().map(|(_, said)| said[count]).product::<f64>();
        let mut all: Vec<f64> = (0..self.weights.len()).map(likely).collect();
        // Nothing likely is found out by whoever is told so.
        let _ = normalize(&mut all);
        all
    }

    /// The mean beyond the least.
    #[expect(clippy::cast_precision_loss, reason = "people, for an estimate")]
    fn mean(&self) -> f64 {
        let likely = self.says_but_to(usize::MAX);
        let whole: f64 = likely.iter().sum();
        likely.iter().enumerate().map(|(count, likely)| count as f64 * likely).sum::<f64>() / whole
    }
}

/// meanʸ/y! for every y from the least to the most, relative to the greatest.
#[expect(clippy::cast_precision_loss, reason = "people of a cell, for a weight")]
fn weights(least: u64, most: u64, mean: f64) -> Vec<f64> {
    let by_mean = libm::log(mean.max(f64::MIN_POSITIVE));
    let mut sum = 0.0;
    let next = |people: u64| {
        sum += by_mean - libm::log(people as f64);
        sum
    };
    let logarithms: Vec<f64> = std::iter::once(0.0).chain((least + 1..=most).map(next)).collect();
    let greatest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logarithms.into_iter().map(|own| libm::exp(own - greatest)).collect()
}

/// Makes the greatest 1; `None` where there is none above 0.
fn normalize(likely: &mut [f64]) -> Option<()> {
    let greatest = likely.iter().copied().fold(0.0, f64::max);
    if greatest <= 0.0 || !greatest.is_finite() {
        return None;
    }
    for own in likely.iter_mut() {
        *own /= greatest;
    }
    Some(())
}

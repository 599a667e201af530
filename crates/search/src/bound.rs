//! A lower bound on the loss of any release that keeps δ, so that a result shows how far it is from the best possible.
//!
//! A region with a private person has at least 1/δmax public people, and its box lies around them. So no release can give
//! that person less loss than the smallest box does that holds them and so many people; and the mean of these smallest
//! boxes over T is below the loss of every δ-present release whose classes do not overlap, whoever found it. A member who is
//! withdrawn counts 1, which no box is above. It is not
//! sharp: it forgets that boxes must not overlap and that private people share them.

mod least_box;
mod nearest;

use rayon::prelude::*;

use self::least_box::LeastBox;
use self::nearest::Blocks;
use super::worker_pool::{WorkerPool, watched};
use super::{Observer, Step};
use palmtop_core::model::{Code, Counts, Hierarchy, Problem};

/// Beyond so many pairs of a combination of T and one of P it is not worth waiting for, or so many of their columns.
const PAIRS: u128 = 2_000_000_000;
const SIDES: u128 = 8 * PAIRS;
/// How many combinations of T are bounded between two looks at whether to go on, on all cores.
const BATCH: usize = 64;

/// Why there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBound {
    /// Nothing was computed: it would take too long. Asked again, it is so again.
    #[error(
        "the tables are too large for a bound on the loss: {amount} {unit} to compare, more than the {limit} that are worth \
         waiting for"
    )]
    TooLarge {
        /// How many there are.
        amount: u128,
        /// Of what.
        unit: &'static str,
        /// How many are compared at most.
        limit: u128,
    },
    /// The observer stopped it.
    #[error("stopped on request")]
    Cancelled,
}

/// A lower bound on the [`loss`](palmtop_core::metrics::Loss::mean) of every δ-present release without overlap. O(t·c·m) for t
/// combinations of T, c of P and m quasi-identifiers at the worst, and mostly far less, on all cores.
///
/// # Errors
/// [`NoBound`]: the tables are too large to compute it, or the observer stopped it.
pub fn bound(problem: &Problem, observer: &mut Observer) -> Result<f64, NoBound> {
    let histogram = problem.histogram();
    let private: Vec<usize> =
        (0..histogram.len()).filter(|&index| histogram.counts()[index].private > 0).collect();
    let pairs = private.len() as u128 * histogram.len() as u128;
    check(pairs, "pairs of combinations", PAIRS)?;
    check(pairs * histogram.width() as u128, "sides of boxes", SIDES)?;
    watched(observer, |pool| total(problem, &private, pool)).ok_or(NoBound::Cancelled)
}

fn check(amount: u128, unit: &'static str, limit: u128) -> Result<(), NoBound> {
    if amount > limit { Err(NoBound::TooLarge { amount, unit, limit }) } else { Ok(()) }
}

#[expect(clippy::cast_precision_loss, reason = "a number of rows, for a loss")]
fn total(problem: &Problem, private: &[usize], pool: &WorkerPool) -> Option<f64> {
    let space = Space::of(problem);
    let blocks = Blocks::of(&space, pool)?;
    let mut sum = 0.0;
    for (batch, people) in private.chunks(BATCH).enumerate() {
        let (done, total) = ((batch * BATCH) as u64, private.len() as u64);
        pool.report(Step::of(done, total)).continue_value()?;
        let least_box = |search: &mut LeastBox, &index: &usize| {
            pool.go_on().continue_value()?;
            Some(space.least_box(index, &blocks, search))
        };
        // Summed in their own order, so that no rounding depends on the number of cores.
        let boxes: Option<Vec<f64>> = people.par_iter().map_init(LeastBox::default, least_box).collect();
        let boxes = boxes?;
        let weights = people.iter().map(|&index| problem.histogram().counts()[index].private as f64);
        sum += boxes.iter().zip(weights).map(|(loss, weight)| loss * weight).sum::<f64>();
    }
    // A share of itself less than any rounding could have added.
    Some(sum / problem.histogram().total().private as f64 * (1.0 - 1e-12))
}

/// All combinations a row each, with what one more leaf costs in each quasi-identifier.
struct Space {
    codes: Vec<Code>,
    counts: Vec<Counts>,
    units: Vec<f64>,
    /// Whether a side is a range; else what counts is how many values it has.
    ordered: Vec<bool>,
    max: (u64, u64),
}

impl Space {
    #[expect(clippy::cast_precision_loss, reason = "a number of columns, for a loss")]
    fn of(problem: &Problem) -> Self {
        let histogram = problem.histogram();
        let width = histogram.width();
        let unit = |attribute: usize| match problem.hierarchy(attribute).denoted_leaves() {
            0 | 1 => 0.0,
            leaves => problem.weights().relative(attribute) / (f64::from(leaves - 1) * width as f64),
        };
        let max = problem.delta().max();
        Self {
            codes: histogram.codes_by_row(),
            counts: histogram.counts().to_vec(),
            units: (0..width).map(unit).collect(),
            ordered: (0..width).map(|attribute| is_range(problem.hierarchy(attribute))).collect(),
            max: (max.numerator(), max.denominator()),
        }
    }

    fn width(&self) -> usize {
        self.units.len()
    }

    fn row(&self, row: usize) -> &[Code] {
        &self.codes[row * self.width()..(row + 1) * self.width()]
    }

    /// How many public people a class with so many private ones has at least.
    fn needed(&self, private: u64) -> u128 {
        let (numerator, denominator) = self.max;
        // Of δmax = 0 no class of somebody private keeps anything, however large.
        if numerator == 0 {
            return u128::MAX;
        }
        (u128::from(private) * u128::from(denominator)).div_ceil(u128::from(numerator))
    }

    /// A loss that no box falls below which holds this combination and as many people as its private ones need.
    fn least_box(&self, own: usize, blocks: &Blocks, search: &mut LeastBox) -> f64 {
        let needed = self.needed(self.counts[own].private);
        if u128::from(self.counts[own].public) >= needed {
            return 0.0;
        }
        let far = blocks.nearest(self, own, &mut search.near);
        search.run(self, own, needed, far)
    }

    /// The loss of the box around two combinations.
    fn distance(&self, left: &[Code], right: &[Code]) -> f64 {
        let sides = left.iter().zip(right).zip(self.units.iter().zip(&self.ordered));
        sides
            .map(|((&left, &right), (unit, &ordered))| {
                let apart = left.abs_diff(right);
                f64::from(if ordered { apart } else { apart.min(1) }) * unit
            })
            .sum()
    }
}

/// Whether whatever is written for an attribute denotes all leaves between its ends. Where a label leaves some out, only
/// the number of values that a box must hold is sure.
fn is_range(hierarchy: &Hierarchy) -> bool {
    let has_gaps = |level| {
        let labels = hierarchy.labels_of(level);
        let mut ends: Vec<Option<(usize, usize)>> = vec![None; hierarchy.label_count(level)];
        for (leaf, &label) in labels.iter().enumerate() {
            let end = &mut ends[label as usize];
            *end = Some(end.map_or((leaf, leaf), |(first, _)| (first, leaf)));
        }
        let sizes = (0..).map(|label| hierarchy.label_size(level, label) as usize);
        ends.iter().zip(sizes).any(|(ends, size)| ends.is_some_and(|(first, last)| last - first + 1 != size))
    };
    hierarchy.kind().is_ordered() && !hierarchy.levels().any(has_gaps)
}

#[cfg(test)]
mod tests;

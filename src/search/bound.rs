//! A lower bound on the loss of any release that keeps δ, so that a result shows how far it is from the best possible.
//!
//! A region with a private person has at least 1/δmax public people, and its box lies around them. So no release can give
//! that person less loss than the smallest box does that holds them and so many people; and the mean of these smallest
//! boxes over T is below the loss of every δ-present release whose classes do not overlap, whoever found it. It is not
//! sharp: it forgets that boxes must not overlap and that private people share them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::crew::{Crew, watched};
use super::{Observer, Step};
use crate::model::{Code, Counts, Hierarchy, Problem};

/// Beyond so many pairs of a combination of T and one of P it is not worth waiting for, or so many of their columns.
const PAIRS: u128 = 2_000_000_000;
const SIDES: u128 = 8 * PAIRS;
/// How many combinations are looked at between two looks at whether to go on, on one core.
const STRIDE: usize = 1 << 12;
/// How many combinations around each are looked at; a box that holds another is as large as the distance to it.
const NEAR: usize = 192;
/// How many boxes are looked at for one person before the least one yet to be looked at has to do.
const BOXES: usize = 48;
/// How many combinations of T are bounded between two looks at whether to go on, on all cores.
const BATCH: usize = 64;

/// A lower bound on the [`loss`](crate::metrics::Loss::mean) of every δ-present release without overlap; `None` where the
/// tables are too large to compute it, or the observer stopped it. O(t·c·m) for t combinations of T, c of P and m
/// quasi-identifiers, on all cores.
pub fn bound(problem: &Problem, observer: &mut Observer) -> Option<f64> {
    let histogram = problem.histogram();
    let private: Vec<usize> =
        (0..histogram.len()).filter(|&index| histogram.counts()[index].private > 0).collect();
    let pairs = private.len() as u128 * histogram.len() as u128;
    if pairs > PAIRS || pairs * histogram.width() as u128 > SIDES {
        return None;
    }
    watched(observer, |crew| total(problem, &private, crew))
}

#[expect(clippy::cast_precision_loss, reason = "a number of rows, for a loss")]
fn total(problem: &Problem, private: &[usize], crew: &Crew) -> Option<f64> {
    let space = Space::of(problem);
    let mut sum = 0.0;
    for (batch, people) in private.chunks(BATCH).enumerate() {
        let (done, total) = ((batch * BATCH) as u64, private.len() as u64);
        crew.report(Step { done, total, best: None, rounds: None }).continue_value()?;
        // Summed in their own order, so that no rounding depends on the number of cores.
        let boxes: Option<Vec<f64>> = people.par_iter().map(|&index| space.least_box(index, crew)).collect();
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
    ordered: Vec<bool>,
    max: (u64, u64),
}

/// A box around some people: for numbers and dates both ends, for categories the bits of what occurs.
#[derive(Clone, Debug, PartialEq)]
struct Hull {
    loss: f64,
    sides: Vec<u64>,
}

impl Eq for Hull {}

impl Ord for Hull {
    /// The least loss is the greatest, for a heap.
    fn cmp(&self, other: &Self) -> Ordering {
        other.loss.total_cmp(&self.loss).then_with(|| other.sides.cmp(&self.sides))
    }
}

impl PartialOrd for Hull {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Space {
    #[expect(clippy::cast_precision_loss, reason = "numbers of leaves and columns, for a loss")]
    fn of(problem: &Problem) -> Self {
        let histogram = problem.histogram();
        let width = histogram.width();
        let mut codes = vec![0; histogram.len() * width];
        for attribute in 0..width {
            let column = codes[attribute..].iter_mut().step_by(width);
            column.zip(histogram.column(attribute)).for_each(|(to, &code)| *to = code);
        }
        let unit = |attribute: usize| match problem.hierarchy(attribute).leaf_count() {
            0 | 1 => 0.0,
            leaves => 1.0 / ((leaves - 1) as f64 * width as f64),
        };
        let max = problem.delta().max();
        Self {
            codes,
            counts: histogram.counts().to_vec(),
            units: (0..width).map(unit).collect(),
            ordered: (0..width).map(|attribute| is_range(problem.hierarchy(attribute))).collect(),
            max: (max.numerator(), max.denominator()),
        }
    }

    fn row(&self, row: usize) -> &[Code] {
        let width = self.units.len();
        &self.codes[row * width..(row + 1) * width]
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

    /// A loss that no box falls below which holds this combination and as many people as its private ones need; `None`
    /// where it was stopped.
    fn least_box(&self, own: usize, crew: &Crew) -> Option<f64> {
        let needed = self.needed(self.counts[own].private);
        if u128::from(self.counts[own].public) >= needed {
            return Some(0.0);
        }
        let (near, far) = self.nearest(own, crew)?;
        Some(Search::new(self, own, needed, &near).run(far))
    }

    /// The nearest combinations, and a loss that no box falls below which holds any other.
    fn nearest(&self, own: usize, crew: &Crew) -> Option<(Vec<usize>, f64)> {
        let origin = self.row(own);
        let mut all: Vec<(f64, usize)> = Vec::with_capacity(self.counts.len());
        let rows = self.counts.len();
        for start in (0..rows).step_by(STRIDE) {
            crew.go_on().continue_value()?;
            let stretch = start..(start + STRIDE).min(rows);
            all.extend(stretch.map(|row| (self.distance(origin, self.row(row)), row)));
        }
        let compare =
            |left: &(f64, usize), right: &(f64, usize)| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1));
        if all.len() <= NEAR {
            return Some((all.into_iter().map(|(_, row)| row).collect(), f64::INFINITY));
        }
        let (near, next, _) = all.select_nth_unstable_by(NEAR, compare);
        Some((near.iter().map(|&(_, row)| row).collect(), next.0))
    }

    fn distance(&self, left: &[Code], right: &[Code]) -> f64 {
        let sides = left.iter().zip(right).zip(self.units.iter().zip(&self.ordered));
        sides
            .map(|((&left, &right), (unit, &ordered))| {
                if ordered {
                    f64::from(left.abs_diff(right)) * unit
                } else {
                    f64::from(u8::from(left != right)) * unit
                }
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

/// A search for the smallest box, from the smallest ones up.
struct Search<'a> {
    space: &'a Space,
    needed: u128,
    /// The sides of the box around each of those near, alone: what [`Hull::sides`] holds.
    points: Vec<Vec<u64>>,
    /// How many people each of those near stands for.
    people: Vec<u64>,
    start: Vec<u64>,
}

impl<'a> Search<'a> {
    fn new(space: &'a Space, own: usize, needed: u128, near: &[usize]) -> Self {
        let width = space.units.len();
        let mut values: Vec<Vec<Code>> = vec![Vec::new(); width];
        let mut point = |row: usize| -> Vec<u64> {
            let codes = space.row(row).iter().zip(&space.ordered).zip(&mut values);
            codes
                .map(|((&code, &ordered), known)| {
                    if ordered {
                        return u64::from(code) << 32 | u64::from(code);
                    }
                    // Beyond 63 values the rest share a bit, which can only make a box look smaller.
                    let place = known.iter().position(|&other| other == code).unwrap_or_else(|| {
                        known.push(code);
                        known.len() - 1
                    });
                    1 << place.min(63)
                })
                .collect()
        };
        let start = point(own);
        let points = near.iter().map(|&row| point(row)).collect();
        let people = near.iter().map(|&row| space.counts[row].public).collect();
        Self { space, needed, points, people, start }
    }

    /// The loss of the smallest box, or of the smallest that was not looked at when enough were; at most `far`.
    fn run(&self, far: f64) -> f64 {
        let mut waiting = BinaryHeap::from([Hull { loss: 0.0, sides: self.start.clone() }]);
        let mut known: FxHashSet<Vec<u64>> = FxHashSet::default();
        let mut looked = 0;
        let mut wider = self.start.clone();
        while let Some(hull) = waiting.pop() {
            if hull.loss >= far || looked == BOXES {
                return hull.loss.min(far);
            }
            looked += 1;
            let mut people = 0_u128;
            for (point, here) in self.points.iter().zip(&self.people) {
                let loss = self.join(&hull.sides, point, &mut wider);
                if wider == hull.sides {
                    people += u128::from(*here);
                } else if loss < far && !known.contains(&wider) {
                    known.insert(wider.clone());
                    waiting.push(Hull { loss, sides: wider.clone() });
                }
            }
            if people >= self.needed {
                return hull.loss;
            }
        }
        // No box of those near is enough; if they are everybody, δ is infeasible and there is nothing to bound.
        if far.is_finite() { far } else { 0.0 }
    }

    /// Writes the sides of the box around a box and a point; returns its loss.
    fn join(&self, sides: &[u64], point: &[u64], joined: &mut [u64]) -> f64 {
        let mut loss = 0.0;
        for (attribute, joined) in joined.iter_mut().enumerate() {
            let (side, point, unit) = (sides[attribute], point[attribute], self.space.units[attribute]);
            if self.space.ordered[attribute] {
                let (low, high) =
                    ((side >> 32).min(point >> 32), (side & 0xffff_ffff).max(point & 0xffff_ffff));
                loss += f64::from(u32::try_from(high - low).unwrap_or(u32::MAX)) * unit;
                *joined = low << 32 | high;
            } else {
                *joined = side | point;
                loss += f64::from(joined.count_ones() - 1) * unit;
            }
        }
        loss
    }
}

//! The levels of two quasi-identifiers that break the policy whatever the levels of all others.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{BaseCounts, Group};
use crate::control::pace::Pace;
use crate::counts::label_sets::Digit;
use crate::counts::tally::Tally;
use palmtop_core::model::size;

/// The largest number of pairs of labels that are counted in a table. Quasi-identifiers with more
/// labels are counted at coarser steps.
const CELLS: usize = 1 << 16;
/// The number of combinations that are counted between two questions whether to go on.
const EACH: usize = 1 << 22;

/// One quasi-identifier of a pair, from a step at which its labels are few enough.
struct Side<'a> {
    attribute: usize,
    from: usize,
    codes: &'a [u32],
    /// For each code of the group, the label at `from`.
    labels: Vec<u32>,
    count: usize,
}

impl<W: Tally> BaseCounts<W> {
    /// The coarsest failing nodes of each pair of quasi-identifiers, with all others at their tops:
    /// O(c) for each pair.
    pub(crate) fn failing_pairs(&self, spans: &[usize], pace: &mut Pace) -> ControlFlow<(), Vec<Vec<u8>>> {
        let open = |&attribute: &usize| spans[attribute] > 1;
        let attributes: Vec<usize> = (0..spans.len()).filter(open).collect();
        let later = |place: usize| attributes[place + 1..].iter();
        let pairs = attributes
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| later(place).map(move |&other| [one, other]));
        let pairs: Vec<[usize; 2]> = pairs.collect();
        let cells =
            |pair: &[usize; 2]| -> usize { pair.iter().map(|&a| self.attributes[a].counts[0]).product() };
        let mut failing = Vec::new();
        let at_once = (EACH / (self.len() + CELLS)).max(1) * rayon::current_num_threads();
        for pairs in pairs.chunks(at_once) {
            let work = pairs.iter().map(|pair| self.len() + cells(pair).min(CELLS) * 8);
            pace.spend(work.sum())?;
            let found: Vec<Vec<Vec<u8>>> =
                pairs.par_iter().map(|&pair| self.failing_pair(pair, spans)).collect();
            failing.extend(found.into_iter().flatten());
        }
        ControlFlow::Continue(failing)
    }

    /// The coarsest failing nodes of a pair.
    fn failing_pair(&self, [one, other]: [usize; 2], spans: &[usize]) -> Vec<Vec<u8>> {
        let (mut from, counts) = ([0, 0], [one, other].map(|attribute| &self.attributes[attribute].counts));
        let labels = |from: [usize; 2]| [counts[0][from[0]], counts[1][from[1]]];
        while labels(from).iter().product::<usize>() > CELLS {
            let [left, right] = labels(from);
            from[usize::from(right > left)] += 1;
        }
        let [one, other] = [self.side(one, from[0]), self.side(other, from[1])];
        let mut cells = vec![None; one.count * other.count];
        let pairs = one.codes.iter().zip(other.codes).zip(&self.tallies);
        for ((&left, &right), &tally) in pairs {
            let cell =
                one.labels[left as usize] as usize * other.count + other.labels[right as usize] as usize;
            add(&mut cells[cell], Some(tally));
        }
        let tops = [spans[one.attribute], spans[other.attribute]].map(|span| span - 1);
        let mut failing: Vec<Vec<u8>> = Vec::new();
        // Of the nodes that were not yet refuted for a finer step of the first, the coarsest is
        // `reached` in the other.
        let mut reached = tops[1];
        for step in from[0]..=tops[0] {
            let merged = self.merged(&cells, &one, &other, [step, from[1]]);
            let mut last = None;
            let mut finer = merged;
            for upper in from[1]..=reached {
                if upper > from[1] {
                    finer =
                        self.coarsened(&finer, &other, upper, self.attributes[one.attribute].counts[step]);
                }
                if finer.iter().flatten().any(|tally| tally.excess(&self.judge) > 0) {
                    last = Some(upper);
                } else {
                    break;
                }
            }
            let Some(last) = last else { break };
            reached = last;
            let mut steps: Vec<u8> = spans.iter().map(|&span| size::steps(span - 1)).collect();
            steps[one.attribute] = size::steps(step);
            steps[other.attribute] = size::steps(last);
            failing.push(steps);
        }
        failing
    }

    /// The labels of a quasi-identifier for the codes of its group.
    fn side(&self, attribute: usize, from: usize) -> Side<'_> {
        let of = |group: &Group| group.attributes.iter().position(|&member| member == attribute);
        let found = self.groups.iter().find_map(|group| Some((group, of(group)?)));
        let (group, position) = found.expect("each quasi-identifier is in a group");
        let digit: Digit = group.digits(&self.attributes)[position];
        let rungs = &self.attributes[attribute];
        let labels = (0..).take(group.size).map(|code| rungs.above[from][digit.of(code) as usize]).collect();
        Side { attribute, from, codes: &group.codes, labels, count: rungs.counts[from] }
    }

    /// The cells of a pair at coarser steps.
    fn merged(&self, cells: &[Option<W>], one: &Side, other: &Side, to: [usize; 2]) -> Vec<Option<W>> {
        let up = self.rising(one, to[0]);
        let count = self.attributes[one.attribute].counts[to[0]];
        let mut merged = vec![None; count * other.count];
        for (row, cells) in cells.chunks_exact(other.count.max(1)).enumerate() {
            let target = &mut merged[up[row] as usize * other.count..][..other.count];
            for (sum, cell) in target.iter_mut().zip(cells) {
                add(sum, *cell);
            }
        }
        merged
    }

    /// The cells one step coarser in the second quasi-identifier.
    fn coarsened(&self, cells: &[Option<W>], other: &Side, to: usize, rows: usize) -> Vec<Option<W>> {
        let rungs = &self.attributes[other.attribute];
        let (before, after) = (rungs.counts[to - 1], rungs.counts[to]);
        let mut up = vec![0; before];
        rungs.above[to - 1]
            .iter()
            .zip(&rungs.above[to])
            .for_each(|(&fine, &coarse)| up[fine as usize] = coarse);
        let mut merged = vec![None; rows * after];
        for (row, cells) in cells.chunks_exact(before.max(1)).enumerate() {
            for (&label, cell) in up.iter().zip(cells) {
                add(&mut merged[row * after + label as usize], *cell);
            }
        }
        merged
    }

    /// For each label of a side, its label at a coarser step.
    fn rising(&self, side: &Side, to: usize) -> Vec<u32> {
        let above = &self.attributes[side.attribute].above;
        let mut up = vec![0; side.count];
        above[side.from].iter().zip(&above[to]).for_each(|(&fine, &coarse)| up[fine as usize] = coarse);
        up
    }
}

/// Adds the tally of a cell to another cell. A cell without people is no class.
fn add<W: Tally>(cell: &mut Option<W>, more: Option<W>) {
    match (cell, more) {
        (Some(sum), Some(tally)) => *sum += tally,
        (cell @ None, more) => *cell = more,
        (Some(_), None) => {}
    }
}

//! An event that must have occurred for a release: some cuts of a region were all rejected.

use std::ops::Range;

use crate::counts::tally::Judge;
use crate::regions::cut_boxes::BoxRules;
use crate::regions::limited_cuts::value_cuts;
use crate::regions::split::Split;
use palmtop_core::model::{Code, Counts, CutBox, Cuts, Problem, size};

/// Some combinations, and the cuts of them that were all rejected.
pub(super) struct Rejection {
    judge: Judge,
    pub(super) counts: Vec<Counts>,
    pub(super) total: Counts,
    columns: Vec<Column>,
}

/// Some cuts of a region at one quasi-identifier. Each divides its values, in some order, into consecutive
/// values and the rest.
///
/// A column that is cut between labels only has a single cut, into all labels directly below the
/// finest label around the region. Its values are then these labels.
struct Column {
    /// The position of each combination's value in the order.
    position_of: Vec<u32>,
    /// The number of people with a value before each position, and the number of all.
    below: Vec<u64>,
    /// The cuts.
    cuts: Vec<Cut>,
    /// Whether the column is cut between labels only.
    is_by_labels: bool,
}

/// A cut of a region at a quasi-identifier, with its sizes.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) column: usize,
    pub(super) split: Split,
    /// The number of the cut, in the order in which cuts of the same rank are preferred.
    pub(super) number: usize,
    /// The number of people on the left, and on both sides.
    pub(super) people: (u64, u64),
    /// The number of values on the left, and on both sides.
    pub(super) values: (usize, usize),
    /// The positions of the values on the left.
    left: Range<usize>,
}

/// The limits of terms, and the cut box of a region. If the box is unknown, so are the cuts of limited
/// columns, and none of them is assumed to be rejected.
pub(super) type Limits<'a> = (&'a BoxRules, Option<&'a CutBox>);

/// The cuts of some combinations at a column, in order of preference.
pub(super) fn cuts(
    problem: &Problem,
    region: &[u32],
    limits: Limits,
    column: usize,
) -> impl Iterator<Item = Cut> {
    columns(problem, region, limits, column).into_iter().flat_map(|column| column.cuts)
}

/// The cuts of some combinations at a column, for each order of its values.
fn columns(problem: &Problem, region: &[u32], limits: Limits, column: usize) -> Vec<Column> {
    let (boxes, cut_box) = limits;
    let (hierarchy, histogram) = (problem.hierarchy(column), problem.histogram());
    let leaves = || region.iter().map(|&combination| histogram.column(column)[combination as usize]);
    let is_by_labels = problem.cuts(column) == Cuts::Labels;
    let parting = if is_by_labels { hierarchy.parting_level(leaves()) } else { None };
    let labels = hierarchy.labels_of(parting.unwrap_or(hierarchy.base()));
    let codes = || leaves().map(|code| labels[code as usize]);
    let mut values: Vec<Code> = codes().collect();
    values.sort_unstable();
    values.dedup();
    let value_of: Vec<u32> =
        codes().map(|code| size::number(values.binary_search(&code).unwrap_or_else(|index| index))).collect();
    let mut people = vec![0; values.len()];
    for (&value, &combination) in value_of.iter().zip(region) {
        people[value as usize] += histogram.counts()[combination as usize].public;
    }
    let column_along = |order: &[u32], splits: Vec<(usize, Range<usize>, Split)>| {
        let mut positions = vec![0; order.len()];
        (0..).zip(order).for_each(|(position, &value)| positions[value as usize] = position);
        let mut sum = 0;
        let below = order.iter().map(|&value| {
            sum += people[value as usize];
            sum
        });
        let below: Vec<u64> = std::iter::once(0).chain(below).collect();
        let total = below.last().copied().unwrap_or(0);
        let cut = |(number, left, split): (usize, Range<usize>, Split)| Cut {
            column,
            split,
            number,
            people: (below[left.end] - below[left.start], total),
            values: (left.len(), order.len()),
            left,
        };
        Column {
            position_of: value_of.iter().map(|&value| positions[value as usize]).collect(),
            cuts: splits.into_iter().map(cut).collect(),
            below,
            is_by_labels,
        }
    };
    let in_order: Vec<u32> = (0..size::number(values.len())).collect();
    match (problem.cuts(column), boxes.limited(column), cut_box) {
        (Cuts::Never, ..) | (Cuts::Values, Some(_), None) => Vec::new(),
        (Cuts::Labels, ..) => {
            let split = parting.map(|level| (0, 0..1, Split::Labels(level)));
            vec![column_along(&in_order, split.into_iter().collect())]
        }
        (Cuts::Values, None, _) => {
            let split = |index: usize| (index, 0..index + 1, Split::At(values[index + 1]));
            vec![column_along(&in_order, (0..values.len().saturating_sub(1)).map(split).collect())]
        }
        (Cuts::Values, Some(limited), Some(cut_box)) => {
            let set = limited.tree.set(values.iter().copied());
            let mut number = 0;
            let orders = value_cuts(hierarchy, &values).into_iter().map(|order| {
                let splits = order.cuts.into_iter().filter_map(|cut| {
                    number += 1;
                    let split = cut.permitted(boxes, cut_box, column, &set)?;
                    Some((number, cut.left, split))
                });
                column_along(&order.order, splits.collect())
            });
            orders.collect()
        }
    }
}

impl Rejection {
    /// The rejection of those cuts that `was_rejected` selects.
    pub(super) fn of(
        problem: &Problem,
        region: &[u32],
        limits: Limits,
        was_rejected: impl Fn(&Cut) -> bool,
    ) -> Self {
        let histogram = problem.histogram();
        let counts: Vec<Counts> =
            region.iter().map(|&combination| histogram.counts()[combination as usize]).collect();
        let columns = (0..histogram.width()).flat_map(|column| columns(problem, region, limits, column));
        let rejected = |mut column: Column| {
            column.cuts.retain(&was_rejected);
            (!column.cuts.is_empty()).then_some(column)
        };
        Self {
            judge: Judge::of(problem),
            total: counts.iter().copied().sum(),
            counts,
            columns: columns.filter_map(rejected).collect(),
        }
    }

    /// The rejection of every cut of a region.
    pub(super) fn of_every_cut(problem: &Problem, region: &[u32], limits: Limits) -> Self {
        Self::of(problem, region, limits, |_| true)
    }

    /// Whether these members have the event. Each member is given as the index of its combination
    /// in the region.
    pub(super) fn happens(&self, members: &[u32], tally: &mut Vec<u64>) -> bool {
        self.columns.iter().all(|column| {
            // The number of members before each position.
            tally.clear();
            tally.resize(column.below.len(), 0);
            for &member in members {
                tally[column.position_of[member as usize] as usize + 1] += 1;
            }
            for position in 1..tally.len() {
                tally[position] += tally[position - 1];
            }
            let part = |left: &Range<usize>| {
                let people = column.below[left.end] - column.below[left.start];
                Counts::new(people, tally[left.end] - tally[left.start])
            };
            if column.is_by_labels {
                let mut parts = (0..column.below.len() - 1).map(|position| part(&(position..position + 1)));
                return !parts.all(|part| self.judge.allows_counts(part));
            }
            column.cuts.iter().all(|cut| {
                let half = part(&cut.left);
                let rest = Counts::new(self.total.public - half.public, self.total.private - half.private);
                !(self.judge.allows_counts(half) && self.judge.allows_counts(rest))
            })
        })
    }

    /// The approximate number of steps of one check.
    pub(super) fn work(&self) -> u64 {
        let values: usize = self.columns.iter().map(|column| column.below.len() - 1).sum();
        self.total.private * (self.columns.len() as u64 + 1) + values as u64
    }

    /// For each member, the index of its combination.
    pub(super) fn members(&self) -> Vec<u32> {
        self.each(|counts| counts.private)
    }

    /// For each person, the index of its combination.
    pub(super) fn people(&self) -> Vec<u32> {
        self.each(|counts| counts.public)
    }

    fn each(&self, people: impl Fn(&Counts) -> u64) -> Vec<u32> {
        let each = (0..).zip(&self.counts);
        each.flat_map(|(index, counts)| (0..people(counts)).map(move |_| index)).collect()
    }
}

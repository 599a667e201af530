//! The extents of regions: how much of the hierarchies their published sets are expected to cover.

use super::belief::odds;
use crate::simulatable::population::{Population, Rows};
use palmtop_core::model::CutBox;
use palmtop_core::model::description::size_of;
use palmtop_core::model::size;

/// Counters by code for one pass; all are 0 between two passes.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The number of rows with each code.
    all: Vec<u32>,
    /// The number of rows with each code in the groups so far.
    left: Vec<u32>,
    /// The number of rows with each code in the current group.
    group: Vec<u32>,
}

/// Consecutive rows with the same label.
pub(crate) struct Group {
    pub(crate) label: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) people: u64,
    /// The members that the search expects, up to a factor.
    pub(crate) expected: f64,
}

impl Group {
    /// The odds of the group against the rest.
    pub(crate) fn odds(&self, groups: &[Self]) -> f64 {
        let sums = groups.iter().map(|group| (group.people, group.expected));
        let (people, expected) = sums.fold((0, 0.0), |all, group| (all.0 + group.0, all.1 + group.1));
        odds([self.people, people - self.people], [self.expected, expected - self.expected])
    }
}

/// Rows in an order in which the rows of each group are consecutive.
#[derive(Clone, Copy)]
pub(crate) struct Grouping<'a> {
    pub(crate) order: &'a [u32],
    pub(crate) groups: &'a [Group],
}

/// The extent of a region: Σ over the quasi-identifiers of (values of its side − 1)/(leaves − 1).
///
/// The sides are those of the smallest box around the region's people; under a limit of terms, as large as
/// [`published`] expects. The extent is a member's contribution to the loss, times the number of
/// quasi-identifiers.
pub(crate) fn extent(population: &Population, rows: &Rows, cut_box: &CutBox, scratch: &mut Scratch) -> f64 {
    let one_group = vec![Group { label: 0, start: 0, end: rows.len(), people: 0, expected: 0.0 }];
    let order: Vec<u32> = (0..size::number(rows.len())).collect();
    let grouping = Grouping { order: &order, groups: &one_group };
    Extents::of(population, rows, grouping, cut_box, None, false, scratch).left[0]
}

/// The number of values besides one that the description of some values is expected to mean, in a side of the
/// cut box and under a limit of terms.
///
/// A description of few terms covers more of its side, the more values there are for each term. The constants
/// are the best of a few on Adult, the practice clinic and two tables of many values; they scale with `ROOM`.
pub(crate) fn published(values: u32, side: u32, terms: usize) -> f64 {
    /// The values for each term from which a description is as crowded as it gets.
    const MOST_FOR_EACH: f64 = 9.0;
    /// The share of the side of the cut box that counts besides the values, because a published set may be as
    /// large as the side.
    const ROOM: f64 = 0.2;
    /// How much a crowded description adds, in units of `ROOM`.
    const CROWDED: f64 = 2.5;
    let terms = f64::from(size::number(terms));
    let (values, others) = (f64::from(values.max(1)), f64::from(side.saturating_sub(values)));
    let crowded = ((values - terms) / ((MOST_FOR_EACH - 1.0) * terms)).clamp(0.0, 1.0);
    values - 1.0 + ROOM * (f64::from(side.max(1)) - 1.0 + CROWDED * crowded * others)
}

/// A number for each of the boxes around groups of rows.
#[derive(Debug)]
pub(crate) struct Sides<T> {
    /// For each group, that of it and all groups before.
    pub(crate) left: Vec<T>,
    /// For each group, that of it and all groups after.
    pub(crate) right: Vec<T>,
    /// For each group, that of the group alone; empty unless requested.
    pub(crate) alone: Vec<T>,
    /// For each group, that of all other groups; empty unless requested.
    pub(crate) rest: Vec<T>,
}

/// The extents of boxes around groups of rows.
pub(crate) type Extents = Sides<f64>;

impl<T: Copy + Default> Sides<T> {
    fn none(groups: usize, one_against_rest: bool) -> Self {
        let alone = if one_against_rest { groups } else { 0 };
        Self {
            left: vec![T::default(); groups],
            right: vec![T::default(); groups],
            alone: vec![T::default(); alone],
            rest: vec![T::default(); alone],
        }
    }
}

impl Extents {
    /// The extents of groups. They are incomplete if the search is being stopped. A column with a limit of terms
    /// that is cut may be left out, because its sides are then known only after the cut.
    pub(crate) fn of(
        population: &Population,
        rows: &Rows,
        grouping: Grouping,
        cut_box: &CutBox,
        but: Option<usize>,
        one_against_rest: bool,
        scratch: &mut Scratch,
    ) -> Self {
        let mut extents = Self::none(grouping.groups.len(), one_against_rest);
        for attribute in (0..population.columns().len()).take_while(|_| !population.is_stopping()) {
            if but != Some(attribute) {
                extents.add(population, rows, attribute, cut_box, grouping, scratch);
            }
        }
        extents
    }

    /// Adds the sides of one quasi-identifier.
    fn add(
        &mut self,
        population: &Population,
        rows: &Rows,
        attribute: usize,
        cut_box: &CutBox,
        grouping: Grouping,
        scratch: &mut Scratch,
    ) {
        let column = &population.columns()[attribute];
        let code = |row: u32| rows.code(row as usize, attribute);
        if let Some(tree) = &column.tree {
            // The positions of some leaves in the tree are a range, whose ends determine the label.
            let around = |low, high| tree.extent(tree.common(low, high), low);
            self.add_ranges(column.share, &around, |row| tree.position(code(row)), grouping);
            return;
        }
        if column.hierarchy.kind().is_ordered() {
            self.add_ranges(column.share, &|low, high| column.extent(low, high), code, grouping);
            return;
        }
        let leaves = column.hierarchy.leaf_count();
        let values = Sides::distinct(leaves, code, grouping, !self.alone.is_empty(), scratch);
        match population.boxes().limited(attribute) {
            Some(limited) => {
                let (side, terms) = (size_of(&cut_box[attribute]), limited.terms());
                self.add_sets(&values, |values| published(values, side, terms) * column.share);
            }
            None => self.add_sets(&values, |values| f64::from(values.saturating_sub(1)) * column.share),
        }
    }

    /// Adds sides that their ends determine: `around` gives the number of leaves, minus one.
    fn add_ranges(
        &mut self,
        share: f64,
        around: &dyn Fn(u32, u32) -> u32,
        code: impl Fn(u32) -> u32,
        grouping: Grouping,
    ) {
        let Grouping { order, groups } = grouping;
        let both = |left: (u32, u32), right: (u32, u32)| (left.0.min(right.0), left.1.max(right.1));
        let nothing = (u32::MAX, 0);
        let of_group = |group: &Group| {
            let rows = order[group.start..group.end].iter();
            rows.fold(nothing, |range, &row| both(range, (code(row), code(row))))
        };
        let ranges: Vec<(u32, u32)> = groups.iter().map(of_group).collect();
        let extent = |(low, high)| if low > high { 0.0 } else { f64::from(around(low, high)) * share };
        let mut after = vec![nothing; groups.len() + 1];
        for (index, &range) in ranges.iter().enumerate().rev() {
            after[index] = both(after[index + 1], range);
            self.right[index] += extent(after[index]);
        }
        let mut before = nothing;
        for (index, &range) in ranges.iter().enumerate() {
            if !self.alone.is_empty() {
                self.alone[index] += extent(range);
                self.rest[index] += extent(both(before, after[index + 1]));
            }
            before = both(before, range);
            self.left[index] += extent(before);
        }
    }

    /// Adds what `extent` makes of the number of values of each box.
    fn add_sets(&mut self, values: &Sides<u32>, extent: impl Fn(u32) -> f64) {
        let pairs = [
            (&mut self.left, &values.left),
            (&mut self.right, &values.right),
            (&mut self.alone, &values.alone),
            (&mut self.rest, &values.rest),
        ];
        for (sums, values) in pairs {
            sums.iter_mut().zip(values).for_each(|(sum, &values)| *sum += extent(values));
        }
    }
}

impl Sides<u32> {
    /// The number of distinct values in boxes around groups of rows.
    pub(crate) fn distinct(
        leaves: usize,
        code: impl Fn(u32) -> u32,
        grouping: Grouping,
        one_against_rest: bool,
        scratch: &mut Scratch,
    ) -> Self {
        let Grouping { order, groups } = grouping;
        scratch.reach(leaves);
        let mut numbers = Self::none(groups.len(), one_against_rest);
        let Scratch { all, left, group: group_counts, .. } = scratch;
        let mut distinct = 0_u32;
        for &row in order {
            let count = &mut all[code(row) as usize];
            distinct += u32::from(*count == 0);
            *count += 1;
        }
        // The number of distinct values up to the end of a group, and from its start on.
        let (mut before, mut after) = (0, distinct);
        for (index, group) in groups.iter().enumerate() {
            numbers.right[index] = after;
            let rows = &order[group.start..group.end];
            for &row in rows {
                let code = code(row) as usize;
                before += u32::from(left[code] == 0);
                left[code] += 1;
                after -= u32::from(left[code] == all[code]);
            }
            numbers.left[index] = before;
            if !one_against_rest {
                continue;
            }
            let (mut inside, mut only_inside) = (0, 0);
            for &row in rows {
                let code = code(row) as usize;
                inside += u32::from(group_counts[code] == 0);
                group_counts[code] += 1;
                only_inside += u32::from(group_counts[code] == all[code]);
            }
            for &row in rows {
                group_counts[code(row) as usize] = 0;
            }
            numbers.alone[index] = inside;
            numbers.rest[index] = distinct - only_inside;
        }
        for &row in order {
            let code = code(row) as usize;
            (all[code], left[code]) = (0, 0);
        }
        numbers
    }
}

impl Scratch {
    /// Makes room for this number of codes.
    fn reach(&mut self, codes: usize) {
        for counters in [&mut self.all, &mut self.left, &mut self.group] {
            counters.resize(counters.len().max(codes), 0);
        }
    }
}

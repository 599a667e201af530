//! The extents of regions: how much of the hierarchies their published sets are expected to cover.

use super::values::{Division, Groups, Pairs, Scratch, Sides, Values, occurring};
use crate::simulatable::population::{Column, Population, Rows};
use palmtop_core::model::description::size_of;
use palmtop_core::model::size;
use palmtop_core::model::{Code, CutBox};

/// The extent of a region: Σ over the quasi-identifiers of (values of its side − 1)/(leaves − 1).
///
/// The sides are those of the smallest box around the region's people; under a limit of terms, as large as
/// [`published`] expects. The extent is a member's contribution to the loss, times the number of
/// quasi-identifiers.
pub(crate) fn extent(population: &Population, rows: &Rows, cut_box: &CutBox, scratch: &mut Scratch) -> f64 {
    let mut side = |attribute: usize| {
        let codes = rows.column(attribute);
        let leaves = population.columns()[attribute].hierarchy.leaf_count();
        of_side(population, attribute, cut_box, codes, || occurring(codes, leaves, scratch).len())
    };
    (0..population.columns().len()).fold(0.0, |sum, attribute| sum + side(attribute))
}

impl Values {
    /// The [`extent`] of the region that has these values.
    pub(crate) fn extent(&self, population: &Population, cut_box: &CutBox) -> f64 {
        let side = |attribute: usize| {
            let codes = &self.column(attribute).codes;
            of_side(population, attribute, cut_box, codes, || codes.len())
        };
        (0..population.columns().len()).fold(0.0, |sum, attribute| sum + side(attribute))
    }
}

/// The extent of the side of some values; `distinct` counts them, if that is needed.
fn of_side(
    population: &Population,
    attribute: usize,
    cut_box: &CutBox,
    codes: &[Code],
    distinct: impl FnOnce() -> usize,
) -> f64 {
    let column = &population.columns()[attribute];
    if column.is_range() {
        return column.around(codes.iter().fold(NOWHERE, |range, &code| column.and(range, code)));
    }
    of_set(population, attribute, cut_box, size::number(distinct()))
}

/// The extent of the side of a set of so many values.
fn of_set(population: &Population, attribute: usize, cut_box: &CutBox, values: u32) -> f64 {
    let others = match population.boxes().limited(attribute) {
        Some(limited) => published(values, size_of(&cut_box[attribute]), limited.terms()),
        None => f64::from(values.saturating_sub(1)),
    };
    others * population.columns()[attribute].share
}

/// The ends of a range of positions.
type Ends = (u32, u32);

/// A range without positions.
const NOWHERE: Ends = (u32::MAX, 0);

impl Column<'_> {
    /// Whether the ends of some values determine their side.
    fn is_range(&self) -> bool {
        self.tree.is_some() || self.hierarchy.kind().is_ordered()
    }

    /// A range with one more value.
    fn and(&self, range: Ends, code: Code) -> Ends {
        // The positions of some leaves in the tree are a range, whose ends determine the label.
        let position = self.tree.as_ref().map_or(code, |tree| tree.position(code));
        both(range, (position, position))
    }

    /// The extent of the side around a range.
    fn around(&self, range: Ends) -> f64 {
        let (low, high) = range;
        if low > high {
            return 0.0;
        }
        let leaves = match &self.tree {
            Some(tree) => tree.extent(tree.common(low, high), low),
            None => self.extent(low, high),
        };
        f64::from(leaves) * self.share
    }
}

fn both(left: Ends, right: Ends) -> Ends {
    (left.0.min(right.0), left.1.max(right.1))
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

/// The extents of boxes around groups of rows.
pub(crate) type Extents = Sides<f64>;

impl Extents {
    /// The extents of the groups of a column that is cut.
    pub(crate) fn of(
        population: &Population,
        values: &Values,
        division: &Division,
        cut_box: &CutBox,
        scratch: &mut Scratch,
    ) -> Self {
        let Division { column: cut, groups, one_against_rest, .. } = *division;
        let mut extents = Self::none(groups.list().len(), one_against_rest);
        for (attribute, column) in population.columns().iter().enumerate() {
            if division.is_without_itself && attribute == cut {
                continue;
            }
            let (pairs, codes) = (values.pairs(cut, attribute), &values.column(attribute).codes);
            if column.is_range() {
                extents.add_ranges(column, codes, groups, pairs);
            } else {
                let numbers = Sides::distinct(codes.len(), groups, pairs, one_against_rest, scratch);
                extents.add_sets(numbers, |values| of_set(population, attribute, cut_box, values));
            }
        }
        extents
    }

    /// Adds sides that their ends determine.
    fn add_ranges(&mut self, column: &Column, codes: &[Code], groups: &Groups, pairs: &Pairs) {
        let of_value = |range, &value: &u32| {
            let others = pairs.with(value).iter();
            others.fold(range, |range, &other| column.and(range, codes[other as usize]))
        };
        let of_group = |group| groups.values_of(group).iter().fold(NOWHERE, of_value);
        let ranges: Vec<Ends> = groups.list().iter().map(of_group).collect();
        let mut after = vec![NOWHERE; ranges.len() + 1];
        for (index, &range) in ranges.iter().enumerate().rev() {
            after[index] = both(after[index + 1], range);
            self.right[index] += column.around(after[index]);
        }
        let mut before = NOWHERE;
        for (index, &range) in ranges.iter().enumerate() {
            if !self.alone.is_empty() {
                self.alone[index] += column.around(range);
                self.rest[index] += column.around(both(before, after[index + 1]));
            }
            before = both(before, range);
            self.left[index] += column.around(before);
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
    /// The number of values of another column in boxes around groups. It has `values` values in all groups
    /// together.
    ///
    /// A value is in the groups up to one if its first group is, and in all others than one unless its first
    /// and its last group are that one.
    pub(crate) fn distinct<'s>(
        values: usize,
        groups: &Groups,
        pairs: &Pairs,
        one_against_rest: bool,
        scratch: &'s mut Scratch,
    ) -> &'s Self {
        let Scratch { seen, numbers, .. } = scratch;
        numbers.clear(groups.list().len(), one_against_rest);
        seen.clear();
        seen.resize(values, [u32::MAX; 2]);
        for (number, group) in (0..).zip(groups.list()) {
            let (mut alone, mut first) = (0, 0);
            for &value in groups.values_of(group).iter().flat_map(|&value| pairs.with(value)) {
                let [start, end] = &mut seen[value as usize];
                if *end != number {
                    alone += 1;
                    if *start == u32::MAX {
                        *start = number;
                        first += 1;
                    }
                    *end = number;
                }
            }
            numbers.left[number as usize] = first;
            if one_against_rest {
                numbers.alone[number as usize] = alone;
            }
        }
        numbers.rest.fill(size::number(values));
        for &[start, end] in &*seen {
            numbers.right[end as usize] += 1;
            if one_against_rest && start == end {
                numbers.rest[start as usize] -= 1;
            }
        }
        let (mut before, mut after) = (0, 0);
        for (left, right) in numbers.left.iter_mut().zip((0..groups.list().len()).rev()) {
            before += *left;
            *left = before;
            after += numbers.right[right];
            numbers.right[right] = after;
        }
        numbers
    }
}

//! The values of a region's rows in each column, and which of them occur together.
//!
//! All extents of all halves follow from them, so the rows are read once for each pair of columns, in their
//! own order, whatever the number of cuts.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::belief::odds;
use crate::simulatable::population::{Labels, Population, Rows};
use palmtop_core::model::{Code, Cuts, Level, size};

/// The most cells of a table of pairs: it stays in the cache of a core.
const MOST_CELLS: usize = 1 << 22;
/// The most cells of a table of pairs for each row, because all cells are read.
const CELLS_FOR_EACH: usize = 16;

/// No index.
const NONE: u32 = u32::MAX;

/// Memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// For each code, its index among the values of a region; `NONE` between two passes.
    index: Vec<u32>,
    /// Whether two values occur together, in words of eight; 0 between two passes.
    cells: Vec<[u8; 8]>,
    /// For each value, the first and the last group that has it.
    pub(super) seen: Vec<[u32; 2]>,
    /// The numbers of values of another column.
    pub(super) numbers: Sides<u32>,
}

impl Scratch {
    /// Makes room for this number of codes.
    fn reach(&mut self, codes: usize) {
        self.index.resize(self.index.len().max(codes), NONE);
    }
}

/// A number for each of the boxes around groups of rows.
#[derive(Clone, Debug, Default, PartialEq)]
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

impl<T: Copy + Default> Sides<T> {
    pub(super) fn none(groups: usize, one_against_rest: bool) -> Self {
        let mut sides = Self { left: Vec::new(), right: Vec::new(), alone: Vec::new(), rest: Vec::new() };
        sides.clear(groups, one_against_rest);
        sides
    }

    /// Sets every number to 0.
    pub(super) fn clear(&mut self, groups: usize, one_against_rest: bool) {
        let alone = if one_against_rest { groups } else { 0 };
        let lists = [&mut self.left, &mut self.right, &mut self.alone, &mut self.rest];
        for (list, length) in lists.into_iter().zip([groups, groups, alone, alone]) {
            list.clear();
            list.resize(length, T::default());
        }
    }
}

/// The values of one column.
pub(crate) struct Column {
    /// The codes that occur, in ascending order.
    pub(crate) codes: Vec<Code>,
    people: Vec<u64>,
    /// The members that the search expects, up to a factor.
    expected: Vec<f64>,
    /// For each row, the index of its code.
    of_row: Vec<u32>,
    /// The rows in the order of their values, if a pass needs it.
    order: OnceLock<Vec<u32>>,
}

/// The codes that occur, in ascending order.
pub(crate) fn occurring(column: &[Code], leaves: usize, scratch: &mut Scratch) -> Vec<Code> {
    scratch.reach(leaves);
    let mut codes = Vec::new();
    for &code in column {
        let index = &mut scratch.index[code as usize];
        if *index == NONE {
            *index = 0;
            codes.push(code);
        }
    }
    for &code in &codes {
        scratch.index[code as usize] = NONE;
    }
    codes.sort_unstable();
    codes
}

impl Column {
    #[expect(clippy::cast_precision_loss, reason = "scores")]
    fn of(population: &Population, rows: &Rows, attribute: usize, scratch: &mut Scratch) -> Self {
        let column = rows.column(attribute);
        let leaves = population.columns()[attribute].hierarchy.leaf_count();
        let codes = occurring(column, leaves, scratch);
        (0..).zip(&codes).for_each(|(index, &code)| scratch.index[code as usize] = index);
        let of_row: Vec<u32> = column.iter().map(|&code| scratch.index[code as usize]).collect();
        for &code in &codes {
            scratch.index[code as usize] = NONE;
        }
        let mut people = vec![0; codes.len()];
        of_row.iter().zip(rows.people()).for_each(|(&value, more)| people[value as usize] += more);
        let expected = if population.has_rates() {
            let mut expected = vec![0.0; codes.len()];
            let of_rows = of_row.iter().enumerate();
            of_rows.for_each(|(row, &value)| expected[value as usize] += population.expected(rows, row));
            expected
        } else {
            people.iter().map(|&people| people as f64).collect()
        };
        Self { codes, people, expected, of_row, order: OnceLock::new() }
    }

    /// The rows in the order of their values.
    fn order(&self) -> &[u32] {
        self.order.get_or_init(|| {
            let mut next = vec![0_u32; self.codes.len() + 1];
            self.of_row.iter().for_each(|&value| next[value as usize + 1] += 1);
            (0..self.codes.len()).for_each(|value| next[value + 1] += next[value]);
            let mut order = vec![0; self.of_row.len()];
            for (row, &value) in (0..).zip(&self.of_row) {
                let next = &mut next[value as usize];
                order[*next as usize] = row;
                *next += 1;
            }
            order
        })
    }
}

/// The values of a column that have the same label.
pub(crate) struct Group {
    pub(crate) label: u32,
    /// The values are `order[start..end]` of [`Groups`].
    start: usize,
    end: usize,
    pub(crate) people: u64,
    /// The members that the search expects, up to a factor.
    pub(crate) expected: f64,
}

/// The values of a column in groups, in ascending order of labels.
pub(crate) struct Groups {
    order: Vec<u32>,
    list: Vec<Group>,
    /// The people and the expected members of all groups.
    pub(crate) all: (u64, f64),
}

impl Groups {
    /// The values of a column by their labels on a level.
    pub(super) fn of(population: &Population, values: &Column, attribute: usize, level: Level) -> Self {
        let labels = population.columns()[attribute].hierarchy.labels_of(level);
        let label_of = |value: u32| labels[values.codes[value as usize] as usize];
        let mut order: Vec<u32> = (0..size::number(values.codes.len())).collect();
        order.sort_by_key(|&value| label_of(value));
        let mut groups: Vec<Group> = Vec::new();
        for (index, &value) in order.iter().enumerate() {
            let (label, people) = (label_of(value), values.people[value as usize]);
            let expected = values.expected[value as usize];
            match groups.last_mut() {
                Some(group) if group.label == label => {
                    group.end = index + 1;
                    group.people += people;
                    group.expected += expected;
                }
                _ => groups.push(Group { label, start: index, end: index + 1, people, expected }),
            }
        }
        let add = |all: (u64, f64), group: &Group| (all.0 + group.people, all.1 + group.expected);
        let all = groups.iter().fold((0, 0.0), add);
        Self { order, list: groups, all }
    }

    /// The odds of a group against the rest.
    pub(super) fn odds(&self, group: &Group) -> f64 {
        let (people, expected) = self.all;
        odds([group.people, people - group.people], [group.expected, expected - group.expected])
    }

    /// The groups.
    pub(crate) fn list(&self) -> &[Group] {
        &self.list
    }

    /// The indices of the values of a group.
    pub(super) fn values_of(&self, group: &Group) -> &[u32] {
        &self.order[group.start..group.end]
    }
}

/// The groups into which a column is cut.
pub(crate) struct Division<'g> {
    pub(super) column: usize,
    pub(super) groups: &'g Groups,
    /// Whether each group is also cut from all others.
    pub(super) one_against_rest: bool,
    /// Whether the sides of the column itself do not count: with a limit of terms, they are known only after
    /// the cut.
    pub(super) is_without_itself: bool,
}

/// For each value of a column, the values of another column that occur with it, each once.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs {
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Pairs {
    fn of(first: &Column, second: &Column, scratch: &mut Scratch) -> Self {
        let cells = first.codes.len().saturating_mul(second.codes.len());
        if cells <= MOST_CELLS && cells <= first.of_row.len() * CELLS_FOR_EACH {
            Self::by_table(first, second, scratch)
        } else {
            Self::by_order(first, second, scratch)
        }
    }

    /// The pairs from a table of all cells, whose lines are filled up to words of eight.
    pub(super) fn by_table(first: &Column, second: &Column, scratch: &mut Scratch) -> Self {
        let words = second.codes.len().div_ceil(8);
        let width = words * 8;
        scratch.cells.resize(scratch.cells.len().max(first.codes.len() * words), [0; 8]);
        let cells = &mut scratch.cells[..first.codes.len() * words];
        let of_rows = first.of_row.iter().zip(&second.of_row);
        let flat = cells.as_flattened_mut();
        of_rows.for_each(|(&one, &other)| flat[one as usize * width + other as usize] = 1);
        let most = (first.codes.len() * second.codes.len()).min(first.of_row.len());
        let (mut starts, mut others) = (Vec::with_capacity(first.codes.len() + 1), Vec::with_capacity(most));
        for line in cells.chunks_exact_mut(words) {
            starts.push(size::number(others.len()));
            for (eight, column) in line.iter_mut().zip((0..).step_by(8)) {
                // Most cells of a large table are empty.
                let mut left = u64::from_le_bytes(std::mem::take(eight));
                while left > 0 {
                    others.push(column + left.trailing_zeros() / 8);
                    left &= left - 1;
                }
            }
        }
        starts.push(size::number(others.len()));
        Self { starts, others }
    }

    /// The pairs from the rows in the order of the first column.
    pub(super) fn by_order(first: &Column, second: &Column, scratch: &mut Scratch) -> Self {
        let mut starts = Vec::with_capacity(first.codes.len() + 1);
        let mut others = Vec::with_capacity(first.of_row.len());
        let last = &mut scratch.seen;
        last.clear();
        last.resize(second.codes.len(), [NONE; 2]);
        for &row in first.order() {
            let (one, other) = (first.of_row[row as usize], second.of_row[row as usize]);
            if starts.len() <= one as usize {
                starts.push(size::number(others.len()));
            }
            let last = &mut last[other as usize][1];
            if *last != one {
                *last = one;
                others.push(other);
            }
        }
        starts.push(size::number(others.len()));
        Self { starts, others }
    }

    /// Each value of a column with itself.
    pub(super) fn same(values: usize) -> Self {
        let all = 0..size::number(values);
        Self { starts: all.clone().chain([all.end]).collect(), others: all.collect() }
    }

    /// The pairs from the other side, on which there are this many values.
    fn turned(&self, values: usize) -> Self {
        // The starts are shifted by one value until the values are written.
        let mut starts = vec![0; values + 2];
        self.others.iter().for_each(|&other| starts[other as usize + 2] += 1);
        (2..values + 2).for_each(|value| starts[value] += starts[value - 1]);
        let mut others = vec![0; self.others.len()];
        for value in 0..size::number(self.starts.len() - 1) {
            for &other in self.with(value) {
                let next = &mut starts[other as usize + 1];
                others[*next as usize] = value;
                *next += 1;
            }
        }
        starts.truncate(values + 1);
        Self { starts, others }
    }

    /// The values that occur with a value.
    pub(super) fn with(&self, value: u32) -> &[u32] {
        let value = value as usize;
        &self.others[self.starts[value] as usize..self.starts[value + 1] as usize]
    }
}

/// The values of a region.
pub(crate) struct Values {
    /// Whether the region has so many rows that all cores should work on it.
    pub(super) is_large: bool,
    columns: Vec<Column>,
    /// The pairs of each column with each other column; none for columns that are not cut.
    pairs: Vec<Vec<Pairs>>,
}

impl Values {
    /// The values of some rows. If `parted` names a column, only that one may be cut. `None` if the search is
    /// being stopped.
    pub(crate) fn of(
        population: &Population,
        rows: &Rows,
        parted: Option<Labels>,
        scratch: &mut Scratch,
    ) -> Option<Self> {
        let width = population.columns().len();
        let is_cut: Vec<bool> = (0..width)
            .map(|column| {
                parted.map_or(population.columns()[column].cuts != Cuts::Never, |(only, _)| only == column)
            })
            .collect();
        let is_large = rows.is_large();
        let column = |column, scratch: &mut Scratch| Column::of(population, rows, column, scratch);
        let columns: Vec<Column> = each(is_large, scratch, (0..width).collect(), column);
        let mut pairs: Vec<Vec<Pairs>> = columns.iter().map(|_| Vec::new()).collect();
        let two: Vec<(usize, usize)> =
            (0..width).flat_map(|first| (first + 1..width).map(move |second| (first, second))).collect();
        let pair = |(first, second): (usize, usize), scratch: &mut Scratch| {
            if population.is_stopping() || !(is_cut[first] || is_cut[second]) {
                return <(Pairs, Pairs)>::default();
            }
            let pairs = Pairs::of(&columns[first], &columns[second], scratch);
            let turned =
                if is_cut[second] { pairs.turned(columns[second].codes.len()) } else { Pairs::default() };
            (pairs, turned)
        };
        let mut found = each(is_large, scratch, two, pair).into_iter();
        for first in 0..width {
            // The pairs with all columns before are there already, in order.
            pairs[first].push(Pairs::same(columns[first].codes.len()));
            for (second, (of_first, turned)) in (first + 1..width).zip(&mut found) {
                pairs[first].push(of_first);
                pairs[second].push(turned);
            }
        }
        (!population.is_stopping()).then_some(Self { is_large, columns, pairs })
    }

    /// The values of a column.
    pub(super) fn column(&self, attribute: usize) -> &Column {
        &self.columns[attribute]
    }

    /// For each value of a column that may be cut, the values of a column that occur with it.
    pub(super) fn pairs(&self, cut: usize, attribute: usize) -> &Pairs {
        &self.pairs[cut][attribute]
    }
}

/// Does something for each item: on all cores if there is much to do.
pub(super) fn each<I: Send, R: Send>(
    is_large: bool,
    scratch: &mut Scratch,
    items: Vec<I>,
    job: impl Fn(I, &mut Scratch) -> R + Send + Sync,
) -> Vec<R> {
    if is_large {
        items.into_par_iter().map_init(Scratch::default, |scratch, item| job(item, scratch)).collect()
    } else {
        items.into_iter().map(|item| job(item, scratch)).collect()
    }
}

//! Every cut of a region with the people and the boxes of its halves: a function of the public table alone.
//!
//! A column that is cut between labels only is parted into all labels under the one around the region. One is cut off after
//! another, the one of fewest people first: until all are, what is left is no label, and may be cut at this column alone.

use rayon::prelude::*;

use super::population::{Cut, CutRule, Labels, Population, Rows};
use palmtop_core::model::{Cuts, Level, size};

/// Regions of so many rows have their columns looked at on all cores.
const MANY: usize = 1 << 11;

/// A cut of a region.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) cut: Cut,
    /// How many people are on its left.
    pub(super) left: u64,
    /// The extents of both halves' boxes; of a rest that is still to be parted, the mean of its parts'.
    pub(super) extents: [f64; 2],
    /// The people of each label that is to be cut off the rest.
    pub(super) later: Vec<u64>,
}

/// Counters of one pass, kept at 0 between two.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Of each code, how many rows have it.
    all: Vec<u32>,
    /// … in the groups so far.
    left: Vec<u32>,
    /// … in this group.
    own: Vec<u32>,
}

/// Rows of one label next to each other.
struct Group {
    label: u32,
    start: usize,
    end: usize,
    people: u64,
}

/// The extent of a region: the sum over the quasi-identifiers of (values of its side − 1)/(leaves − 1), the sides being the
/// smallest around its people. It is what a member in the region adds to the loss, times the quasi-identifiers.
pub(super) fn extent(population: &Population, rows: &Rows, scratch: &mut Scratch) -> f64 {
    let one = vec![Group { label: 0, start: 0, end: rows.len(), people: 0 }];
    let order: Vec<u32> = (0..size::number(rows.len())).collect();
    let mut extents = Extents::none(1, false);
    for attribute in 0..population.columns().len() {
        extents.add(population, rows, attribute, &order, &one, scratch);
    }
    extents.left[0]
}

/// All cuts that are permitted, column by column; the two halves of one are never those of another. Of what is left of labels
/// that are parted, those that go on with it.
pub(super) fn candidates(
    population: &Population,
    rows: &Rows,
    parted: Option<Labels>,
    scratch: &mut Scratch,
) -> Vec<Candidate> {
    if let Some((column, level)) = parted {
        return into_labels(population, rows, (column, level), scratch).into_iter().collect();
    }
    let columns = 0..population.columns().len();
    if rows.len() < MANY {
        return columns.flat_map(|column| of_column(population, rows, column, scratch)).collect();
    }
    let of_column = |column| of_column(population, rows, column, &mut Scratch::default());
    columns.into_par_iter().map(of_column).collect::<Vec<_>>().into_iter().flatten().collect()
}

/// The cuts at one column.
fn of_column(population: &Population, rows: &Rows, column: usize, scratch: &mut Scratch) -> Vec<Candidate> {
    let level = match population.columns()[column].cuts {
        Cuts::Never => return Vec::new(),
        Cuts::Labels => {
            let level = population.columns()[column].hierarchy.parting_level(rows.column(column));
            let cut = level.and_then(|level| into_labels(population, rows, (column, level), scratch));
            return cut.into_iter().collect();
        }
        Cuts::Values => population.columns()[column].hierarchy.base(),
    };
    let (order, groups) = grouped(population, rows, column, level);
    if groups.len() < 2 {
        return Vec::new();
    }
    // A range with a hole would take others in.
    let one_against_rest = !population.columns()[column].hierarchy.kind().is_ordered() && groups.len() > 2;
    let mut extents = Extents::none(groups.len(), one_against_rest);
    for attribute in 0..population.columns().len() {
        if population.is_stopping() {
            return Vec::new();
        }
        extents.add(population, rows, attribute, &order, &groups, scratch);
    }
    let mut candidates = Vec::with_capacity(groups.len() * 2);
    let mut left = 0;
    let cut = |rule, group: &Group| Cut { column, rule, level, label: group.label };
    for (place, pair) in groups.windows(2).enumerate() {
        left += pair[0].people;
        candidates.push(Candidate {
            cut: cut(CutRule::Below, &pair[1]),
            left,
            extents: [extents.left[place], extents.right[place + 1]],
            later: Vec::new(),
        });
    }
    if one_against_rest {
        // The first and the last are cut off by the cuts above.
        for (place, group) in groups.iter().enumerate().take(groups.len() - 1).skip(1) {
            candidates.push(Candidate {
                cut: cut(CutRule::Only, group),
                left: group.people,
                extents: [extents.own[place], extents.rest[place]],
                later: Vec::new(),
            });
        }
    }
    candidates
}

/// The cut that begins to part a region into the labels of a level, or goes on with it; none where it has one of them.
#[expect(clippy::cast_precision_loss, reason = "a score")]
fn into_labels(
    population: &Population,
    rows: &Rows,
    (column, level): Labels,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let (order, groups) = grouped(population, rows, column, level);
    if groups.len() < 2 {
        return None;
    }
    let mut extents = Extents::none(groups.len(), true);
    for attribute in 0..population.columns().len() {
        if population.is_stopping() {
            return None;
        }
        extents.add(population, rows, attribute, &order, &groups, scratch);
    }
    let first = (0..groups.len()).min_by_key(|&place| groups[place].people)?;
    let others = || (0..groups.len()).filter(|&place| place != first);
    let people: u64 = others().map(|place| groups[place].people).sum();
    let rest = others().map(|place| groups[place].people as f64 * extents.own[place]).sum::<f64>();
    let mut later: Vec<u64> = others().map(|place| groups[place].people).collect();
    later.sort_unstable();
    // Once all but one are cut off, so is the last.
    later.pop();
    let cut = Cut { column, rule: CutRule::Only, level, label: groups[first].label };
    Some(Candidate {
        cut,
        left: groups[first].people,
        extents: [extents.own[first], rest / people as f64],
        later,
    })
}

/// The rows in the order of their labels, and where each label's are.
fn grouped(population: &Population, rows: &Rows, column: usize, level: Level) -> (Vec<u32>, Vec<Group>) {
    let labels = population.columns()[column].hierarchy.labels_of(level);
    let label_of = |row: u32| labels[rows.code(row as usize, column) as usize];
    let mut order: Vec<u32> = (0..size::number(rows.len())).collect();
    let count = population.columns()[column].hierarchy.label_count(level);
    if count <= rows.len() * 2 {
        // A counting sort.
        let mut starts = vec![0_u32; count + 1];
        for code in rows.column(column) {
            starts[labels[code as usize] as usize + 1] += 1;
        }
        for label in 0..count {
            starts[label + 1] += starts[label];
        }
        for (row, code) in (0..).zip(rows.column(column)) {
            let next = &mut starts[labels[code as usize] as usize];
            order[*next as usize] = row;
            *next += 1;
        }
    } else {
        order.sort_by_key(|&row| label_of(row));
    }
    let mut groups: Vec<Group> = Vec::new();
    for (place, &row) in order.iter().enumerate() {
        let (label, people) = (label_of(row), rows.people()[row as usize]);
        match groups.last_mut() {
            Some(group) if group.label == label => {
                group.end = place + 1;
                group.people += people;
            }
            _ => groups.push(Group { label, start: place, end: place + 1, people }),
        }
    }
    (order, groups)
}

/// Extents of boxes around groups of rows, a group each.
struct Extents {
    /// Around the groups up to it.
    left: Vec<f64>,
    /// Around it and the groups behind.
    right: Vec<f64>,
    /// Around it alone, and around all others; where asked for.
    own: Vec<f64>,
    rest: Vec<f64>,
}

impl Extents {
    fn none(groups: usize, one_against_rest: bool) -> Self {
        let alone = if one_against_rest { groups } else { 0 };
        Self {
            left: vec![0.0; groups],
            right: vec![0.0; groups],
            own: vec![0.0; alone],
            rest: vec![0.0; alone],
        }
    }

    /// Adds what one quasi-identifier has to them.
    fn add(
        &mut self,
        population: &Population,
        rows: &Rows,
        attribute: usize,
        order: &[u32],
        groups: &[Group],
        scratch: &mut Scratch,
    ) {
        let column = &population.columns()[attribute];
        let code = |row: u32| rows.code(row as usize, attribute);
        if let Some(tree) = &column.tree {
            // Any order of labels is a range of places, and so is what lies around them.
            let around = |low, high| tree.extent(tree.common(low, high), low);
            self.add_ranges((column.share, &around), |row| tree.place(code(row)), order, groups);
        } else if column.hierarchy.kind().is_ordered() {
            self.add_ranges((column.share, &|low, high| high - low), code, order, groups);
        } else {
            scratch.reach(column.hierarchy.leaf_count());
            self.add_sets(column.share, code, order, groups, scratch);
        }
    }

    /// Adds sides that follow from their ends: `around` says how many leaves but one.
    fn add_ranges(
        &mut self,
        (share, around): (f64, &dyn Fn(u32, u32) -> u32),
        code: impl Fn(u32) -> u32,
        order: &[u32],
        groups: &[Group],
    ) {
        let both = |one: (u32, u32), other: (u32, u32)| (one.0.min(other.0), one.1.max(other.1));
        let nothing = (u32::MAX, 0);
        let of_group = |group: &Group| {
            let rows = order[group.start..group.end].iter();
            rows.fold(nothing, |range, &row| both(range, (code(row), code(row))))
        };
        let ranges: Vec<(u32, u32)> = groups.iter().map(of_group).collect();
        let extent = |(low, high)| if low > high { 0.0 } else { f64::from(around(low, high)) * share };
        let mut behind = vec![nothing; groups.len() + 1];
        for (place, &range) in ranges.iter().enumerate().rev() {
            behind[place] = both(behind[place + 1], range);
            self.right[place] += extent(behind[place]);
        }
        let mut before = nothing;
        for (place, &range) in ranges.iter().enumerate() {
            if !self.own.is_empty() {
                self.own[place] += extent(range);
                self.rest[place] += extent(both(before, behind[place + 1]));
            }
            before = both(before, range);
            self.left[place] += extent(before);
        }
    }

    fn add_sets(
        &mut self,
        share: f64,
        code: impl Fn(u32) -> u32,
        order: &[u32],
        groups: &[Group],
        scratch: &mut Scratch,
    ) {
        let Scratch { all, left, own } = scratch;
        let mut distinct = 0_u32;
        for &row in order {
            let count = &mut all[code(row) as usize];
            distinct += u32::from(*count == 0);
            *count += 1;
        }
        let extent = |values: u32| f64::from(values.saturating_sub(1)) * share;
        // The values before a group's end, and those from its start on.
        let (mut before, mut behind) = (0, distinct);
        for (place, group) in groups.iter().enumerate() {
            self.right[place] += extent(behind);
            let rows = &order[group.start..group.end];
            for &row in rows {
                let code = code(row) as usize;
                before += u32::from(left[code] == 0);
                left[code] += 1;
                behind -= u32::from(left[code] == all[code]);
            }
            self.left[place] += extent(before);
            if self.own.is_empty() {
                continue;
            }
            let (mut inside, mut nowhere_else) = (0, 0);
            for &row in rows {
                let code = code(row) as usize;
                inside += u32::from(own[code] == 0);
                own[code] += 1;
                nowhere_else += u32::from(own[code] == all[code]);
            }
            for &row in rows {
                own[code(row) as usize] = 0;
            }
            self.own[place] += extent(inside);
            self.rest[place] += extent(distinct - nowhere_else);
        }
        for &row in order {
            let code = code(row) as usize;
            (all[code], left[code]) = (0, 0);
        }
    }
}

impl Scratch {
    /// Makes room for so many codes.
    fn reach(&mut self, codes: usize) {
        for counters in [&mut self.all, &mut self.left, &mut self.own] {
            counters.resize(counters.len().max(codes), 0);
        }
    }
}

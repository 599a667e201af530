//! Cramér's V of pairs of attributes, in T and in a release: whether what belongs together in T still does.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::distribution;
use super::original::OriginalTable;
use super::published::PublishedTable;
use super::{float, size};

/// A table of two attributes with more cells than this is not counted.
pub const MOST_CELLS: u64 = 4_000_000;
/// So many pairs are counted, the first in the order of the project.
pub const MOST_PAIRS: usize = 1_000;

/// Two attributes, and how closely they are associated.
#[derive(Clone, Debug, PartialEq)]
pub struct PairUtility {
    /// A quasi-identifier.
    pub first: String,
    /// Another quasi-identifier, or a sensitive attribute.
    pub second: String,
    /// `None` where it is not counted: the table of the two has more than [`MOST_CELLS`] cells.
    pub association: Option<Association>,
}

/// Cramér's V, from 0 (independent) to 1 (one attribute determines the other), corrected for bias.
///
/// Without the correction V of a sparse table is far above 0 even if its attributes are independent. Source: W. Bergsma, *A
/// bias-correction for Cramér's V and Tschuprow's T*, Journal of the Korean Statistical Society 42 (2013), section 3.
///
/// If the correction is larger than the association, V is 0 although the attributes may be associated: the association is below
/// what a table of this size can show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association {
    /// In T.
    pub original: f64,
    /// In the release. Each label is spread evenly over its values, and the labels of one row independently of each other.
    pub published: f64,
    /// Whether `original` is 0 because the correction is larger than the association: V without it is above 0.
    pub is_original_floored: bool,
    /// The same of `published`.
    pub is_published_floored: bool,
    /// The members that T's table counts.
    pub members: u64,
    /// The cells of T's table: the values of one attribute that occur in T, times those of the other.
    pub cells: u64,
}

/// Of each pair, at most [`MOST_PAIRS`], and how many there are more. Of the sensitive attributes with each other nothing is asked: they are
/// published as they are.
pub(super) fn of(original: &OriginalTable, published: &PublishedTable) -> (Vec<PairUtility>, usize) {
    let attributes = original.attributes();
    let mut pairs: Vec<(usize, usize)> = (0..original.width())
        .flat_map(|first| (first + 1..attributes.len()).map(move |second| (first, second)))
        .collect();
    let more = pairs.len().saturating_sub(MOST_PAIRS);
    pairs.truncate(MOST_PAIRS);
    let spreads: Vec<Vec<f64>> =
        (0..attributes.len()).map(|attribute| distribution::spread(original, published, attribute)).collect();
    let pair = |&(first, second): &(usize, usize)| {
        let cells = spreads[first].len() as u64 * spreads[second].len() as u64;
        let is_counted = cells <= MOST_CELLS;
        PairUtility {
            first: attributes[first].name.clone(),
            second: attributes[second].name.clone(),
            association: is_counted.then(|| {
                let of_t = of_original(original, first, second);
                let of_release = of_published(published, first, second, &spreads);
                Association {
                    original: of_t.corrected_v(),
                    published: of_release.corrected_v(),
                    is_original_floored: of_t.is_floored(),
                    is_published_floored: of_release.is_floored(),
                    members: original.members(),
                    cells: of_t.cells() as u64,
                }
            }),
        }
    };
    (pairs.par_iter().map(pair).collect(), more)
}

fn of_original(original: &OriginalTable, first: usize, second: usize) -> Contingency {
    let by_value =
        |attribute| -> Vec<f64> { original.members_by_value(attribute).into_iter().map(float).collect() };
    let (rows, columns) = (by_value(first), by_value(second));
    let mut cells = vec![0_u64; rows.len() * columns.len()];
    let mut add =
        |row: u32, column: u32, people| cells[row as usize * columns.len() + column as usize] += people;
    let of_first = original.column(first);
    match second.checked_sub(original.width()) {
        None => {
            let of_second = original.column(second);
            for (place, &people) in original.members_of().iter().enumerate() {
                add(of_first[place], of_second[place], people);
            }
        }
        Some(nth) => {
            for (place, &row) in of_first.iter().enumerate() {
                for &(value, people) in original.sensitive(nth).of(place) {
                    add(row, value, people);
                }
            }
        }
    }
    let mut table = Contingency::of(&rows, &columns);
    for (&sum, cells) in rows.iter().zip(cells.chunks(columns.len().max(1))) {
        table.add(sum, cells.iter().map(|&people| float(people)), &columns);
    }
    table
}

/// The table of the two row by row, so that it never has to be held as a whole. O(values · labels and values of the other, and what labels
/// denote · what stands beside them).
fn of_published(
    published: &PublishedTable,
    first: usize,
    second: usize,
    spreads: &[Vec<f64>],
) -> Contingency {
    let (rows, columns) = (&spreads[first], &spreads[second]);
    let beside = Beside::of(published, first, second);
    let labels = published.labels(first);
    let runs =
        labels.iter().enumerate().flat_map(|(label, own)| own.runs().iter().map(move |run| (*run, label)));
    let mut coming: Vec<((u32, u32), usize)> = runs.collect();
    coming.sort_unstable();
    let mut coming = coming.into_iter().peekable();
    // The runs that hold the value of this row.
    let mut here: Vec<(u32, usize)> = Vec::new();
    let mut table = Contingency::of(rows, columns);
    let (mut own, mut row) = (vec![0.0; beside.len()], vec![0.0; columns.len() + 1]);
    for (value, &sum) in (0..).zip(rows) {
        here.retain(|&(end, _)| end > value);
        while let Some(((_, end), label)) = coming.next_if(|((begin, _), _)| *begin <= value) {
            here.push((end, label));
        }
        own.fill(0.0);
        for &(_, label) in &here {
            for &(other, rows) in &beside.of_label[label] {
                own[other as usize] += float(rows) / labels[label].size();
            }
        }
        beside.spread(published, second, &own, &mut row);
        table.add(sum, row[..columns.len()].iter().copied(), columns);
    }
    table
}

/// Of each label of a quasi-identifier, how many rows have which label, or which value, of another attribute beside it.
struct Beside {
    of_label: Vec<Vec<(u32, u64)>>,
    /// The other's labels, or values.
    others: usize,
    /// Whether the other is a quasi-identifier, whose labels denote several values.
    is_spread: bool,
}

impl Beside {
    fn of(published: &PublishedTable, first: usize, second: usize) -> Self {
        let mut counts: Vec<FxHashMap<u32, u64>> = vec![FxHashMap::default(); published.labels(first).len()];
        let of_first = published.label_of(first);
        let nth = second.checked_sub(published.width());
        let mut others = 0;
        for class in 0..published.classes() {
            let counts = &mut counts[of_first[class] as usize];
            let mut add = |other: u32, rows| {
                others = others.max(other as usize + 1);
                *counts.entry(other).or_default() += rows;
            };
            match nth {
                None => add(published.label_of(second)[class], published.rows_of()[class]),
                Some(nth) => {
                    published.sensitive(nth).of(class).iter().for_each(|&(value, rows)| add(value, rows));
                }
            }
        }
        let sorted = |counts: FxHashMap<u32, u64>| {
            let mut counts: Vec<(u32, u64)> = counts.into_iter().collect();
            counts.sort_unstable();
            counts
        };
        Self { of_label: counts.into_iter().map(sorted).collect(), others, is_spread: nth.is_none() }
    }

    fn len(&self) -> usize {
        self.others
    }

    /// Spreads rows of the other attribute's labels over its values; `row` has one place more than there are values.
    fn spread(&self, published: &PublishedTable, second: usize, own: &[f64], row: &mut [f64]) {
        row.fill(0.0);
        if !self.is_spread {
            row[..own.len()].copy_from_slice(own);
            return;
        }
        let labels = published.labels(second);
        let is_wide = |label: usize| labels[label].size() > 4.0;
        let with_rows = || own.iter().copied().enumerate().filter(|(_, rows)| *rows > 0.0);
        // Wide labels by where they begin and end, all others value by value: these are exact where nothing is generalized.
        for (label, rows) in with_rows().filter(|(label, _)| is_wide(*label)) {
            let each = rows / labels[label].size();
            for &(begin, end) in labels[label].runs() {
                row[begin as usize] += each;
                row[end as usize] -= each;
            }
        }
        let mut level = 0.0;
        for cell in row.iter_mut() {
            level += *cell;
            *cell = level;
        }
        for (label, rows) in with_rows().filter(|(label, _)| !is_wide(*label)) {
            let each = rows / labels[label].size();
            labels[label].values().for_each(|value| row[value as usize] += each);
        }
    }
}

/// A table of two attributes, row by row: Σ p²/(r·c) over its cells, with the shares p of cells, r of rows and c of columns, is 1 + χ²/n.
struct Contingency {
    /// The rows that are not empty.
    rows: usize,
    /// The columns that are not empty.
    columns: usize,
    /// All members, n.
    all: f64,
    sum: f64,
}

impl Contingency {
    /// An empty table with these sums of rows and of columns.
    fn of(rows: &[f64], columns: &[f64]) -> Self {
        let filled = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count();
        Self { rows: filled(rows), columns: filled(columns), all: rows.iter().sum(), sum: 0.0 }
    }

    /// Adds a row with its sum and its cells.
    fn add(&mut self, row_sum: f64, cells: impl Iterator<Item = f64>, column_sums: &[f64]) {
        for (cell, &column_sum) in cells.zip(column_sums) {
            if row_sum > 0.0 && column_sum > 0.0 {
                self.sum += (cell / row_sum) * (cell / column_sum);
            }
        }
    }

    /// The cells whose row and column are not empty.
    fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether the correction leaves 0 of an association: V without it is above 0, by more than the error of a sum.
    fn is_floored(&self) -> bool {
        self.rows.min(self.columns) >= 2 && self.sum - 1.0 > 1e-9 && self.corrected_v() <= 0.0
    }

    /// √(φ̃²/(min(r̃, c̃) − 1)) with φ̃² = max(0, χ²/n − (r − 1)(c − 1)/(n − 1)) and r̃ = r − (r − 1)²/(n − 1), c̃ alike (Bergsma 2013). 0 if a
    /// side has one value, or if T has too few members to tell the association from chance.
    fn corrected_v(&self) -> f64 {
        let others = self.all - 1.0;
        if self.rows.min(self.columns) < 2 || others <= 0.0 {
            return 0.0;
        }
        let (rows, columns) = (size(self.rows - 1), size(self.columns - 1));
        let phi = (self.sum - 1.0 - rows * columns / others).max(0.0);
        let greatest = (rows - rows * rows / others).min(columns - columns * columns / others);
        // With as many values as members nothing is left to measure.
        if greatest > 1e-9 { (phi / greatest).sqrt().min(1.0) } else { 0.0 }
    }
}

//! Cramér's V of pairs of attributes, in T and in a release. It shows which associations the
//! release keeps.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::distribution;
use super::floats::{float, size};
use super::original::OriginalTable;
use super::published::PublishedTable;

/// Tables of two attributes with more cells than this are not computed.
pub const MOST_CELLS: u64 = 4_000_000;
/// The greatest number of pairs that are measured: the first ones in project order.
pub const MOST_PAIRS: usize = 1_000;

/// Two attributes and their association.
#[derive(Clone, Debug, PartialEq)]
pub struct PairUtility {
    /// The name of a quasi-identifier.
    pub first: String,
    /// The name of another quasi-identifier or of a sensitive attribute.
    pub second: String,
    /// The association; `None` if the table of the two attributes has more than [`MOST_CELLS`]
    /// cells.
    pub association: Option<Association>,
}

/// Cramér's V, from 0 (independent) to 1 (one attribute determines the other), corrected for bias.
///
/// Without the correction, V of a sparse table is far above 0 even if its attributes are
/// independent. Source: W. Bergsma, *A bias-correction for Cramér's V and Tschuprow's T*, Journal
/// of the Korean Statistical Society 42 (2013), section 3.
///
/// If the correction is larger than the association, V is 0 although the attributes may be
/// associated. A table of this size cannot show such a weak association.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association {
    /// V in T.
    pub original: f64,
    /// V in the release. Each label is spread evenly over its values, and the labels of a row are
    /// spread independently of each other.
    pub published: f64,
    /// Whether `original` is 0 only because the correction is larger than the association.
    pub is_original_floored: bool,
    /// Whether `published` is 0 only because the correction is larger than the association.
    pub is_published_floored: bool,
    /// The number of rows of T in the contingency table, n.
    pub rows: u64,
    /// The number of cells of T's table: the occurring values of one attribute times those of the
    /// other.
    pub cells: u64,
}

/// The first [`MOST_PAIRS`] pairs, and the number of further pairs. Pairs of two sensitive
/// attributes are omitted, because both are published unchanged.
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
                    rows: original.rows(),
                    cells: of_t.cells() as u64,
                }
            }),
        }
    };
    (pairs.par_iter().map(pair).collect(), more)
}

fn of_original(original: &OriginalTable, first: usize, second: usize) -> Contingency {
    let by_value =
        |attribute| -> Vec<f64> { original.rows_by_value(attribute).into_iter().map(float).collect() };
    let (rows, columns) = (by_value(first), by_value(second));
    let mut cells = vec![0_u64; rows.len() * columns.len()];
    let mut add =
        |row: u32, column: u32, people| cells[row as usize * columns.len() + column as usize] += people;
    let of_first = original.column(first);
    match second.checked_sub(original.width()) {
        None => {
            let of_second = original.column(second);
            for (index, &people) in original.rows_of().iter().enumerate() {
                add(of_first[index], of_second[index], people);
            }
        }
        Some(nth) => {
            for (index, &row) in of_first.iter().enumerate() {
                for &(value, people) in original.sensitive(nth).of(index) {
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

/// The table of two attributes, made row by row so that it is never completely in memory.
///
/// Takes O(values of the first · labels and values of the second). Each label of the first adds its
/// values times the labels of the second that occur with it.
fn of_published(
    published: &PublishedTable,
    first: usize,
    second: usize,
    spreads: &[Vec<f64>],
) -> Contingency {
    let (rows, columns) = (&spreads[first], &spreads[second]);
    let paired = PairedLabels::of(published, first, second);
    let labels = published.labels(first);
    let runs =
        labels.iter().enumerate().flat_map(|(label, text)| text.runs().iter().map(move |run| (*run, label)));
    let mut coming: Vec<((u32, u32), usize)> = runs.collect();
    coming.sort_unstable();
    let mut coming = coming.into_iter().peekable();
    // The labels whose current run has the value of this row, with the end of the run.
    let mut here: Vec<(u32, usize)> = Vec::new();
    let mut table = Contingency::of(rows, columns);
    let (mut label_rows, mut row) = (vec![0.0; paired.len()], vec![0.0; columns.len() + 1]);
    for (value, &sum) in (0..).zip(rows) {
        here.retain(|&(end, _)| end > value);
        while let Some(((_, end), label)) = coming.next_if(|((begin, _), _)| *begin <= value) {
            here.push((end, label));
        }
        label_rows.fill(0.0);
        for &(_, label) in &here {
            for &(other, rows) in &paired.of_label[label] {
                label_rows[other as usize] += float(rows) / labels[label].size();
            }
        }
        paired.spread(published, second, &label_rows, &mut row);
        table.add(sum, row[..columns.len()].iter().copied(), columns);
    }
    table
}

/// The labels or values of another attribute that occur with each label of a quasi-identifier. Each
/// has its number of rows.
struct PairedLabels {
    of_label: Vec<Vec<(u32, u64)>>,
    /// The number of labels or values of the other attribute.
    others: usize,
    /// Whether the other attribute is a quasi-identifier, whose labels denote several values.
    is_spread: bool,
}

impl PairedLabels {
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

    /// Spreads the rows of the other attribute's labels over its values. `row` has one more entry
    /// than there are values.
    fn spread(&self, published: &PublishedTable, second: usize, label_rows: &[f64], row: &mut [f64]) {
        row.fill(0.0);
        if !self.is_spread {
            row[..label_rows.len()].copy_from_slice(label_rows);
            return;
        }
        let labels = published.labels(second);
        let is_wide = |label: usize| labels[label].size() > 4.0;
        let with_rows = || label_rows.iter().copied().enumerate().filter(|(_, rows)| *rows > 0.0);
        // Wide labels are added by the begin and end of their runs, all others value by value. The
        // second way is exact if no value is generalized.
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

/// A table of two attributes, summed row by row. Σ p²/(r·c) over its cells is 1 + χ²/n, with the
/// shares p of cells, r of rows and c of columns.
struct Contingency {
    /// The number of rows that are not empty.
    rows: usize,
    /// The number of columns that are not empty.
    columns: usize,
    /// The number of rows, n.
    all: f64,
    sum: f64,
}

impl Contingency {
    /// An empty table with the given sums of rows and of columns.
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

    /// The number of cells whose row and column are not empty.
    fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether only the correction makes V 0. V without it must exceed 0 by more than rounding
    /// errors.
    fn is_floored(&self) -> bool {
        self.rows.min(self.columns) >= 2 && self.sum - 1.0 > 1e-9 && self.corrected_v() <= 0.0
    }

    /// Bergsma's V (2013): √(φ̃²/(min(r̃, c̃) − 1)).
    ///
    /// Here φ̃² = max(0, χ²/n − (r − 1)(c − 1)/(n − 1)), r̃ = r − (r − 1)²/(n − 1), and c̃
    /// likewise.
    ///
    /// 0 if an attribute has one value, or if T has too few rows to separate the association
    /// from chance.
    fn corrected_v(&self) -> f64 {
        let others = self.all - 1.0;
        if self.rows.min(self.columns) < 2 || others <= 0.0 {
            return 0.0;
        }
        let (rows, columns) = (size(self.rows - 1), size(self.columns - 1));
        let phi = (self.sum - 1.0 - rows * columns / others).max(0.0);
        let greatest = (rows - rows * rows / others).min(columns - columns * columns / others);
        // With as many values as rows, no association can be measured.
        if greatest > 1e-9 { (phi / greatest).sqrt().min(1.0) } else { 0.0 }
    }
}

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

/// Cramér's V, from 0 (independent) to 1 (one follows from the other), without correction for bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association {
    /// In T.
    pub original: f64,
    /// In the release, each label spread evenly over its values, and those of one row independently of each other.
    pub published: f64,
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
            association: is_counted.then(|| Association {
                original: of_original(original, first, second),
                published: of_published(published, first, second, &spreads),
            }),
        }
    };
    (pairs.par_iter().map(pair).collect(), more)
}

fn of_original(original: &OriginalTable, first: usize, second: usize) -> f64 {
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
    let mut chi = ChiSquare::of(&rows, &columns);
    for (row, cells) in cells.chunks(columns.len().max(1)).enumerate() {
        chi.add(row, cells.iter().map(|&people| float(people)));
    }
    chi.cramers_v()
}

/// The table of the two row by row, so that it never has to be held as a whole. O(values · labels and values of the other, and what labels
/// denote · what stands beside them).
fn of_published(published: &PublishedTable, first: usize, second: usize, spreads: &[Vec<f64>]) -> f64 {
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
    let mut chi = ChiSquare::of(rows, columns);
    let (mut own, mut row) = (vec![0.0; beside.len()], vec![0.0; columns.len() + 1]);
    for (value, place) in (0..).zip(0..rows.len()) {
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
        chi.add(place, row[..columns.len()].iter().copied());
    }
    chi.cramers_v()
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

/// Σ p²/(r·c) over the cells of a table of two attributes, p being their shares, and r and c those of their rows and columns: 1 + χ²/n.
struct ChiSquare<'a> {
    rows: &'a [f64],
    columns: &'a [f64],
    all: f64,
    sum: f64,
}

impl<'a> ChiSquare<'a> {
    /// From what each row and each column comes to.
    fn of(rows: &'a [f64], columns: &'a [f64]) -> Self {
        Self { rows, columns, all: rows.iter().sum(), sum: 0.0 }
    }

    fn add(&mut self, row: usize, cells: impl Iterator<Item = f64>) {
        let whole = self.rows[row];
        for (cell, column) in cells.zip(self.columns) {
            if whole > 0.0 && *column > 0.0 {
                self.sum += (cell / whole) * (cell / column);
            }
        }
    }

    /// √(χ²/n / (min(r, c) − 1)) with the r rows and c columns that are not empty; 0 where one of them is 1.
    fn cramers_v(&self) -> f64 {
        let filled = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count();
        let least = filled(self.rows).min(filled(self.columns));
        if least < 2 || self.all <= 0.0 {
            return 0.0;
        }
        ((self.sum - 1.0).max(0.0) / size(least - 1)).sqrt().min(1.0)
    }
}

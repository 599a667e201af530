//! The histogram's combinations as rows that a search reorders, so that a region's rows are
//! consecutive.

use std::ops::Range;

use palmtop_core::model::size;
use palmtop_core::model::{Code, Counts, Histogram};

/// One row for each combination: its codes, its counts and its index in the histogram.
#[derive(Clone, Debug)]
pub(crate) struct ColumnTable {
    width: usize,
    codes: Vec<Code>,
    counts: Vec<Counts>,
    combinations: Vec<u32>,
}

/// Consecutive rows of a table, which may be reordered.
#[derive(Debug)]
pub(crate) struct TableRows<'a> {
    width: usize,
    codes: &'a mut [Code],
    counts: &'a mut [Counts],
    combinations: &'a mut [u32],
}

impl ColumnTable {
    /// All combinations of a histogram, in its order.
    pub(crate) fn of(histogram: &Histogram) -> Self {
        let combinations = 0..size::number(histogram.len());
        Self {
            width: histogram.width(),
            codes: histogram.codes_by_row(),
            counts: histogram.counts().to_vec(),
            combinations: combinations.collect(),
        }
    }

    /// All rows of the table.
    pub(crate) fn rows(&mut self) -> TableRows<'_> {
        TableRows {
            width: self.width,
            codes: &mut self.codes,
            counts: &mut self.counts,
            combinations: &mut self.combinations,
        }
    }

    /// The index in the histogram of each row.
    pub(crate) fn combinations(&self) -> &[u32] {
        &self.combinations
    }

    /// A copy of a range of rows.
    pub(crate) fn copy(&self, range: Range<usize>) -> Self {
        Self {
            width: self.width,
            codes: self.codes[range.start * self.width..range.end * self.width].to_vec(),
            counts: self.counts[range.clone()].to_vec(),
            combinations: self.combinations[range].to_vec(),
        }
    }

    /// Writes the copied rows back from index `start` on, in their new order.
    pub(crate) fn paste(&mut self, start: usize, rows: &Self) {
        let end = start + rows.counts.len();
        self.codes[start * self.width..end * self.width].copy_from_slice(&rows.codes);
        self.counts[start..end].copy_from_slice(&rows.counts);
        self.combinations[start..end].copy_from_slice(&rows.combinations);
    }
}

impl<'a> TableRows<'a> {
    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The counts of each row.
    pub(crate) fn counts(&self) -> &[Counts] {
        self.counts
    }

    /// The codes and counts of each row.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[Code], Counts)> {
        self.codes.chunks_exact(self.width).zip(self.counts.iter().copied())
    }

    /// The codes of each row with members, and its index in the histogram.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&[Code], u32)> {
        let rows = self.iter().zip(self.combinations.iter().copied());
        rows.filter(|((_, counts), _)| counts.private > 0)
            .map(|((codes, _), combination)| (codes, combination))
    }

    /// The index in the histogram of each row.
    pub(crate) fn combinations(&self) -> &[u32] {
        self.combinations
    }

    /// A range of the rows, borrowed.
    pub(crate) fn part(&mut self, range: Range<usize>) -> TableRows<'_> {
        TableRows {
            width: self.width,
            codes: &mut self.codes[range.start * self.width..range.end * self.width],
            counts: &mut self.counts[range.clone()],
            combinations: &mut self.combinations[range],
        }
    }

    /// Splits the rows into the first `middle` rows and the rest.
    pub(crate) fn split_at(self, middle: usize) -> (TableRows<'a>, TableRows<'a>) {
        let (codes, more_codes) = self.codes.split_at_mut(middle * self.width);
        let (counts, more_counts) = self.counts.split_at_mut(middle);
        let (combinations, more_combinations) = self.combinations.split_at_mut(middle);
        let width = self.width;
        (
            TableRows { width, codes, counts, combinations },
            TableRows { width, codes: more_codes, counts: more_counts, combinations: more_combinations },
        )
    }

    /// Moves the rows that `go_left` selects to the front, and returns their number. It swaps at
    /// most as many rows as the smaller side has.
    pub(crate) fn divide(&mut self, go_left: impl Fn(&[Code]) -> bool) -> usize {
        let (mut left, mut right) = (0, self.len());
        loop {
            while left < right && go_left(self.row(left)) {
                left += 1;
            }
            while left < right && !go_left(self.row(right - 1)) {
                right -= 1;
            }
            if left == right {
                return left;
            }
            self.swap(left, right - 1);
            (left, right) = (left + 1, right - 1);
        }
    }

    fn row(&self, row: usize) -> &[Code] {
        &self.codes[row * self.width..(row + 1) * self.width]
    }

    /// Swaps two rows; `left` must be less than `right`.
    pub(crate) fn swap(&mut self, left: usize, right: usize) {
        let (front, back) = self.codes.split_at_mut(right * self.width);
        front[left * self.width..(left + 1) * self.width].swap_with_slice(&mut back[..self.width]);
        self.counts.swap(left, right);
        self.combinations.swap(left, right);
    }
}

//! The combinations as rows that a search may reorder: those of one region stand next to each other.

use std::ops::Range;

use palmtop_core::model::size;
use palmtop_core::model::{Code, Counts, Histogram};

/// Combinations a row each, with their counts and their places in the histogram.
#[derive(Clone, Debug)]
pub(super) struct ColumnTable {
    width: usize,
    codes: Vec<Code>,
    counts: Vec<Counts>,
    places: Vec<u32>,
}

/// Some rows next to each other, to be reordered.
#[derive(Debug)]
pub(super) struct TableRows<'a> {
    width: usize,
    codes: &'a mut [Code],
    counts: &'a mut [Counts],
    places: &'a mut [u32],
}

impl ColumnTable {
    /// All combinations of a histogram, in its order.
    pub(super) fn of(histogram: &Histogram) -> Self {
        let places = 0..size::number(histogram.len());
        Self {
            width: histogram.width(),
            codes: histogram.codes_by_row(),
            counts: histogram.counts().to_vec(),
            places: places.collect(),
        }
    }

    /// All rows.
    pub(super) fn rows(&mut self) -> TableRows<'_> {
        TableRows {
            width: self.width,
            codes: &mut self.codes,
            counts: &mut self.counts,
            places: &mut self.places,
        }
    }

    /// The rows' places in the histogram.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// A copy of some rows.
    pub(super) fn copy(&self, range: Range<usize>) -> Self {
        Self {
            width: self.width,
            codes: self.codes[range.start * self.width..range.end * self.width].to_vec(),
            counts: self.counts[range.clone()].to_vec(),
            places: self.places[range].to_vec(),
        }
    }

    /// Puts rows back from `start` on, in their new order.
    pub(super) fn paste(&mut self, start: usize, rows: &Self) {
        let end = start + rows.counts.len();
        self.codes[start * self.width..end * self.width].copy_from_slice(&rows.codes);
        self.counts[start..end].copy_from_slice(&rows.counts);
        self.places[start..end].copy_from_slice(&rows.places);
    }
}

impl<'a> TableRows<'a> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Each row's counts.
    pub(super) fn counts(&self) -> &[Counts] {
        self.counts
    }

    /// Each row's codes and counts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[Code], Counts)> {
        self.codes.chunks_exact(self.width).zip(self.counts.iter().copied())
    }

    /// The codes of each row with members, and its place in the histogram.
    pub(super) fn members(&self) -> impl Iterator<Item = (&[Code], u32)> {
        let rows = self.iter().zip(self.places.iter().copied());
        rows.filter(|((_, counts), _)| counts.private > 0).map(|((codes, _), place)| (codes, place))
    }

    /// Each row's place in the histogram.
    pub(super) fn places(&self) -> &[u32] {
        self.places
    }

    /// The same rows, for a shorter time.
    pub(super) fn part(&mut self, range: Range<usize>) -> TableRows<'_> {
        TableRows {
            width: self.width,
            codes: &mut self.codes[range.start * self.width..range.end * self.width],
            counts: &mut self.counts[range.clone()],
            places: &mut self.places[range],
        }
    }

    /// The first `middle` rows and the rest.
    pub(super) fn split_at(self, middle: usize) -> (TableRows<'a>, TableRows<'a>) {
        let (codes, more_codes) = self.codes.split_at_mut(middle * self.width);
        let (counts, more_counts) = self.counts.split_at_mut(middle);
        let (places, more_places) = self.places.split_at_mut(middle);
        let width = self.width;
        (
            TableRows { width, codes, counts, places },
            TableRows { width, codes: more_codes, counts: more_counts, places: more_places },
        )
    }

    /// Brings the rows that `go_left` to the front; returns how many there are. No more rows change places than the
    /// smaller side has.
    pub(super) fn divide(&mut self, go_left: impl Fn(&[Code]) -> bool) -> usize {
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

    /// Exchanges two rows, the first of them before the second.
    pub(super) fn swap(&mut self, left: usize, right: usize) {
        let (front, back) = self.codes.split_at_mut(right * self.width);
        front[left * self.width..(left + 1) * self.width].swap_with_slice(&mut back[..self.width]);
        self.counts.swap(left, right);
        self.places.swap(left, right);
    }
}

//! The histogram's combinations as rows that a search reorders, so that a region's rows are
//! consecutive.

use std::ops::Range;

use rayon::prelude::*;

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

    /// The counts of each of so many codes of a column, on all cores if there are many rows.
    pub(crate) fn by_code(&self, column: usize, leaves: usize) -> Vec<Counts> {
        let share = share(self.len()).max(leaves * 4);
        let count = |(codes, counts): (&[Code], &[Counts])| {
            let mut tally = vec![Counts::default(); leaves];
            let codes = codes.chunks_exact(self.width).map(|codes| codes[column]);
            codes.zip(counts).for_each(|(code, &people)| tally[code as usize] += people);
            tally
        };
        let and = |mut left: Vec<Counts>, right: Vec<Counts>| {
            left.iter_mut().zip(right).for_each(|(sum, people)| *sum += people);
            left
        };
        if self.len() <= share {
            return count((self.codes, self.counts));
        }
        let codes = self.codes.par_chunks(share * self.width);
        let parts = codes.zip(self.counts.par_chunks(share)).map(count);
        parts.reduce_with(and).unwrap_or_else(|| vec![Counts::default(); leaves])
    }

    /// Divides the rows as [`divide`](Self::divide) does, on all cores if there are many. The order of the rows of
    /// a side then depends on the number of cores.
    pub(crate) fn divide_on_all_cores(&mut self, go_left: &(impl Fn(&[Code]) -> bool + Sync)) -> usize {
        let share = share(self.len());
        self.part(0..self.len()).divide_by(share, go_left)
    }

    /// Divides parts of at most `share` rows, and swaps what they have on the wrong sides.
    fn divide_by(mut self, share: usize, go_left: &(impl Fn(&[Code]) -> bool + Sync)) -> usize {
        if self.len() <= share {
            return self.divide(go_left);
        }
        let middle = self.len() / 2;
        let (mut front, mut back) = self.split_at(middle);
        let (left, more) = {
            let (front, back) = (front.part(0..middle), back.part(0..back.counts.len()));
            rayon::join(|| front.divide_by(share, go_left), || back.divide_by(share, go_left))
        };
        let swapped = (middle - left).min(more);
        front.part(left..left + swapped).exchange(&mut back.part(more - swapped..more));
        left + more
    }

    /// Swaps equally many rows.
    fn exchange(&mut self, other: &mut TableRows) {
        self.codes.swap_with_slice(other.codes);
        self.counts.swap_with_slice(other.counts);
        self.combinations.swap_with_slice(other.combinations);
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

/// The number of rows for one core.
fn share(rows: usize) -> usize {
    /// Fewer rows are not worth another core.
    const LEAST: usize = 1 << 16;
    rows.div_ceil(rayon::current_num_threads()).max(LEAST)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_cores_divide_and_count_like_one() {
        let rows = 200_000_u32;
        let mixed = |row: u32, below: u32| row.wrapping_mul(2_654_435_761).rotate_left(7) % below;
        let columns = vec![(0..rows).collect(), (0..rows).map(|row| mixed(row, 50)).collect()];
        let counts = (0..rows).map(|row| Counts::new(u64::from(1 + row % 3), u64::from(mixed(row, 2))));
        let histogram = Histogram::new(columns, counts.collect()).unwrap();
        for (threads, bound) in [(1, 20), (2, 20), (7, 1), (16, 49), (16, 0), (7, 50)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut table, mut one) = (ColumnTable::of(&histogram), ColumnTable::of(&histogram));
                let goes_left = |codes: &[Code]| codes[1] < bound;
                let middle = one.rows().divide(goes_left);
                assert_eq!(table.rows().divide_on_all_cores(&goes_left), middle);
                let left = |table: &ColumnTable| table.combinations()[..middle].iter().copied().collect();
                let (found, expected): (BTreeSet<u32>, BTreeSet<u32>) = (left(&table), left(&one));
                assert_eq!(found, expected);
                let of_row = |row: usize| {
                    let index = table.combinations[row] as usize;
                    (histogram.combination(index), histogram.counts()[index])
                };
                let rows = (0..table.counts.len()).zip(table.codes.chunks_exact(2));
                let is_moved =
                    |(row, codes): (usize, &[Code])| of_row(row) == (codes.to_vec(), table.counts[row]);
                assert!({ rows }.all(is_moved));
                let mut naive = vec![Counts::default(); 50];
                one.rows().iter().for_each(|(codes, people)| naive[codes[1] as usize] += people);
                assert_eq!(table.rows().by_code(1, 50), naive);
            });
        }
    }
}

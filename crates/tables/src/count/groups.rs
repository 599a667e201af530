//! Groups rows of small numbers: each distinct row once, with its people. Memory grows with the
//! distinct rows.

use std::hash::Hasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use palmtop_core::model::Counts;

/// There are more people than a counter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

/// The distinct rows in order of appearance, each with its people in P and T.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    width: usize,
    /// The rows, concatenated.
    rows: Vec<u32>,
    counts: Vec<Counts>,
    index: HashTable<u32>,
}

impl Groups {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(crate) fn row(&self, index: usize) -> &[u32] {
        &self.rows[index * self.width..(index + 1) * self.width]
    }

    pub(crate) fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// Adds people to a row.
    pub(crate) fn add(&mut self, row: &[u32], people: Counts) -> Result<(), TooMany> {
        let Self { width, rows, counts, index } = self;
        let stored = |number: u32| &rows[number as usize * *width..(number as usize + 1) * *width];
        let number =
            match index.entry(hash(row), |&number| stored(number) == row, |&number| hash(stored(number))) {
                Entry::Occupied(known) => *known.get() as usize,
                Entry::Vacant(vacant) => {
                    let number = u32::try_from(counts.len()).map_err(|_| TooMany)?;
                    vacant.insert(number);
                    rows.extend_from_slice(row);
                    counts.push(Counts::default());
                    number as usize
                }
            };
        let known = &mut counts[number];
        known.public = known.public.checked_add(people.public).ok_or(TooMany)?;
        known.private = known.private.checked_add(people.private).ok_or(TooMany)?;
        Ok(())
    }

    /// The same groups sorted by row; no row can be added afterwards.
    pub(crate) fn sorted(self) -> Self {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|&one, &other| self.row(one).cmp(self.row(other)));
        let rows = order.iter().flat_map(|&index| self.row(index)).copied().collect();
        let counts = order.iter().map(|&index| self.counts[index]).collect();
        Self { width: self.width, rows, counts, index: HashTable::default() }
    }
}

fn hash(row: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for &number in row {
        hasher.write_u32(number);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_groups_keep_order_and_check_their_sums() {
        let mut groups = Groups::new(2);
        for row in [[2, 1], [0, 0], [2, 1], [1, 2]] {
            groups.add(&row, Counts::new(2, 1)).unwrap();
        }
        assert_eq!((groups.row(0), groups.row(1), groups.row(2)), (&[2, 1][..], &[0, 0][..], &[1, 2][..]));
        assert_eq!(groups.counts(), [Counts::new(4, 2), Counts::new(2, 1), Counts::new(2, 1)]);
        let sorted = groups.clone().sorted();
        assert_eq!((sorted.row(0), sorted.row(1), sorted.row(2)), (&[0, 0][..], &[1, 2][..], &[2, 1][..]));
        assert_eq!(sorted.counts()[2], Counts::new(4, 2));
        assert_eq!(groups.add(&[0, 0], Counts::new(u64::MAX, 0)), Err(TooMany));
    }
}

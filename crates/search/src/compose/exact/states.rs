//! Distinct states of the same width, numbered in order of first appearance.

use std::hash::Hasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use palmtop_core::model::size;

/// The states, stored consecutively.
pub(super) struct States {
    width: usize,
    count: usize,
    values: Vec<u64>,
    index: HashTable<u32>,
}

impl States {
    pub(super) fn new(width: usize) -> Self {
        Self { width, count: 0, values: Vec::new(), index: HashTable::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn state(&self, number: usize) -> &[u64] {
        &self.values[number * self.width..(number + 1) * self.width]
    }

    /// The number of a state. A new state gets the next number.
    pub(super) fn number(&mut self, state: impl IntoIterator<Item = u64>) -> u32 {
        // The state is appended, and removed again if it is already known.
        let end = self.values.len();
        self.values.extend(state);
        let Self { width, count, values, index } = self;
        let (known, new) = values.split_at(end);
        let stored = |number: u32| match number as usize {
            known_number if known_number == *count => new,
            known_number => &known[known_number * *width..(known_number + 1) * *width],
        };
        match index.entry(hash(new), |&number| stored(number) == new, |&number| hash(stored(number))) {
            Entry::Occupied(found) => {
                let number = *found.get();
                values.truncate(end);
                number
            }
            Entry::Vacant(vacant) => {
                let number = size::number(*count);
                vacant.insert(number);
                *count += 1;
                number
            }
        }
    }
}

fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for &number in state {
        hasher.write_u64(number);
    }
    hasher.finish()
}

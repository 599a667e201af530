//! What is looked at in every row besides its combination.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::weight::whole_number;
use crate::source::place::At;

/// The values of an identifier that were seen, and the rows that had one again.
#[derive(Debug, Default)]
pub(super) struct Seen {
    rows: FxHashMap<String, At>,
    /// The first two rows that share a value.
    pub(super) repeated: Option<(At, At)>,
    /// How many rows have a value that an earlier one has.
    pub(super) count: u64,
}

impl Seen {
    /// The distinct values, each with its first row.
    pub(super) fn distinct(&self) -> impl Iterator<Item = (&str, At)> {
        self.rows.iter().map(|(text, at)| (text.as_str(), *at))
    }

    pub(super) fn look(&mut self, text: &str, row: At, people: u64) {
        if text.is_empty() {
            return;
        }
        let first = self.rows.get(text).copied().or((people > 1).then_some(row));
        match first {
            Some(first) => {
                self.repeated.get_or_insert((first, row));
                self.count += 1;
            }
            None => drop(self.rows.insert(text.to_owned(), row)),
        }
    }
}

/// What is seen of a column whose values were all whole numbers from 1 so far.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    seen: FxHashSet<u64>,
    pub(super) repeats: bool,
}

impl Numbers {
    /// After so many different values it is a number for each row, and none of how many people it stands for.
    const MOST: usize = 10_000;

    /// Looks at a value; answers whether the column may still be one of counts.
    pub(super) fn look(&mut self, text: &str) -> bool {
        let Some(number) = whole_number(text).filter(|&number| number > 0) else { return false };
        self.repeats |= !self.seen.insert(number);
        self.repeats || self.seen.len() < Self::MOST
    }
}

//! Facts collected from each row in addition to its combination.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::weight::count_like;
use crate::source::position::At;

/// The values of an identifier so far, and the rows that repeat one.
#[derive(Debug, Default)]
pub(super) struct Seen {
    rows: FxHashMap<String, At>,
    /// The first two rows that share a value.
    pub(super) repeated: Option<(At, At)>,
    /// The number of rows with a value of an earlier row.
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

/// The values of a column in which all values so far were whole numbers from 1 on, with or without thousands
/// separators.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    seen: FxHashSet<u64>,
    pub(super) repeats: bool,
}

impl Numbers {
    /// A column with more distinct values numbers its rows instead of counting people.
    const MOST: usize = 10_000;

    /// Examines a value; returns whether the column may still be a count.
    pub(super) fn look(&mut self, text: &str) -> bool {
        let Some(number) = count_like(text).filter(|&number| number > 0) else { return false };
        self.repeats |= !self.seen.insert(number);
        self.repeats || self.seen.len() < Self::MOST
    }
}

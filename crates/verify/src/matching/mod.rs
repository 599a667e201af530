//! Finds the released rows that each combination matches.
//!
//! A row is a box: its side in an attribute is the set of leaves that its text denotes. A combination matches the rows whose sides
//! contain its leaves: the intersection of one set of rows per leaf, as bits. Combinations are sorted, so most share all but their
//! last leaves with the one before, and a [`Search`] keeps the intersections of the first leaves.

mod sides;
mod masks;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub(crate) use self::sides::Sides;

use self::masks::{Masks, Search, rows_at_once};
#[cfg(test)]
use crate::labels::{Leaf, Leaves};
use crate::people::Combinations;
use crate::problems::Stop;

/// Marks a missing row.
const NONE: u32 = u32::MAX;

/// The rows that each combination matches, and the people who match each row.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    /// For each combination the first row that it matches, or [`NONE`].
    first: Vec<u32>,
    /// The second row of combinations that match several.
    second: FxHashMap<usize, u32>,
    /// For each row the number of individuals in P who match it.
    pub(crate) public: Vec<u64>,
    /// For each row the number of members of T who match it.
    pub(crate) private: Vec<u64>,
}

/// The rows that a combination matches: none, one, or the first two of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    None,
    One(usize),
    Several(usize, usize),
}

impl Matches {
    pub(crate) fn of(&self, combination: usize) -> Match {
        match (self.first[combination], self.second.get(&combination)) {
            (NONE, _) => Match::None,
            (first, None) => Match::One(first as usize),
            (first, Some(&second)) => Match::Several(first as usize, second as usize),
        }
    }

    /// The row that a combination matches, if it matches exactly one.
    pub(crate) fn one(&self, combination: usize) -> Option<usize> {
        match self.of(combination) {
            Match::One(row) => Some(row),
            Match::None | Match::Several(..) => None,
        }
    }

    /// For each combination 1 + the first row that it matches, or 0 if it matches none.
    pub(crate) fn into_first(self) -> Vec<u32> {
        let mut first = self.first;
        for row in &mut first {
            *row = row.wrapping_add(1);
        }
        first
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Match> {
        (0..self.first.len()).map(|combination| self.of(combination))
    }

    /// Whether some combination matches several rows.
    pub(crate) fn are_ambiguous(&self) -> bool {
        !self.second.is_empty()
    }
}

/// The number of combinations in a task of one thread.
const TASK_SIZE: usize = 1 << 14;
/// The number of combinations after which a task checks whether to stop.
const STRIDE: usize = 1 << 10;

/// Finds, for each combination, the rows whose sides contain its leaves.
pub(crate) fn match_rows(combinations: &Combinations, sides: &Sides, stop: &Stop) -> Matches {
    let occurs = combinations.occurring(&combinations.limits(), false);
    let at_once = rows_at_once(&occurs);
    match_in_turn(combinations, sides, &occurs, at_once, stop)
}

/// Matches all combinations with some rows at once, then with the next ones.
fn match_in_turn(
    combinations: &Combinations,
    sides: &Sides,
    occurs: &[Vec<bool>],
    at_once: usize,
    stop: &Stop,
) -> Matches {
    let rows = sides.row_count();
    let zeros = || (0..rows).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
    let (public, private) = (zeros(), zeros());
    let count = |row: usize, (of_public, of_private): (u64, u64)| {
        public[row].fetch_add(of_public, Ordering::Relaxed);
        private[row].fetch_add(of_private, Ordering::Relaxed);
    };
    let mut matches = Matches { first: vec![NONE; combinations.len()], ..Matches::default() };
    for start in (0..rows).step_by(at_once) {
        if stop.is_wanted() {
            break;
        }
        let masks = Masks::of(sides, occurs, start..rows.min(start + at_once));
        let task = |(nth, firsts): (usize, &mut [u32])| {
            let (mut search, mut codes) = (Search::new(&masks), Vec::new());
            let mut seconds: Vec<(usize, u32)> = Vec::new();
            // Neighbours mostly match the same row, whose people are added together.
            let (mut last, mut people) = (0, (0, 0));
            for (combination, first) in (nth * TASK_SIZE..).zip(firsts) {
                if combination % STRIDE == 0 && stop.is_wanted() {
                    break;
                }
                let all = combinations.get(combination);
                all.codes.read_into(&mut codes);
                search.each_match(&codes, |row| {
                    if row != last {
                        count(last, std::mem::take(&mut people));
                        last = row;
                    }
                    people = (people.0 + all.public, people.1 + all.private);
                    let row = u32::try_from(row).expect("a release has fewer rows than 32 bits can number");
                    if *first == NONE {
                        *first = row;
                    } else if seconds.last().is_none_or(|(known, _)| *known != combination) {
                        seconds.push((combination, row));
                    }
                });
            }
            count(last, people);
            seconds
        };
        let seconds: Vec<Vec<(usize, u32)>> =
            matches.first.par_chunks_mut(TASK_SIZE).enumerate().with_max_len(1).map(task).collect();
        for (combination, row) in seconds.into_iter().flatten() {
            matches.second.entry(combination).or_insert(row);
        }
    }
    let values = |counts: Vec<AtomicU64>| counts.into_iter().map(AtomicU64::into_inner).collect();
    (matches.public, matches.private) = (values(public), values(private));
    matches
}

#[cfg(test)]
mod tests;

//! Finds the released rows that each combination matches.
//!
//! A row is a box: its side in an attribute is the set of leaves that its text denotes. A tree of cuts leads from the leaves of a
//! combination to the few rows that may contain them. These rows are compared exactly, so the tree affects only the speed. Rows
//! that no cut separates form a crowd and are compared in [`Block`]s.

mod sides;
mod block;
mod tree;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub(crate) use self::sides::Sides;

use self::block::Block;
use self::tree::{Goal, Path, Tree};
#[cfg(test)]
use crate::labels::{Leaf, Leaves};
use crate::people::{Codes, Combinations, Stop};

/// The result for a part of the combinations: the second rows that combinations match, and the combinations that lead to a
/// crowd.
type Found = (Vec<(usize, u32)>, Vec<(u32, usize)>);

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

/// The first two rows that a combination matches, or [`NONE`].
#[derive(Clone, Copy)]
struct FirstTwo(u32, u32);

/// Counts people for rows that are not the first match of their combination. All threads share it.
struct Further {
    public: Vec<AtomicU64>,
    private: Vec<AtomicU64>,
}

/// The number of combinations in a task of one thread. A task checks several times whether to stop.
const TASK_SIZE: usize = 1 << 12;

/// Finds, for each combination, the rows whose sides contain its leaves.
pub(crate) fn match_rows(combinations: &Combinations, sides: &Sides, stop: &Stop) -> Matches {
    let rows = sides.row_count();
    let zeros = || (0..rows).map(|_| AtomicU64::new(0)).collect();
    let further = Further { public: zeros(), private: zeros() };
    let mut matches = Matches { first: vec![NONE; combinations.len()], ..Matches::default() };
    let tree = Tree::of(combinations, sides, stop);
    let note = |combination: usize, found: &mut FirstTwo, row: u32| {
        if found.0 == NONE {
            found.0 = row;
            return;
        }
        if found.1 == NONE {
            found.1 = row;
        }
        let people = combinations.get(combination);
        further.public[row as usize].fetch_add(people.public, Ordering::Relaxed);
        further.private[row as usize].fetch_add(people.private, Ordering::Relaxed);
    };
    let found: Vec<Found> = matches
        .first
        .par_chunks_mut(TASK_SIZE)
        .enumerate()
        .map(|(number, firsts)| {
            let (mut seconds, mut crowded, mut path) = (Vec::new(), Vec::new(), Path::default());
            let mut codes = Vec::new();
            for (combination, first) in (number * TASK_SIZE..).zip(firsts) {
                if combination % (TASK_SIZE / 8) == 0 && stop.is_wanted() {
                    break;
                }
                combinations.codes(combination).read_into(&mut codes);
                let mut found = FirstTwo(NONE, NONE);
                match tree.goal(&codes, &mut path) {
                    Goal::Rows(rows) => {
                        let matching = rows.iter().filter(|row| tree.contains(**row, &codes));
                        matching.for_each(|&row| note(combination, &mut found, row));
                    }
                    Goal::Crowd(crowd) => crowded.push((crowd, combination)),
                }
                *first = found.0;
                if found.1 != NONE {
                    seconds.push((combination, found.1));
                }
            }
            (seconds, crowded)
        })
        .collect();
    let mut crowded = Vec::new();
    for (seconds, of_task) in found {
        matches.second.extend(seconds);
        crowded.extend(of_task);
    }
    crowded.sort_unstable();
    for group in crowded.chunk_by(|left, right| left.0 == right.0) {
        let crowd = tree.crowd(group[0].0);
        let indices: Vec<usize> = group.iter().map(|(_, combination)| *combination).collect();
        match_crowd(&indices, crowd, combinations, sides, &note, &mut matches, stop);
    }
    matches.public = further.public.into_iter().map(AtomicU64::into_inner).collect();
    matches.private = further.private.into_iter().map(AtomicU64::into_inner).collect();
    for (people, &first) in combinations.iter().zip(&matches.first).filter(|(_, first)| **first != NONE) {
        matches.public[first as usize] += people.public;
        matches.private[first as usize] += people.private;
    }
    matches
}

/// Matches some combinations, given by their indices, with the rows of a crowd, block by block.
fn match_crowd(
    indices: &[usize],
    rows: &[u32],
    combinations: &Combinations,
    sides: &Sides,
    note: &(impl Fn(usize, &mut FirstTwo, u32) + Sync),
    matches: &mut Matches,
    stop: &Stop,
) {
    let mut found = vec![FirstTwo(NONE, NONE); indices.len()];
    let codes = || indices.iter().map(|&combination| combinations.codes(combination));
    let leaf_counts = leaf_limits(codes(), sides.width());
    for rows in rows.chunks(Block::rows_at_once(&leaf_counts, rows.len())) {
        let block = Block::new(sides, &leaf_counts, rows);
        let (indices, found) = (indices.par_chunks(TASK_SIZE / 8), found.par_chunks_mut(TASK_SIZE / 8));
        indices.zip(found).for_each(|(indices, found)| {
            if stop.is_wanted() {
                return;
            }
            let mut codes = Vec::new();
            for (&combination, found) in indices.iter().zip(found) {
                combinations.codes(combination).read_into(&mut codes);
                block.each_match(&codes, |row| note(combination, found, row));
            }
        });
        if stop.is_wanted() {
            return;
        }
    }
    for (&combination, found) in indices.iter().zip(found) {
        matches.first[combination] = found.0;
        if found.1 != NONE {
            matches.second.insert(combination, found.1);
        }
    }
}

/// For each attribute 1 + the greatest leaf of some combinations.
fn leaf_limits<'a>(combinations: impl Iterator<Item = Codes<'a>>, width: usize) -> Vec<usize> {
    let mut most = vec![0; width];
    for codes in combinations {
        for (attribute, most) in most.iter_mut().enumerate() {
            *most = (*most).max(codes.get(attribute) as usize + 1);
        }
    }
    most
}

#[cfg(test)]
mod tests;

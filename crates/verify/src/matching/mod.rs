//! Which released rows each person matches.
//!
//! A tree of cuts leads from the leaves of a combination to the few rows that may hold them. These are compared exactly,
//! so a cut decides nothing but where a combination is looked for. Rows that no cut separates are compared by [`Block`]s.

mod block;
mod tree;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use self::block::Block;
use self::tree::{Goal, Tree, Way};
use super::combinations::{Codes, Combinations};
use super::denote::Leaves;
#[cfg(test)]
use super::hierarchy::Leaf;
use super::watch::Stop;

/// What is found in a part of the combinations: second rows that a combination matches, and combinations that a crowd decides.
type Found = (Vec<(usize, u32)>, Vec<(u32, usize)>);

/// No row.
const NONE: u32 = u32::MAX;

/// The distinct released rows: what the texts of their quasi-identifiers denote.
#[derive(Debug, Default)]
pub(super) struct Sides {
    /// Of each attribute, the leaves of each distinct text.
    pub(super) leaves: Vec<Vec<Leaves>>,
    /// Row by row, the number of its text of each attribute.
    pub(super) texts: Vec<u32>,
}

impl Sides {
    fn width(&self) -> usize {
        self.leaves.len()
    }

    fn row_count(&self) -> usize {
        self.texts.len() / self.width().max(1)
    }

    /// The number of a row's text.
    pub(super) fn text(&self, attribute: usize, row: usize) -> usize {
        self.texts[row * self.width() + attribute] as usize
    }

    /// What a row's text denotes.
    fn of_row(&self, attribute: usize, row: usize) -> &Leaves {
        &self.leaves[attribute][self.text(attribute, row)]
    }
}

/// The rows that each combination matches, and the people who match each row.
#[derive(Debug, Default)]
pub(super) struct Matches {
    /// Of each combination the first row, or [`NONE`].
    first: Vec<u32>,
    /// The second one, if there is one.
    second: FxHashMap<usize, u32>,
    /// Of each row the people of P and of T.
    pub(super) public: Vec<u64>,
    pub(super) private: Vec<u64>,
}

/// How often a combination matches: never, once, or more often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    None,
    One(usize),
    Several(usize, usize),
}

impl Matches {
    pub(super) fn of(&self, combination: usize) -> Match {
        match (self.first[combination], self.second.get(&combination)) {
            (NONE, _) => Match::None,
            (first, None) => Match::One(first as usize),
            (first, Some(&second)) => Match::Several(first as usize, second as usize),
        }
    }

    /// The one row that a combination matches.
    pub(super) fn one(&self, combination: usize) -> Option<usize> {
        match self.of(combination) {
            Match::One(row) => Some(row),
            Match::None | Match::Several(..) => None,
        }
    }

    /// Of each combination one more than the first row that it matches; 0 if it matches none.
    pub(super) fn into_first(self) -> Vec<u32> {
        let mut first = self.first;
        for row in &mut first {
            *row = row.wrapping_add(1);
        }
        first
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Match> {
        (0..self.first.len()).map(|combination| self.of(combination))
    }

    /// Whether some combination matches several rows.
    pub(super) fn are_ambiguous(&self) -> bool {
        !self.second.is_empty()
    }
}

/// The first two rows that a combination matches.
#[derive(Clone, Copy)]
struct FirstTwo(u32, u32);

/// Counts, on all cores, the people who match a row that is not the first of their combination.
struct Further {
    public: Vec<AtomicU64>,
    private: Vec<AtomicU64>,
}

/// Combinations that one thread takes at once, and between two of which it looks whether to stop.
const TOGETHER: usize = 1 << 12;

/// Finds the rows whose sides all hold the leaves of a combination, for each of the combinations.
pub(super) fn match_rows(combinations: &Combinations, sides: &Sides, stop: &Stop) -> Matches {
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
        let own = combinations.get(combination);
        further.public[row as usize].fetch_add(own.public, Ordering::Relaxed);
        further.private[row as usize].fetch_add(own.private, Ordering::Relaxed);
    };
    let found: Vec<Found> = matches
        .first
        .par_chunks_mut(TOGETHER)
        .enumerate()
        .map(|(number, firsts)| {
            let (mut seconds, mut later, mut way) = (Vec::new(), Vec::new(), Way::default());
            let mut codes = Vec::new();
            for (combination, first) in (number * TOGETHER..).zip(firsts) {
                if combination % (TOGETHER / 8) == 0 && stop.is_wanted() {
                    break;
                }
                combinations.codes(combination).read_into(&mut codes);
                let mut found = FirstTwo(NONE, NONE);
                match tree.goal(&codes, &mut way) {
                    Goal::Rows(rows) => {
                        let own = rows.iter().filter(|row| tree.holds(**row, &codes));
                        own.for_each(|&row| note(combination, &mut found, row));
                    }
                    Goal::Crowd(crowd) => later.push((crowd, combination)),
                }
                *first = found.0;
                if found.1 != NONE {
                    seconds.push((combination, found.1));
                }
            }
            (seconds, later)
        })
        .collect();
    let mut later = Vec::new();
    for (seconds, own) in found {
        matches.second.extend(seconds);
        later.extend(own);
    }
    later.sort_unstable();
    for group in later.chunk_by(|left, right| left.0 == right.0) {
        let crowd = tree.crowd(group[0].0);
        let own: Vec<usize> = group.iter().map(|(_, combination)| *combination).collect();
        match_crowd(&own, crowd, (combinations, sides), &note, &mut matches, stop);
    }
    matches.public = further.public.into_iter().map(AtomicU64::into_inner).collect();
    matches.private = further.private.into_iter().map(AtomicU64::into_inner).collect();
    for (own, &first) in combinations.iter().zip(&matches.first).filter(|(_, first)| **first != NONE) {
        matches.public[first as usize] += own.public;
        matches.private[first as usize] += own.private;
    }
    matches
}

/// Matches some combinations with rows that no cut separates, block by block.
fn match_crowd(
    own: &[usize],
    rows: &[u32],
    (combinations, sides): (&Combinations, &Sides),
    note: &(impl Fn(usize, &mut FirstTwo, u32) + Sync),
    matches: &mut Matches,
    stop: &Stop,
) {
    let mut found = vec![FirstTwo(NONE, NONE); own.len()];
    let codes = || own.iter().map(|&combination| combinations.codes(combination));
    let leaf_counts = most_leaves(codes(), sides.width());
    for rows in rows.chunks(Block::rows_at_once(&leaf_counts, rows.len())) {
        let block = Block::new(sides, &leaf_counts, rows);
        let (own, found) = (own.par_chunks(TOGETHER / 8), found.par_chunks_mut(TOGETHER / 8));
        own.zip(found).for_each(|(own, found)| {
            if stop.is_wanted() {
                return;
            }
            let mut codes = Vec::new();
            for (&combination, found) in own.iter().zip(found) {
                combinations.codes(combination).read_into(&mut codes);
                block.each_match(&codes, |row| note(combination, found, row));
            }
        });
        if stop.is_wanted() {
            return;
        }
    }
    for (&combination, found) in own.iter().zip(found) {
        matches.first[combination] = found.0;
        if found.1 != NONE {
            matches.second.insert(combination, found.1);
        }
    }
}

/// Of each attribute, one more than the last leaf of some combinations.
fn most_leaves<'a>(combinations: impl Iterator<Item = Codes<'a>>, width: usize) -> Vec<usize> {
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

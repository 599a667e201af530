//! Facts collected from each row in addition to its combination.

use polars::prelude::StringChunked;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::weight::count_like;
use crate::error::{DataError, Repeats};
use crate::read::{Identified, Table, number_of};
use crate::source::position::At;
use crate::values::telling::{ROWS, is_nearly_all, may_be_people, names_people};
use palmtop_core::progress::Meter;

/// The values of an identifier so far, each with its first row.
#[derive(Debug, Default)]
pub(super) struct Seen {
    rows: FxHashMap<String, At>,
}

impl Seen {
    /// The distinct values, each with its first row.
    pub(super) fn distinct(&self) -> impl Iterator<Item = (&str, At)> {
        self.rows.iter().map(|(text, at)| (text.as_str(), *at))
    }

    pub(super) fn look(&mut self, text: &str, row: At) {
        if !text.is_empty() && !self.rows.contains_key(text) {
            self.rows.insert(text.to_owned(), row);
        }
    }
}

/// The people of a column so far, by the numbers of their identifiers.
#[derive(Debug)]
pub(super) struct Persons {
    pub(super) of: Identified,
    /// The first identifiers: all of them in most columns that do not say who is a person.
    first: FxHashSet<u64>,
    /// Those that several rows have, as far as they were compared.
    repeated: FxHashSet<u64>,
    /// The others, by their bits.
    others: Vec<Others>,
    rows: u64,
    /// The first row that counts for several people and has one identifier.
    pub(super) shared: Option<At>,
}

/// Numbers of identifiers whose first bits are the same: at most 16 bytes an identifier, but for the
/// first ones.
#[derive(Clone, Debug, Default)]
struct Others {
    numbers: Vec<u64>,
    /// How many were different when they were last compared.
    different: usize,
}

impl Others {
    /// The parts of all numbers, as a power of two: few enough numbers each that sorting one is short.
    const PARTS: usize = 1 << 8;
    /// A part is not compared below this size.
    const FEW: usize = 1 << 16;

    /// The part of a number.
    #[expect(clippy::cast_possible_truncation, reason = "the highest bits of a product choose the part")]
    fn of(number: u64) -> usize {
        (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - Self::PARTS.ilog2())) as usize
    }

    /// Adds a number; returns whether the numbers should be compared, so that they need no more memory.
    fn add(&mut self, number: u64) -> bool {
        self.numbers.push(number);
        self.numbers.len() >= (2 * self.different).max(Self::FEW)
    }

    /// Keeps each number once; returns those that were there several times since the last time.
    fn compare(&mut self) -> Vec<u64> {
        self.numbers.sort_unstable();
        let same = self.numbers.chunk_by(PartialEq::eq);
        let repeated = same.filter(|same| same.len() > 1).map(|same| same[0]).collect();
        self.numbers.dedup();
        self.different = self.numbers.len();
        repeated
    }
}

impl Persons {
    /// The number of identifiers that are known by hashing.
    const FIRST: usize = 1 << 14;

    pub(super) fn new(of: Identified) -> Self {
        let (first, repeated) = (FxHashSet::default(), FxHashSet::default());
        let others = vec![Others::default(); Others::PARTS];
        Self { of, first, repeated, others, rows: 0, shared: None }
    }

    /// The number of each row's identifier; `None` if it has none. All threads make them.
    pub(super) fn numbers(&self, texts: &StringChunked) -> Vec<Option<u64>> {
        let number = |row: usize| texts.get(row).filter(|text| self.of.has(text)).map(number_of);
        (0..texts.len()).into_par_iter().with_min_len(1 << 12).map(number).collect()
    }

    /// Examines the identifier of a row with this number of people.
    pub(super) fn look(&mut self, number: u64, row: At, people: u64) {
        self.rows += 1;
        if people > 1 {
            self.shared.get_or_insert(row);
        }
        if self.first.contains(&number) {
            self.repeated.insert(number);
        } else if self.first.len() < Self::FIRST {
            self.first.insert(number);
        } else {
            let others = &mut self.others[Others::of(number)];
            if others.add(number) {
                self.repeated.extend(others.compare());
            }
        }
    }

    /// The rows that repeat an identifier.
    pub(super) fn repeats(self, table: &Table, meter: &mut Meter) -> Result<Option<Repeats>, DataError> {
        let (of, _, repeated, _) = self.counted(meter)?;
        if repeated.is_empty() { Ok(None) } else { table.repeats_among(&of, &repeated, meter) }
    }

    /// The rows that repeat a value, if the column says who is a person: its name says so and each
    /// value is in few rows, or nearly all values are different and rows with one value agree.
    pub(super) fn likely_repeats(
        self,
        table: &Table,
        meter: &mut Meter,
    ) -> Result<Option<Repeats>, DataError> {
        let (of, values, repeated, rows) = self.counted(meter)?;
        let is_named = names_people(&of.column) && may_be_people(values, rows);
        let is_unique = rows >= ROWS && is_nearly_all(values, rows);
        if repeated.is_empty() || !is_named && !is_unique {
            return Ok(None);
        }
        let found = table.repeats_among(&of, &repeated, meter)?;
        Ok(found.filter(|found| is_named || (found.agreeing >= 2 && found.agreeing * 2 >= found.surplus)))
    }

    /// The number of different identifiers, the numbers of those that several rows have, and the rows.
    fn counted(self, meter: &mut Meter) -> Result<(Identified, u64, FxHashSet<u64>, u64), DataError> {
        let Self { of, first, mut repeated, mut others, rows, .. } = self;
        for some in others.chunks_mut(4 * rayon::current_num_threads()) {
            if meter(0).is_break() {
                return Err(DataError::Cancelled);
            }
            let found: Vec<Vec<u64>> = some.par_iter_mut().map(Others::compare).collect();
            repeated.extend(found.into_iter().flatten());
        }
        let values = (first.len() + others.iter().map(|others| others.different).sum::<usize>()) as u64;
        Ok((of, values, repeated, rows))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use palmtop_core::progress::unwatched;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn repeated_identifiers_are_those_of_a_map() {
        let mut draws = ChaCha8Rng::seed_from_u64(44);
        for (rows, most) in [(100, 1_000), (40_000, 20_000), (200_000, 1 << 40), (200_000, 150_000)] {
            let of = Identified { column: "id".to_owned(), compared: Vec::new(), missing: Vec::new() };
            let mut persons = Persons::new(of);
            let mut naive: BTreeMap<u64, u64> = BTreeMap::new();
            for row in 0..rows {
                // Some of them have the same first bits.
                let number =
                    draws.random_range(0..most) * if row % 3 == 0 { Others::PARTS as u64 } else { 1 };
                persons.look(number, At { file: 0, row }, 1);
                *naive.entry(number).or_default() += 1;
            }
            let (_, values, repeated, all) = persons.counted(&mut unwatched).unwrap();
            let expected: FxHashSet<u64> =
                naive.iter().filter(|(_, rows)| **rows > 1).map(|(number, _)| *number).collect();
            assert_eq!((values, all), (naive.len() as u64, rows), "{rows} {most}");
            assert_eq!(repeated, expected, "{rows} {most}");
        }
    }

    #[test]
    fn a_part_keeps_its_limit_of_memory() {
        let mut others = Others::default();
        let mut most = 0;
        for row in 0..500_000_u64 {
            if others.add(row % 100_000) {
                assert_eq!(others.compare().is_empty(), row < 100_000, "{row}");
            }
            most = most.max(others.numbers.len());
        }
        assert!(most <= 2 * 100_000, "{most}");
    }
}

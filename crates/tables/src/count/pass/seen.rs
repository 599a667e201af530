//! Facts collected from each row in addition to its combination.

use polars::prelude::StringChunked;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::packed::{Ended, Runs};
use super::super::weight::count_like;
use crate::error::{DataError, Repeats};
use crate::read::{Identified, Table, number_of};
use crate::source::position::At;
use crate::values::telling::{ROWS, is_nearly_all, may_be_people, names_people};
use palmtop_core::model::Counts;
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
    /// Those of them that several rows have.
    repeated: FxHashSet<u64>,
    /// The others, with their rows: 16 bytes an identifier.
    others: Runs<u64>,
    rows: u64,
    /// The first row that counts for several people and has one identifier.
    pub(super) shared: Option<At>,
}

impl Persons {
    /// The number of identifiers that are known by hashing.
    const FIRST: usize = 1 << 14;

    pub(super) fn new(of: Identified) -> Self {
        let (first, repeated) = (FxHashSet::default(), FxHashSet::default());
        Self { of, first, repeated, others: Runs::default(), rows: 0, shared: None }
    }

    /// The number of each row's identifier; `None` if it has none. All threads make them.
    pub(super) fn numbers(&self, texts: &StringChunked) -> Vec<Option<u64>> {
        let number = |row: usize| texts.get(row).filter(|text| self.of.has(text)).map(number_of);
        (0..texts.len()).into_par_iter().with_min_len(1 << 12).map(number).collect()
    }

    /// Examines the identifier of a row with this number of people.
    pub(super) fn look(&mut self, number: u64, row: At, people: u64, meter: &mut Meter) -> Result<(), Ended> {
        self.rows += 1;
        if people > 1 {
            self.shared.get_or_insert(row);
        }
        if self.first.contains(&number) {
            self.repeated.insert(number);
        } else if self.first.len() < Self::FIRST {
            self.first.insert(number);
        } else {
            self.others.add(number, Counts::new(1, 0), meter)?;
        }
        Ok(())
    }

    /// The rows that repeat an identifier.
    pub(super) fn repeats(self, table: &Table, meter: &mut Meter) -> Result<Option<Repeats>, DataError> {
        let (of, _, repeated, _) = self.counted(table, meter)?;
        if repeated.is_empty() { Ok(None) } else { table.repeats_among(&of, &repeated, meter) }
    }

    /// The rows that repeat a value, if the column says who is a person: its name says so and each
    /// value is in few rows, or nearly all values are different and rows with one value agree.
    pub(super) fn likely_repeats(
        self,
        table: &Table,
        meter: &mut Meter,
    ) -> Result<Option<Repeats>, DataError> {
        let (of, values, repeated, rows) = self.counted(table, meter)?;
        let is_named = names_people(&of.column) && may_be_people(values, rows);
        let is_unique = rows >= ROWS && is_nearly_all(values, rows);
        if repeated.is_empty() || !is_named && !is_unique {
            return Ok(None);
        }
        let found = table.repeats_among(&of, &repeated, meter)?;
        Ok(found.filter(|found| is_named || (found.agreeing >= 2 && found.agreeing * 2 >= found.surplus)))
    }

    /// The number of different identifiers, the numbers of those that several rows have, and the rows.
    fn counted(
        self,
        table: &Table,
        meter: &mut Meter,
    ) -> Result<(Identified, u64, FxHashSet<u64>, u64), DataError> {
        let Self { of, first, mut repeated, others, rows, .. } = self;
        let others = others.finish(meter).map_err(|ended| ended.error(|| table.too_many_people()))?;
        let values = (first.len() + others.keys.len()) as u64;
        let several = others.keys.iter().zip(&others.public).filter(|(_, rows)| **rows > 1);
        repeated.extend(several.map(|(number, _)| *number));
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

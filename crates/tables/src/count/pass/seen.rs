//! Facts collected from each row in addition to its combination.

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
    seen: FxHashSet<u64>,
    /// The identifiers that several rows have.
    repeated: FxHashSet<u64>,
    rows: u64,
    /// The first row that counts for several people and has one identifier.
    pub(super) shared: Option<At>,
}

impl Persons {
    pub(super) fn new(of: Identified) -> Self {
        Self { of, seen: FxHashSet::default(), repeated: FxHashSet::default(), rows: 0, shared: None }
    }

    pub(super) fn look(&mut self, text: &str, row: At, people: u64) {
        if !self.of.has(text) {
            return;
        }
        let number = number_of(text);
        self.rows += 1;
        if people > 1 {
            self.shared.get_or_insert(row);
        }
        if !self.seen.insert(number) {
            self.repeated.insert(number);
        }
    }

    /// The rows that repeat an identifier.
    pub(super) fn repeats(&self, table: &Table, meter: &mut Meter) -> Result<Option<Repeats>, DataError> {
        if self.repeated.is_empty() {
            return Ok(None);
        }
        table.repeats_among(&self.of, &self.repeated, meter)
    }

    /// The rows that repeat a value, if the column says who is a person: its name says so and each
    /// value is in few rows, or nearly all values are different and rows with one value agree.
    pub(super) fn likely_repeats(
        &self,
        table: &Table,
        meter: &mut Meter,
    ) -> Result<Option<Repeats>, DataError> {
        let values = self.seen.len() as u64;
        let is_named = names_people(&self.of.column) && may_be_people(values, self.rows);
        let is_unique = self.rows >= ROWS && is_nearly_all(values, self.rows);
        if !is_named && !is_unique {
            return Ok(None);
        }
        let found = self.repeats(table, meter)?;
        Ok(found.filter(|found| is_named || (found.agreeing >= 2 && found.agreeing * 2 >= found.surplus)))
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

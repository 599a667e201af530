//! The one pass over a table that reduces it, row by row or many rows at once; whatever must be known of every row is looked at on
//! the way: counts, memberships, identifiers, columns that nobody named.

mod seen;

use std::cell::{Cell, RefCell};

use polars_arrow::array::Utf8ViewArray;

use super::alike::AlikeIdentifiers;
use super::error::DataError;
use super::packed::{Ended, Grouping};
use super::part::Piece;
use super::place::At;
use super::prior::{PriorCell, PriorTally};
use super::read::{ReadFile, Table};
use super::tally::{Tally, TallySpec, Texts};
use super::typed::{Lot, Numbered};
use crate::model::Counts;
use crate::progress::Meter;
use seen::{Numbers, Seen};

impl Table {
    /// Reads the whole table once and reduces it. People of a table without a `member` column are counted as public ones.
    ///
    /// # Errors
    /// A [`DataError`] with file and line or row: the form is wrong, a count or a membership is none, an identifier
    /// repeats, there are more people than can be counted; [`DataError::Cancelled`] where the meter says stop.
    pub fn tally(&self, spec: &TallySpec, meter: &mut Meter) -> Result<Tally, DataError> {
        let mut columns = spec.quasi.clone();
        columns.extend(spec.count.map(|count| count.column.as_str()));
        columns.extend(spec.member.map(|member| member.column.as_str()));
        columns.extend(spec.prior);
        let identifiers_from = columns.len();
        columns.extend(&spec.identifiers);
        let spare_from = columns.len();
        columns.extend(&spec.spare);
        // Who groups looks at the meter as well, which then hears again how much was read.
        let (told, shared) = (Cell::new(0), RefCell::new(meter));
        let mut reading = |done: u64| {
            told.set(told.get().max(done));
            (shared.borrow_mut())(told.get())
        };
        let mut grouping = |_| (shared.borrow_mut())(told.get());
        let mut pass = Pass::new(self, spec, identifiers_from, spare_from);
        let files = if spec.prior.is_some() {
            self.visit(&columns, &mut reading, &mut |at, row| pass.row(at, row, &mut grouping))?
        } else {
            self.visit_pieces(&columns, identifiers_from, &mut reading, &mut |file, piece| match piece {
                Piece::Row(row, texts) => pass.row(At { file, row }, texts, &mut grouping),
                Piece::Lot(row, lot) => pass.lot(At { file, row }, lot, &mut grouping),
            })?
        };
        pass.finish(files, &mut grouping)
    }

    fn not_a_count(&self, at: At, column: &str, value: &str) -> DataError {
        let (path, row) = (self.file_of(at).to_owned(), at.row);
        let (column, value) = (column.to_owned(), value.to_owned());
        DataError::NotACount { path, row, column, value }
    }

    fn not_a_membership(&self, at: At, column: &str, value: &str) -> DataError {
        let (path, row) = (self.file_of(at).to_owned(), at.row);
        let (column, value) = (column.to_owned(), value.to_owned());
        DataError::NotAMembership { path, row, column, value }
    }

    pub(super) fn too_many_people(&self) -> DataError {
        DataError::TooManyPeople { path: self.path().to_owned() }
    }
}

/// What was seen of a table so far.
struct Pass<'a> {
    table: &'a Table,
    spec: &'a TallySpec<'a>,
    /// Where the identifiers' and the spare columns begin.
    identifiers_from: usize,
    spare_from: usize,
    texts: Vec<Texts>,
    grouping: Grouping,
    priors: Option<PriorTally>,
    identifiers: Vec<Seen>,
    spare: Vec<Option<Numbers>>,
    ids: Vec<u32>,
    rows: u64,
    member_rows: u64,
}

impl<'a> Pass<'a> {
    fn new(table: &'a Table, spec: &'a TallySpec<'a>, identifiers_from: usize, spare_from: usize) -> Self {
        let width = spec.quasi.len();
        Self {
            table,
            spec,
            identifiers_from,
            spare_from,
            texts: spec.quasi.iter().map(|_| Texts::default()).collect(),
            grouping: Grouping::new(width),
            priors: spec.prior.map(|_| PriorTally::new(width)),
            identifiers: spec.identifiers.iter().map(|_| Seen::default()).collect(),
            spare: spec.spare.iter().map(|_| Some(Numbers::default())).collect(),
            ids: Vec::with_capacity(width),
            rows: 0,
            member_rows: 0,
        }
    }

    fn row(&mut self, at: At, row: &[&str], meter: &mut Meter) -> Result<(), DataError> {
        let Self { table, spec, .. } = *self;
        self.rows += 1;
        let mut special = row[spec.quasi.len()..self.identifiers_from].iter();
        let people = match spec.count.and_then(|count| Some((count, special.next()?))) {
            Some((count, text)) => {
                count.people(text).ok_or_else(|| table.not_a_count(at, &count.column, text))?
            }
            None => 1,
        };
        let is_member = match spec.member.and_then(|member| Some((member, special.next()?))) {
            Some((member, text)) => {
                let said = member.is_member(text);
                said.ok_or_else(|| table.not_a_membership(at, &member.column, text))?
            }
            None => false,
        };
        self.member_rows += u64::from(is_member);
        if people == 0 {
            // Nobody: what the row says occurs nowhere.
            return Ok(());
        }
        self.ids.clear();
        self.ids.extend(self.texts.iter_mut().zip(row).map(|(texts, text)| texts.number(text, at)));
        let people = Counts::new(people, if is_member { people } else { 0 });
        self.grouping.add(&self.ids, people, meter).map_err(|ended| told(table, ended))?;
        if let (Some(priors), Some(column), Some(text)) = (&mut self.priors, spec.prior, special.next()) {
            priors.add(&self.ids, people, PriorCell { table, at, column, text })?;
        }
        if spec.member.is_none() || is_member {
            for (seen, text) in self.identifiers.iter_mut().zip(&row[self.identifiers_from..self.spare_from])
            {
                seen.look(text, at, people.public);
            }
        }
        for (numbers, text) in self.spare.iter_mut().zip(&row[self.spare_from..]) {
            if numbers.as_mut().is_some_and(|numbers| !numbers.look(text)) {
                *numbers = None;
            }
        }
        Ok(())
    }

    /// The same for many rows, of which the first is at `first`. There is no prior.
    fn lot(&mut self, first: At, lot: Lot, meter: &mut Meter) -> Result<(), DataError> {
        let Lot { rows, mut numbered, texts } = lot;
        self.rows += rows as u64;
        let special = numbered.split_off(self.spec.quasi.len());
        let people = self.people(first, rows, &special)?;
        let people = people.as_deref();
        let is_somebody = |row: usize| people.is_none_or(|people| people[row].public > 0);
        let mut columns = Vec::with_capacity(numbered.len());
        for (texts, column) in self.texts.iter_mut().zip(numbered) {
            // Only what somebody has is a text of the table.
            let mut known: Vec<Option<u32>> = vec![None; column.texts().len()];
            let mut number = |(row, &own): (usize, &u32)| match known[own as usize] {
                Some(number) => number,
                None if is_somebody(row) => {
                    *known[own as usize].insert(texts.number(column.text(own), behind(first, row)))
                }
                None => 0,
            };
            let numbers: Vec<u32> = column.numbers.iter().enumerate().map(&mut number).collect();
            columns.push(numbers);
        }
        let added = self.grouping.add_rows(&columns, rows, people, meter);
        added.map_err(|ended| told(self.table, ended))?;
        let (identifiers, spare) = texts.split_at(self.spare_from - self.identifiers_from);
        let is_member =
            |row: usize| self.spec.member.is_none() || people.is_some_and(|people| people[row].private > 0);
        for (seen, texts) in self.identifiers.iter_mut().zip(identifiers) {
            for row in (0..rows).filter(|&row| is_somebody(row) && is_member(row)) {
                let people = people.map_or(1, |people| people[row].public);
                seen.look(text(texts, row), behind(first, row), people);
            }
        }
        for (numbers, texts) in self.spare.iter_mut().zip(spare) {
            let mut somebody = (0..rows).filter(|&row| is_somebody(row));
            if let Some(own) = numbers
                && !somebody.all(|row| own.look(text(texts, row)))
            {
                *numbers = None;
            }
        }
        Ok(())
    }

    /// The people of each row of a lot; `None` where each is one of P.
    fn people(
        &mut self,
        first: At,
        rows: usize,
        special: &[Numbered],
    ) -> Result<Option<Vec<Counts>>, DataError> {
        let Self { table, spec, .. } = *self;
        if special.is_empty() {
            return Ok(None);
        }
        let mut special = special.iter();
        let count = spec.count.and_then(|count| Some((count, special.next()?)));
        let member = spec.member.and_then(|member| Some((member, special.next()?)));
        let counts: Vec<Option<u64>> = count
            .map(|(count, column)| column.texts().map(|text| count.people(text)).collect())
            .unwrap_or_default();
        let members: Vec<Option<bool>> = member
            .map(|(member, column)| column.texts().map(|text| member.is_member(text)).collect())
            .unwrap_or_default();
        let mut people = Vec::with_capacity(rows);
        for row in 0..rows {
            let at = behind(first, row);
            let all = match count {
                Some((count, column)) => counts[column.numbers[row] as usize]
                    .ok_or_else(|| table.not_a_count(at, &count.column, column.text(column.numbers[row])))?,
                None => 1,
            };
            let is_member = match member {
                Some((member, column)) => members[column.numbers[row] as usize].ok_or_else(|| {
                    table.not_a_membership(at, &member.column, column.text(column.numbers[row]))
                })?,
                None => false,
            };
            self.member_rows += u64::from(is_member);
            people.push(Counts::new(all, if is_member { all } else { 0 }));
        }
        Ok(Some(people))
    }

    fn finish(self, files: Vec<ReadFile>, meter: &mut Meter) -> Result<Tally, DataError> {
        let Self { table, spec, rows, member_rows, texts, priors, .. } = self;
        let mut alike = Vec::new();
        for (column, seen) in spec.identifiers.iter().zip(self.identifiers) {
            alike.extend(AlikeIdentifiers::find(table, column, seen.distinct()));
            if let Some((first, second)) = seen.repeated {
                let (path, column, count) = (table.path().to_owned(), (*column).to_owned(), seen.count);
                let (first, second) = (table.place(first), table.place(second));
                let rows = Box::new([first, second]);
                return Err(DataError::RepeatedIdentifier { path, column, rows, count });
            }
        }
        let count_like = spec.spare.iter().zip(self.spare);
        let count_like = count_like
            .filter(|(_, numbers)| rows > 0 && numbers.as_ref().is_some_and(|numbers| numbers.repeats))
            .map(|(column, _)| (*column).to_owned());
        let combinations = self.grouping.finish(meter).map_err(|ended| told(table, ended))?;
        Ok(Tally {
            texts,
            distinct_combinations: combinations.len(),
            combinations,
            priors,
            rows,
            member_rows,
            count_like: count_like.collect(),
            alike,
            files,
        })
    }
}

fn told(table: &Table, ended: Ended) -> DataError {
    ended.told(|| table.too_many_people())
}

/// So many rows behind one.
fn behind(first: At, rows: usize) -> At {
    At { row: first.row + rows as u64, ..first }
}

fn text(texts: &Utf8ViewArray, row: usize) -> &str {
    texts.get(row).unwrap_or_default()
}

#[cfg(test)]
mod tests;

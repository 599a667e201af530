//! The only pass over a table, in lots of rows. On the way it examines what must be known of each
//! row: counts, memberships, identifiers, unnamed columns.

mod seen;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use rayon::prelude::*;

use super::alike::AlikeIdentifiers;
use super::packed::{Ended, Grouping, LotColumn};
use super::tally::{Tally, TallySpec, Texts};
use crate::error::DataError;
use crate::read::{Asked, LeftOut, Lot, Numbered};
use crate::read::{ReadFile, Table};
use crate::source::position::At;
use crate::values::literal::toml_string;
use crate::values::reading::NumberForm;
use crate::values::written::number_forms;
use crate::weight::CountColumn;
use palmtop_core::located::LocatedError;
use palmtop_core::model::Counts;
use palmtop_core::progress::Meter;
use seen::{Numbers, Persons, Seen};

impl Table {
    /// Reads the entire table once and reduces it. People of a table without a `member` column are
    /// counted as public.
    ///
    /// # Errors
    /// A [`DataError`] with file and line or row: the form is wrong, a count or a membership is
    /// invalid, an identifier repeats, or there are too many people to count;
    /// [`DataError::Cancelled`] if the meter asks to stop.
    pub fn tally(&self, spec: &TallySpec, meter: &mut Meter) -> Result<Tally, DataError> {
        let mut columns = spec.quasi.clone();
        columns.extend(spec.count.map(|count| count.column.as_str()));
        columns.extend(spec.member.map(|member| member.column.as_str()));
        let numbered = columns.len();
        columns.extend(&spec.identifiers);
        columns.extend(spec.persons.iter().chain(&spec.maybe_persons).map(|of| of.column.as_str()));
        columns.extend(&spec.spare);
        // Grouping calls the meter as well and repeats the bytes read so far.
        let (reported, shared) = (Cell::new(0), RefCell::new(meter));
        let mut reading = |done: u64| {
            reported.set(reported.get().max(done));
            (shared.borrow_mut())(reported.get())
        };
        let mut grouping = |_| (shared.borrow_mut())(reported.get());
        let left_out = self.left_out(&mut |_| grouping(0))?;
        let mut pass = Pass::new(self, spec, left_out);
        let files = self.visit_lots(Asked::all(&columns, numbered), &mut reading, &mut |first, lot| {
            pass.lot(first, lot, &mut grouping)
        })?;
        pass.finish(files, &mut grouping)
    }

    fn not_a_count(&self, at: At, column: &str, value: &str) -> DataError {
        self.wrong_cell(at, column, format!("`{value}` is not a count"))
            .expected(format!("a whole number from 0 to 4294967295, or {}", count_remedy(column, value)))
            .into()
    }

    fn not_a_membership(&self, at: At, column: &str, value: &str) -> DataError {
        self.wrong_cell(at, column, format!("`{value}` is not a membership"))
            .expected(format!(
                "true, yes, y or 1, or false, no, n, 0 or a blank, or name the text that marks members in the project: \
                 `member = {{ column = …, is = {value:?} }}`"
            ))
            .into()
    }

    fn wrong_cell(&self, at: At, column: &str, problem: String) -> LocatedError {
        LocatedError::new(problem).in_file(self.file_of(at)).at_row(at.row).at_column(column)
    }

    pub(super) fn too_many_people(&self) -> DataError {
        DataError::of_file(self.path(), "more people than palmtop can count", "correct the counts")
    }
}

/// The result of the rows so far.
struct Pass<'a> {
    table: &'a Table,
    spec: &'a TallySpec<'a>,
    texts: Vec<Texts>,
    grouping: Grouping,
    identifiers: Vec<Seen>,
    persons: Vec<Persons>,
    spare: Vec<Option<Numbers>>,
    /// The columns that may say who is a person.
    maybe_persons: Vec<Persons>,
    /// The rows that repeat a person.
    left_out: Option<&'a LeftOut>,
    rows: u64,
    member_rows: u64,
}

impl<'a> Pass<'a> {
    fn new(table: &'a Table, spec: &'a TallySpec<'a>, left_out: Option<&'a LeftOut>) -> Self {
        let width = spec.quasi.len();
        Self {
            table,
            spec,
            texts: spec.quasi.iter().map(|_| Texts::default()).collect(),
            grouping: Grouping::new(width),
            identifiers: spec.identifiers.iter().map(|_| Seen::default()).collect(),
            persons: spec.persons.iter().cloned().map(Persons::new).collect(),
            spare: spec.spare.iter().map(|_| Some(Numbers::default())).collect(),
            maybe_persons: spec.maybe_persons.iter().cloned().map(Persons::new).collect(),
            left_out,
            rows: 0,
            member_rows: 0,
        }
    }

    /// Examines a lot of rows; the first one is at `first`.
    fn lot(&mut self, first: At, lot: Lot, meter: &mut Meter) -> Result<(), DataError> {
        let Lot { rows, mut numbered, texts, .. } = lot;
        self.rows += rows as u64 - self.left_out_of(first, rows).count() as u64;
        let special = numbered.split_off(self.spec.quasi.len());
        let people = self.people(first, rows, &special)?;
        let people = people.as_deref();
        let people_of = |row: usize| people.map_or(Counts::new(1, 0), |people| people[row]);
        let columns = self.texts.par_iter_mut().zip(&numbered).map(|(texts, column)| LotColumn {
            rows: &column.numbers,
            texts: shared_numbers(texts, column, first, people),
        });
        let columns: Vec<LotColumn> = columns.collect();
        let added = self.grouping.add_lot(&columns, rows, people, meter);
        added.map_err(|ended| data_error(self.table, ended))?;
        let (identifiers, others) = texts.split_at(self.spec.identifiers.len());
        for (seen, texts) in self.identifiers.iter_mut().zip(identifiers) {
            let is_member = |people: Counts| self.spec.member.is_none() || people.private > 0;
            for (row, text) in texts.iter().enumerate() {
                let people = people_of(row);
                if people.public > 0 && is_member(people) {
                    seen.look(text.unwrap_or_default(), behind(first, row));
                }
            }
        }
        let (persons, spare) = others.split_at(self.persons.len() + self.maybe_persons.len());
        let looked_at = self.persons.iter_mut().chain(&mut self.maybe_persons).zip(persons);
        for (persons, texts) in looked_at {
            for (row, number) in persons.numbers(texts).into_iter().enumerate() {
                let people = people_of(row);
                // A row with a count is for several people, so only members need an identifier each.
                let is_one = people.public > 0 && (self.spec.count.is_none() || people.private > 0);
                if let Some(number) = number.filter(|_| is_one) {
                    persons.look(number, behind(first, row), people.public);
                }
            }
        }
        for (numbers, texts) in self.spare.iter_mut().zip(spare) {
            let cells = texts.iter().enumerate().filter(|(row, _)| people_of(*row).public > 0);
            if let Some(known) = numbers
                && !cells.map(|(_, text)| text.unwrap_or_default()).all(|text| known.look(text))
            {
                *numbers = None;
            }
        }
        Ok(())
    }

    /// The people of each row of a lot; `None` if each row is one person in P.
    fn people(
        &mut self,
        first: At,
        rows: usize,
        special: &[Numbered],
    ) -> Result<Option<Vec<Counts>>, DataError> {
        let Self { table, spec, .. } = *self;
        let mut left_out = self.left_out_of(first, rows).peekable();
        if special.is_empty() && left_out.peek().is_none() {
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
            if left_out.next_if_eq(&at).is_some() {
                people.push(Counts::new(0, 0));
                continue;
            }
            self.member_rows += u64::from(is_member);
            people.push(Counts::new(all, if is_member { all } else { 0 }));
        }
        Ok(Some(people))
    }

    /// The rows of a lot that repeat a person.
    fn left_out_of(&self, first: At, rows: usize) -> impl Iterator<Item = At> + use<'a> {
        let end = behind(first, rows);
        let left_out = self.left_out;
        left_out.into_iter().flat_map(move |left_out| left_out.from(first)).take_while(move |at| *at < end)
    }

    fn finish(self, files: Vec<ReadFile>, meter: &mut Meter) -> Result<Tally, DataError> {
        let Self { table, spec, rows, member_rows, texts, .. } = self;
        let mut alike = Vec::new();
        for (column, seen) in spec.identifiers.iter().zip(self.identifiers) {
            alike.extend(AlikeIdentifiers::find(table, column, seen.distinct()));
        }
        for persons in self.persons {
            if let Some(at) = persons.shared {
                return Err(shared_identifier(table, &persons.of.column, at).into());
            }
            if let Some(found) = persons.repeats(table, meter)? {
                return Err(DataError::Repeats(found.into()));
            }
        }
        for persons in self.maybe_persons {
            if let Some(found) = persons.likely_repeats(table, meter)? {
                return Err(DataError::Repeats(found.into()));
            }
        }
        let count_like = spec.spare.iter().zip(self.spare);
        let count_like = count_like
            .filter(|(_, numbers)| rows > 0 && numbers.as_ref().is_some_and(|numbers| numbers.repeats))
            .map(|(column, _)| (*column).to_owned());
        let combinations = self.grouping.finish(meter).map_err(|ended| data_error(table, ended))?;
        Ok(Tally {
            texts,
            distinct_combinations: combinations.len(),
            combinations,
            rows,
            member_rows,
            count_like: count_like.collect(),
            alike,
            files,
        })
    }
}

/// The number of each of a lot's texts in one column among all texts of the column; 0 if nobody has it.
fn shared_numbers(texts: &mut Texts, column: &Numbered, first: At, people: Option<&[Counts]>) -> Vec<u32> {
    let mut known: Vec<Option<u32>> = vec![None; column.texts().len()];
    let mut learn = |row: usize| {
        let local = column.numbers[row];
        known[local as usize].get_or_insert_with(|| texts.number(column.text(local), behind(first, row)));
    };
    match people {
        None => column.first.iter().for_each(|&row| learn(row as usize)),
        Some(people) => (0..people.len()).filter(|&row| people[row].public > 0).for_each(learn),
    }
    known.into_iter().map(Option::unwrap_or_default).collect()
}

/// A row that counts for several people, who would have one identifier.
fn shared_identifier(table: &Table, column: &str, at: At) -> LocatedError {
    let problem = "the row counts for several people, who share one identifier";
    table.refused(at, column, problem).expected("one person in a row with an identifier").remedy(
        "say that different people share its values: `repeats = \"REASON\"`, with a reason of three words or more",
    )
}

fn data_error(table: &Table, ended: Ended) -> DataError {
    ended.error(|| table.too_many_people())
}

/// The position `rows` after another one.
fn behind(first: At, rows: usize) -> At {
    At { row: first.row + rows as u64, ..first }
}

#[cfg(test)]
mod tests;

/// What to write in the project for a count that is not a plain number.
fn count_remedy(column: &str, value: &str) -> String {
    let column = toml_string(column);
    let forms = number_forms(&BTreeSet::from([value]));
    let counts = |form: &&NumberForm| {
        CountColumn { number: Some(**form), ..CountColumn::of("") }.people(value).is_some()
    };
    match forms.iter().find(counts) {
        Some(form) => {
            format!("say how its numbers are written: `count = {{ column = {column}, {} }}`", form.key())
        }
        None => format!(
            "give its meaning in the project: `count = {{ column = {column}, texts = {{ {} = 1 }} }}`",
            toml_string(value)
        ),
    }
}

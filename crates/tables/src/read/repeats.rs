//! Finds the rows that repeat an identifier: what they are, and which of them are left out.
//!
//! Rows repeat an identifier if they have the same text in its column. A blank text is no
//! identifier. Only the rows that repeat one are gathered, so memory grows with them.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::persons::{Identified, LeftOut, OnePerson, OneRow, digest, number_of};
use super::table::Table;
use crate::error::{DataError, Repeats};
use crate::source::position::{self, At};
use crate::values::order::Place;
use palmtop_core::located::LocatedError;
use palmtop_core::progress::Meter;
use palmtop_core::words::names;

/// A row with a repeated identifier. Texts are known by hashes of 128 bits.
struct Gathered {
    identifier: u128,
    place: Option<Place>,
    at: At,
    values: u128,
}

impl Table {
    /// The table with one row for each person. The rows are found when the table is first read.
    #[must_use]
    pub fn with_one_row(mut self, of: Identified, row: OneRow) -> Self {
        self.one_person = Some(OnePerson { of, row, found: OnceLock::new() }.into());
        self
    }

    /// The columns and the rule by which rows are left out, as text.
    pub(crate) fn person_rule(&self) -> String {
        self.one_person.as_ref().map(|one| format!("{:?} {:?}", one.of, one.row)).unwrap_or_default()
    }

    /// The rows that are left out; `None` if each row is a person.
    pub(crate) fn left_out(&self, meter: &mut Meter) -> Result<Option<&LeftOut>, DataError> {
        let Some(one) = &self.one_person else { return Ok(None) };
        if let Some(found) = one.found.get() {
            return Ok(Some(found));
        }
        let found = self.find_left_out(one, meter)?;
        Ok(Some(one.found.get_or_init(|| found)))
    }

    fn find_left_out(&self, one: &OnePerson, meter: &mut Meter) -> Result<LeftOut, DataError> {
        let mut meter = |_: u64| meter(0);
        let (mut seen, mut repeated) = (FxHashSet::default(), FxHashSet::default());
        self.visit_all(&[&one.of.column], &mut meter, &mut |_, texts| {
            if one.of.has(texts[0]) && !seen.insert(number_of(texts[0])) {
                repeated.insert(number_of(texts[0]));
            }
            Ok::<(), DataError>(())
        })?;
        drop(seen);
        let (_, rows) = self.gather(&one.of, Some(&one.row), &repeated, &mut meter)?;
        let has_order = order_of(Some(&one.row)).is_none_or(|order| self.has(order));
        let (mut left_out, mut wrong) = (Vec::new(), Vec::new());
        for rows in rows.chunk_by(|left, right| left.identifier == right.identifier) {
            let is_tied = |row: &&Gathered| one.row == OneRow::Distinct || row.place == rows[0].place;
            if let Some(other) =
                rows.iter().skip(1).take_while(is_tied).find(|row| !has_order || row.values != rows[0].values)
            {
                wrong.push((rows[0].at.min(other.at), rows[0].at.max(other.at)));
            }
            left_out.extend(rows[1..].iter().map(|row| row.at));
        }
        wrong.sort_unstable();
        if let Some(&(first, second)) = wrong.first() {
            return Err(self.do_not_agree(one, first, second, wrong.len() as u64));
        }
        left_out.sort_unstable();
        Ok(LeftOut { rows: left_out })
    }

    /// The number of rows of the table, and the rows of identifiers whose number is in `repeated`: by identifier,
    /// place and position. Without such a number, the table is not read.
    fn gather(
        &self,
        of: &Identified,
        row: Option<&OneRow>,
        repeated: &FxHashSet<u64>,
        meter: &mut Meter,
    ) -> Result<(u64, Vec<Gathered>), DataError> {
        let order = order_of(row).filter(|order| self.has(order));
        let (mut total, mut rows) = (0, Vec::new());
        if repeated.is_empty() {
            return Ok((total, rows));
        }
        let mut columns = vec![of.column.as_str()];
        columns.extend(of.compared.iter().map(|(column, _)| column.as_str()));
        let compared = columns.len();
        columns.extend(order);
        let mut show = |at: At, texts: &[&str]| {
            total += 1;
            if !of.has(texts[0]) || !repeated.contains(&number_of(texts[0])) {
                return Ok(());
            }
            let place = match order {
                Some(column) if !texts[compared].trim().is_empty() => {
                    Some(Place::of(texts[compared].trim()).ok_or_else(|| {
                        let problem = format!("`{}` is neither a number nor a day", texts[compared]);
                        self.refused(at, column, problem)
                            .expected("numbers, or days as 2024-01-31, in the column of `first_by`")
                    })?)
                }
                _ => None,
            };
            let values = of.compared.iter().zip(&texts[1..compared]).map(|((_, reading), text)| {
                reading.read(text).map_or_else(|_| (*text).to_owned(), Cow::into_owned)
            });
            rows.push(Gathered { identifier: digest([texts[0]]), place, at, values: digest(values) });
            Ok(())
        };
        match row {
            Some(_) => self.visit_all(&columns, meter, &mut show)?,
            None => self.visit(&columns, meter, &mut show)?,
        };
        // A row without a place comes after those with one.
        rows.sort_unstable_by(|left, right| {
            let key = |row: &Gathered| (row.identifier, row.place.is_none());
            key(left).cmp(&key(right)).then(left.place.cmp(&right.place)).then(left.at.cmp(&right.at))
        });
        Ok((total, rows))
    }

    /// The rows that repeat an identifier whose number is in `repeated`; `None` if no row does.
    ///
    /// # Errors
    /// A [`DataError`] if the table cannot be read; [`DataError::Cancelled`] if the meter asks to
    /// stop.
    pub(crate) fn repeats_among(
        &self,
        of: &Identified,
        repeated: &FxHashSet<u64>,
        meter: &mut Meter,
    ) -> Result<Option<Repeats>, DataError> {
        let (total, rows) = self.gather(of, None, repeated, meter)?;
        let mut found = Repeats {
            table: self.path().to_owned(),
            column: of.column.clone(),
            rows: total,
            identifiers: 0,
            differing: 0,
            surplus: 0,
            agreeing: 0,
            first: Vec::new(),
        };
        let mut first: Vec<(At, At, bool)> = Vec::new();
        let several = |rows: &&[Gathered]| rows.len() > 1;
        for rows in rows.chunk_by(|left, right| left.identifier == right.identifier).filter(several) {
            let agreeing = rows[1..].iter().filter(|row| row.values == rows[0].values).count() as u64;
            let surplus = rows.len() as u64 - 1;
            let other = rows[1..].iter().find(|row| row.values != rows[0].values);
            found.identifiers += 1;
            found.surplus += surplus;
            found.agreeing += agreeing;
            found.differing += u64::from(agreeing < surplus);
            first.push((rows[0].at, other.unwrap_or(&rows[1]).at, other.is_none()));
        }
        first.sort_unstable();
        let shown = first.into_iter().take(Repeats::SHOWN);
        found.first =
            shown.map(|(one, other, agrees)| ([one, other].map(|at| self.position(at)), agrees)).collect();
        Ok((found.identifiers > 0).then_some(found))
    }

    /// The number of rows, and the rows that repeat an identifier, from a pass of its own.
    ///
    /// # Errors
    /// A [`DataError`] if the table cannot be read; [`DataError::Cancelled`] if the meter asks to
    /// stop.
    pub fn repeats(&self, of: &Identified, meter: &mut Meter) -> Result<(u64, Option<Repeats>), DataError> {
        let (mut seen, mut repeated) = (FxHashSet::default(), FxHashSet::default());
        let mut rows = 0;
        self.visit(&[&of.column], meter, &mut |_, texts| {
            rows += 1;
            if of.has(texts[0]) && !seen.insert(number_of(texts[0])) {
                repeated.insert(number_of(texts[0]));
            }
            Ok::<(), DataError>(())
        })?;
        drop(seen);
        Ok((rows, self.repeats_among(of, &repeated, meter)?))
    }

    /// The error of people whose rows do not agree where one of them counts.
    fn do_not_agree(&self, one: &OnePerson, first: At, second: At, people: u64) -> DataError {
        let rows = position::both(&self.position(first), &self.position(second));
        let more = if people > 1 {
            format!(", and those of {} more identifiers", people - 1)
        } else {
            String::new()
        };
        let columns: Vec<String> = one.of.compared.iter().map(|(column, _)| column.clone()).collect();
        let (problem, remedy) = match &one.row {
            OneRow::Distinct => (
                format!("{rows} have one identifier but differ in another column{more}"),
                format!(
                    "`distinct` counts a person once only where the rows agree in {}: correct the rows, or write `first_by` with the \
                     column whose first row counts, or `role = \"entity\"`",
                    names(&columns)
                ),
            ),
            OneRow::FirstBy(order) if !self.has(order) => (
                format!("{rows} have one identifier{more}, but the table has no column `{order}`"),
                "`first_by` needs the column in each table in which rows repeat an identifier: add it, or leave rows out"
                    .to_owned(),
            ),
            OneRow::FirstBy(order) => (
                format!(
                    "{rows} have one identifier and the same place by `{order}`, but differ in another column{more}"
                ),
                format!(
                    "of several first rows one counts only where they agree in {}: correct them, leave rows out, or write another column",
                    names(&columns)
                ),
            ),
        };
        let error = LocatedError::new(problem).in_file(self.path());
        error.at_column(&one.of.column).remedy(remedy).into()
    }
}

/// The column by which the first row of a person counts.
fn order_of(row: Option<&OneRow>) -> Option<&str> {
    match row {
        Some(OneRow::FirstBy(column)) => Some(column),
        Some(OneRow::Distinct) | None => None,
    }
}

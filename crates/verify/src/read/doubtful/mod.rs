//! Rows of a raw table that may be no people, and names that may be a person. The project has to say of each what it is.
//!
//! The verifier finds them by its own look at the cells, so that a release cannot count a title or a total as a person
//! because one reader overlooked it.

use self::column::{Column, is_bare};
use self::rows::Found;
pub(crate) use self::text::starts_with_digit;
pub(crate) use self::top::{Top, top};

mod names;
mod column;
mod rows;
pub(crate) mod text;
pub(crate) mod top;

use std::collections::BTreeSet;
use std::path::Path;

use super::batch::Batch;
use super::rows_source::{Naming, RowsSource};
use crate::problems::VerifyError;
use palmtop_terms::LocatedError;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The rows that are remembered whole: they show what is usual in a column.
const USUAL: usize = 2000;
/// The most unusual rows that are remembered.
const MOST: usize = 10_000;

/// Looks at every row of a file.
#[derive(Debug)]
pub(crate) struct Doubtful<'a> {
    names: &'a [String],
    source: &'a RowsSource,
    usual: Vec<(u64, Vec<String>)>,
    columns: Vec<Column>,
    rows: u64,
    unusual: Vec<Unusual>,
}

#[derive(Debug)]
struct Unusual {
    nth: u64,
    number: u64,
    cells: Vec<String>,
}

/// The cells of the unusual rows.
struct Alike<'a> {
    /// The rows that have a text in a column.
    texts: FxHashMap<(usize, &'a str), u64>,
    /// The rows whose cell of a column is empty.
    empty: FxHashMap<usize, u64>,
}

impl<'a> Alike<'a> {
    fn of(rows: &'a [Unusual]) -> Self {
        let mut alike = Self { texts: FxHashMap::default(), empty: FxHashMap::default() };
        for (index, cell) in rows.iter().flat_map(|row| row.cells.iter().enumerate()) {
            *alike.texts.entry((index, cell)).or_default() += 1;
            if text::is_empty(cell) {
                *alike.empty.entry(index).or_default() += 1;
            }
        }
        alike
    }
}

impl<'a> Doubtful<'a> {
    pub(crate) fn new(names: &'a [String], source: &'a RowsSource) -> Self {
        Self { names, source, usual: Vec::new(), columns: Vec::new(), rows: 0, unusual: Vec::new() }
    }

    /// Whether it knows what is usual.
    pub(crate) fn is_taught(&self) -> bool {
        !self.columns.is_empty()
    }

    /// A look at rows further down, apart from those above.
    pub(crate) fn apart(&self) -> Self {
        let columns = self.columns.iter().map(|column| Column { empty: 0, ..column.clone() }).collect();
        Self { columns, ..Self::new(self.names, self.source) }
    }

    /// Adds the look at the next rows.
    pub(crate) fn join(&mut self, next: Self) {
        for row in next.unusual.into_iter().take(MOST - self.unusual.len()) {
            self.unusual.push(Unusual { nth: self.rows + row.nth, ..row });
        }
        self.rows += next.rows;
        self.columns.iter_mut().zip(&next.columns).for_each(|(column, next)| column.empty += next.empty);
    }

    /// Looks at the next row; `number` names it in a project.
    pub(crate) fn look<'t>(&mut self, number: u64, cells: impl Iterator<Item = &'t str> + Clone) {
        if self.columns.is_empty() {
            self.usual.push((number, cells.map(str::to_owned).collect()));
            if self.usual.len() >= USUAL {
                self.learn();
            }
            return;
        }
        self.compare(number, cells);
    }

    /// Looks at all columns of the next rows, which are named by their numbers. As [`look`](Self::look) does it row by row.
    pub(crate) fn look_at(&mut self, batches: &[Batch]) {
        let mut rest: Vec<(&Batch, usize)> = Vec::with_capacity(batches.len());
        for batch in batches {
            let mut row = 0;
            while self.columns.is_empty() && row < batch.len() {
                self.look(batch.first_row() + row as u64, cells_of(batch, row));
                row += 1;
            }
            rest.push((batch, row));
        }
        let (columns, names) = (&self.columns, self.names);
        let found: Vec<Found> =
            rest.par_iter().map(|(batch, first)| Found::of(columns, names, batch, *first)).collect();
        for ((batch, first), found) in rest.into_iter().zip(found) {
            for row in found.unusual {
                let (number, cells) = (batch.first_row() + row as u64, cells_of(batch, row));
                if self.unusual.len() < MOST && !self.source.keeps(number, cells.clone()) {
                    let nth = self.rows + (row - first) as u64 + 1;
                    let cells = cells.map(str::to_owned).collect();
                    self.unusual.push(Unusual { nth, number, cells });
                }
            }
            self.columns.iter_mut().zip(found.empty).for_each(|(column, empty)| column.empty += empty);
            self.rows += (batch.len() - first) as u64;
        }
    }

    fn learn(&mut self) {
        let filled = |index: usize| -> Vec<&str> {
            let people = self.usual.iter().filter(|(_, cells)| cells.as_slice() != self.names);
            let cells = people.map(|(_, cells)| cells[index].as_str());
            cells.filter(|cell| !text::is_empty(cell)).collect()
        };
        self.columns = (0..self.names.len()).map(|index| Column::of(&filled(index))).collect();
        let usual = std::mem::take(&mut self.usual);
        for (number, cells) in &usual {
            self.compare(*number, cells.iter().map(String::as_str));
        }
        self.usual = usual;
    }

    fn compare<'t>(&mut self, number: u64, cells: impl Iterator<Item = &'t str> + Clone) {
        self.rows += 1;
        let (mut empty, mut is_unusual) = (0, true);
        is_unusual &= cells.clone().eq(self.names.iter().map(String::as_str));
        for (cell, column) in cells.clone().zip(&mut self.columns) {
            if text::is_empty(cell) {
                column.empty += 1;
                empty += 1;
            } else {
                is_unusual = is_unusual || text::sums_up(cell) || column.is_out_of_place(cell);
            }
        }
        is_unusual |= is_bare(self.names.len(), empty);
        if is_unusual && self.unusual.len() < MOST && !self.source.keeps(number, cells.clone()) {
            self.unusual.push(Unusual { nth: self.rows, number, cells: cells.map(str::to_owned).collect() });
        }
    }

    /// Refuses the table if a row, or its names, may be something else. `unit` is `line` or `row`, and `header` the
    /// number of the one with the names; 0 if they are in none.
    pub(crate) fn refuse(mut self, path: &Path, unit: &str, header: u64) -> Result<(), VerifyError> {
        if self.columns.is_empty() && !self.usual.is_empty() {
            self.learn();
        }
        if self.source.naming == Naming::Unsaid && names::may_be_a_person(self.names, &self.usual) {
            return Err(refusal(path, unit, header, "the names of the columns look like values", self.names)
                .remedy("write `header = true` under its path in the project if they are names, else `header = false`")
                .into());
        }
        let alike = Alike::of(&self.unusual);
        let found = self.unusual.iter().find_map(|row| self.what(row, &alike).map(|what| (what, row)));
        let Some((what, row)) = found else {
            return Ok(());
        };
        Err(refusal(path, unit, row.number, &format!("the row may be no person: {what}"), &row.cells)
            .remedy(format!(
                "write `leave_out = [{0}]` under its path in the project if it is none, else `keep_rows = [{0}]`",
                row.number
            ))
            .into())
    }

    /// What an unusual row may be; `None` if it is a person.
    fn what(&self, row: &Unusual, alike: &Alike) -> Option<&'static str> {
        let cells: Vec<(usize, &str)> = row
            .cells
            .iter()
            .map(String::as_str)
            .enumerate()
            .filter(|(_, cell)| !text::is_empty(cell))
            .collect();
        let same = |cell: (usize, &str)| alike.texts.get(&cell).copied().unwrap_or_default();
        let is_person = |&(index, cell): &(usize, &str)| self.columns[index].is_of_a_person(cell);
        if row.cells == self.names && (self.names.len() > 1 || !cells.iter().any(is_person)) {
            return Some("it has the names of the columns");
        }
        let is_sum = |&(index, cell): &(usize, &str)| {
            text::sums_up(cell) && same((index, cell)) <= 3.max(self.rows / 200)
        };
        if cells.iter().any(is_sum) {
            return Some("it is a total");
        }
        let is_out = |&(index, cell): &(usize, &str)| self.columns[index].is_out_of_place(cell);
        let nobody = !cells.iter().any(|cell| !is_out(cell) && is_person(cell));
        if nobody && cells.iter().any(|cell| is_out(cell) && same(*cell) < 3) {
            return Some(if row.nth == 1 {
                "units, or the names under a title"
            } else {
                "a text among numbers or dates"
            });
        }
        let filled: BTreeSet<usize> = cells.iter().map(|(index, _)| *index).collect();
        let empty: Vec<usize> = (0..self.names.len()).filter(|index| !filled.contains(index)).collect();
        let is_bare = filled.len() < 3 && (empty.len() > 1 || (filled.len() < 2 && nobody));
        let is_unlike = || {
            let here = |index: usize| alike.empty.get(&index).copied().unwrap_or_default();
            let few = (0..self.names.len()).all(|index| here(index) <= 3.max(self.rows / 20));
            few && empty.iter().all(|&index| self.columns[index].empty - here(index) <= self.rows / 200)
        };
        let is_low = |row: &&Unusual| row.nth + 2 >= self.rows;
        // A row above the last three that lacks the same value is a person, and so may this one be.
        let is_alone = |index: &usize| {
            let low = self.unusual.iter().filter(is_low).filter(|low| text::is_empty(&low.cells[*index]));
            low.count() as u64 == self.columns[*index].empty
        };
        let is_note = is_low(&row)
            && nobody
            && matches!(cells.as_slice(), [(_, cell)] if text::is_word(cell))
            && (empty.len() != 1 || is_alone(&empty[0]));
        let is_odd = self.rows >= 20 && (filled.is_empty() || self.rows >= 100) && is_unlike();
        (is_bare && ((is_note && self.rows >= 8) || is_odd)).then_some("it is nearly empty")
    }
}

/// The cells of a row in all columns.
fn cells_of(batch: &Batch, row: usize) -> impl Iterator<Item = &str> + Clone {
    batch.all().iter().map(move |cells| cells.cell(row))
}

/// An error with the texts of a row.
pub(crate) fn refusal(path: &Path, unit: &str, number: u64, what: &str, cells: &[String]) -> LocatedError {
    let shown = cells.iter().filter(|cell| !cell.is_empty()).take(8);
    let shown: Vec<String> = shown.map(|cell| format!("{:?}", palmtop_terms::words::short(cell))).collect();
    let position = if number == 0 { String::new() } else { format!("{unit} {number}: ") };
    LocatedError::new(format!("{position}{what}: {}", shown.join(", "))).in_file(path)
}

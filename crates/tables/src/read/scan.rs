//! Looks at the rows of a table while it is read: which of them may be no people, and whether the
//! names of its columns are values.
//!
//! The first rows show what each column has. A row after them is compared with that; only an odd
//! one costs more than a look at the first character of its cells.

mod header;
mod profile;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::doubts::{Doubt, DoubtKind};
use crate::source::rows::{Header, RowRules};
use profile::Profile;

/// Whether a text looks like a number or a date, and so like a value.
pub(super) fn is_value(text: &str) -> bool {
    words::begins_with_digit(text)
}

/// Whether a text is that of a total, or a number of people such as `n = 300`.
pub(crate) fn is_total(text: &str) -> bool {
    words::is_total(text)
}

/// The rows that show what a column has.
const EARLY: usize = 2000;
/// The most odd rows that are kept; tables with more have such values.
const MOST_ODD: usize = 10_000;
/// In fewer rows, an empty cell says nothing.
const FEW: u64 = 20;
/// In so many rows, a row without its other values is odd, even if its value is usual.
const MANY: u64 = 100;

/// A look at the rows of a file, from the first to the last.
#[derive(Clone)]
pub(crate) struct Scan<'a> {
    names: &'a [String],
    rules: &'a RowRules,
    early: Vec<(u64, Vec<String>)>,
    /// What each column has, after the early rows.
    profiles: Option<Arc<[Profile]>>,
    rows: u64,
    /// The empty cells of each column.
    blanks: Vec<u64>,
    odd: Vec<Odd>,
}

/// A row that does not look like the others.
#[derive(Clone)]
struct Odd {
    number: u64,
    /// Its place among all rows, from 1.
    nth: u64,
    texts: Vec<String>,
}

impl<'a> Scan<'a> {
    /// `names` are those of the columns.
    pub(crate) fn new(names: &'a [String], rules: &'a RowRules) -> Self {
        let blanks = vec![0; names.len()];
        Self { names, rules, early: Vec::new(), profiles: None, rows: 0, blanks, odd: Vec::new() }
    }

    /// Looks at a row; `number` names it in the project.
    pub(crate) fn look<'f>(&mut self, number: u64, cells: impl Iterator<Item = &'f str> + Clone) {
        if let Some(profiles) = self.profiles.take() {
            self.judge(&profiles, number, cells);
            self.profiles = Some(profiles);
        } else {
            self.early.push((number, cells.map(ToOwned::to_owned).collect()));
            if self.early.len() == EARLY {
                self.settle();
            }
        }
    }

    /// Whether it knows what each column has.
    pub(super) fn is_settled(&self) -> bool {
        self.profiles.is_some()
    }

    /// A look at rows further down, by what the same columns have.
    pub(super) fn branch(&self) -> Self {
        Self { profiles: self.profiles.clone(), ..Self::new(self.names, self.rules) }
    }

    /// Adds a look at the next rows.
    pub(super) fn append(&mut self, later: Self) {
        let before = self.rows;
        let odd = later.odd.into_iter().map(|odd| Odd { nth: before + odd.nth, ..odd });
        self.odd.extend(odd.take(MOST_ODD - self.odd.len()));
        self.rows += later.rows;
        for (blanks, later) in self.blanks.iter_mut().zip(later.blanks) {
            *blanks += later;
        }
    }

    /// Judges the early rows by what their columns have.
    fn settle(&mut self) -> &[Profile] {
        let early = std::mem::take(&mut self.early);
        // The names may stand there once more.
        let is_person = |cells: &Vec<String>| cells.as_slice() != self.names;
        let of = |column: usize| {
            let people = early.iter().filter(|(_, cells)| is_person(cells));
            Profile::of(people.map(|(_, cells)| cells[column].as_str()))
        };
        let profiles: Arc<[Profile]> = (0..self.names.len()).map(of).collect();
        for (number, cells) in &early {
            self.judge(&profiles, *number, cells.iter().map(String::as_str));
        }
        self.early = early;
        self.profiles.insert(profiles)
    }

    fn judge<'f>(&mut self, profiles: &[Profile], number: u64, cells: impl Iterator<Item = &'f str> + Clone) {
        self.rows += 1;
        let (mut filled, mut is_odd) = (0, false);
        for ((text, profile), blanks) in cells.clone().zip(profiles).zip(&mut self.blanks) {
            if words::is_blank(text) {
                *blanks += 1;
            } else {
                filled += 1;
                is_odd |= profile.is_foreign(text) || words::is_total(text);
            }
        }
        let is_sparse = filled <= 2 && 2 * filled <= self.names.len();
        if (is_odd || is_sparse || cells.clone().eq(self.names.iter().map(String::as_str)))
            && self.odd.len() < MOST_ODD
            && !self.rules.keeps(number, cells.clone())
        {
            let texts = cells.map(ToOwned::to_owned).collect();
            self.odd.push(Odd { number, nth: self.rows, texts });
        }
    }

    /// Whether the first cells of a row, and no others, are texts that nobody else has.
    pub(crate) fn is_note(&mut self, cells: &[String]) -> bool {
        if self.profiles.is_none() {
            self.settle();
        }
        let profiles = self.profiles.iter().flat_map(|profiles| profiles.iter());
        cells.iter().zip(profiles).all(|(text, profile)| {
            words::is_blank(text) || (words::is_word(text) && !profile.knows(text) && !profile.has(text))
        })
    }

    /// The doubts about the rows, after the last of them; `header` is the number of the row with
    /// the names.
    pub(crate) fn finish(mut self, header: u64) -> Vec<Doubt> {
        if self.profiles.is_none() {
            self.settle();
        }
        let profiles = self.profiles.take().unwrap_or_default();
        let mut doubts = Vec::new();
        let early = self.early.iter().map(|(_, cells)| cells.as_slice()).filter(|cells| *cells != self.names);
        if self.rules.header == Header::Unsaid && header::are_values(self.names, &profiles, early) {
            let texts = self.names.iter().filter(|name| !name.is_empty()).cloned().collect();
            doubts.push(Doubt { kind: DoubtKind::Header, number: header, texts });
        }
        let table = Table::new(&self, &profiles);
        for odd in &self.odd {
            if let Some(kind) = table.kind(odd) {
                let texts = odd.texts.iter().filter(|text| !words::is_blank(text)).cloned().collect();
                doubts.push(Doubt { kind, number: odd.number, texts });
            }
        }
        doubts
    }
}

/// What all rows of a table show about its odd ones.
struct Table<'a> {
    scan: &'a Scan<'a>,
    profiles: &'a [Profile],
    /// The odd rows with a text in a column.
    counts: HashMap<(usize, &'a str), u64>,
    /// Whether cells of a column are empty in odd rows alone.
    is_full: Vec<bool>,
}

impl<'a> Table<'a> {
    fn new(scan: &'a Scan<'a>, profiles: &'a [Profile]) -> Self {
        let mut counts = HashMap::new();
        let mut blanks = vec![0; scan.names.len()];
        for odd in &scan.odd {
            for (column, text) in odd.texts.iter().enumerate() {
                *counts.entry((column, text.as_str())).or_insert(0) += 1;
                blanks[column] += u64::from(words::is_blank(text));
            }
        }
        let few = blanks.iter().all(|&blanks| blanks <= (scan.rows / 20).max(3));
        let is_full = scan.blanks.iter().zip(&blanks);
        let is_full = is_full.map(|(&all, &odd)| few && all - odd <= scan.rows / 200).collect();
        Self { scan, profiles, counts, is_full }
    }

    /// What an odd row looks like; `None` if it looks like a person.
    fn kind(&self, odd: &Odd) -> Option<DoubtKind> {
        let cells = || odd.texts.iter().map(String::as_str).enumerate();
        let filled: Vec<(usize, &str)> = cells().filter(|(_, text)| !words::is_blank(text)).collect();
        let count = |cell: &(usize, &str)| self.counts.get(cell).copied().unwrap_or(1);
        let is_foreign = |&(column, text): &(usize, &str)| self.profiles[column].is_foreign(text);
        let is_rare = |cell: &(usize, &str)| count(cell) <= 2;
        if self.names_again(odd) {
            return Some(DoubtKind::NamesAgain);
        }
        let is_total =
            |cell: &(usize, &str)| words::is_total(cell.1) && count(cell) <= (self.scan.rows / 200).max(3);
        if filled.iter().any(is_total) {
            return Some(DoubtKind::Total);
        }
        let is_anonymous = filled.iter().all(|cell| is_foreign(cell) || !self.profiles[cell.0].knows(cell.1));
        if is_anonymous && filled.iter().any(|cell| is_foreign(cell) && is_rare(cell)) {
            let are_texts = filled.len() == odd.texts.len()
                && filled.iter().all(|(_, text)| !words::begins_with_digit(text));
            let is_second =
                odd.nth == 1 && (are_texts || filled.iter().filter(|cell| is_foreign(cell)).count() > 1);
            return Some(if is_second { DoubtKind::SecondHeader } else { DoubtKind::NoValue });
        }
        let blanks = || cells().filter(|(_, text)| words::is_blank(text));
        let is_lonely = filled.len() <= 2 && (blanks().count() >= 2 || (filled.len() < 2 && is_anonymous));
        // A text below all others, alone in its row, is a note. One empty cell tells that only if
        // no row above has such a cell.
        let is_last = self.is_last(odd) && self.scan.rows >= 8 && is_anonymous;
        let is_note = is_last
            && matches!(filled.as_slice(), [(_, text)] if words::is_word(text))
            && (blanks().count() > 1 || blanks().all(|(column, _)| self.is_full_above(column)));
        let is_told = self.scan.rows >= MANY || (self.scan.rows >= FEW && filled.is_empty());
        let is_full = || blanks().all(|(column, _)| self.is_full[column]);
        if is_lonely && (is_note || (is_told && is_full())) {
            return Some(DoubtKind::Sparse);
        }
        None
    }

    fn is_last(&self, odd: &Odd) -> bool {
        odd.nth + 2 >= self.scan.rows
    }

    /// Whether no row above the last three has an empty cell in the column.
    fn is_full_above(&self, column: usize) -> bool {
        let is_below = |odd: &&Odd| self.is_last(odd) && words::is_blank(&odd.texts[column]);
        self.scan.blanks[column] == self.scan.odd.iter().filter(is_below).count() as u64
    }

    /// Whether the row has the names once more. One name may be a value of its column.
    fn names_again(&self, odd: &Odd) -> bool {
        let is_one = odd.texts.len() == 1;
        odd.texts == self.scan.names && !(is_one && self.profiles[0].knows(&odd.texts[0]))
    }
}

#[cfg(test)]
mod tests;

//! What is looked for in a table: over all its rows, in the background, one bit a row.

use std::ops::ControlFlow;
use std::sync::Arc;

use palmtop_core::model::Role;
use palmtop_flow::pipeline::{self, Analysis, PipelineError, Which};
use palmtop_search::release::Release;

use super::sheet::{Sheet, Use, Window};
use crate::kit::slot::JobContext;
use crate::kit::words::chain;

/// How many rows are looked through before it is asked whether to go on, and told how far it is.
const STRIDE: u64 = 1 << 10;

/// The rows that have what was looked for: a bit for each row of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundRows {
    bits: Vec<u64>,
    pub(crate) count: u64,
}

impl FoundRows {
    /// Adds a row; they come in their order.
    fn push(&mut self, row: usize, is_found: bool) {
        self.bits.resize(row / 64 + 1, 0);
        self.bits[row / 64] |= u64::from(is_found) << (row % 64);
        self.count += u64::from(is_found);
    }

    fn has(&self, row: usize) -> bool {
        self.bits.get(row / 64).is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }

    /// The first row from here on; else the first of all.
    pub(crate) fn from(&self, row: usize) -> Option<usize> {
        let rows = self.bits.len() * 64;
        (row..rows).chain(0..row.min(rows)).find(|row| self.has(*row))
    }

    /// The last row before this one; else the last of all.
    pub(crate) fn before(&self, row: usize) -> Option<usize> {
        let rows = self.bits.len() * 64;
        (0..row.min(rows)).rev().chain((row..rows).rev()).find(|row| self.has(*row))
    }

    /// The place of a row among those that were found, from 1; none where it is none of them.
    pub(crate) fn rank(&self, row: usize) -> Option<u64> {
        let whole: u64 = self.bits.iter().take(row / 64).map(|bits| u64::from(bits.count_ones())).sum();
        let below = (1 << (row % 64)) - 1;
        let part = self.bits.get(row / 64).map_or(0, |bits| u64::from((bits & below).count_ones()));
        self.has(row).then_some(whole + part + 1)
    }
}

/// How a column is looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// For a part of its text, whatever the case.
    Part,
    /// For the whole of it: of an identifier that is hidden, only who knows it learns where it stands.
    Whole,
}

/// What is looked for, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) sheet: Sheet,
    /// As it was typed, without blanks around it.
    pub(crate) text: String,
    /// The columns that are looked through, by their places in the table.
    pub(crate) columns: Vec<(usize, String, Look)>,
}

impl Wanted {
    /// A text in what is shown of a sheet, and in identifiers that are not if it is the whole of one. `None` where nothing
    /// was read yet.
    pub(crate) fn new(
        analysis: &Analysis,
        sheet: Sheet,
        window: &Window,
        is_revealed: bool,
        typed: &str,
    ) -> Option<Self> {
        let columns = window.page.as_ref()?.columns.iter().enumerate();
        let columns = columns.filter_map(|(place, column)| {
            let look = match Use::of(analysis, column) {
                own if is_revealed || !own.is_hidden() => Look::Part,
                Use::Role(Role::Identifier) => Look::Whole,
                _ => return None,
            };
            Some((place, column.name.clone(), look))
        });
        Some(Self { sheet, text: typed.trim().to_owned(), columns: columns.collect() })
    }

    fn is_in(&self, look: Look, text: &str) -> bool {
        match look {
            Look::Part => has_part(text, &self.text),
            Look::Whole => text.trim() == self.text,
        }
    }
}

/// Whether a text has a part, whatever the case.
fn has_part(text: &str, part: &str) -> bool {
    if text.is_ascii() && part.is_ascii() {
        let (text, part) = (text.as_bytes(), part.as_bytes());
        return part.is_empty() || text.windows(part.len()).any(|own| own.eq_ignore_ascii_case(part));
    }
    text.to_lowercase().contains(&part.to_lowercase())
}

/// What looking through a table has to say.
pub(crate) enum Looked {
    /// How many rows it has looked through.
    Rows(u64),
    /// The first row from the cursor on.
    First(usize),
    /// All of them.
    All(Box<FoundRows>),
    /// Why the table cannot be read.
    Failed(String),
}

/// Looks through all rows; the first from `from` on is told at once.
pub(crate) fn look(
    job: &JobContext<Looked>,
    analysis: &Analysis,
    release: Option<&Arc<Release>>,
    wanted: &Wanted,
    from: usize,
) -> Option<Looked> {
    let (mut rows, mut next, mut is_told) = (FoundRows::default(), 0, false);
    let mut see = |mut cells: &mut dyn Iterator<Item = (Look, &str)>| {
        let is_found = Iterator::any(&mut cells, |(look, text)| wanted.is_in(look, text));
        rows.push(next, is_found);
        if is_found && next >= from && !is_told {
            is_told = true;
            job.part(Looked::First(next));
        }
        next += 1;
        if !(next as u64).is_multiple_of(STRIDE) {
            return ControlFlow::Continue(());
        }
        job.tell(Looked::Rows(next as u64));
        job.go_on()
    };
    let looks = || wanted.columns.iter().map(|(_, _, look)| *look);
    let done = match (wanted.sheet, release) {
        (Sheet::Release, Some(release)) => {
            let mut go_on = || job.go_on();
            pipeline::find::visit_release_rows(analysis, release, &mut go_on, &mut |row| {
                see(&mut wanted.columns.iter().map(|(place, _, look)| (*look, row[*place])))
            })
        }
        (sheet, _) => {
            let which = if sheet == Sheet::Public { Which::Public } else { Which::Private };
            let columns: Vec<&str> = wanted.columns.iter().map(|(_, name, _)| name.as_str()).collect();
            pipeline::find::visit_rows(analysis, which, &columns, &mut |row| {
                see(&mut looks().zip(row.iter().copied()))
            })
        }
    };
    match done {
        Ok(()) => Some(Looked::All(Box::new(rows))),
        Err(PipelineError::Cancelled) => None,
        Err(error) => Some(Looked::Failed(chain(&error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_gone_through_in_both_directions_and_around_the_ends() {
        let mut rows = FoundRows::default();
        let found = [0, 63, 64, 190];
        for row in 0..200 {
            rows.push(row, found.contains(&row));
        }
        assert_eq!(rows.count, 4);
        for row in 0..200 {
            let from = found.iter().find(|own| **own >= row).or(found.first()).copied();
            let before = found.iter().rev().find(|own| **own < row).or(found.last()).copied();
            let rank = found.iter().position(|own| *own == row).map(|place| place as u64 + 1);
            assert_eq!((rows.from(row), rows.before(row), rows.rank(row)), (from, before, rank), "{row}");
        }
        assert_eq!((FoundRows::default().from(7), FoundRows::default().before(7)), (None, None));
    }

    #[test]
    fn a_part_is_found_whatever_the_case() {
        for (text, part, is_in) in [
            ("Brazil", "RAZ", true),
            ("Brazil", "", true),
            ("", "x", false),
            ("ÉCOLE", "éco", true),
            ("Straße", "STRASSE", false),
        ] {
            assert_eq!(has_part(text, part), is_in, "{text} {part}");
        }
    }
}

//! The search for a text in all rows of a table, in the background; the result is a bit per row.

use std::ops::ControlFlow;
use std::sync::Arc;

use palmtop_core::model::{RankedBits, Role};
use palmtop_release::pipeline::{self, Analysis, PipelineError, Which};
use palmtop_search::release::Release;

use super::sheet::{Sheet, Use, Window};
use crate::kit::slot::JobContext;
use crate::kit::words::chain;

/// The rows between two checks of whether to go on; each check also reports progress.
const STRIDE: u64 = 1 << 10;

/// The matching rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundRows(RankedBits);

impl FoundRows {
    /// The number of matching rows.
    pub(crate) fn count(&self) -> u64 {
        self.0.count() as u64
    }

    /// The first match from this row on; else the first of all.
    pub(crate) fn from(&self, row: usize) -> Option<usize> {
        let rows = self.0.len();
        (row..rows).chain(0..row.min(rows)).find(|row| self.0.has(*row))
    }

    /// The last match before this row; else the last of all.
    pub(crate) fn before(&self, row: usize) -> Option<usize> {
        let rows = self.0.len();
        (0..row.min(rows)).rev().chain((row..rows).rev()).find(|row| self.0.has(*row))
    }

    /// The number of a row among the matches, from 1; none if the row does not match.
    pub(crate) fn rank(&self, row: usize) -> Option<u64> {
        (row < self.0.len() && self.0.has(row)).then(|| u64::from(self.0.rank(row)) + 1)
    }
}

/// The way a column is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// For a part of its text, in upper or lower case.
    Part,
    /// For the complete text. A hidden identifier is found only by an analyst who knows all of it.
    Complete,
}

/// A text to find, and the searched columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) sheet: Sheet,
    /// The typed text without outer blanks.
    pub(crate) text: String,
    /// The searched columns, by their indices in the table.
    pub(crate) columns: Vec<(usize, String, Look)>,
}

impl Wanted {
    /// A search in the shown values of a sheet, and for complete hidden identifiers. `None` if no
    /// rows were read yet.
    pub(crate) fn new(
        analysis: &Analysis,
        sheet: Sheet,
        window: &Window,
        is_revealed: bool,
        typed: &str,
    ) -> Option<Self> {
        let columns = window.page.as_ref()?.columns.iter().enumerate();
        let columns = columns.filter_map(|(index, column)| {
            let look = match Use::of(analysis, column) {
                purpose if is_revealed || !purpose.is_hidden() => Look::Part,
                Use::Role(Role::Identifier) => Look::Complete,
                _ => return None,
            };
            Some((index, column.name.clone(), look))
        });
        Some(Self { sheet, text: typed.trim().to_owned(), columns: columns.collect() })
    }

    fn is_in(&self, look: Look, text: &str) -> bool {
        match look {
            Look::Part => has_part(text, &self.text),
            Look::Complete => text.trim() == self.text,
        }
    }
}

/// Whether a text has a part, in upper or lower case.
fn has_part(text: &str, part: &str) -> bool {
    if text.is_ascii() && part.is_ascii() {
        let (text, part) = (text.as_bytes(), part.as_bytes());
        return part.is_empty() || text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part));
    }
    text.to_lowercase().contains(&part.to_lowercase())
}

/// A message of the search.
pub(crate) enum Looked {
    /// The number of rows searched so far.
    Rows(u64),
    /// The first match from the cursor on.
    First(usize),
    /// All matches.
    All(Box<FoundRows>),
    /// Why the table cannot be read.
    Failed(String),
}

/// Searches all rows; reports the first match from `from` on at once.
pub(crate) fn look(
    job: &JobContext<Looked>,
    analysis: &Analysis,
    release: Option<&Arc<Release>>,
    wanted: &Wanted,
    from: usize,
) -> Option<Looked> {
    let (mut rows, mut next, mut is_reported) = (FoundRows::default(), 0, false);
    let mut see = |mut cells: &mut dyn Iterator<Item = (Look, &str)>| {
        let is_found = Iterator::any(&mut cells, |(look, text)| wanted.is_in(look, text));
        rows.0.push(is_found);
        if is_found && next >= from && !is_reported {
            is_reported = true;
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
                see(&mut wanted.columns.iter().map(|(index, _, look)| (*look, row[*index])))
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
    fn finding_rows_wraps_around_in_both_directions() {
        let mut rows = FoundRows::default();
        let found = [0, 63, 64, 190];
        for row in 0..200 {
            rows.0.push(found.contains(&row));
        }
        assert_eq!(rows.count(), 4);
        for row in 0..200 {
            let from = found.iter().find(|hit| **hit >= row).or(found.first()).copied();
            let before = found.iter().rev().find(|hit| **hit < row).or(found.last()).copied();
            let rank = found.iter().position(|hit| *hit == row).map(|index| index as u64 + 1);
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

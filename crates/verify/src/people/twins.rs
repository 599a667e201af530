//! Refuses a file of P whose rows are those of T, or of another file of P, in another form: another format, another order.
//!
//! Only files with equally many rows are read again. A row becomes a number of 64 bits, and the sum of these numbers stands for
//! the rows in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use super::count::Tally;
use super::layout::Layout;
use super::settings::AttributeSpec;
use crate::problems::VerifyError;
use crate::read::Table;
use crate::values::{Notation, Spelling, TableNotation};
use palmtop_terms::{Level, LocatedError, Role};

/// The most columns that are compared beside the quasi-identifiers.
const MOST: usize = 64;

/// Two parts of tables with fewer different combinations, and without other columns, may agree by chance.
const FEWEST: usize = 5;

/// A table whose files are compared.
struct Side<'a> {
    table: &'a Table,
    rows: &'a [u64],
    /// The columns of the quasi-identifiers, with their spelling.
    quasi: Vec<(usize, &'a Spelling, &'a TableNotation)>,
    /// The other columns.
    others: Vec<usize>,
}

/// The rows of files, without their order.
#[derive(Clone, Debug, Default)]
struct Rows {
    quasi: u64,
    /// Some different combinations.
    combinations: BTreeSet<u64>,
    /// For each other column: the sum with this column, and its texts, at most two.
    others: BTreeMap<String, (u64, Vec<String>)>,
}

/// Refuses a file of P with the rows of T, of one of T's files, or of an earlier file of P. A P of one file may have all rows of T.
pub(crate) fn check(layout: &Layout, public: &Tally, private: &Tally) -> Result<(), VerifyError> {
    if layout.public.file_count() < 2 {
        return Ok(());
    }
    let hasher = RandomState::new();
    let of_public = Side::of(layout, &layout.public, public, false)?;
    let separate = layout.separate().map(|table| Side::of(layout, table, private, true));
    let of_private = separate.transpose()?;
    for (file, &rows) in of_public.rows.iter().enumerate().filter(|(_, rows)| **rows > 0) {
        // Each candidate is one file, or all files of T.
        let mut candidates: Vec<(&Side, Vec<usize>)> = Vec::new();
        if let Some(side) = &of_private {
            candidates.extend((0..side.rows.len()).map(|file| (side, vec![file])));
            candidates.push((side, (0..side.rows.len()).collect()));
        }
        candidates.extend((0..file).map(|file| (&of_public, vec![file])));
        candidates.retain(|(side, files)| files.iter().map(|&file| side.rows[file]).sum::<u64>() == rows);
        if candidates.is_empty() {
            continue;
        }
        let found = of_public.read(&[file], &hasher)?;
        for (side, files) in candidates {
            let is_public = std::ptr::eq(side, &raw const of_public);
            if found.are(&side.read(&files, &hasher)?, !is_public && files.len() == side.rows.len()) {
                return Err(refused(
                    layout.public.file_name(file),
                    side.table.file_name(files[0]),
                    is_public,
                ));
            }
        }
    }
    Ok(())
}

fn refused(file: &Path, other: &Path, is_public: bool) -> VerifyError {
    let part = if is_public { "P" } else { "T" };
    LocatedError::new(format!(
        "{}, a file of P, has the rows of {}, a file of {part}, in another form, so its people would count twice",
        file.display(),
        other.display()
    ))
    .remedy("leave it out of P; if they are other people, put them and the rest of P into one file")
    .into()
}

impl<'a> Side<'a> {
    fn of(
        layout: &Layout<'a>,
        table: &'a Table,
        tally: &'a Tally,
        is_private: bool,
    ) -> Result<Self, VerifyError> {
        // P's labels are not compared with T's values.
        let has_values = |attribute: &&AttributeSpec| {
            let level = attribute.hierarchy.as_ref().map_or(Level(0), |hierarchy| hierarchy.public_level);
            attribute.role == Role::Quasi && level == Level(0)
        };
        let mut quasi = Vec::new();
        for attribute in layout.attributes.iter().filter(has_values) {
            let (name, notation) = if is_private {
                (&attribute.private_column, &attribute.spelling.private)
            } else {
                (&attribute.public_column, &attribute.spelling.public)
            };
            quasi.push((table.column_index(name, "column")?, &attribute.spelling, notation));
        }
        let is_other = |index: &usize| quasi.iter().all(|(known, ..)| known != index);
        let others = (0..table.columns.len()).filter(is_other).filter(|&index| table.is_readable(index));
        let others = others.take(MOST).collect();
        Ok(Self { table, rows: &tally.file_rows, quasi, others })
    }

    fn read(&self, files: &[usize], hasher: &RandomState) -> Result<Rows, VerifyError> {
        let width = self.quasi.len();
        let mut columns: Vec<usize> = self.quasi.iter().map(|(index, ..)| *index).collect();
        columns.extend(&self.others);
        let names = self.others.iter().map(|&index| (self.table.columns[index].clone(), Default::default()));
        let mut rows = Rows { quasi: 0, combinations: BTreeSet::new(), others: names.collect() };
        let mut by_column: Vec<(u64, Vec<String>)> = vec![Default::default(); self.others.len()];
        for &file in files {
            self.table.visit_file(file, &columns, &mut |texts| {
                let value =
                    |(text, (_, spelling, notation)): (&&str, &(usize, &Spelling, &TableNotation))| {
                        loose(&spelling.value(notation, text).unwrap_or_else(|_| (*text).to_owned()))
                    };
                let values: Vec<String> = texts.iter().zip(&self.quasi).map(value).collect();
                let combination = hasher.hash_one(&values);
                rows.quasi = rows.quasi.wrapping_add(combination);
                if rows.combinations.len() < FEWEST {
                    rows.combinations.insert(combination);
                }
                for ((sum, known), text) in by_column.iter_mut().zip(&texts[width..]) {
                    let text = loose(text);
                    *sum = sum.wrapping_add(hasher.hash_one((&values, &text)));
                    if known.len() < 2 && !known.contains(&text) {
                        known.push(text);
                    }
                }
                Ok(())
            })?;
        }
        for (&index, found) in self.others.iter().zip(by_column) {
            rows.others.insert(self.table.columns[index].clone(), found);
        }
        Ok(rows)
    }
}

impl Rows {
    /// Whether the rows are the same: their quasi-identifiers agree, and with at least one other column that both tables have and
    /// that has several texts, if there is one. Other people with the same quasi-identifiers differ in all these columns.
    fn are(&self, other: &Self, is_all_of_private: bool) -> bool {
        let mut shared = Vec::new();
        for (name, (sum, texts)) in &self.others {
            if let Some((other_sum, other_texts)) = other.others.get(name)
                && (texts.len() > 1 || other_texts.len() > 1)
            {
                shared.push(sum == other_sum);
            }
        }
        let is_clear = is_all_of_private || self.combinations.len() >= FEWEST;
        self.quasi == other.quasi && (shared.contains(&true) || (shared.is_empty() && is_clear))
    }
}

/// A text without what formats change: blanks around it, the spelling of a number, the midnight of a date.
fn loose(text: &str) -> String {
    let text = text.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
    let day = text.strip_suffix("00:00:00").map_or(text, |day| day.trim_end_matches(['T', ' ']));
    let notation = Notation::Number { decimal: '.', thousands: None, first: None, last: None };
    let number = TableNotation { notation, ..TableNotation::default() };
    Spelling::default().value(&number, day).unwrap_or_else(|_| day.to_owned())
}

//! Refuses a file of P that has the rows of T, or of another file of P, in another form: another
//! format, another spelling of numbers, another order of rows.
//!
//! Only files with equally many rows are read again. Rows are compared by hashes of 128 bits, whose
//! sum does not depend on their order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use super::alike::bare;
use crate::error::DataError;
use crate::identity::{self, Input, InputRole, Naming};
use crate::read::{ReadFile, Table};
use crate::values::reading::Reading;
use palmtop_core::progress::Meter;

/// The most columns beside the quasi-identifiers that are compared.
const MOST_OTHERS: usize = 64;

/// With fewer different combinations and no other column, two parts of tables may agree by chance.
const FEWEST: usize = 5;

/// A table with the columns that are compared.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    /// The table.
    pub table: &'a Table,
    /// Its files with their numbers of rows.
    pub files: &'a [ReadFile],
    /// The quasi-identifiers with their readings, in the same order for P and T.
    pub quasi: Vec<(&'a str, &'a Reading)>,
}

/// The rows of one file, or of several, without their order.
#[derive(Clone, Debug, Default)]
struct Rows {
    quasi: u128,
    /// The first different combinations, at most [`FEWEST`].
    first: Vec<u128>,
    /// For each other column: its name, the quasi-identifiers with it, and its only text.
    others: HashMap<String, Other>,
}

#[derive(Clone, Debug, Default)]
struct Other {
    sum: u128,
    /// The text of all rows so far; `None` if there are several.
    only: Option<String>,
}

impl Rows {
    /// Whether the rows are the same. All quasi-identifiers agree; and if both have other columns
    /// with several values, at least one of them agrees too, because other people with the same
    /// quasi-identifiers differ in all of these. Without such columns, parts of tables must have
    /// several combinations.
    fn are_those_of(&self, other: &Self, is_part: bool) -> bool {
        if self.quasi != other.quasi {
            return false;
        }
        let shared = self.others.iter().filter_map(|(name, mine)| Some((mine, other.others.get(name)?)));
        let mut shared =
            shared.filter(|(mine, other)| mine.only.is_none() || other.only.is_none()).peekable();
        if shared.peek().is_none() {
            return !is_part || self.first.len() == FEWEST;
        }
        shared.any(|(mine, other)| mine.sum == other.sum)
    }

    #[expect(clippy::iter_over_hash_type, reason = "each column is joined by itself")]
    fn joined(mut self, other: &Self) -> Self {
        self.quasi = self.quasi.wrapping_add(other.quasi);
        for (name, column) in &mut self.others {
            if let Some(other) = other.others.get(name) {
                column.sum = column.sum.wrapping_add(other.sum);
                column.only = column.only.take().filter(|only| Some(only) == other.only.as_ref());
            }
        }
        self
    }
}

/// Refuses a file of P with the rows of T or of a file of T; and if `among_public`, with those of
/// another file of P. A P of one file may have the rows of T: then everyone in P is in T.
///
/// # Errors
/// A [`DataError`] with both files and the line to write, or if a file cannot be read;
/// [`DataError::Cancelled`] if the meter asks to stop.
pub fn check(
    public: &Compared,
    private: Option<&Compared>,
    among_public: bool,
    inputs: &[Input],
    naming: Naming,
    meter: &mut Meter,
) -> Result<(), DataError> {
    if public.files.len() < 2 {
        return Ok(());
    }
    let mut memory = Memory { hashers: Default::default(), known: HashMap::new() };
    let of_public = public.others(private);
    let of_private = private.map(|private| private.others(Some(public))).unwrap_or_default();
    let refused = |first: Input, second: &ReadFile| {
        let second = (InputRole::Public, second.path.clone());
        Err(identity::same_rows(inputs, &first, &second, naming).into())
    };
    for (nth, file) in public.files.iter().enumerate().filter(|(_, file)| file.rows > 0) {
        if let Some(private) = private {
            for (number, other) in private.files.iter().enumerate() {
                if other.rows == file.rows
                    && memory.of(public, nth, &of_public, meter)?.are_those_of(
                        &memory.of(private, number, &of_private, meter)?,
                        private.files.len() > 1,
                    )
                {
                    return refused((InputRole::Private, other.path.clone()), file);
                }
            }
            if private.files.len() > 1 && private.files.iter().map(|file| file.rows).sum::<u64>() == file.rows
            {
                let mut all = memory.of(private, 0, &of_private, meter)?;
                for number in 1..private.files.len() {
                    all = all.joined(&memory.of(private, number, &of_private, meter)?);
                }
                if memory.of(public, nth, &of_public, meter)?.are_those_of(&all, false) {
                    return refused((InputRole::Private, private.table.path().to_owned()), file);
                }
            }
        }
        for (before, other) in public.files[..nth].iter().enumerate().filter(|_| among_public) {
            if other.rows == file.rows
                && memory
                    .of(public, nth, &of_public, meter)?
                    .are_those_of(&memory.of(public, before, &of_public, meter)?, true)
            {
                return refused((InputRole::Public, other.path.clone()), file);
            }
        }
    }
    Ok(())
}

impl Compared<'_> {
    /// The columns that are compared beside the quasi-identifiers, first those that the other table
    /// has too.
    fn others(&self, other: Option<&Self>) -> Vec<String> {
        let is_quasi = |name: &str| self.quasi.iter().any(|(column, _)| *column == name);
        let columns = self.table.columns().iter();
        let columns = columns.filter(|name| !is_quasi(name) && self.table.is_readable(name));
        let is_shared = |name: &&String| other.is_some_and(|other| other.table.has(name));
        let (mut columns, rest): (Vec<&String>, Vec<&String>) = columns.partition(is_shared);
        columns.extend(rest);
        columns.into_iter().take(MOST_OTHERS).cloned().collect()
    }
}

/// The rows of the files that were read.
struct Memory {
    hashers: [RandomState; 2],
    known: HashMap<PathBuf, Rows>,
}

impl Memory {
    fn of(
        &mut self,
        compared: &Compared,
        file: usize,
        others: &[String],
        meter: &mut Meter,
    ) -> Result<Rows, DataError> {
        let path = compared.files[file].path.clone();
        if let Some(rows) = self.known.get(&path) {
            return Ok(rows.clone());
        }
        let width = compared.quasi.len();
        let mut columns: Vec<&str> = compared.quasi.iter().map(|(column, _)| *column).collect();
        columns.extend(others.iter().map(String::as_str));
        let mut values: Vec<HashMap<String, String>> = vec![HashMap::new(); columns.len()];
        let (mut quasi, mut columns_of_others) = (0_u128, vec![Other::default(); others.len()]);
        let (mut is_first, mut first) = (true, Vec::with_capacity(FEWEST));
        let hash = |hashed: (&[String], usize, &str)| {
            let [high, low] = self.hashers.each_ref().map(|hasher| u128::from(hasher.hash_one(hashed)));
            high << 64 | low
        };
        let mut row: Vec<String> = Vec::with_capacity(width);
        compared.table.visit_file(file, &columns, meter, &mut |texts| {
            row.clear();
            for (nth, text) in texts[..width].iter().enumerate() {
                let known = values[nth].get(*text).cloned();
                row.push(known.unwrap_or_else(|| {
                    let value = compared.quasi[nth].1.read(text).unwrap_or(Cow::Borrowed(*text));
                    values[nth].entry((*text).to_owned()).or_insert(plain(&value)).clone()
                }));
            }
            let combination = hash((&row, 0, ""));
            quasi = quasi.wrapping_add(combination);
            if first.len() < FEWEST && !first.contains(&combination) {
                first.push(combination);
            }
            for (nth, (other, text)) in columns_of_others.iter_mut().zip(&texts[width..]).enumerate() {
                let text = plain(text);
                other.sum = other.sum.wrapping_add(hash((&row, nth + 1, &text)));
                match &other.only {
                    _ if is_first => other.only = Some(text),
                    Some(only) if *only != text => other.only = None,
                    _ => {}
                }
            }
            is_first = false;
        })?;
        let rows = Rows { quasi, first, others: others.iter().cloned().zip(columns_of_others).collect() };
        self.known.insert(path, rows.clone());
        Ok(rows)
    }
}

/// A text without differences between formats: blanks around it, zeros of a number, and the
/// midnight of a date.
fn plain(text: &str) -> String {
    let text = bare(text);
    let text = text.strip_suffix(" 00:00:00").or_else(|| text.strip_suffix("T00:00:00")).unwrap_or(&text);
    let is_decimal = text.split_once('.').is_some_and(|(integer, fraction)| {
        [integer.trim_start_matches('-'), fraction]
            .iter()
            .all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    });
    if is_decimal { text.trim_end_matches('0').to_owned() } else { text.to_owned() }
}

//! From text to leaf codes, and from a table to its distinct combinations with counts.

use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::*;
use rustc_hash::FxHashMap;

use super::error::DataError;
use super::hierarchies::Domain;
use super::read::Table;
use super::watch::{self, Meter, Passing};
use crate::model::Code;

/// The codes of one quasi-identifier: its leaves, then the private values that are no leaf.
#[derive(Debug)]
struct Dictionary {
    codes: FxHashMap<String, Code>,
    texts: Vec<String>,
}

/// Encodes rows of texts as combinations, and combinations as packed keys.
///
/// A key is a mixed-radix number of as many quasi-identifiers as 64 bits hold; where they do not hold all, there are
/// several keys.
#[derive(Clone, Debug)]
pub struct Encoder {
    dictionaries: Arc<[Dictionary]>,
    /// For each key, the quasi-identifiers in it.
    chunks: Vec<std::ops::Range<usize>>,
}

/// A table reduced to distinct combinations: one column of keys per chunk, and the people of each combination.
#[derive(Clone, Debug, Default)]
pub struct Reduced {
    pub(super) keys: Vec<Vec<u64>>,
    pub(super) people: Vec<u64>,
    rows: u64,
}

impl Reduced {
    /// The rows that it was reduced from.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

/// What one row stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weight {
    /// One person.
    One,
    /// As many people as this column says.
    Count(String),
}

impl Encoder {
    /// An encoder for these hierarchies, and for the private values (per quasi-identifier) that may be no leaf.
    pub fn new(domains: &[Domain], private_values: &[Vec<String>]) -> Self {
        let dictionaries: Arc<[Dictionary]> = domains
            .iter()
            .zip(private_values)
            .map(|(domain, private)| Dictionary::new(domain, private))
            .collect();
        let mut chunks = Vec::new();
        let (mut start, mut span) = (0, 1_u64);
        for (place, dictionary) in dictionaries.iter().enumerate() {
            let radix = dictionary.texts.len() as u64;
            span = span.checked_mul(radix).unwrap_or_else(|| {
                chunks.push(start..place);
                start = place;
                radix
            });
        }
        chunks.push(start..dictionaries.len());
        Self { dictionaries, chunks }
    }

    /// The code of a text; `None` for one that neither a leaf nor a private value has.
    pub fn code(&self, attribute: usize, text: &str) -> Option<Code> {
        self.dictionaries[attribute].codes.get(text).copied()
    }

    /// The text of a code: the leaf's, or the private value's.
    pub fn text(&self, attribute: usize, code: Code) -> &str {
        &self.dictionaries[attribute].texts[code as usize]
    }

    /// Reduces a table to its distinct combinations, in one lazy streaming query.
    ///
    /// `columns` are the quasi-identifiers' columns in project order; `member` keeps only the rows where that column is
    /// true. The meter is told of the rows read, now and then.
    ///
    /// # Errors
    /// A [`DataError`]: the table cannot be read, or holds a text that its survey did not;
    /// [`DataError::Cancelled`] where the meter says stop.
    pub fn reduce(
        &self,
        table: &Table,
        columns: &[&str],
        weight: &Weight,
        member: Option<&str>,
        meter: &mut Meter,
    ) -> Result<Reduced, DataError> {
        let stranger = Arc::new(Mutex::new(None));
        let count = |passing: Passing| {
            table.collect(self.counting(table, columns, weight, member, &stranger, &passing)?)
        };
        let collected = watch::watched(meter, count).ok_or(DataError::Cancelled)?;
        if let Some(text) = stranger.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let detail = format!("two readings of it differ: one of them found {text:?}");
            return Err(DataError::Malformed { path: table.path().to_owned(), detail });
        }
        let collected = collected?;
        let numbers = |column: &Column| -> PolarsResult<Vec<u64>> {
            Ok(column.u64()?.iter().map(Option::unwrap_or_default).collect())
        };
        let mut columns: Vec<Vec<u64>> = collected
            .columns()
            .iter()
            .map(numbers)
            .collect::<PolarsResult<_>>()
            .map_err(|error| table.polars_error(&error))?;
        let rows = columns.pop().unwrap_or_default().into_iter().sum();
        let people = columns.pop().unwrap_or_default();
        Ok(Reduced { keys: columns, people, rows })
    }

    /// The query that counts: a column for each key, the people, the rows. It leaves a text that it does not know with
    /// `stranger`.
    fn counting(
        &self,
        table: &Table,
        columns: &[&str],
        weight: &Weight,
        member: Option<&str>,
        stranger: &Arc<Mutex<Option<String>>>,
        passing: &Passing,
    ) -> Result<LazyFrame, DataError> {
        let count = match weight {
            Weight::One => None,
            Weight::Count(column) => Some(column.as_str()),
        };
        let needed: Vec<&str> = columns.iter().copied().chain(count).chain(member).collect();
        let mut scan = table.scan(&needed)?;
        if let Some(member) = member {
            scan = scan.filter(is_member_row(col(member)));
        }
        let key_names: Vec<String> = (0..self.chunks.len()).map(|chunk| format!("key {chunk}")).collect();
        let mut selected: Vec<Expr> = Vec::new();
        for (chunk, name) in self.chunks.iter().zip(&key_names) {
            // Every row passes through each key; it is counted once.
            let passing = (chunk.start == 0).then(|| passing.clone());
            selected.push(self.key(chunk.clone(), columns, stranger, passing).alias(name.as_str()));
        }
        let people = match count {
            None => len().alias("people"),
            Some(column) => {
                selected.push(col(column).map(counts, |_, field| number_field(field)).alias("count"));
                col("count").sum().alias("people")
            }
        };
        let keys: Vec<Expr> = key_names.iter().map(|name| col(name.as_str())).collect();
        let rows = len().alias("rows").cast(DataType::UInt64);
        Ok(scan.select(selected).group_by(keys).agg([people.cast(DataType::UInt64), rows]))
    }

    /// The expression that packs some quasi-identifiers of a row into one key.
    fn key(
        &self,
        chunk: std::ops::Range<usize>,
        columns: &[&str],
        stranger: &Arc<Mutex<Option<String>>>,
        passing: Option<Passing>,
    ) -> Expr {
        let dictionaries = Arc::clone(&self.dictionaries);
        let stranger = Arc::clone(stranger);
        let inputs: Vec<Expr> = chunk.clone().map(|place| col(columns[place])).collect();
        let pack = move |texts: &mut [Column]| {
            let rows = texts.first().map_or(0, Column::len);
            if passing.as_ref().is_some_and(|passing| passing.pass(rows).is_break()) {
                polars_bail!(ComputeError: "stopped on request");
            }
            let mut keys = vec![0_u64; rows];
            for (column, dictionary) in texts.iter().zip(&dictionaries[chunk.clone()]) {
                let radix = dictionary.texts.len() as u64;
                for (key, text) in keys.iter_mut().zip(column.str()?.iter()) {
                    let text = text.unwrap_or_default();
                    let Some(&code) = dictionary.codes.get(text) else {
                        *stranger.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_owned());
                        polars_bail!(ComputeError: "a value that the survey of the table did not see");
                    };
                    *key = *key * radix + u64::from(code);
                }
            }
            Ok(Column::new("key".into(), keys))
        };
        let (first, rest) =
            inputs.split_first().map_or((lit(0), &[][..]), |(first, rest)| (first.clone(), rest));
        first.map_many(pack, rest, |_, fields| number_field(&fields[0]))
    }

    /// Unpacks the keys of one combination of a reduced table.
    pub(super) fn unpack(&self, reduced: &Reduced, index: usize, codes: &mut Vec<Code>) {
        codes.clear();
        codes.resize(self.dictionaries.len(), 0);
        for (chunk, keys) in self.chunks.iter().zip(&reduced.keys) {
            let mut key = keys[index];
            for place in chunk.clone().rev() {
                let radix = self.dictionaries[place].texts.len() as u64;
                codes[place] = Code::try_from(key % radix).unwrap_or(Code::MAX);
                key /= radix;
            }
        }
    }
}

impl Dictionary {
    fn new(domain: &Domain, private: &[String]) -> Self {
        let hierarchy = &domain.hierarchy;
        let leaves = Code::try_from(hierarchy.leaf_count()).unwrap_or(Code::MAX);
        let mut texts: Vec<String> = (0..leaves).map(|code| hierarchy.leaf(code).to_owned()).collect();
        let mut codes: FxHashMap<String, Code> = texts.iter().cloned().zip(0..).collect();
        for text in private {
            let code = domain.code(text).unwrap_or_else(|| {
                texts.push(text.clone());
                Code::try_from(texts.len() - 1).unwrap_or(Code::MAX)
            });
            codes.entry(text.clone()).or_insert(code);
        }
        Self { codes, texts }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the form that Polars calls")]
fn number_field(field: &Field) -> PolarsResult<Field> {
    Ok(Field::new(field.name().clone(), DataType::UInt64))
}

#[expect(clippy::unnecessary_wraps, reason = "the form that Polars calls")]
fn boolean_field(field: &Field) -> PolarsResult<Field> {
    Ok(Field::new(field.name().clone(), DataType::Boolean))
}

/// The counts of a column of texts; each was checked when the table was surveyed.
#[expect(clippy::needless_pass_by_value, reason = "the form that Polars calls")]
fn counts(column: Column) -> PolarsResult<Column> {
    let numbers = column.str()?.iter().map(|text| count_of(text.unwrap_or_default()).unwrap_or(0));
    Ok(Column::new("count".into(), numbers.collect::<Vec<u64>>()))
}

/// Whether a row's person is in T, by the text of its member column.
pub(super) fn is_member_row(text: Expr) -> Expr {
    text.map(members, |_, field| boolean_field(field))
}

#[expect(clippy::needless_pass_by_value, reason = "the form that Polars calls")]
fn members(column: Column) -> PolarsResult<Column> {
    let marks = column.str()?.iter().map(|text| is_member(text.unwrap_or_default()) == Some(true));
    Ok(Column::new("member".into(), marks.collect::<Vec<bool>>()))
}

/// How many people a row stands for: a positive whole number.
pub fn count_of(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let count = if plain { text.parse::<u32>().ok()? } else { return None };
    (count > 0).then_some(u64::from(count))
}

/// Whether a row's person is in T; `None` for a text that says neither.
pub fn is_member(text: &str) -> Option<bool> {
    match text {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" | "" => Some(false),
        _ => None,
    }
}

/// The counts that a survey found, checked.
///
/// # Errors
/// [`DataError::NotACount`] with the first row that has another text.
pub fn check_counts(table: &Table, column: &str, distinct: &[String]) -> Result<(), DataError> {
    let Some(value) = distinct.iter().find(|text| count_of(text).is_none()) else {
        return Ok(());
    };
    let texts = table.rows(&[column])?.pop().unwrap_or_default();
    let row = texts.iter().position(|text| text == value).map_or(0, |place| place as u64 + 1);
    let (path, column) = (table.path().to_owned(), column.to_owned());
    Err(DataError::NotACount { path, row, column, value: value.clone() })
}

/// The memberships that a survey found, checked.
///
/// # Errors
/// [`DataError::NotAMembership`] with the first text that is none.
pub fn check_members(table: &Table, column: &str, distinct: &[String]) -> Result<(), DataError> {
    let Some(value) = distinct.iter().find(|text| is_member(text).is_none()) else {
        return Ok(());
    };
    let (path, column) = (table.path().to_owned(), column.to_owned());
    Err(DataError::NotAMembership { path, column, value: value.clone() })
}

//! A table reduced to its distinct combinations of texts with their people, and further facts on
//! its rows.

use rustc_hash::FxHashMap;

use super::alike::AlikeIdentifiers;
use super::packed::Combinations;
use super::weight::{CountColumn, MemberColumn};
use crate::error::DataError;
use crate::error::refused::{Held, Refusal, RefusedValue, RefusedValues};
use crate::read::{Identified, ReadFile, Table};
use crate::source::position::At;
use crate::values::reading::Misread;

/// The meaning of a table's columns.
#[derive(Clone, Debug, Default)]
pub struct TallySpec<'a> {
    /// The columns of the quasi-identifiers, in project order.
    pub quasi: Vec<&'a str>,
    /// The column with the number of people of a row; without it, a row is one person.
    pub count: Option<&'a CountColumn>,
    /// The column that marks the members of T.
    pub member: Option<&'a MemberColumn>,
    /// Identifiers of T, in which spellings of one identifier are looked for.
    pub identifiers: Vec<&'a str>,
    /// Identifiers that no two rows may share.
    pub persons: Vec<Identified>,
    /// Columns without a role.
    pub spare: Vec<&'a str>,
    /// Columns without a role that may say who is a person.
    pub maybe_persons: Vec<Identified>,
}

/// A table reduced to its distinct combinations.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The distinct texts of each quasi-identifier, in order of appearance.
    pub(crate) texts: Vec<Texts>,
    /// Taken when they are turned into codes.
    pub(crate) combinations: Combinations,
    /// The number of distinct combinations.
    pub distinct_combinations: usize,
    /// The number of rows, without the header.
    pub rows: u64,
    /// The number of rows whose people are in T.
    pub member_rows: u64,
    /// The spare columns that look like counts: whole numbers from 1 on in each row, some of them
    /// repeated.
    pub count_like: Vec<String>,
    /// The identifiers that differ only in spelling, for each column that has some.
    pub alike: Vec<AlikeIdentifiers>,
    /// The files read.
    pub files: Vec<ReadFile>,
}

impl Tally {
    /// Shows each distinct combination, by the numbers of its texts, with its people.
    pub fn visit(&self, show: impl FnMut(&[u32], palmtop_core::model::Counts)) {
        self.combinations.visit(show);
    }

    /// The distinct values of a quasi-identifier, sorted.
    pub fn distinct(&self, attribute: usize) -> Vec<String> {
        let mut texts = self.texts(attribute).to_vec();
        texts.sort_unstable();
        texts.dedup();
        texts
    }

    /// The value of each distinct text of a quasi-identifier, by the text's number in the
    /// combinations.
    pub fn texts(&self, attribute: usize) -> &[String] {
        let Texts { list, values, .. } = &self.texts[attribute];
        values.as_ref().unwrap_or(list)
    }

    /// Each distinct text of a column with its value.
    pub fn readings(&self, attribute: usize) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.texts[attribute].list.iter().zip(self.texts(attribute));
        texts.map(|(text, value)| (text.as_str(), value.as_str()))
    }

    /// Reads the texts of each quasi-identifier as `held` describes.
    ///
    /// # Errors
    /// [`DataError::Refused`] with all texts that cannot be read.
    pub fn read(&mut self, table: &Table, held: &[Held]) -> Result<(), DataError> {
        let mut wrong = Vec::new();
        for (attribute, held) in held.iter().enumerate().filter(|(_, held)| !held.reading.is_plain()) {
            wrong.push(self.read_column(table, attribute, held));
        }
        DataError::all(wrong)
    }

    fn read_column(&mut self, table: &Table, attribute: usize, held: &Held) -> Result<(), DataError> {
        let list = &self.texts[attribute].list;
        let (mut values, mut refused) = (Vec::with_capacity(list.len()), Vec::new());
        for text in list {
            match held.reading.read(text) {
                Ok(value) => values.push(value.into_owned()),
                Err(misread) => refused.push((misread, text)),
            }
        }
        refused.sort_unstable();
        let Some(&(first, _)) = refused.first() else {
            self.texts[attribute].values = Some(values);
            return Ok(());
        };
        let alike: Vec<&String> =
            refused.into_iter().filter(|(misread, _)| *misread == first).map(|(_, text)| text).collect();
        let refusal = match first {
            Misread::Form => Refusal::Form(held.reading.form.expected()),
            Misread::IsLabel => Refusal::Label,
        };
        let values = RefusedValues::new(held, refusal, &alike, &|_| false, &[], None);
        Err(DataError::Refused(Box::new(
            values.with_positions(&|text| self.position(table, attribute, text)),
        )))
    }

    /// The first row in the table with a value of a quasi-identifier, and the number of its people.
    pub fn position(&self, table: &Table, attribute: usize, value: &str) -> RefusedValue {
        let numbers = self.texts(attribute).iter().zip(0_u32..).filter(|(text, _)| *text == value);
        let numbers: Vec<u32> = numbers.map(|(_, number)| number).collect();
        let rows = numbers.iter().map(|&number| self.texts[attribute].rows[number as usize]);
        let mut people = 0;
        self.combinations.visit(|row, counts| {
            if numbers.contains(&row[attribute]) {
                people += counts.public;
            }
        });
        RefusedValue { text: value.to_owned(), row: rows.min().map(|at| table.position(at)), people }
    }
}

/// The distinct texts of one column, numbered in order of appearance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    list: Vec<String>,
    /// The value of each text, unless all texts are their own values.
    values: Option<Vec<String>>,
    /// The first row with each text.
    rows: Vec<At>,
    numbers: FxHashMap<String, u32>,
}

impl Texts {
    /// Texts in the order of their numbers, each with its first row; no text can be added.
    pub(crate) fn of(listed: Vec<(String, At)>) -> Self {
        let (list, rows) = listed.into_iter().unzip();
        Self { list, values: None, rows, numbers: FxHashMap::default() }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Each text with its first row.
    pub(crate) fn listed(&self) -> Vec<(&str, At)> {
        self.list.iter().map(String::as_str).zip(self.rows.iter().copied()).collect()
    }

    pub(crate) fn number(&mut self, text: &str, row: At) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        // Row numbers have 32 bits too, and there are no more texts than rows.
        let number = u32::try_from(self.list.len()).expect("fewer texts than 32 bits can number");
        self.list.push(text.to_owned());
        self.rows.push(row);
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

//! The probabilities in a column of P, collected while the table is counted.

use rustc_hash::FxHashMap;

use super::groups::Groups;
use crate::error::DataError;
use crate::read::Table;
use crate::source::position::At;
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Counts, Presence, size};

/// A table's combinations of texts by the probability of their people.
#[derive(Clone, Debug)]
pub(super) struct PriorTally {
    width: usize,
    /// The combination, followed by the number of its probability.
    groups: Groups,
    /// The distinct probabilities in order of appearance.
    probabilities: Vec<Presence>,
    numbers: FxHashMap<Presence, u32>,
    /// The number of the probability of each text already read.
    texts: FxHashMap<String, u32>,
    row: Vec<u32>,
}

/// A cell of the prior's column, with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorCell<'a> {
    pub(crate) table: &'a Table,
    pub(crate) at: At,
    pub(crate) column: &'a str,
    pub(crate) text: &'a str,
}

impl PriorCell<'_> {
    /// The probability in the cell: at least 0 and below 1.
    pub(crate) fn read(&self) -> Result<Presence, DataError> {
        let read = self.text.parse().ok().filter(|probability| *probability < Presence::ONE);
        read.ok_or_else(|| self.wrong("a prior", "below 1"))
    }

    /// The rate of a belief in the cell: from 0 to 1.
    pub(crate) fn read_belief(&self) -> Result<Presence, DataError> {
        self.text.parse().map_err(|_| self.wrong("a rate", "1"))
    }

    fn wrong(&self, what: &str, end: &str) -> DataError {
        let form = format!(
            "a fraction such as 1/30, a decimal such as 0.05 or a percentage such as 5%, from 0 to {end}"
        );
        self.error(&format!("`{}` is not {what}", self.text)).expected(form).into()
    }

    fn error(&self, problem: &str) -> LocatedError {
        LocatedError::new(problem)
            .in_file(self.table.file_of(self.at))
            .at_row(self.at.row)
            .at_column(self.column)
    }
}

impl PriorTally {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            groups: Groups::new(width + 1),
            probabilities: Vec::new(),
            numbers: FxHashMap::default(),
            texts: FxHashMap::default(),
            row: Vec::with_capacity(width + 1),
        }
    }

    /// Adds the people of a row of texts.
    pub(crate) fn add(&mut self, ids: &[u32], people: Counts, cell: PriorCell) -> Result<(), DataError> {
        let number = match self.texts.get(cell.text) {
            Some(&number) => number,
            None => self.number(cell)?,
        };
        if people.private > 0 && self.probabilities[number as usize] == Presence::ZERO {
            let problem = "this member of T has the prior 0, which means that they cannot be in T";
            return Err(cell.error(problem).remedy("give them a prior above 0").into());
        }
        self.row.clear();
        self.row.extend(ids);
        self.row.push(number);
        self.groups.add(&self.row, people).map_err(|_| cell.table.too_many_people())
    }

    /// The number of the probability of a new text.
    fn number(&mut self, cell: PriorCell) -> Result<u32, DataError> {
        let probability = cell.read()?;
        let probabilities = &mut self.probabilities;
        let number = *self.numbers.entry(probability).or_insert_with(|| {
            probabilities.push(probability);
            size::number(probabilities.len() - 1)
        });
        self.texts.insert(cell.text.to_owned(), number);
        Ok(number)
    }

    /// The people of each combination of texts, by probability.
    pub(super) fn people(&self) -> impl Iterator<Item = (&[u32], Presence, u64)> {
        self.groups.iter().map(|(row, counts)| {
            (&row[..self.width], self.probabilities[row[self.width] as usize], counts.public)
        })
    }
}

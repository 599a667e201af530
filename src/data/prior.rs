//! How likely people are to be in T, as a column of P says.

use rustc_hash::FxHashMap;

use super::encode::Encoder;
use super::error::{DataError, Impossible, NotInPublic};
use super::groups::Groups;
use super::join::{self, Joined};
use super::place::At;
use super::read::Table;
use super::tally::Tally;
use crate::model::size;
use crate::model::{Code, Counts, Histogram, Presence, Prior};

/// The people of a combination who have a probability.
pub(super) type People = (usize, Presence, u64);

/// A table's combinations of texts by how likely their people are to be in T.
#[derive(Clone, Debug)]
pub(super) struct PriorTally {
    width: usize,
    /// The combination, and behind it the probability's number.
    groups: Groups,
    /// The distinct probabilities, in the order of their appearance.
    probabilities: Vec<Presence>,
    numbers: FxHashMap<Presence, u32>,
    /// What the texts that were read stand for.
    texts: FxHashMap<String, u32>,
    row: Vec<u32>,
}

/// A cell of the prior's column, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorCell<'a> {
    pub(super) table: &'a Table,
    pub(super) at: At,
    pub(super) column: &'a str,
    pub(super) text: &'a str,
}

impl PriorCell<'_> {
    /// The probability that it holds: from 0 to below 1.
    pub(super) fn read(&self) -> Result<Presence, DataError> {
        let read = self.text.parse().ok().filter(|probability| *probability < Presence::ONE);
        read.ok_or_else(|| DataError::NotAPrior {
            path: self.table.file_of(self.at).to_owned(),
            row: self.at.row,
            column: self.column.to_owned(),
            value: self.text.to_owned(),
        })
    }
}

impl PriorTally {
    pub(super) fn new(width: usize) -> Self {
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
    pub(super) fn add(&mut self, ids: &[u32], people: Counts, cell: PriorCell) -> Result<(), DataError> {
        let number = match self.texts.get(cell.text) {
            Some(&number) => number,
            None => self.number(cell)?,
        };
        if people.private > 0 && self.probabilities[number as usize] == Presence::ZERO {
            let (path, row, column) =
                (cell.table.file_of(cell.at).to_owned(), cell.at.row, cell.column.to_owned());
            return Err(DataError::ImpossibleMember { path, row, column });
        }
        self.row.clear();
        self.row.extend(ids);
        self.row.push(number);
        self.groups.add(&self.row, people).map_err(|_| cell.table.too_many_people())
    }

    /// The number of the probability that a new text stands for.
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

    /// The people of each combination of codes, by their probability.
    fn people(&self, encoder: &Encoder, public: &Tally, histogram: &Histogram) -> Vec<People> {
        let code = |attribute, text: &String| encoder.code(attribute, text);
        let codes: Vec<Vec<Option<Code>>> = (0..self.width)
            .map(|attribute| public.texts(attribute).iter().map(|text| code(attribute, text)).collect())
            .collect();
        // Joining has refused what has no code, and found every combination.
        let place = |row: &[u32]| {
            let combination: Option<Vec<Code>> =
                codes.iter().zip(row).map(|(codes, &text)| codes[text as usize]).collect();
            histogram.find(&combination?)
        };
        let shares = self.groups.iter().filter_map(|(row, counts)| {
            let probability = self.probabilities[row[self.width] as usize];
            Some((place(row)?, probability, counts.public))
        });
        shares.collect()
    }
}

/// The prior that a column of P gives; `None` where the table was read without one.
///
/// # Errors
/// [`DataError::Impossible`] where some combination has more members of T than people with a probability above 0.
pub fn of_column(
    encoder: &Encoder,
    public: &Tally,
    histogram: &Histogram,
    tables: &Joined,
) -> Result<Option<Prior>, DataError> {
    let Some(priors) = &public.priors else { return Ok(None) };
    let people = priors.people(encoder, public, histogram);
    settle(encoder, &people, histogram, tables).map(Some)
}

/// Checks that T is possible, and makes the prior.
pub(super) fn settle(
    encoder: &Encoder,
    people: &[People],
    histogram: &Histogram,
    tables: &Joined,
) -> Result<Prior, DataError> {
    let mut possible = vec![0_u64; histogram.len()];
    for (combination, _, people) in people.iter().filter(|(_, prior, _)| *prior > Presence::ZERO) {
        possible[*combination] += people;
    }
    let counts = histogram.counts().iter().zip(&possible).enumerate();
    let excess: Vec<(Vec<Code>, Counts)> = counts
        .filter(|(_, (counts, possible))| counts.private > **possible)
        .map(|(place, (counts, &possible))| {
            (histogram.combination(place), Counts::new(possible, counts.private))
        })
        .collect();
    if excess.is_empty() {
        return Ok(Prior::new(histogram, people)?);
    }
    let (rows, row_count) = join::rows_of(encoder, tables, &excess)?;
    let texts = |codes: &[Code]| {
        codes.iter().enumerate().map(|(place, &code)| encoder.text(place, code).to_owned()).collect()
    };
    Err(DataError::Impossible(Box::new(Impossible {
        private: tables.private.0.path().to_owned(),
        public: tables.public.path().to_owned(),
        people: excess.iter().map(|(_, counts)| counts.private - counts.public).sum(),
        rows,
        row_count,
        combinations: excess
            .iter()
            .take(NotInPublic::COMBINATIONS)
            .map(|(codes, counts)| (texts(codes), *counts))
            .collect(),
        combination_count: excess.len() as u64,
        attributes: tables.attributes.to_vec(),
    })))
}

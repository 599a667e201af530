//! Turns texts into leaf codes, and a table's combinations of texts into combinations of codes.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::packed::Combinations;
use super::tally::Tally;
use crate::error::DataError;
use crate::hierarchies::Domain;
use crate::read::Table;
use crate::values::reading::Reading;
use palmtop_core::model::Code;
use palmtop_core::progress::Meter;

/// The codes of one quasi-identifier: its leaves, then the private values that are not leaves.
#[derive(Clone, Debug)]
struct Dictionary {
    codes: FxHashMap<String, Code>,
    texts: Vec<String>,
    /// The number of leaves among the texts.
    leaves: usize,
}

/// The table whose texts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// P's.
    Public,
    /// T's.
    Private,
}

/// How the texts of a quasi-identifier are read in P and in T.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// In P.
    pub public: Reading,
    /// In T; as in P if T is part of it.
    pub private: Reading,
    /// Whether missing values become `*` one level up. A text has one meaning, so this is possible
    /// only if `*` is the next level.
    pub missing_at_top: bool,
}

impl Readings {
    /// How the texts of one of the tables are read.
    pub fn of(&self, whose: Whose) -> &Reading {
        match whose {
            Whose::Public => &self.public,
            Whose::Private => &self.private,
        }
    }

    /// The label for missing values, if either table may have some.
    pub fn missing_label(&self) -> Option<&str> {
        self.public.missing_label.as_deref()
    }
}

/// Finds the codes of cells row by row; each distinct text of a column is read once.
#[derive(Debug)]
pub struct CellCodes<'a> {
    encoder: &'a Encoder,
    whose: Whose,
    /// The codes of texts already read, per quasi-identifier whose texts are not the values
    /// themselves.
    known: RefCell<Vec<FxHashMap<String, Option<Code>>>>,
}

impl CellCodes<'_> {
    /// As [`Encoder::read`].
    pub fn code(&self, attribute: usize, text: &str) -> Option<Code> {
        if self.encoder.readings[attribute].of(self.whose).is_plain() {
            return self.encoder.code(attribute, text);
        }
        let known = &mut self.known.borrow_mut()[attribute];
        if let Some(code) = known.get(text) {
            return *code;
        }
        let code = self.encoder.read(self.whose, attribute, text);
        known.insert(text.to_owned(), code);
        code
    }
}

/// Finds the code of each value of the quasi-identifiers, in the notation of each table.
#[derive(Clone, Debug)]
pub struct Encoder {
    dictionaries: Vec<Dictionary>,
    readings: Vec<Readings>,
}

impl Encoder {
    /// An encoder for these hierarchies and the private values (per quasi-identifier) that may not
    /// be leaves.
    pub fn new(domains: &[Domain], private_values: &[Vec<String>], readings: Vec<Readings>) -> Self {
        let both = domains.iter().zip(private_values);
        let dictionaries = both.map(|(domain, private)| Dictionary::new(domain, private)).collect();
        Self { dictionaries, readings }
    }

    /// The code of a value; `None` if it is neither a leaf nor a private value.
    pub fn code(&self, attribute: usize, value: &str) -> Option<Code> {
        self.dictionaries[attribute].codes.get(value).copied()
    }

    /// The code of a cell's text; `None` if the text cannot be read or has no code.
    pub fn read(&self, whose: Whose, attribute: usize, text: &str) -> Option<Code> {
        let reading = self.readings[attribute].of(whose);
        if reading.is_plain() {
            return self.code(attribute, text);
        }
        self.code(attribute, &reading.read(text).ok()?)
    }

    /// A reader for the cells of one of the tables, row by row.
    pub fn cells(&self, whose: Whose) -> CellCodes<'_> {
        CellCodes {
            encoder: self,
            whose,
            known: RefCell::new(vec![FxHashMap::default(); self.readings.len()]),
        }
    }

    /// The text of a code: of the leaf or of the private value.
    pub fn text(&self, attribute: usize, code: Code) -> &str {
        &self.dictionaries[attribute].texts[code as usize]
    }

    /// The private values of a quasi-identifier that are not leaves, sorted.
    pub fn beyond(&self, attribute: usize) -> Vec<String> {
        let Dictionary { codes, texts, leaves } = &self.dictionaries[attribute];
        let is_leaf = |text: &str, code: Code| (code as usize) < *leaves && texts[code as usize] == text;
        let beyond = codes.iter().filter(|(text, code)| !is_leaf(text, **code));
        let mut beyond: Vec<String> = beyond.map(|(text, _)| text.clone()).collect();
        beyond.sort_unstable();
        beyond
    }

    /// Takes a tally's combinations of texts and returns them as combinations of codes; texts with
    /// the same code are joined.
    ///
    /// # Errors
    /// A [`DataError`]: no dictionary has a text, or there are too many people to count;
    /// [`DataError::Cancelled`] if the meter asks to stop.
    pub(super) fn reduce(
        &self,
        table: &Table,
        tally: &mut Tally,
        meter: &mut Meter,
    ) -> Result<Combinations, DataError> {
        let malformed =
            |text: &str| DataError::two_readings(table.path(), &format!("only one found {text:?}"));
        let mut codes: Vec<Vec<Code>> = Vec::with_capacity(self.dictionaries.len());
        for attribute in 0..self.dictionaries.len() {
            let texts = tally.texts(attribute).iter();
            let known = texts.map(|text| self.code(attribute, text).ok_or_else(|| malformed(text)));
            codes.push(known.collect::<Result<_, _>>()?);
        }
        let limits: Vec<usize> = self.dictionaries.iter().map(|dictionary| dictionary.texts.len()).collect();
        let combinations = std::mem::take(&mut tally.combinations);
        let recoded = combinations.recoded(&codes, &limits, meter);
        recoded.map_err(|ended| ended.error(|| table.too_many_people()))
    }
}

impl Dictionary {
    fn new(domain: &Domain, private: &[String]) -> Self {
        let hierarchy = &domain.hierarchy;
        let leaves = 0..hierarchy.leaf_count();
        let mut texts: Vec<String> =
            leaves.zip(0..).map(|(_, code)| hierarchy.leaf(code).to_owned()).collect();
        let mut codes: FxHashMap<String, Code> = texts.iter().cloned().zip(0..).collect();
        for text in private {
            let code = domain.code(text).unwrap_or_else(|| {
                texts.push(text.clone());
                Code::try_from(texts.len() - 1).expect("fewer texts than 32 bits can number")
            });
            codes.entry(text.clone()).or_insert(code);
        }
        Self { codes, texts, leaves: hierarchy.leaf_count() }
    }
}

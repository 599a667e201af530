//! Some rows of a table at once: of each column the distinct texts, and of each row the number of its text.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::error::Place;
use super::table::Spot;

/// The rows of a batch, if it is full.
pub(super) const FULL: usize = 1 << 16;

/// The texts of one column, each distinct one once.
#[derive(Debug, Default)]
pub(super) struct Cells {
    texts: String,
    /// Where each text ends.
    ends: Vec<usize>,
    /// The numbers of short texts.
    short: FxHashMap<u128, u32>,
    /// The numbers of the others.
    index: HashTable<u32>,
    /// Of each row the number of its text.
    numbers: Vec<u32>,
}

impl Cells {
    /// Adds a row with a text.
    pub(super) fn push(&mut self, text: &str) {
        let number = self.number(text);
        self.push_number(number);
    }

    /// Adds a row with a text that has this number.
    pub(super) fn push_number(&mut self, number: u32) {
        self.numbers.push(number);
    }

    /// The number of a text, known or new.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let Some(key) = short_key(text) else { return self.long_number(text) };
        if let Some(known) = self.short.get(&key) {
            return *known;
        }
        let number = self.add(text);
        self.short.insert(key, number);
        number
    }

    fn long_number(&mut self, text: &str) -> u32 {
        let hash = FxBuildHasher.hash_one(text);
        let (texts, ends) = (&self.texts, &self.ends);
        if let Some(known) = self.index.find(hash, |number| text_of(texts, ends, *number) == text) {
            return *known;
        }
        let number = self.add(text);
        let (texts, ends) = (&self.texts, &self.ends);
        self.index
            .insert_unique(hash, number, |number| FxBuildHasher.hash_one(text_of(texts, ends, *number)));
        number
    }

    #[expect(clippy::cast_possible_truncation, reason = "a batch has fewer rows")]
    fn add(&mut self, text: &str) -> u32 {
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        (self.ends.len() - 1) as u32
    }

    /// Of each row the number of its text.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(super) fn text(&self, number: u32) -> &str {
        text_of(&self.texts, &self.ends, number)
    }

    /// The text of a row.
    pub(super) fn cell(&self, row: usize) -> &str {
        self.text(self.numbers[row])
    }

    /// How many distinct texts there are.
    pub(super) fn distinct(&self) -> usize {
        self.ends.len()
    }

    /// What each distinct text stands for.
    pub(super) fn map<T>(&self, mut value: impl FnMut(&str) -> T) -> Vec<T> {
        (0..).take(self.ends.len()).map(|number| value(self.text(number))).collect()
    }

    fn clear(&mut self) {
        self.texts.clear();
        self.ends.clear();
        self.short.clear();
        self.index.clear();
        self.numbers.clear();
    }
}

/// A text of at most 15 bytes and its length in one number.
fn short_key(text: &str) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes[15] = u8::try_from(text.len()).ok().filter(|length| *length < 16)?;
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    Some(u128::from_le_bytes(bytes))
}

fn text_of<'a>(texts: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &texts[start..ends[number]]
}

/// Some rows of a file.
#[derive(Debug)]
pub(super) struct Batch {
    file: usize,
    columns: Vec<Cells>,
    /// Which column plays which part; one may play several.
    parts: Vec<usize>,
    rows: usize,
    /// The number of the first row, if rows are numbered one after the other.
    first_row: u64,
    /// Else where each row is.
    places: Vec<Place>,
}

impl Batch {
    /// An empty one, with a column for each part.
    pub(super) fn new(width: usize) -> Self {
        let columns = std::iter::repeat_with(Cells::default).take(width).collect();
        Self { file: 0, columns, parts: (0..width).collect(), rows: 0, first_row: 1, places: Vec::new() }
    }

    /// One of some columns, each of so many rows, of which the first has this number.
    pub(super) fn of(columns: Vec<Cells>, parts: &[usize], rows: usize, first_row: u64) -> Self {
        Self { file: 0, columns, parts: parts.to_vec(), rows, first_row, places: Vec::new() }
    }

    pub(super) fn in_file(&mut self, file: usize) -> &Self {
        self.file = file;
        self
    }

    pub(super) fn push(&mut self, place: Place, texts: &[&str]) {
        self.columns.iter_mut().zip(texts).for_each(|(column, text)| column.push(text));
        self.places.push(place);
        self.rows += 1;
    }

    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Cells::clear);
        self.places.clear();
        self.rows = 0;
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn column(&self, part: usize) -> &Cells {
        &self.columns[self.parts[part]]
    }

    /// Where a row is in its file.
    pub(super) fn place(&self, row: usize) -> Place {
        self.places.get(row).copied().unwrap_or(Place::Row(self.first_row + row as u64))
    }

    pub(super) fn spot(&self, row: usize) -> Spot {
        Spot { file: self.file, place: self.place(row) }
    }

    /// The texts of some parts of a row.
    pub(super) fn texts(&self, row: usize, parts: std::ops::Range<usize>) -> Vec<&str> {
        parts.map(|part| self.column(part).cell(row)).collect()
    }
}

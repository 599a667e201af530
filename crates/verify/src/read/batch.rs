//! A batch of table rows: the distinct texts of each column, and for each row the number of its text.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::position::{Location, Position};
use crate::problems::VerifyError;

/// The number of rows in a full batch.
pub(crate) const FULL: usize = 1 << 16;

/// The number of rows after which a column of mostly different texts, such as one of identifiers, is known.
const SAMPLE: usize = 1 << 12;

/// The cells of one column. Each distinct text is stored once, unless most of the first texts are different: then a later text
/// may have several numbers.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// Whether most texts are different, so that none is looked up.
    are_different: bool,
    texts: String,
    /// The end of each text in `texts`.
    ends: Vec<usize>,
    /// The last texts of at most 15 bytes with their numbers, each in the place of its key. Most cells need no other look.
    last: Vec<(u128, u32)>,
    /// The numbers of texts of at most 15 bytes.
    short: FxHashMap<u128, u32>,
    /// The numbers of longer texts.
    index: HashTable<u32>,
    /// For each row the number of its text.
    numbers: Vec<u32>,
}

impl Cells {
    /// Adds a row with this text.
    pub(crate) fn push(&mut self, text: &str) {
        let number = self.number(text);
        self.push_number(number);
    }

    /// Adds a row with the text that has this number.
    pub(crate) fn push_number(&mut self, number: u32) {
        self.numbers.push(number);
        if self.numbers.len() == SAMPLE {
            self.are_different = self.ends.len() > SAMPLE / 4 * 3;
        }
    }

    /// Whether most texts are different, so that looking one up is in vain.
    pub(crate) fn are_different(&self) -> bool {
        self.are_different
    }

    /// The number of a text, known or new.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        if self.are_different {
            return self.add(text);
        }
        let Some(key) = short_key(text) else { return self.long_number(text) };
        self.last.resize(PLACES, (NO_KEY, 0));
        let place = place(key);
        if self.last[place].0 == key {
            return self.last[place].1;
        }
        let known = self.short.get(&key).copied();
        let number = known.unwrap_or_else(|| {
            let number = self.add(text);
            self.short.insert(key, number);
            number
        });
        self.last[place] = (key, number);
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

    /// For each row the number of its text.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(crate) fn text(&self, number: u32) -> &str {
        text_of(&self.texts, &self.ends, number)
    }

    /// The text of a row.
    pub(crate) fn cell(&self, row: usize) -> &str {
        self.text(self.numbers[row])
    }

    /// The number of stored texts.
    pub(crate) fn distinct(&self) -> usize {
        self.ends.len()
    }

    /// Applies a function to each stored text, in the order of their numbers.
    pub(crate) fn map<T>(&self, mut value: impl FnMut(&str) -> T) -> Vec<T> {
        (0..).take(self.ends.len()).map(|number| value(self.text(number))).collect()
    }

    fn clear(&mut self) {
        self.are_different = false;
        self.texts.clear();
        self.ends.clear();
        self.last.clear();
        self.short.clear();
        self.index.clear();
        self.numbers.clear();
    }
}

/// The number of places for the last texts, as a power of two.
const PLACES: usize = 1 << 9;

/// No key of a text: its last byte is no length.
const NO_KEY: u128 = u128::MAX;

/// The place of a text among the last ones.
#[expect(clippy::cast_possible_truncation, reason = "the highest bits of a product choose the place")]
fn place(key: u128) -> usize {
    let folded = (key as u64) ^ (key >> 64) as u64;
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2())) as usize
}

/// A text of at most 15 bytes and its length as one number; `None` for longer texts.
fn short_key(text: &str) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes[15] = u8::try_from(text.len()).ok().filter(|length| *length < 16)?;
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    Some(u128::from_le_bytes(bytes))
}

fn text_of<'a>(texts: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |previous| ends[previous]);
    &texts[start..ends[number]]
}

/// Receives the rows of a file, some batches at once, in their order.
pub(crate) type BatchVisitor<'a> = dyn FnMut(&mut [Batch]) -> Result<(), VerifyError> + 'a;

/// A batch of rows from one file.
#[derive(Debug)]
pub(crate) struct Batch {
    file: usize,
    columns: Vec<Cells>,
    /// The column of each part. One column may have several parts.
    parts: Vec<usize>,
    rows: usize,
    /// The number of the first row, if rows are numbered consecutively.
    first_row: u64,
    /// The position of each row otherwise.
    positions: Vec<Position>,
}

impl Batch {
    /// An empty batch with one column per part.
    pub(crate) fn new(width: usize) -> Self {
        let columns = std::iter::repeat_with(Cells::default).take(width).collect();
        Self { file: 0, columns, parts: (0..width).collect(), rows: 0, first_row: 1, positions: Vec::new() }
    }

    /// A batch of `rows` rows, of which the first has the number `first_row`.
    pub(crate) fn of(columns: Vec<Cells>, parts: &[usize], rows: usize, first_row: u64) -> Self {
        Self { file: 0, columns, parts: parts.to_vec(), rows, first_row, positions: Vec::new() }
    }

    pub(crate) fn set_file(&mut self, file: usize) {
        self.file = file;
    }

    /// All columns, also those that are no part.
    pub(crate) fn all(&self) -> &[Cells] {
        &self.columns
    }

    pub(crate) fn push<'t>(&mut self, position: Position, texts: impl Iterator<Item = &'t str>) {
        self.columns.iter_mut().zip(texts).for_each(|(column, text)| column.push(text));
        self.positions.push(position);
        self.rows += 1;
    }

    pub(crate) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Cells::clear);
        self.positions.clear();
        self.rows = 0;
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// The number of the first row, if rows are numbered consecutively.
    pub(crate) fn first_row(&self) -> u64 {
        self.first_row
    }

    pub(crate) fn column(&self, part: usize) -> &Cells {
        &self.columns[self.parts[part]]
    }

    /// The position of a row in its file.
    pub(crate) fn position(&self, row: usize) -> Position {
        self.positions.get(row).copied().unwrap_or(Position::Row(self.first_row + row as u64))
    }

    pub(crate) fn location(&self, row: usize) -> Location {
        Location { file: self.file, position: self.position(row) }
    }

    /// The texts of some parts of a row.
    pub(crate) fn texts(&self, row: usize, parts: std::ops::Range<usize>) -> Vec<&str> {
        parts.map(|part| self.column(part).cell(row)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_text_keeps_its_first_number() {
        let mut cells = Cells::default();
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        for row in 0..60_000_u64 {
            // Few texts at first, then many that share the places of others; some are longer than a key.
            let nth = (row * row + row / 7) % (40 + row / 10);
            let text = if nth % 5 == 0 { format!("a text of more bytes {nth}") } else { nth.to_string() };
            cells.push(&text);
            assert_eq!(cells.cell(cells.numbers().len() - 1), text);
            let next = u32::try_from(known.len()).unwrap();
            let number = *known.entry(text).or_insert(next);
            assert_eq!(cells.numbers().last(), Some(&number));
        }
        assert!(cells.distinct() == known.len() && known.len() > 4 * PLACES, "{}", known.len());
    }
}

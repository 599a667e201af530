//! What is usual in a column, from the first rows.

use std::collections::BTreeMap;

use super::text;

/// What is usual in a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// Whether the cells begin with digits: numbers, dates, codes.
    pub(super) is_of_digits: bool,
    /// The texts of the first rows, with their rows, if most of them repeat.
    pub(super) repeating: BTreeMap<String, u64>,
    /// The empty cells of all rows.
    pub(super) empty: u64,
}

impl Column {
    pub(super) fn of(cells: &[&str]) -> Self {
        let mut repeating: BTreeMap<String, u64> = BTreeMap::new();
        let (mut digits, mut words) = (0, 0);
        for cell in cells {
            *repeating.entry((*cell).to_owned()).or_default() += 1;
            digits += usize::from(text::starts_with_digit(cell));
            words += usize::from(text::is_word(cell));
        }
        if repeating.len() > 256 || cells.len() < 2 * repeating.len() {
            repeating.clear();
        }
        let is_of_digits = digits > 2 && digits > 2 * words && words <= 2.max(cells.len() / 20);
        Self { is_of_digits, repeating, empty: 0 }
    }

    /// Whether the text is a word where numbers or dates are usual.
    pub(super) fn is_out_of_place(&self, cell: &str) -> bool {
        self.is_of_digits && text::is_word(cell)
    }

    /// Whether a cell says that its row is a person: it has what is usual.
    pub(super) fn is_of_a_person(&self, cell: &str) -> bool {
        (self.is_of_digits && text::starts_with_digit(cell))
            || self.repeating.get(cell).is_some_and(|rows| *rows > 1)
    }
}

/// Whether a row with so many empty cells may be a note.
pub(super) fn is_bare(cells: usize, empty: usize) -> bool {
    let filled = cells - empty;
    filled < 3 && filled <= empty
}

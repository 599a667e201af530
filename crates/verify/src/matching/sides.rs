//! The sides of the distinct released rows.

use crate::labels::Leaves;

/// The sides of the distinct released rows.
#[derive(Debug, Default)]
pub(crate) struct Sides {
    /// For each attribute, the leaves of each distinct text.
    pub(crate) leaves: Vec<Vec<Leaves>>,
    /// The numbers of the texts, row by row.
    pub(crate) texts: Vec<u32>,
}

impl Sides {
    fn width(&self) -> usize {
        self.leaves.len()
    }

    pub(super) fn row_count(&self) -> usize {
        self.texts.len() / self.width().max(1)
    }

    /// The number of a row's text in an attribute.
    pub(crate) fn text(&self, attribute: usize, row: usize) -> usize {
        self.texts[row * self.width() + attribute] as usize
    }
}

//! The source of a hierarchy: the text and the labels of each leaf, in columns of numbered texts.

use std::borrow::Cow;

use super::error::ModelError;
use super::texts::{Texts, Words};

/// The labels of each leaf, from its text to the top. Leaves are in the order of their values; each
/// text is stored once.
#[derive(Clone, Debug)]
pub struct Chains<'a> {
    texts: Cow<'a, Texts>,
    /// For each level, finest first, the index of each leaf's label among the texts.
    columns: Vec<Vec<u32>>,
}

impl<'a> Chains<'a> {
    /// Creates chains from columns of equal length, finest level first. The texts must be distinct.
    pub fn new(texts: &'a Texts, columns: Vec<Vec<u32>>) -> Self {
        Self { texts: Cow::Borrowed(texts), columns }
    }

    /// Creates chains from one list of labels for each leaf.
    ///
    /// # Errors
    /// A [`ModelError`] if there are no labels, or if the lists have different lengths.
    pub(crate) fn of_lists<S: AsRef<str>>(lists: &[Vec<S>]) -> Result<Chains<'static>, ModelError> {
        let height = lists.first().map_or(0, Vec::len);
        if height == 0 {
            return Err(ModelError::no_leaves());
        }
        if let Some(uneven) = lists.iter().find(|list| list.len() != height) {
            let (leaf, found) = (uneven.first().map_or("", AsRef::as_ref), uneven.len());
            return Err(ModelError::Invalid(format!("`{leaf}` has {found} levels, expected {height}")));
        }
        let mut words = Words::with_capacity(lists.len());
        let mut columns = Vec::with_capacity(height);
        for level in 0..height {
            let mut column: Vec<u32> = Vec::with_capacity(lists.len());
            for list in lists {
                let text = list[level].as_ref();
                // Neighbouring leaves mostly have the same label.
                let last = column.last().copied().filter(|&last| words.texts()[last as usize] == *text);
                column.push(last.unwrap_or_else(|| words.number(text)));
            }
            columns.push(column);
        }
        Ok(Chains { texts: Cow::Owned(words.into_texts()), columns })
    }

    /// The texts of all labels.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// For each level, the number of each leaf's label.
    pub fn columns(&self) -> &[Vec<u32>] {
        &self.columns
    }

    /// The number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Adds a level above all others, with one label for all leaves.
    pub fn add_top(&mut self, label: &str) {
        let label = self.number(label);
        self.columns.push(vec![label; self.leaf_count()]);
    }

    /// Adds a first leaf, which has this label at each level below the top.
    pub fn add_first(&mut self, label: &str) {
        let label = self.number(label);
        if let Some((top, below)) = self.columns.split_last_mut() {
            for column in below {
                column.insert(0, label);
            }
            top.insert(0, top[0]);
        }
    }

    fn number(&mut self, text: &str) -> u32 {
        let known = self.texts.iter().position(|other| other == text);
        super::size::number(known.unwrap_or_else(|| {
            self.texts.to_mut().push(text);
            self.texts.len() - 1
        }))
    }
}

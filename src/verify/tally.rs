//! A table reduced to its distinct rows.

use rustc_hash::FxHashMap;

/// The distinct texts of one column, numbered as they appear.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) texts: Vec<String>,
    ids: FxHashMap<String, u32>,
}

impl Texts {
    /// The number of a text; `None` where there are too many.
    fn id(&mut self, text: &str) -> Option<u32> {
        if let Some(&id) = self.ids.get(text) {
            return Some(id);
        }
        let id = u32::try_from(self.texts.len()).ok()?;
        self.texts.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        Some(id)
    }
}

/// A table reduced to its distinct rows of texts, each with its people.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) columns: Vec<Texts>,
    people: FxHashMap<Box<[u32]>, u64>,
    /// All people; no sum of some of them is above it.
    pub(super) total: u64,
    /// As many people as there may be.
    most: u64,
    ids: Vec<u32>,
}

/// More people, or more distinct texts, than can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

impl Tally {
    pub(super) fn new(width: usize, most: u64) -> Self {
        let columns = std::iter::repeat_with(Texts::default).take(width).collect();
        Self { columns, people: FxHashMap::default(), total: 0, most, ids: Vec::with_capacity(width) }
    }

    pub(super) fn most(&self) -> u64 {
        self.most
    }

    pub(super) fn add(&mut self, texts: &[&str], people: u64) -> Result<(), TooMany> {
        self.total = self.total.checked_add(people).filter(|&total| total <= self.most).ok_or(TooMany)?;
        self.ids.clear();
        for (column, text) in self.columns.iter_mut().zip(texts) {
            self.ids.push(column.id(text).ok_or(TooMany)?);
        }
        match self.people.get_mut(self.ids.as_slice()) {
            Some(known) => *known += people,
            None => drop(self.people.insert(self.ids.as_slice().into(), people)),
        }
        Ok(())
    }

    /// The distinct rows and their people, in no order.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.people.iter().map(|(ids, &people)| (ids.as_ref(), people))
    }

    /// The texts of a distinct row, or of its first columns.
    pub(super) fn texts(&self, ids: &[u32]) -> Vec<String> {
        self.columns.iter().zip(ids).map(|(column, &id)| column.texts[id as usize].clone()).collect()
    }

    /// Replaces the texts of a column by their values; an error with the first text that has none.
    pub(super) fn spell(
        &mut self,
        column: usize,
        value: impl Fn(&str) -> Result<String, String>,
    ) -> Result<(), (String, String)> {
        for text in &mut self.columns[column].texts {
            match value(text) {
                Ok(value) => *text = value,
                Err(expected) => return Err((text.clone(), expected)),
            }
        }
        Ok(())
    }

    /// The distinct values of a column, sorted.
    pub(super) fn distinct(&self, column: usize) -> Vec<String> {
        let mut texts = self.columns[column].texts.clone();
        texts.sort_unstable();
        texts.dedup();
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_added_up_to_the_most_and_never_beyond() {
        let mut tally = Tally::new(1, 10);
        assert_eq!(tally.add(&["a"], 6), Ok(()));
        assert_eq!(tally.add(&["a"], 4), Ok(()));
        assert_eq!(tally.add(&["b"], 1), Err(TooMany));
        assert_eq!(Tally::new(1, u64::MAX).add(&["a"], u64::MAX), Ok(()));
        let mut full = Tally::new(1, u64::MAX);
        full.add(&["a"], u64::MAX).unwrap();
        assert_eq!(full.add(&["a"], 1), Err(TooMany));
    }
}

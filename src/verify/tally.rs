//! A table reduced to its distinct rows.

use rustc_hash::FxHashMap;

/// The distinct texts of one column, numbered as they appear.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) texts: Vec<String>,
    ids: FxHashMap<String, u32>,
}

impl Texts {
    fn id(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }
}

/// A table reduced to its distinct rows of texts, each with its people.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) columns: Vec<Texts>,
    people: FxHashMap<Box<[u32]>, u64>,
    pub(super) total: u64,
    ids: Vec<u32>,
}

impl Tally {
    pub(super) fn new(width: usize) -> Self {
        let columns = std::iter::repeat_with(Texts::default).take(width).collect();
        Self { columns, people: FxHashMap::default(), total: 0, ids: Vec::with_capacity(width) }
    }

    pub(super) fn add(&mut self, texts: &[&str], people: u64) {
        self.ids.clear();
        self.ids.extend(self.columns.iter_mut().zip(texts).map(|(column, text)| column.id(text)));
        match self.people.get_mut(self.ids.as_slice()) {
            Some(known) => *known = known.saturating_add(people),
            None => drop(self.people.insert(self.ids.as_slice().into(), people)),
        }
        self.total = self.total.saturating_add(people);
    }

    /// The distinct rows and their people, in no order.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.people.iter().map(|(ids, &people)| (ids.as_ref(), people))
    }

    /// The texts of a distinct row, or of its first columns.
    pub(super) fn texts(&self, ids: &[u32]) -> Vec<String> {
        self.columns.iter().zip(ids).map(|(column, &id)| column.texts[id as usize].clone()).collect()
    }

    /// The distinct texts of a column, sorted.
    pub(super) fn distinct(&self, column: usize) -> Vec<String> {
        let mut texts = self.columns[column].texts.clone();
        texts.sort_unstable();
        texts
    }
}

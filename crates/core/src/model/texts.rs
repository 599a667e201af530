//! Many short texts in one piece of memory, and numbered texts.

use std::borrow::Borrow;
use std::hash::BuildHasher;
use std::ops::Index;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::size;

/// Texts by their positions, stored as one string. A hierarchy of 100,000 codes needs two
/// allocations for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    joined: String,
    /// The end of each text in `joined`.
    ends: Vec<usize>,
}

impl Texts {
    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        self.joined.push_str(text);
        self.ends.push(self.joined.len());
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The texts in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        (0..self.len()).map(|position| &self[position])
    }

    /// Whether the texts include this one. O(texts).
    pub fn contains(&self, text: &str) -> bool {
        self.iter().any(|other| other == text)
    }
}

impl Index<usize> for Texts {
    type Output = str;

    fn index(&self, position: usize) -> &str {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.joined[start..self.ends[position]]
    }
}

impl<S: Borrow<str>> FromIterator<S> for Texts {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Self {
        let mut all = Self::default();
        for text in texts {
            all.push(text.borrow());
        }
        all
    }
}

impl<const N: usize> PartialEq<[&str; N]> for Texts {
    fn eq(&self, others: &[&str; N]) -> bool {
        self.iter().eq(others.iter().copied())
    }
}

/// Finds positions of texts by their text. The texts are stored elsewhere and passed to each call.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextIndex(HashTable<u32>);

impl TextIndex {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self(HashTable::with_capacity(count))
    }

    /// The position of a text, if it is known.
    pub(crate) fn find(&self, texts: &Texts, text: &str) -> Option<u32> {
        self.0.find(FxBuildHasher.hash_one(text), |&position| &texts[position as usize] == text).copied()
    }

    /// Adds the last of some texts, which must not be known yet.
    fn add_last(&mut self, texts: &Texts) -> u32 {
        let position = size::number(texts.len() - 1);
        let hash = |&position: &u32| FxBuildHasher.hash_one(&texts[position as usize]);
        self.0.insert_unique(hash(&position), position, hash);
        position
    }

    /// The positions of texts that are all different.
    pub(crate) fn of(texts: &Texts) -> Self {
        let hash = |&position: &u32| FxBuildHasher.hash_one(&texts[position as usize]);
        let mut index = Self::with_capacity(texts.len());
        for position in (0..).take(texts.len()) {
            index.0.insert_unique(hash(&position), position, hash);
        }
        index
    }
}

/// Distinct texts, numbered by their positions.
#[derive(Clone, Debug, Default)]
pub struct Words {
    texts: Texts,
    index: TextIndex,
}

impl Words {
    /// Creates an empty list with memory for `count` texts.
    pub fn with_capacity(count: usize) -> Self {
        Self { texts: Texts::default(), index: TextIndex::with_capacity(count) }
    }

    /// The number of a text. An unknown text is added.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(known) = self.find(text) {
            return known;
        }
        self.texts.push(text);
        self.index.add_last(&self.texts)
    }

    /// The number of a text, if it is known.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.index.find(&self.texts, text)
    }

    /// All texts by their numbers.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// All texts by their numbers, taken out.
    pub fn into_texts(self) -> Texts {
        self.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_their_order_and_words_their_numbers() {
        let texts: Texts = ["b", "", "äß", "b"].into_iter().collect();
        assert_eq!(texts, ["b", "", "äß", "b"]);
        assert_eq!((&texts[1], &texts[2], texts.len()), ("", "äß", 4));
        assert!(texts.contains("") && !texts.contains("ä"));
        assert_eq!(texts.iter().rev().collect::<Vec<_>>(), ["b", "äß", "", "b"]);

        let mut words = Words::with_capacity(1);
        let numbers: Vec<u32> = ["b", "", "äß", "b", ""].map(|text| words.number(text)).to_vec();
        assert_eq!(numbers, [0, 1, 2, 0, 1]);
        assert_eq!((words.find("äß"), words.find("a"), words.texts().len()), (Some(2), None, 3));
    }
}

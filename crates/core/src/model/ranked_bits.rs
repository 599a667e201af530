//! A set of indices as bits, with fast counts of the members below an index.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::size;

/// The least number of keys or words for which cores share the work.
const SHARED: usize = 1 << 16;
/// The number of words in a block.
const BLOCK: usize = 8;

/// A set of indices below a length. It holds a bit for each index, and the number of members before
/// each block of 512 indices. It may have fewer than 2³² members.
#[derive(Debug, Default)]
pub struct RankedBits {
    /// Whole blocks, with room for the bit at `length`.
    words: Vec<AtomicU64>,
    /// The number of members before each block of words.
    before: Vec<u32>,
    length: usize,
    count: u32,
}

impl Clone for RankedBits {
    fn clone(&self) -> Self {
        let words = self.words.iter().map(|word| AtomicU64::new(word.load(Ordering::Relaxed))).collect();
        Self { words, before: self.before.clone(), ..*self }
    }
}

impl FromIterator<bool> for RankedBits {
    /// The set of the positions of `true`.
    fn from_iter<I: IntoIterator<Item = bool>>(members: I) -> Self {
        let mut bits = Self::default();
        bits.add_block();
        members.into_iter().for_each(|is_in| bits.push(is_in));
        bits
    }
}

impl RankedBits {
    /// Replaces the set by these keys, all below `span`, and returns the number of distinct keys.
    pub(super) fn fill(&mut self, keys: &[u64], span: u64) -> usize {
        self.length = size::index(span);
        let words = (self.length / 64 + 1).next_multiple_of(BLOCK);
        self.words.iter_mut().take(words).for_each(|word| *word.get_mut() = 0);
        self.words.resize_with(words, AtomicU64::default);
        let set = |&key: &u64| {
            let (word, bit) = (&self.words[size::index(key / 64)], 1 << (key % 64));
            // Reading first is cheaper than an atomic write to a word that has the bit.
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        };
        if keys.len() < SHARED {
            for &key in keys {
                *self.words[size::index(key / 64)].get_mut() |= 1 << (key % 64);
            }
        } else {
            keys.par_iter().with_min_len(SHARED / 2).for_each(set);
        }
        let count = |block: &mut [AtomicU64]| -> u32 {
            block.iter_mut().map(|word| word.get_mut().count_ones()).sum()
        };
        self.before.clear();
        if words < SHARED {
            self.before.extend(self.words.chunks_mut(BLOCK).map(count));
        } else {
            let blocks = self.words.par_chunks_mut(BLOCK).with_min_len(SHARED / BLOCK);
            blocks.map(count).collect_into_vec(&mut self.before);
        }
        self.count = 0;
        for before in &mut self.before {
            self.count += std::mem::replace(before, self.count);
        }
        self.count as usize
    }

    /// Appends one index.
    pub fn push(&mut self, is_in: bool) {
        if is_in {
            if self.words.is_empty() {
                self.add_block();
            }
            *self.words[self.length / 64].get_mut() |= 1 << (self.length % 64);
            self.count = size::number(self.count() + 1);
        }
        self.length += 1;
        if self.words.len() * 64 <= self.length {
            self.add_block();
        }
    }

    fn add_block(&mut self) {
        self.words.resize_with(self.words.len() + BLOCK, AtomicU64::default);
        self.before.push(self.count);
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no indices.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Whether an index is a member.
    ///
    /// # Panics
    /// If the index is far above the length.
    pub fn has(&self, index: usize) -> bool {
        self.word(index / 64) >> (index % 64) & 1 == 1
    }

    /// The number of members below an index.
    ///
    /// # Panics
    /// If the index is above the length, or if nothing was ever added.
    pub fn rank(&self, index: usize) -> u32 {
        let (word, block) = (index / 64, index / 64 / BLOCK);
        let in_block: u32 = (block * BLOCK..word).map(|word| self.word(word).count_ones()).sum();
        self.before[block] + in_block + (self.word(word) & ((1 << (index % 64)) - 1)).count_ones()
    }

    /// The number of members in a range of indices.
    ///
    /// # Panics
    /// If the range ends above the length.
    pub fn count_in(&self, range: std::ops::Range<usize>) -> usize {
        (self.rank(range.end) - self.rank(range.start)) as usize
    }

    fn word(&self, word: usize) -> u64 {
        self.words[word].load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: One kernel
    #[test]
    fn ranks_count_the_members_below_an_index() {
        for length in [0, 1, 511, 512, 513, 2000] {
            let is_in = |index: usize| index.is_multiple_of(3) || index % 512 == 511;
            let pushed: RankedBits = (0..length).map(is_in).collect();
            let keys: Vec<u64> =
                (0..length).rev().filter(|&index| is_in(index)).map(|index| index as u64).collect();
            let mut filled: RankedBits = [true; 700].into_iter().collect();
            assert_eq!(filled.fill(&keys, length as u64), keys.len());
            for bits in [&pushed, &filled, &pushed.clone()] {
                assert_eq!((bits.len(), bits.count()), (length, keys.len()));
                assert_eq!(bits.rank(length) as usize, keys.len());
                for index in 0..length {
                    let below = (0..index).filter(|&index| is_in(index)).count();
                    assert_eq!((bits.has(index), bits.rank(index) as usize), (is_in(index), below));
                }
            }
        }
    }
}

//! Compares a combination with many rows at once, by bit masks.

use super::sides::Sides;
use crate::labels::Leaf;

/// The limit of words in a mask. It equals the number of bits in a summary.
const WORDS: usize = 64;
/// The limit of memory for the masks of a block, in words.
const MEMORY: usize = 1 << 23;

/// The masks of some rows.
///
/// For each attribute and leaf, a block has a mask of the rows whose side contains the leaf. A summary word per mask marks its
/// non-zero words. A combination costs a few words per attribute, plus the rows that it matches.
pub(super) struct Block<'a> {
    rows: &'a [u32],
    words: usize,
    /// For each attribute the masks of its leaves, one after the other.
    masks: Vec<Vec<u64>>,
    /// For each attribute and leaf: a bit for each non-zero word of its mask.
    summaries: Vec<Vec<u64>>,
}

impl<'a> Block<'a> {
    /// The number of rows in a block, for attributes with these numbers of leaves.
    pub(super) fn rows_at_once(leaf_counts: &[usize], rows: usize) -> usize {
        let leaves: usize = leaf_counts.iter().sum();
        (MEMORY / leaves.max(1)).clamp(1, WORDS).min(rows.div_ceil(64).max(1)) * 64
    }

    /// Builds the masks of the leaves below `leaf_counts`.
    pub(super) fn new(sides: &Sides, leaf_counts: &[usize], rows: &'a [u32]) -> Self {
        let words = rows.len().div_ceil(64);
        let mut masks: Vec<Vec<u64>> = leaf_counts.iter().map(|leaves| vec![0; leaves * words]).collect();
        for (attribute, mask) in masks.iter_mut().enumerate() {
            // Rows with the same text are collected first. A text with many leaves and many rows then costs their sum.
            let text = |index: usize| sides.text(attribute, rows[index] as usize);
            let mut order: Vec<usize> = (0..rows.len()).collect();
            order.sort_by_key(|&index| text(index));
            for same in order.chunk_by(|&left, &right| text(left) == text(right)) {
                let mut words_of: Vec<(usize, u64)> = Vec::new();
                for index in same {
                    let (word, bit) = (index / 64, 1 << (index % 64));
                    match words_of.last_mut() {
                        Some((last, bits)) if *last == word => *bits |= bit,
                        _ => words_of.push((word, bit)),
                    }
                }
                let leaves = sides.leaves[attribute][text(same[0])].iter();
                for code in leaves.take_while(|code| (*code as usize) < leaf_counts[attribute]) {
                    let start = code as usize * words;
                    for &(word, bits) in &words_of {
                        mask[start + word] |= bits;
                    }
                }
            }
        }
        let summary = |mask: &[u64]| {
            let non_zero = mask.iter().enumerate().filter(|(_, word)| **word != 0);
            non_zero.fold(0, |summary, (index, _)| summary | 1 << index)
        };
        let summaries = masks.iter().map(|masks| masks.chunks(words).map(summary).collect()).collect();
        Self { rows, words, masks, summaries }
    }

    /// Calls `found` with each row whose sides contain these leaves, in ascending order.
    pub(super) fn each_match(&self, codes: &[Leaf], mut found: impl FnMut(u32)) {
        let mut words = u64::MAX;
        for (summary, &code) in self.summaries.iter().zip(codes) {
            words &= summary.get(code as usize).copied().unwrap_or(0);
            if words == 0 {
                return;
            }
        }
        while let Some(word) = take_lowest(&mut words) {
            let masks = self.masks.iter().zip(codes);
            let mut rows =
                masks.fold(u64::MAX, |rows, (mask, &code)| rows & mask[code as usize * self.words + word]);
            while let Some(row) = take_lowest(&mut rows) {
                found(self.rows[word * 64 + row]);
            }
        }
    }
}

/// Clears the lowest set bit and returns its index.
fn take_lowest(bits: &mut u64) -> Option<usize> {
    let lowest = bits.trailing_zeros();
    *bits &= bits.wrapping_sub(1);
    (lowest < u64::BITS).then_some(lowest as usize)
}

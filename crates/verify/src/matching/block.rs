//! Many rows that a combination is compared with at once.

use super::Sides;
use crate::hierarchy::Leaf;

/// The words of one block's masks, at most as many as one word has bits.
const WORDS: usize = 64;
/// How much memory the masks of a block may take, in words.
const MEMORY: usize = 1 << 23;

/// The masks of some rows.
///
/// A block has, per attribute and leaf, a mask of the rows whose side holds the leaf, and above it one word that says
/// which words of the mask are not empty. So a combination costs a few words per attribute, and the rows that it matches.
pub(super) struct Block<'a> {
    rows: &'a [u32],
    words: usize,
    /// Per attribute, the masks of its leaves, one after the other.
    masks: Vec<Vec<u64>>,
    /// Per attribute and leaf, which words of its mask are not empty.
    summaries: Vec<Vec<u64>>,
}

impl<'a> Block<'a> {
    /// How many of some rows a block takes, if the attributes have so many leaves.
    pub(super) fn rows_at_once(leaf_counts: &[usize], rows: usize) -> usize {
        let leaves: usize = leaf_counts.iter().sum();
        (MEMORY / leaves.max(1)).clamp(1, WORDS).min(rows.div_ceil(64).max(1)) * 64
    }

    /// The masks of the first leaves of each attribute.
    pub(super) fn new(sides: &Sides, leaf_counts: &[usize], rows: &'a [u32]) -> Self {
        let words = rows.len().div_ceil(64);
        let mut masks: Vec<Vec<u64>> = leaf_counts.iter().map(|leaves| vec![0; leaves * words]).collect();
        for (attribute, mask) in masks.iter_mut().enumerate() {
            // The rows of a text are gathered first, so that a text of many leaves and rows is no product of the two.
            let text = |place: usize| sides.text(attribute, rows[place] as usize);
            let mut order: Vec<usize> = (0..rows.len()).collect();
            order.sort_by_key(|&place| text(place));
            for places in order.chunk_by(|&left, &right| text(left) == text(right)) {
                let mut words_of: Vec<(usize, u64)> = Vec::new();
                for place in places {
                    let (word, bit) = (place / 64, 1 << (place % 64));
                    match words_of.last_mut() {
                        Some((last, bits)) if *last == word => *bits |= bit,
                        _ => words_of.push((word, bit)),
                    }
                }
                let leaves = sides.leaves[attribute][text(places[0])].iter();
                for code in leaves.take_while(|code| (*code as usize) < leaf_counts[attribute]) {
                    let start = code as usize * words;
                    for &(word, bits) in &words_of {
                        mask[start + word] |= bits;
                    }
                }
            }
        }
        let summary = |mask: &[u64]| {
            let filled = mask.iter().enumerate().filter(|(_, word)| **word != 0);
            filled.fold(0, |set, (place, _)| set | 1 << place)
        };
        let summaries = masks.iter().map(|masks| masks.chunks(words).map(summary).collect()).collect();
        Self { rows, words, masks, summaries }
    }

    /// Calls `found` with each row whose sides all hold these leaves, ascending.
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

/// Removes the lowest bit that is set and says which it was.
fn take_lowest(bits: &mut u64) -> Option<usize> {
    let lowest = bits.trailing_zeros();
    *bits &= bits.wrapping_sub(1);
    (lowest < u64::BITS).then_some(lowest as usize)
}

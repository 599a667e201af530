//! Which released rows each person matches.

use super::denote::Leaves;
use super::hierarchy::Leaf;
use super::people::Combination;

/// The words of one block's masks, at most as many as one word has bits.
const WORDS: usize = 64;
/// How much memory the masks of a block may take, in words.
const MEMORY: usize = 1 << 23;

/// Calls `found` with each combination and each row whose sides all hold its leaves; of one combination in ascending rows.
///
/// `sides` has the leaves of every distinct text, per attribute; a row names one text per attribute.
///
/// Rows are taken in blocks. A block has, per attribute and leaf, a mask of the rows whose side holds the leaf, and above
/// it one word that says which words of the mask are not empty. So a combination costs a few words per block and
/// attribute, and the rows that it matches.
pub(super) fn match_rows(
    combinations: &[Combination],
    sides: &[Vec<Leaves>],
    leaf_counts: &[usize],
    rows: &[Vec<usize>],
    mut found: impl FnMut(usize, usize),
) {
    let leaves: usize = leaf_counts.iter().sum();
    let words = (MEMORY / leaves.max(1)).clamp(1, WORDS).min(rows.len().div_ceil(64).max(1));
    for (number, rows) in rows.chunks(words * 64).enumerate() {
        let block = Block::new(sides, leaf_counts, rows, words);
        for (place, combination) in combinations.iter().enumerate() {
            block.each_match(&combination.codes, |row| found(place, number * words * 64 + row));
        }
    }
}

/// The masks of some rows.
struct Block {
    words: usize,
    /// Per attribute, the masks of its leaves, one after the other.
    masks: Vec<Vec<u64>>,
    /// Per attribute and leaf, which words of its mask are not empty.
    summaries: Vec<Vec<u64>>,
}

impl Block {
    fn new(sides: &[Vec<Leaves>], leaf_counts: &[usize], rows: &[Vec<usize>], words: usize) -> Self {
        let mut masks: Vec<Vec<u64>> = leaf_counts.iter().map(|leaves| vec![0; leaves * words]).collect();
        for ((attribute, mask), sides) in masks.iter_mut().enumerate().zip(sides) {
            // The rows of a text are gathered first, so that a text of many leaves and rows is no product of the two.
            let mut rows_of: Vec<Vec<(usize, u64)>> = vec![Vec::new(); sides.len()];
            for (row, texts) in rows.iter().enumerate() {
                let (word, bit) = (row / 64, 1 << (row % 64));
                match rows_of[texts[attribute]].last_mut() {
                    Some((last, bits)) if *last == word => *bits |= bit,
                    _ => rows_of[texts[attribute]].push((word, bit)),
                }
            }
            for (leaves, rows) in sides.iter().zip(&rows_of).filter(|(_, rows)| !rows.is_empty()) {
                for code in leaves.iter() {
                    let start = code as usize * words;
                    for &(word, bits) in rows {
                        mask[start + word] |= bits;
                    }
                }
            }
        }
        let summary = |mask: &[u64]| {
            mask.iter()
                .enumerate()
                .filter(|(_, word)| **word != 0)
                .fold(0, |set, (place, _)| set | 1 << place)
        };
        let summaries = masks.iter().map(|masks| masks.chunks(words).map(summary).collect()).collect();
        Self { words, masks, summaries }
    }

    fn each_match(&self, codes: &[Leaf], mut found: impl FnMut(usize)) {
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
                found(word * 64 + row);
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

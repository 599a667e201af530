//! Sets of rows as bits: those whose sides contain a leaf, and those that remain after some leaves.

use std::ops::Range;

use rayon::prelude::*;

use super::sides::Sides;
use crate::labels::Leaf;

/// The limit of memory for the masks of some rows, in words.
const MEMORY: usize = 1 << 23;
/// The limit of words in a mask.
const MOST: usize = 1 << 12;

/// The number of rows whose masks are made at once, for attributes with these leaves.
pub(super) fn rows_at_once(occurs: &[Vec<bool>]) -> usize {
    let leaves: usize = occurs.iter().map(Vec::len).sum();
    (MEMORY / leaves.max(1)).clamp(1, MOST) * 64
}

/// The masks of some rows. For each attribute and leaf, a mask has a bit for each row whose side contains the leaf, and a summary
/// has a bit for each word of the mask that is not zero.
pub(super) struct Masks {
    rows: Range<usize>,
    words: usize,
    summary_words: usize,
    /// The attributes in which some row lacks an occurring leaf. The others tell no rows apart.
    attributes: Vec<Attribute>,
}

struct Attribute {
    index: usize,
    /// The masks of the leaves, one after the other, and their summaries.
    masks: Vec<u64>,
    summaries: Vec<u64>,
}

impl Masks {
    pub(super) fn of(sides: &Sides, occurs: &[Vec<bool>], rows: Range<usize>) -> Self {
        let words = rows.len().div_ceil(64);
        let of_attribute = |(index, occurs): (usize, &Vec<bool>)| {
            let attribute = Attribute::of(sides, index, occurs, rows.clone());
            (!attribute.has_all(occurs, rows.len())).then_some(attribute)
        };
        let attributes = occurs.par_iter().enumerate().with_max_len(1).filter_map(of_attribute).collect();
        Self { rows, words, summary_words: words.div_ceil(64), attributes }
    }
}

impl Attribute {
    fn of(sides: &Sides, index: usize, occurs: &[bool], rows: Range<usize>) -> Self {
        let (words, start) = (rows.len().div_ceil(64), rows.start);
        let mut masks = vec![0; occurs.len() * words];
        // Rows with the same text are collected first. A text with many leaves and many rows then costs their sum.
        let text = |row: usize| sides.text(index, start + row);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&row| text(row));
        for same in order.chunk_by(|&left, &right| text(left) == text(right)) {
            let mut words_of: Vec<(usize, u64)> = Vec::new();
            for row in same {
                let (word, bit) = (row / 64, 1 << (row % 64));
                match words_of.last_mut() {
                    Some((last, bits)) if *last == word => *bits |= bit,
                    _ => words_of.push((word, bit)),
                }
            }
            for (first, last) in sides.leaves[index][text(same[0])].runs() {
                let end = occurs.len().min(last as usize + 1);
                for leaf in ((first as usize).min(end)..end).filter(|leaf| occurs[*leaf]) {
                    for &(word, bits) in &words_of {
                        masks[leaf * words + word] |= bits;
                    }
                }
            }
        }
        let summary = |words: &[u64]| {
            let filled = words.iter().enumerate().filter(|(_, word)| **word != 0);
            filled.fold(0, |summary, (nth, _)| summary | 1 << nth)
        };
        let summaries = masks.chunks(words).flat_map(|mask| mask.chunks(64).map(summary)).collect();
        Self { index, masks, summaries }
    }

    /// Whether each row contains each leaf that occurs.
    fn has_all(&self, occurs: &[bool], rows: usize) -> bool {
        let mut masks = self.masks.chunks(rows.div_ceil(64)).zip(occurs).filter(|(_, occurs)| **occurs);
        masks.all(|(mask, _)| mask.iter().map(|word| word.count_ones() as usize).sum::<usize>() == rows)
    }
}

/// Finds the rows of one combination after the other.
pub(super) struct Search<'a> {
    masks: &'a Masks,
    /// The leaves of the last combination.
    codes: Vec<Leaf>,
    /// The rows that contain the first leaves of the last combination, for each number of leaves: a mask, its words that are not
    /// zero, and its summary. The other words do not count, nor does the summary of few words.
    words: Vec<u64>,
    filled: Vec<Vec<usize>>,
    summaries: Vec<u64>,
    /// The number of leaves whose rows are known.
    known: usize,
    /// Whether the next leaf leaves no row.
    is_over: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(masks: &'a Masks) -> Self {
        let depths = masks.attributes.len() + 1;
        let (mut words, mut summaries) =
            (vec![0; depths * masks.words], vec![0; depths * masks.summary_words]);
        for nth in 0..masks.words {
            words[nth] = u64::MAX >> (64 - (masks.rows.len() - nth * 64).min(64));
            summaries[nth / 64] |= 1 << (nth % 64);
        }
        let mut filled = vec![Vec::new(); depths];
        filled[0].extend(0..masks.words);
        Self { masks, codes: vec![0; depths - 1], words, filled, summaries, known: 0, is_over: false }
    }

    /// Calls `found` with each row whose sides contain these leaves, in ascending order. All leaves occur.
    pub(super) fn each_match(&mut self, codes: &[Leaf], mut found: impl FnMut(usize)) {
        let attributes = &self.masks.attributes;
        let differs = |depth: &usize| self.codes[*depth] != codes[attributes[*depth].index];
        match (0..self.known + usize::from(self.is_over)).find(differs) {
            Some(depth) => (self.known, self.is_over) = (depth, false),
            None if self.is_over => return,
            None => {}
        }
        while let Some(attribute) = attributes.get(self.known) {
            let leaf = codes[attribute.index];
            self.codes[self.known] = leaf;
            if !self.narrow(self.known, leaf as usize) {
                self.is_over = true;
                return;
            }
            self.known += 1;
        }
        let words = &self.words[self.known * self.masks.words..];
        for &word in &self.filled[self.known] {
            bits(words[word]).for_each(|row| found(self.masks.rows.start + word * 64 + row));
        }
    }

    /// Finds the rows of `depth` + 1 leaves from those of `depth`. Whether there are any.
    fn narrow(&mut self, depth: usize, leaf: usize) -> bool {
        let Masks { words, summary_words, attributes, .. } = self.masks;
        let (words, summary_words) = (*words, *summary_words);
        let mask = &attributes[depth].masks[leaf * words..(leaf + 1) * words];
        let summaries = &attributes[depth].summaries[leaf * summary_words..(leaf + 1) * summary_words];
        let (before, after) = self.words[depth * words..].split_at_mut(words);
        let [filled_before, filled_after] = &mut self.filled[depth..depth + 2] else { return false };
        filled_after.clear();
        let mut narrow = |word: usize| {
            let rows = before[word] & mask[word];
            if rows != 0 {
                after[word] = rows;
                filled_after.push(word);
            }
            rows != 0
        };
        if filled_before.len() <= summary_words {
            for &word in filled_before.iter().filter(|word| summaries[**word / 64] >> (**word % 64) & 1 == 1)
            {
                narrow(word);
            }
        } else {
            let (summary_before, summary_after) =
                self.summaries[depth * summary_words..].split_at_mut(summary_words);
            for (nth, summary) in summaries.iter().enumerate() {
                let both = bits(summary_before[nth] & summary);
                summary_after[nth] =
                    both.filter(|bit| narrow(nth * 64 + bit)).fold(0, |all, bit| all | 1 << bit);
            }
        }
        !filled_after.is_empty()
    }
}

/// The numbers of the bits that are set, ascending.
fn bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (lowest < u64::BITS).then_some(lowest as usize)
    })
}

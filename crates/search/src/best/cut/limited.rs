//! Cuts of a column with a limit of terms: between two bins, or the bins of a label against the rest, if both
//! sides of the cut box obey the limit.

use super::{Choice, Cut, Cutter};
use crate::best::block::bins::{BINS, ones};
use crate::best::frame::minus;
use crate::regions::split::Split;
use palmtop_core::model::{Counts, CutBox};

impl Cutter<'_> {
    /// Whether a label of the last rows has bins that may be cut from the rest, whatever the cut box.
    pub(super) fn has_label_cut(&self, column: usize, counts: Counts, bins: u64) -> bool {
        let groups = self.block.columns[column].groups.as_ref().filter(|_| self.setting.singles);
        groups.is_some_and(|groups| {
            let mut inside = groups.labels.iter().map(|&(mask, ..)| mask & bins);
            inside.any(|inside| {
                inside != 0 && inside != bins && self.allows(counts, self.people(column, inside))
            })
        })
    }

    /// Scores every valid cut of a column that a box permits.
    pub(super) fn cuts_within(
        &self,
        cut_box: &CutBox,
        column: usize,
        counts: Counts,
        bins: u64,
        choice: &mut Choice,
    ) {
        let (Some(limited), Some(groups)) =
            (self.frame.boxes.limited(column), &self.block.columns[column].groups)
        else {
            return;
        };
        let values = limited.tree.set(self.block.columns[column].values(bins));
        let is_permitted = |split: &Split| split.is_permitted(&self.frame.boxes, cut_box, column, &values);
        let unions = Unions::of(self, column, bins);
        let mut offer = |left: u64, split: &dyn Fn() -> Option<Split>| {
            let left_counts = self.people(column, left);
            if !self.allows(counts, left_counts) {
                return;
            }
            let (signature, rest) = (unions.inside(left), unions.inside(bins & !left));
            let halves = [(left_counts, &signature[..]), (minus(counts, left_counts), &rest[..])];
            if let Some(score) = self.score_below(halves, choice)
                && let Some(split) = split()
                && self.values_hold(column, &[left, !left])
            {
                choice.offer(score, Cut { column, left: Some(left), split: Some(split) });
            }
        };
        let mut below = 0;
        let mut before = None;
        for bin in ones(bins) {
            if let Some(last) = before.replace(bin) {
                let (end, start) = (groups.ends[last].1, groups.ends[bin].0);
                offer(below, &|| limited.between(end, start).map(Split::At).find(is_permitted));
            }
            below |= 1 << bin;
        }
        if self.setting.singles {
            for &(mask, level, code) in &groups.labels {
                let inside = mask & bins;
                if inside != 0 && inside != bins {
                    offer(inside, &|| Some(Split::Only(level, code)).filter(is_permitted));
                }
            }
        }
    }
}

/// The signatures of sets of bins of a column.
struct Unions<'a> {
    words: usize,
    bins: u64,
    /// The signature of each bin, one after another.
    marks: &'a [u64],
    /// The signatures of all bins before each bin, and of each bin and all after it.
    before: Vec<u64>,
    after: Vec<u64>,
}

impl<'a> Unions<'a> {
    fn of(cutter: &'a Cutter, column: usize, bins: u64) -> Self {
        let words = cutter.block.words;
        let marks = &cutter.marks[column * BINS * words..(column + 1) * BINS * words];
        let mut before = vec![0; (BINS + 1) * words];
        let mut after = vec![0; (BINS + 1) * words];
        let mark = |bin: usize, word: usize| if bins >> bin & 1 == 1 { marks[bin * words + word] } else { 0 };
        for bin in 0..BINS {
            let last = BINS - 1 - bin;
            for word in 0..words {
                before[(bin + 1) * words + word] = before[bin * words + word] | mark(bin, word);
                after[last * words + word] = after[(last + 1) * words + word] | mark(last, word);
            }
        }
        Self { words, bins, marks, before, after }
    }

    /// The signature of some of the bins.
    fn inside(&self, some: u64) -> Vec<u64> {
        let of = |sums: &[u64], bin: usize| sums[bin * self.words..(bin + 1) * self.words].to_vec();
        let (first, last) = (some.trailing_zeros() as usize, 63 - some.leading_zeros() as usize);
        let upto = u64::MAX >> (63 - last);
        if self.bins & upto == some {
            return of(&self.before, last + 1);
        }
        if self.bins & (u64::MAX << first) == some {
            return of(&self.after, first);
        }
        let gap = self.bins & !some;
        let (low, high) = (gap.trailing_zeros() as usize, 64 - gap.leading_zeros() as usize);
        let mut signature = vec![0; self.words];
        let mut add =
            |other: &[u64]| signature.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
        if gap.count_ones() < some.count_ones() {
            // Everything outside the gap, and the bins within it.
            add(&of(&self.before, low));
            add(&of(&self.after, high));
            let within = some & (u64::MAX << low) & (u64::MAX >> (64 - high));
            ones(within).for_each(|bin| add(&self.marks[bin * self.words..(bin + 1) * self.words]));
        } else {
            ones(some).for_each(|bin| add(&self.marks[bin * self.words..(bin + 1) * self.words]));
        }
        signature
    }
}

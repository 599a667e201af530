//! The best cut of some rows over all columns and values: in two, or into all labels below the
//! label around them.

mod fine;
mod limited;

use std::ops::{ControlFlow, Range};

use super::block::bins::{BINS, ones};
use super::block::{Block, Probe, STRIDE};
use super::exact::{exp2, log2, mix, unit};
use super::frame::TreePart;
use super::frame::{Frame, minus};
use super::setting::Setting;
use crate::control::worker_pool::WorkerPool;
use crate::regions::column_table::TableRows;
use crate::regions::split::Split;
use palmtop_core::model::{Counts, CutBox, Cuts};

/// The number of signature words that are joined between two checks for a stop.
const MARKS: usize = 1 << 22;

/// A cut of one column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) column: usize,
    /// The bins that go left. `None` if each label directly below the label around all bins is a
    /// part.
    left: Option<u64>,
    /// The cut of the box, if the column has a limit of terms.
    split: Option<Split>,
}

/// Finds the cuts of one set of rows after another, and reuses its buffers.
pub(super) struct Cutter<'a> {
    pub(super) frame: &'a Frame,
    /// The weight of one more leaf of a row in each column.
    pub(super) pull: &'a [f64],
    pub(super) pool: &'a WorkerPool<'a>,
    pub(super) setting: Setting,
    pub(super) block: Block,
    /// The columns in which the rows differ.
    live: Vec<usize>,
    probes: Vec<Probe>,
    /// The live columns that have a valid cut.
    open: Vec<usize>,
    /// Whether the last rows share a bin that may have several labels.
    hides_labels: bool,
    /// The counts of each bin of each column.
    sums: Vec<Counts>,
    /// For each bin of each column, the signature of its rows.
    marks: Vec<u64>,
    before: Vec<u64>,
    after: Vec<u64>,
    rest: Vec<u64>,
    order: Vec<usize>,
    /// The logarithms of small numbers.
    logs: Vec<f64>,
    /// If sensitive values matter, the last rows with members: the row in the block, and the
    /// combination.
    members: Vec<(usize, u32)>,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(frame: &'a Frame, pull: &'a [f64], pool: &'a WorkerPool<'a>) -> Self {
        let width = frame.width();
        Self {
            frame,
            pull,
            pool,
            setting: Setting::proven(frame.metric)[0],
            block: Block::new(frame),
            live: Vec::with_capacity(width),
            probes: Vec::with_capacity(width),
            open: Vec::with_capacity(width),
            hides_labels: false,
            sums: vec![Counts::default(); width * BINS],
            marks: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            rest: Vec::new(),
            order: Vec::with_capacity(BINS),
            logs: std::iter::once(0.0).chain((1..256).map(|private| log2(f64::from(private)))).collect(),
            members: Vec::new(),
        }
    }

    /// Numbers the values of some rows into bins.
    pub(super) fn load(&mut self, rows: &TableRows) -> ControlFlow<()> {
        self.block.load(self.frame, rows, self.pool)
    }

    /// The best valid cut of some rows, if there is one. The rows begin at `start` in the block.
    /// `cut_box` is theirs, if terms are limited.
    pub(super) fn choose(
        &mut self,
        rows: &TableRows,
        cut_box: Option<&CutBox>,
        start: usize,
        counts: Counts,
        signature: &[u64],
        seed: u64,
    ) -> ControlFlow<(), Option<Cut>> {
        let columns = &self.block.columns;
        self.live.clear();
        self.live.extend((0..columns.len()).filter(|&column| columns[column].of(signature).count_ones() > 1));
        self.hides_labels = columns.iter().any(|column| column.may_hide_labels(signature));
        if self.live.is_empty() {
            return ControlFlow::Continue(None);
        }
        self.count(rows, start)?;
        if self.frame.values.is_some() {
            let rows_with_counts = (start..).zip(rows.counts()).zip(rows.combinations());
            let with_members = rows_with_counts.filter(|((_, counts), _)| counts.private > 0);
            self.members.clear();
            self.members.extend(with_members.map(|((row, _), &combination)| (row, combination)));
        }
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        open.extend(self.live.iter().copied().filter(|&column| self.can_cut(column, counts, signature)));
        self.open = open;
        if self.open.is_empty() {
            return ControlFlow::Continue(None);
        }
        self.mark(rows.len(), start, signature)?;
        self.probes.clear();
        self.probes.extend(self.live.iter().map(|&column| self.block.probe(column, self.pull[column])));
        let mut choice = Choice { best: f64::INFINITY, cut: None, seed };
        for index in 0..self.open.len() {
            self.pool.go_on()?;
            let column = self.open[index];
            let bins = self.block.columns[column].of(signature);
            match cut_box.filter(|_| self.frame.boxes.limited(column).is_some()) {
                Some(cut_box) => self.cuts_within(cut_box, column, counts, bins, &mut choice),
                None => self.cuts(column, counts, bins, &mut choice),
            }
        }
        ControlFlow::Continue(choice.cut)
    }

    /// Whether values share bins in a column that distinguishes the last rows.
    pub(super) fn is_coarse(&self) -> bool {
        self.hides_labels || self.live.iter().any(|&column| self.block.columns[column].is_coarse())
    }

    /// Whether every part of a cut, given by its bins, satisfies the criteria on sensitive values.
    fn values_hold(&self, column: usize, parts: &[u64]) -> bool {
        let Some(judge) = &self.frame.values else { return true };
        let width = self.frame.width();
        let part = |member: &(usize, u32)| {
            let bin = self.block.bins[member.0 * width + column] & 63;
            parts.iter().position(|bins| bins >> bin & 1 == 1)
        };
        judge.all_hold(&self.members, |member| member.1, part)
    }

    /// The bins of each part of a cut, for rows with this signature.
    pub(super) fn parts(&self, cut: Cut, signature: &[u64]) -> Vec<u64> {
        let packed = &self.block.columns[cut.column];
        let bins = packed.of(signature);
        match (cut.left, &packed.labels) {
            (None, Some(labels)) => labels.parts(bins),
            (left, _) => vec![bins & left.unwrap_or(0), bins & !left.unwrap_or(0)],
        }
    }

    /// The counts of some bins of a column.
    fn people(&self, column: usize, bins: u64) -> Counts {
        ones(bins).map(|bin| self.sums[column * BINS + bin]).sum()
    }

    /// Appends the signature of the rows in some bins of a column to a list of signatures.
    pub(super) fn join(&self, column: usize, bins: u64, signatures: &mut Vec<u64>) {
        let (start, words) = (signatures.len(), self.block.words);
        signatures.resize(start + words, 0);
        for bin in ones(bins) {
            let mark = &self.marks[(column * BINS + bin) * words..][..words];
            signatures[start..].iter_mut().zip(mark).for_each(|(word, mark)| *word |= mark);
        }
    }

    /// Moves the rows of each part of a cut together. Parts are given by their bins.
    pub(super) fn divide(
        &mut self,
        rows: &mut TableRows,
        cut_box: Option<&CutBox>,
        start: usize,
        cut: Cut,
        parts: &[u64],
    ) -> Vec<TreePart> {
        let column = cut.column;
        let halves = cut.split.map(|split| {
            let bins = parts.iter().fold(0, |all, bins| all | bins);
            split.halves(&self.frame.boxes, cut_box, column, self.block.columns[column].values(bins))
        });
        let length = rows.len();
        let mut offset = 0;
        let mut divided = Vec::with_capacity(parts.len());
        for (index, &bins) in parts.iter().enumerate() {
            let count = if index + 1 < parts.len() {
                self.bring_forward(rows.part(offset..length), start + offset, column, bins)
            } else {
                length - offset
            };
            let part_box = match &halves {
                Some(halves) => halves[index & 1].clone(),
                None => cut_box.cloned(),
            };
            divided.push((count, self.people(column, bins), part_box));
            offset += count;
        }
        divided
    }

    /// Moves the rows in some bins of a column to the front, and returns their number.
    fn bring_forward(&mut self, mut rows: TableRows, start: usize, column: usize, front: u64) -> usize {
        let width = self.frame.width();
        let bins = &mut self.block.bins[start * width..(start + rows.len()) * width];
        let goes_left = |bins: &[u8], row: usize| front >> bins[row * width + column] & 1 == 1;
        let (mut low, mut high) = (0, rows.len());
        loop {
            while low < high && goes_left(bins, low) {
                low += 1;
            }
            while low < high && !goes_left(bins, high - 1) {
                high -= 1;
            }
            if low >= high {
                return low;
            }
            high -= 1;
            rows.swap(low, high);
            let (front, back) = bins.split_at_mut(high * width);
            front[low * width..(low + 1) * width].swap_with_slice(&mut back[..width]);
            low += 1;
        }
    }

    /// Counts the individuals and members in each bin of each live column.
    fn count(&mut self, rows: &TableRows, start: usize) -> ControlFlow<()> {
        let width = self.frame.width();
        for &column in &self.live {
            self.sums[column * BINS..][..self.block.columns[column].bins].fill(Counts::default());
        }
        let bins = &self.block.bins[start * width..(start + rows.len()) * width];
        for (index, ((_, counts), bins)) in rows.iter().zip(bins.chunks_exact(width)).enumerate() {
            if index % STRIDE == STRIDE - 1 {
                self.pool.go_on()?;
            }
            for &column in &self.live {
                self.sums[column * BINS + usize::from(bins[column] & 63)] += counts;
            }
        }
        ControlFlow::Continue(())
    }

    /// Computes the signature of the rows of each bin of the open columns.
    fn mark(&mut self, length: usize, start: usize, signature: &[u64]) -> ControlFlow<()> {
        let words = self.block.words;
        if self.marks.len() < self.frame.width() * BINS * words {
            self.marks.resize(self.frame.width() * BINS * words, 0);
        }
        for &column in &self.open {
            for bin in ones(self.block.columns[column].of(signature)) {
                let first = (column * BINS + bin) * words;
                self.marks[first..first + words].fill(0);
            }
        }
        // A row of a wide table is much work: the number of words times the number of columns.
        let stride = (MARKS / (self.open.len() * words).max(1)).clamp(1, STRIDE);
        for first in (start..start + length).step_by(stride) {
            self.pool.go_on()?;
            let rows = first..(first + stride).min(start + length);
            match words {
                1 => self.mark_in::<1>(rows),
                2 => self.mark_in::<2>(rows),
                3 => self.mark_in::<3>(rows),
                4 => self.mark_in::<4>(rows),
                _ => self.mark_wide(rows),
            }
        }
        ControlFlow::Continue(())
    }

    fn mark_in<const WORDS: usize>(&mut self, rows: Range<usize>) {
        let width = self.frame.width();
        let bit_positions: Vec<(usize, u32)> = (0..width)
            .map(|column| {
                let (word, bit) = self.block.bit(column, 0);
                (word.min(WORDS - 1), bit.trailing_zeros())
            })
            .collect();
        let (marks, _) = self.marks.as_chunks_mut::<WORDS>();
        let bins = &self.block.bins[rows.start * width..rows.end * width];
        for bins in bins.chunks_exact(width) {
            let mut row = [0_u64; WORDS];
            for (&(word, shift), &bin) in bit_positions.iter().zip(bins) {
                row[word] |= 1 << ((shift + u32::from(bin)) & 63);
            }
            for &column in &self.open {
                let mark = &mut marks[column * BINS + usize::from(bins[column] & 63)];
                mark.iter_mut().zip(row).for_each(|(mark, word)| *mark |= word);
            }
        }
    }

    fn mark_wide(&mut self, rows: Range<usize>) {
        let (width, words) = (self.frame.width(), self.block.words);
        let mut row = vec![0_u64; words];
        let bins = &self.block.bins[rows.start * width..rows.end * width];
        for bins in bins.chunks_exact(width) {
            row.fill(0);
            for (column, &bin) in bins.iter().enumerate() {
                let (word, bit) = self.block.bit(column, bin);
                row[word] |= bit;
            }
            for &column in &self.open {
                let first = (column * BINS + usize::from(bins[column])) * words;
                for (mark, word) in self.marks[first..first + words].iter_mut().zip(&row) {
                    *mark |= word;
                }
            }
        }
    }

    /// Whether the policy and the setting permit both halves.
    fn allows(&self, counts: Counts, left: Counts) -> bool {
        let empty = self.frame.empty && self.setting.empty;
        self.frame.allows(left, empty) && self.frame.allows(minus(counts, left), empty)
    }

    /// Whether the policy and the setting permit a part of a cut into several.
    fn allows_part(&self, part: Counts) -> bool {
        self.frame.allows(part, self.frame.empty && self.setting.empty)
    }

    /// Whether a column has a cut whose parts are all valid.
    fn can_cut(&self, column: usize, counts: Counts, signature: &[u64]) -> bool {
        let bins = self.block.columns[column].of(signature);
        match (self.frame.cuts[column], &self.block.columns[column].labels) {
            (Cuts::Never, _) => return false,
            (Cuts::Labels, Some(labels)) => {
                let mut parts = labels.parts(bins).into_iter();
                return parts.all(|part| self.allows_part(self.people(column, part)));
            }
            _ => {}
        }
        let sums = &self.sums[column * BINS..(column + 1) * BINS];
        if self.frame.boxes.limited(column).is_some() && self.has_label_cut(column, counts, bins) {
            return true;
        }
        let mut left = Counts::default();
        let is_set = !self.frame.ordered[column];
        for bin in ones(bins) {
            if left.public > 0 && self.allows(counts, left)
                || is_set && self.setting.singles && self.allows(counts, sums[bin])
            {
                return true;
            }
            left += sums[bin];
        }
        false
    }

    /// Scores every valid cut of a column: in the order of values. For sets also one value against
    /// the rest, and in the order of the values' presence.
    fn cuts(&mut self, column: usize, counts: Counts, bins: u64, choice: &mut Choice) {
        if let Some(labels) = &self.block.columns[column].labels {
            let parts = labels.parts(bins);
            return self.cut_into(&parts, column, choice);
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(ones(bins));
        let is_set = !self.frame.ordered[column] && order.len() > 2;
        self.cuts_along(&order, column, counts, is_set && self.setting.singles, choice);
        if is_set && order.len() > 3 && self.setting.by_presence {
            let sums = &self.sums[column * BINS..(column + 1) * BINS];
            order.sort_by(|&left, &right| {
                let (left, right) = (sums[left], sums[right]);
                let product = |private: u64, public: u64| u128::from(private) * u128::from(public);
                product(left.private, right.public).cmp(&product(right.private, left.public))
            });
            self.cuts_along(&order, column, counts, false, choice);
        }
        self.order = order;
    }

    /// Scores a cut into several parts, given by their bins.
    fn cut_into(&mut self, parts: &[u64], column: usize, choice: &mut Choice) {
        let noise = choice.noise(self.setting.noise);
        let words = self.block.words;
        let mut score = 0.0;
        for &bins in parts {
            self.before.clear();
            self.before.resize(words, 0);
            for bin in ones(bins) {
                let mark = &self.marks[(column * BINS + bin) * words..][..words];
                self.before.iter_mut().zip(mark).for_each(|(word, mark)| *word |= mark);
            }
            score += self.score(self.people(column, bins), &self.before) * noise;
            if score >= choice.best {
                return;
            }
        }
        if self.values_hold(column, parts) {
            choice.offer(score, Cut { column, left: None, split: None });
        }
    }

    fn cuts_along(
        &mut self,
        order: &[usize],
        column: usize,
        counts: Counts,
        singles: bool,
        choice: &mut Choice,
    ) {
        let words = self.block.words;
        let count = order.len();
        self.after.resize((BINS + 1) * words, 0);
        self.before.clear();
        self.before.resize(words, 0);
        self.rest.resize(words, 0);
        self.after[count * words..(count + 1) * words].fill(0);
        for (index, bin) in order.iter().enumerate().rev() {
            let mark = (column * BINS + bin) * words;
            for word in 0..words {
                self.after[index * words + word] =
                    self.after[(index + 1) * words + word] | self.marks[mark + word];
            }
        }
        let mut left = Counts::default();
        let mut below = 0_u64;
        for (index, &bin) in order.iter().enumerate() {
            let bin_counts = self.sums[column * BINS + bin];
            let mark = (column * BINS + bin) * words;
            if index > 0 && self.allows(counts, left) {
                let after = &self.after[index * words..(index + 1) * words];
                let halves = [(left, &self.before[..]), (minus(counts, left), after)];
                self.weigh(halves, Cut { column, left: Some(below), split: None }, choice);
            }
            if singles && index > 0 && index + 1 < count && self.allows(counts, bin_counts) {
                for word in 0..words {
                    self.rest[word] = self.before[word] | self.after[(index + 1) * words + word];
                }
                let halves = [
                    (bin_counts, &self.marks[mark..mark + words]),
                    (minus(counts, bin_counts), &self.rest[..]),
                ];
                self.weigh(halves, Cut { column, left: Some(1 << bin), split: None }, choice);
            }
            left += bin_counts;
            below |= 1 << bin;
            for (before, mark) in self.before.iter_mut().zip(&self.marks[mark..mark + words]) {
                *before |= mark;
            }
        }
    }

    /// Offers a cut by the counts and the signatures of its halves.
    fn weigh(&self, halves: [(Counts, &[u64]); 2], cut: Cut, choice: &mut Choice) {
        if let Some(score) = self.score_below(halves, choice) {
            let left = cut.left.unwrap_or_default();
            if self.values_hold(cut.column, &[left, !left]) {
                choice.offer(score, cut);
            }
        }
    }

    /// The score of a cut, if it is below the least so far. Skips the second half if the first alone costs
    /// too much.
    fn score_below(&self, halves: [(Counts, &[u64]); 2], choice: &mut Choice) -> Option<f64> {
        let noise = choice.noise(self.setting.noise);
        let [(left, left_signature), (right, right_signature)] = halves;
        // The half with more members first, because its score is probably too high.
        let (first, second) = if left.private > right.private {
            ((left, left_signature), (right, right_signature))
        } else {
            ((right, right_signature), (left, left_signature))
        };
        let score = self.score(first.0, first.1) * noise;
        if score >= choice.best {
            return None;
        }
        let score = score + self.score(second.0, second.1) * noise;
        (score < choice.best).then_some(score)
    }

    /// The score of a half, by its counts and its signature: see [`Setting`].
    fn score(&self, counts: Counts, signature: &[u64]) -> f64 {
        if counts.private == 0 {
            return 0.0;
        }
        let Setting { spare, slack, extent, private, .. } = self.setting;
        let loss = self.block.loss(&self.probes, signature) + 1e-4;
        let (over, under) = self.frame.slack(counts);
        let mut score = extent * log2(loss) - slack * log2(over + spare);
        if self.frame.has_min() {
            score -= self.setting.reserve * log2(under + spare);
        }
        let people = match usize::try_from(counts.private).ok().and_then(|people| self.logs.get(people)) {
            Some(&log) => log,
            #[expect(clippy::cast_precision_loss, reason = "a score, which only guides the search")]
            None => log2(counts.private as f64),
        };
        exp2(score + (1.0 + private) * people)
    }
}

/// The cut with the least score so far.
struct Choice {
    best: f64,
    cut: Option<Cut>,
    seed: u64,
}

impl Choice {
    /// A random factor of a score: 1 plus at most `share`.
    fn noise(&mut self, share: f64) -> f64 {
        if share > 0.0 {
            self.seed = mix(self.seed);
            1.0 + share * unit(self.seed)
        } else {
            1.0
        }
    }

    /// Takes a cut if its score is lower.
    fn offer(&mut self, score: f64, cut: Cut) {
        if score < self.best {
            (self.best, self.cut) = (score, Some(cut));
        }
    }
}

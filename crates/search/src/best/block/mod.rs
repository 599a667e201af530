//! Rows as bit sets, so that the box around rows is found by a few word operations for each row.
//!
//! Within a block, the distinct values of each column are numbered into at most 64 *bins*, one bit
//! each. The bits of all columns are packed into a *signature* of as few words as possible. The
//! bitwise or of some rows' signatures tells which values occur among them, and so the box around
//! them. If a column is cut between labels only, its bins are in the order of its hierarchy. If it
//! has more than 64 values, its bins are labels.

mod bin_groups;
mod bin_labels;
pub(super) mod bins;
pub(super) mod extents;

use std::ops::ControlFlow;
use std::sync::Arc;

use self::bin_groups::{BinGroups, bins_along_labels};
use self::bin_labels::BinLabels;
use self::bins::{BINS, ones};
use super::frame::Frame;
use crate::control::worker_pool::WorkerPool;
use crate::regions::column_table::TableRows;
use palmtop_core::model::size;
use palmtop_core::model::{Code, Hierarchy};

/// The number of rows that are read between two checks for a stop.
pub(super) const STRIDE: usize = 1 << 15;

/// The position of a column's bits in a signature, and their meaning.
#[derive(Clone, Debug)]
pub(super) struct BlockColumn {
    word: usize,
    shift: u32,
    pub(super) bins: usize,
    /// The number of distinct values for each bin; above 1 if values share bins.
    grain: f64,
    distinct: u32,
    /// For each bin, the number of leaves before its lowest value.
    lows: Vec<u32>,
    /// For each bin, the number of leaves before the last leaf of its highest value.
    highs: Vec<u32>,
    /// If values stand for several leaves, the number of leaves before each value.
    before: Option<Arc<Vec<u32>>>,
    /// For each bin, the number of its leaves.
    sizes: Vec<u32>,
    /// The bin of each value.
    number_of: Vec<u8>,
    /// The values that occur, one bit each.
    seen: Vec<u64>,
    /// The labels around the bins, if the column is cut between labels only.
    pub(super) labels: Option<BinLabels>,
    /// The values of the bins, if the column has a limit of terms.
    pub(super) groups: Option<BinGroups>,
}

/// The bins of some rows.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) columns: Vec<BlockColumn>,
    /// The number of words of a signature.
    pub(super) words: usize,
    /// The bins of each row, one byte for each column.
    pub(super) bins: Vec<u8>,
    /// The signature of all rows.
    pub(super) all: Vec<u64>,
    ordered: Vec<bool>,
}

/// How the bins of a box determine the length of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// All leaves from the lowest to the highest value.
    Range,
    /// The leaves of the finest label around the bins.
    Label,
    /// The sum of the bins' numbers of leaves.
    Sizes,
    /// The number of bins.
    Count,
}

/// How to read a column's contribution to the loss of a box from a signature.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    column: usize,
    word: usize,
    shift: u32,
    mask: u64,
    measure: Measure,
    small: bool,
    pull: f64,
    grain: f64,
}

/// The number of bits that are set in each byte.
const BITS: [u8; 256] = {
    let mut packed = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        packed[byte] = packed[byte / 2] + if byte % 2 == 1 { 1 } else { 0 };
        byte += 1;
    }
    packed
};

impl BlockColumn {
    /// The column's bins in a signature, as the low bits of a word.
    pub(super) fn of(&self, signature: &[u64]) -> u64 {
        let ones = u64::MAX >> (BINS - self.bins);
        signature[self.word] >> self.shift & ones
    }

    /// Whether values share bins.
    pub(super) fn is_coarse(&self) -> bool {
        self.distinct as usize > self.bins
    }

    /// Whether the column is cut between labels, and the rows share one bin that may have several
    /// labels.
    pub(super) fn may_hide_labels(&self, signature: &[u64]) -> bool {
        self.labels.is_some() && self.is_coarse() && self.of(signature).is_power_of_two()
    }

    /// The number of leaves before a value.
    #[inline]
    fn first(&self, code: Code) -> u32 {
        self.before.as_ref().map_or(code, |before| before[code as usize])
    }

    /// The number of leaves before the last leaf of a value.
    #[inline]
    fn last(&self, code: Code) -> u32 {
        self.before.as_ref().map_or(code, |before| before[code as usize + 1] - 1)
    }

    /// The position of a leaf among those of the column.
    #[inline]
    fn position(&self, code: Code) -> u32 {
        self.labels.as_ref().map_or(code, |labels| labels.tree.position(code))
    }
}

impl Block {
    /// An empty block for the columns of a problem.
    pub(super) fn new(frame: &Frame) -> Self {
        let packed = |(column, &leaves): (usize, &usize)| BlockColumn {
            word: 0,
            shift: 0,
            bins: 1,
            grain: 1.0,
            distinct: 1,
            lows: vec![0; BINS],
            highs: vec![0; BINS],
            number_of: vec![0; leaves],
            seen: vec![0; leaves.div_ceil(64)],
            labels: frame.trees[column].as_ref().map(|tree| BinLabels::new(Arc::clone(tree))),
            groups: frame.boxes.limited(column).map(|_| BinGroups::default()),
            before: frame.before[column].clone(),
            sizes: vec![0; BINS],
        };
        Self {
            columns: frame.leaves.iter().enumerate().map(packed).collect(),
            words: 0,
            bins: Vec::new(),
            all: Vec::new(),
            ordered: frame.ordered.clone(),
        }
    }

    /// Numbers the values of some rows into bins.
    pub(super) fn load(&mut self, frame: &Frame, rows: &TableRows, pool: &WorkerPool) -> ControlFlow<()> {
        for packed in &mut self.columns {
            packed.seen.fill(0);
        }
        for (index, (codes, _)) in rows.iter().enumerate() {
            if index % STRIDE == STRIDE - 1 {
                pool.go_on()?;
            }
            for (packed, &code) in self.columns.iter_mut().zip(codes) {
                let position = packed.position(code);
                packed.seen[(position >> 6) as usize] |= 1 << (position & 63);
            }
        }
        self.columns.iter_mut().for_each(BlockColumn::number);
        for (column, packed) in self.columns.iter_mut().enumerate() {
            if packed.groups.is_some() {
                let codes = rows.iter().map(|(codes, _)| codes[column]);
                packed.number_along_labels(frame.hierarchy(column), codes);
            }
        }
        self.pack();
        self.bins.clear();
        self.bins.reserve(rows.len() * self.columns.len());
        for (index, (codes, _)) in rows.iter().enumerate() {
            if index % STRIDE == STRIDE - 1 {
                pool.go_on()?;
            }
            self.bins.extend(
                self.columns
                    .iter()
                    .zip(codes)
                    .map(|(packed, &code)| packed.number_of[packed.position(code) as usize]),
            );
        }
        ControlFlow::Continue(())
    }

    /// Assigns each column its bits: the widest columns first, each in the first word with room.
    fn pack(&mut self) {
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(|&column| std::cmp::Reverse(self.columns[column].bins));
        self.all.clear();
        let mut used: Vec<usize> = Vec::new();
        for column in order {
            let packed = &mut self.columns[column];
            let word = used.iter().position(|used| used + packed.bins <= 64).unwrap_or_else(|| {
                used.push(0);
                self.all.push(0);
                used.len() - 1
            });
            packed.word = word;
            packed.shift = size::number(used[word]);
            used[word] += packed.bins;
            self.all[word] |= (u64::MAX >> (BINS - packed.bins)) << packed.shift;
        }
        self.words = used.len();
    }

    /// The word and the bit of one bin of a column in a signature.
    #[inline]
    pub(super) fn bit(&self, column: usize, bin: u8) -> (usize, u64) {
        let packed = &self.columns[column];
        (packed.word, 1 << (packed.shift + u32::from(bin)))
    }

    /// A probe for one column's contribution to the loss of boxes within these rows.
    pub(super) fn probe(&self, column: usize, pull: f64) -> Probe {
        let packed = &self.columns[column];
        Probe {
            column,
            word: packed.word,
            shift: packed.shift,
            mask: u64::MAX >> (BINS - packed.bins),
            measure: match (&packed.labels, self.ordered[column], &packed.before) {
                (Some(_), ..) => Measure::Label,
                (None, true, _) => Measure::Range,
                (None, false, None) if packed.groups.is_none() || !packed.is_coarse() => Measure::Count,
                (None, false, _) => Measure::Sizes,
            },
            small: packed.bins <= 8,
            pull,
            grain: packed.grain * pull,
        }
    }

    /// The loss of the box around the rows of a signature. It is exact unless a column is coarse.
    #[inline]
    pub(super) fn loss(&self, probes: &[Probe], signature: &[u64]) -> f64 {
        let mut loss = 0.0;
        for probe in probes {
            let bins = signature[probe.word] >> probe.shift & probe.mask;
            loss += match probe.measure {
                Measure::Range => {
                    let packed = &self.columns[probe.column];
                    let (low, high) = (
                        packed.lows[bins.trailing_zeros() as usize & 63],
                        packed.highs[(63 - bins.leading_zeros() as usize) & 63],
                    );
                    f64::from(high - low) * probe.pull
                }
                Measure::Label => {
                    let ends =
                        (bins.trailing_zeros() as usize & 63, (63 - bins.leading_zeros() as usize) & 63);
                    let labels = self.columns[probe.column].labels.as_ref();
                    labels.map_or(0.0, |labels| f64::from(labels.extent(ends.0, ends.1)) * probe.pull)
                }
                Measure::Sizes => {
                    let sizes = &self.columns[probe.column].sizes;
                    let leaves: u32 = ones(bins).map(|bin| sizes[bin]).sum();
                    f64::from(leaves) * probe.pull - probe.pull
                }
                Measure::Count => {
                    // Without a machine instruction for it, a table is faster than counting bits.
                    let count = if probe.small {
                        u32::from(BITS[bins.to_le_bytes()[0] as usize])
                    } else {
                        bins.count_ones()
                    };
                    f64::from(count) * probe.grain - probe.pull
                }
            };
        }
        loss
    }

    /// The exact extents of the box around some rows.
    pub(super) fn extents(&self, signature: &[u64], rows: &TableRows, extents: &mut [u32]) {
        for (column, extent) in extents.iter_mut().enumerate().take(self.columns.len()) {
            let packed = &self.columns[column];
            let bins = packed.of(signature);
            *extent = if packed.is_coarse() {
                self.exact_extent(column, rows)
            } else if let Some(labels) = &packed.labels {
                labels.extent(bins.trailing_zeros() as usize, 63 - bins.leading_zeros() as usize)
            } else if self.ordered[column] {
                packed.highs[63 - bins.leading_zeros() as usize] - packed.lows[bins.trailing_zeros() as usize]
            } else if packed.before.is_some() {
                ones(bins).map(|bin| packed.sizes[bin]).sum::<u32>() - 1
            } else {
                bins.count_ones() - 1
            };
        }
    }

    fn exact_extent(&self, column: usize, rows: &TableRows) -> u32 {
        if let Some(labels) = &self.columns[column].labels {
            return labels.tree.extent_around(rows.iter().map(|(codes, _)| codes[column]));
        }
        let mut codes: Vec<Code> = rows.iter().map(|(codes, _)| codes[column]).collect();
        if self.ordered[column] {
            let (low, high) =
                codes.iter().fold((Code::MAX, 0), |(low, high), &code| (low.min(code), high.max(code)));
            let packed = &self.columns[column];
            return packed.last(high) - packed.first(low);
        }
        codes.sort_unstable();
        codes.dedup();
        let packed = &self.columns[column];
        codes.iter().map(|&code| packed.last(code) - packed.first(code) + 1).sum::<u32>() - 1
    }
}

impl BlockColumn {
    /// Numbers the values of a column with a limit of terms: if they share bins, along the labels. Then finds
    /// the labels that consist of bins. `codes` are those of all rows.
    fn number_along_labels(&mut self, hierarchy: &Hierarchy, codes: impl Iterator<Item = Code>) {
        let words = (0_u32..).step_by(64).zip(&self.seen);
        let occurring: Vec<Code> =
            words.flat_map(|(base, &word)| ones(word).map(move |bit| base + size::number(bit))).collect();
        if self.is_coarse() {
            let mut rows = vec![0; self.number_of.len()];
            codes.for_each(|code| rows[code as usize] += 1);
            let values: Vec<(Code, u32)> =
                occurring.iter().map(|&code| (code, rows[code as usize])).collect();
            let starts = bins_along_labels(hierarchy, &values, BINS);
            let ends = starts.iter().skip(1).copied().chain([values.len()]);
            for (bin, (&start, end)) in starts.iter().zip(ends).enumerate() {
                let of = |code: Code| {
                    self.before.as_ref().map_or(1, |before| before[code as usize + 1] - before[code as usize])
                };
                self.sizes[bin] = values[start..end].iter().map(|&(code, _)| of(code)).sum();
                for &(code, _) in &values[start..end] {
                    self.number_of[code as usize] = size::steps(bin);
                }
            }
            self.bins = starts.len();
        }
        let values: Vec<(Code, u8)> =
            occurring.into_iter().map(|code| (code, self.number_of[code as usize])).collect();
        if let Some(groups) = &mut self.groups {
            groups.number(hierarchy, &values);
        }
    }

    /// The values in some bins, if the column has a limit of terms.
    pub(super) fn values(&self, bins: u64) -> impl Iterator<Item = Code> {
        let values = self.groups.iter().flat_map(|groups| &groups.values);
        values.filter(move |&&(_, bin)| bins >> bin & 1 == 1).map(|&(code, _)| code)
    }

    /// Numbers the values that occur into bins.
    fn number(&mut self) {
        self.distinct = self.seen.iter().map(|word| word.count_ones()).sum();
        if self.labels.is_some() {
            return self.number_labels();
        }
        self.bins = (self.distinct as usize).min(BINS);
        let bins = size::number(self.bins);
        self.grain = f64::from(self.distinct) / f64::from(bins);
        let (mut rank, mut last) = (0_u32, None);
        for (base, &word) in (0_u32..).step_by(64).zip(&self.seen) {
            let mut word = word;
            while word != 0 {
                let code = base + word.trailing_zeros();
                word &= word - 1;
                let bin = if self.distinct == bins {
                    rank
                } else {
                    size::number(size::index(u64::from(rank) * u64::from(bins) / u64::from(self.distinct)))
                };
                self.number_of[code as usize] = size::steps(bin as usize);
                let (lowest, highest) = (self.first(code), self.last(code));
                if last != Some(bin) {
                    self.lows[bin as usize] = lowest;
                    self.sizes[bin as usize] = 0;
                    last = Some(bin);
                }
                self.highs[bin as usize] = highest;
                self.sizes[bin as usize] += highest - lowest + 1;
                rank += 1;
            }
        }
    }

    /// Numbers the values into bins that are labels of the finest level with at most [`BINS`] of
    /// them.
    fn number_labels(&mut self) {
        let Some(labels) = &mut self.labels else { return };
        let words = || (0_u32..).step_by(64).zip(&self.seen);
        let positions =
            || words().flat_map(|(base, &word)| ones(word).map(move |bit| base + size::number(bit)));
        let firsts = |grain: usize| {
            let tree = Arc::clone(&labels.tree);
            let mut last = None;
            positions().filter(move |&position| {
                last.replace(tree.label(grain, position)) != Some(tree.label(grain, position))
            })
        };
        let is_coarse_enough = |grain: &usize| firsts(*grain).take(BINS + 1).count() <= BINS;
        let grain = (0..labels.tree.height()).find(is_coarse_enough).unwrap_or(0);
        let firsts: Vec<u32> = firsts(grain).collect();
        let mut bin = 0;
        for position in positions() {
            bin += usize::from(firsts.get(bin + 1) == Some(&position));
            self.number_of[position as usize] = size::steps(bin);
        }
        self.bins = firsts.len();
        self.grain = 1.0;
        labels.number(grain, firsts.into_iter());
    }
}

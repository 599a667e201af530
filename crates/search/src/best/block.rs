//! Rows written in few bits, so that what occurs together is found by a few words of logic a row.
//!
//! Each column's distinct values are numbered within the block, in at most 64 bins, one bit each; the bits of all columns
//! are packed into a *signature* of as few words as possible. The signatures of rows, joined by `or`, tell which values
//! occur among them, and so the box around them. Where a column is cut between labels only, its bins stand in the order of
//! its hierarchy; where it has more distinct values, the bins are labels.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::super::column_table::TableRows;
use super::super::worker_pool::WorkerPool;
use super::bin_labels::BinLabels;
use super::cut::ones;
use super::frame::Frame;
use palmtop_core::model::Code;
use palmtop_core::model::size;

/// How many rows are read between two looks at whether to go on.
pub(super) const STRIDE: usize = 1 << 15;
/// How many bins a column has at most. Where it has more distinct values, neighbours share a bin.
pub(super) const BINS: usize = 64;

/// Where a column's bits stand in a signature, and what they mean.
#[derive(Clone, Debug)]
pub(super) struct BlockColumn {
    word: usize,
    shift: u32,
    pub(super) bins: usize,
    /// Distinct values a bin; above 1 where values share bins.
    grain: f64,
    distinct: u32,
    /// Of each bin, how many leaves are before its lowest value, and before its highest one and that but for one.
    lows: Vec<u32>,
    highs: Vec<u32>,
    /// Where values count as several leaves: how many are before each, and how many those of each bin are.
    before: Option<Arc<Vec<u32>>>,
    sizes: Vec<u32>,
    number_of: Vec<u8>,
    seen: Vec<u64>,
    /// The labels around its bins, where it is cut between labels only.
    pub(super) labels: Option<BinLabels>,
}

/// The numbering of some rows.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) columns: Vec<BlockColumn>,
    /// The words of a signature.
    pub(super) words: usize,
    /// The bins of each row, a byte a column.
    pub(super) bins: Vec<u8>,
    /// The signature of all rows.
    pub(super) all: Vec<u64>,
    ordered: Vec<bool>,
}

/// What the bins of a box make its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// All from the lowest to the highest value.
    Range,
    /// The finest label around them.
    Label,
    /// As many leaves as each of them counts as.
    Sizes,
    /// As many leaves as they are.
    Count,
}

/// Where one column's bins stand in a signature, and what each weighs.
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

/// How many bits each byte has.
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
    /// Its bins in a signature, as the low bits of a word.
    pub(super) fn of(&self, signature: &[u64]) -> u64 {
        let ones = u64::MAX >> (BINS - self.bins);
        signature[self.word] >> self.shift & ones
    }

    /// Whether values share bins.
    pub(super) fn is_coarse(&self) -> bool {
        self.distinct as usize > self.bins
    }

    /// Whether it is cut between labels and its values within some rows share one bin, perhaps several of them.
    pub(super) fn may_hide_labels(&self, signature: &[u64]) -> bool {
        self.labels.is_some() && self.is_coarse() && self.of(signature).is_power_of_two()
    }

    /// How many leaves are before a value.
    #[inline]
    fn first(&self, code: Code) -> u32 {
        self.before.as_ref().map_or(code, |before| before[code as usize])
    }

    /// How many leaves are before the last that a value counts as.
    #[inline]
    fn last(&self, code: Code) -> u32 {
        self.before.as_ref().map_or(code, |before| before[code as usize + 1] - 1)
    }

    /// Where a leaf stands among those of the column.
    #[inline]
    fn place(&self, code: Code) -> u32 {
        self.labels.as_ref().map_or(code, |labels| labels.tree.place(code))
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

    /// Numbers the values of some rows.
    pub(super) fn load(&mut self, rows: &TableRows, pool: &WorkerPool) -> ControlFlow<()> {
        for packed in &mut self.columns {
            packed.seen.fill(0);
        }
        for (index, (codes, _)) in rows.iter().enumerate() {
            if index % STRIDE == STRIDE - 1 {
                pool.go_on()?;
            }
            for (packed, &code) in self.columns.iter_mut().zip(codes) {
                let place = packed.place(code);
                packed.seen[(place >> 6) as usize] |= 1 << (place & 63);
            }
        }
        self.columns.iter_mut().for_each(BlockColumn::number);
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
                    .map(|(packed, &code)| packed.number_of[packed.place(code) as usize]),
            );
        }
        ControlFlow::Continue(())
    }

    /// Gives each column its bits: wide ones first, each in the first word that has room.
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

    /// The bit of one bin of a column in its word of a signature.
    #[inline]
    pub(super) fn bit(&self, column: usize, bin: u8) -> (usize, u64) {
        let packed = &self.columns[column];
        (packed.word, 1 << (packed.shift + u32::from(bin)))
    }

    /// How to read what one column adds to the loss of a box, for boxes within these rows.
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
                (None, false, Some(_)) => Measure::Sizes,
                (None, false, None) => Measure::Count,
            },
            small: packed.bins <= 8,
            pull,
            grain: packed.grain * pull,
        }
    }

    /// The loss of the box around the rows of a signature; exact unless a column is coarse.
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
                    // Without an instruction for it, a table is quicker than counting the bits of a word.
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

    /// The extents of the box of some rows, exactly.
    pub(super) fn extents(&self, signature: &[u64], rows: &TableRows, extents: &mut [u32]) {
        for (column, extent) in extents.iter_mut().enumerate() {
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
    /// Numbers the values that were seen.
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

    /// The same where bins are labels: of the finest level that has few enough.
    fn number_labels(&mut self) {
        let Some(labels) = &mut self.labels else { return };
        let words = || (0_u32..).step_by(64).zip(&self.seen);
        let places = || words().flat_map(|(base, &word)| ones(word).map(move |bit| base + size::number(bit)));
        let firsts = |grain: usize| {
            let tree = Arc::clone(&labels.tree);
            let mut last = None;
            places().filter(move |&place| {
                last.replace(tree.label(grain, place)) != Some(tree.label(grain, place))
            })
        };
        let is_coarse_enough = |grain: &usize| firsts(*grain).take(BINS + 1).count() <= BINS;
        let grain = (0..labels.tree.height()).find(is_coarse_enough).unwrap_or(0);
        let firsts: Vec<u32> = firsts(grain).collect();
        let mut bin = 0;
        for place in places() {
            bin += usize::from(firsts.get(bin + 1) == Some(&place));
            self.number_of[place as usize] = size::steps(bin);
        }
        self.bins = firsts.len();
        self.grain = 1.0;
        labels.number(grain, firsts.into_iter());
    }
}

//! Rows written in few bits, so that what occurs together is found by a few words of logic a row.
//!
//! Each column's distinct values are numbered within the block, in at most 64 bins, one bit each; the bits of all columns
//! are packed into a *signature* of as few words as possible. The signatures of rows, joined by `or`, tell which values
//! occur among them, and so the box around them.

use std::ops::ControlFlow;

use super::super::column_table::TableRows;
use super::super::worker_pool::WorkerPool;
use super::frame::Frame;
use crate::model::Code;
use crate::model::size;

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
    lows: Vec<Code>,
    highs: Vec<Code>,
    number_of: Vec<u8>,
    seen: Vec<u64>,
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

/// Where one column's bins stand in a signature, and what each weighs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    column: usize,
    word: usize,
    shift: u32,
    mask: u64,
    ordered: bool,
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
}

impl Block {
    /// An empty block for the columns of a problem.
    pub(super) fn new(frame: &Frame) -> Self {
        let packed = |&leaves: &usize| BlockColumn {
            word: 0,
            shift: 0,
            bins: 1,
            grain: 1.0,
            distinct: 1,
            lows: vec![0; BINS],
            highs: vec![0; BINS],
            number_of: vec![0; leaves],
            seen: vec![0; leaves.div_ceil(64)],
        };
        Self {
            columns: frame.leaves.iter().map(packed).collect(),
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
                packed.seen[(code >> 6) as usize] |= 1 << (code & 63);
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
                self.columns.iter().zip(codes).map(|(packed, &code)| packed.number_of[code as usize]),
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
            ordered: self.ordered[column],
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
            loss += if probe.ordered {
                let packed = &self.columns[probe.column];
                let (low, high) = (
                    packed.lows[bins.trailing_zeros() as usize & 63],
                    packed.highs[(63 - bins.leading_zeros() as usize) & 63],
                );
                f64::from(high - low) * probe.pull
            } else {
                // Without an instruction for it, a table is quicker than counting the bits of a word.
                let count = if probe.small {
                    u32::from(BITS[bins.to_le_bytes()[0] as usize])
                } else {
                    bins.count_ones()
                };
                f64::from(count) * probe.grain - probe.pull
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
            } else if self.ordered[column] {
                packed.highs[63 - bins.leading_zeros() as usize] - packed.lows[bins.trailing_zeros() as usize]
            } else {
                bins.count_ones() - 1
            };
        }
    }

    fn exact_extent(&self, column: usize, rows: &TableRows) -> u32 {
        let mut codes: Vec<Code> = rows.iter().map(|(codes, _)| codes[column]).collect();
        if self.ordered[column] {
            let (low, high) =
                codes.iter().fold((Code::MAX, 0), |(low, high), &code| (low.min(code), high.max(code)));
            return high - low;
        }
        codes.sort_unstable();
        codes.dedup();
        size::number(codes.len() - 1)
    }
}

impl BlockColumn {
    /// Numbers the values that were seen.
    fn number(&mut self) {
        self.distinct = self.seen.iter().map(|word| word.count_ones()).sum();
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
                if last != Some(bin) {
                    self.lows[bin as usize] = code;
                    last = Some(bin);
                }
                self.highs[bin as usize] = code;
                rank += 1;
            }
        }
    }
}

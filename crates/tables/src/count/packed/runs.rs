//! Groups keys by sorting: some millions are sorted at a time, and runs of similar length are
//! merged.
//!
//! n keys take O(n log n) steps with sequential memory access. The result does not depend on the
//! number of threads.

use rayon::slice::ParallelSliceMut;

use super::super::groups::TooMany;
use super::key::Key;
use crate::error::DataError;
use palmtop_core::model::Counts;
use palmtop_core::progress::Meter;

/// The reason why grouping stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// There are more people than a counter holds.
    TooMany,
    /// The meter asked to stop.
    Cancelled,
}

impl From<TooMany> for Ended {
    fn from(TooMany: TooMany) -> Self {
        Self::TooMany
    }
}

impl Ended {
    /// The error to report; `too_many` makes the one for too many people.
    pub(crate) fn error(self, too_many: impl FnOnce() -> DataError) -> DataError {
        match self {
            Self::TooMany => too_many(),
            Self::Cancelled => DataError::Cancelled,
        }
    }
}

/// Distinct keys in order, each with its people.
#[derive(Clone, Debug, Default)]
pub(super) struct Run<K> {
    pub(super) keys: Vec<K>,
    pub(super) public: Vec<u64>,
    /// Empty if no key has members.
    pub(super) private: Vec<u64>,
}

impl<K: Key> Run<K> {
    fn with_capacity(keys: usize) -> Self {
        Self { keys: Vec::with_capacity(keys), public: Vec::with_capacity(keys), private: Vec::new() }
    }

    pub(super) fn counts(&self, index: usize) -> Counts {
        Counts::new(self.public[index], self.private.get(index).copied().unwrap_or_default())
    }

    /// Adds people to the last key, or appends a greater key.
    fn push(&mut self, key: K, people: Counts) -> Result<(), TooMany> {
        if self.keys.last() != Some(&key) {
            self.keys.push(key);
            self.public.push(0);
            if !self.private.is_empty() {
                self.private.push(0);
            }
        }
        let last = self.keys.len() - 1;
        self.public[last] = self.public[last].checked_add(people.public).ok_or(TooMany)?;
        if people.private > 0 {
            self.private.resize(self.keys.len(), 0);
            self.private[last] = self.private[last].checked_add(people.private).ok_or(TooMany)?;
        }
        Ok(())
    }

    /// Merges two runs.
    fn merged(&self, other: &Self, meter: &mut Meter) -> Result<Self, Ended> {
        let mut merged = Self::with_capacity(self.keys.len() + other.keys.len());
        let (mut left, mut right) = (0, 0);
        while left < self.keys.len() && right < other.keys.len() {
            if (left + right).is_multiple_of(STRIDE) {
                ask(meter)?;
            }
            let (one, two) = (self.keys[left], other.keys[right]);
            if one <= two {
                merged.push(one, self.counts(left))?;
                left += 1;
            } else {
                merged.push(two, other.counts(right))?;
                right += 1;
            }
        }
        for index in left..self.keys.len() {
            merged.push(self.keys[index], self.counts(index))?;
        }
        for index in right..other.keys.len() {
            merged.push(other.keys[index], other.counts(index))?;
        }
        Ok(merged)
    }
}

/// Asks the meter whether to continue.
pub(super) fn ask(meter: &mut Meter) -> Result<(), Ended> {
    if meter(0).is_break() { Err(Ended::Cancelled) } else { Ok(()) }
}

/// The number of keys between two calls of the meter.
const STRIDE: usize = 1 << 20;

/// Keys during grouping.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs<K> {
    /// Keys of one person in P each, unsorted.
    single: Vec<K>,
    /// Keys with other numbers of people, unsorted.
    counted: Vec<(K, Counts)>,
    /// Sorted runs; each is at most half as long as the one before it.
    sorted: Vec<Run<K>>,
}

impl<K: Key> Runs<K> {
    /// The number of keys sorted at once.
    const MOST: usize = 1 << 23;

    /// Adds people to a key.
    pub(super) fn add(&mut self, key: K, people: Counts, meter: &mut Meter) -> Result<(), Ended> {
        if people == Counts::new(1, 0) {
            self.single.push(key);
        } else {
            self.counted.push((key, people));
        }
        if self.single.len() + self.counted.len() < Self::MOST { Ok(()) } else { self.settle(meter) }
    }

    /// Adds one person in P to each of many keys.
    pub(super) fn add_single(&mut self, keys: &[K], meter: &mut Meter) -> Result<(), Ended> {
        self.single.extend_from_slice(keys);
        if self.single.len() + self.counted.len() < Self::MOST { Ok(()) } else { self.settle(meter) }
    }

    /// Adds a sorted run.
    pub(super) fn take(&mut self, run: Run<K>, meter: &mut Meter) -> Result<(), Ended> {
        self.push(run, meter)
    }

    /// Sorts the added keys into a run.
    fn settle(&mut self, meter: &mut Meter) -> Result<(), Ended> {
        if !self.single.is_empty() {
            self.single.par_sort_unstable();
            ask(meter)?;
            let mut run = Run::with_capacity(self.single.chunk_by(PartialEq::eq).count());
            for same in self.single.chunk_by(PartialEq::eq) {
                run.push(same[0], Counts::new(same.len() as u64, 0))?;
            }
            self.single.clear();
            self.push(run, meter)?;
        }
        if !self.counted.is_empty() {
            // Sums do not depend on the order of equal keys.
            self.counted.par_sort_unstable_by_key(|(key, _)| *key);
            ask(meter)?;
            let mut run = Run::default();
            for &(key, people) in &self.counted {
                run.push(key, people)?;
            }
            self.counted.clear();
            self.push(run, meter)?;
        }
        Ok(())
    }

    fn push(&mut self, run: Run<K>, meter: &mut Meter) -> Result<(), Ended> {
        self.sorted.push(run);
        while let [.., before, last] = &self.sorted[..]
            && before.keys.len() < 2 * last.keys.len()
        {
            self.merge_last(meter)?;
        }
        ask(meter)
    }

    fn merge_last(&mut self, meter: &mut Meter) -> Result<(), Ended> {
        if let (Some(last), Some(before)) = (self.sorted.pop(), self.sorted.pop()) {
            self.sorted.push(before.merged(&last, meter)?);
        }
        Ok(())
    }

    /// All keys as one run.
    pub(super) fn finish(mut self, meter: &mut Meter) -> Result<Run<K>, Ended> {
        self.settle(meter)?;
        (self.single, self.counted) = (Vec::new(), Vec::new());
        while self.sorted.len() > 1 {
            self.merge_last(meter)?;
        }
        Ok(self.sorted.pop().unwrap_or_default())
    }

    /// The same groups under other keys in the same order.
    pub(super) fn map<L: Key>(self, other: impl Fn(K) -> L) -> Runs<L> {
        let run = |Run { keys, public, private }: Run<K>| Run {
            keys: keys.into_iter().map(&other).collect(),
            public,
            private,
        };
        Runs {
            sorted: self.sorted.into_iter().map(run).collect(),
            counted: self.counted.into_iter().map(|(key, people)| (other(key), people)).collect(),
            single: self.single.into_iter().map(&other).collect(),
        }
    }
}

//! Groups keys by sorting: some millions are sorted at a time, and runs of similar length are
//! merged.
//!
//! n keys take O(n log n) steps with sequential memory access. The result does not depend on the
//! number of threads.

use rayon::prelude::*;

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
pub(in crate::count) struct Run<K> {
    pub(in crate::count) keys: Vec<K>,
    pub(in crate::count) public: Vec<u64>,
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

    /// The people of sorted keys.
    pub(super) fn of(sorted: impl ExactSizeIterator<Item = (K, Counts)>) -> Result<Self, TooMany> {
        let mut run = Self::with_capacity(sorted.len());
        let mut sorted = sorted;
        sorted.try_for_each(|(key, people)| run.push(key, people))?;
        Ok(run)
    }

    /// Sorted keys of one person in P each.
    fn of_single(sorted: &[K]) -> Result<Self, TooMany> {
        let mut run = Self::with_capacity(sorted.chunk_by(PartialEq::eq).count());
        let mut same = sorted.chunk_by(PartialEq::eq);
        same.try_for_each(|same| run.push(same[0], Counts::new(same.len() as u64, 0)))?;
        Ok(run)
    }

    /// Gives back the room that it does not need.
    fn shrink(&mut self) {
        self.keys.shrink_to_fit();
        self.public.shrink_to_fit();
    }

    /// Appends greater keys.
    fn append(&mut self, greater: &Self) {
        if !(self.private.is_empty() && greater.private.is_empty()) {
            self.private.resize(self.keys.len(), 0);
            self.private.extend_from_slice(&greater.private);
            self.private.resize(self.keys.len() + greater.keys.len(), 0);
        }
        self.keys.extend_from_slice(&greater.keys);
        self.public.extend_from_slice(&greater.public);
    }

    /// Appends runs that some threads make at once, in order: each has greater keys than those before.
    fn append_all<T: Sync>(
        &mut self,
        parts: &[T],
        make: impl Fn(&T) -> Result<Self, TooMany> + Sync,
        meter: &mut Meter,
    ) -> Result<(), Ended> {
        for parts in parts.chunks(4 * rayon::current_num_threads()) {
            ask(meter)?;
            let runs: Vec<Self> = parts.par_iter().map(&make).collect::<Result<_, _>>()?;
            for run in &runs {
                self.append(run);
            }
        }
        Ok(())
    }

    /// Merges two runs.
    fn merged(&self, other: &Self, meter: &mut Meter) -> Result<Self, Ended> {
        // Ranges of both with the same keys, none of which are in two.
        let mut ends: Vec<[usize; 2]> = vec![[0, 0]];
        let long = if self.keys.len() < other.keys.len() { &other.keys } else { &self.keys };
        let ends_of = |key: &K| [self, other].map(|run| run.keys.partition_point(|other| other < key));
        ends.extend(long.iter().step_by(PART).skip(1).map(ends_of));
        ends.push([self.keys.len(), other.keys.len()]);
        let parts: Vec<&[[usize; 2]]> = ends.windows(2).collect();
        let mut merged = Self::with_capacity(self.keys.len() + other.keys.len());
        merged.append_all(&parts, |part| self.merged_between(other, part[0], part[1]), meter)?;
        Ok(merged)
    }

    /// Merges a range of this run with one of another run.
    fn merged_between(&self, other: &Self, from: [usize; 2], to: [usize; 2]) -> Result<Self, TooMany> {
        let mut merged = Self::with_capacity(to[0] - from[0] + to[1] - from[1]);
        let [mut left, mut right] = from;
        while left < to[0] && right < to[1] {
            let (one, two) = (self.keys[left], other.keys[right]);
            if one <= two {
                merged.push(one, self.counts(left))?;
                left += 1;
            } else {
                merged.push(two, other.counts(right))?;
                right += 1;
            }
        }
        (left..to[0]).try_for_each(|index| merged.push(self.keys[index], self.counts(index)))?;
        (right..to[1]).try_for_each(|index| merged.push(other.keys[index], other.counts(index)))?;
        Ok(merged)
    }
}

/// Sorts values on all cores, and makes a run of them, part by part: each part has all values between two
/// keys. `make` receives its values in order.
pub(super) fn sorted<T: Copy + Send + Sync, K: Key>(
    values: &mut [T],
    key: impl Fn(&T) -> K + Sync,
    make: impl Fn(&[T]) -> Result<Run<K>, TooMany> + Sync,
    meter: &mut Meter,
) -> Result<Run<K>, Ended> {
    for chunks in values.chunks_mut(4 * rayon::current_num_threads() * PART) {
        ask(meter)?;
        chunks.par_chunks_mut(PART).for_each(|chunk| chunk.sort_unstable_by_key(&key));
    }
    let chunks: Vec<&[T]> = values.chunks(PART).collect();
    let mut run = Run::with_capacity(values.len());
    if let [chunk] = &chunks[..] {
        run.append(&make(chunk)?);
        return Ok(run);
    }
    // About as many values are between two of these as are in a chunk.
    let mut sample: Vec<K> =
        chunks.iter().flat_map(|chunk| chunk.iter().step_by(SAMPLED).map(&key)).collect();
    sample.sort_unstable();
    let mut borders: Vec<K> = sample.into_iter().step_by(PART / SAMPLED).skip(1).collect();
    borders.dedup();
    let ends = |border: Option<&K>| -> Vec<usize> {
        let end = |chunk: &&[T]| {
            border.map_or(chunk.len(), |border| chunk.partition_point(|value| key(value) < *border))
        };
        chunks.iter().map(end).collect()
    };
    let parts: Vec<usize> = (0..=borders.len()).collect();
    let part = |&nth: &usize| {
        let from = if nth == 0 { vec![0; chunks.len()] } else { ends(borders.get(nth - 1)) };
        let to = ends(borders.get(nth));
        let mut part = Vec::with_capacity(from.iter().zip(&to).map(|(from, to)| to - from).sum());
        chunks
            .iter()
            .zip(from.into_iter().zip(to))
            .for_each(|(chunk, (from, to))| part.extend_from_slice(&chunk[from..to]));
        part.sort_unstable_by_key(&key);
        make(&part)
    };
    run.append_all(&parts, part, meter)?;
    run.shrink();
    Ok(run)
}

/// One value of so many of a chunk decides where parts end.
const SAMPLED: usize = 1 << 10;

/// Asks the meter whether to continue.
pub(super) fn ask(meter: &mut Meter) -> Result<(), Ended> {
    if meter(0).is_break() { Err(Ended::Cancelled) } else { Ok(()) }
}

/// The number of keys that a thread takes at once.
const PART: usize = 1 << 16;

/// Keys during grouping.
#[derive(Clone, Debug, Default)]
pub(in crate::count) struct Runs<K> {
    /// Keys of one person in P each, unsorted.
    single: Vec<K>,
    /// Keys with other numbers of people, unsorted.
    counted: Vec<(K, Counts)>,
    /// Sorted runs; each is at most half as long as the one before it.
    sorted: Vec<Run<K>>,
}

impl<K: Key> Runs<K> {
    /// The number of keys sorted at once.
    pub(super) const MOST: usize = 1 << 23;

    /// Adds people to a key.
    pub(in crate::count) fn add(&mut self, key: K, people: Counts, meter: &mut Meter) -> Result<(), Ended> {
        if people == Counts::new(1, 0) {
            self.single.push(key);
        } else {
            self.counted.push((key, people));
        }
        if self.single.len() + self.counted.len() < Self::MOST { Ok(()) } else { self.settle(meter) }
    }

    /// Adds one person in P to each of many keys, which `pack` writes.
    pub(super) fn add_single(
        &mut self,
        keys: usize,
        pack: impl FnOnce(&mut [K]),
        meter: &mut Meter,
    ) -> Result<(), Ended> {
        let before = self.single.len();
        self.single.resize(before + keys, K::default());
        pack(&mut self.single[before..]);
        if self.single.len() + self.counted.len() < Self::MOST { Ok(()) } else { self.settle(meter) }
    }

    /// Adds a sorted run.
    pub(super) fn take(&mut self, run: Run<K>, meter: &mut Meter) -> Result<(), Ended> {
        self.push(run, meter)
    }

    /// Sorts the added keys into a run.
    fn settle(&mut self, meter: &mut Meter) -> Result<(), Ended> {
        if !self.single.is_empty() {
            let run = sorted(&mut self.single, |key| *key, Run::of_single, meter)?;
            self.single.clear();
            self.push(run, meter)?;
        }
        if !self.counted.is_empty() {
            // Sums do not depend on the order of equal keys.
            let run =
                sorted(&mut self.counted, |(key, _)| *key, |part| Run::of(part.iter().copied()), meter)?;
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
    pub(in crate::count) fn finish(mut self, meter: &mut Meter) -> Result<Run<K>, Ended> {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use palmtop_core::progress::unwatched;

    fn listed(run: &Run<u64>) -> Vec<(u64, u64, u64)> {
        let counts = |index| run.counts(index);
        let all = run.keys.iter().enumerate();
        all.map(|(index, &key)| (key, counts(index).public, counts(index).private)).collect()
    }

    #[test]
    fn runs_of_many_parts_equal_a_map() {
        let mut draws = ChaCha8Rng::seed_from_u64(5);
        for (all, values) in
            [(0, 1), (1, 1), (PART, 1), (3 * PART + 5, 3), (3 * PART, u64::MAX), (2 * PART, 90_000)]
        {
            let mut naive: BTreeMap<u64, Counts> = BTreeMap::new();
            let mut halves = [Run::default(), Run::default()];
            for half in &mut halves {
                let mut runs = Runs::default();
                for nth in 0..all {
                    let key = draws.random_range(0..values);
                    let people =
                        if nth % 2 == 0 { Counts::new(1, 0) } else { Counts::new(3, nth as u64 % 3) };
                    runs.add(key, people, &mut unwatched).unwrap();
                    let known = naive.entry(key).or_default();
                    *known = Counts::new(known.public + people.public, known.private + people.private);
                }
                *half = runs.finish(&mut unwatched).unwrap();
            }
            let [one, other] = halves;
            let expected: Vec<_> =
                naive.into_iter().map(|(key, people)| (key, people.public, people.private)).collect();
            assert_eq!(listed(&one.merged(&other, &mut unwatched).unwrap()), expected, "{all} {values}");
            assert_eq!(listed(&other.merged(&one, &mut unwatched).unwrap()), expected, "{all} {values}");
            assert!(one.merged(&other, &mut |_| std::ops::ControlFlow::Break(())).is_err());
        }
    }
}

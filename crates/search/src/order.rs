//! An iterator over numbers in ascending order that sorts lazily.
//!
//! A lattice may have ten million nodes, of which a search often needs only the first. So the
//! numbers are sorted in short runs on all cores, and a heap merges the runs one number at a time.
//! The observer is asked between runs.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::worker_pool::WorkerPool;

/// The length of a run, in numbers.
const RUN: usize = 1 << 11;

/// A strict total order of numbers: no two numbers are equal.
pub(super) type Compare<'a> = &'a (dyn Fn(u32, u32) -> Ordering + Sync);

/// Numbers in ascending order, merged from sorted runs.
pub(super) struct Sorted<'a> {
    runs: Vec<u32>,
    heads: BinaryHeap<Head<'a>>,
}

/// The first number of a run that has not been taken yet.
struct Head<'a> {
    compare: Compare<'a>,
    number: u32,
    /// The index in `runs`.
    index: usize,
}

impl<'a> Sorted<'a> {
    /// Sorts the numbers below `count` in runs: O(n·log RUN) comparisons.
    pub(super) fn below(count: u32, compare: Compare<'a>, pool: &WorkerPool) -> ControlFlow<(), Self> {
        let mut runs: Vec<u32> = (0..count).collect();
        let sort = |run: &mut [u32]| {
            pool.go_on()?;
            run.sort_unstable_by(|&left, &right| compare(left, right));
            ControlFlow::Continue(())
        };
        runs.par_chunks_mut(RUN).try_for_each(sort)?;
        let starts = (0..runs.len()).step_by(RUN);
        let heads = starts.map(|index| Head { compare, number: runs[index], index }).collect();
        ControlFlow::Continue(Self { runs, heads })
    }
}

impl Iterator for Sorted<'_> {
    type Item = u32;

    /// Takes the next number: O(log(n / RUN)) comparisons.
    fn next(&mut self) -> Option<u32> {
        let Head { compare, number, index } = self.heads.pop()?;
        let next = index + 1;
        if let (Some(&number), false) = (self.runs.get(next), next.is_multiple_of(RUN)) {
            self.heads.push(Head { compare, number, index: next });
        }
        Some(number)
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Head<'_> {}

impl Ord for Head<'_> {
    /// Reverses the order, because the heap gives the greatest head first.
    fn cmp(&self, other: &Self) -> Ordering {
        (self.compare)(other.number, self.number)
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::super::worker_pool::watched;
    use super::*;
    use palmtop_core::progress::unwatched;

    #[test]
    fn numbers_come_in_order() {
        let key = |number: u32| (number.wrapping_mul(2_654_435_761) % 1000, number);
        let compare = |left: u32, right: u32| key(left).cmp(&key(right));
        for count in [0, 1, 2047, 2048, 2049, 10_000] {
            let sorted = watched(&mut unwatched, |pool| {
                let ControlFlow::Continue(sorted) = Sorted::below(count, &compare, pool) else {
                    return Vec::new();
                };
                sorted.collect::<Vec<u32>>()
            });
            let mut expected: Vec<u32> = (0..count).collect();
            expected.sort_by_key(|&number| key(number));
            assert_eq!(sorted, expected);
        }
    }
}

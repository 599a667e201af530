//! Hashes of values, and those that occur more than once.
//!
//! Hashes are kept in parts by their first bits. A part sorts itself when half of it is new. So a different hash needs at most 16
//! bytes, and a repeated one hardly any.

use rayon::prelude::*;

const PARTS: usize = 256;
/// The fewest hashes that a part sorts.
const FEWEST: usize = 1 << 12;

#[derive(Debug, Default)]
pub(super) struct Hashes(Vec<Part>);

#[derive(Debug, Default)]
struct Part {
    /// The different hashes, sorted, then new ones.
    hashes: Vec<u64>,
    sorted: usize,
    /// Those that were there again, sorted.
    repeated: Vec<u64>,
}

fn part_of(hash: u64) -> usize {
    (hash >> 56) as usize
}

impl Hashes {
    /// Adds lots of hashes.
    pub(super) fn add(&mut self, lots: &[Vec<u64>]) {
        self.0.resize_with(PARTS, Part::default);
        let lots: Vec<(Vec<u64>, Vec<usize>)> = lots.par_iter().map(|lot| by_part(lot)).collect();
        self.0.par_iter_mut().enumerate().for_each(|(nth, part)| {
            for (hashes, ends) in &lots {
                let start = nth.checked_sub(1).map_or(0, |before| ends[before]);
                part.hashes.extend_from_slice(&hashes[start..ends[nth]]);
            }
            if part.hashes.len() >= FEWEST.max(2 * part.sorted) {
                part.settle();
            }
        });
    }

    /// Ends the adding.
    pub(super) fn close(&mut self) {
        self.0.par_iter_mut().for_each(Part::settle);
    }

    /// The number of different hashes. Call [`close`](Self::close) first.
    pub(super) fn distinct(&self) -> u64 {
        self.0.iter().map(|part| part.sorted as u64).sum()
    }

    /// Whether some hash was added twice. Call [`close`](Self::close) first.
    pub(super) fn has_repeated(&self) -> bool {
        self.0.iter().any(|part| !part.repeated.is_empty())
    }

    /// Whether a hash was added twice. Call [`close`](Self::close) first.
    pub(super) fn is_repeated(&self, hash: u64) -> bool {
        self.0.get(part_of(hash)).is_some_and(|part| part.repeated.binary_search(&hash).is_ok())
    }
}

impl Part {
    fn settle(&mut self) {
        self.hashes.sort_unstable();
        let repeated = self.hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        self.repeated.extend(repeated);
        self.repeated.sort_unstable();
        self.repeated.dedup();
        self.hashes.dedup();
        self.sorted = self.hashes.len();
    }
}

/// The hashes in the order of their parts, and the end of each part.
fn by_part(hashes: &[u64]) -> (Vec<u64>, Vec<usize>) {
    let mut ends = vec![0; PARTS];
    for &hash in hashes {
        ends[part_of(hash)] += 1;
    }
    let mut next = 0;
    for end in &mut ends {
        next += std::mem::replace(end, next);
    }
    let mut sorted = vec![0; hashes.len()];
    for &hash in hashes {
        let end = &mut ends[part_of(hash)];
        sorted[*end] = hash;
        *end += 1;
    }
    (sorted, ends)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn repeated_hashes_are_those_of_a_map() {
        let hash = |nth: u64| nth.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for different in [1_u64, 1000, 3_000_000] {
            let (mut hashes, mut naive) = (Hashes::default(), BTreeMap::<u64, u64>::new());
            for step in 0..7 {
                let lots: Vec<Vec<u64>> = (0..3)
                    .map(|lot| {
                        (0..90_000)
                            .map(|nth| hash((nth * nth * 7 + lot * 90_000 + step) % different))
                            .collect()
                    })
                    .collect();
                lots.iter().flatten().for_each(|hash| *naive.entry(*hash).or_default() += 1);
                hashes.add(&lots);
            }
            hashes.close();
            assert_eq!(hashes.distinct(), naive.len() as u64);
            assert_eq!(hashes.has_repeated(), naive.values().any(|times| *times > 1));
            assert!(naive.iter().all(|(hash, times)| hashes.is_repeated(*hash) == (*times > 1)));
            assert!(!hashes.is_repeated(hash(different)));
        }
        assert!(!Hashes::default().is_repeated(7));
    }
}

//! Sorts items by their keys, and ranks keys.

use rayon::prelude::*;

/// The least number of items for which cores share the work.
pub(super) const SHARED: usize = 1 << 16;
/// How many keys are packed at once. They fit the cache of a core.
pub(super) const PACKED: usize = 1 << 12;

/// Items with their keys, ascending by key, then by item.
#[derive(Debug, Default)]
pub(super) struct SortedItems {
    /// Key and item in one number, if both fit.
    words: Vec<u64>,
    /// The number of bits of the item in a word.
    bits: u32,
    /// Key and item as pairs, if they do not fit a word.
    pairs: Vec<(u64, u32)>,
}

impl SortedItems {
    /// Sorts items by their keys, all of which are below `span`. Items are numbered from 0.
    pub(super) fn of(keys: &[u64], span: u64) -> Self {
        let bits = usize::BITS - keys.len().leading_zeros();
        let key_bits = u64::BITS - span.leading_zeros();
        if bits + key_bits > u64::BITS {
            let mut pairs: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
            sort(&mut pairs);
            return Self { pairs, ..Self::default() };
        }
        let mut words: Vec<u64> = keys.iter().zip(0_u64..).map(|(key, item)| key << bits | item).collect();
        sort(&mut words);
        Self { words, bits, pairs: Vec::new() }
    }

    /// Each item with its key, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let (bits, items) = (self.bits, (1_u64 << self.bits) - 1);
        #[expect(clippy::cast_possible_truncation, reason = "items are numbered in 32 bits")]
        let unpack = move |word: &u64| (word >> bits, (word & items) as u32);
        // One of the two lists is empty.
        self.words.iter().map(unpack).chain(self.pairs.iter().copied())
    }
}

/// Whether keys ascend. Equal keys may follow each other.
pub(super) fn is_sorted(keys: &[u64]) -> bool {
    if keys.len() < SHARED {
        return keys.is_sorted();
    }
    // Each part ends with the first key of the next one.
    let part = |part: usize| &keys[part * PACKED..keys.len().min((part + 1) * PACKED + 1)];
    (0..keys.len().div_ceil(PACKED)).into_par_iter().all(|nth| part(nth).is_sorted())
}

/// The rank of each key among the distinct keys, from 0.
pub fn dense_ranks<K: Ord>(keys: &[K]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(keys.len()).collect();
    let key = |index: &u32| &keys[*index as usize];
    order.sort_unstable_by(|left, right| key(left).cmp(key(right)));
    let mut ranks = vec![0; keys.len()];
    for (rank, equals) in (0..).zip(order.chunk_by(|left, right| key(left) == key(right))) {
        for &index in equals {
            ranks[index as usize] = rank;
        }
    }
    ranks
}

fn sort<T: Ord + Send>(items: &mut [T]) {
    if items.len() < SHARED { items.sort_unstable() } else { items.par_sort_unstable() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that fit into a word next to their items, and keys that do not.
    #[test]
    fn items_are_in_the_order_of_their_keys() {
        for span in [1_u64, 7, 1 << 40, u64::MAX] {
            for length in [0_usize, 1, 1000, SHARED + 10] {
                let mut state = 3_u64;
                let mut draw = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state ^ (state >> 29)) % span
                };
                let keys: Vec<u64> = (0..length).map(|_| draw()).collect();
                let mut expected: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
                expected.sort_unstable();
                let found: Vec<(u64, u32)> = SortedItems::of(&keys, span).iter().collect();
                assert!(found == expected, "{length} items below {span}");
            }
        }
    }
}

//! For a label, the set of merged combinations that have it: one bit each, computed on demand.

use rustc_hash::FxHashMap;

/// The number of 64-bit words above which all sets are dropped before new ones are computed.
const ROOM: usize = 1 << 23;

/// A label's key: the attribute, the steps above the attribute's floor, and the label there.
pub(crate) type LabelKey = (usize, usize, u32);

/// A cache of the sets that were requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabelSets {
    kept: FxHashMap<LabelKey, Vec<u64>>,
    words: usize,
}

impl LabelSets {
    /// Drops all sets if they take too much memory.
    pub(crate) fn make_room(&mut self) {
        if self.words > ROOM {
            self.kept.clear();
            self.words = 0;
        }
    }

    /// Whether the cache has the set of a label.
    pub(crate) fn has(&self, label: LabelKey) -> bool {
        self.kept.contains_key(&label)
    }

    /// Stores the set of a label.
    pub(crate) fn keep(&mut self, label: LabelKey, set: Vec<u64>) {
        self.words += set.len();
        self.kept.insert(label, set);
    }

    /// Intersects `bits` with the set of a label, which must be in the cache.
    pub(crate) fn narrow(&self, bits: &mut [u64], label: LabelKey) {
        let set = self.kept.get(&label).map_or(&[][..], Vec::as_slice);
        bits.iter_mut().zip(set).for_each(|(bits, set)| *bits &= set);
    }
}

/// The position of one attribute's floor label within a mixed-radix code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    /// The number of consecutive codes with the same label.
    pub(crate) inner: u32,
    /// The number of labels.
    pub(crate) radix: u32,
}

impl Digit {
    /// The floor label of a code.
    pub(crate) fn of(self, code: u32) -> u32 {
        code / self.inner % self.radix
    }
}

/// Packs booleans into 64-bit words, the first in the lowest bit.
pub(crate) fn bits(elements: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut words = vec![0_u64; elements.len().div_ceil(64)];
    for (index, is_in) in elements.enumerate() {
        words[index >> 6] |= u64::from(is_in) << (index & 63);
    }
    words
}

/// The indices of the bits that are set, in ascending order.
pub(crate) fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(word, bits)| {
        let some = |bits: u64| (bits != 0).then_some(bits);
        std::iter::successors(some(bits), move |bits| some(bits & (bits - 1)))
            .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_elements_and_sets_narrow_them() {
        let elements: Vec<bool> = (0..200).map(|index| index % 3 == 0 || index == 199).collect();
        let words = bits(elements.iter().copied());
        let found: Vec<usize> = ones(words.iter().copied()).collect();
        assert_eq!(found, (0..200).filter(|&index| elements[index]).collect::<Vec<_>>());
        let mut sets = LabelSets::default();
        sets.keep((0, 1, 2), bits((0..200).map(|index| index > 150)));
        let mut narrowed = words;
        sets.narrow(&mut narrowed, (0, 1, 2));
        assert!(sets.has((0, 1, 2)) && !sets.has((0, 1, 3)));
        assert_eq!(
            ones(narrowed.into_iter()).collect::<Vec<_>>(),
            found.into_iter().filter(|&index| index > 150).collect::<Vec<_>>()
        );
    }
}

//! Which merged combinations have a label: a bit each, made when it is asked for.

use rustc_hash::FxHashMap;

/// From so many words on, sets are dropped before others are made.
const ROOM: usize = 1 << 23;

/// The attribute, the steps above its floor, and the label there.
pub(super) type LabelPlace = (usize, usize, u32);

/// The sets that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelSets {
    kept: FxHashMap<LabelPlace, Vec<u64>>,
    words: usize,
}

impl LabelSets {
    /// Drops all sets if they take too much room.
    pub(super) fn make_room(&mut self) {
        if self.words > ROOM {
            self.kept.clear();
            self.words = 0;
        }
    }

    /// Whether a set is there.
    pub(super) fn has(&self, label: LabelPlace) -> bool {
        self.kept.contains_key(&label)
    }

    /// Keeps a set.
    pub(super) fn keep(&mut self, label: LabelPlace, set: Vec<u64>) {
        self.words += set.len();
        self.kept.insert(label, set);
    }

    /// Keeps of some bits those of a set that is there.
    pub(super) fn narrow(&self, bits: &mut [u64], label: LabelPlace) {
        let set = self.kept.get(&label).map_or(&[][..], Vec::as_slice);
        bits.iter_mut().zip(set).for_each(|(bits, set)| *bits &= set);
    }
}

/// Where in a code of a group a floor label is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    /// How many codes go by until it changes.
    pub(super) inner: u32,
    /// How many labels there are.
    pub(super) radix: u32,
}

impl Digit {
    /// The floor label in a code.
    pub(super) fn of(self, code: u32) -> u32 {
        code / self.inner % self.radix
    }
}

/// A bit for each of some elements.
pub(super) fn bits(elements: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut words = vec![0_u64; elements.len().div_ceil(64)];
    for (index, is_in) in elements.enumerate() {
        words[index >> 6] |= u64::from(is_in) << (index & 63);
    }
    words
}

/// The indexes of the bits that are set.
pub(super) fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
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

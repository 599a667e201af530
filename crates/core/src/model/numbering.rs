//! Numbers the classes of items: items with equal digits have the same number.

use std::ops::ControlFlow;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::keys::{PACKED, SHARED, SortedItems, is_sorted};
use super::ranked_bits::RankedBits;
use super::size;

/// The number of items that a core numbers at a time.
const SHARE: usize = 1 << 15;
/// The number of keys that are hashed between two counts of work.
const STRETCH: usize = 1 << 16;
/// The cost of hashing one key, in look-ups.
const HASHING: usize = 8;
/// The number of keys from which they are parted before they are hashed. The table of a part fits a
/// cache, and cores share the parts.
const PARTED: usize = 1 << 18;
/// The number of parts, as a power of two.
const PART_BITS: u32 = 6;
const PARTS: usize = 1 << PART_BITS;

/// Numbers classes by keys. The buffers are reused from one numbering to the next.
///
/// The key of an item packs its digits in a mixed radix, the first digit highest. So keys have the
/// lexicographic order of digits. For c items with m digits:
///
/// | order of numbers | key space | method | time |
/// |---|---|---|---|
/// | of keys | not much larger than c | ranks in a bit set | O(c·m) |
/// | of keys | larger | sorting | O(c·(m + log c)) |
/// | any | not much larger than c | the key is the number | O(c·m) |
/// | any | larger | hashing, in order of first appearance | O(c·m) |
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    keys: Vec<u64>,
    class_of: Vec<u32>,
    present: RankedBits,
    known: FxHashMap<u64, u32>,
}

/// One digit of a key: the label of `codes[item]`, below `radix`.
#[derive(Clone, Copy, Debug)]
pub struct Digit<'a> {
    /// The exclusive upper bound of labels.
    pub radix: u64,
    /// The code of each item.
    pub codes: &'a [u32],
    /// The label of each code; `None` if the codes are the labels.
    pub labels: Option<&'a [u32]>,
}

impl Numbering {
    /// The class of each item.
    pub fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// As `class_of`, but moves the buffer out.
    pub(super) fn into_class_of(self) -> Vec<u32> {
        self.class_of
    }

    /// The key of each item, after [`pack`](Self::pack).
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Numbers items in the lexicographic order of their digits. Returns the number of classes.
    pub(super) fn number<'a>(&mut self, length: usize, digits: impl Iterator<Item = Digit<'a>>) -> usize {
        let span = self.pack(length, digits);
        self.number_keys(span)
    }

    /// Numbers items in an order that follows from their digits and has no meaning. Returns an
    /// exclusive upper bound of the numbers; some numbers may have no item.
    ///
    /// `spend` hears how many look-ups come next, and may stop the numbering.
    ///
    /// # Errors
    /// Breaks if `spend` does.
    pub fn number_in_any_order(
        &mut self,
        length: usize,
        digits: &[Digit],
        mut spend: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<(), usize> {
        let span = digits.iter().try_fold(1_u64, |product, digit| product.checked_mul(digit.radix));
        let dense = span.filter(|&span| span <= dense_limit(length));
        match dense.and_then(|span| u32::try_from(span).ok()) {
            Some(span) => {
                self.number_densely(length, digits, &mut spend)?;
                ControlFlow::Continue(span as usize)
            }
            None => self.number_by_hashing(length, digits, &mut spend),
        }
    }

    /// Numbers the keys in their order, all of which are below `span`.
    pub(super) fn number_keys(&mut self, span: u64) -> usize {
        if is_sorted(&self.keys) {
            self.number_runs()
        } else if span <= bits_limit(self.keys.len()) {
            self.number_by_bits(span)
        } else {
            self.number_by_sorting(span)
        }
    }

    /// Packs the key of each item, and returns the size of their space.
    pub(super) fn pack<'a>(&mut self, length: usize, digits: impl Iterator<Item = Digit<'a>>) -> u64 {
        self.keys.resize(length, 0);
        let digits: Vec<Digit> = digits.filter(|digit| digit.radix > 1).collect();
        let (mut rest, mut is_begun, mut span) = (&digits[..], false, 1_u64);
        let limit = bits_limit(length);
        loop {
            let before = rest.len();
            let mut next = rest;
            // The first digit alone would have as many ranks as labels, so replacing it by ranks
            // saves nothing.
            let least = if is_begun { 1 } else { 2 };
            while let [digit, later @ ..] = next
                && let Some(wider) = span.checked_mul(digit.radix)
                && (wider <= limit || span > limit || next.len() + least > before)
            {
                (next, span) = (later, wider);
            }
            self.extend(&rest[..before - next.len()], is_begun);
            if next.is_empty() {
                return span;
            }
            // Ranks need a smaller space than keys, so the next digit fits.
            span = self.number_keys(span) as u64;
            self.keys.iter_mut().zip(&self.class_of).for_each(|(key, &class)| *key = u64::from(class));
            (rest, is_begun) = (next, true);
        }
    }

    /// Appends digits to each key. Before the first digits, all keys are set to 0.
    fn extend(&mut self, digits: &[Digit], is_begun: bool) {
        let extend = |(block, keys): (usize, &mut [u64])| {
            if !is_begun {
                keys.fill(0);
            }
            for digit in digits {
                digit.append(block * PACKED, keys);
            }
        };
        if self.keys.len() < SHARED {
            self.keys.chunks_mut(PACKED).enumerate().for_each(extend);
        } else {
            self.keys.par_chunks_mut(PACKED).enumerate().for_each(extend);
        }
    }

    /// Numbers ascending keys.
    fn number_runs(&mut self) -> usize {
        self.class_of.clear();
        let Some(&first) = self.keys.first() else { return 0 };
        let (mut class, mut last) = (0, first);
        self.class_of.extend(self.keys.iter().map(|&key| {
            class += u32::from(key != last);
            last = key;
            class
        }));
        class as usize + 1
    }

    fn number_by_bits(&mut self, span: u64) -> usize {
        let classes = self.present.fill(&self.keys, span);
        self.class_of.resize(self.keys.len(), 0);
        let number = |(class, &key): (&mut u32, &u64)| *class = self.present.rank(size::index(key));
        if self.keys.len() < SHARED {
            self.class_of.iter_mut().zip(&self.keys).for_each(number);
        } else {
            self.class_of.par_iter_mut().zip(&self.keys).with_min_len(SHARED / 2).for_each(number);
        }
        classes
    }

    fn number_by_sorting(&mut self, span: u64) -> usize {
        let sorted = SortedItems::of(&self.keys, span);
        self.class_of.clear();
        self.class_of.resize(self.keys.len(), 0);
        let (mut classes, mut last) = (0_u32, None);
        for (key, item) in sorted.iter() {
            classes += u32::from(last != Some(key));
            last = Some(key);
            self.class_of[item as usize] = classes - 1;
        }
        classes as usize
    }

    /// The number of a class is its key, with the last digit highest.
    fn number_densely(
        &mut self,
        length: usize,
        digits: &[Digit],
        spend: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((last, others)) = digits.split_last() else {
            self.class_of.clear();
            self.class_of.resize(length, 0);
            return ControlFlow::Continue(());
        };
        self.class_of.resize(length, 0);
        let number = |start: usize, classes: &mut [u32]| {
            classes.fill(0);
            last.append(start, classes);
            others.iter().rev().for_each(|digit| digit.append(start, classes));
        };
        // Few digits are one stretch; many digits are several, so that the numbering can stop in
        // between.
        let stretch = (2 * SHARED * 16 / digits.len()).max(2 * SHARED);
        for (index, classes) in self.class_of.chunks_mut(stretch).enumerate() {
            spend(classes.len() * digits.len())?;
            let start = index * stretch;
            if length < 2 * SHARED {
                number(start, classes);
            } else {
                let shares = classes.par_chunks_mut(SHARE).enumerate();
                shares.for_each(|(share, classes)| number(start + share * SHARE, classes));
            }
        }
        ControlFlow::Continue(())
    }

    /// Numbers keys by first appearance. Digits that would overflow a key follow the numbers of the
    /// digits before them.
    fn number_by_hashing(
        &mut self,
        length: usize,
        digits: &[Digit],
        spend: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<(), usize> {
        self.class_of.clear();
        self.class_of.resize(length, 0);
        self.keys.clear();
        self.keys.resize(length, 0);
        if length < PARTED {
            self.known.reserve(length);
        }
        let mut span = 1_u64;
        for digit in digits {
            if span.checked_mul(digit.radix).is_none() {
                span = u64::from(self.number_by_appearance(spend)?);
                self.keys.iter_mut().zip(&self.class_of).for_each(|(key, &class)| *key = u64::from(class));
            }
            span *= digit.radix;
            spend(length)?;
            if length < PARTED {
                digit.append(0, &mut self.keys);
            } else {
                let shares = self.keys.par_chunks_mut(SHARE).enumerate();
                shares.for_each(|(share, keys)| digit.append(share * SHARE, keys));
            }
        }
        ControlFlow::Continue(self.number_by_appearance(spend)? as usize)
    }

    fn number_by_appearance(
        &mut self,
        spend: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<(), u32> {
        if self.keys.len() >= PARTED {
            return self.number_by_parts(spend);
        }
        self.known.clear();
        let mut next = 0;
        for (keys, classes) in self.keys.chunks(STRETCH).zip(self.class_of.chunks_mut(STRETCH)) {
            spend(keys.len() * HASHING)?;
            for (key, class) in keys.iter().zip(classes) {
                *class = *self.known.entry(*key).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
            }
        }
        ControlFlow::Continue(next)
    }

    /// Numbers keys part by part, in each part by first appearance. The part of a key follows from
    /// the key, so that the numbers do not depend on the number of cores.
    fn number_by_parts(&mut self, spend: &mut impl FnMut(usize) -> ControlFlow<()>) -> ControlFlow<(), u32> {
        spend(self.keys.len())?;
        // The keys of each share, by part.
        let part = |keys: &[u64]| {
            let mut parts: Vec<Vec<u64>> =
                (0..PARTS).map(|_| Vec::with_capacity(keys.len() / PARTS * 5 / 4)).collect();
            for &key in keys {
                parts[part_of(key)].push(key);
            }
            parts
        };
        let shares: Vec<Vec<Vec<u64>>> = self.keys.par_chunks(STRETCH).map(part).collect();
        // The numbers of each part, by share, and their number.
        let number = |part: usize| {
            let (mut known, mut next) = (FxHashMap::default(), 0_u32);
            let mut of_share = |share: &Vec<Vec<u64>>| -> Vec<u32> {
                let keys = share[part].iter();
                let number = |&key: &u64| {
                    *known.entry(key).or_insert_with(|| {
                        next += 1;
                        next - 1
                    })
                };
                keys.map(number).collect()
            };
            let numbers: Vec<Vec<u32>> = shares.iter().map(&mut of_share).collect();
            (numbers, next)
        };
        let mut parts: Vec<(Vec<Vec<u32>>, u32)> = Vec::with_capacity(PARTS);
        let at_once = rayon::current_num_threads().clamp(4, PARTS);
        while parts.len() < PARTS {
            let next = parts.len()..(parts.len() + at_once).min(PARTS);
            spend(self.keys.len() / PARTS * next.len() * HASHING)?;
            parts.extend(next.into_par_iter().map(&number).collect::<Vec<_>>());
        }
        let mut classes = 0;
        let starts: Vec<u32> = parts
            .iter()
            .map(|(_, count)| {
                classes += count;
                classes - count
            })
            .collect();
        let shares = self.class_of.par_chunks_mut(STRETCH).zip(self.keys.par_chunks(STRETCH)).enumerate();
        shares.for_each(|(share, (classes, keys))| {
            let mut read = [0_usize; PARTS];
            for (class, &key) in classes.iter_mut().zip(keys) {
                let part = part_of(key);
                *class = starts[part] + parts[part].0[share][read[part]];
                read[part] += 1;
            }
        });
        ControlFlow::Continue(classes)
    }
}

/// The part of a key.
fn part_of(key: u64) -> usize {
    size::index(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PART_BITS))
}

/// An integer to which digits are appended.
trait Key: Copy + std::ops::Mul<Output = Self> + std::ops::Add<Output = Self> + From<u32> {
    /// A radix that fits.
    fn radix(radix: u64) -> Self;
}

impl Key for u64 {
    fn radix(radix: u64) -> Self {
        radix
    }
}

impl Key for u32 {
    fn radix(radix: u64) -> Self {
        size::number(size::index(radix))
    }
}

impl Digit<'_> {
    /// Appends this digit to the keys of the items from `start` on.
    fn append<K: Key>(&self, start: usize, keys: &mut [K]) {
        let radix = K::radix(self.radix);
        let keys = keys.iter_mut().zip(&self.codes[start..]);
        match self.labels {
            Some(labels) => keys.for_each(|(key, &code)| *key = *key * radix + labels[code as usize].into()),
            None => keys.for_each(|(key, &code)| *key = *key * radix + code.into()),
        }
    }
}

/// The largest key space that is cheaper to number by a bit set than by sorting. The bit set takes
/// at most 9 bytes an item.
pub(super) fn bits_limit(items: usize) -> u64 {
    (items as u64) * 64 + 4096
}

/// The largest key space that is cheaper to clear and scan than to hash.
fn dense_limit(items: usize) -> u64 {
    (items as u64) * 8 + 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits of items, drawn below their radices.
    fn drawn(length: usize, radices: &[u64]) -> Vec<Vec<u32>> {
        let mut state = 5_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((state >> 33) % below).unwrap()
        };
        radices.iter().map(|&radix| (0..length).map(|_| draw(radix)).collect()).collect()
    }

    // holds: One kernel
    #[test]
    fn equal_numbers_mean_equal_digits_in_every_method() {
        let wide = [1 << 30; 4];
        let long = (PARTED + 9, &[600, 700, 1000][..]);
        for (length, radices) in [
            (0, &[2_u64, 3][..]),
            (500, &[]),
            (500, &[3, 1, 4]),
            (500, &[40, 50]),
            (500, &wide),
            (90, &wide),
            long,
        ] {
            let columns = drawn(length, radices);
            let digits: Vec<Digit> = columns
                .iter()
                .zip(radices)
                .map(|(codes, &radix)| Digit { radix, codes, labels: None })
                .collect();
            let item = |item: usize| columns.iter().map(|column| column[item]).collect::<Vec<u32>>();
            let mut distinct: Vec<Vec<u32>> = (0..length).map(item).collect();
            distinct.sort_unstable();
            distinct.dedup();
            let mut numbering = Numbering::default();
            assert_eq!(numbering.number(length, digits.iter().copied()), distinct.len());
            let rank = |index| size::number(distinct.binary_search(&item(index)).unwrap());
            let ranks: Vec<u32> = (0..length).map(rank).collect();
            assert_eq!(numbering.class_of(), ranks);
            let spend = |_| ControlFlow::Continue(());
            let ControlFlow::Continue(bound) = numbering.number_in_any_order(length, &digits, spend) else {
                panic!("nothing stops it")
            };
            let mut pairs: Vec<(u32, u32)> =
                ranks.iter().copied().zip(numbering.class_of().iter().copied()).collect();
            assert!(pairs.iter().all(|pair| (pair.1 as usize) < bound), "{radices:?}");
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), distinct.len(), "{radices:?}");
            pairs.sort_unstable_by_key(|pair| pair.1);
            pairs.dedup_by_key(|pair| pair.1);
            assert_eq!(pairs.len(), distinct.len(), "{radices:?}");
        }
    }

    #[test]
    fn numbers_of_many_keys_ignore_cores() {
        let columns = drawn(PARTED + 9, &[90, 1000, 1000]);
        let digits: Vec<Digit> = std::iter::zip(&columns, [90, 1000, 1000])
            .map(|(codes, radix)| Digit { radix, codes, labels: None })
            .collect();
        let numbered = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut numbering = Numbering::default();
                let spend = |_| ControlFlow::Continue(());
                let classes = numbering.number_in_any_order(PARTED + 9, &digits, spend).continue_value();
                (classes.unwrap(), numbering.into_class_of())
            })
        };
        let alone = numbered(1);
        assert!([2, 7, 16].into_iter().all(|threads| numbered(threads) == alone));
    }
}

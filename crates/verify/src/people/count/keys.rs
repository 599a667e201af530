//! Packs rows of small numbers into keys of at most 64 bits, and counts them by sorting and merging.

use rayon::prelude::*;

use super::Stop;

/// The bits of each column in a key. The first column has the highest bits, so keys sort like their rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    /// For each column the shift of its bits and the mask of its values.
    fields: Vec<(u32, u64)>,
    bits: u32,
}

impl Fields {
    /// Fields for numbers below these limits; `None` if 64 bits are too few.
    pub(crate) fn below(limits: impl DoubleEndedIterator<Item = usize>) -> Option<Self> {
        let (mut bits, mut fields) = (0, Vec::new());
        for limit in limits.rev() {
            let width = usize::BITS - limit.saturating_sub(1).leading_zeros();
            // A shift by 64 bits is not allowed.
            if bits + width > u64::BITS || (bits == u64::BITS && width == 0) {
                return None;
            }
            fields.push((bits, u64::MAX.checked_shr(u64::BITS - width).unwrap_or(0)));
            bits += width;
        }
        fields.reverse();
        Some(Self { fields, bits })
    }

    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of values that each column has room for.
    pub(crate) fn limits(&self) -> Vec<usize> {
        let limit =
            |&(_, most): &(u32, u64)| usize::try_from(most).map_or(usize::MAX, |most| most.saturating_add(1));
        self.fields.iter().map(limit).collect()
    }

    /// The greatest value that a column has room for.
    fn most(&self, column: usize) -> u64 {
        self.fields[column].1
    }

    /// The shift of a column's bits.
    pub(crate) fn shift(&self, column: usize) -> u32 {
        self.fields[column].0
    }

    /// The key of a row; `None` if a number is too large for its field.
    pub(crate) fn pack(&self, row: &[u32]) -> Option<u64> {
        self.fields.iter().zip(row).try_fold(0, |key, (&(shift, most), &number)| {
            (u64::from(number) <= most).then_some(key | u64::from(number) << shift)
        })
    }

    #[expect(clippy::cast_possible_truncation, reason = "a number has at most 32 bits")]
    pub(crate) fn number(&self, key: u64, column: usize) -> u32 {
        let (shift, most) = self.fields[column];
        (key >> shift & most) as u32
    }

    pub(crate) fn numbers(&self, key: u64) -> impl ExactSizeIterator<Item = u32> {
        (0..self.fields.len()).map(move |column| self.number(key, column))
    }
}

/// Keys, each with its number of people.
pub(crate) type Counted = Vec<(u64, u64)>;

/// The fewest keys that are sorted at once.
const SORTED_AT_ONCE: usize = 1 << 22;
/// The number of keys that a thread sorts at once.
const CHUNK: usize = 1 << 18;
/// A part with twice as many keys is divided.
const PART: usize = 1 << 15;

/// Counts rows by their keys: those added last are sorted and merged with the known ones, part by part on all threads. A distinct
/// key needs 16 bytes, and a part two times as much while it is merged. Those added last need 8 bytes each; they are at most a
/// quarter of the known ones, or some millions.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    fields: Fields,
    /// Keys of one person each, unsorted.
    single: Vec<u64>,
    /// Keys with their numbers of people, unsorted.
    counted: Counted,
    /// The distinct keys, sorted, in parts.
    parts: Vec<Part>,
    len: usize,
}

/// Sorted distinct keys from `start` to the start of the next part.
#[derive(Debug, Default)]
struct Part {
    start: u64,
    keys: Counted,
}

impl Keys {
    /// Makes room for numbers below these limits, which never decrease. `false` if 64 bits are too few.
    pub(crate) fn widen(&mut self, limits: &[usize]) -> bool {
        let is_wide = self.fields.fields.len() == limits.len()
            && limits.iter().enumerate().all(|(column, &limit)| limit as u64 <= self.fields.most(column) + 1);
        if is_wide {
            return true;
        }
        let Some(fields) = Fields::below(limits.iter().copied()) else { return false };
        let old = std::mem::replace(&mut self.fields, fields);
        let shifts: Vec<((u32, u64), u32)> =
            old.fields.iter().copied().zip(self.fields.fields.iter().map(|(shift, _)| *shift)).collect();
        let wider =
            |key: u64| shifts.iter().fold(0, |wide, &((shift, most), to)| wide | (key >> shift & most) << to);
        self.single.par_iter_mut().with_min_len(CHUNK).for_each(|key| *key = wider(*key));
        self.counted.iter_mut().for_each(|(key, _)| *key = wider(*key));
        self.parts.par_iter_mut().for_each(|part| {
            part.start = wider(part.start);
            part.keys.iter_mut().for_each(|(key, _)| *key = wider(*key));
        });
        true
    }

    /// Adds keys of one person each. Call [`widen`](Self::widen) first.
    pub(crate) fn add_single(&mut self, keys: &[u64]) {
        self.single.extend_from_slice(keys);
        self.settle_many();
    }

    /// Adds keys with their numbers of people. Call [`widen`](Self::widen) first.
    pub(crate) fn add_counted(&mut self, keys: impl Iterator<Item = (u64, u64)>) {
        self.counted.extend(keys);
        self.settle_many();
    }

    fn settle_many(&mut self) {
        if self.single.len() + 2 * self.counted.len() >= SORTED_AT_ONCE.max(self.len / 4) {
            self.settle();
        }
    }

    /// Merges the added keys with the known ones.
    fn settle(&mut self) {
        let (bits, stop) = (self.fields.bits, Stop::default());
        self.single.par_chunks_mut(CHUNK).for_each(|chunk| sort_slice(chunk, bits, |key| *key, &stop));
        self.counted.par_chunks_mut(CHUNK).for_each(|chunk| sort_slice(chunk, bits, |(key, _)| *key, &stop));
        if self.parts.is_empty() {
            // The first sorted keys show how the others are spread.
            let single = self.single.iter().take(CHUNK).copied();
            let counted = self.counted.iter().take(if self.single.is_empty() { CHUNK } else { 0 });
            let sampled = single.chain(counted.map(|(key, _)| *key)).skip(PART / 16).step_by(PART / 16);
            let mut starts: Vec<u64> = std::iter::once(0).chain(sampled).collect();
            starts.dedup();
            self.parts = starts.into_iter().map(|start| Part { start, keys: Counted::new() }).collect();
        }
        let ends: Vec<Option<u64>> =
            self.parts.iter().skip(1).map(|part| Some(part.start)).chain([None]).collect();
        let (single, counted) = (&self.single, &self.counted);
        let merge = |(mut part, end): (Part, Option<u64>)| {
            let range = |keys: &dyn Fn(u64) -> usize, len: usize| keys(part.start)..end.map_or(len, keys);
            let mut keys: Vec<u64> = Vec::new();
            for chunk in single.chunks(CHUNK) {
                let range = range(&|key| chunk.partition_point(|other| *other < key), chunk.len());
                keys.extend_from_slice(&chunk[range]);
            }
            #[expect(clippy::stable_sort_primitive, reason = "it recognizes the sorted pieces")]
            keys.sort();
            let mut more: Counted = Vec::new();
            for chunk in counted.chunks(CHUNK) {
                let range = range(&|key| chunk.partition_point(|(other, _)| *other < key), chunk.len());
                more.extend_from_slice(&chunk[range]);
            }
            more.sort_by_key(|(key, _)| *key);
            unite(&mut more);
            if !keys.is_empty() {
                let same = keys.chunk_by(PartialEq::eq);
                part.keys = merged(&part.keys, same.map(|same| (same[0], same.len() as u64)), keys.len());
            }
            if !more.is_empty() {
                let len = more.len();
                part.keys = merged(&part.keys, more.into_iter(), len);
            }
            part.divided()
        };
        let parts = std::mem::take(&mut self.parts);
        self.parts = parts.into_par_iter().zip(ends).with_max_len(1).flat_map_iter(merge).collect();
        self.len = self.parts.iter().map(|part| part.keys.len()).sum();
        self.single.clear();
        self.counted.clear();
    }

    /// Ends the adding of rows.
    pub(crate) fn close(&mut self) {
        self.settle();
        (self.single, self.counted) = (Vec::new(), Vec::new());
    }

    /// The distinct keys with their people, ascending. Call [`close`](Self::close) first.
    pub(crate) fn closed(&self) -> impl Iterator<Item = (u64, u64)> {
        self.parts.iter().flat_map(|part| part.keys.iter().copied())
    }

    /// The number of distinct keys. Call [`close`](Self::close) first.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Removes and returns the fields and the distinct keys: parts of sorted keys, each above those before.
    pub(crate) fn take(&mut self) -> (Fields, Vec<Counted>) {
        self.close();
        self.len = 0;
        let parts = std::mem::take(&mut self.parts).into_iter().map(|part| part.keys);
        (std::mem::take(&mut self.fields), parts.collect())
    }
}

impl Part {
    /// The same keys in parts that are not too long.
    fn divided(mut self) -> Vec<Self> {
        let mut parts = Vec::with_capacity(1);
        while self.keys.len() >= 2 * PART {
            let rest = self.keys.split_off(PART);
            self.keys.shrink_to_fit();
            let start = rest[0].0;
            parts.push(std::mem::replace(&mut self, Self { start, keys: rest }));
        }
        parts.push(self);
        parts
    }
}

/// Merges sorted keys with `len` others at most, which are sorted too.
fn merged(known: &[(u64, u64)], others: impl Iterator<Item = (u64, u64)>, len: usize) -> Counted {
    let mut all = Vec::with_capacity(known.len() + len);
    let mut next = 0;
    for (key, people) in others {
        while let Some(&smaller) = known.get(next).filter(|(other, _)| *other < key) {
            all.push(smaller);
            next += 1;
        }
        let same = known.get(next).filter(|(other, _)| *other == key).map(|(_, people)| *people);
        next += usize::from(same.is_some());
        all.push((key, people + same.unwrap_or(0)));
    }
    all.extend_from_slice(&known[next..]);
    all.shrink_to_fit();
    all
}

/// Unites neighbours with the same key.
pub(crate) fn unite(run: &mut Counted) {
    run.dedup_by(|later, first| {
        let is_same = later.0 == first.0;
        first.1 += if is_same { later.1 } else { 0 };
        is_same
    });
}

/// Sorts rows by the lowest `bits` bits of their keys (radix sort). After a stop, the order is any.
pub(crate) fn sort_slice<T: Copy + Default>(rows: &mut [T], bits: u32, key: impl Fn(&T) -> u64, stop: &Stop) {
    const DIGIT: u32 = 11;
    let mut buffer = vec![T::default(); rows.len()];
    let (mut from, mut to) = (rows, buffer.as_mut_slice());
    let mut is_in_buffer = false;
    for shift in (0..bits).step_by(DIGIT as usize) {
        if stop.is_wanted() {
            break;
        }
        #[expect(clippy::cast_possible_truncation, reason = "eleven bits")]
        let digit = |row: &T| (key(row) >> shift) as usize & ((1 << DIGIT) - 1);
        let mut ends = vec![0_usize; 1 << DIGIT];
        for row in from.iter() {
            ends[digit(row)] += 1;
        }
        if ends.contains(&from.len()) {
            continue;
        }
        let mut next = 0;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        for row in from.iter() {
            let end = &mut ends[digit(row)];
            to[*end] = *row;
            *end += 1;
        }
        std::mem::swap(&mut from, &mut to);
        is_in_buffer = !is_in_buffer;
    }
    if is_in_buffer {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counted_keys_are_those_of_a_naive_twin(
            lots in prop::collection::vec((prop::collection::vec(([0..9_u32, 0..300, 0..2], 0..3_u64), 0..40), any::<bool>()), 0..6),
        ) {
            let mut keys = Keys::default();
            let mut naive: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
            let mut limits = vec![0; 3];
            for (rows, are_single) in &lots {
                let columns: Vec<Vec<u32>> =
                    (0..3).map(|column| rows.iter().map(|(row, _)| row[column]).collect()).collect();
                for (limit, column) in limits.iter_mut().zip(&columns) {
                    let most = column.iter().max().map_or(0, |most| *most as usize + 1);
                    *limit = most.max(*limit);
                }
                prop_assert!(keys.widen(&limits));
                let packed: Vec<u64> =
                    rows.iter().map(|(row, _)| keys.fields().pack(row.as_slice()).unwrap()).collect();
                if *are_single {
                    keys.add_single(&packed);
                } else {
                    keys.add_counted(packed.into_iter().zip(rows.iter().map(|(_, people)| people + 1)));
                }
                for (row, people) in rows {
                    *naive.entry(row.to_vec()).or_default() += if *are_single { 1 } else { people + 1 };
                }
                // Merge runs even though a lot is small.
                keys.settle();
            }
            keys.close();
            let found: Vec<(Vec<u32>, u64)> =
                keys.closed().map(|(key, people)| (keys.fields().numbers(key).collect(), people)).collect();
            prop_assert_eq!(found, naive.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn parts_are_divided_and_stay_sorted() {
        let mut keys = Keys::default();
        assert!(keys.widen(&[1 << 20, 3]));
        let mut naive: BTreeMap<u64, u64> = BTreeMap::from([(7, 1)]);
        keys.add_single(&[7]);
        keys.settle();
        for lot in 1..4_u64 {
            let lot: Vec<u64> = (0..5 * PART as u64).map(|nth| nth * nth * lot % (1 << 21)).collect();
            keys.add_single(&lot);
            keys.add_counted(lot.iter().step_by(3).map(|key| (*key, 4)));
            for key in &lot {
                *naive.entry(*key).or_default() += 1;
            }
            lot.iter().step_by(3).for_each(|key| *naive.entry(*key).or_default() += 4);
            keys.settle();
            assert!(keys.parts.len() > 2 && keys.parts.iter().all(|part| part.keys.len() < 2 * PART));
        }
        let expected: Vec<(u64, u64)> = naive.into_iter().collect();
        assert!(keys.closed().eq(expected.iter().copied()) && keys.len() == expected.len());
        // With twice the room for the last column, keys keep their order.
        assert!(keys.widen(&[1 << 20, 5]));
        keys.add_single(&[1]);
        let (_, parts) = keys.take();
        let wide = |key: u64| key >> 2 << 3 | (key & 3);
        let mut expected: Vec<(u64, u64)> =
            expected.into_iter().map(|(key, people)| (wide(key), people)).collect();
        match expected.iter_mut().find(|(key, _)| *key == 1) {
            Some((_, people)) => *people += 1,
            None => expected.push((1, 1)),
        }
        expected.sort_unstable();
        assert_eq!(parts.concat(), expected);
    }

    #[test]
    fn a_key_has_64_bits_and_no_more() {
        assert!(Fields::below([1 << 32, 1 << 32].into_iter()).is_some());
        assert!(Fields::below([1 << 32, 1 << 31, 3].into_iter()).is_none());
        assert!(Fields::below([1, 1 << 32, 1 << 32].into_iter()).is_none());
        let fields = Fields::below([1 << 32, 1 << 32].into_iter()).unwrap();
        let key = fields.pack(&[u32::MAX, 7]).unwrap();
        assert_eq!(fields.numbers(key).collect::<Vec<_>>(), [u32::MAX, 7]);
        let narrow = Fields::below([4, 1, 2].into_iter()).unwrap();
        assert_eq!(
            (narrow.pack(&[3, 0, 1]), narrow.pack(&[4, 0, 1]), narrow.pack(&[3, 1, 1])),
            (Some(7), None, None)
        );
    }
}

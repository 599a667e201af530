//! Packs rows of small numbers into keys of at most 64 bits, and counts them by sorting and merging.

use super::watch::Stop;

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

/// The number of keys that are sorted at once.
const SORTED_AT_ONCE: usize = 1 << 22;

/// Counts rows by their keys.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    fields: Fields,
    /// Keys of one person each, unsorted.
    single: Vec<u64>,
    /// Keys with their numbers of people, unsorted.
    counted: Counted,
    /// Sorted runs of distinct keys. Each run is less than half as long as the previous one.
    runs: Vec<Counted>,
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
        self.single.iter_mut().for_each(|key| *key = wider(*key));
        let counted = self.runs.iter_mut().flatten().chain(&mut self.counted);
        counted.for_each(|(key, _)| *key = wider(*key));
        true
    }

    /// Adds rows, given as columns. Each row is one person, or has the number in `people`. Call [`widen`](Self::widen) first.
    pub(crate) fn add(&mut self, columns: &[Vec<u32>], rows: usize, people: Option<&[(usize, u64)]>) {
        let start = self.single.len();
        self.single.resize(start + rows, 0);
        for (column, &(shift, _)) in columns.iter().zip(&self.fields.fields) {
            for (key, &number) in self.single[start..].iter_mut().zip(column) {
                *key |= u64::from(number) << shift;
            }
        }
        if let Some(people) = people.filter(|people| people.iter().any(|(_, people)| *people != 1)) {
            let keys = self.single.drain(start..);
            self.counted.extend(keys.zip(people).map(|(key, (_, people))| (key, *people)));
        }
        if self.single.len() + self.counted.len() >= SORTED_AT_ONCE {
            self.settle();
        }
    }

    /// Sorts the added keys into runs.
    fn settle(&mut self) {
        let stop = Stop::default();
        if !self.single.is_empty() {
            sort(&mut self.single, &mut Vec::new(), self.fields.bits, |key| *key, &stop);
            let same = self.single.chunk_by(PartialEq::eq);
            let mut run = Vec::with_capacity(same.clone().count());
            run.extend(same.map(|same| (same[0], same.len() as u64)));
            self.single.clear();
            self.push(run);
        }
        if !self.counted.is_empty() {
            sort(&mut self.counted, &mut Vec::new(), self.fields.bits, |(key, _)| *key, &stop);
            let mut run = std::mem::take(&mut self.counted);
            unite(&mut run);
            self.push(run);
        }
    }

    fn push(&mut self, run: Counted) {
        self.runs.push(run);
        while let [.., previous, last] = &self.runs[..]
            && previous.len() < 2 * last.len()
        {
            self.merge_last();
        }
    }

    fn merge_last(&mut self) {
        if let (Some(last), Some(previous)) = (self.runs.pop(), self.runs.pop()) {
            self.runs.push(merged(&previous, &last));
        }
    }

    /// Ends the adding of rows and merges all runs into one.
    pub(crate) fn close(&mut self) {
        self.settle();
        (self.single, self.counted) = (Vec::new(), Vec::new());
        while self.runs.len() > 1 {
            self.merge_last();
        }
    }

    /// The distinct keys with their people, sorted. Call [`close`](Self::close) first.
    pub(crate) fn closed(&self) -> &[(u64, u64)] {
        self.runs.first().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Removes and returns the fields and the sorted keys.
    pub(crate) fn take(&mut self) -> (Fields, Counted) {
        self.close();
        (std::mem::take(&mut self.fields), self.runs.pop().unwrap_or_default())
    }
}

/// Merges two sorted runs.
fn merged(left_run: &[(u64, u64)], right_run: &[(u64, u64)]) -> Counted {
    let mut all = Vec::with_capacity(left_run.len() + right_run.len());
    let (mut left, mut right) = (0, 0);
    while left < left_run.len() && right < right_run.len() {
        let (first, second) = (left_run[left], right_run[right]);
        let is_same = first.0 == second.0;
        let is_first = first.0 <= second.0;
        let (key, people) = if is_first { first } else { second };
        all.push((key, people + if is_same { second.1 } else { 0 }));
        left += usize::from(is_first);
        right += usize::from(is_same || !is_first);
    }
    all.extend_from_slice(&left_run[left..]);
    all.extend_from_slice(&right_run[right..]);
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

/// Sorts rows by the lowest `bits` bits of their keys (radix sort). `buffer` is working memory. After a stop, `rows` is empty.
pub(crate) fn sort<T: Copy + Default>(
    rows: &mut Vec<T>,
    buffer: &mut Vec<T>,
    bits: u32,
    key: impl Fn(&T) -> u64,
    stop: &Stop,
) {
    const DIGIT: u32 = 11;
    const STRIDE: usize = 1 << 20;
    buffer.resize(rows.len(), T::default());
    for shift in (0..bits).step_by(DIGIT as usize) {
        #[expect(clippy::cast_possible_truncation, reason = "eleven bits")]
        let digit = |row: &T| (key(row) >> shift) as usize & ((1 << DIGIT) - 1);
        let mut ends = vec![0_usize; 1 << DIGIT];
        for row in rows.iter() {
            ends[digit(row)] += 1;
        }
        if ends.contains(&rows.len()) {
            continue;
        }
        let mut next = 0;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        for rows in rows.chunks(STRIDE) {
            if stop.is_wanted() {
                break;
            }
            for row in rows {
                let end = &mut ends[digit(row)];
                buffer[*end] = *row;
                *end += 1;
            }
        }
        std::mem::swap(rows, buffer);
    }
    if stop.is_wanted() {
        rows.clear();
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
                let people: Vec<(usize, u64)> = rows.iter().map(|(_, people)| (0, people + 1)).collect();
                keys.add(&columns, rows.len(), (!are_single).then_some(&people));
                for (row, people) in rows {
                    *naive.entry(row.to_vec()).or_default() += if *are_single { 1 } else { people + 1 };
                }
                // Merge runs even though a lot is small.
                keys.settle();
            }
            keys.close();
            let found: Vec<(Vec<u32>, u64)> =
                keys.closed().iter().map(|(key, people)| (keys.fields().numbers(*key).collect(), *people)).collect();
            prop_assert_eq!(found, naive.into_iter().collect::<Vec<_>>());
        }
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

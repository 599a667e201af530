//! The combinations of leaves in P and T with their numbers of people, sorted by leaves.

use rayon::prelude::*;

use super::Stop;
use super::keys::{Counted, Fields, sort_slice, unite};
use crate::labels::Leaf;

/// The leaves of a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codes<'a> {
    /// The leaves packed into one number.
    Key(&'a Fields, u64),
    /// One leaf per attribute.
    Leaves(&'a [Leaf]),
}

impl Codes<'_> {
    /// The leaf of an attribute.
    pub(crate) fn get(self, attribute: usize) -> Leaf {
        match self {
            Self::Key(fields, key) => fields.number(key, attribute),
            Self::Leaves(leaves) => leaves[attribute],
        }
    }

    /// Replaces the content of `row` by the leaves.
    pub(crate) fn read_into(self, row: &mut Vec<Leaf>) {
        row.clear();
        match self {
            Self::Key(fields, key) => row.extend(fields.numbers(key)),
            Self::Leaves(leaves) => row.extend_from_slice(leaves),
        }
    }
}

/// A combination and its people, who share every quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Combination<'a> {
    pub(crate) codes: Codes<'a>,
    pub(crate) public: u64,
    pub(crate) private: u64,
}

/// The distinct combinations, ascending by their leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Combinations {
    sorted: Sorted,
    public: Vec<u64>,
    /// Empty if the members are forgotten.
    private: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Sorted {
    /// Each combination packed into one number.
    Keys(Fields, Vec<u64>),
    /// The number of attributes, and the leaves of all combinations, one combination after the other.
    Leaves(usize, Vec<Leaf>),
}

impl Default for Sorted {
    fn default() -> Self {
        Self::Leaves(0, Vec::new())
    }
}

impl Combinations {
    pub(crate) fn len(&self) -> usize {
        self.public.len()
    }

    pub(crate) fn codes(&self, index: usize) -> Codes<'_> {
        match &self.sorted {
            Sorted::Keys(fields, keys) => Codes::Key(fields, keys[index]),
            Sorted::Leaves(width, leaves) => Codes::Leaves(&leaves[index * width..(index + 1) * width]),
        }
    }

    /// What `of_leaf` has for the leaf of each combination in one attribute.
    pub(crate) fn column(&self, attribute: usize, of_leaf: &[u32]) -> Vec<u32> {
        const AT_ONCE: usize = 1 << 14;
        match &self.sorted {
            Sorted::Keys(fields, keys) => keys
                .par_iter()
                .with_min_len(AT_ONCE)
                .map(|key| of_leaf[fields.number(*key, attribute) as usize])
                .collect(),
            Sorted::Leaves(width, leaves) => leaves
                .par_chunks((*width).max(1))
                .with_min_len(AT_ONCE)
                .map(|leaves| of_leaf[leaves[attribute] as usize])
                .collect(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Combination<'_> {
        let private = self.private.get(index).copied().unwrap_or_default();
        let public = self.public[index];
        Combination { codes: self.codes(index), public, private }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Combination<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The index of the combination with these leaves. Logarithmic time.
    pub(crate) fn find(&self, codes: &[Leaf]) -> Option<usize> {
        match &self.sorted {
            Sorted::Keys(fields, keys) => keys.binary_search(&fields.pack(codes)?).ok(),
            Sorted::Leaves(width, leaves) => {
                let (mut low, mut high) = (0, self.len());
                while low < high {
                    let middle = usize::midpoint(low, high);
                    match leaves[middle * width..(middle + 1) * width].cmp(codes) {
                        std::cmp::Ordering::Less => low = middle + 1,
                        std::cmp::Ordering::Equal => return Some(middle),
                        std::cmp::Ordering::Greater => high = middle,
                    }
                }
                None
            }
        }
    }

    /// An upper limit of each attribute's leaves, exclusive.
    pub(crate) fn limits(&self) -> Vec<usize> {
        match &self.sorted {
            Sorted::Keys(fields, _) => fields.limits(),
            Sorted::Leaves(width, leaves) => {
                let most = |attribute| leaves.iter().skip(attribute).step_by(*width).max();
                (0..*width).map(|attribute| most(attribute).map_or(0, |&most| most as usize + 1)).collect()
            }
        }
    }

    /// For each attribute and leaf: whether it occurs. With `only_public`, only combinations with individuals in P count.
    pub(crate) fn occurring(&self, leaf_counts: &[usize], only_public: bool) -> Vec<Vec<bool>> {
        let none = || leaf_counts.iter().map(|&leaves| vec![false; leaves]).collect::<Vec<_>>();
        let chunks = self.len().div_ceil(rayon::current_num_threads().max(1)).max(1 << 16);
        let parts = (0..self.len()).into_par_iter().step_by(chunks).map(|start| {
            let mut occurs = none();
            for index in start..self.len().min(start + chunks) {
                if only_public && self.public[index] == 0 {
                    continue;
                }
                let codes = self.codes(index);
                for (attribute, occurs) in occurs.iter_mut().enumerate() {
                    occurs[codes.get(attribute) as usize] = true;
                }
            }
            occurs
        });
        parts.reduce(none, |mut all, part| {
            for (all, part) in all.iter_mut().flatten().zip(part.into_iter().flatten()) {
                *all |= part;
            }
            all
        })
    }

    /// Adds members of T to a combination.
    pub(crate) fn add_private(&mut self, index: usize, people: u64) {
        // This cannot overflow: the tally has counted all of T.
        self.private[index] += people;
    }

    /// Forgets all members.
    pub(crate) fn without_members(self) -> Self {
        Self { private: Vec::new(), ..self }
    }

    /// Removes the members whose combination T has more often than P. Returns their number.
    pub(crate) fn drop_excess(&mut self) -> u64 {
        let excess = self.private.iter_mut().zip(&self.public);
        let excess = excess.filter(|(private, public)| **private > **public);
        excess.map(|(private, _)| std::mem::take(private)).sum()
    }

    /// Adds the surplus members of each combination to P. Returns their number.
    pub(crate) fn add_lacking(&mut self) -> u64 {
        let mut added = 0;
        for (public, &private) in self.public.iter_mut().zip(&self.private) {
            let lacking = private.saturating_sub(*public);
            *public += lacking;
            added += lacking;
        }
        added
    }
}

/// Unsorted rows of leaves with their numbers of individuals in P.
#[derive(Debug)]
pub(crate) struct Gathered {
    width: usize,
    rows: Unsorted,
}

#[derive(Debug)]
enum Unsorted {
    /// Each row packed into one number, with its people. Rows are added to the last part.
    Keys(Fields, Vec<Counted>),
    /// The leaves of all rows, one row after the other, and the people of each row.
    Leaves(Vec<Leaf>, Vec<u64>),
}

impl Gathered {
    pub(crate) fn new(leaf_counts: &[usize], rows: usize) -> Self {
        let width = leaf_counts.len();
        let rows = match Fields::below(leaf_counts.iter().copied()) {
            Some(fields) => Unsorted::Keys(fields, vec![Vec::with_capacity(rows)]),
            None => Unsorted::Leaves(Vec::with_capacity(rows * width), Vec::with_capacity(rows)),
        };
        Self { width, rows }
    }

    /// Converts keys of text numbers to keys of leaves. `known` has the leaf of each text of each column, and `fields` have
    /// room for the leaves. `more` is the number of rows that will be added.
    pub(crate) fn of_keys(
        fields: Fields,
        text_fields: &Fields,
        mut parts: Vec<Counted>,
        known: &[Vec<Option<Leaf>>],
        more: usize,
    ) -> Self {
        let of_column = |(column, known): (usize, &Vec<Option<Leaf>>)| -> Vec<u64> {
            let shift = fields.shift(column);
            known.iter().map(|leaf| u64::from(leaf.unwrap_or_default()) << shift).collect()
        };
        let known: Vec<Vec<u64>> = known.iter().enumerate().map(of_column).collect();
        parts.par_iter_mut().for_each(|part| {
            for (key, _) in part {
                let numbers = text_fields.numbers(*key).zip(&known);
                *key = numbers.fold(0, |key, (number, known)| key | known[number as usize]);
            }
        });
        parts.push(Vec::with_capacity(more));
        Self { width: known.len(), rows: Unsorted::Keys(fields, parts) }
    }

    /// Adds a row: its leaves, each below the leaf count of its attribute, and its people.
    pub(crate) fn add(&mut self, codes: &[Leaf], people: u64) {
        match &mut self.rows {
            Unsorted::Keys(fields, parts) => {
                if let Some(part) = parts.last_mut() {
                    part.extend(fields.pack(codes).map(|key| (key, people)));
                }
            }
            Unsorted::Leaves(leaves, all) => {
                leaves.extend_from_slice(codes);
                all.push(people);
            }
        }
    }

    /// The distinct combinations. Their numbers of members are 0.
    pub(crate) fn sorted(self, stop: &Stop) -> Combinations {
        let (sorted, public) = match self.rows {
            Unsorted::Keys(fields, parts) => {
                let (keys, public) = sort_parts(parts, fields.bits(), stop);
                (Sorted::Keys(fields, keys), public)
            }
            Unsorted::Leaves(leaves, people) => sort_wide(self.width, &leaves, &people),
        };
        let private = vec![0; public.len()];
        Combinations { sorted, public, private }
    }
}

/// The number of keys that a thread sorts at once.
const SORTED_AT_ONCE: usize = 1 << 15;

/// Sorts keys and unites equal ones. Each part is sorted by itself; then ranges of keys are collected from all parts. After a
/// stop, there are no keys.
fn sort_parts(mut parts: Vec<Counted>, bits: u32, stop: &Stop) -> (Vec<u64>, Vec<u64>) {
    parts.par_iter_mut().with_max_len(1).for_each(|part| sort_slice(part, bits, |(key, _)| *key, stop));
    let total: usize = parts.iter().map(Vec::len).sum();
    // The ranges begin at some keys of all parts.
    let some = parts.iter().flat_map(|part| part.iter().step_by(SORTED_AT_ONCE / 64).map(|(key, _)| *key));
    let mut samples: Vec<u64> = some.collect();
    samples.sort_unstable();
    let mut starts: Vec<u64> = samples.into_iter().step_by(64).skip(1).collect();
    starts.dedup();
    let from = |nth: usize| nth.checked_sub(1).map(|before| starts[before]);
    let (mut keys, mut public) = (Vec::with_capacity(total), Vec::with_capacity(total));
    let ranges: Vec<usize> = (0..=starts.len()).collect();
    // Few ranges at a time, so that they need little memory beside the parts and the result.
    for ranges in ranges.chunks(8 * rayon::current_num_threads()) {
        if stop.is_wanted() {
            return (Vec::new(), Vec::new());
        }
        let range = |&nth: &usize| {
            let place = |part: &Counted, key: u64| part.partition_point(|(other, _)| *other < key);
            let mut range = Counted::new();
            for part in &parts {
                let first = from(nth).map_or(0, |key| place(part, key));
                let end = starts.get(nth).map_or(part.len(), |key| place(part, *key));
                range.extend_from_slice(&part[first..end]);
            }
            sort_slice(&mut range, bits, |(key, _)| *key, stop);
            unite(&mut range);
            range
        };
        for range in ranges.par_iter().map(range).collect::<Vec<_>>() {
            keys.extend(range.iter().map(|(key, _)| *key));
            public.extend(range.iter().map(|(_, people)| *people));
        }
    }
    (keys, public)
}

/// Sorts rows that do not fit into one number.
fn sort_wide(width: usize, leaves: &[Leaf], people: &[u64]) -> (Sorted, Vec<u64>) {
    let codes = |row: usize| &leaves[row * width..(row + 1) * width];
    let mut order: Vec<usize> = (0..people.len()).collect();
    order.par_sort_unstable_by(|&left, &right| codes(left).cmp(codes(right)));
    let (mut sorted, mut public) = (Vec::<Leaf>::new(), Vec::new());
    for row in order {
        let last = sorted.len().checked_sub(width).map(|start| &sorted[start..]);
        match public.last_mut() {
            Some(known) if last == Some(codes(row)) => *known += people[row],
            _ => {
                sorted.extend_from_slice(codes(row));
                public.push(people[row]);
            }
        }
    }
    (Sorted::Leaves(width, sorted), public)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn leaves(codes: Codes) -> Vec<Leaf> {
        let mut row = Vec::new();
        codes.read_into(&mut row);
        row
    }

    #[test]
    fn people_of_t_are_counted_beyond_32_bits() {
        let mut all = Combinations {
            sorted: Sorted::Leaves(1, vec![0]),
            public: vec![9_000_000_000],
            private: vec![0],
        };
        all.add_private(0, 5_000_000_000);
        all.add_private(0, 3_000_000_000);
        assert_eq!((all.get(0).public, all.get(0).private), (9_000_000_000, 8_000_000_000));
        all.add_private(0, 2_000_000_000);
        assert_eq!((all.add_lacking(), all.get(0).public), (1_000_000_000, 10_000_000_000));
    }

    proptest! {
        #[test]
        fn sorted_combinations_are_those_of_a_naive_twin(
            rows in prop::collection::vec((prop::collection::vec(0_u32..5, 3), 0_u64..4), 0..60),
            wide in prop_oneof![Just(5_usize), Just(1 << 21), Just(1 << 22), Just(1 << 31)],
        ) {
            // Three attributes of 22 bits and more do not fit into one number.
            let mut gathered = Gathered::new(&[wide; 3], rows.len());
            let mut naive: BTreeMap<Vec<Leaf>, u64> = BTreeMap::new();
            let spread = |code: u32| code * u32::try_from((wide - 1) / 4).unwrap();
            for (codes, people) in &rows {
                let codes: Vec<Leaf> = codes.iter().map(|code| spread(*code)).collect();
                gathered.add(&codes, *people);
                *naive.entry(codes).or_default() += people;
            }
            let sorted = gathered.sorted(&Stop::default());
            let found: Vec<(Vec<Leaf>, u64)> =
                sorted.iter().map(|one| (leaves(one.codes), one.public)).collect();
            prop_assert_eq!(&found, &naive.iter().map(|(codes, people)| (codes.clone(), *people)).collect::<Vec<_>>());
            for (index, (codes, _)) in found.iter().enumerate() {
                prop_assert_eq!(sorted.find(codes), Some(index));
            }
            prop_assert_eq!(sorted.find(&[1 << 30, 3, 1]), None);
        }
    }

    #[test]
    fn parts_are_united_as_in_a_map() {
        let key = |nth: u64, part: u64| nth * nth * (part + 3) % 90_001;
        let part = |part: u64| (0..30_000).map(|nth| (key(nth, part), nth % 3)).collect();
        let parts: Vec<Counted> = (0..7).map(part).chain([Vec::new()]).collect();
        let mut naive: BTreeMap<u64, u64> = BTreeMap::new();
        parts.iter().flatten().for_each(|(key, people)| *naive.entry(*key).or_default() += people);
        let (keys, people) = sort_parts(parts, 17, &Stop::default());
        assert!(keys.into_iter().zip(people).eq(naive));
    }

    #[test]
    fn what_is_to_stop_is_not_sorted() {
        let sorted = |stop: &Stop| {
            let mut gathered = Gathered::new(&[3], 1);
            gathered.add(&[2], 1);
            gathered.sorted(stop).len()
        };
        assert_eq!((sorted(&Stop::default()), sorted(&Stop::now())), (1, 0));
    }

    #[test]
    fn whom_p_lacks_is_dropped_or_added() {
        let sorted = || {
            let mut gathered = Gathered::new(&[3], 3);
            for (code, people) in [(0, 5), (1, 0), (2, 1)] {
                gathered.add(&[code], people);
            }
            let mut sorted = gathered.sorted(&Stop::default());
            for (code, people) in [(0, 5), (1, 2), (2, 4)] {
                sorted.add_private(code, people);
            }
            sorted
        };
        let counts = |all: &Combinations| all.iter().map(|one| (one.public, one.private)).collect::<Vec<_>>();
        let (mut dropped, mut added) = (sorted(), sorted());
        assert_eq!((dropped.drop_excess(), counts(&dropped)), (6, vec![(5, 5), (0, 0), (1, 0)]));
        assert_eq!((added.add_lacking(), counts(&added)), (5, vec![(5, 5), (2, 2), (4, 4)]));
    }
}

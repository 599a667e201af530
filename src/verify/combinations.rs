//! The combinations of leaves that the people of P and T have: columns, sorted by the leaves.

use rayon::slice::ParallelSliceMut;

use super::hierarchy::Leaf;
use super::watch::Stop;

/// The people who share every quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Combination<'a> {
    pub(super) codes: &'a [Leaf],
    pub(super) public: u64,
    pub(super) private: u64,
}

/// The distinct combinations, ascending by their leaves, one after the other in each column.
#[derive(Debug, Default)]
pub(super) struct Combinations {
    width: usize,
    codes: Vec<Leaf>,
    public: Vec<u64>,
    private: Vec<u64>,
}

impl Combinations {
    pub(super) fn len(&self) -> usize {
        self.public.len()
    }

    pub(super) fn codes(&self, index: usize) -> &[Leaf] {
        &self.codes[index * self.width..(index + 1) * self.width]
    }

    pub(super) fn get(&self, index: usize) -> Combination<'_> {
        let (public, private) = (self.public[index], self.private[index]);
        Combination { codes: self.codes(index), public, private }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Combination<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The index of the combination with these leaves.
    pub(super) fn find(&self, codes: &[Leaf]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.codes(middle).cmp(codes) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Of each of the leaves of an attribute, whether a combination with people that `has` accepts has it.
    pub(super) fn occurring(
        &self,
        (attribute, leaf_count): (usize, usize),
        has: impl Fn(Combination) -> bool,
    ) -> Vec<bool> {
        let mut occurs = vec![false; leaf_count];
        for combination in self.iter().filter(|combination| has(*combination)) {
            occurs[combination.codes[attribute] as usize] = true;
        }
        occurs
    }

    /// Counts some people of T of a combination.
    pub(super) fn add_private(&mut self, index: usize, people: u64) {
        // No sum of some people of T is above all of them, who were counted.
        self.private[index] += people;
    }

    /// Leaves out all of T who have a combination that T has more often than P; how many people they are.
    pub(super) fn drop_excess(&mut self) -> u64 {
        let excess = self.private.iter_mut().zip(&self.public);
        let excess = excess.filter(|(private, public)| **private > **public);
        excess.map(|(private, _)| std::mem::take(private)).sum()
    }

    /// Counts as many people of T as P lacks of a combination as people of P, too; how many they are.
    pub(super) fn add_lacking(&mut self) -> u64 {
        let mut added = 0;
        for (public, &private) in self.public.iter_mut().zip(&self.private) {
            let lacking = private.saturating_sub(*public);
            *public += lacking;
            added += lacking;
        }
        added
    }
}

/// Where the leaves of a combination are in one number: of each attribute how far from the right, and as many bits.
#[derive(Debug)]
struct Packing {
    fields: Vec<(u32, u64)>,
    bits: u32,
}

impl Packing {
    /// `None` if 64 bits are too few.
    fn of(leaf_counts: &[usize]) -> Option<Self> {
        let mut bits = 0;
        let mut fields = Vec::with_capacity(leaf_counts.len());
        for &leaves in leaf_counts.iter().rev() {
            let width = usize::BITS - leaves.saturating_sub(1).leading_zeros();
            fields.push((bits, (1_u64 << width) - 1));
            bits += width;
            if bits > u64::BITS || (bits == u64::BITS && width == 0) {
                return None;
            }
        }
        fields.reverse();
        Some(Self { fields, bits })
    }

    fn pack(&self, codes: &[Leaf]) -> u64 {
        self.fields.iter().zip(codes).fold(0, |key, ((shift, _), &code)| key | u64::from(code) << shift)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the mask has as many bits as a leaf needs")]
    fn unpack(&self, key: u64) -> impl Iterator<Item = Leaf> {
        self.fields.iter().map(move |(shift, mask)| (key >> shift & mask) as Leaf)
    }
}

/// Rows of leaves with their people of P, to be sorted.
#[derive(Debug)]
pub(super) struct Gathered {
    width: usize,
    packing: Option<Packing>,
    /// Each row in one number, if it fits, with its people.
    packed: Vec<(u64, u64)>,
    /// Else the leaves of each row, one after the other, and the people.
    codes: Vec<Leaf>,
    people: Vec<u64>,
}

impl Gathered {
    pub(super) fn new(leaf_counts: &[usize], rows: usize) -> Self {
        let (width, packing) = (leaf_counts.len(), Packing::of(leaf_counts));
        let mut gathered = Self { width, packing, packed: Vec::new(), codes: Vec::new(), people: Vec::new() };
        if gathered.packing.is_some() {
            gathered.packed.reserve_exact(rows);
        } else {
            gathered.codes.reserve_exact(rows * width);
            gathered.people.reserve_exact(rows);
        }
        gathered
    }

    pub(super) fn add(&mut self, codes: &[Leaf], people: u64) {
        if let Some(packing) = &self.packing {
            self.packed.push((packing.pack(codes), people));
        } else {
            self.codes.extend_from_slice(codes);
            self.people.push(people);
        }
    }

    /// The distinct combinations, of whom nobody is in T yet.
    pub(super) fn sorted(mut self, stop: &Stop) -> Combinations {
        let mut sorted = Combinations { width: self.width, ..Combinations::default() };
        match self.packing.take() {
            Some(packing) => {
                let mut packed = sort_packed(self.packed, packing.bits, stop);
                packed.dedup_by(|later, first| {
                    let is_same = later.0 == first.0;
                    first.1 += if is_same { later.1 } else { 0 };
                    is_same
                });
                sorted.codes.reserve_exact(packed.len() * self.width);
                sorted.codes.extend(packed.iter().flat_map(|(key, _)| packing.unpack(*key)));
                sorted.public = packed.into_iter().map(|(_, people)| people).collect();
            }
            None => self.sort_wide(&mut sorted),
        }
        sorted.private = vec![0; sorted.public.len()];
        sorted
    }

    /// Sorts rows that are too wide for one number.
    fn sort_wide(&self, sorted: &mut Combinations) {
        let codes = |row: usize| &self.codes[row * self.width..(row + 1) * self.width];
        let mut order: Vec<usize> = (0..self.people.len()).collect();
        order.par_sort_unstable_by(|&left, &right| codes(left).cmp(codes(right)));
        for row in order {
            let last = sorted.codes.len().checked_sub(self.width).map(|start| &sorted.codes[start..]);
            match sorted.public.last_mut() {
                Some(people) if last == Some(codes(row)) => *people += self.people[row],
                _ => {
                    sorted.codes.extend_from_slice(codes(row));
                    sorted.public.push(self.people[row]);
                }
            }
        }
    }
}

/// Sorts by the keys, of which so many bits are used: by one digit after the other, from the last.
fn sort_packed(mut rows: Vec<(u64, u64)>, bits: u32, stop: &Stop) -> Vec<(u64, u64)> {
    const DIGIT: u32 = 11;
    const STRIDE: usize = 1 << 20;
    let mut other = vec![(0, 0); rows.len()];
    for shift in (0..bits).step_by(DIGIT as usize) {
        #[expect(clippy::cast_possible_truncation, reason = "eleven bits")]
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut ends = vec![0_usize; 1 << DIGIT];
        for (key, _) in &rows {
            ends[digit(*key)] += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        for rows in rows.chunks(STRIDE) {
            if stop.is_wanted() {
                return Vec::new();
            }
            for row in rows {
                let end = &mut ends[digit(row.0)];
                other[*end] = *row;
                *end += 1;
            }
        }
        std::mem::swap(&mut rows, &mut other);
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn people_of_t_are_counted_beyond_32_bits() {
        let mut all =
            Combinations { width: 1, codes: vec![0], public: vec![9_000_000_000], private: vec![0] };
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
                sorted.iter().map(|own| (own.codes.to_vec(), own.public)).collect();
            prop_assert_eq!(&found, &naive.iter().map(|(codes, people)| (codes.clone(), *people)).collect::<Vec<_>>());
            for (index, (codes, _)) in found.iter().enumerate() {
                prop_assert_eq!(sorted.find(codes), Some(index));
            }
            prop_assert_eq!(sorted.find(&[1 << 30, 3, 1]), None);
        }
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
        let counts = |all: &Combinations| all.iter().map(|own| (own.public, own.private)).collect::<Vec<_>>();
        let (mut dropped, mut added) = (sorted(), sorted());
        assert_eq!((dropped.drop_excess(), counts(&dropped)), (6, vec![(5, 5), (0, 0), (1, 0)]));
        assert_eq!((added.add_lacking(), counts(&added)), (5, vec![(5, 5), (2, 2), (4, 4)]));
    }
}

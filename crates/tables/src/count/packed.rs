//! A table's distinct combinations with their people. Each combination is one number of 64 or 128
//! bits, as needed; wider rows are kept in [`Groups`].
//!
//! 50 million combinations take 16 bytes each, and twice that during a merge.

mod key;
mod runs;
mod kept;

use std::cmp::Ordering;

use rayon::prelude::*;

use super::groups::Groups;
use key::{Fields, Key, LOT};
use palmtop_core::model::{Code, Counts};
use palmtop_core::progress::Meter;
use runs::{Run, ask, sorted};

pub(super) use key::LotColumn;
pub(crate) use runs::Ended;
pub(super) use runs::Runs;

/// Combinations during counting.
#[derive(Clone, Debug)]
pub(super) struct Grouping {
    fields: Fields,
    stored: Stored,
}

#[derive(Clone, Debug)]
enum Stored {
    Short(Runs<u64>),
    Long(Runs<u128>),
    Rows(Groups),
}

impl Grouping {
    /// An empty set with this number of columns.
    pub(crate) fn new(width: usize) -> Self {
        Self::below(std::iter::repeat_n(1, width))
    }

    /// An empty set with columns of numbers below these limits.
    fn below(limits: impl Iterator<Item = usize>) -> Self {
        let fields = Fields::below(limits);
        let stored = match fields.bits() {
            0..=64 => Stored::Short(Runs::default()),
            65..=128 => Stored::Long(Runs::default()),
            _ => Stored::Rows(Groups::new(fields.width())),
        };
        Self { fields, stored }
    }

    /// Adds people to a combination.
    pub(crate) fn add(&mut self, row: &[u32], people: Counts, meter: &mut Meter) -> Result<(), Ended> {
        if row.iter().enumerate().any(|(column, &number)| !self.fields.holds(column, number)) {
            self.widen(row)?;
        }
        match &mut self.stored {
            Stored::Short(runs) => runs.add(self.fields.pack(row.iter().copied()), people, meter),
            Stored::Long(runs) => runs.add(self.fields.pack(row.iter().copied()), people, meter),
            Stored::Rows(groups) => Ok(groups.add(row, people)?),
        }
    }

    /// Adds the combinations of many rows, given column by column: one person in P each, or the
    /// numbers in `people`. Rows without people are skipped.
    pub(super) fn add_lot(
        &mut self,
        columns: &[LotColumn],
        rows: usize,
        people: Option<&[Counts]>,
        meter: &mut Meter,
    ) -> Result<(), Ended> {
        let most: Vec<u32> =
            columns.iter().map(|column| column.texts.iter().copied().max().unwrap_or_default()).collect();
        if most.iter().enumerate().any(|(column, &number)| !self.fields.holds(column, number)) {
            self.widen(&most)?;
        }
        let fields = &self.fields;
        match &mut self.stored {
            Stored::Short(runs) => add_keys(runs, rows, |keys| fields.pack_lot(columns, keys), people, meter),
            Stored::Long(runs) => add_keys(runs, rows, |keys| fields.pack_lot(columns, keys), people, meter),
            Stored::Rows(groups) => {
                let mut row = Vec::with_capacity(columns.len());
                for index in 0..rows {
                    let people = people.map_or(Counts::new(1, 0), |people| people[index]);
                    if people.public > 0 {
                        row.clear();
                        row.extend(columns.iter().map(|column| column.texts[column.rows[index] as usize]));
                        groups.add(&row, people)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Widens the fields for the numbers of a row; existing keys keep their order.
    fn widen(&mut self, row: &[u32]) -> Result<(), Ended> {
        let fields = self.fields.widened(row);
        let stored = std::mem::replace(&mut self.stored, Stored::Rows(Groups::new(row.len())));
        let old = &self.fields;
        self.stored = match (stored, fields.bits()) {
            (Stored::Short(runs), 0..=64) => Stored::Short(runs.map(|key| repacked(old, &fields, key))),
            (Stored::Short(runs), 65..=128) => Stored::Long(runs.map(|key| repacked(old, &fields, key))),
            (Stored::Long(runs), 0..=128) => Stored::Long(runs.map(|key| repacked(old, &fields, key))),
            (Stored::Short(runs), _) => Stored::Rows(as_rows(runs, old)?),
            (Stored::Long(runs), _) => Stored::Rows(as_rows(runs, old)?),
            (rows @ Stored::Rows(_), _) => rows,
        };
        self.fields = fields;
        Ok(())
    }

    /// All combinations, in the order of their rows.
    pub(crate) fn finish(self, meter: &mut Meter) -> Result<Combinations, Ended> {
        let sorted = match self.stored {
            Stored::Short(runs) => Sorted::Short(runs.finish(meter)?),
            Stored::Long(runs) => Sorted::Long(runs.finish(meter)?),
            Stored::Rows(groups) => Sorted::Rows(groups.sorted()),
        };
        Ok(Combinations { fields: self.fields, sorted })
    }
}

fn add_keys<K: Key>(
    runs: &mut Runs<K>,
    rows: usize,
    pack: impl FnOnce(&mut [K]),
    people: Option<&[Counts]>,
    meter: &mut Meter,
) -> Result<(), Ended> {
    let Some(people) = people else { return runs.add_single(rows, pack, meter) };
    let mut keys = vec![K::default(); rows];
    pack(&mut keys);
    let somebody = keys.into_iter().zip(people).filter(|(_, people)| people.public > 0);
    for (key, &people) in somebody {
        runs.add(key, people, meter)?;
    }
    Ok(())
}

fn repacked<K: Key, L: Key>(from: &Fields, to: &Fields, key: K) -> L {
    to.pack(from.numbers(key))
}

fn as_rows<K: Key>(runs: Runs<K>, fields: &Fields) -> Result<Groups, Ended> {
    let run = runs.finish(&mut palmtop_core::progress::unwatched)?;
    let (mut groups, mut row) = (Groups::new(fields.width()), vec![0; fields.width()]);
    for (index, &key) in run.keys.iter().enumerate() {
        fields.unpack(key, &mut row);
        groups.add(&row, run.counts(index))?;
    }
    Ok(groups)
}

/// Distinct combinations, in the order of their rows.
#[derive(Clone, Debug)]
pub(crate) struct Combinations {
    fields: Fields,
    sorted: Sorted,
}

#[derive(Clone, Debug)]
enum Sorted {
    Short(Run<u64>),
    Long(Run<u128>),
    Rows(Groups),
}

impl Default for Combinations {
    fn default() -> Self {
        Self { fields: Fields::below(std::iter::empty()), sorted: Sorted::Short(Run::default()) }
    }
}

impl Combinations {
    pub(crate) fn len(&self) -> usize {
        match &self.sorted {
            Sorted::Short(run) => run.keys.len(),
            Sorted::Long(run) => run.keys.len(),
            Sorted::Rows(groups) => groups.len(),
        }
    }

    pub(super) fn counts(&self, index: usize) -> Counts {
        match &self.sorted {
            Sorted::Short(run) => run.counts(index),
            Sorted::Long(run) => run.counts(index),
            Sorted::Rows(groups) => groups.counts()[index],
        }
    }

    /// Writes the combination at an index to `row`.
    fn unpack(&self, index: usize, row: &mut [u32]) {
        match &self.sorted {
            Sorted::Short(run) => self.fields.unpack(run.keys[index], row),
            Sorted::Long(run) => self.fields.unpack(run.keys[index], row),
            Sorted::Rows(groups) => row.copy_from_slice(groups.row(index)),
        }
    }

    /// Shows each combination with its people.
    pub(super) fn visit(&self, mut show: impl FnMut(&[u32], Counts)) {
        let mut row = vec![0; self.fields.width()];
        for index in 0..self.len() {
            self.unpack(index, &mut row);
            show(&row, self.counts(index));
        }
    }

    /// Replaces each number by the code of its column in `codes`, which is below `limits`;
    /// combinations that become equal are joined.
    pub(super) fn recoded(
        self,
        codes: &[Vec<Code>],
        limits: &[usize],
        meter: &mut Meter,
    ) -> Result<Self, Ended> {
        let mut grouping = Grouping::below(limits.iter().copied());
        let Grouping { fields, stored } = &mut grouping;
        match (self.sorted, stored) {
            (Sorted::Short(run), Stored::Short(to)) => recode(&run, &self.fields, codes, to, fields, meter)?,
            (Sorted::Short(run), Stored::Long(to)) => recode(&run, &self.fields, codes, to, fields, meter)?,
            (Sorted::Long(run), Stored::Short(to)) => recode(&run, &self.fields, codes, to, fields, meter)?,
            (Sorted::Long(run), Stored::Long(to)) => recode(&run, &self.fields, codes, to, fields, meter)?,
            (sorted, _) => {
                let (mut row, run) = (vec![0; fields.width()], Self { fields: self.fields.clone(), sorted });
                for index in 0..run.len() {
                    run.unpack(index, &mut row);
                    for (number, codes) in row.iter_mut().zip(codes) {
                        *number = codes[*number as usize];
                    }
                    grouping.add(&row, run.counts(index), meter)?;
                }
            }
        }
        grouping.finish(meter)
    }

    /// The number of columns.
    pub(crate) fn width(&self) -> usize {
        self.fields.width()
    }

    /// Whether combinations are packed in numbers.
    pub(super) fn is_packed(&self) -> bool {
        !matches!(self.sorted, Sorted::Rows(_))
    }

    /// Whether this holds for the people of each combination.
    pub(super) fn all(&self, holds: impl Fn(Counts) -> bool + Sync) -> bool {
        let indices = (0..self.len()).into_par_iter().with_min_len(LOT);
        indices.all(|index| holds(self.counts(index)))
    }

    /// The people of each combination in order. The combinations themselves are freed first.
    pub(super) fn into_people(self) -> Vec<Counts> {
        fn of<K: Key>(mut run: Run<K>) -> Vec<Counts> {
            run.keys = Vec::new();
            let indices = (0..run.public.len()).into_par_iter().with_min_len(LOT);
            indices.map(|index| run.counts(index)).collect()
        }
        match self.sorted {
            Sorted::Short(run) => of(run),
            Sorted::Long(run) => of(run),
            Sorted::Rows(groups) => groups.counts().to_vec(),
        }
    }

    /// The number of each combination in one column, in order.
    pub(crate) fn column(&self, column: usize) -> Vec<Code> {
        fn of<K: Key>(run: &Run<K>, fields: &Fields, column: usize) -> Vec<Code> {
            run.keys.par_iter().with_min_len(LOT).map(|&key| fields.number(key, column)).collect()
        }
        match &self.sorted {
            Sorted::Short(run) => of(run, &self.fields, column),
            Sorted::Long(run) => of(run, &self.fields, column),
            Sorted::Rows(groups) => (0..groups.len()).map(|index| groups.row(index)[column]).collect(),
        }
    }

    /// Each combination of `others` with its people and its index here; `None` if one is not here,
    /// or is not packed in the same kind of number. Both must be recoded below the same limits.
    pub(super) fn indices_of(&self, others: &Self) -> Option<Vec<(usize, Counts)>> {
        fn of<K: Key>(run: &Run<K>, others: &Run<K>) -> Option<Vec<(usize, Counts)>> {
            let index =
                |(nth, key): (usize, &K)| Some((run.keys.binary_search(key).ok()?, others.counts(nth)));
            others.keys.iter().enumerate().map(index).collect()
        }
        match (&self.sorted, &others.sorted) {
            (Sorted::Short(run), Sorted::Short(others)) => of(run, others),
            (Sorted::Long(run), Sorted::Long(others)) => of(run, others),
            _ => None,
        }
    }

    /// Shows the combinations of P and T in order, each with its people in both tables; both must
    /// be recoded below the same limits.
    pub(crate) fn join(
        &self,
        other: &Self,
        meter: &mut Meter,
        mut show: impl FnMut(&[u32], Option<Counts>, Option<Counts>),
    ) -> Result<(), Ended> {
        let mut row = vec![0; self.fields.width()];
        let (mut left, mut right) = (0, 0);
        while left < self.len() || right < other.len() {
            if (left + right).is_multiple_of(STRIDE) {
                ask(meter)?;
            }
            let order = match (left < self.len(), right < other.len()) {
                (true, true) => self.compare(left, other, right),
                (true, false) => Ordering::Less,
                (false, _) => Ordering::Greater,
            };
            let here = order.is_le().then(|| self.counts(left));
            let there = order.is_ge().then(|| other.counts(right));
            if here.is_some() {
                self.unpack(left, &mut row);
            } else {
                other.unpack(right, &mut row);
            }
            show(&row, here, there);
            left += usize::from(here.is_some());
            right += usize::from(there.is_some());
        }
        Ok(())
    }

    fn compare(&self, index: usize, other: &Self, other_index: usize) -> Ordering {
        match (&self.sorted, &other.sorted) {
            (Sorted::Short(left), Sorted::Short(other)) => left.keys[index].cmp(&other.keys[other_index]),
            (Sorted::Long(left), Sorted::Long(other)) => left.keys[index].cmp(&other.keys[other_index]),
            (Sorted::Rows(left), Sorted::Rows(other)) => left.row(index).cmp(other.row(other_index)),
            _ => {
                let (mut left_row, mut other_row) =
                    (vec![0; self.fields.width()], vec![0; other.fields.width()]);
                self.unpack(index, &mut left_row);
                other.unpack(other_index, &mut other_row);
                left_row.cmp(&other_row)
            }
        }
    }
}

/// The number of combinations recoded or joined between two calls of the meter.
const STRIDE: usize = 1 << 20;

fn recode<K: Key, L: Key>(
    run: &Run<K>,
    from: &Fields,
    codes: &[Vec<Code>],
    runs: &mut Runs<L>,
    to: &Fields,
    meter: &mut Meter,
) -> Result<(), Ended> {
    let recoded = |index: usize| {
        let numbers = from.numbers(run.keys[index]).zip(codes);
        to.pack(numbers.map(|(number, codes)| codes[number as usize]))
    };
    for start in (0..run.keys.len()).step_by(Runs::<L>::MOST) {
        ask(meter)?;
        let part = (start..run.keys.len().min(start + Runs::<L>::MOST)).into_par_iter().with_min_len(LOT);
        let recoded = if run.private.is_empty() {
            let mut keys: Vec<(L, u64)> = part.map(|index| (recoded(index), run.public[index])).collect();
            let counts = |&(key, people): &(L, u64)| (key, Counts::new(people, 0));
            sorted(&mut keys, |key| key.0, |part| Run::of(part.iter().map(counts)), meter)?
        } else {
            let mut keys: Vec<(L, Counts)> = part.map(|index| (recoded(index), run.counts(index))).collect();
            sorted(&mut keys, |key| key.0, |part| Run::of(part.iter().copied()), meter)?
        };
        runs.take(recoded, meter)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use palmtop_core::progress::unwatched;

    /// The result of a naive implementation on the same rows.
    fn naive(rows: &[(Vec<u32>, Counts)]) -> Vec<(Vec<u32>, Counts)> {
        let mut groups: BTreeMap<Vec<u32>, Counts> = BTreeMap::new();
        for (row, people) in rows {
            *groups.entry(row.clone()).or_default() += *people;
        }
        groups.into_iter().collect()
    }

    fn found(combinations: &Combinations) -> Vec<(Vec<u32>, Counts)> {
        let mut found = Vec::new();
        combinations.visit(|row, people| found.push((row.to_vec(), people)));
        found
    }

    /// Rows with columns of different widths, which need from a few bits to more than 128.
    fn rows() -> impl Strategy<Value = Vec<(Vec<u32>, Counts)>> {
        let limits = prop::sample::select(vec![vec![3], vec![5, 2, 9], vec![u32::MAX; 3], vec![u32::MAX; 6]]);
        limits.prop_flat_map(|limits| {
            // Most numbers are small, so rows repeat.
            let number = |limit: u32| prop_oneof![4 => 0..3_u32.min(limit), 1 => 0..limit];
            let row = limits.iter().map(|&limit| number(limit)).collect::<Vec<_>>();
            let people =
                prop_oneof![Just(Counts::new(1, 0)), (1..5_u64).prop_map(|all| Counts::new(all, all / 2))];
            prop::collection::vec((row, people), 0..60)
        })
    }

    proptest! {
        // holds: Formats are equal
        #[test]
        fn combinations_are_those_of_a_naive_twin(rows in rows(), mid in 0..60_usize) {
            let width = rows.first().map_or(1, |(row, _)| row.len());
            let mut by_row = Grouping::new(width);
            for (row, people) in &rows {
                by_row.add(row, *people, &mut unwatched).unwrap();
            }
            let mut by_lot = Grouping::new(width);
            let (first, second) = rows.split_at(mid.min(rows.len()));
            for lot in [first, second] {
                let numbers: Vec<u32> = (0..).take(lot.len()).collect();
                let column = |column: usize| LotColumn {
                    rows: &numbers,
                    texts: lot.iter().map(|(row, _)| row[column]).collect(),
                };
                let columns: Vec<LotColumn> = (0..width).map(column).collect();
                let people: Vec<Counts> = lot.iter().map(|(_, people)| *people).collect();
                let is_plain = people.iter().all(|people| *people == Counts::new(1, 0));
                let people = (!is_plain).then_some(&people[..]);
                by_lot.add_lot(&columns, lot.len(), people, &mut unwatched).unwrap();
            }
            let (by_row, by_lot) =
                (by_row.finish(&mut unwatched).unwrap(), by_lot.finish(&mut unwatched).unwrap());
            let expected = naive(&rows);
            prop_assert_eq!(&found(&by_row), &expected);
            prop_assert_eq!(&found(&by_lot), &expected);
            prop_assert_eq!(by_row.len(), expected.len());
        }

        // holds: Formats are equal
        #[test]
        fn recoded_and_joined_counts_equal_a_naive_twin(
            public in prop::collection::vec([0..9_u32, 0..9, 0..9], 0..60),
            private in prop::collection::vec([0..9_u32, 0..9, 0..9], 0..60),
            limit in prop::sample::select(vec![9_usize, 1 << 32]),
            modulus in prop::sample::select(vec![4_u32, 9]),
        ) {
            // The order changes, and some numbers may become equal.
            let codes: Vec<Vec<Code>> =
                (0..3).map(|by| (0..9).map(|number| (number * 5 + by) % modulus).collect()).collect();
            let recoded = |rows: &[[u32; 3]]| {
                let mut grouping = Grouping::new(3);
                for row in rows {
                    grouping.add(row, Counts::new(1, 0), &mut unwatched).unwrap();
                }
                let combinations = grouping.finish(&mut unwatched).unwrap();
                combinations.recoded(&codes, &[limit; 3], &mut unwatched).unwrap()
            };
            let twin = |rows: &[[u32; 3]]| {
                let code = |row: &[u32; 3]| row.iter().zip(&codes).map(|(&number, codes)| codes[number as usize]).collect();
                naive(&rows.iter().map(|row| (code(row), Counts::new(1, 0))).collect::<Vec<_>>())
            };
            let (here, there) = (recoded(&public), recoded(&private));
            prop_assert_eq!(&found(&here), &twin(&public));
            let mut expected: BTreeMap<Vec<u32>, [Option<Counts>; 2]> = BTreeMap::new();
            for (side, rows) in [&public, &private].into_iter().enumerate() {
                for (row, people) in twin(rows) {
                    expected.entry(row).or_default()[side] = Some(people);
                }
            }
            let mut joined = Vec::new();
            here.join(&there, &mut unwatched, |row, here, there| joined.push((row.to_vec(), [here, there]))).unwrap();
            // Columns at once give the same.
            let people = here.clone().into_people();
            let columns: Vec<Vec<Code>> = (0..here.width()).map(|column| here.column(column)).collect();
            let rows = (0..here.len()).map(|index| columns.iter().map(|column| column[index]).collect());
            prop_assert_eq!(rows.zip(people).collect::<Vec<(Vec<u32>, Counts)>>(), twin(&public));
            let indices = here.indices_of(&there).map(|indices| {
                indices.into_iter().map(|(index, people)| (found(&here)[index].0.clone(), people)).collect::<Vec<_>>()
            });
            let is_part = expected.values().all(|sides| sides[0].is_some());
            prop_assert_eq!(indices, is_part.then(|| twin(&private)));
            prop_assert_eq!(joined, expected.into_iter().collect::<Vec<_>>());
        }
    }

    // holds: Watched to the end
    #[test]
    fn uncountable_people_and_a_stop_are_reported() {
        let mut grouping = Grouping::new(1);
        for people in [u64::MAX, 1] {
            grouping.add(&[0], Counts::new(people, 0), &mut unwatched).unwrap();
        }
        assert_eq!(grouping.clone().finish(&mut unwatched).unwrap_err(), Ended::TooMany);
        let mut stop = |_| std::ops::ControlFlow::Break(());
        let mut grouping = Grouping::new(1);
        grouping.add(&[0], Counts::new(1, 0), &mut unwatched).unwrap();
        assert_eq!(grouping.finish(&mut stop).unwrap_err(), Ended::Cancelled);
    }
}

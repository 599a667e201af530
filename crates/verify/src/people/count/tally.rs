//! Reduces a table to its distinct rows with their numbers of people.

use std::convert::Infallible;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::keys::{Counted, Fields, Keys};
use crate::read::{Batch, Cells};

/// The distinct texts of one column, numbered in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) texts: Vec<String>,
    index: HashTable<u32>,
}

impl Texts {
    /// The number of a text, known or new; `None` if there are too many texts.
    fn id(&mut self, text: &str) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(text);
        let texts = &mut self.texts;
        if let Some(known) = self.index.find(hash, |id| texts[*id as usize] == text) {
            return Some(*known);
        }
        let id = u32::try_from(texts.len()).ok().filter(|id| *id != UNKNOWN)?;
        texts.push(text.to_owned());
        self.index.insert_unique(hash, id, |id| FxBuildHasher.hash_one(texts[*id as usize].as_str()));
        Some(id)
    }

    /// For each stored text of the cells its number, or [`UNKNOWN`] if no counted row has it.
    fn ids(&mut self, cells: &Cells, rows: Counting) -> Option<Vec<u32>> {
        let Counting::Some(rows) = rows else {
            return cells.map(|text| self.id(text)).into_iter().collect();
        };
        let mut known = vec![UNKNOWN; cells.distinct()];
        let numbers = cells.numbers();
        for &(row, _) in rows {
            let number = numbers[row];
            let id = &mut known[number as usize];
            if *id == UNKNOWN {
                *id = self.id(cells.text(number))?;
            }
        }
        Some(known)
    }
}

/// The rows of a batch that are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counting<'a> {
    /// All rows, each as one person.
    All,
    /// Some rows: each its index in the batch and its number of people.
    Some(&'a [(usize, u64)]),
}

impl Counting<'_> {
    /// The number of the rows.
    fn count(self, batch: &Batch) -> usize {
        match self {
            Self::All => batch.len(),
            Self::Some(rows) => rows.len(),
        }
    }
}

/// No text has this number.
const UNKNOWN: u32 = u32::MAX;

/// The distinct rows whose hash selects this shard.
#[derive(Debug, Default)]
struct Shard {
    /// The numbers of the texts, row after row.
    ids: Vec<u32>,
    people: Vec<u64>,
    /// The indices of the distinct rows, by hash.
    index: HashTable<u32>,
}

impl Shard {
    /// Adds people to a row; `None` if there are too many distinct rows.
    fn add(&mut self, row: &[u32], hash: u64, people: u64) -> Option<()> {
        let (ids, width) = (&self.ids, row.len());
        let row_at = |index: u32| &ids[index as usize * width..(index as usize + 1) * width];
        if let Some(&known) = self.index.find(hash, |index| row_at(*index) == row) {
            self.people[known as usize] += people;
            return Some(());
        }
        let index = u32::try_from(self.people.len()).ok()?;
        self.index.insert_unique(hash, index, |index| FxBuildHasher.hash_one(row_at(*index)));
        self.ids.extend_from_slice(row);
        self.people.push(people);
        Some(())
    }
}

/// The number of shards. Neither it nor the order of rows depends on the machine.
const SHARDS: usize = 16;

/// The shard of a row. The hash table of a shard uses other bits of the hash.
fn shard_of(hash: u64) -> usize {
    (hash >> 48) as usize % SHARDS
}

/// A table reduced to its distinct rows of texts, each with its number of people.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) columns: Vec<Texts>,
    stored: Stored,
    /// The number of all people. It does not overflow, so no partial sum does.
    pub(crate) total: u64,
    /// The number of rows of each file, also of those that stand for nobody.
    pub(crate) file_rows: Vec<u64>,
    /// The limit of `total`.
    most: u64,
}

/// The distinct rows.
#[derive(Debug)]
enum Stored {
    /// Rows as keys, while 64 bits suffice for the numbers of a row's texts.
    Keys(Keys),
    /// Rows by their hashes.
    Shards(Vec<Shard>),
}

/// The table has more people or more distinct texts than the counters can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Tally {
    pub(crate) fn new(width: usize, most: u64) -> Self {
        let columns = std::iter::repeat_with(Texts::default).take(width).collect();
        Self { columns, stored: Stored::Keys(Keys::default()), total: 0, file_rows: Vec::new(), most }
    }

    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Adds to the number of people; their rows are added by [`add`](Self::add).
    pub(crate) fn admit(&mut self, people: u64) -> Result<(), TooMany> {
        self.total = self.total.checked_add(people).filter(|&total| total <= self.most).ok_or(TooMany)?;
        Ok(())
    }

    /// Adds some rows of each batch, with the texts of some of its parts. The people must have been [admitted](Self::admit).
    pub(crate) fn add(
        &mut self,
        batches: &[Batch],
        parts: Range<usize>,
        rows: &[Counting],
    ) -> Result<(), TooMany> {
        for batch in batches.iter().filter(|batch| batch.len() > 0) {
            let file = batch.location(0).file;
            self.file_rows.resize(self.file_rows.len().max(file + 1), 0);
            self.file_rows[file] += batch.len() as u64;
        }
        // Texts are numbered in the order of the rows, so nothing depends on the number of threads.
        let columns = self.columns.par_iter_mut().zip(parts.clone().into_par_iter()).with_max_len(1);
        let columns = columns.map(|(texts, part)| {
            let of_batches = batches.iter().zip(rows);
            of_batches.map(|(batch, rows)| texts.ids(batch.column(part), *rows)).collect()
        });
        let columns: Option<Vec<Vec<Vec<u32>>>> = columns.collect();
        let columns = columns.ok_or(TooMany)?;
        let limits: Vec<usize> = self.columns.iter().map(|texts| texts.texts.len()).collect();
        if let Stored::Keys(keys) = &mut self.stored {
            if keys.widen(&limits) {
                add_keys(keys, batches, parts, rows, &columns);
                return Ok(());
            }
            let (fields, counted) = keys.take();
            self.stored = Stored::Shards(as_shards(&fields, counted)?);
        }
        let Stored::Shards(shards) = &mut self.stored else { return Ok(()) };
        for (nth, (batch, rows)) in batches.iter().zip(rows).enumerate() {
            let columns = parts.clone().zip(&columns).map(|(part, known)| {
                let (known, numbers) = (&known[nth], batch.column(part).numbers());
                let id = |row: usize| known[numbers[row] as usize];
                match rows {
                    Counting::All => (0..batch.len()).map(id).collect(),
                    Counting::Some(rows) => rows.iter().map(|(row, _)| id(*row)).collect(),
                }
            });
            let people = match rows {
                Counting::All => None,
                Counting::Some(rows) => Some(*rows),
            };
            add_rows(shards, &columns.collect::<Vec<Vec<u32>>>(), rows.count(batch), people)?;
        }
        Ok(())
    }

    /// The number of distinct rows.
    pub(crate) fn len(&self) -> usize {
        match &self.stored {
            Stored::Keys(keys) => keys.len(),
            Stored::Shards(shards) => shards.iter().map(|shard| shard.people.len()).sum(),
        }
    }

    /// Calls `show` with each distinct row and its people, in no particular order, until an error.
    pub(crate) fn visit<E>(&self, mut show: impl FnMut(&[u32], u64) -> Result<(), E>) -> Result<(), E> {
        match &self.stored {
            Stored::Keys(keys) => {
                let mut row = Vec::with_capacity(self.columns.len());
                keys.closed().try_for_each(|(key, people)| {
                    row.clear();
                    row.extend(keys.fields().numbers(key));
                    show(&row, people)
                })
            }
            Stored::Shards(shards) => {
                let width = self.columns.len();
                let rows = shards.iter().flat_map(|shard| shard.ids.chunks(width).zip(&shard.people));
                rows.into_iter().try_for_each(|(ids, people)| show(ids, *people))
            }
        }
    }

    /// Removes and returns the distinct rows as keys, in sorted parts; `None` if they are stored in shards.
    pub(crate) fn take_keys(&mut self) -> Option<(Fields, Vec<Counted>)> {
        match &mut self.stored {
            Stored::Keys(keys) => Some(keys.take()),
            Stored::Shards(_) => None,
        }
    }

    /// Removes the distinct rows, and calls `show` with each of them and its people, in no particular order.
    pub(crate) fn drain(&mut self, mut show: impl FnMut(&[u32], u64)) {
        let width = self.columns.len();
        match &mut self.stored {
            Stored::Keys(keys) => {
                let (fields, counted) = keys.take();
                let mut row = Vec::with_capacity(width);
                for (key, people) in counted.into_iter().flatten() {
                    row.clear();
                    row.extend(fields.numbers(key));
                    show(&row, people);
                }
            }
            Stored::Shards(shards) => {
                for shard in shards {
                    let Shard { ids, people, .. } = std::mem::take(shard);
                    ids.chunks(width).zip(people).for_each(|(ids, people)| show(ids, people));
                }
            }
        }
    }

    /// Ends the adding of rows and frees the indices.
    pub(crate) fn close(&mut self) {
        match &mut self.stored {
            Stored::Keys(keys) => keys.close(),
            Stored::Shards(shards) => shards.iter_mut().for_each(|shard| shard.index = HashTable::new()),
        }
        self.columns.iter_mut().for_each(|column| column.index = HashTable::new());
    }

    /// The texts of a distinct row, or of its first `ids.len()` columns.
    pub(crate) fn texts(&self, ids: &[u32]) -> Vec<String> {
        self.columns.iter().zip(ids).map(|(column, &id)| column.texts[id as usize].clone()).collect()
    }

    /// The texts of a distinct row from column `first` on.
    pub(crate) fn texts_from(&self, first: usize, ids: &[u32]) -> Vec<String> {
        let columns = self.columns.iter().zip(ids).skip(first);
        columns.map(|(column, &id)| column.texts[id as usize].clone()).collect()
    }

    /// Replaces the texts of a column by their values.
    ///
    /// # Errors
    /// The first text without a value, and the text that was expected.
    pub(crate) fn spell(
        &mut self,
        column: usize,
        value: impl Fn(&str) -> Result<String, String>,
    ) -> Result<(), (String, String)> {
        for text in &mut self.columns[column].texts {
            match value(text) {
                Ok(value) => *text = value,
                Err(expected) => return Err((text.clone(), expected)),
            }
        }
        Ok(())
    }

    /// The distinct values of a column, sorted.
    pub(crate) fn distinct(&self, column: usize) -> Vec<String> {
        let mut texts = self.columns[column].texts.clone();
        texts.sort_unstable();
        texts.dedup();
        texts
    }
}

/// Adds rows as keys. `columns` has the numbers of the texts of each column, batch by batch.
fn add_keys(
    keys: &mut Keys,
    batches: &[Batch],
    parts: Range<usize>,
    rows: &[Counting],
    columns: &[Vec<Vec<u32>>],
) {
    let fields = keys.fields();
    let packed = batches.par_iter().zip(rows).enumerate().with_max_len(1).map(|(nth, (batch, rows))| {
        let mut packed = vec![0; rows.count(batch)];
        for (column, part) in parts.clone().enumerate() {
            let (shift, numbers) = (fields.shift(column), batch.column(part).numbers());
            let known: Vec<u64> = columns[column][nth].iter().map(|&id| u64::from(id) << shift).collect();
            match rows {
                Counting::All => packed
                    .iter_mut()
                    .zip(numbers)
                    .for_each(|(key, &number): (&mut u64, &u32)| *key |= known[number as usize]),
                Counting::Some(rows) => packed
                    .iter_mut()
                    .zip(*rows)
                    .for_each(|(key, &(row, _))| *key |= known[numbers[row] as usize]),
            }
        }
        packed
    });
    let packed: Vec<Vec<u64>> = packed.collect();
    for (packed, rows) in packed.into_iter().zip(rows) {
        match rows {
            Counting::Some(rows) if rows.iter().any(|(_, people)| *people != 1) => {
                keys.add_counted(packed.into_iter().zip(rows.iter().map(|(_, people)| *people)));
            }
            _ => keys.add_single(&packed),
        }
    }
}

/// Moves rows from keys to shards.
fn as_shards(fields: &Fields, counted: Vec<Counted>) -> Result<Vec<Shard>, TooMany> {
    let mut shards: Vec<Shard> = std::iter::repeat_with(Shard::default).take(SHARDS).collect();
    let mut row = Vec::new();
    for (key, people) in counted.into_iter().flatten() {
        row.clear();
        row.extend(fields.numbers(key));
        let hash = FxBuildHasher.hash_one(row.as_slice());
        shards[shard_of(hash)].add(&row, hash, people).ok_or(TooMany)?;
    }
    Ok(shards)
}

/// Adds rows, given as columns, to the shards of their hashes.
fn add_rows(
    shards: &mut [Shard],
    columns: &[Vec<u32>],
    rows: usize,
    people: Option<&[(usize, u64)]>,
) -> Result<(), TooMany> {
    let width = columns.len();
    let mut ids = vec![0; rows * width];
    let mut hashes = vec![0; rows];
    ids.par_chunks_mut(width).zip(&mut hashes).enumerate().with_min_len(1 << 12).for_each(
        |(row, (ids, hash))| {
            ids.iter_mut().zip(columns).for_each(|(id, column)| *id = column[row]);
            *hash = FxBuildHasher.hash_one(&*ids);
        },
    );
    let mut of_shards = vec![Vec::new(); SHARDS];
    for (row, hash) in hashes.iter().enumerate() {
        of_shards[shard_of(*hash)].push(row);
    }
    let add = |(shard, rows): (&mut Shard, &Vec<usize>)| {
        let people_of = |row: usize| people.map_or(1, |people| people[row].1);
        let mut rows =
            rows.iter().map(|&row| (&ids[row * width..(row + 1) * width], hashes[row], people_of(row)));
        rows.try_for_each(|(ids, hash, people)| shard.add(ids, hash, people))
    };
    shards.par_iter_mut().zip(&of_shards).map(add).collect::<Option<()>>().ok_or(TooMany)
}

/// Calls `show` with each row of a tally and its people.
pub(crate) fn visit(tally: &Tally, mut show: impl FnMut(&[u32], u64)) {
    let shown: Result<(), Infallible> = tally.visit(|ids, people| {
        show(ids, people);
        Ok(())
    });
    let Ok(()) = shown;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::read::Position;

    #[test]
    fn people_are_counted_up_to_the_limit_only() {
        let mut tally = Tally::new(1, 10);
        assert_eq!([6, 4, 1].map(|people| tally.admit(people)), [Ok(()), Ok(()), Err(TooMany)]);
        let mut full = Tally::new(1, u64::MAX);
        assert_eq!([u64::MAX, 1].map(|people| full.admit(people)), [Ok(()), Err(TooMany)]);
    }

    proptest! {
        #[test]
        fn distinct_rows_are_those_of_a_naive_twin(
            batches in prop::collection::vec(prop::collection::vec(("[ab]{0,2}|[ab]{14,17}", "[a-d]", 0_u64..3), 0..40), 0..5),
            wide_from in 0_usize..6,
        ) {
            let mut tally = Tally::new(2, u64::MAX);
            let mut naive: BTreeMap<Vec<String>, u64> = BTreeMap::new();
            for (nth, lot) in batches.chunks(2).enumerate() {
                if nth == wide_from {
                    let (fields, counted) = tally.take_keys().unwrap();
                    tally.stored = Stored::Shards(as_shards(&fields, counted).unwrap());
                }
                let (mut filled, mut counted) = (Vec::new(), Vec::new());
                for rows in lot {
                    let mut batch = Batch::new(3);
                    let mut people_of = Vec::new();
                    for (row, (first, second, people)) in rows.iter().enumerate() {
                        batch.push(Position::Row(row as u64), ["-", first, second].into_iter());
                        if *people > 0 {
                            people_of.push((row, *people));
                            *naive.entry(vec![first.clone(), second.clone()]).or_default() += people;
                        }
                    }
                    filled.push(batch);
                    counted.push(people_of);
                }
                let counting = |(batch, counted)| -> Counting {
                    let (batch, counted): (&Batch, &Vec<(usize, u64)>) = (batch, counted);
                    let is_all = counted.len() == batch.len() && counted.iter().all(|(_, people)| *people == 1);
                    if is_all { Counting::All } else { Counting::Some(counted) }
                };
                let counting: Vec<Counting> = filled.iter().zip(&counted).map(counting).collect();
                prop_assert_eq!(tally.add(&filled, 1..3, &counting), Ok(()));
            }
            tally.close();
            let mut found = BTreeMap::new();
            let shown: Result<(), ()> = tally.visit(|ids, people| {
                assert!(found.insert(tally.texts(ids), people).is_none());
                Ok(())
            });
            prop_assert_eq!(shown, Ok(()));
            prop_assert_eq!(&found, &naive);
            prop_assert_eq!(tally.len(), naive.len());
            // Texts of rows with a count of 0 have no number.
            let mut texts: Vec<String> = naive.keys().map(|row| row[0].clone()).collect();
            texts.dedup();
            prop_assert_eq!(tally.distinct(0), texts);
            let mut drained = BTreeMap::new();
            tally.drain(|ids, people| assert!(drained.insert(ids.to_vec(), people).is_none()));
            prop_assert_eq!(drained.len(), naive.len());
            prop_assert_eq!(tally.len(), 0);
        }
    }
}

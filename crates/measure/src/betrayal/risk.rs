//! The cost of betrayals: how many people of P fit a released row and the values that its published
//! columns leave possible.

use rustc_hash::FxHashMap;

use super::Betrayal;
use super::column::NO_VALUE;
use palmtop_core::model::{Histogram, Presence, size};

/// The members of T, in rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// The combination of each row, as an index into the histogram.
    pub combinations: Vec<u32>,
    /// The number of people of each row.
    pub people: Vec<u64>,
}

/// The people of P with their values of columns that are not quasi-identifiers, in rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicRows {
    /// The combination of each row, as an index into the histogram.
    pub combinations: Vec<u32>,
    /// The number of people of each row.
    pub people: Vec<u64>,
    /// The values of each row, by column. The positions of these columns follow those of the
    /// quasi-identifiers. A column without a betrayal is empty.
    pub columns: Vec<Vec<u32>>,
}

/// The people of P: combinations of the quasi-identifiers, or rows that have further columns.
#[derive(Clone, Copy)]
struct Population<'a> {
    histogram: &'a Histogram,
    rows: Option<&'a PublicRows>,
}

impl Population<'_> {
    fn len(self) -> usize {
        self.rows.map_or(self.histogram.counts().len(), |rows| rows.combinations.len())
    }

    fn combination(self, row: u32) -> u32 {
        self.rows.map_or(row, |rows| rows.combinations[row as usize])
    }

    fn people(self, row: u32) -> u64 {
        match self.rows {
            None => self.histogram.counts()[row as usize].public,
            Some(rows) => rows.people[row as usize],
        }
    }

    /// The value of a row in a quasi-identifier, or in a column that follows the quasi-identifiers.
    fn code(self, position: usize, row: u32) -> u32 {
        let beyond = position.checked_sub(self.histogram.width());
        match self.rows.zip(beyond) {
            Some((rows, column)) => rows.columns[column][row as usize],
            None => self.histogram.column(position)[self.combination(row) as usize],
        }
    }
}

/// The number of released rows that fit few people of P.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Risk {
    /// The released rows for which a column predicts values that at least one person of the class
    /// has.
    pub rows: u64,
    /// The number of these rows that fit fewer than 1/δmax people.
    pub few: u64,
    /// The number of these rows that fit exactly one person.
    pub single: u64,
}

/// The rows of a class's people with their values of one column, sorted by value.
type Sorted = Vec<(u32, u32)>;

/// A betrayal by its index, the runs of values that it leaves possible, and the number of rows in
/// them.
type Asked<'a> = (usize, &'a [(u32, u32)], usize);

impl Risk {
    /// Counts the released rows.
    ///
    /// `class_of` is the class of each combination; `None` if the combination has no released row.
    /// `public` has the betrayed columns of P that are not quasi-identifiers. A person fits a row
    /// if each betrayal leaves the person's value possible.
    ///
    /// People are counted only up to 1/δmax. So each distinct row of a class takes few steps if
    /// many people fit.
    pub fn of(
        histogram: &Histogram,
        class_of: &[Option<u32>],
        members: &Members,
        public: &PublicRows,
        betrayals: &[&Betrayal],
        delta_max: Presence,
    ) -> Self {
        let is_beyond = |betrayal: &&Betrayal| betrayal.position >= histogram.width();
        let population =
            Population { histogram, rows: Some(public).filter(|_| betrayals.iter().any(is_beyond)) };
        let mut rows: FxHashMap<(u32, Vec<u32>), u64> = FxHashMap::default();
        for (row, (&combination, &people)) in members.combinations.iter().zip(&members.people).enumerate() {
            let sets: Vec<u32> = betrayals.iter().map(|betrayal| betrayal.implied.of_row[row]).collect();
            let class = class_of[combination as usize];
            if let Some(class) = class.filter(|_| sets.iter().any(|&set| set != NO_VALUE)) {
                *rows.entry((class, sets)).or_default() += people;
            }
        }
        let classes = Classes::of(population, class_of, betrayals, rows.keys().map(|(class, _)| *class));
        let mut risk = Self::default();
        let rows: Vec<((u32, Vec<u32>), u64)> = rows.into_iter().collect();
        for ((class, sets), row_count) in &rows {
            risk.add(classes.people(*class, sets, delta_max), *row_count, delta_max);
        }
        risk
    }

    /// Adds rows that fit `people` people.
    fn add(&mut self, people: u64, rows: u64, delta_max: Presence) {
        if people > 0 {
            self.rows += rows;
            self.few += if is_fewer(people, delta_max) { rows } else { 0 };
            self.single += if people == 1 { rows } else { 0 };
        }
    }
}

/// Whether `people` is less than 1/δmax.
fn is_fewer(people: u64, delta_max: Presence) -> bool {
    u128::from(people) * u128::from(delta_max.numerator()) < u128::from(delta_max.denominator())
}

struct Classes<'a> {
    population: Population<'a>,
    betrayals: &'a [&'a Betrayal],
    /// The people of each class with rows, sorted by the values of each betrayed column.
    sorted: FxHashMap<u32, Vec<Sorted>>,
}

impl<'a> Classes<'a> {
    fn of(
        population: Population<'a>,
        class_of: &[Option<u32>],
        betrayals: &'a [&'a Betrayal],
        classes: impl Iterator<Item = u32>,
    ) -> Self {
        let mut sorted: FxHashMap<u32, Vec<Sorted>> =
            classes.map(|class| (class, vec![Vec::new(); betrayals.len()])).collect();
        for row in 0..size::number(population.len()) {
            let class = class_of[population.combination(row) as usize];
            let Some(sets) = class.and_then(|class| sorted.get_mut(&class)) else { continue };
            for (betrayal, sorted) in betrayals.iter().zip(sets) {
                sorted.push((population.code(betrayal.position, row), row));
            }
        }
        sorted.values_mut().flatten().for_each(|sorted| sorted.sort_unstable());
        Self { population, betrayals, sorted }
    }

    /// The number of a class's people who have a possible value of every betrayal. The count stops
    /// when it is at least 2 and at least 1/δmax.
    fn people(&self, class: u32, sets: &[u32], delta_max: Presence) -> u64 {
        let sorted = &self.sorted[&class];
        let mut asked: Vec<Asked> = Vec::new();
        for (nth, &set) in sets.iter().enumerate().filter(|(_, set)| **set != NO_VALUE) {
            let runs = self.betrayals[nth].implied.sets[set as usize].as_slice();
            asked.push((nth, runs, within(&sorted[nth], runs).map(<[_]>::len).sum()));
        }
        asked.sort_by_key(|(.., rows)| *rows);
        let Some(&(nth, runs, _)) = asked.first() else { return 0 };
        let mut people = 0_u64;
        for &(_, row) in within(&sorted[nth], runs).flatten() {
            let fits = asked[1..].iter().all(|&(other, runs, _)| {
                let code = self.population.code(self.betrayals[other].position, row);
                let run = runs.partition_point(|&(_, end)| end <= code);
                runs.get(run).is_some_and(|&(begin, _)| begin <= code)
            });
            if fits {
                people = people.saturating_add(self.population.people(row));
            }
            if people > 1 && !is_fewer(people, delta_max) {
                break;
            }
        }
        people
    }
}

/// The rows whose values are within runs of codes.
fn within<'a>(sorted: &'a Sorted, runs: &'a [(u32, u32)]) -> impl Iterator<Item = &'a [(u32, u32)]> {
    runs.iter().map(|&(begin, end)| {
        let from = sorted.partition_point(|&(code, _)| code < begin);
        let to = sorted.partition_point(|&(code, _)| code < end);
        &sorted[from..to]
    })
}

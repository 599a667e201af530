//! The system that the releases make: atoms, the ways for their people to be in the tables, and the margins of these.

use rustc_hash::FxHashMap;

use super::{Change, ComposeError, Published};
use palmtop_core::model::size;

/// The most cells that are held.
const MOST_CELLS: usize = 1 << 24;
/// The most ways to be in some of the tables and not in others.
const MOST_WAYS: usize = 1 << 10;

/// Lists of numbers, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }

    fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(size::number(self.items.len()));
    }

    pub(super) fn of(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// For each of so many items the lists that it is in.
    fn turned(&self, items: usize) -> Self {
        let mut starts = vec![0_u32; items + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut next = starts.clone();
        let mut turned = vec![0; self.items.len()];
        for list in 0..self.len() {
            for &item in self.of(list) {
                turned[next[item as usize] as usize] = size::number(list);
                next[item as usize] += 1;
            }
        }
        Self { starts, items: turned }
    }
}

/// A table of counts with known margins.
///
/// Each atom has a cell for those of its people who are in no table, and one for each other way to be in some of the tables
/// with one of the values that all classes concerned publish. The people of an atom add up to its size; those with a value
/// who are in one of the tables add up, over the atoms of a class of a release of it, to the class's rows with that value.
/// A table of counts y stands for Π n!/Π y! ways to choose people: all weights are products of 1/y! over the cells.
pub(super) struct System {
    pub(super) tables: usize,
    pub(super) table_of: Vec<usize>,
    pub(super) atom_of: Vec<u32>,
    /// Of each atom.
    pub(super) people: Vec<u64>,
    pub(super) classes: Vec<Vec<Option<u32>>>,
    /// The first cell of each atom, and behind it the number of cells. It is that of the people who are in no table.
    first_cell: Vec<u32>,
    /// Of each cell a bit for each table that its people are in.
    ways: Vec<u64>,
    /// Of each cell the margins that it counts in: first that of its atom, which has the atom's number.
    pub(super) margins: Lists,
    /// Of each margin its cells.
    pub(super) parts: Lists,
    /// Of each margin what its cells add up to.
    pub(super) totals: Vec<u64>,
    /// Whether all releases publish one value.
    pub(super) has_one_value: bool,
    /// The first margin of a class of the last release.
    pub(super) first_of_last: usize,
    /// The changes, as they were given.
    pub(super) changes: Vec<Change>,
}

/// How T may have changed over several steps; `None` where that says nothing of the first and the last.
pub(super) fn between(changes: &[Change]) -> Option<Change> {
    changes.iter().try_fold(Change::Same, |so_far, &next| match (so_far, next) {
        (Change::Same, change) | (change, Change::Same) => Some(change),
        (Change::Added, Change::Added) => Some(Change::Added),
        (Change::Removed, Change::Removed) => Some(Change::Removed),
        (Change::Added, Change::Removed) | (Change::Removed, Change::Added) => None,
    })
}

/// Every way to be in some of the tables, as bits.
fn ways(changes: &[Change]) -> Result<Vec<u64>, ComposeError> {
    let moving: Vec<Change> = changes.iter().copied().filter(|change| *change != Change::Same).collect();
    let mut ways: Vec<u64> = vec![0, 1];
    let too_large = ComposeError::TooLarge { most: MOST_WAYS };
    if moving.len() >= u64::BITS as usize {
        return Err(too_large);
    }
    for (table, change) in (1_u32..).zip(moving) {
        let last = 1_u64 << (table - 1);
        let next = 1_u64 << table;
        let mut longer = Vec::new();
        for way in ways {
            let is_in = way & last != 0;
            // Who was in stays in where people are only added; who was not stays out where they are only removed.
            if change != Change::Added || !is_in {
                longer.push(way);
            }
            if change != Change::Removed || is_in {
                longer.push(way | next);
            }
        }
        if longer.len() > MOST_WAYS {
            return Err(too_large);
        }
        ways = longer;
    }
    ways.sort_unstable();
    Ok(ways)
}

impl System {
    pub(super) fn of(
        people: &[u64],
        releases: &[Published],
        changes: &[Change],
    ) -> Result<Self, ComposeError> {
        let mut table_of = vec![0];
        for &change in changes {
            let last = table_of[table_of.len() - 1];
            table_of.push(last + usize::from(change != Change::Same));
        }
        let tables = table_of[table_of.len() - 1] + 1;
        let (atom_of, atom_people, classes) = atoms(people, releases);
        let mut totals = atom_people.clone();
        // The first margin of each class of each release.
        let mut first_margin: Vec<Vec<u32>> = Vec::with_capacity(releases.len());
        let mut first_of_last = totals.len();
        for release in releases {
            first_of_last = totals.len();
            let mut firsts = Vec::with_capacity(release.rows.len());
            for rows in &release.rows {
                firsts.push(size::number(totals.len()));
                totals.extend(rows.iter().map(|&(_, rows)| rows));
            }
            first_margin.push(firsts);
        }
        let mut system = Self {
            tables,
            table_of,
            atom_of,
            people: atom_people,
            classes,
            first_cell: vec![0],
            ways: Vec::new(),
            margins: Lists::new(),
            parts: Lists::new(),
            has_one_value: releases.iter().flat_map(|release| &release.rows).flatten().all(|own| own.0 == 0),
            totals,
            first_of_last,
            changes: changes.to_vec(),
        };
        let ways = ways(changes)?;
        for atom in 0..system.people.len() {
            for &way in &ways {
                system.add_cells(atom, way, releases, &first_margin);
            }
            if system.cells() > MOST_CELLS {
                return Err(ComposeError::TooLarge { most: MOST_CELLS });
            }
            system.first_cell.push(size::number(system.ways.len()));
        }
        system.parts = system.margins.turned(system.totals.len());
        Ok(system)
    }

    /// Adds the cells of an atom's people who are in the tables of a way, one for each value that all their classes have.
    fn add_cells(&mut self, atom: usize, way: u64, releases: &[Published], first_margin: &[Vec<u32>]) {
        let number = size::number(atom);
        if way == 0 {
            self.ways.push(0);
            self.margins.push([number]);
            return;
        }
        let concerned = (0..releases.len()).filter(|&release| way >> self.table_of[release] & 1 == 1);
        let classes = concerned.map(|release| Some((release, self.classes[atom][release]?)));
        // Who is in no class of a release is not in its table.
        let Some(classes) = classes.collect::<Option<Vec<(usize, u32)>>>() else { return };
        let rows = |(release, class): (usize, u32)| &releases[release].rows[class as usize];
        for &(value, _) in rows(classes[0]) {
            let margin = |&(release, class): &(usize, u32)| {
                let place = rows((release, class)).binary_search_by_key(&value, |own| own.0).ok()?;
                Some(first_margin[release][class as usize] + size::number(place))
            };
            let Some(margins) = classes.iter().map(margin).collect::<Option<Vec<u32>>>() else { continue };
            self.ways.push(way);
            self.margins.push(std::iter::once(number).chain(margins));
        }
    }

    pub(super) fn atoms(&self) -> usize {
        self.people.len()
    }

    pub(super) fn cells(&self) -> usize {
        self.ways.len()
    }

    /// The cells of an atom.
    pub(super) fn cells_of(&self, atom: usize) -> std::ops::Range<usize> {
        self.first_cell[atom] as usize..self.first_cell[atom + 1] as usize
    }

    /// The atom of a cell.
    pub(super) fn atom_of_cell(&self, cell: usize) -> u32 {
        self.margins.of(cell)[0]
    }

    /// Whether a cell's people are in a table.
    pub(super) fn is_in(&self, cell: usize, table: usize) -> bool {
        self.ways[cell] >> table & 1 == 1
    }
}

/// Of each combination its atom, and the people and the classes of each atom, in order of first appearance.
fn atoms(people: &[u64], releases: &[Published]) -> (Vec<u32>, Vec<u64>, Vec<Vec<Option<u32>>>) {
    let mut known: FxHashMap<Vec<Option<u32>>, u32> = FxHashMap::default();
    let (mut sums, mut classes) = (Vec::new(), Vec::new());
    let mut atom_of = Vec::with_capacity(people.len());
    for (place, &people) in people.iter().enumerate() {
        let own: Vec<Option<u32>> = releases.iter().map(|release| release.class_of[place]).collect();
        let next = size::number(sums.len());
        let atom = *known.entry(own.clone()).or_insert(next);
        if atom == next {
            sums.push(0);
            classes.push(own);
        }
        sums[atom as usize] += people;
        atom_of.push(atom);
    }
    (atom_of, sums, classes)
}

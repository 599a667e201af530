//! The system of the releases: atoms, the ways for their people to be in the tables, and their
//! margins.

pub(super) mod bounds;
pub(super) mod components;
pub(super) mod work;

use rustc_hash::FxHashMap;

use super::{Change, ComposeError, Published};
use palmtop_core::model::size;

/// The largest number of cells.
const MOST_CELLS: usize = 1 << 24;
/// The largest number of ways to be in some of the tables.
const MOST_WAYS: usize = 1 << 10;

/// Lists of numbers, stored consecutively.
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

    /// The transpose: for each of `items` items, the lists that have it.
    fn transposed(&self, items: usize) -> Self {
        let mut starts = vec![0_u32; items + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut transposed = vec![0; self.items.len()];
        for list in 0..self.len() {
            for &item in self.of(list) {
                transposed[next[item as usize] as usize] = size::number(list);
                next[item as usize] += 1;
            }
        }
        Self { starts, items: transposed }
    }
}

/// A table of counts with known margins.
///
/// Each atom has one cell for its people who are in no table. It has further cells, one for each
/// other way to be in some of the tables together with a value that all classes concerned publish.
/// The cells of an atom sum to its size. For a class of a release and a value, the cells of the
/// class's atoms with that value in the release's table sum to the class's rows with that value. For
/// the pool of a release, the cells of the pool's atoms in the release's table sum to its withdrawn
/// members, whatever their values. A table of counts y stands for Π n!/Π y! ways to choose people.
/// So its weight is a product of 1/y! over the cells. A cell whose values no row shows stands for
/// one cell for each of v values, and its weight is vʸ/y!.
pub(super) struct System {
    pub(super) tables: usize,
    pub(super) table_of: Vec<usize>,
    pub(super) atom_of: Vec<u32>,
    /// The number of people of each atom.
    pub(super) people: Vec<u64>,
    /// The class of each atom in each release; `None` for the pool.
    pub(super) classes: Vec<Vec<Option<u32>>>,
    /// The first cell of each atom, and the number of all cells at the end. An atom's first cell
    /// has the people who are in no table.
    first_cell: Vec<u32>,
    /// For each cell, one bit for each table that its people are in.
    ways: Vec<u64>,
    /// The cells, ascending, whose members are in the pool of every release concerned, so that no
    /// row shows their values.
    unseen: Vec<u32>,
    /// The number of published values.
    values: u32,
    /// For each cell, its margins. The first is that of its atom, which has the atom's number.
    pub(super) margins: Lists,
    /// For each margin, its cells.
    pub(super) parts: Lists,
    /// For each margin, the sum of its cells.
    pub(super) totals: Vec<u64>,
    /// Whether all releases publish the same single value.
    pub(super) has_one_value: bool,
    /// The first margin of a class of the last release.
    pub(super) first_of_last: usize,
    /// The changes of T, as given.
    pub(super) changes: Vec<Change>,
}

/// The change of T over several steps; `None` if nothing follows for the first and the last table.
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
            // If people were only added, members stay; if people were only removed, non-members
            // stay out.
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
            // The pool has the number after those of the classes.
            firsts.push(size::number(totals.len()));
            totals.push(release.withdrawn);
            first_margin.push(firsts);
        }
        let rows = || releases.iter().flat_map(|release| &release.rows).flatten();
        let mut system = Self {
            tables,
            table_of,
            atom_of,
            people: atom_people,
            classes,
            first_cell: vec![0],
            ways: Vec::new(),
            unseen: Vec::new(),
            values: rows().map(|row| row.0 + 1).max().unwrap_or(1),
            margins: Lists::new(),
            parts: Lists::new(),
            has_one_value: rows().all(|row| row.0 == 0),
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
        system.parts = system.margins.transposed(system.totals.len());
        Ok(system)
    }

    /// Adds the cells of an atom for the tables of a way, one for each value that all their classes
    /// have.
    fn add_cells(&mut self, atom: usize, way: u64, releases: &[Published], first_margin: &[Vec<u32>]) {
        let number = size::number(atom);
        if way == 0 {
            self.ways.push(0);
            self.margins.push([number]);
            return;
        }
        let is_concerned = |release: usize| way >> self.table_of[release] & 1 == 1;
        let classes = self.classes[atom].iter().copied().enumerate();
        let classes: Vec<_> = classes.filter(|(release, _)| is_concerned(*release)).collect();
        // If no member of a pool is in T, nor is anyone of its people.
        if classes.iter().any(|&(release, class)| class.is_none() && releases[release].withdrawn == 0) {
            return;
        }
        let rows = |(release, class): (usize, u32)| &releases[release].rows[class as usize];
        let margin = |&(release, class): &(usize, Option<u32>), value: Option<u32>| {
            let Some(class) = class else { return first_margin[release].last().copied() };
            let index = rows((release, class)).binary_search_by_key(&value?, |row| row.0).ok()?;
            Some(first_margin[release][class as usize] + size::number(index))
        };
        let seen = classes.iter().find_map(|&(release, class)| Some((release, class?)));
        // If the people are in pools only, one cell has the members of every value.
        let values: Vec<Option<u32>> = match seen {
            Some(class) => rows(class).iter().map(|&(value, _)| Some(value)).collect(),
            None => vec![None],
        };
        for value in values {
            let margins = classes.iter().map(|class| margin(class, value));
            let Some(margins) = margins.collect::<Option<Vec<u32>>>() else { continue };
            if value.is_none() {
                self.unseen.push(size::number(self.ways.len()));
            }
            self.ways.push(way);
            self.margins.push(std::iter::once(number).chain(margins));
        }
    }

    /// The number of values that each member of a cell may have: 1, unless no row shows them.
    pub(super) fn values_of(&self, cell: usize) -> f64 {
        let is_unseen = self.unseen.binary_search(&size::number(cell)).is_ok();
        if is_unseen { f64::from(self.values) } else { 1.0 }
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

/// The atom of each combination, and the people and the classes of each atom, in order of first
/// appearance.
fn atoms(people: &[u64], releases: &[Published]) -> (Vec<u32>, Vec<u64>, Vec<Vec<Option<u32>>>) {
    let mut known: FxHashMap<Vec<Option<u32>>, u32> = FxHashMap::default();
    let (mut sums, mut classes) = (Vec::new(), Vec::new());
    let mut atom_of = Vec::with_capacity(people.len());
    for (index, &people) in people.iter().enumerate() {
        let classes_of_atom: Vec<Option<u32>> =
            releases.iter().map(|release| release.class_of[index]).collect();
        let next = size::number(sums.len());
        let atom = *known.entry(classes_of_atom.clone()).or_insert(next);
        if atom == next {
            sums.push(0);
            classes.push(classes_of_atom);
        }
        sums[atom as usize] += people;
        atom_of.push(atom);
    }
    (atom_of, sums, classes)
}

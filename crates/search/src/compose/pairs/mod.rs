//! Bounds from each pair of releases.

mod flow;

use self::flow::{Arc, Network};
use super::system::bounds::{self, Known};
use super::system::work::{Halt, Work};
use super::system::{System, between};
use super::{Change, Published};

/// For each atom and table, the least and the most members, if they are known.
pub(super) type Narrowed = Vec<Option<(u64, u64)>>;

/// Narrows every cell's bounds by each pair of releases.
///
/// It also returns the bounds on the total members of each atom, and whether they are the narrowest
/// possible. They are if there are two releases, and if no unchanged column distinguishes people.
pub(super) fn by_pairs(
    system: &System,
    releases: &[Published],
    known: &mut Known,
    most: u64,
    work: &mut Work,
) -> Result<(Narrowed, bool), Halt> {
    let mut budget = most;
    if releases.len() == 2 && system.has_one_value {
        return Ok((tighten(system, known, &mut budget, work)?, true));
    }
    let mut narrowed = vec![None; system.atoms() * system.tables];
    for last in 1..releases.len() {
        for first in 0..last {
            let Some(change) = between(&system.changes[first..last]) else { continue };
            let Some(pair) = Pair::of(system, releases, first, last, change) else { continue };
            let mut pair_bounds = bounds::shuttle(&pair.system, work)?;
            let found = tighten(&pair.system, &mut pair_bounds, &mut budget, work)?;
            pair.record(system, &found, &mut narrowed);
        }
    }
    for atom in 0..system.atoms() {
        for table in 0..system.tables {
            let Some((least, most)) = narrowed[atom * system.tables + table] else { continue };
            for cell in system.cells_of(atom) {
                let room = if system.is_in(cell, table) { most } else { system.people[atom] - least };
                known.most[cell] = known.most[cell].min(room);
                if known.most[cell] < known.least[cell] {
                    return Err(Halt::NoTable);
                }
            }
        }
    }
    Ok((narrowed, false))
}

/// Two of the releases as a system of their own. Its combinations are the atoms of the complete
/// system.
struct Pair {
    system: System,
    /// The table of each of the two releases.
    tables: [usize; 2],
    /// For each atom of the pair, the number of atoms of the complete system in it.
    parts: Vec<u32>,
}

impl Pair {
    fn of(
        complete: &System,
        releases: &[Published],
        first: usize,
        last: usize,
        change: Change,
    ) -> Option<Self> {
        // Unchanged columns are ignored: rows that they link are among those that they do not link.
        let of = |release: usize| {
            let rows = releases[release].rows.iter();
            let rows = rows.map(|class| vec![(0, class.iter().map(|row| row.1).sum::<u64>())]);
            let class_of = complete.classes.iter().map(|classes| classes[release]);
            let withdrawn = releases[release].withdrawn;
            Published { class_of: class_of.collect(), rows: rows.collect(), withdrawn }
        };
        let system = System::of(&complete.people, &[of(first), of(last)], &[change]).ok()?;
        let mut parts = vec![0; system.atoms()];
        system.atom_of.iter().for_each(|&atom| parts[atom as usize] += 1);
        Some(Self { system, tables: [complete.table_of[first], complete.table_of[last]], parts })
    }

    /// Records the bounds of the pair. An atom of the complete system has at most the members of
    /// the pair's atom, and at least as many if both have the same people.
    fn record(&self, complete: &System, found: &Narrowed, narrowed: &mut Narrowed) {
        for (atom, &pair_atom) in self.system.atom_of.iter().enumerate() {
            let pair_atom = pair_atom as usize;
            for table in 0..self.system.tables {
                let Some((least, most)) = found[pair_atom * self.system.tables + table] else { continue };
                let known = &mut narrowed[atom * complete.tables + self.tables[table]];
                let (low, high) = known.unwrap_or((0, complete.people[atom]));
                let least = if self.parts[pair_atom] == 1 { least } else { 0 };
                *known = Some((low.max(least), high.min(most)));
            }
        }
    }
}

/// Narrows every cell's bounds within a budget of arcs. Returns the bounds of the atoms and tables
/// for which they are the narrowest.
fn tighten(system: &System, known: &mut Known, budget: &mut u64, work: &mut Work) -> Result<Narrowed, Halt> {
    let mut network = Network::of(system, known);
    network.fill(system, work)?;
    let mut tightened = vec![None; system.atoms() * system.tables];
    for arc in 0..network.arcs.len() {
        let Some(bounds) = network.extremes(arc, budget, work)? else { continue };
        let Arc { atom, cell, table, .. } = network.arcs[arc];
        if let Some(cell) = cell {
            known.least[cell] = known.least[cell].max(bounds.0);
            known.most[cell] = known.most[cell].min(bounds.1);
        }
        if let Some(table) = table {
            tightened[atom as usize * system.tables + table] = Some(bounds);
            if cell.is_none() {
                // All other people of the atom are in no table.
                let (rest, people) = (system.cells_of(atom as usize).start, system.people[atom as usize]);
                known.least[rest] = known.least[rest].max(people - bounds.1);
                known.most[rest] = known.most[rest].min(people - bounds.0);
            }
        }
    }
    Ok(tightened)
}

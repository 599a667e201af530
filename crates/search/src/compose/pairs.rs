//! Bounds from what each two of the releases say.

use super::bounds::{self, Known};
use super::flow::{Arc, Network};
use super::system::{System, between};
use super::work::{Halt, Work};
use super::{Change, Published};

/// Of each atom and table the least and the most members, where they are known.
pub(super) type Narrowed = Vec<Option<(u64, u64)>>;

/// Narrows every cell's bounds by what each two of the releases say of the total members of the atoms, and says what that
/// is, and whether these are the narrowest bounds that there are: the releases are two, and nothing that is published
/// unchanged tells people apart.
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
            let Some(pair) = Pair::of(system, releases, (first, last), change) else { continue };
            let mut own = bounds::shuttle(&pair.system, work)?;
            let found = tighten(&pair.system, &mut own, &mut budget, work)?;
            pair.tell(system, &found, &mut narrowed);
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

/// Two of the releases, as a system of their own. Its combinations are the atoms of all.
struct Pair {
    system: System,
    /// The table of each of the two.
    tables: [usize; 2],
    /// How many atoms of all an atom of the pair has.
    parts: Vec<u32>,
}

impl Pair {
    fn of(
        whole: &System,
        releases: &[Published],
        (first, last): (usize, usize),
        change: Change,
    ) -> Option<Self> {
        // What is published unchanged is left out: who is linked by it is one of those who are not.
        let of = |release: usize| {
            let rows = releases[release].rows.iter();
            let rows = rows.map(|own| vec![(0, own.iter().map(|own| own.1).sum::<u64>())]);
            let class_of = whole.classes.iter().map(|classes| classes[release]);
            Published { class_of: class_of.collect(), rows: rows.collect() }
        };
        let system = System::of(&whole.people, &[of(first), of(last)], &[change]).ok()?;
        let mut parts = vec![0; system.atoms()];
        system.atom_of.iter().for_each(|&atom| parts[atom as usize] += 1);
        Some(Self { system, tables: [whole.table_of[first], whole.table_of[last]], parts })
    }

    /// An atom of all has at most the members of that of the pair, and at least as many where both are the same people.
    fn tell(&self, whole: &System, found: &Narrowed, narrowed: &mut Narrowed) {
        for (atom, &own) in self.system.atom_of.iter().enumerate() {
            let own = own as usize;
            for table in 0..self.system.tables {
                let Some((least, most)) = found[own * self.system.tables + table] else { continue };
                let known = &mut narrowed[atom * whole.tables + self.tables[table]];
                let (low, high) = known.unwrap_or((0, whole.people[atom]));
                let least = if self.parts[own] == 1 { least } else { 0 };
                *known = Some((low.max(least), high.min(most)));
            }
        }
    }
}

/// Narrows every cell's bounds as far as they go within so many arcs looked at, and says of which atoms and tables these are
/// the narrowest.
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
                // Everybody else of the atom is in no table.
                let (rest, people) = (system.cells_of(atom as usize).start, system.people[atom as usize]);
                known.least[rest] = known.least[rest].max(people - bounds.1);
                known.most[rest] = known.most[rest].min(people - bounds.0);
            }
        }
    }
    Ok(tightened)
}

//! The narrowest bounds for two releases: their tables are the integer flows of a network.
//!
//! Members flow from the classes of one release through the atoms to the classes of the other.
//! People who were added come from one further node, and people who were removed go to it. The
//! number of an atom's people in a table is the flow of one arc. Given one flow, an arc can carry
//! more as far as the residual network can carry flow from its head back to its tail. It can carry
//! less as far as the residual network can carry flow from its tail to its head. (Ahuja, Magnanti,
//! Orlin: Network Flows, 1993, chapters 6 and 7; for tables: Gusfield: A graph theoretic approach
//! to statistical data security, 1988.)

use std::collections::VecDeque;

use crate::compose::Change;
use crate::compose::system::System;
use crate::compose::system::bounds::Known;
use crate::compose::system::work::{Halt, Work};
use palmtop_core::model::size;

/// An arc for members, with bounds on its flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    from: u32,
    to: u32,
    least: u64,
    most: u64,
    pub(crate) atom: u32,
    /// The cell whose people it counts, if it is a single cell.
    pub(crate) cell: Option<usize>,
    /// The table whose members it counts, if it counts all members of the atom.
    pub(crate) table: Option<usize>,
    /// The least and the greatest flow so far.
    seen: (u64, u64),
}

/// Arcs with a flow. Arc i has two residual arcs: 2i increases its flow, and 2i + 1 decreases it.
pub(crate) struct Network {
    pub(crate) arcs: Vec<Arc>,
    /// The capacity of each residual arc.
    room: Vec<u64>,
    /// For each node, the residual arcs that leave it.
    leaving: Vec<Vec<u32>>,
    /// For each node, the last search that reached it, and the residual arc by which it did.
    reached: Vec<(u32, u32)>,
    /// The number of the current search.
    search: u32,
}

impl Network {
    /// The network with the least flow on each arc. Its nodes are the system's margins (atoms and
    /// classes), and one node for people who are added or removed.
    pub(crate) fn of(system: &System, known: &Known) -> Self {
        let outside = size::number(system.parts.len());
        let mut arcs = Vec::new();
        let change = system.changes[0];
        for atom in 0..system.atoms() {
            let number = size::number(atom);
            let mut through = None;
            for cell in system.cells_of(atom).skip(1) {
                let margins = system.margins.of(cell);
                let (first, last) = (margins[1], margins[margins.len() - 1]);
                let is_both = margins.len() == 3;
                let (from, to, table) = match change {
                    Change::Same => (first, last, Some(0)),
                    Change::Added => (if is_both { first } else { outside }, number, is_both.then_some(0)),
                    Change::Removed => (number, if is_both { last } else { outside }, is_both.then_some(1)),
                };
                arcs.push(Arc::of(known, from, to, number, cell, table));
                through = Some(if change == Change::Added { last } else { first });
            }
            let table = usize::from(change == Change::Added);
            if let Some(class) = through.filter(|_| change != Change::Same) {
                let (least, most) = known.members(system, atom, table);
                let (from, to) = if change == Change::Added { (number, class) } else { (class, number) };
                let seen = (least, least);
                arcs.push(Arc { from, to, least, most, atom: number, cell: None, table: Some(table), seen });
            }
        }
        let room = arcs.iter().flat_map(|arc| [arc.most - arc.least, 0]).collect();
        let mut leaving = vec![Vec::new(); system.parts.len() + 1];
        for (residual, arc) in (0..).step_by(2).zip(&arcs) {
            leaving[arc.from as usize].push(residual);
            leaving[arc.to as usize].push(residual + 1);
        }
        let reached = vec![(0, 0); leaving.len()];
        Self { arcs, room, leaving, reached, search: 0 }
    }

    /// Finds a flow that meets every margin.
    pub(crate) fn fill(&mut self, system: &System, work: &mut Work) -> Result<(), Halt> {
        // The excess of each node if every arc has its least flow; negative for a lack.
        let mut excess = vec![0_i128; self.leaving.len()];
        let classes = system.atoms()..system.parts.len();
        for (excess, &rows) in excess[classes.clone()].iter_mut().zip(&system.totals[classes]) {
            *excess = i128::from(rows);
        }
        // The classes of the second release receive what those of the first send.
        for excess in &mut excess[system.first_of_last..system.parts.len()] {
            *excess = -*excess;
        }
        let outside = self.leaving.len() - 1;
        excess[outside] = -excess[..outside].iter().sum::<i128>();
        for arc in &self.arcs {
            excess[arc.from as usize] -= i128::from(arc.least);
            excess[arc.to as usize] += i128::from(arc.least);
        }
        for node in 0..excess.len() {
            while excess[node] > 0 {
                let is_lacking = |other: usize| excess[other] < 0;
                let Some(end) = self.reach(node, is_lacking, u32::MAX, work)?.0 else {
                    return Err(Halt::NoTable);
                };
                let wanted = excess[node].min(-excess[end]).unsigned_abs();
                let moved = self.push(node, end, wanted);
                excess[node] -= i128::from(moved);
                excess[end] += i128::from(moved);
            }
        }
        if excess.iter().any(|&excess| excess != 0) {
            return Err(Halt::NoTable);
        }
        for (arc, room) in self.arcs.iter_mut().zip(self.room.chunks_exact(2)) {
            let flow = arc.least + room[1];
            arc.seen = (flow, flow);
        }
        Ok(())
    }

    /// The least and the greatest flow of an arc; `None` if the budget does not suffice.
    pub(crate) fn extremes(
        &mut self,
        arc: usize,
        budget: &mut u64,
        work: &mut Work,
    ) -> Result<Option<(u64, u64)>, Halt> {
        let more = size::number(2 * arc);
        let mut bounds = (self.arcs[arc].least, self.arcs[arc].most);
        for (residual, is_most) in [(more, true), (more + 1, false)] {
            let Arc { from, to, least, most, seen, .. } = self.arcs[arc];
            if if is_most { seen.1 == most } else { seen.0 == least } {
                continue;
            }
            // To carry more, the residual network must carry flow back from the head to the tail.
            let (start, end) = if is_most { (to, from) } else { (from, to) };
            let (start, end) = (start as usize, end as usize);
            while self.room[residual as usize] > 0 {
                let (found, looks) = self.reach(start, |node| node == end, residual >> 1, work)?;
                let Some(left) = budget.checked_sub(looks) else { return Ok(None) };
                *budget = left;
                if found.is_none() {
                    break;
                }
                let moved = self.push(start, end, u128::from(self.room[residual as usize]));
                self.room[residual as usize] -= moved;
                self.room[residual as usize ^ 1] += moved;
                self.note(arc);
            }
            let flow = self.arcs[arc].least + self.room[2 * arc + 1];
            *(if is_most { &mut bounds.1 } else { &mut bounds.0 }) = flow;
        }
        Ok(Some(bounds))
    }

    /// Updates the least and the greatest flow of an arc.
    fn note(&mut self, arc: usize) {
        let flow = self.arcs[arc].least + self.room[2 * arc + 1];
        let seen = &mut self.arcs[arc].seen;
        *seen = (seen.0.min(flow), seen.1.max(flow));
    }

    /// Searches breadth-first for a wanted node through residual arcs with capacity, except one
    /// arc. Returns the node, if there is one, and the number of examined arcs.
    fn reach(
        &mut self,
        start: usize,
        is_wanted: impl Fn(usize) -> bool,
        without: u32,
        work: &mut Work,
    ) -> Result<(Option<usize>, u64), Halt> {
        self.search += 1;
        let search = self.search;
        let mut waiting = VecDeque::from([start]);
        self.reached[start] = (search, u32::MAX);
        let mut looks = 0;
        while let Some(node) = waiting.pop_front() {
            looks += self.leaving[node].len() as u64;
            for &residual in &self.leaving[node] {
                if self.room[residual as usize] == 0 || residual >> 1 == without {
                    continue;
                }
                let next = self.head(residual);
                if self.reached[next].0 == search {
                    continue;
                }
                self.reached[next] = (search, residual);
                if is_wanted(next) {
                    work.spend(looks)?;
                    return Ok((Some(next), looks));
                }
                waiting.push_back(next);
            }
        }
        work.spend(looks.max(1))?;
        Ok((None, looks))
    }

    /// The node that a residual arc leads to.
    fn head(&self, residual: u32) -> usize {
        let arc = &self.arcs[residual as usize >> 1];
        (if residual & 1 == 0 { arc.to } else { arc.from }) as usize
    }

    /// Moves flow along the path of the last search: as much as its capacity permits, up to
    /// `wanted`. Returns the amount.
    fn push(&mut self, start: usize, end: usize, wanted: u128) -> u64 {
        let mut way = Vec::new();
        let mut node = end;
        while node != start {
            let residual = self.reached[node].1;
            way.push(residual);
            node = self.head(residual ^ 1);
        }
        let room = way.iter().map(|&residual| self.room[residual as usize]).min().unwrap_or(0);
        let moved = u64::try_from(wanted).map_or(room, |wanted| wanted.min(room));
        for residual in way {
            self.room[residual as usize] -= moved;
            self.room[residual as usize ^ 1] += moved;
            self.note(residual as usize >> 1);
        }
        moved
    }
}

impl Arc {
    /// An arc that counts one cell.
    fn of(known: &Known, from: u32, to: u32, atom: u32, cell: usize, table: Option<usize>) -> Self {
        let (least, most) = (known.least[cell], known.most[cell]);
        Self { from, to, least, most, atom, cell: Some(cell), table, seen: (least, least) }
    }
}

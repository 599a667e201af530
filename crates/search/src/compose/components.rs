//! The parts of the system that have nothing to do with each other once all that is certain is taken out.

use super::bounds::Known;
use super::system::System;
use palmtop_core::model::size;

/// The atoms of each part, ascending; atoms of which everything is certain are in none.
pub(super) fn components(system: &System, known: &Known) -> Vec<Vec<u32>> {
    let mut parent: Vec<u32> = (0..size::number(system.atoms())).collect();
    for margin in 0..system.parts.len() {
        let mut free = system.parts.of(margin).iter().filter(|&&cell| known.is_free(cell as usize));
        let Some(&first) = free.next() else { continue };
        let first = system.atom_of_cell(first as usize);
        for &cell in free {
            let (one, other) =
                (root(&mut parent, first), root(&mut parent, system.atom_of_cell(cell as usize)));
            let (low, high) = (one.min(other), one.max(other));
            parent[high as usize] = low;
        }
    }
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); system.atoms()];
    for atom in 0..system.atoms() {
        if system.cells_of(atom).any(|cell| known.is_free(cell)) {
            let atom = size::number(atom);
            parts[root(&mut parent, atom) as usize].push(atom);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn root(parent: &mut [u32], mut atom: u32) -> u32 {
    while parent[atom as usize] != atom {
        let above = parent[parent[atom as usize] as usize];
        parent[atom as usize] = above;
        atom = above;
    }
    atom
}

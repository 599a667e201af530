//! The independent parts of the system, after everything certain has been removed.

use super::System;
use super::bounds::Known;
use palmtop_core::model::size;

/// The atoms of each part, in ascending order. Atoms that are completely certain are in no part.
pub(crate) fn components(system: &System, known: &Known) -> Vec<Vec<u32>> {
    let mut parent: Vec<u32> = (0..size::number(system.atoms())).collect();
    for margin in 0..system.parts.len() {
        let mut free = system.parts.of(margin).iter().filter(|&&cell| known.is_free(cell as usize));
        let Some(&first) = free.next() else { continue };
        let first = system.atom_of_cell(first as usize);
        for &cell in free {
            let (left, right) =
                (root(&mut parent, first), root(&mut parent, system.atom_of_cell(cell as usize)));
            let (low, high) = (left.min(right), left.max(right));
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

//! The order of a component's atoms in the dynamic program. Its cost depends on how many margins
//! are open at once.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::compose::system::System;
use crate::compose::system::bounds::Known;
use crate::compose::system::work::{Halt, Work};

/// The order of a component's atoms. The next atom is always the one that leaves the least weight
/// open; ties are broken by the component's order.
pub(super) fn order(
    system: &System,
    known: &Known,
    cells: &[Vec<u32>],
    work: &mut Work,
) -> Result<Vec<usize>, Halt> {
    // For each margin of several atoms: the number of remaining atoms, and its weight while it is
    // open.
    let mut waiting: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
    let mut margins: Vec<Vec<u32>> = Vec::with_capacity(cells.len());
    for of_atom in cells {
        let mut margins_of_atom: Vec<u32> = Vec::new();
        for &cell in of_atom {
            for &margin in &system.margins.of(cell as usize)[1..] {
                let entry = waiting.entry(margin).or_default();
                entry.1 += width(known.most[cell as usize] - known.least[cell as usize]);
                margins_of_atom.push(margin);
            }
        }
        margins_of_atom.sort_unstable();
        margins_of_atom.dedup();
        for &margin in &margins_of_atom {
            waiting.entry(margin).and_modify(|entry| entry.0 += 1);
        }
        margins.push(margins_of_atom);
    }
    for (margin, (_, weight)) in &mut waiting {
        *weight = libm::log1p(weight.min(width(system.totals[*margin as usize])));
    }
    let mut sharing: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (atom, margins_of_atom) in margins.iter().enumerate() {
        for &margin in margins_of_atom {
            sharing.entry(margin).or_default().push(atom);
        }
    }
    let mut is_done = vec![false; cells.len()];
    let mut is_open: FxHashMap<u32, bool> = FxHashMap::default();
    let mut open: Vec<u32> = Vec::new();
    let mut order = Vec::with_capacity(cells.len());
    while order.len() < cells.len() {
        let neighbours = || open.iter().flat_map(|margin| &sharing[margin]).copied();
        let is_start = open.is_empty();
        let candidates = (0..if is_start { cells.len() } else { 0 }).chain(neighbours());
        let mut best: Option<(f64, usize)> = None;
        let mut looked = 0;
        for atom in candidates.filter(|&atom| !is_done[atom]) {
            looked += margins[atom].len() as u64;
            let change = margins[atom].iter().map(|margin| {
                let (waiting, weight) = waiting[margin];
                match (is_open.get(margin) == Some(&true), waiting == 1) {
                    (true, true) => -weight,
                    (true, false) | (false, true) => 0.0,
                    (false, false) => weight,
                }
            });
            let change: f64 = change.sum();
            if best.is_none_or(|(least, index)| (change, atom) < (least, index)) {
                best = Some((change, atom));
            }
        }
        work.spend(looked)?;
        let Some((_, atom)) = best else { break };
        is_done[atom] = true;
        order.push(atom);
        for margin in &margins[atom] {
            waiting.entry(*margin).and_modify(|entry| entry.0 -= 1);
            is_open.insert(*margin, waiting[margin].0 > 0);
            open.push(*margin);
        }
        open.sort_unstable();
        open.dedup();
        open.retain(|margin| is_open.get(margin) == Some(&true));
    }
    Ok(order)
}

#[expect(clippy::cast_precision_loss, reason = "the width of a range, for the choice of an order")]
fn width(range: u64) -> f64 {
    range as f64
}

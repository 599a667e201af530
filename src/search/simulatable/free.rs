//! The free partition: where a region's one member may be anywhere, which of its parts holds them may be told outright.

use super::candidates::{Candidate, Scratch, candidates, extent};
use super::population::{Population, Rows};

/// Of so many cuts each the parts are tried.
const WIDTH: usize = 3;
/// Above so many times the fewest people that a part may have, only of one.
const LARGE: u64 = 10;

/// Parts of a region, of as little extent as is found, each of which may be released with one member or none: with nobody
/// else in the region, a person of a part of n people then has posterior 1/n, within δ. `None` where it is one part.
///
/// A function of the public table alone.
pub(super) fn free_parts(population: &Population, rows: &Rows, scratch: &mut Scratch) -> Option<Vec<Rows>> {
    let max = population.delta().max();
    let least = max.denominator().div_ceil(max.numerator().max(1));
    let parts = divided(population, rows, least, scratch).1;
    (parts.len() > 1).then_some(parts)
}

/// The parts, with the sum of people times extent over them.
#[expect(clippy::cast_precision_loss, reason = "a score")]
fn divided(population: &Population, rows: &Rows, least: u64, scratch: &mut Scratch) -> (f64, Vec<Rows>) {
    let people = rows.count();
    if people < least.saturating_mul(2) || rows.len() < 2 || population.is_stopping() {
        return (people as f64 * extent(population, rows, scratch), vec![rows.clone()]);
    }
    let is_part =
        |people: u64| people >= least && population.allows(people, 1) && population.allows(people, 0);
    let mut cuts: Vec<(f64, Candidate)> = candidates(population, rows, scratch)
        .into_iter()
        .filter(|candidate| is_part(candidate.left) && is_part(people - candidate.left))
        .map(|candidate| {
            let [left, right] = candidate.extents;
            (candidate.left as f64 * left + (people - candidate.left) as f64 * right, candidate)
        })
        .collect();
    let width = if people > LARGE.saturating_mul(least) { 1 } else { WIDTH };
    cuts.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cut.cmp(&other.1.cut)));
    let mut best: Option<(f64, Vec<Rows>)> = None;
    for (_, candidate) in cuts.into_iter().take(width) {
        let (left, right) = rows.divided(population.goes_left(candidate.cut));
        let (left_cost, mut parts) = divided(population, &left, least, scratch);
        let (right_cost, more) = divided(population, &right, least, scratch);
        let cost = left_cost + right_cost;
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            parts.extend(more);
            best = Some((cost, parts));
        }
    }
    best.unwrap_or_else(|| (people as f64 * extent(population, rows, scratch), vec![rows.clone()]))
}

//! The free partition: where a region's one member may be anywhere, which of its parts holds them may be told outright.

use super::candidates::{Candidate, Scratch, candidates, extent};
use super::population::{Population, Rows};
use palmtop_core::model::Cuts;

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
    let is_possible = |candidate: &Candidate| {
        is_part(candidate.left)
            && is_part(people - candidate.left)
            // Those of fewest people come first.
            && candidate.later.first().is_none_or(|&people| is_part(people))
    };
    let mut cuts: Vec<(f64, Candidate)> = candidates(population, rows, None, scratch)
        .into_iter()
        .filter(is_possible)
        .map(|candidate| {
            let [left, right] = candidate.extents;
            (candidate.left as f64 * left + (people - candidate.left) as f64 * right, candidate)
        })
        .collect();
    let width = if people > LARGE.saturating_mul(least) { 1 } else { WIDTH };
    cuts.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cut.cmp(&other.1.cut)));
    let mut best: Option<(f64, Vec<Rows>)> = None;
    for (_, candidate) in cuts.into_iter().take(width) {
        let cut = candidate.cut;
        let halves = if population.columns()[cut.column].cuts == Cuts::Labels {
            rows.by_label(population, (cut.column, cut.level))
        } else {
            let (left, right) = rows.divided(population.goes_left(cut));
            vec![left, right]
        };
        let (mut cost, mut parts) = (0.0, Vec::new());
        for half in halves {
            let (own, more) = divided(population, &half, least, scratch);
            cost += own;
            parts.extend(more);
        }
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, parts));
        }
    }
    best.unwrap_or_else(|| (people as f64 * extent(population, rows, scratch), vec![rows.clone()]))
}

//! The free partition of a region with a single member: its parts are so large that the search may
//! reveal which part has the member.

use super::extents::{Scratch, extent};
use super::{Candidate, candidates};
use crate::simulatable::population::{Population, Rows};
use palmtop_core::model::{CutBox, Cuts};

/// The number of best cuts whose parts are divided further.
const WIDTH: usize = 3;
/// Above this multiple of the least size of a part, only the best cut is tried.
const LARGE: u64 = 10;

/// The rows of a part, and its cut box.
pub(crate) type FreePart = (Rows, CutBox);

/// Divides a region into parts, each of which may be released with one member or none. Returns
/// `None` if the region is a single part.
///
/// If one part of n people has the region's single member, each of these people has posterior 1/n,
/// and everyone else has 0. Both are within δ. The search keeps the parts with the least sum of
/// people times extent. It is a function of P alone.
pub(crate) fn free_parts(
    population: &Population,
    rows: &Rows,
    cut_box: &CutBox,
    scratch: &mut Scratch,
) -> Option<Vec<FreePart>> {
    let max = population.delta().max();
    let least = max.denominator().div_ceil(max.numerator().max(1));
    let parts = divided(population, rows, cut_box, least, scratch).1;
    (parts.len() > 1).then_some(parts)
}

/// The best parts found, with the sum of people times extent over them.
#[expect(clippy::cast_precision_loss, reason = "a score")]
fn divided(
    population: &Population,
    rows: &Rows,
    cut_box: &CutBox,
    least: u64,
    scratch: &mut Scratch,
) -> (f64, Vec<FreePart>) {
    let undivided = || vec![(rows.clone(), cut_box.clone())];
    let people = rows.count();
    if people < least.saturating_mul(2) || rows.len() < 2 || population.is_stopping() {
        return (people as f64 * extent(population, rows, cut_box, scratch), undivided());
    }
    let is_part =
        |people: u64| people >= least && population.allows(people, 1) && population.allows(people, 0);
    let is_possible = |candidate: &Candidate| {
        is_part(candidate.left)
            && is_part(people - candidate.left)
            // `later` is in ascending order.
            && candidate.later.first().is_none_or(|&(people, _)| is_part(people))
    };
    let mut cuts: Vec<(f64, Candidate)> = candidates(population, rows, None, cut_box, scratch)
        .into_iter()
        .filter(is_possible)
        .map(|candidate| {
            let [left, right] = candidate.extents;
            (candidate.left as f64 * left + (people - candidate.left) as f64 * right, candidate)
        })
        .collect();
    let width = if people > LARGE.saturating_mul(least) { 1 } else { WIDTH };
    cuts.sort_by(|left, right| left.0.total_cmp(&right.0).then_with(|| left.1.cut.cmp(&right.1.cut)));
    let mut best: Option<(f64, Vec<FreePart>)> = None;
    for (_, candidate) in cuts.into_iter().take(width) {
        let cut = candidate.cut;
        let halves: Vec<FreePart> = if population.columns()[cut.column].cuts == Cuts::Labels {
            let labels = rows.by_label(population, (cut.column, cut.level)).into_iter();
            labels.map(|rows| (rows, cut_box.clone())).collect()
        } else {
            let (left, right) = rows.divided(population.goes_left(cut));
            let [left_box, right_box] = population.halves_of(cut_box, cut);
            vec![(left, left_box), (right, right_box)]
        };
        let (mut cost, mut parts) = (0.0, Vec::new());
        for (half, cut_box) in halves {
            let (half_cost, more) = divided(population, &half, &cut_box, least, scratch);
            cost += half_cost;
            parts.extend(more);
        }
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, parts));
        }
    }
    best.unwrap_or_else(|| (people as f64 * extent(population, rows, cut_box, scratch), undivided()))
}

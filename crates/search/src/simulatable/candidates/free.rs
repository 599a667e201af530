//! The free partition of a region with a single member: its parts are so large that the search may
//! reveal which part has the member.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::extents::extent;
use super::values::{Scratch, Values};
use super::{Candidate, candidates};
use crate::simulatable::population::{Cut, Labels, Population, Rows};
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
    let mut planner = Planner { population, least, known: FxHashMap::default(), scratch };
    let (_, plan) = planner.planned(rows, cut_box, None);
    if let Plan::Whole = *plan {
        return None;
    }
    let mut parts = Vec::new();
    plan.carry_out(population, rows.clone(), cut_box.clone(), &mut parts);
    Some(parts)
}

/// How a region is divided.
enum Plan {
    Whole,
    Halves(Cut, [Rc<Plan>; 2]),
    Labels(Labels, Vec<Rc<Plan>>),
}

impl Plan {
    /// Divides the region.
    fn carry_out(&self, population: &Population, rows: Rows, cut_box: CutBox, parts: &mut Vec<FreePart>) {
        match self {
            Self::Whole => parts.push((rows, cut_box)),
            Self::Halves(cut, plans) => {
                let halves =
                    rows.divided(population, *cut).into_iter().zip(population.halves_of(&cut_box, *cut));
                for (plan, (rows, cut_box)) in plans.iter().zip(halves) {
                    plan.carry_out(population, rows, cut_box, parts);
                }
            }
            Self::Labels(labels, plans) => {
                for (plan, rows) in plans.iter().zip(rows.by_label(population, *labels)) {
                    plan.carry_out(population, rows, cut_box.clone(), parts);
                }
            }
        }
    }
}

/// Finds the plan for a region.
struct Planner<'p, 'a, 's> {
    population: &'p Population<'a>,
    /// The least number of people of a part.
    least: u64,
    /// The plans of small parts: two cuts one after the other give the same part in either order.
    known: FxHashMap<(Vec<u32>, CutBox), (f64, Rc<Plan>)>,
    scratch: &'s mut Scratch,
}

impl Planner<'_, '_, '_> {
    /// The best plan found, with the sum of people times extent over its parts. The extent of the rows may be
    /// known from the cut that made them.
    #[expect(clippy::cast_precision_loss, reason = "a score")]
    fn planned(&mut self, rows: &Rows, cut_box: &CutBox, extent: Option<f64>) -> (f64, Rc<Plan>) {
        let people = rows.count();
        let mut best = None;
        if !self.is_whole(people) && rows.len() > 1 && !self.population.is_stopping() {
            let is_small = people <= LARGE.saturating_mul(self.least);
            let key = is_small.then(|| (rows.combinations().to_vec(), cut_box.clone()));
            if let Some((cost, plan)) = key.as_ref().and_then(|key| self.known.get(key)) {
                return (*cost, Rc::clone(plan));
            }
            best = self.best_cut(rows, cut_box, if is_small { WIDTH } else { 1 });
            if let (Some(key), Some((cost, plan))) = (key, &best) {
                self.known.insert(key, (*cost, Rc::clone(plan)));
            }
        }
        best.unwrap_or_else(|| {
            let of_rows = || self::extent(self.population, rows, cut_box, self.scratch);
            (people as f64 * extent.unwrap_or_else(of_rows), Rc::new(Plan::Whole))
        })
    }

    /// Whether so many people are too few for two parts.
    fn is_whole(&self, people: u64) -> bool {
        people < self.least.saturating_mul(2)
    }

    /// The best of the first cuts, each with its best plan.
    fn best_cut(&mut self, rows: &Rows, cut_box: &CutBox, width: usize) -> Option<(f64, Rc<Plan>)> {
        let cuts = possible(self.population, rows, cut_box, self.least, self.scratch);
        let mut best: Option<(f64, Plan)> = None;
        for (_, candidate) in cuts.into_iter().take(width) {
            let (cost, plan) = if self.population.columns()[candidate.cut.column].cuts == Cuts::Labels {
                let labels = (candidate.cut.column, candidate.cut.level);
                let parts = rows.by_label(self.population, labels);
                let parts = parts.iter().map(|rows| self.planned(rows, cut_box, None));
                let (costs, plans): (Vec<f64>, Vec<Rc<Plan>>) = parts.unzip();
                (costs.iter().sum(), Plan::Labels(labels, plans))
            } else {
                self.halves(rows, cut_box, &candidate)
            };
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, plan));
            }
        }
        best.map(|(cost, plan)| (cost, Rc::new(plan)))
    }

    /// The best plan for the halves of a cut.
    #[expect(clippy::cast_precision_loss, reason = "a score")]
    fn halves(&mut self, rows: &Rows, cut_box: &CutBox, candidate: &Candidate) -> (f64, Plan) {
        let Candidate { cut, left, extents, .. } = *candidate;
        let boxes = self.population.halves_of(cut_box, cut);
        let people = [left, rows.count() - left];
        let (mut cost, mut divided) = (0.0, None);
        let plans = [0, 1].map(|half| {
            // The rows of a half that is not divided further are not needed.
            let (more, plan) = if self.is_whole(people[half]) {
                (people[half] as f64 * extents[half], Rc::new(Plan::Whole))
            } else {
                let halves = divided.get_or_insert_with(|| rows.divided(self.population, cut));
                self.planned(&halves[half], &boxes[half], Some(extents[half]))
            };
            cost += more;
            plan
        });
        (cost, Plan::Halves(cut, plans))
    }
}

/// The cuts whose halves may be parts, in ascending order of the sum of people times extent.
#[expect(clippy::cast_precision_loss, reason = "a score")]
fn possible(
    population: &Population,
    rows: &Rows,
    cut_box: &CutBox,
    least: u64,
    scratch: &mut Scratch,
) -> Vec<(f64, Candidate)> {
    let people = rows.count();
    let is_part =
        |people: u64| people >= least && population.allows(people, 1) && population.allows(people, 0);
    let is_possible = |candidate: &Candidate| {
        is_part(candidate.left)
            && is_part(people - candidate.left)
            // `later` is in ascending order.
            && candidate.later.first().is_none_or(|&(people, _)| is_part(people))
    };
    let Some(values) = Values::of(population, rows, None, scratch) else { return Vec::new() };
    let mut cuts: Vec<(f64, Candidate)> = candidates(population, &values, None, cut_box, scratch)
        .into_iter()
        .filter(is_possible)
        .map(|candidate| {
            let [left, right] = candidate.extents;
            (candidate.left as f64 * left + (people - candidate.left) as f64 * right, candidate)
        })
        .collect();
    cuts.sort_by(|left, right| left.0.total_cmp(&right.0).then_with(|| left.1.cut.cmp(&right.1.cut)));
    cuts
}

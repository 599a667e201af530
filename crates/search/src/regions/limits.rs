//! Searches with limited levels: they start with the coarsest permitted labels, and look at
//! nothing finer than the finest permitted labels.

use super::cut_boxes::BoxRules;
use super::split::{Part, Split};
use crate::SearchReport;
use palmtop_core::model::{Problem, Raised, Recoding};

/// Runs a search for regions on a problem whose base is the finest permitted levels, and maps the
/// recoding back to the given problem.
///
/// The search cannot distinguish values that every permitted release merges.
pub(crate) fn at_the_finest(
    problem: &Problem,
    search: impl FnOnce(&Problem) -> (Option<Recoding>, SearchReport),
) -> (Option<Recoding>, SearchReport) {
    if problem.region_floors_are_the_base() {
        return search(problem);
    }
    let raised = Raised::of(problem);
    let (found, report) = search(&raised.problem);
    (found.map(|found| raised.lower(problem, found)), report)
}

/// Divides a region of everyone by the coarsest labels of every quasi-identifier.
///
/// If the problem is feasible, every resulting part satisfies the policy.
pub(crate) fn blocks<'a>(problem: &Problem, boxes: &BoxRules, everybody: Part<'a>) -> Vec<Part<'a>> {
    coarsest(problem).fold(vec![everybody], |parts, (column, split)| {
        parts.into_iter().flat_map(|part| part.divide(problem, boxes, column, split)).collect()
    })
}

/// The quasi-identifiers that may not be published at `*`, each with the split by its coarsest
/// labels.
fn coarsest(problem: &Problem) -> impl Iterator<Item = (usize, Split)> + '_ {
    let columns = (0..problem.quasi().len()).map(|column| (column, problem.coarsest(column)));
    let limited = columns.filter(|&(column, level)| level < problem.hierarchy(column).top());
    limited.map(|(column, level)| (column, Split::Labels(level)))
}

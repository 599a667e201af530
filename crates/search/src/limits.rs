//! Searches with limited levels: they start with the coarsest permitted labels, and look at
//! nothing finer than the finest permitted labels.

use super::SearchReport;
use super::cut_boxes::BoxRules;
use super::split::{Part, Split};
use palmtop_core::model::{CutBox, Problem, Raised, Recoding};

/// Runs a search for regions on a problem whose base is the finest permitted levels, and maps the
/// recoding back to the given problem.
///
/// The search cannot distinguish values that every permitted release merges.
pub(super) fn at_the_finest(
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
pub(super) fn blocks<'a>(problem: &Problem, boxes: &BoxRules, everybody: Part<'a>) -> Vec<Part<'a>> {
    coarsest(problem).fold(vec![everybody], |parts, (column, split)| {
        parts.into_iter().flat_map(|part| part.divide(problem, boxes, column, split)).collect()
    })
}

/// Combinations, given as rows of the histogram, and their cut box if terms are limited.
pub(super) type Block = (Vec<u32>, Option<CutBox>);

/// Divides combinations as [`blocks`] does.
pub(super) fn blocks_of(problem: &Problem, boxes: &BoxRules, combinations: Vec<u32>) -> Vec<Block> {
    coarsest(problem).fold(vec![(combinations, boxes.start())], |blocks, (column, split)| {
        let Split::Labels(level) = split else { return blocks };
        let (codes, labels) =
            (problem.histogram().column(column), problem.hierarchy(column).labels_of(level));
        let code = |row: u32| codes[row as usize];
        let label = |row: u32| labels[code(row) as usize];
        let divide = |(mut block, cut_box): Block| {
            block.sort_by_key(|&row| label(row));
            let parts = block.chunk_by(|&one, &other| label(one) == label(other)).map(|part| {
                let [inside, _] = Split::Only(level, code(part[0])).halves(
                    boxes,
                    cut_box.as_ref(),
                    column,
                    std::iter::empty(),
                );
                (part.to_vec(), inside)
            });
            parts.collect::<Vec<_>>()
        };
        blocks.into_iter().flat_map(divide).collect()
    })
}

/// The quasi-identifiers that may not be published at `*`, each with the split by its coarsest
/// labels.
fn coarsest(problem: &Problem) -> impl Iterator<Item = (usize, Split)> + '_ {
    let columns = (0..problem.quasi().len()).map(|column| (column, problem.coarsest(column)));
    let limited = columns.filter(|&(column, level)| level < problem.hierarchy(column).top());
    limited.map(|(column, level)| (column, Split::Labels(level)))
}

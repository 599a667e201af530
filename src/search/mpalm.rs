//! MPALM: the nine multi-dimensional strategies, faithful and deterministic (paper, section 6).

use super::split::{Part, Splits};
use super::{ColumnRule, Observer, SearchReport, Step, StopReason, ValueRule};
use crate::model::{Partition, Problem, Recoding};

/// A region yet to be split: a range of the members, and the column to look at first.
#[derive(Clone, Copy, Debug)]
struct Task {
    part: Part,
    first: usize,
}

/// Splits the table in two, and each half again, as long as both halves keep δ.
///
/// A region is split at a column and a value into the combinations below the value and those from it on, in the order
/// of codes. Both halves must keep δ and hold somebody public. A half without private people is allowed where δmin = 0,
/// unless the problem forbids empty regions, and is not split further. The first column with a valid split wins, in the
/// order of the column rule; on it, the value rule chooses, ties going to the smallest value. What is published is
/// [`Partition`]'s box around the public people, not that of the paper's line 20.
///
/// Stopped by its observer, it leaves the regions that it has not come to as they are: the release is coarser, and valid.
pub fn mpalm(
    problem: &Problem,
    column_rule: ColumnRule,
    value_rule: ValueRule,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    if !problem.feasibility().holds() {
        return (None, SearchReport::without_nodes(StopReason::Infeasible));
    }
    let width = problem.quasi().len();
    let total = problem.histogram().len();
    let mut splits = Splits::new(problem, value_rule);
    let mut region_of = vec![0; total];
    let (mut regions, mut done, mut stopped) = (0_u32, 0, false);
    let mut tasks = vec![Task { part: splits.root(), first: 0 }];
    // Left first, depth first. An explicit stack: `FirstSplit` can make trees as deep as there are regions.
    while let Some(Task { part, first }) = tasks.pop() {
        stopped = stopped
            || observer(Step { done: done as u64, total: total as u64, best: None, rounds: None }).is_break();
        let split = if stopped { None } else { choose(&mut splits, part, column_rule, first, width) };
        if let Some((column, left, right)) = split {
            let first = (column + 1) % width;
            tasks.push(Task { part: right, first });
            tasks.push(Task { part: left, first });
        } else {
            for &index in splits.members(part) {
                region_of[index as usize] = regions;
            }
            regions += 1;
            done += part.len();
        }
    }
    let partition = Partition::new(problem, region_of, regions as usize);
    let stop = if stopped { StopReason::Cancelled } else { StopReason::Done };
    (Some(Recoding::Regions(partition)), SearchReport::without_nodes(stop))
}

/// Splits a region on the first column, in the order of the rule, that has a valid split.
fn choose(
    splits: &mut Splits,
    part: Part,
    rule: ColumnRule,
    first: usize,
    width: usize,
) -> Option<(usize, Part, Part)> {
    if !part.may_split() {
        return None;
    }
    let columns: Vec<usize> = match rule {
        ColumnRule::Next => (first..width).chain(0..first).collect(),
        ColumnRule::Priority => (0..width).collect(),
        ColumnRule::Best => {
            let mut columns: Vec<(usize, usize)> =
                (0..width).map(|column| (splits.distinct(part, column), column)).collect();
            columns.sort_by_key(|&(distinct, column)| (std::cmp::Reverse(distinct), column));
            columns.into_iter().map(|(_, column)| column).collect()
        }
    };
    columns.into_iter().find_map(|column| {
        let value = splits.best_value(part, column)?;
        let (left, right) = splits.divide(part, column, value);
        Some((column, left, right))
    })
}

//! MPALM: the nine multi-dimensional strategies, faithful and deterministic (paper, section 6).

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::Scope;

use super::column_table::ColumnTable;
use super::limits::{at_the_finest, blocks};
use super::split::{Part, Split, Splitter};
use super::worker_pool::{WorkerPool, watched};
use super::{ColumnRule, Observer, SearchReport, Step, StopReason, ValueRule};
use crate::model::{Partition, Problem, Recoding};
use crate::progress::CancelToken;

/// A half of so many rows is a task of its own, for whichever core is free.
const APART: usize = 1 << 12;
/// How many steps the observer sees, about.
const STEPS: u64 = 256;

/// Splits the table in two, and each half again, as long as both halves keep δ.
///
/// A region is split at a column and a value into the combinations below the value and those from it on, in the order
/// of codes. Both halves must keep δ and hold somebody public. A half without private people is allowed where δmin = 0,
/// unless the problem forbids empty regions, and is not split further. The first column with a valid split wins, in the
/// order of the column rule; on it, the value rule chooses, ties going to the smallest value. What is published is
/// [`Partition`]'s box around the public people, not that of the paper's line 20. A column of which the problem says so is
/// split between labels only, or not at all (see `split`).
///
/// How a region is split depends on nothing but itself and the column of the split before, so cores share the regions.
/// Stopped by its observer, it leaves the regions that it has not come to as they are: the release is coarser, and valid.
pub fn mpalm(
    problem: &Problem,
    column_rule: ColumnRule,
    value_rule: ValueRule,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    at_the_finest(problem, |problem| {
        watched(observer, |pool| {
            let rules = Rules { column: column_rule, value: value_rule };
            let go_on = |_: &Part| ControlFlow::Continue(());
            let Some((partition, stop)) = regions(problem, rules, &go_on, pool, true) else {
                return (None, SearchReport::without_nodes(StopReason::Infeasible));
            };
            (Some(Recoding::Regions(partition)), SearchReport::without_nodes(stop))
        })
    })
}

/// Sees each region that is not split further, and answers whether to go on.
type Settled<'a> = dyn Fn(&Part) -> ControlFlow<()> + Sync + 'a;

/// The same on the cores of a pool, as a part of other work; `None` also if it was stopped, by the pool or by `settled`.
pub(super) fn mpalm_within(
    problem: &Problem,
    (column, value): (ColumnRule, ValueRule),
    settled: &Settled,
    pool: &WorkerPool,
) -> Option<Recoding> {
    let found = regions(problem, Rules { column, value }, settled, pool, false);
    found.map(|(partition, _)| Recoding::Regions(partition))
}

/// The regions, and why there are no more of them. `None` where no recoding can keep δ; and where it was stopped, unless
/// what there is by then is wanted.
fn regions(
    problem: &Problem,
    rules: Rules,
    settled: &Settled,
    pool: &WorkerPool,
    unfinished: bool,
) -> Option<(Partition, StopReason)> {
    if !problem.feasibility().holds() {
        return None;
    }
    let mut table = ColumnTable::of(problem.histogram());
    let shared = Shared {
        problem,
        rules,
        pool,
        settled,
        given_up: CancelToken::default(),
        done: AtomicU64::new(0),
        starts: Mutex::new(Vec::new()),
    };
    let everything = Part::of(table.rows(), problem.histogram().total());
    let blocks = blocks(problem, everything).into_iter().rev().map(|part| Task { part, first: 0 });
    rayon::scope(|scope| shared.split_all(scope, blocks.collect()));
    let stop = if shared.go_on().is_break() { StopReason::Cancelled } else { StopReason::Done };
    if stop == StopReason::Cancelled && !unfinished {
        return None;
    }
    let mut starts = shared.starts.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The left half of a split has the lower rows, so this is the order of the tree's leaves.
    starts.sort_unstable();
    let mut region_of = vec![0; table.places().len()];
    let ends = starts.iter().skip(1).copied().chain([region_of.len()]);
    for (region, (&start, end)) in (0..).zip(starts.iter().zip(ends)) {
        for &place in &table.places()[start..end] {
            region_of[place as usize] = region;
        }
    }
    drop(table);
    Some((Partition::new(problem, region_of, starts.len()), stop))
}

/// How a strategy of the nine splits a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) column: ColumnRule,
    pub(super) value: ValueRule,
}

impl Rules {
    /// The columns in the order of the rule, for a region in which each has so many distinct values; `None` where that is
    /// not told.
    pub(super) fn columns(
        self,
        width: usize,
        first: usize,
        mut distinct: impl FnMut(usize) -> Option<usize>,
    ) -> Option<Vec<usize>> {
        Some(match self.column {
            ColumnRule::Next => (first..width).chain(0..first).collect(),
            ColumnRule::Priority => (0..width).collect(),
            ColumnRule::Best => {
                let values: Option<Vec<usize>> = (0..width).map(&mut distinct).collect();
                let values = values?;
                let mut columns: Vec<usize> = (0..width).collect();
                columns.sort_by_key(|&column| (std::cmp::Reverse(values[column]), column));
                columns
            }
        })
    }

    /// The first column, in the order of the rule, that has a valid split, and its best one.
    pub(super) fn choose(
        self,
        width: usize,
        splitter: &mut Splitter,
        part: &mut Part,
        first: usize,
        pool: &WorkerPool,
    ) -> Option<(usize, Split)> {
        if !part.may_split() {
            return None;
        }
        let columns = self.columns(width, first, |column| {
            pool.go_on().continue_value()?;
            Some(splitter.distinct(part, column))
        })?;
        for column in columns {
            pool.go_on().continue_value()?;
            if let Some(split) = splitter.best_split(part, column) {
                return Some((column, split));
            }
        }
        None
    }
}

/// A region yet to be split, and the column to look at first.
struct Task<'s> {
    part: Part<'s>,
    first: usize,
}

/// What all cores have in common.
struct Shared<'a> {
    problem: &'a Problem,
    rules: Rules,
    pool: &'a WorkerPool<'a>,
    settled: &'a Settled<'a>,
    /// Whether `settled` said stop.
    given_up: CancelToken,
    /// How many combinations are in regions that are not split further.
    done: AtomicU64,
    /// The first row of each of those.
    starts: Mutex<Vec<usize>>,
}

impl<'a> Shared<'a> {
    /// Whether to go on.
    fn go_on(&self) -> ControlFlow<()> {
        self.pool.go_on()?;
        self.given_up.go_on()
    }

    /// Splits regions and their parts down to the end; large ones but the last are left to other cores.
    fn split_all<'s>(&'s self, scope: &Scope<'s>, mut tasks: Vec<Task<'s>>)
    where
        'a: 's,
    {
        let mut splitter = Splitter::new(self.problem, self.rules.value);
        let mut starts = Vec::new();
        // An explicit stack: `FirstSplit` can make trees as deep as there are regions.
        while let Some(Task { mut part, first }) = tasks.pop() {
            let cut = if self.go_on().is_break() {
                None
            } else {
                self.rules.choose(self.problem.quasi().len(), &mut splitter, &mut part, first, self.pool)
            };
            let Some((column, split)) = cut else {
                starts.push(part.start());
                if self.go_on().is_continue() && (self.settled)(&part).is_break() {
                    self.given_up.cancel();
                }
                self.tell(part.len() as u64);
                continue;
            };
            let mut parts = part.divide(self.problem, column, split);
            let first = (column + 1) % self.problem.quasi().len();
            // The last is for this core.
            let own = parts.pop();
            tasks.extend(own.map(|part| Task { part, first }));
            for part in parts.into_iter().rev() {
                let task = Task { part, first };
                if task.part.len() >= APART {
                    scope.spawn(move |scope| self.split_all(scope, vec![task]));
                } else {
                    tasks.push(task);
                }
            }
        }
        self.starts.lock().unwrap_or_else(PoisonError::into_inner).append(&mut starts);
    }

    /// Tells of combinations that are done, not of each region.
    fn tell(&self, combinations: u64) {
        let total = self.problem.histogram().len() as u64;
        let before = self.done.fetch_add(combinations, Ordering::Relaxed);
        let done = before + combinations;
        if before * STEPS / total != done * STEPS / total {
            // Whether to go on is asked before every split.
            let _ = self.pool.report(Step::of(done, total));
        }
    }
}

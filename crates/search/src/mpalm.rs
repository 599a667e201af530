//! MPALM: the nine multi-dimensional strategies, faithful and deterministic (paper, section 6).

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::column_table::{ColumnTable, TableRows};
use super::limits::{at_the_finest, blocks};
use super::split::{Part, Split, Splitter};
use super::worker_pool::{WorkerPool, watched};
use super::{ColumnRule, Observer, SearchReport, Step, StopReason, ValueRule};
use palmtop_core::model::{Partition, Problem, Recoding};

/// The work of one counted step: the combinations of the regions that it looks at. A table of up to some ten thousand combinations takes one step.
pub(super) const STEP: u64 = 1 << 23;
/// The least work of one task of a wave. A larger table has larger tasks.
const TASK: u64 = 1 << 14;
/// A task has at least one in so many of all combinations as its work.
const SHARE: usize = 64;
/// The number of full tasks in a wave.
const WAVE: u64 = 16;

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
            if !problem.feasibility().holds() {
                return (None, SearchReport::without_nodes(StopReason::Infeasible));
            }
            let rules = Rules { column: column_rule, value: value_rule };
            let mut table = ColumnTable::of(problem.histogram());
            let mut splitting = Splitting::new(problem, rules, table.rows(), pool);
            let settled = |_: &Part| ();
            let mut stop = StopReason::Done;
            while !splitting.is_over() && stop == StopReason::Done {
                if splitting.wave(STEP, &settled).is_break() || pool.report(splitting.progress()).is_break() {
                    stop = StopReason::Cancelled;
                }
            }
            let starts = splitting.starts();
            let found = partition(problem, table, starts);
            (Some(found), SearchReport::without_nodes(stop))
        })
    })
}

/// The release whose regions begin at these rows of a table.
pub(super) fn partition(problem: &Problem, table: ColumnTable, mut starts: Vec<usize>) -> Recoding {
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
    Recoding::Regions(Partition::new(problem, region_of, starts.len()))
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
struct Task<'t> {
    part: Part<'t>,
    first: usize,
}

/// Sees each region that is not split further, on any core.
type Settled<'a> = dyn Fn(&Part) + Sync + 'a;

/// The regions of a strategy in the making, which are a valid release at any moment.
///
/// Regions wait in a queue. A *wave* takes the first of them and gives each a task of counted work, on all cores. Regions
/// that are left when the work is spent wait again. So the regions after a number of waves depend on the problem alone,
/// and not on the number of cores.
pub(super) struct Splitting<'a, 't> {
    problem: &'a Problem,
    rules: Rules,
    pool: &'a WorkerPool<'a>,
    waiting: VecDeque<Task<'t>>,
    /// The first row of each region that is not split further.
    settled: Vec<usize>,
    /// The number of combinations in those regions, and of all.
    done: u64,
    rows: usize,
}

/// What a task made of a region.
struct Outcome<'t> {
    /// The first rows of the regions that are not split further, and the number of their combinations.
    settled: Vec<usize>,
    done: u64,
    left: Vec<Task<'t>>,
    work: u64,
}

/// The regions after a step: the number of those that are not split further, and the first rows of the others.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    settled: usize,
    waiting: Vec<usize>,
}

impl<'a, 't> Splitting<'a, 't> {
    /// All rows of a feasible problem in one region, or in the coarsest that may be published.
    pub(super) fn new(
        problem: &'a Problem,
        rules: Rules,
        rows: TableRows<'t>,
        pool: &'a WorkerPool<'a>,
    ) -> Self {
        let count = rows.len();
        let everything = Part::of(rows, problem.histogram().total());
        let waiting = blocks(problem, everything).into_iter().map(|part| Task { part, first: 0 }).collect();
        Self { problem, rules, pool, waiting, settled: Vec::new(), done: 0, rows: count }
    }

    /// Whether no region can be split further.
    pub(super) fn is_over(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The number of combinations whose region is final.
    fn progress(&self) -> Step {
        Step::of(self.done, self.rows as u64)
    }

    /// Does waves until their work is one counted step, or `gives_up` after one of them. Breaks if the pool is stopped.
    pub(super) fn step(
        &mut self,
        step: u64,
        settled: &Settled,
        gives_up: &dyn Fn() -> bool,
    ) -> ControlFlow<()> {
        let mut work = 0;
        while work < step && !self.is_over() && !gives_up() {
            work += self.wave(step, settled)?;
        }
        ControlFlow::Continue(())
    }

    /// Does one wave, of tasks that are each a part of a step; gives its work. If the pool is stopped, it breaks and leaves
    /// regions unsplit.
    fn wave(&mut self, step: u64, settled: &Settled) -> ControlFlow<(), u64> {
        let most = TASK.max((self.rows / SHARE) as u64).min(step);
        let count = self.next(most);
        let tasks: Vec<Task> = self.waiting.drain(..count).collect();
        let splitter = || Splitter::new(self.problem, self.rules.value);
        let (problem, rules, pool) = (self.problem, self.rules, self.pool);
        let split =
            |splitter: &mut Splitter, task| split_down((problem, rules, pool), splitter, task, most, settled);
        let outcomes: Vec<Outcome> = tasks.into_par_iter().map_init(splitter, split).collect();
        let mut work = 0;
        for mut outcome in outcomes {
            self.settled.append(&mut outcome.settled);
            self.done += outcome.done;
            self.waiting.extend(outcome.left);
            work += outcome.work;
        }
        self.pool.go_on()?;
        ControlFlow::Continue(work)
    }

    /// The number of waiting regions in the next wave, each of which gets `most` work at most: as many as fill a wave, and as
    /// many as keep other cores busy while one splits the largest.
    fn next(&self, most: u64) -> usize {
        let (mut sum, mut largest) = (0, 0);
        for (count, task) in self.waiting.iter().enumerate() {
            if sum >= (WAVE * most).max(2 * largest) {
                return count;
            }
            let rows = task.part.len() as u64;
            largest = largest.max(rows);
            sum += (rows * u64::from(rows.max(2).ilog2())).min(most.max(rows));
        }
        self.waiting.len()
    }

    /// The regions as they are.
    pub(super) fn snapshot(&self) -> Snapshot {
        let waiting = self.waiting.iter().map(|task| task.part.start()).collect();
        Snapshot { settled: self.settled.len(), waiting }
    }

    /// The first row of each region at a moment before.
    pub(super) fn starts_at(mut self, moment: Snapshot) -> Vec<usize> {
        self.settled.truncate(moment.settled);
        self.settled.extend(moment.waiting);
        self.settled
    }

    /// The first row of each region.
    pub(super) fn starts(self) -> Vec<usize> {
        let now = self.snapshot();
        self.starts_at(now)
    }
}

/// Splits a region and its parts until no part can be split or the work is spent.
fn split_down<'t>(
    (problem, rules, pool): (&Problem, Rules, &WorkerPool),
    splitter: &mut Splitter,
    task: Task<'t>,
    most: u64,
    settled: &Settled,
) -> Outcome<'t> {
    let width = problem.quasi().len();
    let mut outcome = Outcome { settled: Vec::new(), done: 0, left: vec![task], work: 0 };
    // An explicit stack: `FirstSplit` can make trees as deep as there are regions.
    while outcome.work < most && pool.go_on().is_continue() {
        let Some(Task { mut part, first }) = outcome.left.pop() else { break };
        outcome.work += part.len() as u64;
        let cut = rules.choose(width, splitter, &mut part, first, pool);
        let Some((column, split)) = cut else {
            if pool.go_on().is_continue() {
                settled(&part);
            }
            outcome.settled.push(part.start());
            outcome.done += part.len() as u64;
            continue;
        };
        let parts = part.divide(problem, column, split);
        let first = (column + 1) % width;
        outcome.left.extend(parts.into_iter().map(|part| Task { part, first }));
    }
    outcome
}

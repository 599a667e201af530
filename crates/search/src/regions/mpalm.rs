//! MPALM (multidimensional presence algorithm): the paper's nine strategies, deterministic (paper,
//! section 6).

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::column_table::{ColumnTable, TableRows};
use super::cut_boxes::BoxRules;
use super::limits::{at_the_finest, blocks};
use super::split::{Part, Split, Splitter};
use crate::control::worker_pool::{WorkerPool, watched};
use crate::{ColumnRule, Observer, SearchReport, Step, StopReason, ValueRule};
use palmtop_core::model::{CutBox, Partition, Problem, Recoding};

/// The work of one counted step, in combinations of the regions that are examined. A table of up to
/// some ten thousand combinations takes one step.
pub(crate) const STEP: u64 = 1 << 23;
/// The least work of one task of a wave. A larger table has larger tasks.
const TASK: u64 = 1 << 14;
/// A task's work is at least this fraction (1/`SHARE`) of all combinations.
const SHARE: usize = 64;
/// The number of full tasks in a wave.
const WAVE: u64 = 16;

/// Splits the table in two, and each half again, as long as both halves keep δ.
///
/// # Splits
/// A region is split at a column and a value, in the order of codes: into the combinations below
/// the value, and the rest. Both halves must keep δ and contain an individual. If δmin = 0, a half
/// without members is permitted, unless the problem forbids empty regions; such a half is not split
/// further. The columns are tried in the order of the column rule, and the first with a valid split
/// wins. The value rule then chooses among the valid splits, and ties go to the smallest value. A
/// column that is declared so is split between labels only, or never (module `split`).
///
/// If the terms of published sets are limited, only splits of the cut box whose sides obey the limit are
/// valid. Such a column is also split into the values of one label and the rest.
///
/// # Difference from the paper
/// The published label of a region is [`Partition`]'s box around its individuals, not the label of
/// the paper's line 20.
///
/// # Execution
/// The split of a region depends only on the region and on the column of its parent's split, so
/// that all cores share the regions. If the observer stops the search, the remaining regions stay
/// unsplit: the release is coarser, but valid.
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
            let boxes = BoxRules::of(problem);
            let mut table = ColumnTable::of(problem.histogram());
            let mut splitting = Splitting::new(problem, &boxes, rules, table.rows(), pool);
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

/// The recoding whose regions begin at these rows of a table.
pub(crate) fn partition(problem: &Problem, table: ColumnTable, starts: Starts) -> Recoding {
    // The left half of a split has the lower rows, so this is the order of the tree's leaves.
    let Starts { rows: starts, boxes } = starts.sorted();
    let mut region_of = vec![0; table.combinations().len()];
    let ends = starts.iter().skip(1).copied().chain([region_of.len()]);
    for (region, (&start, end)) in (0..).zip(starts.iter().zip(ends)) {
        for &combination in &table.combinations()[start..end] {
            region_of[combination as usize] = region;
        }
    }
    drop(table);
    Recoding::Regions(Partition::within(problem, region_of, starts.len(), &boxes))
}

/// The first row of each of some regions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts {
    rows: Vec<usize>,
    /// The cut box of each region; empty if no column has a limit of terms.
    boxes: Vec<CutBox>,
}

impl Starts {
    fn push(&mut self, part: &Part) {
        self.rows.push(part.start());
        self.boxes.extend(part.cut_box().cloned());
    }

    fn append(&mut self, other: &mut Self) {
        self.rows.append(&mut other.rows);
        self.boxes.append(&mut other.boxes);
    }

    fn truncate(&mut self, count: usize) {
        self.rows.truncate(count);
        self.boxes.truncate(count);
    }

    /// The same regions in the order of their rows.
    fn sorted(mut self) -> Self {
        if self.boxes.is_empty() {
            self.rows.sort_unstable();
            return self;
        }
        let mut regions: Vec<(usize, CutBox)> = self.rows.into_iter().zip(self.boxes).collect();
        regions.sort_unstable_by_key(|&(row, _)| row);
        let (rows, boxes) = regions.into_iter().unzip();
        Self { rows, boxes }
    }
}

/// The rules by which one of the nine strategies splits a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) column: ColumnRule,
    pub(crate) value: ValueRule,
}

impl Rules {
    /// The columns in the order of the rule. `first` is the column after the parent's, and
    /// `distinct` gives the number of a column's distinct values. If `distinct` returns `None`, so
    /// does this function.
    pub(crate) fn columns(
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

    /// The first column with a valid split, in the order of the rule, and its best split. `None` if
    /// no column has one, or if the pool is stopped.
    pub(crate) fn choose(
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

/// A region that may be split further, and the column to try first.
struct Task<'t> {
    part: Part<'t>,
    first: usize,
}

/// A callback for each region that is not split further. It is called on any core.
type Settled<'a> = dyn Fn(&Part) + Sync + 'a;

/// The regions during a search. They are a valid release at any moment.
///
/// Regions wait in a queue. A *wave* takes the first regions of the queue and gives each a task
/// with a limited amount of work, on all cores. The regions that remain when the work is done wait
/// again. So the regions after a number of waves depend only on the problem, not on the number of
/// cores.
pub(crate) struct Splitting<'a, 't> {
    problem: &'a Problem,
    boxes: &'a BoxRules,
    rules: Rules,
    pool: &'a WorkerPool<'a>,
    waiting: VecDeque<Task<'t>>,
    /// The regions that are not split further.
    settled: Starts,
    /// The number of combinations in the settled regions.
    done: u64,
    /// The number of all combinations.
    rows: usize,
}

/// The result of a task.
struct Outcome<'t> {
    /// The regions that are not split further.
    settled: Starts,
    /// The number of combinations in the settled regions.
    done: u64,
    /// The regions that may be split further.
    left: Vec<Task<'t>>,
    /// The work of the task, in combinations.
    work: u64,
}

/// The regions at one moment: the number of settled regions, and the others.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    settled: usize,
    waiting: Starts,
}

impl<'a, 't> Splitting<'a, 't> {
    /// Starts with all rows of a feasible problem in one region, or in one region for each
    /// combination of the coarsest permitted labels.
    pub(crate) fn new(
        problem: &'a Problem,
        boxes: &'a BoxRules,
        rules: Rules,
        rows: TableRows<'t>,
        pool: &'a WorkerPool<'a>,
    ) -> Self {
        let count = rows.len();
        let everything = Part::of(rows, problem.histogram().total(), boxes);
        let waiting = blocks(problem, boxes, everything).into_iter();
        let waiting = waiting.map(|part| Task { part, first: 0 }).collect();
        Self { problem, boxes, rules, pool, waiting, settled: Starts::default(), done: 0, rows: count }
    }

    /// Whether no region can be split further.
    pub(crate) fn is_over(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The number of combinations whose region is settled.
    fn progress(&self) -> Step {
        Step::of(self.done, self.rows as u64)
    }

    /// Runs waves until their work reaches one counted step, or until `gives_up` returns true.
    /// Breaks if the pool is stopped.
    pub(crate) fn step(
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

    /// Runs one wave, whose tasks do at most one step of work each, and returns its work. If the
    /// pool is stopped, it breaks and leaves regions unsplit.
    fn wave(&mut self, step: u64, settled: &Settled) -> ControlFlow<(), u64> {
        let most = TASK.max((self.rows / SHARE) as u64).min(step);
        let count = self.next(most);
        let tasks: Vec<Task> = self.waiting.drain(..count).collect();
        let Self { problem, boxes, rules, pool, .. } = *self;
        let splitter = || Splitter::new(problem, boxes, rules.value);
        let way = Way { problem, boxes, rules, pool };
        let split = |splitter: &mut Splitter, task| way.split_down(splitter, task, most, settled);
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

    /// The number of waiting regions for the next wave, given the most work of a task. The wave
    /// needs enough tasks to fill it, and enough to keep other cores busy while one core splits the
    /// largest region.
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

    /// The regions at this moment.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut waiting = Starts::default();
        self.waiting.iter().for_each(|task| waiting.push(&task.part));
        Snapshot { settled: self.settled.rows.len(), waiting }
    }

    /// The regions at an earlier moment.
    pub(crate) fn starts_at(mut self, mut moment: Snapshot) -> Starts {
        self.settled.truncate(moment.settled);
        self.settled.append(&mut moment.waiting);
        self.settled
    }

    /// The regions at this moment.
    pub(crate) fn starts(self) -> Starts {
        let now = self.snapshot();
        self.starts_at(now)
    }
}

/// How regions are split, which all cores share.
struct Way<'a> {
    problem: &'a Problem,
    boxes: &'a BoxRules,
    rules: Rules,
    pool: &'a WorkerPool<'a>,
}

impl Way<'_> {
    /// Splits a region and its parts until no part can be split, or until the work is done.
    fn split_down<'t>(
        &self,
        splitter: &mut Splitter,
        task: Task<'t>,
        most: u64,
        settled: &Settled,
    ) -> Outcome<'t> {
        let Self { problem, boxes, rules, pool } = *self;
        let width = problem.quasi().len();
        let mut outcome = Outcome { settled: Starts::default(), done: 0, left: vec![task], work: 0 };
        // An explicit stack, because `FirstSplit` can make trees as deep as the number of regions.
        while outcome.work < most && pool.go_on().is_continue() {
            let Some(Task { mut part, first }) = outcome.left.pop() else { break };
            outcome.work += part.len() as u64;
            let cut = rules.choose(width, splitter, &mut part, first, pool);
            let Some((column, split)) = cut else {
                if pool.go_on().is_continue() {
                    settled(&part);
                }
                outcome.settled.push(&part);
                outcome.done += part.len() as u64;
                continue;
            };
            let parts = part.divide(problem, boxes, column, split);
            let first = (column + 1) % width;
            outcome.left.extend(parts.into_iter().map(|part| Task { part, first }));
        }
        outcome
    }
}

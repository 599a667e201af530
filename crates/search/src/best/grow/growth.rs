//! A tree grown in counted steps. After each step it is a valid release, and the same number of
//! steps gives the same tree.
//!
//! The parts that may be split wait in a queue. A step takes parts with a certain amount of work,
//! which is measured in rows and columns, not in time. It splits large parts once and grows small
//! ones completely, on all cores. The results enter the tree only at the end of the step, so that a
//! stopped step changes nothing.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::grower::{Grower, Split, Task};
use super::improve::Contender;
use super::tree::Tree;
use crate::best::block::extents::published_extents;
use crate::best::frame::{Cost, Frame};
use crate::best::setting::Setting;
use crate::control::worker_pool::WorkerPool;
use crate::regions::column_table::{ColumnTable, TableRows};
use palmtop_core::model::{Counts, CutBox};

/// The largest work of a small table.
const SMALL: u64 = 1 << 21;
/// The largest work of a part that is grown completely. A larger part is split once.
const PART: u64 = 1 << 18;
/// The least work of a step, if there is as much: about ten milliseconds.
const STEP: u64 = 1 << 23;

/// A tree under construction.
pub(crate) struct Growth {
    table: ColumnTable,
    tree: Tree,
    setting: Setting,
    waiting: VecDeque<Task>,
}

/// The result of a step for one part.
enum Outcome {
    /// The part cannot be split.
    Region,
    Parts(Split),
    Grown(Tree),
}

/// The work for some rows, in words of signatures: see [`Block`](crate::best::block::Block).
pub(crate) fn work(frame: &Frame, rows: usize) -> u64 {
    let bits: u64 = frame.leaves.iter().map(|&leaves| leaves.min(64) as u64).sum();
    rows as u64 * frame.width() as u64 * bits.div_ceil(64)
}

/// Whether the table is so small that a dozen trees are grown in a moment.
pub(crate) fn is_small(frame: &Frame, rows: usize) -> bool {
    work(frame, rows) <= SMALL
}

impl Growth {
    /// A tree with all combinations in one region, or in the blocks of coarsest permitted labels.
    pub(crate) fn new(
        frame: &Frame,
        mut table: ColumnTable,
        total: Counts,
        setting: Setting,
        seed: u64,
    ) -> Self {
        let start = frame.boxes.start();
        let mut tree = Tree::new(frame.extent_count(), table.rows().len(), total, start.as_ref());
        let blocks = frame.blocks(&mut table);
        let root = Task { node: 0, seed };
        let mut waiting = VecDeque::new();
        if blocks.len() < 2 {
            let extents = published_extents(frame, &table.rows(), start.as_ref());
            tree.settle(0, &extents, 0.0);
            waiting.push_back(root);
        } else {
            let mut start = 0;
            for (index, node) in tree.split_root(&blocks).into_iter().enumerate() {
                let (length, counts, ref cut_box) = blocks[index];
                let mut rows = table.rows();
                let rows = rows.part(start..start + length);
                let extents = published_extents(frame, &rows, cut_box.as_ref());
                tree.settle(node, &extents, 0.0);
                if counts.private > 0 {
                    waiting.push_back(root.below(node, index));
                }
                start += length;
            }
        }
        Self { table, tree, setting, waiting }
    }

    /// Whether no part can be split.
    pub(crate) fn is_over(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The tree in its current state, ready for the rounds.
    pub(crate) fn finish(mut self, frame: &Frame) -> Contender {
        let pull = frame.pull(&Cost::none(frame.extent_count()));
        self.tree.weigh(|counts, extents| frame.weight(&pull, counts, extents));
        Contender::new(frame, self.table, self.tree, self.setting)
    }

    /// The number of parts at the front of the queue whose work reaches `least`, and their work.
    fn next(&self, frame: &Frame, least: u64) -> (usize, u64) {
        let mut taken = 0;
        for (count, task) in self.waiting.iter().enumerate() {
            if taken >= least {
                return (count, taken);
            }
            let rows = self.tree.node(task.node).len();
            // A small part is grown completely: about as many splits as its rows can be halved.
            let part_work = work(frame, rows);
            taken += if part_work <= PART { part_work * u64::from(rows.max(2).ilog2()) } else { part_work };
        }
        (self.waiting.len(), taken)
    }
}

/// Runs one step of several trees, in their order. If it is stopped, it changes nothing.
pub(crate) fn step(growths: &mut [Growth], frame: &Frame, pool: &WorkerPool) -> ControlFlow<()> {
    let pull = frame.pull(&Cost::none(frame.extent_count()));
    let rows = growths.iter().map(|growth| growth.tree.node(0).len()).max().unwrap_or(0);
    // On a large table, a step is about one split of all rows, because only then all cores are
    // busy.
    let mut left = STEP.max(work(frame, rows));
    let mut parts: Vec<(usize, Task, Setting, GrowthPart, TableRows)> = Vec::new();
    let mut counts = Vec::new();
    for (number, growth) in growths.iter_mut().enumerate() {
        let (count, taken) = if left > 0 { growth.next(frame, left) } else { (0, 0) };
        left = left.saturating_sub(taken);
        counts.push(count);
        let Growth { table, tree, setting, waiting } = growth;
        // Rows can only be borrowed in their order.
        let mut tasks: Vec<Task> = waiting.iter().take(count).copied().collect();
        tasks.sort_unstable_by_key(|task| tree.node(task.node).rows().start);
        let mut rest = table.rows();
        let mut before = 0;
        for task in tasks {
            let node = tree.node(task.node);
            let (rows, remainder) = rest.split_at(node.rows().start - before).1.split_at(node.len());
            (rest, before) = (remainder, node.rows().end);
            let part = (node.counts, tree.cut_box(task.node).cloned());
            parts.push((number, task, *setting, part, rows));
        }
    }
    let outcomes: Option<Vec<(usize, Task, Outcome)>> = parts
        .into_par_iter()
        .map(|(number, task, setting, part, rows)| {
            let mut grower = Grower::new(frame, &pull, pool);
            let outcome = outcome(&mut grower, frame, task, setting, part, rows);
            outcome.continue_value().map(|outcome| (number, task, outcome))
        })
        .collect();
    pool.go_on()?;
    let Some(outcomes) = outcomes else { return ControlFlow::Break(()) };
    for (growth, count) in growths.iter_mut().zip(counts) {
        growth.waiting.drain(..count);
    }
    for (number, task, outcome) in outcomes {
        growths[number].take(task, outcome);
    }
    ControlFlow::Continue(())
}

/// The counts of some rows, and their cut box if terms are limited.
type GrowthPart = (Counts, Option<CutBox>);

/// The result of a step for some rows.
fn outcome(
    grower: &mut Grower,
    frame: &Frame,
    task: Task,
    setting: Setting,
    part: GrowthPart,
    mut rows: TableRows,
) -> ControlFlow<(), Outcome> {
    let (counts, cut_box) = part;
    if work(frame, rows.len()) <= PART {
        let mut tree = Tree::new(frame.extent_count(), rows.len(), counts, cut_box.as_ref());
        grower.grow(&mut tree, rows, setting, task.seed)?;
        return ControlFlow::Continue(Outcome::Grown(tree));
    }
    let split = grower.split(&mut rows, counts, cut_box.as_ref(), setting, task.seed)?;
    ControlFlow::Continue(split.map_or(Outcome::Region, Outcome::Parts))
}

impl Growth {
    /// Enters the result for a part into the tree.
    fn take(&mut self, task: Task, outcome: Outcome) {
        match outcome {
            Outcome::Region => {}
            Outcome::Grown(tree) => self.tree.graft(task.node, &tree),
            Outcome::Parts(Split { parts, extents }) => {
                let children = self.tree.split_into(task.node, &parts);
                for (index, (node, extents)) in children.into_iter().zip(extents).enumerate() {
                    self.tree.settle(node, &extents, 0.0);
                    if parts[index].1.private > 0 {
                        self.waiting.push_back(task.below(node, index));
                    }
                }
            }
        }
    }
}

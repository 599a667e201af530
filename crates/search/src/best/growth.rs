//! A tree grown in counted steps: after each of them it is a valid release, and the same number of steps gives the same.
//!
//! Parts that wait to be split stand in a queue. A step takes so much of it, counted in rows and columns and not in time,
//! splits large parts once and grows small ones to their end, on as many cores as there are. What a step does to a part
//! is put into the tree only when the whole step is over, so one that is stopped midway changes nothing.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::super::column_table::{ColumnTable, TableRows};
use super::super::worker_pool::WorkerPool;
use super::cut::ones;
use super::frame::{Cost, Frame};
use super::grow::{Grower, Split, Task};
use super::improve::Contender;
use super::setting::Setting;
use super::tree::Tree;
use palmtop_core::model::size::number;
use palmtop_core::model::{Code, Counts};

/// A table of at most so much work is small.
const SMALL: u64 = 1 << 21;
/// A part of at most so much work is grown to its end at once; a larger one is split once.
const PART: u64 = 1 << 18;
/// How much work a step takes on at least, where there is so much: some ten milliseconds.
const STEP: u64 = 1 << 23;

/// A tree in the making.
pub(super) struct Growth {
    table: ColumnTable,
    tree: Tree,
    setting: Setting,
    waiting: VecDeque<Task>,
}

/// What a step makes of a part.
enum Outcome {
    /// It stays a region.
    Region,
    Parts(Split),
    Grown(Tree),
}

/// How much work rows are, in words of signatures: see [`Block`](super::block::Block).
pub(super) fn work(frame: &Frame, rows: usize) -> u64 {
    let bits: u64 = frame.leaves.iter().map(|&leaves| leaves.min(64) as u64).sum();
    rows as u64 * frame.width() as u64 * bits.div_ceil(64)
}

/// Whether all rows are so few that a dozen trees are grown in a moment.
pub(super) fn is_small(frame: &Frame, rows: usize) -> bool {
    work(frame, rows) <= SMALL
}

impl Growth {
    /// All combinations in one region, or in the coarsest that may be published.
    pub(super) fn new(
        frame: &Frame,
        mut table: ColumnTable,
        total: Counts,
        setting: Setting,
        seed: u64,
    ) -> Self {
        let mut tree = Tree::new(frame.width(), table.rows().len(), total);
        let blocks = frame.blocks(&mut table);
        let root = Task { node: 0, seed };
        let mut waiting = VecDeque::new();
        if blocks.len() < 2 {
            let extents = extents_of(frame, &table.rows());
            tree.settle(0, &extents, 0.0);
            waiting.push_back(root);
        } else {
            let mut start = 0;
            for (place, node) in tree.split_root(&blocks).into_iter().enumerate() {
                let (length, counts) = blocks[place];
                let extents = extents_of(frame, &table.rows().part(start..start + length));
                tree.settle(node, &extents, 0.0);
                if counts.private > 0 {
                    waiting.push_back(root.below(node, place));
                }
                start += length;
            }
        }
        Self { table, tree, setting, waiting }
    }

    /// Whether nothing waits any more.
    pub(super) fn is_over(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The tree as it is, ready for rounds.
    pub(super) fn finish(mut self, frame: &Frame) -> Contender {
        let pull = frame.pull(&Cost::none(frame.width()));
        self.tree.weigh(|counts, extents| frame.weight(&pull, counts, extents));
        Contender::new(frame, self.table, self.tree, self.setting)
    }

    /// The metric of the tree as it is.
    pub(super) fn value(&self, frame: &Frame) -> f64 {
        frame.value(&self.tree.cost(0))
    }

    /// The first that wait, as many as are at least so much work; and how much they are.
    fn next(&self, frame: &Frame, least: u64) -> (usize, u64) {
        let mut taken = 0;
        for (count, task) in self.waiting.iter().enumerate() {
            if taken >= least {
                return (count, taken);
            }
            let rows = self.tree.node(task.node).len();
            // Grown to its end, it is split as often as its rows can be halved.
            let own = work(frame, rows);
            taken += if own <= PART { own * u64::from(rows.max(2).ilog2()) } else { own };
        }
        (self.waiting.len(), taken)
    }
}

/// Does one step of several trees, the first of them first. Stopped, it changes nothing.
pub(super) fn step(growths: &mut [Growth], frame: &Frame, pool: &WorkerPool) -> ControlFlow<()> {
    let pull = frame.pull(&Cost::none(frame.width()));
    let rows = growths.iter().map(|growth| growth.tree.node(0).len()).max().unwrap_or(0);
    // Of a table that is much work itself, a step is about one split of all rows: only so are all cores busy.
    let mut left = STEP.max(work(frame, rows));
    let mut parts: Vec<(usize, Task, Setting, Counts, TableRows)> = Vec::new();
    let mut counts = Vec::new();
    for (number, growth) in growths.iter_mut().enumerate() {
        let (count, taken) = if left > 0 { growth.next(frame, left) } else { (0, 0) };
        left = left.saturating_sub(taken);
        counts.push(count);
        let Growth { table, tree, setting, waiting } = growth;
        // Rows can be lent out in their order only.
        let mut tasks: Vec<Task> = waiting.iter().take(count).copied().collect();
        tasks.sort_unstable_by_key(|task| tree.node(task.node).rows().start);
        let mut rest = table.rows();
        let mut before = 0;
        for task in tasks {
            let node = tree.node(task.node);
            let (own, behind) = rest.split_at(node.rows().start - before).1.split_at(node.len());
            (rest, before) = (behind, node.rows().end);
            parts.push((number, task, *setting, node.counts, own));
        }
    }
    let outcomes: Option<Vec<(usize, Task, Outcome)>> = parts
        .into_par_iter()
        .map(|(number, task, setting, counts, rows)| {
            let mut grower = Grower::new(frame, &pull, pool);
            let outcome = outcome(&mut grower, frame, task, setting, counts, rows);
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

/// What becomes of some rows.
fn outcome(
    grower: &mut Grower,
    frame: &Frame,
    task: Task,
    setting: Setting,
    counts: Counts,
    mut rows: TableRows,
) -> ControlFlow<(), Outcome> {
    if work(frame, rows.len()) <= PART {
        let mut tree = Tree::new(frame.width(), rows.len(), counts);
        grower.grow(&mut tree, rows, setting, task.seed)?;
        return ControlFlow::Continue(Outcome::Grown(tree));
    }
    let split = grower.split(&mut rows, counts, setting, task.seed)?;
    ControlFlow::Continue(split.map_or(Outcome::Region, Outcome::Parts))
}

impl Growth {
    /// Puts what became of a part into the tree.
    fn take(&mut self, task: Task, outcome: Outcome) {
        match outcome {
            Outcome::Region => {}
            Outcome::Grown(tree) => self.tree.graft(task.node, &tree),
            Outcome::Parts(Split { parts, extents }) => {
                let children = self.tree.split_into(task.node, &parts);
                for (place, (node, extents)) in children.into_iter().zip(extents).enumerate() {
                    self.tree.settle(node, &extents, 0.0);
                    if parts[place].1.private > 0 {
                        self.waiting.push_back(task.below(node, place));
                    }
                }
            }
        }
    }
}

/// The extents of the box around some rows.
pub(super) fn extents_of(frame: &Frame, rows: &TableRows) -> Vec<u32> {
    let mut lows = vec![Code::MAX; frame.width()];
    let mut highs = vec![0; frame.width()];
    let mut seen: Vec<Vec<u64>> = frame
        .leaves
        .iter()
        .zip(&frame.ordered)
        .map(|(leaves, ordered)| if *ordered { Vec::new() } else { vec![0; leaves.div_ceil(64)] })
        .collect();
    for (codes, _) in rows.iter() {
        for (column, &code) in codes.iter().enumerate() {
            if frame.ordered[column] {
                (lows[column], highs[column]) = (lows[column].min(code), highs[column].max(code));
            } else {
                seen[column][(code >> 6) as usize] |= 1 << (code & 63);
            }
        }
    }
    let extent = |column: usize| {
        if let Some(tree) = &frame.trees[column] {
            return tree.extent_around(rows.iter().map(|(codes, _)| codes[column]));
        }
        if frame.ordered[column] {
            if lows[column] > highs[column] { 0 } else { frame.range(column, lows[column], highs[column]) }
        } else if frame.before[column].is_none() {
            seen[column].iter().map(|word| word.count_ones()).sum::<u32>().saturating_sub(1)
        } else {
            let words = (0..).step_by(64).zip(&seen[column]);
            let codes = words.flat_map(|(base, &word)| ones(word).map(move |bit| base + number(bit)));
            codes.map(|code| frame.size(column, code)).sum::<u32>().saturating_sub(1)
        }
    };
    (0..frame.width()).map(extent).collect()
}

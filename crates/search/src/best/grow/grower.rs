//! Greedy growth of a tree: rows are cut, over all columns and values, while every part keeps δ.

use std::ops::ControlFlow;

use super::tree::Tree;
use crate::best::block::extents::{add_terms, published_extents, widen_block};
use crate::best::cut::Cutter;
use crate::best::exact::mix;
use crate::best::frame::Frame;
use crate::best::frame::TreePart;
use crate::best::setting::Setting;
use crate::control::worker_pool::WorkerPool;
use crate::regions::column_table::TableRows;
use palmtop_core::model::{Counts, CutBox};

/// A part gets a block of its own, with new bins, if its block has more than this many times its
/// rows.
const SHRUNK: usize = 8;
/// Blocks with at most this many rows are not divided.
const SMALL: usize = 128;

/// Grows one tree after another, and reuses its buffers.
pub(crate) struct Grower<'a> {
    cutter: Cutter<'a>,
    /// The weight of the regions made so far.
    spent: f64,
    /// The weight above which a tree is abandoned.
    limit: f64,
    extents: Vec<u32>,
}

/// A part that may be split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) node: usize,
    pub(crate) seed: u64,
}

impl Task {
    /// The task for the part with this index of this task's split.
    pub(crate) fn below(self, node: usize, part: usize) -> Self {
        let seed = match part {
            0 => mix(self.seed),
            1 => mix(!self.seed),
            part => mix(mix(!self.seed).wrapping_add(part as u64)),
        };
        Self { node, seed }
    }
}

/// The parts of a split.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) parts: Vec<TreePart>,
    /// The extents of the box around each part.
    pub(crate) extents: Vec<Vec<u32>>,
}

impl<'a> Grower<'a> {
    /// A grower for a problem. `pull` is the weight of one more leaf of a row in each column.
    pub(crate) fn new(frame: &'a Frame, pull: &'a [f64], pool: &'a WorkerPool<'a>) -> Self {
        let extents = vec![0; frame.extent_count()];
        Self { cutter: Cutter::new(frame, pull, pool), spent: 0.0, limit: f64::INFINITY, extents }
    }

    /// Grows a tree over some rows from its root, and orders the rows as its regions. Breaks if it
    /// is stopped.
    pub(crate) fn grow(
        &mut self,
        tree: &mut Tree,
        rows: TableRows,
        setting: Setting,
        seed: u64,
    ) -> ControlFlow<()> {
        if self.grow_below(tree, rows, setting, seed, f64::INFINITY) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Splits rows once, and moves the rows of each part together; `None` if no split is valid.
    pub(crate) fn split(
        &mut self,
        rows: &mut TableRows,
        counts: Counts,
        cut_box: Option<&CutBox>,
        setting: Setting,
        seed: u64,
    ) -> ControlFlow<(), Option<Split>> {
        self.cutter.setting = setting;
        self.cutter.load(rows)?;
        let signature = self.cutter.block.all.clone();
        let split = if let Some(cut) = self.cutter.choose(rows, cut_box, 0, counts, &signature, seed)? {
            let bins = self.cutter.parts(cut, &signature);
            Some(self.cutter.divide(rows, cut_box, 0, cut, &bins))
        } else {
            self.cutter.fine(rows, counts, cut_box)?
        };
        let Some(parts) = split else { return ControlFlow::Continue(None) };
        let mut start = 0;
        let extents = parts.iter().map(|(length, _, cut_box)| {
            start += length;
            published_extents(self.cutter.frame, &rows.part(start - length..start), cut_box.as_ref())
        });
        let extents = extents.collect();
        ControlFlow::Continue(Some(Split { parts, extents }))
    }

    /// Grows a tree over a few rows, but abandons it if it weighs more than `limit`. Returns
    /// whether the tree is complete.
    pub(crate) fn grow_below(
        &mut self,
        tree: &mut Tree,
        mut rows: TableRows,
        setting: Setting,
        seed: u64,
        limit: f64,
    ) -> bool {
        (self.cutter.setting, self.spent, self.limit) = (setting, 0.0, limit);
        let mut blocks = vec![Task { node: 0, seed }];
        while let Some(task) = blocks.pop() {
            let here = tree.node(task.node);
            if self.grow_block(tree, task, rows.part(here.rows()), &mut blocks).is_break() {
                return false;
            }
        }
        true
    }

    /// Makes a node a region. Breaks if the tree weighs more than the limit.
    fn settle(
        &mut self,
        tree: &mut Tree,
        node: usize,
        signature: &[u64],
        rows: &TableRows,
    ) -> ControlFlow<()> {
        let mut extents = std::mem::take(&mut self.extents);
        self.cutter.block.extents(signature, rows, &mut extents);
        if let Some(cut_box) = tree.cut_box(node) {
            widen_block(self.cutter.frame, &self.cutter.block, signature, rows, cut_box, &mut extents);
        }
        add_terms(self.cutter.frame, rows, tree.cut_box(node), &mut extents);
        let weight = self.cutter.frame.weight(self.cutter.pull, tree.node(node).counts, &extents);
        tree.settle(node, &extents, weight);
        self.extents = extents;
        self.spent += weight;
        if self.spent > self.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Grows a tree within one block. Parts that are too small or too fine for the block are added
    /// to `blocks`.
    fn grow_block(
        &mut self,
        tree: &mut Tree,
        root: Task,
        mut rows: TableRows,
        blocks: &mut Vec<Task>,
    ) -> ControlFlow<()> {
        self.cutter.load(&rows)?;
        let (start, words) = (tree.node(root.node).rows().start, self.cutter.block.words);
        let mut tasks = vec![root];
        let mut signatures = self.cutter.block.all.clone();
        let mut signature = self.cutter.block.all.clone();
        while let Some(task) = tasks.pop() {
            signature.copy_from_slice(&signatures[signatures.len() - words..]);
            signatures.truncate(signatures.len() - words);
            let here = tree.node(task.node);
            if here.counts.private == 0 {
                continue;
            }
            let range = here.rows().start - start..here.rows().end - start;
            if rows.len() > SMALL && range.len() * SHRUNK < rows.len() {
                blocks.push(task);
                continue;
            }
            let mut part = rows.part(range.clone());
            let cut_box = tree.cut_box(task.node);
            let Some(cut) =
                self.cutter.choose(&part, cut_box, range.start, here.counts, &signature, task.seed)?
            else {
                if !self.cutter.is_coarse() {
                    self.settle(tree, task.node, &signature, &part)?;
                } else if task.node != root.node {
                    blocks.push(task);
                } else if let Some(parts) = self.cutter.fine(&mut part, here.counts, cut_box)? {
                    let children = tree.split_into(task.node, &parts).into_iter();
                    blocks.extend(children.map(|node| Task { node, seed: mix(task.seed) }));
                } else {
                    self.settle(tree, task.node, &signature, &part)?;
                }
                continue;
            };
            let bins = self.cutter.parts(cut, &signature);
            let parts = self.cutter.divide(&mut part, cut_box, range.start, cut, &bins);
            let children = tree.split_into(task.node, &parts);
            for (index, (&node, &bins)) in children.iter().zip(&bins).enumerate().rev() {
                self.cutter.join(cut.column, bins, &mut signatures);
                tasks.push(task.below(node, index));
            }
        }
        ControlFlow::Continue(())
    }
}

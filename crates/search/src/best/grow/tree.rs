//! A tree of splits, whose leaves are the regions. Its parts can be grown again.

use std::ops::Range;

use crate::best::frame::{Cost, TreePart};
use palmtop_core::model::size::number;
use palmtop_core::model::{Counts, CutBox};

/// Consecutive rows, which may be split in two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TreeNode {
    start: u32,
    end: u32,
    pub(crate) counts: Counts,
    parent: u32,
    /// Both children; `None` for a region.
    children: Option<[u32; 2]>,
    /// Whether the node unites several parts of a split into more than two. It cannot be a region.
    is_rest: bool,
    /// The weight of its regions together ([`Frame::weight`](crate::best::frame::Frame::weight)).
    pub(crate) weight: f64,
}

impl TreeNode {
    fn of(start: u32, end: u32, counts: Counts, parent: u32) -> Self {
        Self { start, end, counts, parent, children: None, is_rest: false, weight: 0.0 }
    }

    /// The rows of the node.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the node may be a region, so that it may be grown again.
    pub(crate) fn may_be_region(&self) -> bool {
        !self.is_rest
    }

    /// Both children; `None` for a region.
    pub(crate) fn children(&self) -> Option<[usize; 2]> {
        self.children.map(|children| children.map(|child| child as usize))
    }
}

/// A binary tree of splits. Node 0 is the root.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    extent_count: usize,
    nodes: Vec<TreeNode>,
    /// The extents of each node's box, `extent_count` numbers each. Only those of regions with members are
    /// valid.
    extents: Vec<u32>,
    /// The cut box of each node; empty if no column has a limit of terms. Those of nodes that cannot be
    /// regions are not valid.
    boxes: Vec<CutBox>,
    free: Vec<u32>,
}

impl Tree {
    /// A tree with only a root, whose cut box is given if terms are limited.
    pub(crate) fn new(extent_count: usize, rows: usize, counts: Counts, cut_box: Option<&CutBox>) -> Self {
        let root = TreeNode::of(0, number(rows), counts, 0);
        let boxes = cut_box.into_iter().cloned().collect();
        Self { extent_count, nodes: vec![root], extents: vec![0; extent_count], boxes, free: Vec::new() }
    }

    /// The cut box of a node; `None` if no column has a limit of terms.
    pub(crate) fn cut_box(&self, node: usize) -> Option<&CutBox> {
        self.boxes.get(node)
    }

    /// The cut boxes of the regions at and below a node, in the order of their rows.
    pub(crate) fn boxes(&self, node: usize) -> impl Iterator<Item = &CutBox> {
        self.leaves(node).filter_map(|leaf| self.cut_box(leaf))
    }

    pub(crate) fn node(&self, node: usize) -> TreeNode {
        self.nodes[node]
    }

    /// Resets the tree to a root only, and keeps its memory.
    pub(crate) fn reset(&mut self, rows: usize, counts: Counts, cut_box: Option<&CutBox>) {
        self.nodes.clear();
        self.extents.clear();
        self.boxes.clear();
        self.free.clear();
        self.boxes.extend(cut_box.cloned());
        self.add(TreeNode::of(0, number(rows), counts, 0));
    }

    /// Makes a node a region: stores the extents of its box and its weight.
    pub(crate) fn settle(&mut self, node: usize, extents: &[u32], weight: f64) {
        self.extents[node * self.extent_count..(node + 1) * self.extent_count].copy_from_slice(extents);
        self.nodes[node].weight = weight;
    }

    /// Weighs every region, and every node by its regions.
    pub(crate) fn weigh(&mut self, weight: impl Fn(Counts, &[u32]) -> f64) {
        // In this order, children come after their parents.
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.extend(self.node(node).children().into_iter().flatten());
            next += 1;
        }
        for &node in order.iter().rev() {
            let here = self.nodes[node];
            self.nodes[node].weight = match here.children() {
                Some([left, right]) => self.nodes[left].weight + self.nodes[right].weight,
                None => weight(
                    here.counts,
                    &self.extents[node * self.extent_count..(node + 1) * self.extent_count],
                ),
            };
        }
    }

    /// Splits a region after its first `left` rows, and returns both halves.
    pub(crate) fn split(&mut self, node: usize, left: usize, counts: [Counts; 2]) -> [usize; 2] {
        let TreeNode { start, end, .. } = self.nodes[node];
        let middle = start + number(left);
        let parent = number(node);
        let children = [(start, middle, counts[0]), (middle, end, counts[1])]
            .map(|(start, end, counts)| self.add(TreeNode::of(start, end, counts, parent)));
        self.nodes[node].children = Some(children.map(number));
        children
    }

    /// Splits a region into two or more parts, and returns them. The nodes in between cannot be regions.
    pub(crate) fn split_into(&mut self, node: usize, parts: &[TreePart]) -> Vec<usize> {
        let mut children = Vec::with_capacity(parts.len());
        let mut rest = node;
        for (index, &(rows, counts, _)) in parts.iter().enumerate().take(parts.len() - 1) {
            let remaining = parts[index + 1..].iter().map(|&(_, counts, _)| counts).sum();
            let [child, next] = self.split(rest, rows, [counts, remaining]);
            self.nodes[next].is_rest = index + 2 < parts.len();
            children.push(child);
            rest = next;
        }
        children.push(rest);
        for (&child, (.., cut_box)) in children.iter().zip(parts) {
            if let Some(cut_box) = cut_box {
                self.boxes[child] = cut_box.clone();
            }
        }
        children
    }

    /// Splits the root into parts that no region may unite.
    pub(crate) fn split_root(&mut self, parts: &[TreePart]) -> Vec<usize> {
        self.nodes[0].is_rest = true;
        self.split_into(0, parts)
    }

    fn add(&mut self, node: TreeNode) -> usize {
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index as usize;
        }
        self.nodes.push(node);
        self.extents.resize(self.nodes.len() * self.extent_count, 0);
        if let Some(root) = self.boxes.first().filter(|_| self.boxes.len() < self.nodes.len()) {
            self.boxes.push(root.clone());
        }
        self.nodes.len() - 1
    }

    /// Replaces a node by another tree over as many rows.
    pub(crate) fn graft(&mut self, node: usize, other: &Self) {
        let mut old: Vec<u32> = self.nodes[node].children.into_iter().flatten().collect();
        while let Some(below) = old.pop() {
            old.extend(self.nodes[below as usize].children.into_iter().flatten());
            self.free.push(below);
        }
        self.nodes[node].children = None;
        let change = other.nodes[0].weight - self.nodes[node].weight;
        let mut above = node;
        while above != 0 {
            above = self.nodes[above].parent as usize;
            self.nodes[above].weight += change;
        }
        self.take_over(node, other, 0);
    }

    /// A copy of a node and its descendants, with rows counted from 0.
    pub(crate) fn copy(&self, node: usize) -> Self {
        let here = self.nodes[node];
        let mut copy = Self::new(self.extent_count, here.len(), here.counts, self.cut_box(node));
        copy.take_over(0, self, node);
        copy
    }

    /// Splits a region as another tree splits a node over as many rows, recursively.
    fn take_over(&mut self, region: usize, other: &Self, node: usize) {
        let mut waiting = vec![(region, node)];
        while let Some((target, source)) = waiting.pop() {
            let source_node = other.nodes[source];
            self.settle(
                target,
                &other.extents[source * self.extent_count..(source + 1) * self.extent_count],
                source_node.weight,
            );
            if let Some([left, right]) = source_node.children() {
                let (left_child, right_child) = (other.nodes[left], other.nodes[right]);
                let [target_left, target_right] =
                    self.split(target, left_child.len(), [left_child.counts, right_child.counts]);
                self.nodes[target_right].is_rest = right_child.is_rest;
                for (target, source) in [(target_left, left), (target_right, right)] {
                    if let Some(cut_box) = other.cut_box(source) {
                        self.boxes[target] = cut_box.clone();
                    }
                }
                waiting.extend([(target_left, left), (target_right, right)]);
            }
        }
    }

    /// The regions at and below a node with the extents of their boxes, in the order of their rows.
    pub(crate) fn regions(&self, node: usize) -> impl Iterator<Item = (TreeNode, &[u32])> {
        let extents = |leaf: usize| &self.extents[leaf * self.extent_count..(leaf + 1) * self.extent_count];
        self.leaves(node).map(move |leaf| (self.nodes[leaf], extents(leaf)))
    }

    /// The nodes of the regions at and below a node, in the order of their rows.
    fn leaves(&self, node: usize) -> impl Iterator<Item = usize> {
        let mut waiting = vec![node];
        std::iter::from_fn(move || {
            loop {
                let next = waiting.pop()?;
                match self.nodes[next].children() {
                    Some([left, right]) => waiting.extend([right, left]),
                    None => return Some(next),
                }
            }
        })
    }

    /// The cost of the regions at and below a node.
    pub(crate) fn cost(&self, node: usize) -> Cost {
        let mut cost = Cost::none(self.extent_count);
        for (region, extents) in self.regions(node).filter(|(region, _)| region.counts.private > 0) {
            cost.add(region.counts, extents);
        }
        cost
    }
}

//! The regions as the leaves of a tree of splits, parts of which can be grown anew.

use std::ops::Range;

use super::frame::Cost;
use palmtop_core::model::Counts;
use palmtop_core::model::size::number;

/// Some rows next to each other, perhaps split in two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TreeNode {
    start: u32,
    end: u32,
    pub(super) counts: Counts,
    parent: u32,
    /// Both children; none where this is a region.
    children: Option<[u32; 2]>,
    /// Whether it is what several parts of a split are left: no region, as it may not stand for itself.
    is_rest: bool,
    /// What its regions weigh together ([`Frame::weight`](super::frame::Frame::weight)).
    pub(super) weight: f64,
}

impl TreeNode {
    fn of(start: u32, end: u32, counts: Counts, parent: u32) -> Self {
        Self { start, end, counts, parent, children: None, is_rest: false, weight: 0.0 }
    }

    /// Its rows.
    pub(super) fn rows(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it may be a region, and be grown anew: a part of a split, and not several of them.
    pub(super) fn stands(&self) -> bool {
        !self.is_rest
    }

    /// Both children; none where this is a region.
    pub(super) fn children(&self) -> Option<[usize; 2]> {
        self.children.map(|children| children.map(|child| child as usize))
    }
}

/// A tree of splits; its first node is the root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    width: usize,
    nodes: Vec<TreeNode>,
    /// The extents of each node's box, `width` a node; they mean something for regions with private people only.
    extents: Vec<u32>,
    free: Vec<u32>,
}

impl Tree {
    /// Only a root.
    pub(super) fn new(width: usize, rows: usize, counts: Counts) -> Self {
        let root = TreeNode::of(0, number(rows), counts, 0);
        Self { width, nodes: vec![root], extents: vec![0; width], free: Vec::new() }
    }

    pub(super) fn node(&self, node: usize) -> TreeNode {
        self.nodes[node]
    }

    /// Only a root again, with the room that it has.
    pub(super) fn reset(&mut self, rows: usize, counts: Counts) {
        self.nodes.clear();
        self.extents.clear();
        self.free.clear();
        self.add(TreeNode::of(0, number(rows), counts, 0));
    }

    /// Makes a node a region: notes the extents of its box and its weight.
    pub(super) fn settle(&mut self, node: usize, extents: &[u32], weight: f64) {
        self.extents[node * self.width..(node + 1) * self.width].copy_from_slice(extents);
        self.nodes[node].weight = weight;
    }

    /// Weighs every node by the regions below it, which may have been weighed in another way.
    pub(super) fn weigh(&mut self, weight: impl Fn(Counts, &[u32]) -> f64) {
        // Children come after their parents in this order.
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
                None => weight(here.counts, &self.extents[node * self.width..(node + 1) * self.width]),
            };
        }
    }

    /// Splits a region after its first `left` rows.
    pub(super) fn split(&mut self, node: usize, left: usize, counts: [Counts; 2]) -> [usize; 2] {
        let TreeNode { start, end, .. } = self.nodes[node];
        let middle = start + number(left);
        let parent = number(node);
        let children = [(start, middle, counts[0]), (middle, end, counts[1])]
            .map(|(start, end, counts)| self.add(TreeNode::of(start, end, counts, parent)));
        self.nodes[node].children = Some(children.map(number));
        children
    }

    /// Splits a region into parts of so many rows and these people, two at least; between it and them stand nodes that are no
    /// regions. Returns the parts.
    pub(super) fn split_into(&mut self, node: usize, parts: &[(usize, Counts)]) -> Vec<usize> {
        let mut children = Vec::with_capacity(parts.len());
        let mut rest = node;
        for (place, &(rows, counts)) in parts.iter().enumerate().take(parts.len() - 1) {
            let others = parts[place + 1..].iter().map(|&(_, counts)| counts).sum();
            let [child, next] = self.split(rest, rows, [counts, others]);
            self.nodes[next].is_rest = place + 2 < parts.len();
            children.push(child);
            rest = next;
        }
        children.push(rest);
        children
    }

    /// Splits the root into parts that no region holds two of, so that it is none itself.
    pub(super) fn split_root(&mut self, parts: &[(usize, Counts)]) -> Vec<usize> {
        self.nodes[0].is_rest = true;
        self.split_into(0, parts)
    }

    fn add(&mut self, node: TreeNode) -> usize {
        if let Some(place) = self.free.pop() {
            self.nodes[place as usize] = node;
            return place as usize;
        }
        self.nodes.push(node);
        self.extents.resize(self.nodes.len() * self.width, 0);
        self.nodes.len() - 1
    }

    /// Puts another tree, over as many rows, in a node's place.
    pub(super) fn graft(&mut self, node: usize, other: &Self) {
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

    /// A copy of a node and all below it, its rows counted from 0.
    pub(super) fn copy(&self, node: usize) -> Self {
        let here = self.nodes[node];
        let mut copy = Self::new(self.width, here.len(), here.counts);
        copy.take_over(0, self, node);
        copy
    }

    /// Splits a region as another tree splits a node over as many rows, and so on below.
    fn take_over(&mut self, region: usize, other: &Self, node: usize) {
        let mut waiting = vec![(region, node)];
        while let Some((own, theirs)) = waiting.pop() {
            let from = other.nodes[theirs];
            self.settle(own, &other.extents[theirs * self.width..(theirs + 1) * self.width], from.weight);
            if let Some([left, right]) = from.children() {
                let (left_twig, right_twig) = (other.nodes[left], other.nodes[right]);
                let [own_left, own_right] =
                    self.split(own, left_twig.len(), [left_twig.counts, right_twig.counts]);
                self.nodes[own_right].is_rest = right_twig.is_rest;
                waiting.extend([(own_left, left), (own_right, right)]);
            }
        }
    }

    /// The regions at and below a node, from left to right.
    pub(super) fn regions(&self, node: usize) -> impl Iterator<Item = (TreeNode, &[u32])> {
        let mut waiting = vec![node];
        std::iter::from_fn(move || {
            loop {
                let next = waiting.pop()?;
                match self.nodes[next].children() {
                    Some([left, right]) => waiting.extend([right, left]),
                    None => {
                        return Some((
                            self.nodes[next],
                            &self.extents[next * self.width..(next + 1) * self.width],
                        ));
                    }
                }
            }
        })
    }

    /// What the regions at and below a node cost.
    pub(super) fn cost(&self, node: usize) -> Cost {
        let mut cost = Cost::none(self.width);
        for (region, extents) in self.regions(node).filter(|(region, _)| region.counts.private > 0) {
            cost.add(region.counts, extents);
        }
        cost
    }
}

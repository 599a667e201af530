//! The shortest description of a set of occurring values, which is the only text that a release may have for the set.
//!
//! A second text for the same set could mark a person.

use std::collections::BTreeMap;

use palmtop_terms::Level;
use rustc_hash::FxHashMap;

use super::hierarchy::Hierarchy;
use super::leaves::{Leaf, Leaves};
use super::members::{joined, member};

/// The text of a set of occurring values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    pub(crate) text: String,
    pub(crate) form: Form,
}

/// The form of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A label or a value.
    Label,
    /// A union of this number of labels and values: `{A, B}`.
    Union(usize),
    /// A label without this number of labels and values below it: `L except {A, B}`.
    Exceptions(usize),
}

/// The tree of the occurring values of an attribute.
///
/// The leaves of the tree are the labels of its floor, which is the base level or a coarser one. Of several labels with
/// the same occurring values only the finest is a node.
#[derive(Debug)]
pub(crate) struct DescriptionTree<'a> {
    hierarchy: &'a Hierarchy,
    floor: Level,
    /// The leaves of the hierarchy that occur, ascending.
    occurring: Vec<Leaf>,
    /// For each occurring leaf the lowest node with the leaf.
    lowest: Vec<usize>,
    /// A node precedes its parent.
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    /// The level of the label.
    level: Level,
    /// The first occurring leaf.
    first: Leaf,
    /// The number of occurring leaves.
    size: usize,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// The nodes with leaves of a set.
struct Touched {
    /// For each node, the number of leaves of the set below it. No node is above the smallest one around the set.
    sizes: BTreeMap<usize, usize>,
    /// The smallest node around the set.
    around: usize,
}

impl<'a> DescriptionTree<'a> {
    /// Builds the tree. `occurs` states for each leaf of the hierarchy whether it occurs in P. O(leaves · levels).
    pub(crate) fn new(hierarchy: &'a Hierarchy, occurs: &[bool], floor: Level) -> Self {
        let occurring: Vec<Leaf> =
            (0..).zip(occurs).filter(|(_, occurs)| **occurs).map(|(leaf, _)| leaf).collect();
        let mut nodes: Vec<Node> = Vec::new();
        let mut lowest = Vec::new();
        // The highest node so far with each occurring leaf.
        let mut highest: Vec<usize> = Vec::new();
        for level in (floor.0..=hierarchy.top().0).map(Level) {
            let labels = hierarchy.groups(level);
            // For each label its number of leaves, and the distinct nodes below it.
            let mut found: FxHashMap<u32, (usize, Vec<usize>)> = FxHashMap::default();
            let mut order = Vec::new();
            for (index, &leaf) in occurring.iter().enumerate() {
                let (size, children) = found.entry(labels[leaf as usize]).or_insert_with(|| {
                    order.push(leaf);
                    (0, Vec::new())
                });
                *size += 1;
                if let Some(&child) = highest.get(index) {
                    children.push(child);
                }
            }
            let mut number = FxHashMap::default();
            for first in order {
                let label = labels[first as usize];
                let Some((size, mut children)) = found.remove(&label) else { continue };
                children.sort_unstable();
                children.dedup();
                let node = if let [same] = children[..] {
                    same
                } else {
                    for &child in &children {
                        nodes[child].parent = Some(nodes.len());
                    }
                    nodes.push(Node { level, first, size, parent: None, children });
                    nodes.len() - 1
                };
                number.insert(label, node);
            }
            highest = occurring.iter().map(|&leaf| number[&labels[leaf as usize]]).collect();
            if level == floor {
                lowest.clone_from(&highest);
            }
        }
        Self { hierarchy, floor, occurring, lowest, nodes }
    }

    /// The level of the leaves of the tree.
    pub(crate) fn floor(&self) -> Level {
        self.floor
    }

    /// The shortest description of the occurring leaves among `leaves`. `None` if there are none, or if they contain
    /// only a part of a label of the floor. The time depends on the size of the set, and not on that of the hierarchy.
    pub(crate) fn shortest(&self, leaves: &Leaves) -> Option<Description> {
        let touched = self.touched(leaves)?;
        let (sizes, around) = (&touched.sizes, touched.around);
        let is_inside = |node: usize| sizes.get(&node).is_some_and(|&size| size == self.nodes[node].size);
        if is_inside(around) {
            return Some(Description { text: self.text(around).to_owned(), form: Form::Label });
        }
        let is_largest = |node: &usize| {
            is_inside(*node) && self.nodes[*node].parent.is_none_or(|parent| !is_inside(parent))
        };
        let inside: Vec<usize> = sizes.keys().copied().filter(is_largest).collect();
        let union = || Description {
            text: format!("{{{}}}", self.members(inside.clone())),
            form: Form::Union(inside.len()),
        };
        let partial = || sizes.keys().copied().filter(|&node| !is_inside(node));
        let child_count: usize = partial().map(|node| self.nodes[node].children.len()).sum();
        // Every touched node except the one around the set is the child of a touched node that is not inside the set,
        // or lies below a node inside the set.
        let touched_children = partial().filter(|&node| node != around).count() + inside.len();
        let exception_count = child_count - touched_children;
        if 1 + exception_count > inside.len() {
            return Some(union());
        }
        let children = partial().flat_map(|node| &self.nodes[node].children);
        let outside: Vec<usize> = children.copied().filter(|child| !sizes.contains_key(child)).collect();
        let label = member(self.text(around));
        let exceptions = Description {
            text: format!("{label} except {{{}}}", self.members(outside)),
            form: Form::Exceptions(exception_count),
        };
        if 1 + exception_count < inside.len() {
            return Some(exceptions);
        }
        let union = union();
        let is_shorter = exceptions.text.chars().count() < union.text.chars().count();
        Some(if is_shorter { exceptions } else { union })
    }

    /// The lowest nodes of a set, each with its number of leaves in the set.
    fn lowest_nodes(&self, leaves: &Leaves) -> BTreeMap<usize, usize> {
        let mut counted = BTreeMap::new();
        for (first, last) in leaves.runs() {
            let begin = self.occurring.partition_point(|&leaf| leaf < first);
            let end = self.occurring.partition_point(|&leaf| leaf <= last);
            for &node in &self.lowest[begin..end] {
                *counted.entry(node).or_default() += 1;
            }
        }
        counted
    }

    /// The touched nodes of a set. `None` as for [`shortest`](Self::shortest).
    fn touched(&self, leaves: &Leaves) -> Option<Touched> {
        let mut waiting = self.lowest_nodes(leaves);
        if !waiting.iter().all(|(&node, &size)| self.nodes[node].size == size) {
            return None;
        }
        let total: usize = waiting.values().sum();
        let mut sizes = BTreeMap::new();
        while let Some((node, size)) = waiting.pop_first() {
            sizes.insert(node, size);
            if size == total {
                return Some(Touched { sizes, around: node });
            }
            *waiting.entry(self.nodes[node].parent?).or_default() += size;
        }
        None
    }

    fn text(&self, node: usize) -> &'a str {
        let Node { level, first, .. } = self.nodes[node];
        self.hierarchy.label_of(first, level)
    }

    /// The texts of nodes as members of a set, in the order of their first leaves.
    fn members(&self, mut nodes: Vec<usize>) -> String {
        nodes.sort_unstable_by_key(|&node| self.nodes[node].first);
        joined(nodes.into_iter().map(|node| self.text(node)))
    }
}

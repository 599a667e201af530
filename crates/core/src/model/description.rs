//! The shortest exact description of a set of values: a union of labels, or a label with exceptions.
//!
//! # Definition
//! The values of an attribute that occur in P are the leaves of a tree, whose inner nodes are the labels of
//! the hierarchy. A label that denotes the same occurring values as a finer one is left out. A set S of
//! occurring values is described by *terms*, which are nodes of this tree:
//!
//! - a union `{A, B}`: the largest nodes inside S. One node alone is written as itself;
//! - an exception `L except {A, B}`: the smallest node L around S, without the largest nodes inside L \ S.
//!
//! The shortest description has the fewest terms; L and each exception count as one. Of two with as many
//! terms, the one with fewer characters is shorter, then the union.
//!
//! # Positions
//! In the order of a depth-first walk, the values of each node have consecutive positions. A set is a list of
//! [`Intervals`] of positions.

use std::cmp::Ordering;

use super::hierarchy::{Code, Hierarchy, Level};
use super::problem::Problem;
use super::size;

/// Disjoint half-open ranges of positions, ascending, none adjacent to the next.
pub type Intervals = Vec<(u32, u32)>;

/// A label of a hierarchy: its level, and its number at that level.
pub type Term = (Level, u32);

/// A set of values in its shortest form. Terms are disjoint, in the order of their leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Description {
    /// One label.
    Label(Term),
    /// A union of labels.
    Union(Vec<Term>),
    /// A label without some labels below it.
    Except(Term, Vec<Term>),
}

/// The occurring values of one attribute with the labels that group them.
#[derive(Clone, Debug)]
pub struct DescriptionTree {
    /// The position of each leaf of the hierarchy. A leaf that does not occur has [`ABSENT`].
    position_of: Vec<u32>,
    /// For each position, the leaves at it, ascending. There are several if finer values must not be published.
    leaves: Vec<Vec<Code>>,
    /// The node of a position has the number of the position. The last node is the root.
    nodes: Vec<TreeNode>,
    /// Whether the order of positions is that of codes.
    is_in_code_order: bool,
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    low: u32,
    high: u32,
    parent: u32,
    term: Term,
    /// The least leaf of the node, by which terms are ordered.
    first: Code,
}

/// Disjoint nodes with the number of their values.
type Cover = (u32, Vec<usize>);

/// The position of a leaf that does not occur in P.
const ABSENT: u32 = u32::MAX;

impl DescriptionTree {
    /// The tree of a quasi-identifier over the values that occur in P, from the finest level that a region
    /// may publish upwards. O(leaves · levels · log leaves).
    pub fn of(problem: &Problem, attribute: usize) -> Self {
        let occurs = |code| problem.occurs(attribute, code);
        Self::over(problem.hierarchy(attribute), problem.region_floor(attribute), occurs)
    }

    /// The tree of a hierarchy from a level upwards, over the leaves for which `occurs` is true.
    pub fn over(hierarchy: &Hierarchy, finest: Level, occurs: impl Fn(Code) -> bool) -> Self {
        let levels: Vec<Level> = hierarchy.levels().filter(|level| *level >= finest).collect();
        let columns: Vec<&[u32]> = levels.iter().map(|&level| hierarchy.labels_of(level)).collect();
        let mut walk: Vec<Code> =
            (0..size::number(hierarchy.leaf_count())).filter(|&code| occurs(code)).collect();
        let path = |code: Code| columns.iter().rev().map(move |labels| labels[code as usize]);
        walk.sort_by(|&left, &right| path(left).cmp(path(right)).then(left.cmp(&right)));
        let mut tree = Self {
            position_of: vec![ABSENT; hierarchy.leaf_count()],
            leaves: Vec::new(),
            nodes: Vec::new(),
            is_in_code_order: walk.is_sorted(),
        };
        for same in walk.chunk_by(|&left, &right| columns[0][left as usize] == columns[0][right as usize]) {
            let position = size::number(tree.leaves.len());
            for &code in same {
                tree.position_of[code as usize] = position;
            }
            let term = (levels[0], columns[0][same[0] as usize]);
            tree.nodes.push(TreeNode {
                low: position,
                high: position + 1,
                parent: ABSENT,
                term,
                first: same[0],
            });
            tree.leaves.push(same.to_vec());
        }
        let mut row: Vec<usize> = (0..tree.leaves.len()).collect();
        for (&level, labels) in levels.iter().zip(&columns).skip(1) {
            row = tree.add_level(level, labels, &row);
        }
        tree
    }

    /// Adds the labels of a level above the nodes of a row, and returns the row of this level.
    fn add_level(&mut self, level: Level, labels: &[u32], row: &[usize]) -> Vec<usize> {
        let label_of = |node: &usize| labels[self.nodes[*node].first as usize];
        let groups: Vec<Vec<usize>> =
            row.chunk_by(|left, right| label_of(left) == label_of(right)).map(<[usize]>::to_vec).collect();
        let mut next = Vec::with_capacity(groups.len());
        for group in groups {
            let (Some(&first), Some(&last)) = (group.first(), group.last()) else { continue };
            if first == last {
                // The label denotes the same occurring values as the finer one.
                next.push(first);
                continue;
            }
            let parent = self.nodes.len();
            let leaf = group.iter().map(|&node| self.nodes[node].first).min().unwrap_or_default();
            let (low, high) = (self.nodes[first].low, self.nodes[last].high);
            let term = (level, labels[leaf as usize]);
            for &node in &group {
                self.nodes[node].parent = size::number(parent);
            }
            self.nodes.push(TreeNode { low, high, parent: ABSENT, term, first: leaf });
            next.push(parent);
        }
        next
    }

    /// The number of positions.
    pub fn len(&self) -> u32 {
        size::number(self.leaves.len())
    }

    /// Whether no value occurs.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// The position of an occurring leaf; `None` if the leaf does not occur.
    pub fn position(&self, code: Code) -> Option<u32> {
        self.position_of.get(code as usize).copied().filter(|&position| position != ABSENT)
    }

    /// All occurring values.
    pub fn all(&self) -> Intervals {
        if self.is_empty() { Vec::new() } else { vec![(0, self.len())] }
    }

    /// The set of some occurring leaves. Leaves that do not occur are ignored.
    pub fn set(&self, codes: impl IntoIterator<Item = Code>) -> Intervals {
        let mut positions: Vec<u32> = codes.into_iter().filter_map(|code| self.position(code)).collect();
        positions.sort_unstable();
        positions.dedup();
        joined(positions.into_iter().map(|position| (position, position + 1)))
    }

    /// The leaves of a set, ascending.
    pub fn codes(&self, set: &[(u32, u32)]) -> Vec<Code> {
        let positions = set.iter().flat_map(|&(low, high)| low..high);
        let mut codes: Vec<Code> =
            positions.flat_map(|position| self.leaves[position as usize].iter().copied()).collect();
        codes.sort_unstable();
        codes
    }

    /// The sets of values that the labels of the hierarchy denote: each node of the tree, the values first.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.nodes.iter().map(|node| (node.low, node.high))
    }

    /// The nodes around a position, from the value to the root.
    pub fn nodes_above(&self, position: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.above(position).map(|node| (node.low, node.high))
    }

    fn above(&self, position: u32) -> impl Iterator<Item = &TreeNode> {
        let first = self.nodes.get(position as usize).filter(|_| position < self.len());
        std::iter::successors(first, |node| self.nodes.get(node.parent as usize))
    }

    /// The occurring values of the label that a position has at a level. Below the finest level, the values at
    /// the position.
    pub fn under_label(&self, position: u32, level: Level) -> (u32, u32) {
        let under = self.above(position).take_while(|node| node.term.0 <= level || node.high - node.low == 1);
        under.last().map_or((position, position), |node| (node.low, node.high))
    }

    /// The occurring leaves below a leaf, in the order of codes.
    pub fn below(&self, code: Code) -> Intervals {
        if self.is_in_code_order {
            let position = self.leaves.partition_point(|leaves| leaves[0] < code);
            return joined(std::iter::once((0, size::number(position))).filter(|(low, high)| low < high));
        }
        self.set(0..code)
    }

    /// The least leaf at a position.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn leaf(&self, position: u32) -> Code {
        self.leaves[position as usize][0]
    }

    /// The label whose occurring values are exactly a set, the finest one.
    pub fn label(&self, set: &[(u32, u32)]) -> Option<Term> {
        match self.cover(set, 1)?.as_slice() {
            [only] => Some(self.nodes[*only].term),
            _ => None,
        }
    }

    /// The shortest description of a set that is not empty.
    pub fn describe(&self, hierarchy: &Hierarchy, set: &[(u32, u32)]) -> Description {
        let union = self.cover(set, usize::MAX).unwrap_or_default();
        if let [only] = union.as_slice() {
            return Description::Label(self.nodes[*only].term);
        }
        let around = self.around(set);
        let exceptions = self.cover(&self.rest(around, set), usize::MAX).unwrap_or_default();
        let united = || Description::Union(self.in_order(&union));
        let excepted = || Description::Except(self.nodes[around].term, self.in_order(&exceptions));
        match union.len().cmp(&(exceptions.len() + 1)) {
            Ordering::Less => united(),
            Ordering::Greater => excepted(),
            Ordering::Equal => {
                let (united, excepted) = (united(), excepted());
                let length = |description: &Description| description.text(hierarchy).chars().count();
                if length(&excepted) < length(&united) { excepted } else { united }
            }
        }
    }

    /// Whether the shortest description of a set has at most this number of terms. An empty set has none.
    /// O(terms · height), whatever the size of the set.
    pub fn has_at_most(&self, set: &[(u32, u32)], terms: usize) -> bool {
        if set.len() > terms {
            return false;
        }
        self.cover(set, terms).is_some() || self.has_exceptions(set, terms)
    }

    /// Whether a set is a node without at most `terms - 1` nodes.
    fn has_exceptions(&self, set: &[(u32, u32)], terms: usize) -> bool {
        terms > 1 && self.cover(&self.rest(self.around(set), set), terms - 1).is_some()
    }

    /// The set that is published for a region: of at most `terms` terms, around the region's values, and
    /// inside a side that has such a description itself. It is the values themselves if they have one, else the
    /// smaller of the smallest union and of a label with large exceptions.
    ///
    /// The side comes from disjoint cuts, so published boxes are disjoint. Both sets depend on P and the cuts
    /// alone, so the choice reveals no more about T than the cuts do.
    pub fn published(&self, values: &[(u32, u32)], side: &[(u32, u32)], terms: usize) -> Intervals {
        if self.has_at_most(values, terms) {
            return values.to_vec();
        }
        let candidates = [self.united(values, side, terms), self.excepting(values, side, terms)];
        let candidates = candidates.into_iter().flatten();
        candidates.min_by_key(|set| size_of(set)).unwrap_or_else(|| side.to_vec())
    }

    /// The union of at most `terms` nodes inside a side, around some values, that has the fewest values.
    fn united(&self, values: &[(u32, u32)], side: &[(u32, u32)], terms: usize) -> Option<Intervals> {
        let root = self.around(values);
        let covers = self.covers(root, values, side, terms);
        let (_, nodes) = covers.into_iter().flatten().min_by_key(|(count, nodes)| (*count, nodes.len()))?;
        Some(joined(nodes.iter().map(|&node| (self.nodes[node].low, self.nodes[node].high))))
    }

    /// For 1 to `terms` nodes at and below a node, those around the values inside it that have the fewest
    /// values, with their number. The values inside the node are not empty.
    fn covers(
        &self,
        node: usize,
        values: &[(u32, u32)],
        side: &[(u32, u32)],
        terms: usize,
    ) -> Vec<Option<Cover>> {
        let TreeNode { low, high, .. } = self.nodes[node];
        let mut best: Vec<Option<Cover>> = vec![None; terms];
        if minus(&[(low, high)], side).is_empty() {
            best[0] = Some((high - low, vec![node]));
            if within(values, (low, high)) == [(low, high)] {
                return best;
            }
        }
        // The best covers of the children so far, by their number of nodes.
        let mut known: Vec<Option<Cover>> = vec![None; terms + 1];
        known[0] = Some((0, Vec::new()));
        for child in self.children(node) {
            let inside = within(values, (self.nodes[child].low, self.nodes[child].high));
            if inside.is_empty() {
                continue;
            }
            let of_child = self.covers(child, &inside, side, terms);
            let mut next: Vec<Option<Cover>> = vec![None; terms + 1];
            for (before, (count, nodes)) in
                known.iter().enumerate().filter_map(|(k, some)| Some((k, some.as_ref()?)))
            {
                for (more, (added, below)) in
                    of_child.iter().enumerate().filter_map(|(k, some)| Some((k + 1, some.as_ref()?)))
                {
                    if before + more > terms {
                        break;
                    }
                    let found = &mut next[before + more];
                    if found.as_ref().is_none_or(|(least, _)| count + added < *least) {
                        *found = Some((count + added, nodes.iter().chain(below).copied().collect()));
                    }
                }
            }
            known = next;
        }
        for (found, of_children) in best.iter_mut().zip(known.into_iter().skip(1)) {
            let Some((count, _)) = of_children else { continue };
            if found.as_ref().is_none_or(|(least, _)| count < *least) {
                *found = of_children;
            }
        }
        best
    }

    /// The nodes directly below a node, in the order of positions.
    fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let TreeNode { low, high, .. } = self.nodes[node];
        let is_inner = high - low > 1;
        let first = is_inner.then_some(low);
        let positions = std::iter::successors(first, move |&next| {
            let high = self.nodes[self.child_at(node, next)].high;
            (high < self.nodes[node].high).then_some(high)
        });
        positions.map(move |position| self.child_at(node, position))
    }

    /// The node directly below a node that begins at a position.
    fn child_at(&self, node: usize, position: u32) -> usize {
        let mut child = position as usize;
        while self.nodes[child].parent as usize != node {
            child = self.nodes[child].parent as usize;
        }
        child
    }

    /// The node around some values, without what is outside the side and without the largest nodes outside
    /// the values, of at most `terms` terms together.
    fn excepting(&self, values: &[(u32, u32)], side: &[(u32, u32)], terms: usize) -> Option<Intervals> {
        let around = self.around(values);
        let TreeNode { low, high, .. } = self.nodes[around];
        let inside = within(side, (low, high));
        let mut exceptions = self.cover(&self.rest(around, &inside), terms.checked_sub(1)?)?;
        let outside = self.cover(&self.rest(around, values), usize::MAX)?;
        let count = |node: usize| self.nodes[node].high - self.nodes[node].low;
        let mut left: Vec<usize> = outside.into_iter().filter(|node| !exceptions.contains(node)).collect();
        left.sort_by_key(|&node| (std::cmp::Reverse(count(node)), self.nodes[node].low));
        // A node may lie inside an exception or contain some: it is added only if the number stays within the limit.
        for node in left {
            let TreeNode { low, high, .. } = self.nodes[node];
            let mut more: Vec<usize> = exceptions.clone();
            more.retain(|&other| self.nodes[other].low < low || self.nodes[other].high > high);
            more.push(node);
            if more.len() < terms {
                more.sort_by_key(|&node| self.nodes[node].low);
                exceptions = more;
            }
        }
        let excluded = joined(exceptions.iter().map(|&node| (self.nodes[node].low, self.nodes[node].high)));
        let set = minus(&[(low, high)], &excluded);
        self.has_at_most(&set, terms).then_some(set)
    }

    /// The largest nodes inside a set, which cover it; `None` if there are more than `most`.
    fn cover(&self, set: &[(u32, u32)], most: usize) -> Option<Vec<usize>> {
        let mut nodes = Vec::new();
        for &(low, high) in set {
            let mut next = low;
            while next < high {
                let mut node = next as usize;
                while let Some(parent) = self.nodes.get(self.nodes[node].parent as usize)
                    && parent.low == next
                    && parent.high <= high
                {
                    node = self.nodes[node].parent as usize;
                }
                if nodes.len() == most {
                    return None;
                }
                nodes.push(node);
                next = self.nodes[node].high;
            }
        }
        Some(nodes)
    }

    /// The smallest node around a set that is not empty.
    fn around(&self, set: &[(u32, u32)]) -> usize {
        let (low, high) = (set.first().map_or(0, |range| range.0), set.last().map_or(0, |range| range.1));
        let mut node = low as usize;
        while self.nodes[node].high < high {
            node = self.nodes[node].parent as usize;
        }
        node
    }

    /// The values of a node that are not in a set.
    fn rest(&self, node: usize, set: &[(u32, u32)]) -> Intervals {
        minus(&[(self.nodes[node].low, self.nodes[node].high)], set)
    }

    /// The terms of nodes in the order of their least leaves.
    fn in_order(&self, nodes: &[usize]) -> Vec<Term> {
        let mut sorted: Vec<TreeNode> = nodes.iter().map(|&node| self.nodes[node]).collect();
        sorted.sort_by_key(|node| node.first);
        sorted.into_iter().map(|node| node.term).collect()
    }
}

impl Description {
    /// The text in a release: a label, `{a, b}`, or `label except {a, b}`.
    pub fn text(&self, hierarchy: &Hierarchy) -> String {
        match self {
            Self::Label(term) => label_text(hierarchy, *term).to_owned(),
            Self::Union(terms) => set_text(hierarchy, terms),
            Self::Except(around, exceptions) => {
                format!(
                    "{} except {}",
                    member(label_text(hierarchy, *around)),
                    set_text(hierarchy, exceptions)
                )
            }
        }
    }
}

fn label_text(hierarchy: &Hierarchy, term: Term) -> &str {
    let (level, label) = term;
    &hierarchy.labels(level)[label as usize]
}

fn set_text(hierarchy: &Hierarchy, terms: &[Term]) -> String {
    let members: Vec<String> = terms.iter().map(|&term| member(label_text(hierarchy, term))).collect();
    format!("{{{}}}", members.join(", "))
}

/// The text of a label in a set or before exceptions: the label itself, or a JSON string if it could be
/// misread.
pub fn member(label: &str) -> String {
    let special = label.contains([',', '{', '}', '"', '\\']) || label.trim() != label;
    if special { json_string(label) } else { label.to_owned() }
}

/// A text as a JSON string (RFC 8259, section 7).
pub(super) fn json_string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            plain => quoted.push(plain),
        }
    }
    quoted.push('"');
    quoted
}

/// Joins adjacent ranges, which ascend.
fn joined(ranges: impl Iterator<Item = (u32, u32)>) -> Intervals {
    let mut all: Intervals = Vec::new();
    for (low, high) in ranges {
        match all.last_mut() {
            Some((_, end)) if *end == low => *end = high,
            _ => all.push((low, high)),
        }
    }
    all
}

/// The number of values of a set.
pub fn size_of(set: &[(u32, u32)]) -> u32 {
    set.iter().map(|(low, high)| high - low).sum()
}

/// The part of a set in a range of positions.
pub fn within(set: &[(u32, u32)], range: (u32, u32)) -> Intervals {
    let (low, high) = range;
    let cut = set.iter().map(|range| (range.0.max(low), range.1.min(high)));
    cut.filter(|(low, high)| low < high).collect()
}

/// The part of a set that is not in another set.
pub fn minus(set: &[(u32, u32)], other: &[(u32, u32)]) -> Intervals {
    let mut left = Vec::new();
    for &(low, high) in set {
        let mut next = low;
        for &(from, to) in other.iter().filter(|&&(from, to)| from < high && to > low) {
            if next < from {
                left.push((next, from));
            }
            next = next.max(to);
        }
        if next < high {
            left.push((next, high));
        }
    }
    left
}

/// The part of a set that is also in another set.
pub fn common(set: &[(u32, u32)], other: &[(u32, u32)]) -> Intervals {
    other.iter().flat_map(|&range| within(set, range)).collect()
}

#[cfg(test)]
mod tests;

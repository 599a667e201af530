//! The generalization lattice: nodes with one level per quasi-identifier, and their order.

use std::fmt;

use super::error::ModelError;
use super::hierarchy::{Hierarchy, Level};
use super::size;

/// A node of the lattice: one level per quasi-identifier, in project order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(Vec<Level>);

impl Node {
    /// The levels, one per quasi-identifier.
    pub fn levels(&self) -> &[Level] {
        &self.0
    }

    /// The sum of the levels.
    pub fn height(&self) -> u32 {
        self.0.iter().map(|level| u32::from(level.0)).sum()
    }

    /// Whether every level of this node is equal to or coarser than that of `other`.
    pub fn generalizes(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(level, other)| level >= other)
    }
}

impl fmt::Display for Node {
    /// The levels, separated by commas: `3,2,2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.pad(&levels.join(","))
    }
}

/// All nodes between the finest and the coarsest, numbered lexicographically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    base: Vec<Level>,
    top: Vec<Level>,
}

impl Lattice {
    /// Creates the lattice of all levels of these hierarchies.
    pub fn new<'a>(hierarchies: impl IntoIterator<Item = &'a Hierarchy>) -> Self {
        let (base, top) =
            hierarchies.into_iter().map(|hierarchy| (hierarchy.base(), hierarchy.top())).unzip();
        Self { base, top }
    }

    /// Creates the lattice between these limits: the finest and the coarsest level of each
    /// quasi-identifier, both included.
    pub fn between(limits: impl IntoIterator<Item = (Level, Level)>) -> Self {
        let (base, top) = limits.into_iter().unzip();
        Self { base, top }
    }

    /// The number of quasi-identifiers.
    pub fn width(&self) -> usize {
        self.base.len()
    }

    /// The finest node.
    pub fn bottom(&self) -> Node {
        Node(self.base.clone())
    }

    /// The coarsest node: `*` in every attribute, unless levels are limited.
    pub fn top(&self) -> Node {
        Node(self.top.clone())
    }

    /// The number of levels of one quasi-identifier in this lattice.
    pub fn span(&self, attribute: usize) -> usize {
        usize::from(self.top[attribute].0 - self.base[attribute].0) + 1
    }

    /// The number of nodes; `None` if it has more than 64 bits.
    pub fn checked_len(&self) -> Option<u64> {
        (0..self.width())
            .try_fold(1, |product: u64, attribute| product.checked_mul(self.span(attribute) as u64))
    }

    /// The number of nodes. It saturates at `u64::MAX`.
    pub fn len(&self) -> u64 {
        (0..self.width())
            .fold(1, |product: u64, attribute| product.saturating_mul(self.span(attribute) as u64))
    }

    /// The number of nodes as text; `more than 10^19` if it has more than 64 bits.
    pub fn len_text(&self, number: impl FnOnce(u64) -> String) -> String {
        self.checked_len().map_or_else(|| "more than 10^19".to_owned(), number)
    }

    /// Always false, because each hierarchy has at least one level.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Creates a node after a check of its levels.
    ///
    /// # Errors
    /// [`ModelError::NotANode`] with the possible levels.
    pub fn node(&self, levels: &[Level]) -> Result<Node, ModelError> {
        let node = Node(levels.to_vec());
        let wrong = |detail: String| Err(ModelError::NotANode { node: node.to_string(), detail });
        if levels.len() != self.width() {
            return wrong(format!("it has {} levels, expected {}", levels.len(), self.width()));
        }
        for (position, level) in levels.iter().enumerate() {
            let (base, top) = (self.base[position], self.top[position]);
            if *level < base || *level > top {
                return wrong(format!(
                    "level {level} at position {} is not one of {base} to {top}",
                    position + 1
                ));
            }
        }
        Ok(node)
    }

    /// The node with this number in lexicographic order.
    ///
    /// # Panics
    /// If `rank` is not below [`len`](Self::len).
    pub fn unrank(&self, mut rank: u64) -> Node {
        assert!(rank < self.len(), "node {rank} of {}", self.len());
        let mut levels = self.base.clone();
        for attribute in (0..self.width()).rev() {
            let span = self.span(attribute) as u64;
            levels[attribute].0 += size::steps(size::index(rank % span));
            rank /= span;
        }
        Node(levels)
    }

    /// The number of a node in lexicographic order, from 0.
    pub fn rank(&self, node: &Node) -> u64 {
        (0..self.width()).fold(0, |rank, attribute| {
            rank * self.span(attribute) as u64 + u64::from(node.0[attribute].0 - self.base[attribute].0)
        })
    }

    /// All nodes, in lexicographic order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.len()).map(|rank| self.unrank(rank))
    }

    /// The node with `attribute` one level coarser, if there is one.
    pub fn coarser(&self, node: &Node, attribute: usize) -> Option<Node> {
        let mut levels = node.0.clone();
        if levels[attribute] >= self.top[attribute] {
            return None;
        }
        levels[attribute].0 += 1;
        Some(Node(levels))
    }

    /// The node with `attribute` one level finer, if there is one.
    pub fn finer(&self, node: &Node, attribute: usize) -> Option<Node> {
        let mut levels = node.0.clone();
        if levels[attribute] <= self.base[attribute] {
            return None;
        }
        levels[attribute].0 -= 1;
        Some(Node(levels))
    }
}

#[cfg(test)]
mod tests {
    use super::super::hierarchy::Kind;
    use super::*;

    fn lattice() -> Lattice {
        let tall: Vec<Vec<String>> = vec![vec!["a".into(), "a".into(), "*".into()]];
        let raised: Vec<Vec<String>> = vec![vec!["b".into(), "*".into()]];
        Lattice::new([
            &Hierarchy::new(Kind::Category, Level(0), &tall).unwrap(),
            &Hierarchy::new(Kind::Category, Level(1), &raised).unwrap(),
        ])
    }

    #[test]
    fn nodes_are_numbered_lexicographically_from_the_base() {
        let nodes: Vec<String> = lattice().nodes().map(|node| node.to_string()).collect();
        assert_eq!(nodes, ["0,1", "0,2", "1,1", "1,2", "2,1", "2,2"]);
        assert!(lattice().nodes().enumerate().all(|(rank, node)| lattice().rank(&node) == rank as u64));
    }

    #[test]
    fn a_level_below_the_base_is_no_node() {
        let error = lattice().node(&[Level(0), Level(0)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "0,0 is no node of this lattice: level 0 at position 2 is not one of 1 to 2"
        );
        assert!(lattice().node(&[Level(0)]).is_err());
    }

    #[test]
    fn neighbours_stop_at_the_ends() {
        let lattice = lattice();
        assert_eq!(lattice.finer(&lattice.bottom(), 0), None);
        assert_eq!(lattice.coarser(&lattice.top(), 1), None);
        assert_eq!(lattice.coarser(&lattice.bottom(), 1).unwrap().to_string(), "0,2");
    }
}

//! Floors: for each quasi-identifier alone, the finest level that keeps δ; no δ-present node lies below one.

use std::ops::ControlFlow;

use super::pace::Pace;
use crate::model::size;
use crate::model::{Counts, Lattice, Level, Node, Problem};

/// The nodes at or above every floor, numbered lexicographically among themselves.
///
/// With all other quasi-identifiers at `*`, a level that breaks δ fails, and so does every node that has it (paper,
/// theorem 1). O(leaves) for each level of each quasi-identifier.
#[derive(Clone, Debug)]
pub(super) struct Floors {
    lattice: Lattice,
    levels: Vec<Level>,
    spans: Vec<usize>,
    strides: Vec<usize>,
    checked: Vec<(Node, bool)>,
}

impl Floors {
    /// The floors of a feasible problem, with every node that was counted on the way.
    pub(super) fn of(problem: &Problem, pace: &mut Pace) -> ControlFlow<(), Self> {
        let lattice = problem.lattice();
        let mut checked = vec![(lattice.top(), true)];
        let mut levels: Vec<Level> = Vec::with_capacity(lattice.width());
        for attribute in 0..lattice.width() {
            levels.push(floor(problem, &lattice, attribute, &mut checked, pace)?);
        }
        ControlFlow::Continue(Self::at(lattice, levels, checked))
    }

    /// No floors: every node of the lattice.
    pub(super) fn none(problem: &Problem) -> Self {
        let lattice = problem.lattice();
        let bottom = lattice.bottom().levels().to_vec();
        Self::at(lattice, bottom, Vec::new())
    }

    fn at(lattice: Lattice, levels: Vec<Level>, checked: Vec<(Node, bool)>) -> Self {
        let top = lattice.top();
        let spans: Vec<usize> =
            top.levels().iter().zip(&levels).map(|(top, floor)| usize::from(top.0 - floor.0) + 1).collect();
        let mut strides = vec![1_usize; spans.len()];
        for attribute in (1..spans.len()).rev() {
            strides[attribute - 1] = strides[attribute].saturating_mul(spans[attribute]);
        }
        Self { lattice, levels, spans, strides, checked }
    }

    /// The lattice.
    pub(super) fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The floor of each quasi-identifier.
    pub(super) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// How many levels each quasi-identifier has from its floor to its top.
    pub(super) fn spans(&self) -> &[usize] {
        &self.spans
    }

    /// How far apart two nodes are numbered that differ by one level of each quasi-identifier.
    pub(super) fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// The nodes that were counted to find the floors, with whether they are δ-present.
    pub(super) fn checked(&self) -> &[(Node, bool)] {
        &self.checked
    }

    /// How many nodes there are; saturates at `usize::MAX`.
    pub(super) fn len(&self) -> usize {
        self.strides[0].saturating_mul(self.spans[0])
    }

    /// The steps above each floor of the node with this number.
    pub(super) fn steps(&self, rank: usize, steps: &mut [u8]) {
        let digits = steps.iter_mut().zip(self.strides.iter().zip(&self.spans));
        for (step, (stride, span)) in digits {
            *step = size::steps(rank / stride % span);
        }
    }

    /// The sum of the steps of the node with this number.
    pub(super) fn height(&self, rank: usize) -> usize {
        self.strides.iter().zip(&self.spans).map(|(stride, span)| rank / stride % span).sum()
    }

    /// The node so many steps above the floors.
    pub(super) fn node(&self, steps: &[u8]) -> Node {
        let levels: Vec<Level> =
            self.levels.iter().zip(steps).map(|(floor, step)| Level(floor.0 + step)).collect();
        // Steps never pass a top, so the node exists.
        self.lattice.node(&levels).unwrap_or_else(|_| self.lattice.top())
    }

    /// The steps of a node above the floors; `None` where it lies below one.
    pub(super) fn steps_of(&self, node: &Node) -> Option<Vec<u8>> {
        node.levels().iter().zip(&self.levels).map(|(level, floor)| level.0.checked_sub(floor.0)).collect()
    }

    /// The number of the node so many steps above the floors.
    pub(super) fn rank(&self, steps: &[u8]) -> usize {
        self.strides.iter().zip(steps).map(|(stride, &step)| stride * usize::from(step)).sum()
    }
}

/// The finest level of one quasi-identifier that keeps δ while all others are at `*`.
fn floor(
    problem: &Problem,
    lattice: &Lattice,
    attribute: usize,
    checked: &mut Vec<(Node, bool)>,
    pace: &mut Pace,
) -> ControlFlow<(), Level> {
    let (hierarchy, leaves) = (problem.hierarchy(attribute), problem.leaf_counts(attribute));
    let (mut finest, mut node) = (hierarchy.top(), lattice.top());
    for level in hierarchy.levels().rev().skip(1) {
        pace.spend(leaves.len())?;
        let mut classes = vec![Counts::default(); hierarchy.label_count(level)];
        for (&label, &people) in hierarchy.labels_of(level).iter().zip(leaves) {
            classes[label as usize] += people;
        }
        // A label that nobody public has makes no class.
        let present = classes.iter().all(|&class| class.public == 0 || problem.policy().allows(class));
        let Some(finer) = lattice.finer(&node, attribute) else { break };
        checked.push((finer.clone(), present));
        if !present {
            break;
        }
        (finest, node) = (level, finer);
    }
    ControlFlow::Continue(finest)
}

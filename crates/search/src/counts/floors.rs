//! Floors: for each quasi-identifier alone, the finest level that keeps δ.

use std::ops::ControlFlow;

use super::people_judge::PeopleJudge;
use super::value_judge::NodeValueJudge;
use crate::control::pace::Pace;
use palmtop_core::model::{Counts, Lattice, Level, Node, NodeIndex, Problem};

/// The nodes at or above every floor. Every δ-present node is one of them.
///
/// Consider one quasi-identifier, with all others at `*`. If a level breaks δ there, every node
/// with that level fails (paper, theorem 1). Complexity: O(leaves) for each level of each
/// quasi-identifier.
///
/// If levels are limited from above, the nodes with all others at `*` are not permitted. A level
/// that breaks δ there still fails everywhere. A level that keeps δ there proves nothing.
#[derive(Clone, Debug)]
pub(crate) struct Floors {
    lattice: Lattice,
    levels: Vec<Level>,
    spans: Vec<usize>,
    checked: Vec<(Node, bool)>,
}

impl Floors {
    /// The floors of a feasible problem, and the verdicts of the nodes counted to find them.
    pub(crate) fn of(problem: &Problem, pace: &mut Pace) -> ControlFlow<(), Self> {
        let lattice = problem.lattice();
        let mut checked = vec![(lattice.top(), true)];
        let mut levels: Vec<Level> = Vec::with_capacity(lattice.width());
        let (mut values, mut people) = (NodeValueJudge::of(problem), PeopleJudge::of(problem));
        for attribute in 0..lattice.width() {
            levels.push(match &mut people {
                None => floor(problem, &lattice, attribute, values.as_mut(), &mut checked, pace)?,
                Some(people) => floor_of_people(people, &lattice, attribute, &mut checked, pace)?,
            });
        }
        let top = lattice.top();
        let spans = top.levels().iter().zip(&levels).map(|(top, floor)| usize::from(top.0 - floor.0) + 1);
        ControlFlow::Continue(Self { spans: spans.collect(), lattice, levels, checked })
    }

    /// Floors at the bottom of the lattice, without any counting.
    pub(crate) fn none(problem: &Problem) -> Self {
        let lattice = problem.lattice();
        let levels = lattice.bottom().levels().to_vec();
        let top = lattice.top();
        let spans = top.levels().iter().zip(&levels).map(|(top, floor)| usize::from(top.0 - floor.0) + 1);
        Self { spans: spans.collect(), levels, lattice, checked: Vec::new() }
    }

    /// The lattice of all nodes.
    pub(crate) fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The floor of each quasi-identifier.
    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// For each quasi-identifier, the number of levels from its floor to its top.
    pub(crate) fn spans(&self) -> &[usize] {
        &self.spans
    }

    /// The nodes that were counted to find the floors, each with whether it is δ-present.
    pub(crate) fn checked(&self) -> &[(Node, bool)] {
        &self.checked
    }

    /// Ranks for the nodes at or above the floors; `None` if they are more than `most`.
    pub(crate) fn index(&self, most: usize) -> Option<NodeIndex> {
        NodeIndex::above(&self.lattice, &self.levels, most)
    }

    /// The node that is `steps` above the floors.
    pub(crate) fn node(&self, steps: &[u8]) -> Node {
        let levels: Vec<Level> =
            self.levels.iter().zip(steps).map(|(floor, step)| Level(floor.0 + step)).collect();
        self.lattice.node(&levels).expect("steps above the floors never exceed a top")
    }

    /// The steps of a node above the floors; `None` if it lies below a floor.
    pub(crate) fn steps_of(&self, node: &Node) -> Option<Vec<u8>> {
        node.levels().iter().zip(&self.levels).map(|(level, floor)| level.0.checked_sub(floor.0)).collect()
    }
}

/// The finest level of one quasi-identifier that keeps δ if all others are at `*`.
fn floor(
    problem: &Problem,
    lattice: &Lattice,
    attribute: usize,
    mut values: Option<&mut NodeValueJudge>,
    checked: &mut Vec<(Node, bool)>,
    pace: &mut Pace,
) -> ControlFlow<(), Level> {
    let (hierarchy, leaves) = (problem.hierarchy(attribute), problem.leaf_counts(attribute));
    let (lowest, mut node) = (lattice.bottom().levels()[attribute], lattice.top());
    let mut finest = node.levels()[attribute];
    let reaches_top = problem.levels_reach_the_top();
    let on_counts = problem.policy().on_counts();
    for level in (lowest.0..finest.0).rev().map(Level) {
        pace.spend(leaves.len())?;
        let mut classes = vec![Counts::default(); hierarchy.label_count(level)];
        for (&label, &people) in hierarchy.labels_of(level).iter().zip(leaves) {
            classes[label as usize] += people;
        }
        let Some(finer) = lattice.finer(&node, attribute) else { break };
        // A label without individuals makes no class.
        let present = classes.iter().all(|&class| class.public == 0 || on_counts.allows(class))
            && values.as_mut().is_none_or(|values| values.breaks(finer.levels()).is_none());
        if reaches_top || !present {
            checked.push((finer.clone(), present));
        }
        if !present {
            break;
        }
        (finest, node) = (level, finer);
    }
    ControlFlow::Continue(finest)
}

/// The same for people: the node itself is counted, since no leaf of a quasi-identifier alone has
/// all rows of a person.
fn floor_of_people(
    people: &mut PeopleJudge,
    lattice: &Lattice,
    attribute: usize,
    checked: &mut Vec<(Node, bool)>,
    pace: &mut Pace,
) -> ControlFlow<(), Level> {
    let mut node = lattice.top();
    while let Some(finer) = lattice.finer(&node, attribute) {
        let holds = people.holds(finer.levels(), pace)?;
        checked.push((finer.clone(), holds));
        if !holds {
            break;
        }
        node = finer;
    }
    ControlFlow::Continue(node.levels()[attribute])
}

//! Floors: for each quasi-identifier alone, the finest level that keeps δ; no δ-present node lies below one.

use std::ops::ControlFlow;

use super::pace::Pace;
use super::people_judge::PeopleJudge;
use super::value_judge::NodeValueJudge;
use palmtop_core::model::{Counts, Lattice, Level, Node, NodeIndex, Problem};

/// The nodes at or above every floor.
///
/// With all other quasi-identifiers at `*`, a level that breaks δ fails, and so does every node that has it (paper,
/// theorem 1). O(leaves) for each level of each quasi-identifier. Where levels are limited from above, the others are not at
/// `*`; what breaks δ there breaks it all the same, and nothing else is known by it.
#[derive(Clone, Debug)]
pub(super) struct Floors {
    lattice: Lattice,
    levels: Vec<Level>,
    spans: Vec<usize>,
    checked: Vec<(Node, bool)>,
}

impl Floors {
    /// The floors of a feasible problem, with every node that was counted on the way.
    pub(super) fn of(problem: &Problem, pace: &mut Pace) -> ControlFlow<(), Self> {
        let lattice = problem.lattice();
        let mut checked = vec![(lattice.top(), true)];
        let mut levels: Vec<Level> = Vec::with_capacity(lattice.width());
        let (mut values, mut people) = (NodeValueJudge::of(problem), PeopleJudge::of(problem));
        for attribute in 0..lattice.width() {
            levels.push(match &mut people {
                None => floor(problem, &lattice, (attribute, values.as_mut()), &mut checked, pace)?,
                Some(people) => floor_of_people(people, &lattice, attribute, &mut checked, pace)?,
            });
        }
        let top = lattice.top();
        let spans = top.levels().iter().zip(&levels).map(|(top, floor)| usize::from(top.0 - floor.0) + 1);
        ControlFlow::Continue(Self { spans: spans.collect(), lattice, levels, checked })
    }

    /// No floors: all nodes lie above them, and none was counted.
    pub(super) fn none(problem: &Problem) -> Self {
        let lattice = problem.lattice();
        let levels = lattice.bottom().levels().to_vec();
        let top = lattice.top();
        let spans = top.levels().iter().zip(&levels).map(|(top, floor)| usize::from(top.0 - floor.0) + 1);
        Self { spans: spans.collect(), levels, lattice, checked: Vec::new() }
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

    /// The nodes that were counted to find the floors, with whether they are δ-present.
    pub(super) fn checked(&self) -> &[(Node, bool)] {
        &self.checked
    }

    /// Numbers for the nodes at or above the floors, unless they are more than `most`.
    pub(super) fn index(&self, most: usize) -> Option<NodeIndex> {
        NodeIndex::above(&self.lattice, &self.levels, most)
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
}

/// The levels of the node so many steps above these floors.
pub(super) fn levels_at(floors: &[Level], steps: &[u8]) -> Vec<Level> {
    floors.iter().zip(steps).map(|(floor, step)| Level(floor.0 + step)).collect()
}

/// How many steps each level is above its floor.
pub(super) fn steps_to(levels: &[Level], floors: &[Level]) -> Vec<u8> {
    levels.iter().zip(floors).map(|(level, floor)| level.0 - floor.0).collect()
}

/// The finest level of one quasi-identifier that keeps δ while all others are at `*`.
fn floor(
    problem: &Problem,
    lattice: &Lattice,
    (attribute, mut values): (usize, Option<&mut NodeValueJudge>),
    checked: &mut Vec<(Node, bool)>,
    pace: &mut Pace,
) -> ControlFlow<(), Level> {
    let (hierarchy, leaves) = (problem.hierarchy(attribute), problem.leaf_counts(attribute));
    let (lowest, mut node) = (lattice.bottom().levels()[attribute], lattice.top());
    let mut finest = node.levels()[attribute];
    let is_whole = problem.levels_reach_the_top();
    let on_counts = problem.policy().on_counts();
    for level in (lowest.0..finest.0).rev().map(Level) {
        pace.spend(leaves.len())?;
        let mut classes = vec![Counts::default(); hierarchy.label_count(level)];
        for (&label, &people) in hierarchy.labels_of(level).iter().zip(leaves) {
            classes[label as usize] += people;
        }
        let Some(finer) = lattice.finer(&node, attribute) else { break };
        // A label that nobody public has makes no class.
        let present = classes.iter().all(|&class| class.public == 0 || on_counts.allows(class))
            && values.as_mut().is_none_or(|values| values.breaks(finer.levels()).is_none());
        if is_whole || !present {
            checked.push((finer.clone(), present));
        }
        if !present {
            break;
        }
        (finest, node) = (level, finer);
    }
    ControlFlow::Continue(finest)
}

/// The same for people: the node itself is counted, since no leaf of a quasi-identifier alone has all rows of a person.
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

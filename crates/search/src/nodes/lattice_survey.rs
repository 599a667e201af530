//! The verdict of every node of a lattice, and the minimal δ-present nodes (the frontier).

use std::ops::ControlFlow;

use super::failure_index::FailureIndex;
use super::node_search::{Judge, NodeSearch, Seen};
use crate::control::pace::Pace;
use crate::counts::counter::Counter;
use crate::counts::floors::Floors;
use crate::counts::tally::{Both, Form, Over, Tally};
use crate::{Observer, Step, StopReason};
use palmtop_core::model::size;
use palmtop_core::model::{Counts, Lattice, Node, NodeIndex, Problem};

/// The verdict of a node, and how it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NodeState {
    /// No verdict yet.
    #[default]
    Open,
    /// δ-present: all its classes were counted.
    PresentChecked,
    /// δ-present: it generalizes a δ-present node.
    PresentImplied,
    /// Not δ-present: all its classes were counted.
    FailsChecked,
    /// Not δ-present: one of its classes, or of a generalization's classes, is known to break δ.
    FailsImplied,
}

impl NodeState {
    /// Whether the node is known to be δ-present.
    pub fn is_present(self) -> bool {
        matches!(self, Self::PresentChecked | Self::PresentImplied)
    }

    /// Whether the node is known not to be δ-present.
    pub fn fails(self) -> bool {
        matches!(self, Self::FailsChecked | Self::FailsImplied)
    }

    /// Whether all classes of the node were counted.
    pub fn is_checked(self) -> bool {
        matches!(self, Self::PresentChecked | Self::FailsChecked)
    }
}

/// The state of every node of a lattice, one byte for each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatticeSurvey {
    lattice: Lattice,
    states: Vec<NodeState>,
    frontier: Vec<Node>,
}

impl LatticeSurvey {
    /// The largest number of nodes that a survey holds.
    pub const LIMIT: u64 = 10_000_000;

    /// Whether a lattice is small enough to survey.
    pub fn fits(lattice: &Lattice) -> bool {
        lattice.len() <= Self::LIMIT
    }

    /// The ranks of the nodes of a lattice that [`fits`](Self::fits), as used by
    /// [`state`](Self::state). `None` if it does not fit.
    pub fn index(lattice: &Lattice) -> Option<NodeIndex> {
        NodeIndex::all(lattice, size::index(Self::LIMIT))
    }

    /// The stop reason for a lattice that does not fit.
    pub(crate) fn too_large(lattice: &Lattice) -> StopReason {
        StopReason::TooLarge { nodes: lattice.len(), limit: Self::LIMIT }
    }

    /// The lattice of all nodes.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The state of the node with this rank ([`Lattice::rank`]).
    pub fn state(&self, rank: u64) -> NodeState {
        let index = usize::try_from(rank).ok();
        index.and_then(|index| self.states.get(index)).copied().unwrap_or_default()
    }

    /// All minimal δ-present nodes in lexicographic order: no specialization is δ-present. After a
    /// stopped survey, no specialization is known to be δ-present.
    pub fn frontier(&self) -> &[Node] {
        &self.frontier
    }

    /// The number of nodes whose classes were all counted.
    pub fn checked(&self) -> u64 {
        self.count(NodeState::is_checked)
    }

    /// The number of nodes whose verdict follows from another node.
    pub fn implied(&self) -> u64 {
        self.count(|state| state != NodeState::Open && !state.is_checked())
    }

    /// The number of nodes that are known to be δ-present.
    pub fn present(&self) -> u64 {
        self.count(NodeState::is_present)
    }

    fn count(&self, is: impl Fn(NodeState) -> bool) -> u64 {
        self.states.iter().filter(|state| is(**state)).count() as u64
    }
}

/// Finds the verdict of every node.
///
/// The survey walks through the nodes in lexicographic order, so that all specializations of a node
/// are decided before it. If one of them is δ-present, so is the node. If a mark of failure covers
/// the node, it fails. Otherwise the node is counted. Either it is a minimal δ-present node, or a
/// class that breaks δ there marks many more nodes (`FailureIndex`). So only minimal nodes and one
/// node for each witness are counted.
///
/// A lattice with more than [`LatticeSurvey::LIMIT`] nodes is not surveyed. If the observer stops
/// the survey, the remaining nodes stay open.
pub fn survey(problem: &Problem, observer: &mut Observer) -> (LatticeSurvey, StopReason) {
    let lattice = problem.lattice();
    let Some(index) = LatticeSurvey::index(&lattice) else {
        let stop = LatticeSurvey::too_large(&lattice);
        return (LatticeSurvey { lattice, states: Vec::new(), frontier: Vec::new() }, stop);
    };
    let nodes = index.len();
    let feasibility = problem.feasibility();
    if !feasibility.holds() {
        let mut states = vec![NodeState::FailsImplied; nodes];
        states[nodes - 1] = NodeState::FailsChecked;
        return (LatticeSurvey { lattice, states, frontier: Vec::new() }, StopReason::Infeasible);
    }
    let mut states = vec![NodeState::Open; nodes];
    let pace = &mut Pace::new(observer, nodes as u64);
    let walked = match Form::of(problem.policy(), feasibility.total) {
        Form::Over => walk::<Over>(problem, &index, &mut states, pace),
        Form::Both => walk::<Both>(problem, &index, &mut states, pace),
        Form::Whole => walk::<Counts>(problem, &index, &mut states, pace),
    };
    // The survey may be stopped before its first node.
    let stop = walked.continue_value().unwrap_or(StopReason::Cancelled);
    let frontier = minimal(&lattice, &index, &states);
    (LatticeSurvey { lattice, states, frontier }, stop)
}

/// The states of all nodes, and the node that is visited.
struct Surveyor<'a> {
    index: &'a NodeIndex,
    /// For each quasi-identifier, the number of levels from the bottom to the floor.
    below: Vec<u8>,
    states: &'a mut [NodeState],
    rank: usize,
}

impl Judge for Surveyor<'_> {
    fn knows(&self, _: &Node) -> bool {
        false
    }

    fn hear(&mut self, _: Node, holds: bool) {
        self.states[self.rank] = if holds { NodeState::PresentChecked } else { NodeState::FailsChecked };
    }

    fn step(&self, _: Seen) -> Step {
        Step::of(self.rank as u64, self.states.len() as u64)
    }
}

/// Walks through all nodes of a problem.
fn walk<W: Tally>(
    problem: &Problem,
    index: &NodeIndex,
    states: &mut [NodeState],
    pace: &mut Pace,
) -> ControlFlow<(), StopReason> {
    let lattice = problem.lattice();
    let floors = Floors::of(problem, pace)?;
    for (node, present) in floors.checked() {
        states[size::index(lattice.rank(node))] =
            if *present { NodeState::PresentChecked } else { NodeState::FailsChecked };
    }
    let bottom = lattice.bottom();
    let below = std::iter::zip(floors.levels(), bottom.levels());
    let below = below.map(|(floor, base)| floor.0 - base.0).collect();
    let above = floors.index(index.len()).expect("the nodes above the floors are some of all nodes");
    let counter = Counter::of(problem, &floors, pace)?;
    let judge = Surveyor { index, below, states, rank: 0 };
    let mut search = NodeSearch::<W, _, _>::new(floors, counter, FailureIndex::new(above), judge);
    ControlFlow::Continue(search.run(lexicographic, pace))
}

/// Visits each node without a verdict in lexicographic order.
fn lexicographic<W: Tally>(
    search: &mut NodeSearch<W, FailureIndex<W>, Surveyor>,
    pace: &mut Pace,
) -> ControlFlow<()> {
    let index = search.judge.index;
    let below = search.judge.below.clone();
    let width = below.len();
    let mut digits = vec![0_u8; width];
    let mut steps = vec![0_u8; width];
    for rank in 0..search.judge.states.len() {
        pace.spend(width)?;
        let states = &mut search.judge.states;
        let above_floors = digits.iter().zip(&below).all(|(digit, below)| digit >= below);
        if above_floors && states[rank] == NodeState::Open {
            for (step, (digit, below)) in steps.iter_mut().zip(digits.iter().zip(&below)) {
                *step = digit - below;
            }
            let finer = digits.iter().zip(index.strides()).filter(|(digit, _)| **digit > 0);
            let mut finer = finer.map(|(_, stride)| states[rank - stride]);
            let marks = &search.failures;
            if finer.any(NodeState::is_present) {
                states[rank] = NodeState::PresentImplied;
            } else if marks.fails(marks.index().rank(&steps)) {
                states[rank] = NodeState::FailsImplied;
            } else {
                search.judge.rank = rank;
                search.visit(&steps, pace)?;
            }
        } else if !above_floors && states[rank] == NodeState::Open {
            states[rank] = NodeState::FailsImplied;
        }
        advance(&mut digits, index);
    }
    ControlFlow::Continue(())
}

/// Advances to the next node in lexicographic order, as steps above the bottom.
fn advance(digits: &mut [u8], index: &NodeIndex) {
    for (digit, &span) in digits.iter_mut().zip(index.spans()).rev() {
        if usize::from(*digit) + 1 < span {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
}

/// The δ-present nodes without a δ-present specialization. Specializations one level finer suffice,
/// because a finer δ-present node implies them (paper, theorem 1).
fn minimal(lattice: &Lattice, index: &NodeIndex, states: &[NodeState]) -> Vec<Node> {
    let is_minimal = |&rank: &usize| {
        states[rank].is_present() && !index.any_finer(rank, |finer| states[finer].is_present())
    };
    (0..states.len()).filter(is_minimal).map(|rank| lattice.unrank(rank as u64)).collect()
}

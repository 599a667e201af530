//! The verdict of every node of a lattice, and its frontier.

use std::ops::ControlFlow;

use super::floors::Floors;
use super::ground::Ground;
use super::marks::Marks;
use super::tally::{Both, Form, Over, Tally};
use super::{Observer, Step, StopReason};
use crate::model::{Counts, Lattice, Node, Problem};

/// What is known of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NodeState {
    /// Nothing yet.
    #[default]
    Open,
    /// δ-present: all its classes were counted.
    PresentChecked,
    /// δ-present: it generalizes a δ-present node.
    PresentImplied,
    /// Not δ-present: all its classes were counted.
    FailsChecked,
    /// Not δ-present: one of its classes, or of a generalization's, is known to break δ.
    FailsImplied,
}

impl NodeState {
    /// Whether it is known to be δ-present.
    pub fn is_present(self) -> bool {
        matches!(self, Self::PresentChecked | Self::PresentImplied)
    }

    /// Whether it is known not to be δ-present.
    pub fn fails(self) -> bool {
        matches!(self, Self::FailsChecked | Self::FailsImplied)
    }

    /// Whether all its classes were counted.
    pub fn is_checked(self) -> bool {
        matches!(self, Self::PresentChecked | Self::FailsChecked)
    }
}

/// What is known of every node of a lattice: one byte a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatticeSurvey {
    lattice: Lattice,
    states: Vec<NodeState>,
    frontier: Vec<Node>,
}

impl LatticeSurvey {
    /// How many nodes a survey holds at most.
    pub const LIMIT: u64 = 10_000_000;

    /// Whether a lattice is small enough to survey.
    pub fn fits(lattice: &Lattice) -> bool {
        lattice.len() <= Self::LIMIT
    }

    /// The lattice.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// What is known of the node with this number ([`Lattice::rank`]).
    pub fn state(&self, rank: u64) -> NodeState {
        let place = usize::try_from(rank).ok();
        place.and_then(|place| self.states.get(place)).copied().unwrap_or_default()
    }

    /// All minimal δ-present nodes, lexicographically: none of their specializations is δ-present. After a survey that
    /// was stopped, those of which no specialization is known to be.
    pub fn frontier(&self) -> &[Node] {
        &self.frontier
    }

    /// How many nodes had all their classes counted.
    pub fn checked(&self) -> u64 {
        self.count(NodeState::is_checked)
    }

    /// How many nodes have a verdict that was implied.
    pub fn implied(&self) -> u64 {
        self.count(|state| state != NodeState::Open && !state.is_checked())
    }

    /// How many nodes are δ-present.
    pub fn present(&self) -> u64 {
        self.count(NodeState::is_present)
    }

    fn count(&self, is: impl Fn(NodeState) -> bool) -> u64 {
        self.states.iter().filter(|state| is(**state)).count() as u64
    }
}

/// Finds the verdict of every node.
///
/// The nodes are walked lexicographically, so all specializations of a node are decided before it. A node of which one
/// is δ-present is so too; a node that no mark of failure covers is then minimal and is counted: either it lies on the
/// frontier, or a class that breaks δ there marks many more nodes (`Marks`). So only frontier nodes and one node a
/// witness are ever counted.
///
/// A lattice beyond [`LatticeSurvey::LIMIT`] is left open, and the survey stops as cancelled.
pub fn survey(problem: &Problem, observer: &mut Observer) -> (LatticeSurvey, StopReason) {
    let lattice = problem.lattice();
    if !LatticeSurvey::fits(&lattice) {
        return (LatticeSurvey { lattice, states: Vec::new(), frontier: Vec::new() }, StopReason::Cancelled);
    }
    let nodes = usize::try_from(lattice.len()).unwrap_or(usize::MAX);
    let feasibility = problem.feasibility();
    if !feasibility.holds() {
        let mut states = vec![NodeState::FailsImplied; nodes];
        states[nodes - 1] = NodeState::FailsChecked;
        return (LatticeSurvey { lattice, states, frontier: Vec::new() }, StopReason::Infeasible);
    }
    let floors = Floors::of(problem);
    let (states, stop) = match Form::of(problem.delta(), feasibility.total) {
        Form::Over => Walk::<Over>::new(problem, floors).run(observer),
        Form::Both => Walk::<Both>::new(problem, floors).run(observer),
        Form::Wide => Walk::<Counts>::new(problem, floors).run(observer),
    };
    let frontier = minimal(&lattice, &states);
    (LatticeSurvey { lattice, states, frontier }, stop)
}

/// A walk over the nodes in lexicographic order.
struct Walk<W> {
    lattice: Lattice,
    states: Vec<NodeState>,
    ground: Ground<W>,
    marks: Marks<W>,
}

impl<W: Tally> Walk<W> {
    fn new(problem: &Problem, floors: Floors) -> Self {
        let lattice = problem.lattice();
        let mut states = vec![NodeState::Open; usize::try_from(lattice.len()).unwrap_or(usize::MAX)];
        for (node, present) in floors.checked() {
            let place = usize::try_from(lattice.rank(node)).unwrap_or(usize::MAX);
            states[place] = if *present { NodeState::PresentChecked } else { NodeState::FailsChecked };
        }
        Self { lattice, states, ground: Ground::new(problem, &floors), marks: Marks::new(floors) }
    }

    fn run(mut self, observer: &mut Observer) -> (Vec<NodeState>, StopReason) {
        let width = self.lattice.width();
        let below: Vec<u8> = std::iter::zip(self.marks.floors().levels(), self.lattice.bottom().levels())
            .map(|(floor, base)| floor.0 - base.0)
            .collect();
        let strides = strides(&self.lattice);
        let total = self.states.len() as u64;
        let mut stopped = false;
        let mut digits = vec![0_u8; width];
        let mut steps = vec![0_u8; width];
        for place in 0..self.states.len() {
            let above_floors = digits.iter().zip(&below).all(|(digit, below)| digit >= below);
            if above_floors && self.states[place] == NodeState::Open {
                for (step, (digit, below)) in steps.iter_mut().zip(digits.iter().zip(&below)) {
                    *step = digit - below;
                }
                let finer = |attribute: &usize| digits[*attribute] > 0;
                let follows = (0..width).filter(finer).any(|a| self.states[place - strides[a]].is_present());
                self.states[place] = if follows {
                    NodeState::PresentImplied
                } else if self.marks.fails(self.marks.floors().rank(&steps)) {
                    NodeState::FailsImplied
                } else if stopped {
                    NodeState::Open
                } else {
                    let step = Step { done: place as u64, total, best: None, rounds: None };
                    stopped =
                        observer(step).is_break() || self.check(&steps, place, observer, step).is_break();
                    self.states[place]
                };
            } else if !above_floors && self.states[place] == NodeState::Open {
                self.states[place] = NodeState::FailsImplied;
            }
            advance(&mut digits, &self.lattice);
        }
        (self.states, if stopped { StopReason::Cancelled } else { StopReason::Done })
    }

    /// Counts a minimal open node.
    fn check(&mut self, steps: &[u8], place: usize, observer: &mut Observer, step: Step) -> ControlFlow<()> {
        let Some(witness) = self.ground.breaks(steps) else {
            self.states[place] = NodeState::PresentChecked;
            return ControlFlow::Continue(());
        };
        self.states[place] = NodeState::FailsChecked;
        let rank = self.marks.floors().rank(steps);
        self.marks.sweep(&self.ground, rank, witness, &mut || observer(step))
    }
}

/// The next node in lexicographic order, as steps above the bottom.
fn advance(digits: &mut [u8], lattice: &Lattice) {
    for (attribute, digit) in digits.iter_mut().enumerate().rev() {
        if usize::from(*digit) + 1 < lattice.span(attribute) {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
}

/// How far apart two nodes are numbered that differ by one level of each quasi-identifier.
fn strides(lattice: &Lattice) -> Vec<usize> {
    let mut strides = vec![1; lattice.width()];
    for attribute in (1..lattice.width()).rev() {
        strides[attribute - 1] = strides[attribute] * lattice.span(attribute);
    }
    strides
}

/// The δ-present nodes without a δ-present specialization. One level finer is enough to look at, for any finer one
/// implies it (paper, theorem 1).
fn minimal(lattice: &Lattice, states: &[NodeState]) -> Vec<Node> {
    let strides = strides(lattice);
    let digit = |place: usize, attribute: usize| place / strides[attribute] % lattice.span(attribute);
    let is_minimal = |place: &usize| {
        let mut finer = (0..lattice.width()).filter(|&attribute| digit(*place, attribute) > 0);
        states[*place].is_present() && !finer.any(|attribute| states[place - strides[attribute]].is_present())
    };
    (0..states.len()).filter(is_minimal).map(|place| lattice.unrank(place as u64)).collect()
}

//! The verdict of every node of a lattice, and its frontier.

use std::ops::ControlFlow;

use super::base_counts::{BaseCounts, Failure};
use super::failure_index::FailureIndex;
use super::floors::Floors;
use super::pace::Pace;
use super::tally::{Both, Form, Over, Tally};
use super::{Observer, Step, StopReason};
use palmtop_core::model::size;
use palmtop_core::model::{Counts, Lattice, Node, NodeIndex, Problem};

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

    /// Numbers for the nodes of a lattice that [`fits`](Self::fits), those of [`state`](Self::state).
    pub fn index(lattice: &Lattice) -> Option<NodeIndex> {
        NodeIndex::all(lattice, size::index(Self::LIMIT))
    }

    /// Why a lattice that does not fit is not searched.
    pub(super) fn too_large(lattice: &Lattice) -> StopReason {
        StopReason::TooLarge { nodes: lattice.len(), limit: Self::LIMIT }
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
/// frontier, or a class that breaks δ there marks many more nodes (`FailureIndex`). So only frontier nodes and one node a
/// witness are ever counted.
///
/// A lattice beyond [`LatticeSurvey::LIMIT`] is left open: it is too large. Stopped by its observer, it leaves open what
/// it has not come to.
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
        Form::Over => Walk::<Over>::through(problem, &index, &mut states, pace),
        Form::Both => Walk::<Both>::through(problem, &index, &mut states, pace),
        Form::Whole => Walk::<Counts>::through(problem, &index, &mut states, pace),
    };
    let stop = if walked.is_continue() { StopReason::Done } else { StopReason::Cancelled };
    let frontier = minimal(&lattice, &index, &states);
    (LatticeSurvey { lattice, states, frontier }, stop)
}

/// A walk over the nodes in lexicographic order.
struct Walk<'a, W> {
    index: &'a NodeIndex,
    /// How many levels each floor is above the bottom.
    below: Vec<u8>,
    states: &'a mut [NodeState],
    base_counts: BaseCounts<W>,
    marks: FailureIndex<W>,
}

impl<'a, W: Tally> Walk<'a, W> {
    /// Walks through all nodes of a problem, from nothing known.
    fn through(
        problem: &Problem,
        index: &'a NodeIndex,
        states: &'a mut [NodeState],
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        let lattice = problem.lattice();
        let floors = Floors::of(problem, pace)?;
        for (node, present) in floors.checked() {
            states[size::index(lattice.rank(node))] =
                if *present { NodeState::PresentChecked } else { NodeState::FailsChecked };
        }
        let base_counts = BaseCounts::new(problem, &floors, pace)?;
        let bottom = lattice.bottom();
        let below = std::iter::zip(floors.levels(), bottom.levels());
        let below = below.map(|(floor, base)| floor.0 - base.0).collect();
        let above = floors.index(index.len()).expect("no more nodes lie above the floors than there are");
        Self { index, below, states, base_counts, marks: FailureIndex::new(above) }.run(pace)
    }

    fn run(mut self, pace: &mut Pace) -> ControlFlow<()> {
        let width = self.below.len();
        let below = std::mem::take(&mut self.below);
        let total = self.states.len() as u64;
        let mut digits = vec![0_u8; width];
        let mut steps = vec![0_u8; width];
        for place in 0..self.states.len() {
            pace.spend(width)?;
            let above_floors = digits.iter().zip(&below).all(|(digit, below)| digit >= below);
            if above_floors && self.states[place] == NodeState::Open {
                for (step, (digit, below)) in steps.iter_mut().zip(digits.iter().zip(&below)) {
                    *step = digit - below;
                }
                let finer = digits.iter().zip(self.index.strides()).filter(|(digit, _)| **digit > 0);
                let mut finer = finer.map(|(_, stride)| self.states[place - stride]);
                if finer.any(NodeState::is_present) {
                    self.states[place] = NodeState::PresentImplied;
                } else if self.marks.fails(self.marks.index().rank(&steps)) {
                    self.states[place] = NodeState::FailsImplied;
                } else {
                    pace.tell(Step::of(place as u64, total))?;
                    self.check(&steps, place, pace)?;
                }
            } else if !above_floors && self.states[place] == NodeState::Open {
                self.states[place] = NodeState::FailsImplied;
            }
            advance(&mut digits, self.index);
        }
        ControlFlow::Continue(())
    }

    /// Counts a minimal open node.
    fn check(&mut self, steps: &[u8], number: usize, pace: &mut Pace) -> ControlFlow<()> {
        let Some(failure) = self.base_counts.breaks(steps, pace)? else {
            self.states[number] = NodeState::PresentChecked;
            return ControlFlow::Continue(());
        };
        self.states[number] = NodeState::FailsChecked;
        let rank = self.marks.index().rank(steps);
        match failure {
            Failure::Witness(witness) => self.marks.sweep(&self.base_counts, rank, witness, pace),
            Failure::UpTo(raised) => self.marks.mark(self.marks.index().rank(&raised), pace),
        }
    }
}

/// The next node in lexicographic order, as steps above the bottom.
fn advance(digits: &mut [u8], index: &NodeIndex) {
    for (digit, &span) in digits.iter_mut().zip(index.spans()).rev() {
        if usize::from(*digit) + 1 < span {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
}

/// The δ-present nodes without a δ-present specialization. One level finer is enough to look at, for any finer one
/// implies it (paper, theorem 1).
fn minimal(lattice: &Lattice, index: &NodeIndex, states: &[NodeState]) -> Vec<Node> {
    let is_minimal = |&place: &usize| {
        states[place].is_present() && !index.any_finer(place, |finer| states[finer].is_present())
    };
    (0..states.len()).filter(is_minimal).map(|place| lattice.unrank(place as u64)).collect()
}

//! The searches: from a problem to a recoding that keeps δ, or to the knowledge that there is none.
//!
//! They are pure: no clock, no output, no failure. A caller sees each [`Step`] and answers whether to go on.

pub mod strategy;
pub mod lattice_survey;
pub mod spalm;
pub mod mpalm;
mod split;
mod open;
mod antichain;
mod objective;
mod marks;
mod ground;
mod floors;
mod tally;
mod cost;
mod natural;

use std::ops::ControlFlow;

use crate::metrics::Metric;
use crate::model::{Problem, Recoding};

pub use lattice_survey::{LatticeSurvey, NodeState, survey};
pub use mpalm::mpalm;
pub use spalm::spalm;
pub use strategy::{ColumnRule, Strategy, ValueRule};

/// What every search may be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// What to minimize. MPALM's strategies decide by their own rules and do not look at it.
    pub metric: Metric,
}

/// One iteration of a search, as its caller sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// How much is decided: nodes for SPALM, combinations for MPALM.
    pub done: u64,
    /// How much there is to decide.
    pub total: u64,
    /// The metric of the best recoding found so far, where one is known.
    pub best: Option<f64>,
}

/// Sees each step and answers whether to go on.
pub type Observer<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// It decided everything.
    Done,
    /// |T|/|P| lies outside δ: no recoding can keep it.
    Infeasible,
    /// It decided everything and no recoding of its kind keeps δ.
    None,
    /// Its caller stopped it.
    Cancelled,
}

impl StopReason {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Infeasible => "infeasible",
            Self::None => "none",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What a search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// The nodes of the lattice, for a search over nodes.
    pub nodes: Option<u64>,
    /// The nodes all of whose classes were counted.
    pub checked: Option<u64>,
    /// The other nodes whose verdict is known: one of their classes breaks δ, or it follows from another node's by
    /// monotonicity (paper, theorem 1).
    pub implied: Option<u64>,
    /// Why it stopped.
    pub stop: StopReason,
}

impl SearchReport {
    /// A report of a search that has no nodes to count.
    pub fn without_nodes(stop: StopReason) -> Self {
        Self { nodes: None, checked: None, implied: None, stop }
    }
}

/// Runs one strategy.
///
/// `None` means that no recoding of its kind keeps δ, or that it was cancelled before it found one; the report says which.
pub fn run(
    strategy: Strategy,
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    match strategy {
        Strategy::Spalm => spalm(problem, config, observer),
        Strategy::Mpalm(column, value) => mpalm(problem, column, value, observer),
    }
}

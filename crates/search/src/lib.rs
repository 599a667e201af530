//! The searches: from a problem to a recoding that keeps δ, or to the knowledge that there is none.
//!
//! They are pure: no clock, no output, no failure. A caller sees each [`Step`] and answers whether to go on.

pub mod strategy;
pub mod lattice_survey;
pub mod simulatable;
pub mod spalm;
pub mod mpalm;
pub mod best;
pub mod k_optimal;
pub mod mondrian;
pub mod bound;
pub mod audit;
pub mod beside;
pub mod for_use;
pub mod compose;
pub mod release;
mod worker_pool;
mod pace;
mod order;
mod column_table;
mod label_tree;
mod label_sets;
mod split;
mod limits;
mod open;
mod antichain;
mod objective;
mod failure_index;
mod rungs;
mod base_counts;
mod floors;
mod tally;
mod value_judge;
mod people_judge;
mod cost;
mod withdrawal;

use palmtop_core::metrics::Metric;
use palmtop_core::model::{Problem, Recoding};
use palmtop_core::progress::{self, Progress};

pub use audit::{Audit, AuditConfig, AuditFinding, AuditMethod, Beyond, audit, is_transcript};
pub use beside::run_beside;
pub use best::best;
pub use bound::{NoBound, bound};
pub use for_use::{Measure, for_use, searches_for_use};
pub use k_optimal::k_optimal;
pub use lattice_survey::{LatticeSurvey, NodeState, survey};
pub use mondrian::mondrian;
pub use mpalm::mpalm;
pub use simulatable::simulatable;
pub use spalm::spalm;
pub use strategy::{ColumnRule, Family, Rows, Strategy, StrategyInfo, ValueRule};

/// What every search may be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// What to minimize. MPALM's strategies and Mondrian decide by their own rules and do not look at it.
    pub metric: Metric,
    /// What `best` draws from. The others do not draw.
    pub seed: u64,
    /// After how many rounds `best` stops; without it, when it has found nothing better for long.
    pub rounds: Option<u64>,
    /// After how many steps of its opening `best` stops, before any round.
    pub opening: Option<u64>,
    /// The k of a baseline, whatever the verdict; without it, the first that is δ-present.
    pub k: Option<u64>,
}

impl Config {
    /// Whether nothing but its caller, or finding nothing better for long, ends a strategy: it has no number of rounds.
    pub fn is_open_ended(&self, strategy: Strategy) -> bool {
        strategy.info().takes_rounds && self.rounds.or(self.opening).is_none()
    }
}

/// Where a search stands beside how much of it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchStage {
    /// The metric of the best recoding found so far, where one is known.
    pub best: Option<f64>,
    /// What SPALM has proven so far: no node that keeps δ has a metric below this.
    pub lower: Option<f64>,
    /// The rounds that `best` has done; `None` while it is in its opening, and for the others.
    pub rounds: Option<u64>,
}

/// One iteration of a search, as its caller sees it. What is done is nodes for SPALM, combinations for MPALM, parts of the
/// opening or rounds for `best`.
pub type Step = Progress<SearchStage>;

/// Sees each step and answers whether to go on.
pub type Observer<'a> = progress::Observer<'a, SearchStage>;

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
    /// Its caller stopped it because its time was up.
    Time,
    /// It did as many rounds, or steps of its opening, as it was told.
    Rounds,
    /// Nothing was searched: levels are limited from above, and where to begin would tell of T what `simulatable` does not ask.
    Levels,
    /// Nothing was searched: there is more to go through than can be held.
    TooLarge {
        /// The nodes of the lattice; `u64::MAX` stands for more than that.
        nodes: u64,
        /// How many can be held.
        limit: u64,
    },
}

impl StopReason {
    /// Whether it was stopped before its end, so that another run may find more. What is infeasible or too large is so again.
    pub fn is_early(self) -> bool {
        match self {
            Self::Cancelled | Self::Time => true,
            Self::Done
            | Self::Infeasible
            | Self::None
            | Self::Rounds
            | Self::Levels
            | Self::TooLarge { .. } => false,
        }
    }

    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Infeasible => "infeasible",
            Self::None => "none",
            Self::Cancelled => "cancelled",
            Self::Time => "time",
            Self::Rounds => "rounds",
            Self::Levels => "levels",
            Self::TooLarge { .. } => "too-large",
        }
    }
}

/// What a search did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchReport {
    /// The nodes of the lattice, for a search over nodes.
    pub nodes: Option<u64>,
    /// The nodes all of whose classes were counted.
    pub checked: Option<u64>,
    /// The other nodes whose verdict is known: one of their classes breaks δ, or it follows from another node's by
    /// monotonicity (paper, theorem 1).
    pub implied: Option<u64>,
    /// What SPALM has proven, if it was stopped: no node that keeps δ has a metric below this. The best node may be above.
    pub lower: Option<f64>,
    /// The rounds that `best` did: with the seed, they make its release again. `None` where it ended in its opening.
    pub rounds: Option<u64>,
    /// The steps of its opening that `best` did, where it ended there: with the seed, they make its release again.
    pub opening: Option<u64>,
    /// The k of a baseline.
    pub k: Option<u64>,
    /// Why it stopped.
    pub stop: StopReason,
}

impl SearchReport {
    /// A report of a search that has no nodes to count.
    pub fn without_nodes(stop: StopReason) -> Self {
        Self {
            nodes: None,
            checked: None,
            implied: None,
            lower: None,
            rounds: None,
            opening: None,
            k: None,
            stop,
        }
    }
}

/// Whether some recoding satisfies the policy: its feasibility, or where a class of the coarsest node that is permitted breaks it, that
/// members may be withdrawn, so that SPALM and `best` may find something all the same.
pub fn is_feasible(problem: &Problem) -> bool {
    problem.feasibility().holds() || withdrawal::is_feasible(problem)
}

/// Runs one strategy.
///
/// `None` means that no recoding of its kind keeps δ, or that it was cancelled before it found one; the report says which.
///
/// # Panics
/// If people who have several rows are counted, and the strategy does not take them ([`StrategyInfo::counts_people`]).
pub fn run(
    strategy: Strategy,
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    assert!(problem.people().is_none() || strategy.info().counts_people, "{strategy} takes rows only");
    match strategy {
        Strategy::Simulatable => simulatable(problem, observer),
        Strategy::Spalm => spalm(problem, config, observer),
        Strategy::Mpalm(column, value) => mpalm(problem, column, value, observer),
        Strategy::Best => best(problem, config, observer),
        Strategy::KOptimal => k_optimal(problem, config, observer),
        Strategy::Mondrian(rows) => mondrian(problem, rows, config, observer),
    }
}

//! The options of a search, what it tells its observer, and its report.

use palmtop_core::metrics::Metric;
use palmtop_core::progress::{self, Progress};
use palmtop_core::strategy::Strategy;

/// The options of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The metric to minimize. MPALM ignores it: its rules use no metric.
    pub metric: Metric,
    /// The seed of `best`. The other strategies draw no random numbers.
    pub seed: u64,
    /// The number of rounds after which `best` stops. If `None`, it stops after a long time
    /// without improvement.
    pub rounds: Option<u64>,
    /// The number of opening steps after which `best` stops, before round 1.
    pub opening: Option<u64>,
}

impl Config {
    /// Whether the strategy runs until its caller stops it or it finds no improvement for long.
    pub fn is_open_ended(&self, strategy: Strategy) -> bool {
        strategy.family().draws() && self.rounds.or(self.opening).is_none()
    }
}

/// The state of a search that its progress (done, total) does not show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchStage {
    /// The metric of the best recoding found so far, if it is known.
    pub best: Option<f64>,
    /// A lower bound that SPALM has proven so far: every δ-present node has at least this metric.
    pub lower: Option<f64>,
    /// The number of finished rounds of `best`. `None` during its opening, and for other searches.
    pub rounds: Option<u64>,
    /// Whether `best` now lists the regions of a strategy and measures them, which nothing can stop. When it is
    /// stopped, it does so again.
    pub lists_regions: bool,
}

/// One iteration of a search. The unit of progress is nodes for SPALM, combinations for MPALM,
/// and parts of the opening or rounds for `best`.
pub type Step = Progress<SearchStage>;

/// A callback that receives each step and decides whether the search continues.
pub type Observer<'a> = progress::Observer<'a, SearchStage>;

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The search is complete.
    Done,
    /// |T|/|P| lies outside δ, so that no recoding is δ-present.
    Infeasible,
    /// The search is complete, and no recoding of its kind is δ-present.
    None,
    /// The caller stopped the search.
    Cancelled,
    /// The caller stopped the search because its time was over.
    Time,
    /// The search did the requested number of rounds or opening steps.
    Rounds,
    /// The search did not start: `simulatable` cannot start below `*`. Classes at a coarser limit
    /// would reveal facts about T that no question has asked.
    Levels,
    /// The search did not start: the lattice has more nodes than memory can hold.
    TooLarge {
        /// The number of nodes; `u64::MAX` means that or more.
        nodes: u64,
        /// The largest number of nodes that can be held.
        limit: u64,
    },
}

impl StopReason {
    /// Whether the search stopped before its end, so that a longer run may find more.
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

    /// The word for this reason in reports, a stable key.
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

/// What a search counted, and why it stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchReport {
    /// The number of nodes of the lattice, for a search over nodes.
    pub nodes: Option<u64>,
    /// The number of nodes whose classes were all counted.
    pub checked: Option<u64>,
    /// The number of other nodes with a known verdict. Either one class was found that breaks δ,
    /// or the verdict follows from another node by monotonicity (paper, theorem 1).
    pub implied: Option<u64>,
    /// The lower bound that a stopped SPALM has proven: every δ-present node has at least this
    /// metric. The best node may be worse than the bound.
    pub lower: Option<f64>,
    /// The number of rounds that `best` did. With the seed, it reproduces the release. `None` if
    /// the search ended in its opening.
    pub rounds: Option<u64>,
    /// The number of opening steps that `best` did, if it ended there. With the seed, it
    /// reproduces the release.
    pub opening: Option<u64>,
    /// Why the search stopped.
    pub stop: StopReason,
}

impl SearchReport {
    /// The report of a search over so many nodes.
    pub(crate) fn of_nodes(nodes: u64, checked: u64, implied: Option<u64>, stop: StopReason) -> Self {
        Self { nodes: Some(nodes), checked: Some(checked), implied, ..Self::without_nodes(stop) }
    }

    /// The report of a search that counts no nodes.
    pub fn without_nodes(stop: StopReason) -> Self {
        Self { nodes: None, checked: None, implied: None, lower: None, rounds: None, opening: None, stop }
    }
}

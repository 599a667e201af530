//! A search as the history has it: by the settings that repeat it.

use std::fmt;
use std::str::FromStr;

use palmtop_core::metrics::Metric;
use palmtop_core::model::{Delta, Level, Node};
use palmtop_core::strategy::{GONE, UnknownStrategy};
use palmtop_search::{Config, SearchReport, Strategy};

/// A strategy by its name in a history. The searches of an older palmtop may name one that is gone:
/// its search is kept, but its release cannot be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggedStrategy {
    /// A strategy that palmtop runs.
    Known(Strategy),
    /// A name of [`GONE`].
    Gone(&'static str),
}

impl LoggedStrategy {
    /// The strategy; `None` if it is gone.
    pub fn known(self) -> Option<Strategy> {
        match self {
            Self::Known(strategy) => Some(strategy),
            Self::Gone(_) => None,
        }
    }

    /// Whether the strategy accepts a number of rounds.
    pub(crate) fn takes_rounds(self) -> bool {
        self.known().is_some_and(|strategy| strategy.family().draws())
    }
}

impl From<Strategy> for LoggedStrategy {
    fn from(strategy: Strategy) -> Self {
        Self::Known(strategy)
    }
}

impl fmt::Display for LoggedStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(strategy) => strategy.fmt(f),
            Self::Gone(name) => f.pad(name),
        }
    }
}

impl FromStr for LoggedStrategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        match GONE.into_iter().find(|gone| *gone == name) {
            Some(gone) => Ok(Self::Gone(gone)),
            None => name.parse().map(Self::Known),
        }
    }
}

/// A search, described by the settings that repeat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The strategy of the search.
    pub strategy: LoggedStrategy,
    /// The δ under which the search ran.
    pub delta: Delta,
    /// The metric that the search minimized.
    pub metric: Metric,
    /// The seed of the search.
    pub seed: u64,
    /// The number of rounds of `best`.
    pub rounds: Option<u64>,
    /// The number of opening steps of `best`, if it stopped before round 1.
    pub opening: Option<u64>,
    /// In older entries: the drawn tables on which `simulatable` rehearsed. Such a search cannot be made again.
    pub rehearsed: Option<u32>,
    /// The levels of the found node; `None` if the search found regions.
    pub node: Option<Vec<Level>>,
    /// Whether the search completed; `false` if it was stopped.
    pub complete: bool,
}

impl Search {
    /// Describes a search that ended, by its settings, its report, and the node that it found.
    pub fn new(
        strategy: Strategy,
        config: &Config,
        delta: Delta,
        report: &SearchReport,
        node: Option<&Node>,
    ) -> Self {
        Self {
            strategy: strategy.into(),
            delta,
            metric: config.metric,
            seed: config.seed,
            rounds: report.rounds,
            opening: report.opening,
            rehearsed: None,
            node: node.map(|node| node.levels().to_vec()),
            complete: !report.stop.is_early(),
        }
    }

    /// Whether palmtop can still run the search.
    pub fn can_be_repeated(&self) -> bool {
        self.rehearsed.is_none() && self.strategy.known().is_some()
    }

    /// Whether a second run has the same result. The search completed, or its number of rounds or opening steps is known: a search
    /// that stops itself after this number has the same result as a search that was stopped then.
    pub fn repeats(&self) -> bool {
        let is_counted = self.rounds.is_some() || self.opening.is_some();
        self.can_be_repeated() && (self.complete || (self.strategy.takes_rounds() && is_counted))
    }
}

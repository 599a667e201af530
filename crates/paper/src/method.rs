//! What the experiment runs: a strategy of palmtop, or a baseline.

use std::fmt;
use std::str::FromStr;

use palmtop_core::strategy::UnknownStrategy;
use palmtop_release::chart::Subject;
use palmtop_release::svg::{Look, Mark};
use palmtop_search::{ColumnRule, Strategy, ValueRule};

use super::baseline::Baseline;

/// A strategy or a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Strategy(Strategy),
    Baseline(Baseline),
}

impl Method {
    /// Everything that runs by default, in the order of every list.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Strategy::all().map(Self::Strategy).chain(Baseline::ALL.map(Self::Baseline))
    }

    /// A sentence with all names.
    pub(crate) fn names() -> String {
        let baselines = Baseline::ALL.map(Baseline::name).join(", ");
        format!("{}, or a baseline: {baselines}", Strategy::names())
    }

    /// The strategy; `None` for a baseline.
    pub(crate) fn strategy(self) -> Option<Strategy> {
        match self {
            Self::Strategy(strategy) => Some(strategy),
            Self::Baseline(_) => None,
        }
    }

    /// Whether it draws random numbers, so that its seed matters.
    pub(crate) fn draws(self) -> bool {
        self.strategy().is_some_and(|strategy| strategy.family().draws())
    }
}

impl From<Strategy> for Method {
    fn from(strategy: Strategy) -> Self {
        Self::Strategy(strategy)
    }
}

impl From<Baseline> for Method {
    fn from(baseline: Baseline) -> Self {
        Self::Baseline(baseline)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strategy(strategy) => strategy.fmt(f),
            Self::Baseline(baseline) => baseline.fmt(f),
        }
    }
}

/// A name that neither a strategy nor a baseline has.
#[derive(Debug, thiserror::Error)]
#[error("unknown strategy `{}`: expected {}", .0.name, Method::names())]
pub(crate) struct UnknownMethod(UnknownStrategy);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        match Baseline::ALL.into_iter().find(|baseline| baseline.name() == name) {
            Some(baseline) => Ok(Self::Baseline(baseline)),
            None => name.parse().map(Self::Strategy).map_err(UnknownMethod),
        }
    }
}

impl Subject for Method {
    fn letter(self) -> char {
        match self {
            Self::Strategy(strategy) => strategy.letter(),
            Self::Baseline(Baseline::KOptimal) => 'k',
            Self::Baseline(Baseline::Mondrian) => 'M',
            Self::Baseline(Baseline::MondrianOfP) => 'P',
        }
    }

    fn rules(self) -> Option<(ColumnRule, ValueRule)> {
        self.strategy().and_then(Strategy::rules)
    }

    fn look(self) -> Look {
        let (light, dark, mark) = match self {
            Self::Strategy(strategy) => return strategy.look(),
            Self::Baseline(Baseline::KOptimal) => ("#a8487f", "#e79ac5", Mark::Disc),
            Self::Baseline(Baseline::Mondrian) => ("#6e6e6e", "#b0b0b0", Mark::Triangle),
            Self::Baseline(Baseline::MondrianOfP) => ("#808080", "#9a9a9a", Mark::Cross),
        };
        Look { light, dark, width: 2, is_dashed: true, mark }
    }
}

//! The strategy of a logged search.

use std::fmt;
use std::str::FromStr;

use palmtop_search::Strategy;
use palmtop_search::strategy::{GONE, UnknownStrategy};

/// A strategy by its name in sessions and registers. Those of an older palmtop may name one that is gone:
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

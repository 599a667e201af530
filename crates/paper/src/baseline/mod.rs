//! The baselines: k-anonymity, which ignores δ, in the comparison of section 7 of the paper.
//!
//! Each computes the release for k = 1, 2, 3, …, and returns the first that satisfies the policy. They
//! are written to be read: a strategy of palmtop would take less time and memory.

mod k_optimal;
mod mondrian;

use std::fmt;

use palmtop_core::metrics::Metric;
use palmtop_core::model::{Problem, Recoding};
use palmtop_search::{Observer, SearchReport, StopReason};

use self::mondrian::Rows;

/// A baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Baseline {
    /// The k-anonymous node of T of least cost.
    KOptimal,
    /// The partition of strict Mondrian with k rows of T in each region.
    Mondrian,
    /// The same with k rows of P.
    MondrianOfP,
}

/// The result of a baseline.
pub(crate) struct Found {
    /// The release; `None` if no k gives one that satisfies the policy.
    pub(crate) recoding: Option<Recoding>,
    /// The k of the release.
    pub(crate) k: Option<u64>,
    pub(crate) report: SearchReport,
}

impl Found {
    fn nothing(stop: StopReason) -> Self {
        Self { recoding: None, k: None, report: SearchReport::without_nodes(stop) }
    }
}

impl Baseline {
    pub(crate) const ALL: [Self; 3] = [Self::KOptimal, Self::Mondrian, Self::MondrianOfP];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::KOptimal => "k-optimal",
            Self::Mondrian => "mondrian",
            Self::MondrianOfP => "mondrian-p",
        }
    }

    /// Runs the baseline. Mondrian follows its own rules and ignores the metric.
    pub(crate) fn run(self, problem: &Problem, metric: Metric, observer: &mut Observer) -> Found {
        match self {
            _ if !problem.feasibility().holds() => Found::nothing(StopReason::Infeasible),
            Self::KOptimal => k_optimal::k_optimal(problem, metric, observer),
            Self::Mondrian => mondrian::mondrian(problem, Rows::Private, observer),
            Self::MondrianOfP => mondrian::mondrian(problem, Rows::Public, observer),
        }
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests;

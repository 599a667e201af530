//! SPALM (single-dimensional presence algorithm), exact: the δ-present node of least cost (paper,
//! section 5).

use std::ops::ControlFlow;

use super::antichain::Antichain;
use super::branch_and_bound::branch_and_bound;
use super::cheapest_first::cheapest_first;
use super::cheapest_search::CheapestSearch;
use super::failure_index::FailureIndex;
use super::withdrawal;
use crate::control::pace::Pace;
use crate::counts::floors::Floors;
use crate::counts::tally::{Both, Form, Over, Tally};
use crate::{Config, Observer, SearchReport, StopReason};
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Counts, Problem, Recoding};

/// The largest number of nodes above the floors for which a search holds a mark for each node.
const OPEN_LIMIT: usize = 1 << 20;

/// Finds the δ-present node that costs least by the metric. Ties are broken by the least height,
/// then by lexicographic order.
///
/// # Algorithm
/// Line 7 of the paper's algorithm prunes "siblings and grandsiblings", which must mean *all
/// specializations*. This search reverses the paper's order. It counts the cheapest node that is
/// not known to fail.
/// - If the node keeps δ, it is the answer, because every cheaper node fails.
/// - Otherwise, one class that breaks δ there proves that many other nodes fail, too, and the search
///   continues.
///
/// Each count removes at least one node. The top keeps δ if the problem is feasible, so that the
/// search ends. If the lattice has too many nodes to hold, a branch and bound does the same with a
/// list of failures (`Antichain`).
///
/// # Why the answer is a minimal δ-present node
/// A generalization's classes are unions of classes, and its labels denote at least as many leaves.
/// So neither loss falls along generalization, and neither does discernibility, because (a + b)² ≥
/// a² + b². The height grows, so that a specialization wins a tie. Hence the order (cost, height,
/// lexicographic rank) strictly grows along generalization, and its least δ-present node has no
/// δ-present specialization.
///
/// # Withdrawal
/// If the policy permits the withdrawal of members, these arguments do not hold. Another search
/// then finds the best node together with the classes to withdraw (module `withdrawal`).
///
/// # Stopping
/// If the observer stops the search, it returns the best δ-present node so far and a lower bound on
/// the cost of all δ-present nodes: every cheaper node is known to fail.
pub fn spalm(
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    spalm_at(problem, config, &mut Pace::new(observer, problem.lattice().len()))
}

/// Runs [`spalm`] with a given pace.
pub(crate) fn spalm_at(
    problem: &Problem,
    config: &Config,
    pace: &mut Pace,
) -> (Option<Recoding>, SearchReport) {
    spalm_below(problem, config, None, pace)
}

/// Runs [`spalm_at`] for a caller that needs no node with a metric above `most`. The search skips
/// work that only such nodes need.
pub(crate) fn spalm_below(
    problem: &Problem,
    config: &Config,
    most: Option<f64>,
    pace: &mut Pace,
) -> (Option<Recoding>, SearchReport) {
    if withdrawal::is_feasible(problem) {
        return withdrawal::search(problem, config.metric, pace);
    }
    let feasibility = problem.feasibility();
    if !feasibility.holds() {
        let nodes = problem.lattice().len();
        return (None, SearchReport::of_nodes(nodes, 0, Some(nodes), StopReason::Infeasible));
    }
    let found = match Form::of(problem.policy(), feasibility.total) {
        Form::Over => search::<Over>(problem, config.metric, most, pace),
        Form::Both => search::<Both>(problem, config.metric, most, pace),
        Form::Whole => search::<Counts>(problem, config.metric, most, pace),
    };
    match found {
        ControlFlow::Continue(found) => found,
        // The search was stopped before its first node. The top keeps δ, because δ is feasible.
        ControlFlow::Break(()) => {
            let report = SearchReport::of_nodes(problem.lattice().len(), 0, Some(0), StopReason::Cancelled);
            (Some(Recoding::Node(problem.lattice().top())), report)
        }
    }
}

/// Searches with one form of tallies. The number of nodes decides how failures are held. Breaks if
/// the search was stopped before its first step.
fn search<W: Tally>(
    problem: &Problem,
    metric: Metric,
    most: Option<f64>,
    pace: &mut Pace,
) -> ControlFlow<(), (Option<Recoding>, SearchReport)> {
    let floors = Floors::of(problem, pace)?;
    ControlFlow::Continue(if let Some(index) = floors.index(OPEN_LIMIT) {
        let failures = FailureIndex::<W>::new(index);
        let search = CheapestSearch::cheapest(problem, metric, failures, floors, pace)?;
        search.within(most).find(cheapest_first, pace)
    } else {
        let failures = Antichain::new(floors.spans());
        let search = CheapestSearch::<W, _>::cheapest(problem, metric, failures, floors, pace)?;
        search.within(most).find(branch_and_bound, pace)
    })
}

#[cfg(test)]
mod tests;

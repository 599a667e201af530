//! Runs a strategy of `palmtop_core`'s table.

use palmtop_core::model::{Problem, Recoding};
use palmtop_core::strategy::Strategy;

use crate::nodes::withdrawal;
use crate::{Config, Observer, SearchReport, best, mpalm, simulatable, spalm};

/// Whether a recoding can satisfy the policy.
///
/// Either the policy is feasible, or SPALM and `best` may satisfy it by withdrawing members from
/// those classes of the coarsest permitted node that break it.
pub fn is_feasible(problem: &Problem) -> bool {
    problem.feasibility().holds() || withdrawal::is_feasible(problem)
}

/// Runs one strategy.
///
/// The recoding is `None` if no recoding of the strategy's kind is δ-present, or if the search was
/// stopped before it found one. The report names the reason.
///
/// # Panics
/// If people with several rows are counted, and the strategy does not accept them
/// ([`Family::counts_people`](palmtop_core::strategy::Family::counts_people)).
pub fn run(
    strategy: Strategy,
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    assert!(problem.people().is_none() || strategy.family().counts_people(), "{strategy} takes rows only");
    match strategy {
        Strategy::Simulatable => simulatable(problem, observer),
        Strategy::Spalm => spalm(problem, config, observer),
        Strategy::Mpalm(column, value) => mpalm(problem, column, value, observer),
        Strategy::Best => best(problem, config, observer),
    }
}

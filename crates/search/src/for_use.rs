//! Searches for the recoding of least error under a measure that the caller gives, such as the
//! error of queries.
//!
//! Such an error is defined for a release only, not for its classes, and it may grow where the loss
//! falls. No bound is known for it.
//! - SPALM measures every δ-present node, and the minimal ones first.
//! - `best` is guided by losses, because a change of one region changes the error little. It runs
//!   repeatedly with changed [weights](palmtop_core::model::Weights), and keeps a change if the
//!   error falls.
//!
//! The measure reads T, so that the choice may reveal facts about T. `simulatable` therefore
//! cannot search this way: it learns about T only by its questions.

use std::cmp::Ordering;

use super::lattice_survey::{LatticeSurvey, survey};
use super::{Config, Observer, SearchReport, SearchStage, Step, StopReason, Strategy, run};
use palmtop_core::metrics::{Metric, NodeLosses};
use palmtop_core::model::{Problem, Recoding, Weights};

/// The error of the release by this recoding; less is better.
pub type Measure<'a> = dyn Fn(&Recoding) -> f64 + 'a;

/// The resolution of weights: a weight of 1 starts at this value, so that it can be halved.
const FINE: u32 = 8;
/// The rounds of `best` for each choice of weights, if the caller gives no number.
const ROUNDS: u64 = 8;

/// Searches for the recoding with the least measure.
///
/// SPALM is exact if the lattice can be surveyed and the observer does not stop it. `best` tries
/// weights only. No member is withdrawn. Ties are broken by the loss, then by height and order of
/// nodes, so that a run with the same rounds gives the same recoding. If the observer stops the
/// search, it returns the best recoding so far.
///
/// # Panics
/// If the strategy does not accept a measure ([`StrategyInfo::minimizes_measures`](super::StrategyInfo::minimizes_measures)).
pub fn for_use(
    strategy: Strategy,
    problem: &Problem,
    config: &Config,
    measure: &Measure,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    assert!(strategy.info().minimizes_measures, "a strategy that minimizes");
    let problem = &problem.with_suppression(palmtop_core::model::Suppression::NONE);
    if !strategy.info().finds_regions && LatticeSurvey::fits(&problem.lattice()) {
        nodes(problem, measure, observer)
    } else {
        by_weights(strategy, problem, config, measure, observer)
    }
}

/// Measures every δ-present node: the minimal nodes first, each group by loss.
fn nodes(problem: &Problem, measure: &Measure, observer: &mut Observer) -> (Option<Recoding>, SearchReport) {
    let (survey, stop) = survey(problem, observer);
    let (lattice, losses) = (survey.lattice(), NodeLosses::of(problem));
    let loss = |rank: u64| losses.of_node(&lattice.unrank(rank)).mean();
    let frontier: Vec<u64> = survey.frontier().iter().map(|node| lattice.rank(node)).collect();
    let mut order: Vec<(bool, f64, u64)> = (0..lattice.len())
        .filter(|&rank| survey.state(rank).is_present())
        .map(|rank| (frontier.binary_search(&rank).is_err(), loss(rank), rank))
        .collect();
    order.sort_by(|left, right| {
        left.0.cmp(&right.0).then_with(|| left.1.total_cmp(&right.1)).then_with(|| left.2.cmp(&right.2))
    });
    let mut best: Option<(f64, f64, u64)> = None;
    let (mut measured, total) = (0, order.len() as u64);
    let mut stop = if order.is_empty() && stop == StopReason::Done { StopReason::None } else { stop };
    for (_, loss, rank) in order {
        let stage = SearchStage { best: best.map(|(error, ..)| error), ..SearchStage::default() };
        // A search that was stopped before the first measurement still measures one node.
        if best.is_some() && observer(Step { stage, done: measured, total }).is_break() {
            stop = StopReason::Cancelled;
            break;
        }
        let error = measure(&Recoding::Node(lattice.unrank(rank)));
        measured += 1;
        if best.is_none_or(|best| is_less((error, loss), (best.0, best.1))) {
            best = Some((error, loss, rank));
        }
        if stop == StopReason::Cancelled {
            break;
        }
    }
    let report = SearchReport::of_nodes(lattice.len(), survey.checked(), Some(survey.implied()), stop);
    (best.map(|(.., rank)| Recoding::Node(lattice.unrank(rank))), report)
}

fn is_less(left: (f64, f64), right: (f64, f64)) -> bool {
    left.0.total_cmp(&right.0).then_with(|| left.1.total_cmp(&right.1)) == Ordering::Less
}

/// Runs a strategy with the project's weights, then doubles or halves one weight at a time while
/// the error falls.
fn by_weights(
    strategy: Strategy,
    problem: &Problem,
    config: &Config,
    measure: &Measure,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    let width = problem.quasi().len();
    let metric = if config.metric == Metric::LossGeometric { Metric::LossGeometric } else { Metric::Loss };
    let rounds = config.rounds.or(Some(ROUNDS)).filter(|_| config.opening.is_none());
    let config = Config { metric, rounds, ..*config };
    let mut weights: Vec<u32> =
        (0..width).map(|attribute| (problem.weights().at(attribute) * FINE).min(Weights::MOST)).collect();
    let mut best: Option<(f64, Recoding)> = None;
    let mut runs = 0;
    let mut attempt = |weights: &[u32], best: Option<f64>| {
        runs += 1;
        let weighed = problem.with_weights(Weights::of(weights.to_vec()));
        let watched = &mut |step: Step| {
            let stage = SearchStage { best, ..step.stage };
            observer(Step { stage, ..step })
        };
        let (found, report) = run(strategy, &weighed, &config, watched);
        (found.map(|found| (measure(&found), found)), report)
    };
    let (first, mut report) = attempt(&weights, None);
    let Some(first) = first else { return (None, report) };
    let mut error = first.0;
    best.replace(first);
    // The search ends after a pass over all quasi-identifiers without improvement.
    let (mut failures, mut turn) = (0, 0);
    while failures < width && !report.stop.is_early() {
        let attribute = turn % width;
        turn += 1;
        failures += 1;
        for changed in [weights[attribute] * 2, weights[attribute] / 2] {
            if !(1..=Weights::MOST).contains(&changed) {
                continue;
            }
            let mut candidate = weights.clone();
            candidate[attribute] = changed;
            let (found, attempted) = attempt(&candidate, Some(error));
            report.stop = attempted.stop;
            let better = found.filter(|(candidate_error, _)| *candidate_error < error);
            let is_better = better.is_some();
            if let Some((candidate_error, found)) = better {
                (error, weights, failures) = (candidate_error, candidate, 0);
                best.replace((candidate_error, found));
            }
            if is_better || report.stop.is_early() {
                break;
            }
        }
    }
    // If the search was stopped, no number of rounds reproduces its release.
    report.rounds = None;
    if !report.stop.is_early() {
        (report.stop, report.rounds) = (StopReason::Done, config.rounds);
    }
    (best.map(|(_, found)| found), report)
}

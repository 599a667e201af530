//! Searching for what a release is good for: for the least error that somebody else measures, such as that of queries.
//!
//! Such an error is known only of a release as a whole, and need not fall where the loss does; nothing bounds it. So SPALM measures one
//! δ-present node after another, the minimal ones first. `best` cannot: it is led by losses, of which a change of one region changes
//! little. It is run again and again with other [weights](palmtop_core::model::Weights), which are kept where the error falls.
//!
//! The measure sees T. Whoever searches so may be asked what that tells: never `simulatable`, whose questions are all that it learns.

use std::cmp::Ordering;

use super::lattice_survey::{LatticeSurvey, survey};
use super::{Config, Observer, SearchReport, SearchStage, Step, StopReason, Strategy, run};
use palmtop_core::metrics::{Metric, NodeLosses};
use palmtop_core::model::{Problem, Recoding, Weights};

/// How bad a release of this recoding would be: the less, the better.
pub type Measure<'a> = dyn Fn(&Recoding) -> f64 + 'a;

/// So finely weights are changed: what weighs 1 weighs this much at first, so that it can become less.
const FINE: u32 = 8;
/// How often `best` does nothing but its opening and these rounds for one choice of weights, where nobody says how often.
const ROUNDS: u64 = 8;

/// Whether a strategy can search for a measure.
pub fn searches_for_use(strategy: Strategy) -> bool {
    matches!(strategy, Strategy::Spalm | Strategy::Best)
}

/// Searches for the recoding of the least measure: SPALM exactly where the lattice can be surveyed and nobody stops it, `best` as far as
/// weights lead it.
///
/// Nobody is withdrawn. Ties are broken by the loss, then by height and order of nodes; so the same comes of the same rounds. Stopped by its
/// observer, it returns the best that it came across.
///
/// # Panics
/// If the strategy is neither SPALM nor `best`.
pub fn for_use(
    strategy: Strategy,
    problem: &Problem,
    config: &Config,
    measure: &Measure,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    assert!(searches_for_use(strategy), "a strategy that minimizes");
    let problem = &problem.with_suppression(palmtop_core::model::Suppression::NONE);
    if strategy == Strategy::Spalm && LatticeSurvey::fits(&problem.lattice()) {
        nodes(problem, measure, observer)
    } else {
        by_weights(strategy, problem, config, measure, observer)
    }
}

/// Measures every δ-present node.
fn nodes(problem: &Problem, measure: &Measure, observer: &mut Observer) -> (Option<Recoding>, SearchReport) {
    let (survey, stop) = survey(problem, observer);
    let (lattice, losses) = (survey.lattice(), NodeLosses::of(problem));
    let loss = |rank: u64| losses.of_node(&lattice.unrank(rank)).mean();
    let frontier: Vec<u64> = survey.frontier().iter().map(|node| lattice.rank(node)).collect();
    let mut order: Vec<(bool, f64, u64)> = (0..lattice.len())
        .filter(|&rank| survey.state(rank).is_present())
        .map(|rank| (frontier.binary_search(&rank).is_err(), loss(rank), rank))
        .collect();
    order.sort_by(|one, other| {
        one.0.cmp(&other.0).then_with(|| one.1.total_cmp(&other.1)).then_with(|| one.2.cmp(&other.2))
    });
    let mut best: Option<(f64, f64, u64)> = None;
    let (mut measured, total) = (0, order.len() as u64);
    let mut stop = if order.is_empty() && stop == StopReason::Done { StopReason::None } else { stop };
    for (_, loss, rank) in order {
        let stage = SearchStage { best: best.map(|(error, ..)| error), lower: None, rounds: None };
        // What was stopped before anything was measured still has something to show.
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
    let report = SearchReport {
        nodes: Some(lattice.len()),
        checked: Some(survey.checked()),
        implied: Some(survey.implied()),
        ..SearchReport::without_nodes(stop)
    };
    (best.map(|(.., rank)| Recoding::Node(lattice.unrank(rank))), report)
}

fn is_less(one: (f64, f64), other: (f64, f64)) -> bool {
    one.0.total_cmp(&other.0).then_with(|| one.1.total_cmp(&other.1)) == Ordering::Less
}

/// Runs a strategy with the project's weights, then with each weight doubled or halved in turn, as long as that helps.
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
    // A pass over all quasi-identifiers in which nothing helps is the last.
    let (mut in_vain, mut turn) = (0, 0);
    while in_vain < width && !report.stop.is_early() {
        let attribute = turn % width;
        turn += 1;
        in_vain += 1;
        for changed in [weights[attribute] * 2, weights[attribute] / 2] {
            if !(1..=Weights::MOST).contains(&changed) {
                continue;
            }
            let mut others = weights.clone();
            others[attribute] = changed;
            let (found, own) = attempt(&others, Some(error));
            report.stop = own.stop;
            let better = found.filter(|(own, _)| *own < error);
            let is_better = better.is_some();
            if let Some((own, found)) = better {
                (error, weights, in_vain) = (own, others, 0);
                best.replace((own, found));
            }
            if is_better || report.stop.is_early() {
                break;
            }
        }
    }
    // Where it was stopped, no number of rounds makes it again.
    report.rounds = None;
    if !report.stop.is_early() {
        (report.stop, report.rounds) = (StopReason::Done, config.rounds);
    }
    (best.map(|(_, found)| found), report)
}

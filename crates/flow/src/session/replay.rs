//! A step of a log becomes its release again.

use std::path::PathBuf;

use super::{Log, Place, Search, joined};
use crate::pipeline::Analysis;
use palmtop_core::model::{Criteria, Delta, Level, ModelError, Node, Problem, Recoding};
use palmtop_search::release::{Origin, Release};
use palmtop_search::{Config, Observer, SearchReport, StopReason, Strategy};

/// A release that was made again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The release, judged under its step's δ and the session's other criteria.
    pub release: Release,
    /// The seconds that the search and measuring its release took; `None` where there was none to run.
    pub seconds: Option<f64>,
}

/// Why a step's release cannot be made again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The log has no step of this number.
    #[error("there is no step {step}: the session's steps are 0 to {last}")]
    NoSuchStep {
        /// The number.
        step: usize,
        /// The last that there is.
        last: usize,
    },
    /// Files are no longer those of the log.
    #[error("changed or gone since the session: {}; the release would be another one", listed(paths))]
    InputsChanged {
        /// The files.
        paths: Vec<PathBuf>,
    },
    /// Other criteria are enforced than those of the log.
    #[error(
        "the session enforced {logged} beside δ, and the project enforces {project}; the release would be another one"
    )]
    PolicyChanged {
        /// Those of the log.
        logged: Criteria,
        /// The project's.
        project: Criteria,
    },
    /// The step is judged under a looser δ than the project's.
    #[error(
        "step {step}: its δ {delta} is looser than the project's {project}; nothing was written \
         (--allow-looser-delta makes its release all the same)"
    )]
    LooserDelta {
        /// The step.
        step: usize,
        /// Its δ.
        delta: Delta,
        /// The project's.
        project: Delta,
    },
    /// Levels that the lattice does not have.
    #[error("step {step}: {error}")]
    NotANode {
        /// The step.
        step: usize,
        /// What is wrong with them.
        error: ModelError,
    },
    /// The search was stopped before its end, and nothing says how far it was.
    #[error(
        "step {step}: {strategy} was stopped before its end and ended at no node, so nothing makes its release again; \
         run it to its end"
    )]
    Stopped {
        /// The step.
        step: usize,
        /// What was stopped.
        strategy: Strategy,
    },
    /// The search finds nothing.
    #[error("step {step}: {strategy} finds no release under δ {delta} ({})", stop.as_str())]
    FindsNothing {
        /// The step.
        step: usize,
        /// What was run.
        strategy: Strategy,
        /// The δ that it searched under.
        delta: Delta,
        /// Why it stopped.
        stop: StopReason,
    },
    /// The search ends at another node than the log says.
    #[error("step {step}: {strategy} ended at {logged} in the session and ends at {found} now")]
    FindsAnother {
        /// The step.
        step: usize,
        /// What was run.
        strategy: Strategy,
        /// The node of the log.
        logged: String,
        /// The node now, or `regions`.
        found: String,
    },
    /// The observer stopped the search.
    #[error("stopped")]
    Cancelled,
}

fn listed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Makes the release of a step again: a node by hand, or a search by its δ, metric, seed and rounds (or steps of the opening). It is judged under
/// the step's δ, which may be another than the search's.
///
/// # Errors
/// A [`ReplayError`]: another input or policy, a step or node that does not exist, or a search that does not give it again.
pub fn release(
    analysis: &Analysis,
    log: &Log,
    step: usize,
    observer: &mut Observer,
) -> Result<Replayed, ReplayError> {
    let last = log.steps().len() - 1;
    let taken = log.steps().get(step).ok_or(ReplayError::NoSuchStep { step, last })?;
    let paths = log.changed_inputs(analysis);
    if !paths.is_empty() {
        return Err(ReplayError::InputsChanged { paths });
    }
    let criteria = analysis.problem().policy().criteria();
    if *criteria != log.criteria {
        return Err(ReplayError::PolicyChanged { logged: log.criteria.clone(), project: criteria.clone() });
    }
    let problem = analysis.problem().with_delta(taken.delta);
    match &taken.place {
        Place::Node(levels) => {
            let release = analysis.by_hand(&problem, node(&problem, levels, step)?);
            Ok(Replayed { release, seconds: None })
        }
        Place::Search(search) => {
            let replayed = search_again(analysis, search, step, observer)?;
            Ok(Replayed { release: replayed.release.judged_under(&problem), ..replayed })
        }
    }
}

/// The release of a search under its own δ.
fn search_again(
    analysis: &Analysis,
    search: &Search,
    step: usize,
    observer: &mut Observer,
) -> Result<Replayed, ReplayError> {
    let Search { strategy, delta, metric, seed, rounds, opening, .. } = *search;
    let problem = analysis.problem().with_delta(delta);
    let logged = search.node.as_ref().map(|levels| node(&problem, levels, step)).transpose()?;
    let repeats = search.repeats();
    match logged {
        // Which classes it had withdrawn is not in the log.
        Some(_) if !repeats && !problem.policy().suppression().is_none() => {
            return Err(ReplayError::Stopped { step, strategy });
        }
        Some(node) if !repeats => {
            let report = SearchReport::without_nodes(StopReason::Cancelled);
            let (origin, recoding) = (Origin::Search(strategy, metric), Recoding::Node(node));
            return Ok(Replayed {
                release: Release::new(&problem, origin, recoding, Some(report)),
                seconds: None,
            });
        }
        None if !repeats => return Err(ReplayError::Stopped { step, strategy }),
        _ => {}
    }
    let config = Config { metric, seed, rounds, opening, k: None };
    let found = analysis.search(&problem, strategy, &config, observer);
    if found.report.stop == StopReason::Cancelled {
        return Err(ReplayError::Cancelled);
    }
    let nothing = ReplayError::FindsNothing { step, strategy, delta, stop: found.report.stop };
    let release = found.release.ok_or(nothing)?;
    let found_node = release.recoding.node();
    if let Some(logged) = logged.filter(|logged| found_node != Some(logged)) {
        let found = found_node.map_or_else(|| "regions".to_owned(), ToString::to_string);
        return Err(ReplayError::FindsAnother { step, strategy, logged: joined(logged.levels()), found });
    }
    Ok(Replayed { release, seconds: Some(found.seconds + found.measuring_seconds) })
}

fn node(problem: &Problem, levels: &[Level], step: usize) -> Result<Node, ReplayError> {
    problem.lattice().node(levels).map_err(|error| ReplayError::NotANode { step, error })
}

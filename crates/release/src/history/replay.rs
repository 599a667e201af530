//! Makes the release of a logged step again.

use std::path::PathBuf;

use super::sitting::joined;
use super::{LoggedStrategy, RecodingRecipe, Search, Sitting};
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::located::{Located, Place};
use palmtop_core::model::{Criteria, Delta, Level, ModelError, Node, Problem, Recoding};
use palmtop_project::compatibility::Feature;
use palmtop_search::release::{Origin, Release};
use palmtop_search::{Config, Observer, SearchReport, StopReason, Strategy};

/// A release that was made again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The release, judged under its step's δ and the sitting's other criteria.
    pub release: Release,
    /// The seconds for the search and for measuring its release; `None` if no search was run.
    pub seconds: Option<f64>,
}

/// The reason why the release of a step cannot be made again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The sitting has no step with this number.
    #[error("there is no step {step}: the steps are 0 to {last}")]
    NoSuchStep {
        /// The requested step.
        step: usize,
        /// The number of the last step.
        last: usize,
    },
    /// Input files have changed since the step.
    #[error(
        "these files have changed or are missing since this step: {}; the release would be different",
        listed(paths)
    )]
    InputsChanged {
        /// The changed or missing files.
        paths: Vec<PathBuf>,
    },
    /// The project enforces other criteria than the sitting.
    #[error(
        "beside δ, this sitting enforced {logged}, but the project enforces {project}; the release would be different"
    )]
    PolicyChanged {
        /// The criteria of the sitting.
        logged: Criteria,
        /// The criteria of the project.
        project: Criteria,
    },
    /// The δ of the step is looser than the project's δ.
    #[error(
        "step {step}: its δ {delta} is looser than the project's {project}; nothing was written \
         (--accept looser_delta=REASON makes the release all the same)"
    )]
    LooserDelta {
        /// The number of the step.
        step: usize,
        /// The δ of the step.
        delta: Delta,
        /// The δ of the project.
        project: Delta,
    },
    /// The lattice has no node with these levels.
    #[error("step {step}: {error}")]
    NotANode {
        /// The number of the step.
        step: usize,
        /// The problem of the levels.
        error: ModelError,
    },
    /// The search was stopped, and its progress is not known.
    #[error(
        "step {step}: {strategy} was stopped and found no node, so its release cannot be made again; run the search \
         to its end"
    )]
    Stopped {
        /// The number of the step.
        step: usize,
        /// The strategy of the stopped search.
        strategy: Strategy,
    },
    /// The search rehearsed, which palmtop no longer does.
    #[error(
        "step {step}: its {strategy} rehearsed, which is gone: its release cannot be made again; search again"
    )]
    Rehearsed {
        /// The number of the step.
        step: usize,
        /// The strategy of the search.
        strategy: Strategy,
    },
    /// An older palmtop ran the search, by a strategy that is gone.
    #[error("step {step}: {strategy} is gone: its release cannot be made again; search by another strategy")]
    Gone {
        /// The number of the step.
        step: usize,
        /// The strategy of the search.
        strategy: LoggedStrategy,
    },
    /// The project excludes the search or the node of the step.
    #[error("step {step}: {refused}")]
    Refused {
        /// The number of the step.
        step: usize,
        /// The two features that exclude each other, with the reason.
        refused: Box<PipelineError>,
    },
    /// The search finds no release.
    #[error("step {step}: {strategy} finds no release under δ {delta} ({})", stop.as_str())]
    FindsNothing {
        /// The number of the step.
        step: usize,
        /// The strategy of the search.
        strategy: Strategy,
        /// The δ under which the search ran.
        delta: Delta,
        /// The reason why the search stopped.
        stop: StopReason,
    },
    /// The search finds another node than the history has.
    #[error("step {step}: {strategy} found {logged} then, but finds {found} now")]
    FindsAnother {
        /// The number of the step.
        step: usize,
        /// The strategy of the search.
        strategy: Strategy,
        /// The node of the history.
        logged: String,
        /// The node now, or `regions`.
        found: String,
    },
    /// The observer stopped the search.
    #[error("stopped")]
    Cancelled,
}

impl Located for ReplayError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::InputsChanged { paths } => paths.iter().map(|path| Place::of(path)).collect(),
            Self::Refused { step: _, refused } => refused.places(),
            Self::NoSuchStep { .. }
            | Self::PolicyChanged { .. }
            | Self::LooserDelta { .. }
            | Self::NotANode { .. }
            | Self::Stopped { .. }
            | Self::Rehearsed { .. }
            | Self::Gone { .. }
            | Self::FindsNothing { .. }
            | Self::FindsAnother { .. }
            | Self::Cancelled => Vec::new(),
        }
    }
}

fn listed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Makes the release of a step again: a node directly, or a search by its δ, metric, seed and rounds or opening steps. The release
/// is judged under the δ of the step, which may differ from the δ of the search.
///
/// # Errors
/// A [`ReplayError`] if an input or the policy has changed, if the step or node does not exist, or if the search has another result.
pub fn release(
    analysis: &Analysis,
    log: &Sitting,
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
    // Anybody may have edited a history: its strategy may not search for people with several rows.
    let asked = match &taken.recoding {
        RecodingRecipe::Node(_) => Feature::Node,
        RecodingRecipe::Search(search) => Feature::Strategy(known(search, step)?),
    };
    analysis.check(&[asked]).map_err(|refused| ReplayError::Refused { step, refused: Box::new(refused) })?;
    let problem = analysis.problem().with_delta(taken.delta);
    match &taken.recoding {
        RecodingRecipe::Node(levels) => {
            let release = analysis.by_hand(&problem, node(&problem, levels, step)?);
            Ok(Replayed { release, seconds: None })
        }
        RecodingRecipe::Search(search) => {
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
    let Search { delta, metric, seed, rounds, opening, .. } = *search;
    let strategy = known(search, step)?;
    let problem = analysis.problem().with_delta(search.delta);
    let logged = search.node.as_ref().map(|levels| node(&problem, levels, step)).transpose()?;
    let repeats = search.repeats();
    if search.rehearsed.is_some() {
        return Err(ReplayError::Rehearsed { step, strategy });
    }
    match logged {
        // The history does not have the withdrawn classes.
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
    let config = Config { metric, seed, rounds, opening };
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

/// The strategy of a search, if it is not gone.
fn known(search: &Search, step: usize) -> Result<Strategy, ReplayError> {
    search.strategy.known().ok_or(ReplayError::Gone { step, strategy: search.strategy })
}

fn node(problem: &Problem, levels: &[Level], step: usize) -> Result<Node, ReplayError> {
    problem.lattice().node(levels).map_err(|error| ReplayError::NotANode { step, error })
}

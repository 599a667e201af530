//! The session log: the analyst's steps, so that no step is lost and every release can be made again.
//!
//! **A log has no row, no value and no label of a table.** It has paths, hashes of the inputs, node levels, names of strategies
//! and attributes, δ, and the other enforced criteria. Its only free texts are the analyst's reasons ([`Reason`]): why δ was
//! changed after a search, and why the session was begun although another one exists.

mod error;
pub(crate) mod forms;
mod action;
mod strategy;
mod decision;
mod written;
mod file;
mod replay;
mod sibling;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::pipeline::{Analysis, InputFile};
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Criteria, Delta, Level, Node};
use palmtop_search::{Config, SearchReport, Strategy};
use palmtop_tables::read;

pub use action::{Action, UnknownAction};
pub use decision::{Decision, Grounds, Moment, Reason};
pub use error::SessionError;
pub(crate) use file::session_names;
pub use file::{LogFile, newest, relative_project_path, saved};
pub use replay::{ReplayError, Replayed, release};
pub use sibling::{Sibling, siblings};
pub use strategy::LoggedStrategy;

/// A session: the project, the hashes of its inputs, and the analyst's steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The version of palmtop that wrote the log. The searches of another version may find other releases.
    pub palmtop: String,
    /// The project file, relative to the folder of the session file, or the name of a built-in project, such as `@clinic`.
    pub project: String,
    /// The project file, the tables and the hierarchies, with their hashes when they were loaded.
    pub inputs: Vec<LoggedInput>,
    /// The reason for a new session although the project has an earlier one; `None` if this session is the first.
    pub anew: Option<Reason>,
    /// The enforced criteria other than δ.
    pub criteria: Criteria,
    /// The nodes and searches that are pinned for comparison.
    pub pins: Vec<RecodingRecipe>,
    /// The searches that ended, whether the analyst opened their results or not.
    pub searches: Vec<Search>,
    decisions: Vec<Decision>,
    steps: Vec<Step>,
    current: usize,
}

/// An input file, identified by its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedInput {
    /// The path relative to the project's folder if the file is in or below this folder, else the path in the project.
    pub path: String,
    /// The file's SHA-256, in hexadecimal.
    pub sha256: String,
}

/// One step of the analyst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The analyst's action.
    pub action: Action,
    /// The node or the search to which the action led.
    pub recoding: RecodingRecipe,
    /// The δ under which the release was judged. A search may have run under a different δ.
    pub delta: Delta,
}

/// A recoding, described by how to make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecodingRecipe {
    /// A node, by its levels. Loading the project shows whether the lattice has this node.
    Node(Vec<Level>),
    /// The result of a search.
    Search(Search),
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
    /// In older sessions and registers: the drawn tables on which `simulatable` rehearsed. Such a search cannot be made again.
    pub rehearsed: Option<u32>,
    /// The levels of the found node; `None` if the search found regions.
    pub node: Option<Vec<Level>>,
    /// Whether the search completed; `false` if it was stopped.
    pub complete: bool,
}

impl Log {
    /// The log of a session that begins with the step `first`. [`relative_project_path`] computes `project`.
    pub fn new(project: impl Into<String>, analysis: &Analysis, first: Step) -> Self {
        Self {
            palmtop: env!("CARGO_PKG_VERSION").to_owned(),
            project: project.into(),
            inputs: inputs_of(analysis.path(), analysis.inputs()),
            anew: None,
            criteria: analysis.problem().policy().criteria().clone(),
            pins: Vec::new(),
            searches: Vec::new(),
            decisions: Vec::new(),
            steps: vec![first],
            current: 0,
        }
    }

    /// All steps, including undone steps that can be redone. There is at least one step.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The number of the current step, from 0.
    pub fn current(&self) -> usize {
        self.current
    }

    /// Adds a step after the current one. This drops undone steps.
    pub fn push(&mut self, step: Step) {
        self.steps.truncate(self.current + 1);
        self.steps.push(step);
        self.current += 1;
    }

    /// The decisions on δ: the δ that was fixed before the first search, then every change. Empty before a search.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The reason for a δ, from the last decision for it: the analyst's reason, or that δ was fixed before the first search.
    /// `None` if no decision was for this δ.
    pub fn reason_of(&self, delta: Delta) -> Option<String> {
        let decision = self.decisions.iter().rev().find(|decision| decision.delta == delta)?;
        let reason = decision.reason.as_ref().map(ToString::to_string);
        Some(reason.unwrap_or_else(|| "it was fixed before the first search".to_owned()))
    }

    /// Fixes the current δ before the first search. Later calls do nothing.
    pub fn fix_policy(&mut self, at: Moment) {
        if self.decisions.is_empty() {
            let delta = self.steps[self.current].delta;
            self.decisions.push(Decision { at, delta, reason: None, grounds: None });
        }
    }

    /// Records a decision if the δ of the current step differs from the decided δ. Without a reason, the decision says that the
    /// analyst went to this step. Does nothing before δ is fixed.
    pub fn record_decision(&mut self, at: Moment, reason: Option<Reason>) {
        let delta = self.steps[self.current].delta;
        if self.decisions.last().is_some_and(|decided| decided.delta != delta) {
            let reason = Some(reason.unwrap_or_else(|| Reason::of_step(self.current)));
            self.decisions.push(Decision { at, delta, reason, grounds: None });
        }
    }

    /// Adds the input of the advisor to the last decision, if this decision is for `delta`.
    pub fn note_grounds(&mut self, delta: Delta, grounds: &Grounds) {
        if let Some(last) = self.decisions.last_mut().filter(|last| last.delta == delta) {
            last.grounds = Some(grounds.clone());
        }
    }

    /// Goes to a step (undo, redo, or a jump). Returns whether this step exists.
    pub fn go_to(&mut self, step: usize) -> bool {
        let exists = step < self.steps.len();
        if exists {
            self.current = step;
        }
        exists
    }

    /// The project file of a session file; `None` for a built-in project.
    pub fn project_path(&self, session: &Path) -> Option<PathBuf> {
        let folder = session.parent().unwrap_or_else(|| Path::new(""));
        (!self.project.starts_with('@')).then(|| folder.join(&self.project))
    }

    /// The inputs of a loaded project that differ from the log: changed, new, or missing.
    pub fn changed_inputs(&self, analysis: &Analysis) -> Vec<PathBuf> {
        changed(&self.inputs, analysis)
    }

    /// The inputs of the log whose files have changed or are missing. This works before the project is loaded.
    pub fn changed_files(&self, project: &Path) -> Vec<PathBuf> {
        let files = self.hashes().into_iter().map(|(path, sha256)| (folder_of(project).join(path), sha256));
        let changed = files.filter(|(path, sha256)| !read::hash_file(path).is_ok_and(|now| now == *sha256));
        changed.map(|(path, _)| path).collect()
    }

    fn hashes(&self) -> BTreeMap<&str, &str> {
        by_path(&self.inputs)
    }
}

fn by_path(inputs: &[LoggedInput]) -> BTreeMap<&str, &str> {
    inputs.iter().map(|input| (input.path.as_str(), input.sha256.as_str())).collect()
}

/// The inputs of a loaded project that differ from the logged ones: changed, new, or missing.
pub(crate) fn changed(logged: &[LoggedInput], analysis: &Analysis) -> Vec<PathBuf> {
    let (logged, loaded) = (by_path(logged), hashes(analysis.path(), analysis.inputs()));
    let known = loaded.iter().filter(|(path, sha256)| logged.get(path.as_str()) != Some(&sha256.as_str()));
    let missing = logged.keys().filter(|path| !loaded.contains_key(**path));
    let changed = known.map(|(path, _)| path.as_str()).chain(missing.copied());
    changed.map(|path| folder_of(analysis.path()).join(path)).collect()
}

/// The hashes of a project's inputs, by their paths relative to its folder.
fn hashes(project: &Path, inputs: &[InputFile]) -> BTreeMap<String, String> {
    let folder = folder_of(project);
    let relative = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
    inputs.iter().map(|input| (relative(&input.path), input.sha256.clone())).collect()
}

/// The inputs of a loaded project, in the form for a log and for the register.
pub(crate) fn inputs_of(project: &Path, inputs: &[InputFile]) -> Vec<LoggedInput> {
    hashes(project, inputs).into_iter().map(|(path, sha256)| LoggedInput { path, sha256 }).collect()
}

fn folder_of(project: &Path) -> &Path {
    project.parent().unwrap_or_else(|| Path::new(""))
}

impl From<&Node> for RecodingRecipe {
    fn from(node: &Node) -> Self {
        Self::Node(node.levels().to_vec())
    }
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

impl fmt::Display for RecodingRecipe {
    /// `3,2,2` for a node; for a search the strategy, with its rounds or opening steps and its seed, if it has them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(levels) => f.pad(&joined(levels)),
            Self::Search(Search { strategy, rounds: Some(rounds), seed, .. }) => {
                f.pad(&format!("{strategy}, {rounds} rounds from seed {seed}"))
            }
            Self::Search(Search { strategy, opening: Some(steps), seed, .. }) => {
                f.pad(&format!("{strategy}, {steps} opening steps from seed {seed}"))
            }
            Self::Search(search) => f.pad(&search.strategy.to_string()),
        }
    }
}

/// The levels of a node as text: `3,2,2`.
fn joined(levels: &[Level]) -> String {
    levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

//! The session log: where the analyst stood, step by step, so that nothing is lost and every release can be made again.
//!
//! **A log holds places, never people**: paths, hashes of the inputs, node levels, names of strategies and attributes, δ.
//! Beside δ it names the criteria that were enforced. No row, no value and no label of a table is in it, and no type here could hold one, but
//! the one line that the analyst writes of why δ was changed after a search: see [`Reason`].

mod error;
pub(crate) mod forms;
mod how;
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

pub use decision::{Decision, Grounds, Moment, Reason};
pub use error::SessionError;
pub use file::{LogFile, newest, project_beside, saved};
pub use how::{How, UnknownHow};
pub use replay::{ReplayError, Replayed, release};
pub use sibling::{Sibling, siblings};

/// A session: the project, the inputs as they were, and each step that the analyst took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The palmtop that wrote it: another version's searches may find other releases.
    pub palmtop: String,
    /// The project file, relative to the folder of the session file; or `@clinic`, say, for a built-in one.
    pub project: String,
    /// The project file, the tables and the hierarchies, as they were loaded.
    pub inputs: Vec<LoggedInput>,
    /// Why it was begun although an earlier session of the project was saved; `None` if it was not begun so.
    pub anew: Option<Reason>,
    /// What was enforced beside each step's δ.
    pub criteria: Criteria,
    /// Places kept to compare.
    pub pins: Vec<Place>,
    /// Searches that ended, whether the analyst went to what they found or not.
    pub searches: Vec<Search>,
    decisions: Vec<Decision>,
    steps: Vec<Step>,
    current: usize,
}

/// An input file, known by its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedInput {
    /// The file, relative to the project file's folder where it lies in or below it, else as the project leads to it.
    pub path: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// One step of the analyst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was done.
    pub how: How,
    /// Where it led.
    pub place: Place,
    /// The δ that the place was judged under; a search there may have run under another.
    pub delta: Delta,
}

/// Where one can stand: a recoding, by how to make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A node, by its levels; whether the lattice has it is known when the project is loaded.
    Node(Vec<Level>),
    /// What a search found.
    Search(Search),
}

/// A search, by what makes it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The strategy.
    pub strategy: Strategy,
    /// The δ that it searched under.
    pub delta: Delta,
    /// What it minimized.
    pub metric: Metric,
    /// What `best` drew from.
    pub seed: u64,
    /// The rounds that `best` did.
    pub rounds: Option<u64>,
    /// The steps of its opening that `best` did, where it ended there.
    pub opening: Option<u64>,
    /// The node where it ended, if it ended at one.
    pub node: Option<Vec<Level>>,
    /// Whether it came to its end; `false` if it was stopped before.
    pub complete: bool,
}

impl Log {
    /// The log of a session that begins with this step. For `project` see [`project_beside`].
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

    /// Every step, also those that were undone and can be done again; at least one.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The number of the step where the analyst stands, from 0.
    pub fn current(&self) -> usize {
        self.current
    }

    /// Takes a step from the current one; what had been undone is dropped.
    pub fn push(&mut self, step: Step) {
        self.steps.truncate(self.current + 1);
        self.steps.push(step);
        self.current += 1;
    }

    /// What was decided to be enforced: first what was fixed before the first search, then every change. Empty before a search.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Why a δ was taken: the reason of the last decision for it, or that it was fixed before the first search. `None` if no
    /// decision was for it.
    pub fn reason_of(&self, delta: Delta) -> Option<String> {
        let decision = self.decisions.iter().rev().find(|decision| decision.delta == delta)?;
        let reason = decision.reason.as_ref().map(ToString::to_string);
        Some(reason.unwrap_or_else(|| "it was fixed before the first search".to_owned()))
    }

    /// Fixes δ as it stands, before the first search; it does nothing later.
    pub fn fix_policy(&mut self, at: Moment) {
        if self.decisions.is_empty() {
            let delta = self.steps[self.current].delta;
            self.decisions.push(Decision { at, delta, reason: None, grounds: None });
        }
    }

    /// Notes that the δ of the current step is another than was decided, where it is, and why; without a reason, that the step was gone
    /// to. It does nothing before δ was fixed.
    pub fn note_policy(&mut self, at: Moment, reason: Option<Reason>) {
        let delta = self.steps[self.current].delta;
        if self.decisions.last().is_some_and(|decided| decided.delta != delta) {
            let reason = Some(reason.unwrap_or_else(|| Reason::of_step(self.current)));
            self.decisions.push(Decision { at, delta, reason, grounds: None });
        }
    }

    /// Keeps what the advisor was given with the last decision, if that is for this δ.
    pub fn note_grounds(&mut self, delta: Delta, grounds: &Grounds) {
        if let Some(last) = self.decisions.last_mut().filter(|last| last.delta == delta) {
            last.grounds = Some(grounds.clone());
        }
    }

    /// Undo, redo or a jump: goes to a step. Says whether there is one of that number.
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

    /// The inputs of a loaded project that are not those of the log: changed, new, or no longer there.
    pub fn changed_inputs(&self, analysis: &Analysis) -> Vec<PathBuf> {
        changed(&self.inputs, analysis)
    }

    /// The inputs of the log whose files have changed or are gone: what can be said before the project is loaded.
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

/// The inputs of a loaded project that are not the logged ones: changed, new, or no longer there.
pub(crate) fn changed(logged: &[LoggedInput], analysis: &Analysis) -> Vec<PathBuf> {
    let (logged, loaded) = (by_path(logged), hashes(analysis.path(), analysis.inputs()));
    let known = loaded.iter().filter(|(path, sha256)| logged.get(path.as_str()) != Some(&sha256.as_str()));
    let gone = logged.keys().filter(|path| !loaded.contains_key(**path));
    let changed = known.map(|(path, _)| path.as_str()).chain(gone.copied());
    changed.map(|path| folder_of(analysis.path()).join(path)).collect()
}

/// The inputs of a project, each once, relative to its folder.
fn hashes(project: &Path, inputs: &[InputFile]) -> BTreeMap<String, String> {
    let folder = folder_of(project);
    let relative = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
    inputs.iter().map(|input| (relative(&input.path), input.sha256.clone())).collect()
}

/// The inputs of a loaded project, as a log and the register name them.
pub(crate) fn inputs_of(project: &Path, inputs: &[InputFile]) -> Vec<LoggedInput> {
    hashes(project, inputs).into_iter().map(|(path, sha256)| LoggedInput { path, sha256 }).collect()
}

fn folder_of(project: &Path) -> &Path {
    project.parent().unwrap_or_else(|| Path::new(""))
}

impl From<&Node> for Place {
    fn from(node: &Node) -> Self {
        Self::Node(node.levels().to_vec())
    }
}

impl Search {
    /// A search that ended, by what it was told, what it did, and the node of what it found.
    pub fn new(
        strategy: Strategy,
        config: &Config,
        delta: Delta,
        report: &SearchReport,
        node: Option<&Node>,
    ) -> Self {
        Self {
            strategy,
            delta,
            metric: config.metric,
            seed: config.seed,
            rounds: report.rounds,
            opening: report.opening,
            node: node.map(|node| node.levels().to_vec()),
            complete: !report.stop.is_early(),
        }
    }

    /// Whether running it again finds the same: it came to its end, or did so many rounds of `best`, or steps of its
    /// opening, which are the same whether it stopped after them or was stopped.
    pub fn repeats(&self) -> bool {
        self.complete
            || (self.strategy.info().takes_rounds && (self.rounds.is_some() || self.opening.is_some()))
    }
}

impl fmt::Display for Place {
    /// `3,2,2` for a node, else the strategy, with its rounds, or steps of its opening, and its seed where it has them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(levels) => f.pad(&joined(levels)),
            Self::Search(Search { strategy, rounds: Some(rounds), seed, .. }) => {
                f.pad(&format!("{strategy}, {rounds} rounds from seed {seed}"))
            }
            Self::Search(Search { strategy, opening: Some(steps), seed, .. }) => {
                f.pad(&format!("{strategy}, {steps} steps of its opening from seed {seed}"))
            }
            Self::Search(search) => f.pad(&search.strategy.to_string()),
        }
    }
}

/// Levels as people write a node: `3,2,2`.
fn joined(levels: &[Level]) -> String {
    levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

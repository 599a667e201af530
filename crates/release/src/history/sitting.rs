//! A sitting: the analyst's steps on the workbench, from its start or from a reason to begin anew.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::names::folder_of;
use super::{Action, Decision, Grounds, Moment, Reason, Search, Stated};
use crate::pipeline::{Analysis, InputFile};
use palmtop_core::model::{Criteria, Delta, Level, Node};
use palmtop_search::Config;
use palmtop_search::release::{Origin, Release};
use palmtop_tables::read;

/// A sitting: the hashes of the project's inputs, and the analyst's steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitting {
    /// When it began; `None` if it was taken over from palmtop 0.1.0.
    pub begun: Option<Moment>,
    /// The version of palmtop that wrote it. The searches of another version may find other releases.
    pub palmtop: String,
    /// The project file, the tables and the hierarchies, with their hashes when they were loaded.
    pub inputs: Vec<LoggedInput>,
    /// The reason to begin anew although the project has an earlier sitting; `None` if none was asked for.
    pub anew: Option<Reason>,
    /// The enforced criteria other than δ.
    pub criteria: Criteria,
    /// The nodes and searches that are pinned for comparison.
    pub pins: Vec<RecodingRecipe>,
    /// What was given for a δ last, also before a search fixed it.
    pub(super) stated: Option<Decision>,
    pub(super) searches: Vec<Ended>,
    pub(super) decisions: Vec<Decision>,
    pub(super) steps: Vec<Step>,
    pub(super) current: usize,
}

/// A search that ended, whether the analyst opened its result or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) search: Search,
    /// `None` if it was taken over from palmtop 0.1.0.
    pub(super) at: Option<Moment>,
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

impl Sitting {
    /// A sitting that begins with the step `first`.
    pub fn new(analysis: &Analysis, first: Step) -> Self {
        Self {
            begun: Some(Moment::now()),
            palmtop: env!("CARGO_PKG_VERSION").to_owned(),
            inputs: inputs_of(analysis.path(), analysis.inputs()),
            anew: None,
            criteria: analysis.problem().policy().criteria().clone(),
            pins: Vec::new(),
            stated: None,
            searches: Vec::new(),
            decisions: Vec::new(),
            steps: vec![first],
            current: 0,
        }
    }

    /// The same steps on other inputs: a sitting that goes on from this one.
    #[must_use]
    pub fn on(&self, analysis: &Analysis) -> Self {
        let inputs = inputs_of(analysis.path(), analysis.inputs());
        let criteria = analysis.problem().policy().criteria().clone();
        Self { begun: Some(Moment::now()), inputs, criteria, ..self.clone() }
    }

    /// Whether it has anything to lose: a step, a search, a pin, or a reason.
    pub fn is_begun(&self) -> bool {
        self.steps.len() > 1 || !self.searches.is_empty() || !self.pins.is_empty() || self.stated.is_some()
    }

    /// What was given for a δ last, also before a search fixed it.
    pub fn stated(&self) -> Option<Stated> {
        self.stated.as_ref().map(Decision::stated)
    }

    /// Notes a reason or the input of the advisor. It is kept before a search, too, so that neither another reading of the
    /// project nor another sitting loses it.
    pub fn state(&mut self, at: Moment, stated: Stated) {
        self.note_stated(&stated);
        let Stated { delta, reason, grounds } = stated;
        let earlier = self.stated.take().filter(|earlier| earlier.delta == delta);
        let (known, advised) = earlier.map_or((None, None), |earlier| (earlier.reason, earlier.grounds));
        let (reason, grounds) = (reason.or(known), grounds.or(advised));
        self.stated = Some(Decision { at, delta, reason, in_file: false, grounds });
    }

    /// The same statement as in an earlier sitting of the project.
    pub fn state_again(&mut self, earlier: &Self) {
        self.stated.clone_from(&earlier.stated);
    }

    /// All steps, including undone steps that can be redone. There is at least one step.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The number of the current step, from 0.
    pub fn current(&self) -> usize {
        self.current
    }

    /// The current step.
    pub fn step(&self) -> &Step {
        &self.steps[self.current]
    }

    /// The searches that ended with a release, in their order.
    pub fn searches(&self) -> impl DoubleEndedIterator<Item = &Search> {
        self.searches.iter().map(|ended| &ended.search)
    }

    /// The searches that ended before a moment. Those of palmtop 0.1.0 have no time and count as earlier.
    pub fn searches_before(&self, moment: Option<&Moment>) -> impl Iterator<Item = &Search> {
        let is_earlier =
            move |ended: &&Ended| moment.zip(ended.at.as_ref()).is_none_or(|(moment, at)| at <= moment);
        self.searches.iter().filter(is_earlier).map(|ended| &ended.search)
    }

    /// Notes a search that ended; each counts once.
    pub fn note_search(&mut self, search: &Search, at: Moment) {
        if !self.searches().any(|known| known == search) {
            self.searches.push(Ended { search: search.clone(), at: Some(at) });
        }
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

    /// The reason for a δ, from the last decision for it. `None` if no decision was for this δ.
    pub fn reason_of(&self, delta: Delta) -> Option<String> {
        self.decisions.iter().rev().find(|decision| decision.delta == delta).map(Decision::words)
    }

    /// The reason that the analyst gave for a δ last; `None` without one.
    pub fn given_reason_of(&self, delta: Delta) -> Option<&Reason> {
        let mut of_delta =
            self.decisions.iter().chain(&self.stated).rev().filter(|known| known.delta == delta);
        of_delta.find_map(Decision::given_reason)
    }

    /// Fixes the current δ before the first search, with what was stated for this δ. Later calls do nothing.
    pub fn fix_policy(&mut self, at: Moment, stated: Option<&Stated>) {
        if self.decisions.is_empty() {
            let delta = self.step().delta;
            let (reason, grounds) = stated_for(stated, delta);
            self.decisions.push(Decision { at, delta, reason, in_file: false, grounds });
        }
    }

    /// Records a decision if the δ of the current step differs from the decided δ. Without a reason, the decision says that the
    /// analyst went to this step. Does nothing before δ is fixed.
    pub fn record_decision(&mut self, at: Moment, reason: Option<Reason>) {
        let delta = self.step().delta;
        let reason = reason.unwrap_or_else(|| Reason::of_step(self.current));
        self.decide(Decision { at, delta, reason: Some(reason), in_file: false, grounds: None });
    }

    /// Records that δ was changed in the project file, with what the file states for it. Does nothing before δ is fixed.
    pub fn record_file(&mut self, at: Moment, stated: Option<&Stated>) {
        let delta = self.step().delta;
        let (reason, grounds) = stated_for(stated, delta);
        let in_file = reason.is_none();
        self.decide(Decision { at, delta, reason, in_file, grounds });
    }

    fn decide(&mut self, decision: Decision) {
        if self.decisions.last().is_some_and(|decided| decided.delta != decision.delta) {
            self.decisions.push(decision);
        }
    }

    /// Adds what was stated to the last decision, if it is for the same δ. A reason that was given stays.
    pub fn note_stated(&mut self, stated: &Stated) {
        if let Some(last) = self.decisions.last_mut().filter(|last| last.delta == stated.delta) {
            last.grounds = stated.grounds.clone().or(last.grounds.take());
            last.reason = last.reason.take().or_else(|| stated.reason.clone());
            last.in_file &= last.reason.is_none();
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

    /// The inputs of a loaded project that differ from the sitting: changed, new, or missing.
    pub fn changed_inputs(&self, analysis: &Analysis) -> Vec<PathBuf> {
        changed(&self.inputs, analysis)
    }

    /// The inputs whose files have changed or are missing. This works before the project is loaded.
    pub fn changed_files(&self, project: &Path) -> Vec<PathBuf> {
        let files = self.hashes().into_iter().map(|(path, sha256)| (folder_of(project).join(path), sha256));
        let changed = files.filter(|(path, sha256)| !read::hash_file(path).is_ok_and(|now| now == *sha256));
        changed.map(|(path, _)| path).collect()
    }

    /// Whether it goes on from another sitting, or the other from it: both have the first decision.
    pub(super) fn continues(&self, other: &Self) -> bool {
        let first = |sitting: &Self| sitting.decisions.first().map(|first| (first.at.clone(), first.delta));
        first(self).is_some() && first(self) == first(other)
    }

    fn hashes(&self) -> BTreeMap<&str, &str> {
        by_path(&self.inputs)
    }
}

/// What was stated, if it was for this δ.
fn stated_for(stated: Option<&Stated>, delta: Delta) -> (Option<Reason>, Option<Grounds>) {
    let stated = stated.filter(|stated| stated.delta == delta).cloned();
    stated.map_or((None, None), |stated| (stated.reason, stated.grounds))
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

/// The inputs of a loaded project, in the form for a history.
pub(crate) fn inputs_of(project: &Path, inputs: &[InputFile]) -> Vec<LoggedInput> {
    hashes(project, inputs).into_iter().map(|(path, sha256)| LoggedInput { path, sha256 }).collect()
}

impl RecodingRecipe {
    /// The recipe of a release that a search with this configuration found, or of a node.
    pub fn of_release(release: &Release, config: &Config) -> Option<Self> {
        let node = release.recoding.node();
        let strategy = match &release.origin {
            Origin::Search(strategy, _) | Origin::WithinRelease(strategy, _) => Some(*strategy),
            Origin::ByHand(_) | Origin::Given(_) => None,
        };
        match (strategy, &release.search) {
            (Some(strategy), Some(report)) => {
                let delta = release.made_under.delta();
                Some(Self::Search(Search::new(strategy, config, delta, report, node)))
            }
            _ => node.map(Self::from),
        }
    }
}

impl From<&Node> for RecodingRecipe {
    fn from(node: &Node) -> Self {
        Self::Node(node.levels().to_vec())
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
pub(super) fn joined(levels: &[Level]) -> String {
    levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

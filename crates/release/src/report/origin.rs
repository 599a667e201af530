//! The origin of a release: its entry in the history, and the step of a sitting that makes the release again.
//!
//! Neither is trusted. An entry counts only for the file whose hash it names, and the report quotes it as a record. palmtop makes
//! the release again to find its step, and to decide whether its search is safe against an attacker who knows the algorithm.

use std::fs;
use std::path::Path;

use super::sections::{Bounds, DecisionSection, HistorySection, MadeBy, SearchSection, StepSection};
use crate::caution::{Acceptance, AlgorithmKnowledge, Severity};
use crate::history::{self, Decision, Entry, History, Moment, RecodingRecipe, Sitting};
use crate::pipeline::{self, Analysis, ReadRelease};
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Delta, Node, Problem};
use palmtop_core::progress::unwatched;
use palmtop_core::shell::quoted;
use palmtop_measure::utility::Workload;
use palmtop_search::release::{KnowsAlgorithm, Release};
use palmtop_search::{AuditVerdict, Budget, Config, Strategy};

/// How a release was made, by its entry in the history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    /// The name of the history's file.
    pub(super) source: &'a str,
    pub(super) entry: &'a Entry,
}

/// The verdict on the release against an attacker who knows how it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// `simulatable` was run again under this δ, the δ of the run, and gives this release.
    Exact(Delta),
    /// According to the history, an audit found this number of people beyond δ.
    Audited(u64),
    /// According to the history, an audit found nobody beyond δ.
    NoneFound,
    /// According to the history, an audit could not decide.
    NotDecided,
    /// The history names `simulatable` as the strategy, but a second run gives a different release.
    NotReproduced,
    /// The run searched under a different δ, so its result does not hold under the δ of this report.
    OtherDelta,
    /// The run had different inputs: the project, a table or a hierarchy was changed after the run.
    OtherInputs,
    /// There is neither a proof nor an audit.
    Unknown,
}

impl Chosen {
    /// The δ under which `simulatable` searched, if a second run gives the release.
    pub(super) fn exact(&self) -> Option<Delta> {
        match self {
            Self::Exact(searched) => Some(*searched),
            _ => None,
        }
    }
}

impl From<&Chosen> for AlgorithmKnowledge {
    fn from(chosen: &Chosen) -> Self {
        match chosen {
            Chosen::Exact(_) => Self::Exact,
            Chosen::Audited(people) => Self::Audited(Some(*people)),
            Chosen::NoneFound => Self::Audited(Some(0)),
            Chosen::NotDecided => Self::Audited(None),
            Chosen::NotReproduced => Self::NotReproduced,
            Chosen::OtherDelta | Chosen::OtherInputs | Chosen::Unknown => Self::Unknown,
        }
    }
}

impl Run<'_> {
    /// The section on how the release was made.
    pub(super) fn made_by(
        self,
        analysis: &Analysis,
        (project, release): (&str, &str),
        project_delta: Option<Delta>,
    ) -> MadeBy {
        let (entry, search) = (self.entry, self.entry.recipe.search());
        let has_same_inputs = self.has_same_inputs(analysis);
        MadeBy {
            source: self.source.to_owned(),
            palmtop: entry.palmtop.clone(),
            same_inputs: has_same_inputs,
            delta: self.searched().into(),
            // With different inputs, the command makes a different release.
            command: if has_same_inputs { self.command(project, release, project_delta) } else { None },
            strategy: search.map_or_else(|| "node".to_owned(), |search| search.strategy.to_string()),
            metric: self.metric().to_owned(),
            seed: search.map(|search| search.seed).filter(|_| self.draws()),
            rounds: search.and_then(|search| search.rounds),
            opening: search.and_then(|search| search.opening),
            node: self.entry.recipe.node().map(|levels| levels.iter().map(|level| level.0).collect()),
            stop: search.map(|search| if search.complete { "done" } else { "stopped" }.to_owned()),
        }
    }

    /// The strategy that made the release; `None` for a node, and for a strategy that is gone.
    fn strategy(self) -> Option<Strategy> {
        self.entry.recipe.search()?.strategy.known()
    }

    fn metric(self) -> &'static str {
        let metric = self.entry.recipe.search().map_or(Metric::default(), |search| search.metric);
        if self.entry.recipe.for_use { Workload::QUERY_ERROR } else { metric.name() }
    }

    /// Whether the run depends on its seed: the strategy draws random numbers, or the metric of an older run draws queries.
    fn draws(self) -> bool {
        self.strategy().is_some_and(|strategy| strategy.family().draws()) || self.entry.recipe.for_use
    }

    /// The δ under which the run searched.
    fn searched(self) -> Delta {
        self.entry.recipe.search().map_or(self.entry.delta, |search| search.delta)
    }

    /// The command that makes the release again. `None` if the release depends on an earlier one, whose name is not recorded, if
    /// time stopped a search that does not count its steps, or if an older palmtop made it by a search that is gone.
    fn command(self, project: &str, release: &str, project_delta: Option<Delta>) -> Option<String> {
        let (entry, recipe) = (self.entry, &self.entry.recipe);
        if recipe.has_earlier_release || recipe.for_use {
            return None;
        }
        let what = match (&recipe.recoding, recipe.node()) {
            (RecodingRecipe::Search(search), node) => {
                match search.strategy.known().filter(|_| search.can_be_repeated()) {
                    Some(strategy) => {
                        let mut what = format!("--strategy {strategy}");
                        if search.metric != Metric::default() {
                            what.push_str(&format!(" --metric {}", search.metric.name()));
                        }
                        match Budget::of_work(search.rounds, search.opening) {
                            Some(budget) => {
                                what.push_str(&format!(" --seed {} --budget {budget}", search.seed));
                            }
                            _ if !search.complete => return None,
                            _ if self.draws() => what.push_str(&format!(" --seed {}", search.seed)),
                            _ => {}
                        }
                        what
                    }
                    None if search.rehearsed.is_some() => return None,
                    None => node_option(node?),
                }
            }
            (RecodingRecipe::Node(levels), _) => node_option(levels),
        };
        // A command has no option for the withdrawn classes of a node.
        if what.starts_with("--node") && entry.withdrawn > 0 {
            return None;
        }
        let delta = delta_flags(entry.delta, project_delta);
        let severe = self.accepted().filter(|accepted| accepted.key.severity() == Severity::Severe);
        let answers = severe.fold(String::new(), |flags, Acceptance { key, subject, reason }| {
            let subject = subject.map_or_else(String::new, |subject| format!(":{subject}"));
            flags + " --accept " + &quoted(&format!("{}{subject}={reason}", key.as_str()))
        });
        Some(format!("palmtop anonymize {} {what}{delta}{answers} -o {}", quoted(project), quoted(release)))
    }

    /// The cautions that were accepted when the release was made, with their reasons.
    pub(super) fn accepted(&self) -> impl Iterator<Item = Acceptance> {
        self.entry.accepted.iter().filter_map(Acceptance::of_history)
    }

    /// Whether the release was made within the classes of an earlier one.
    pub(super) fn has_earlier_release(self) -> bool {
        self.entry.recipe.has_earlier_release
    }

    /// Whether the run had the inputs of the analysis: the same project, tables and hierarchies.
    fn has_same_inputs(self, analysis: &Analysis) -> bool {
        let sorted = |mut hashes: Vec<&str>| {
            hashes.sort_unstable();
            hashes.into_iter().map(ToOwned::to_owned).collect::<Vec<String>>()
        };
        let of_run = sorted(self.entry.inputs.iter().map(|input| input.sha256.as_str()).collect());
        of_run == sorted(analysis.inputs().iter().map(|input| input.sha256.as_str()).collect())
    }

    /// The verdict of the run against an attacker who knows how the release was chosen, if it holds for the report's δ and inputs.
    pub(super) fn chosen(self, analysis: &Analysis, problem: &Problem, read: &ReadRelease) -> Chosen {
        let simulatable = self.strategy().filter(|strategy| strategy.family().is_simulatable());
        if self.has_earlier_release() || !(simulatable.is_some() || self.entry.audit.is_some()) {
            return Chosen::Unknown;
        }
        let has_same_inputs = self.has_same_inputs(analysis);
        let searched = self.searched();
        if !KnowsAlgorithm::carries_over(searched, problem.delta(), has_same_inputs) {
            let has_verdict = simulatable.is_some() || self.audited().is_some();
            return match has_verdict {
                false => Chosen::Unknown,
                true if has_same_inputs => Chosen::OtherDelta,
                true => Chosen::OtherInputs,
            };
        }
        if let Some(strategy) = simulatable {
            // Anybody may have edited a history: `simulatable` does not search for people with several rows.
            if problem.people().is_some() {
                return Chosen::NotReproduced;
            }
            return self.made_again(analysis, strategy, (problem, searched), read);
        }
        match self.audited() {
            // A person who is beyond a stricter δ need not be beyond this one.
            Some(Chosen::Audited(_)) if searched != problem.delta() => Chosen::OtherDelta,
            found => found.unwrap_or(Chosen::Unknown),
        }
    }

    /// The result of the run's audit, under the δ of the run; `None` without an audit.
    fn audited(self) -> Option<Chosen> {
        let known = self.entry.audit.as_ref()?;
        Some(match (AuditVerdict::named(&known.verdict)?, known.people) {
            (AuditVerdict::Audited, Some(0)) => Chosen::NoneFound,
            (AuditVerdict::Audited, Some(people)) => Chosen::Audited(people),
            (AuditVerdict::Audited | AuditVerdict::NotDecided | AuditVerdict::NotSampled, _) => {
                Chosen::NotDecided
            }
        })
    }

    /// Runs a simulatable search again under the δ of the run.
    fn made_again(
        self,
        analysis: &Analysis,
        strategy: Strategy,
        (problem, searched): (&Problem, Delta),
        read: &ReadRelease,
    ) -> Chosen {
        let Some(search) = self.entry.recipe.search().filter(|search| search.can_be_repeated()) else {
            return Chosen::NotReproduced;
        };
        let config = Config { metric: search.metric, ..Config::default() };
        let found = analysis.search(&problem.with_delta(searched), strategy, &config, &mut unwatched);
        match found.release.map(|release| release.judged_under(problem)) {
            Some(again) if is_exact(&again, problem, read) => Chosen::Exact(searched),
            // The release is the same, but breaks a criterion that `simulatable` does not look at.
            Some(again) if pipeline::recovered::publishes(problem, &again.classes, read) => Chosen::Unknown,
            _ => Chosen::NotReproduced,
        }
    }
}

fn node_option(levels: &[palmtop_core::model::Level]) -> String {
    let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
    format!("--node {}", levels.join(","))
}

/// Whether a release that was made again is equal to the written one, and safe against an attacker who knows how it was chosen.
fn is_exact(again: &Release, problem: &Problem, read: &ReadRelease) -> bool {
    again.knows_algorithm() == KnowsAlgorithm::Exact
        && pipeline::recovered::publishes(problem, &again.classes, read)
}

/// The sitting of a release, with the fact that making its step again shows.
pub(super) struct SittingFound {
    pub(super) index: usize,
    /// The recoding of its step.
    pub(super) recoding: RecodingRecipe,
    pub(super) section: HistorySection,
    /// The δ under which its step searched, if this search is safe against an attacker who knows the algorithm.
    pub(super) exact: Option<Delta>,
}

/// The sitting that the history names for the release, or else the newest one, if one of its steps makes the release.
pub(super) fn sitting(
    (history, source): (&History, &str),
    entry: Option<&Entry>,
    analysis: &Analysis,
    problem: &Problem,
    (read, node): (Option<&ReadRelease>, Option<&Node>),
) -> Option<SittingFound> {
    let found = |index: usize, (step, exact): (usize, Option<Delta>)| {
        let section = section((history, source), index, step, entry, analysis);
        let recoding = history.sittings[index].steps()[step].recoding.clone();
        SittingFound { index, recoding, section, exact }
    };
    if let Some(name) = entry.and_then(|entry| recorded(history, entry)) {
        return Some(found(name.sitting, (name.step, None)));
    }
    let read = read?;
    let (index, newest) = history.sittings.iter().enumerate().next_back()?;
    if !newest.changed_inputs(analysis).is_empty() {
        return None;
    }
    let made = step_of(analysis, newest, (problem, read), node)?;
    Some(found(index, made))
}

/// The step that the history names for the release, if it is one that made it.
fn recorded(history: &History, entry: &Entry) -> Option<history::StepName> {
    let name = entry.step?;
    let step = history.sittings.get(name.sitting)?.steps().get(name.step)?;
    (step.recoding == entry.recipe.recoding && step.delta == entry.delta).then_some(name)
}

/// The step that makes the file, and the δ of its search if this search is safe against an attacker who knows the algorithm. It is the
/// current step if making this step again gives the file, else the last step at the file's node. A search in rounds is not
/// repeated, because it may take long.
fn step_of(
    analysis: &Analysis,
    sitting: &Sitting,
    (problem, read): (&Problem, &ReadRelease),
    node: Option<&Node>,
) -> Option<(usize, Option<Delta>)> {
    let current = sitting.current();
    let is_quick =
        !matches!(&sitting.step().recoding, RecodingRecipe::Search(search) if search.strategy.takes_rounds());
    if is_quick
        && let Ok(again) = history::release(analysis, sitting, current, &mut unwatched)
        && pipeline::recovered::publishes(problem, &again.release.classes, read)
    {
        let release = again.release.judged_under(problem);
        let searched = release.made_under.delta();
        return Some((current, is_exact(&release, problem, read).then_some(searched)));
    }
    let levels = node?.levels();
    let is_at_node = |recipe: &RecodingRecipe| match recipe {
        RecodingRecipe::Node(node) => node == levels,
        RecodingRecipe::Search(search) => search.node.as_deref() == Some(levels),
    };
    let step = sitting.steps().iter().rposition(|step| is_at_node(&step.recoding))?;
    (read.findings.withdrawn == 0).then_some((step, None))
}

fn section(
    (history, source): (&History, &str),
    index: usize,
    released_step: usize,
    entry: Option<&Entry>,
    analysis: &Analysis,
) -> HistorySection {
    let sitting = &history.sittings[index];
    let until = entry.map(|entry| &entry.at);
    let steps = sitting.steps().iter().enumerate().map(|(index, step)| StepSection {
        step: index,
        current: index == sitting.current(),
        how: step.action.to_string(),
        place: step.recoding.to_string(),
        delta: step.delta.into(),
    });
    HistorySection {
        source: source.to_owned(),
        sitting: index + 1,
        palmtop: sitting.palmtop.clone(),
        same_inputs: sitting.changed_inputs(analysis).is_empty(),
        released_step,
        steps: steps.collect(),
        searches: sitting
            .searches_before(until)
            .map(|search| SearchSection {
                search: RecodingRecipe::Search(search.clone()).to_string(),
                delta: search.delta.into(),
            })
            .collect(),
        seen: 0,
        decisions: history.decisions(until).into_iter().map(DecisionSection::from).collect(),
    }
}

impl From<&Decision> for DecisionSection {
    fn from(decision: &Decision) -> Self {
        Self {
            at: decision.at.to_string(),
            delta: decision.delta.into(),
            reason: decision.words(),
            advised_from: decision.grounds.as_ref().map(ToString::to_string),
        }
    }
}

impl From<Delta> for Bounds {
    fn from(delta: Delta) -> Self {
        Self { min: delta.min().to_string(), max: delta.max().to_string() }
    }
}

/// The options of a command for a δ that is not the project's δ.
pub(super) fn delta_flags(delta: Delta, project_delta: Option<Delta>) -> String {
    let mut flags = String::new();
    if project_delta.map(Delta::min) != Some(delta.min()) {
        flags.push_str(&format!(" --delta-min {}", delta.min()));
    }
    if project_delta.map(Delta::max) != Some(delta.max()) {
        flags.push_str(&format!(" --delta-max {}", delta.max()));
    }
    flags
}

/// The name of a file without its folder.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The time of the last change of a file, in UTC; `None` if the file system does not have it.
pub(super) fn modified(path: &Path) -> Option<String> {
    let time = fs::metadata(path).and_then(|found| found.modified()).ok()?;
    Some(Moment::of(time).to_string())
}

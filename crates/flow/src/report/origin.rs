//! The origin of a release: the run's report, and the step of a session that makes the release again.
//!
//! Neither source is trusted. A run's report counts only for the file whose hash it names, and the report quotes it as a source.
//! palmtop makes the release again to find its step in a session, and to decide whether its search is safe against an attacker
//! who knows the algorithm.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Report;
use super::error::ReportError;
use super::sections::{Bounds, DecisionSection, MadeBy, SearchSection, SessionSection, StepSection};
use crate::caution::{Acceptance, Caution, Severity};
use crate::pipeline::{self, Analysis, ReadRelease};
use crate::register::{self, Accepted, Entry};
use crate::session::{self, Decision, Log, RecodingRecipe};
use palmtop_core::located::LocatedError;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Delta, Node, Problem};
use palmtop_core::progress::unwatched;
use palmtop_core::text::quoted;
use palmtop_measure::utility::Workload;
use palmtop_search::release::{KnowsAlgorithm, Release};
use palmtop_search::{AuditVerdict, Budget, Config, Strategy};
use palmtop_tables::{input, write};

/// The part of a run's report (`anonymize --report`, `replay --report`) that a signer's report needs.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Run {
    strategy: String,
    delta: Bounds,
    #[serde(default)]
    knows_algorithm: Option<RunKnowsAlgorithm>,
    #[serde(default)]
    node: Option<Vec<u8>>,
    #[serde(default)]
    search: RunSearch,
    seed: u64,
    metric: String,
    #[serde(default)]
    beside: Option<IgnoredAny>,
    #[serde(default)]
    decisions: Vec<DecisionSection>,
    palmtop: String,
    output_sha256: String,
    #[serde(default)]
    suppressed: u64,
    #[serde(default)]
    taken_from: Option<Bounds>,
    #[serde(default)]
    inputs: Vec<RunInput>,
    #[serde(default)]
    cautions: Vec<Caution>,
}

/// An input of the run, identified by its hash.
#[derive(Clone, Debug, Deserialize)]
struct RunInput {
    sha256: String,
}

#[derive(Clone, Debug, Deserialize)]
struct RunKnowsAlgorithm {
    verdict: String,
    #[serde(default)]
    beyond: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct RunSearch {
    #[serde(default)]
    rounds: Option<u64>,
    #[serde(default)]
    opening: Option<u64>,
    #[serde(default)]
    rehearsed: Option<u32>,
    #[serde(default)]
    stop: Option<String>,
}

impl RunSearch {
    /// Whether an older palmtop rehearsed before this search, so that it cannot be made again.
    fn has_rehearsed(&self) -> bool {
        self.rehearsed.is_some_and(|draws| draws > 0)
    }
}

/// A run's report that names the hash of the release.
#[derive(Clone, Debug)]
pub(super) struct RunFile {
    name: String,
    run: Run,
}

/// The verdict on the release against an attacker who knows how it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// `simulatable` was run again under this δ, the δ of the run, and gives this release.
    Exact(Delta),
    /// According to the run's report, an audit found this number of people beyond δ.
    Audited(u64),
    /// According to the run's report, an audit found nobody beyond δ.
    NoneFound,
    /// According to the run's report, an audit could not decide.
    NotDecided,
    /// The run's report names `simulatable` as the strategy, but a second run gives a different release.
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

impl RunFile {
    /// Reads the named run's report, or looks for a run's report in the folder of the release.
    pub(super) fn find(
        named: Option<&Path>,
        release: &Path,
        sha256: &str,
    ) -> Result<Option<Self>, ReportError> {
        let Some(path) = named else {
            return Ok(candidates(release)
                .into_iter()
                .find_map(|path| Self::read(&path).ok().filter(|file| file.run.output_sha256 == sha256)));
        };
        let file = Self::read(path)?;
        if file.run.output_sha256 == sha256 {
            return Ok(Some(file));
        }
        let (path, release, reported) = (path.display(), release.display(), file.run.output_sha256);
        let problem = format!(
            "{path} is the report of another file: it names the SHA-256 {reported}, but {release} has {sha256}"
        );
        Err(LocatedError::new(problem).remedy("give the report that was written with this release").into())
    }

    /// The run that an entry of the project's register records.
    pub(super) fn of_entry(project: &Path, entry: &Entry) -> Self {
        Self { name: file_name(&register::path_of(project)), run: entry.into() }
    }

    fn read(path: &Path) -> Result<Self, ReportError> {
        let wrong = |detail: String| {
            let name = path.display();
            LocatedError::new(format!("{name} is not a report of `anonymize` or `replay`: {detail}"))
                .remedy("give the file that --report wrote")
        };
        let bytes = input::read(path, input::MOST_TEXT).map_err(|error| wrong(error.to_string()))?;
        let run: Run = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { name: file_name(path), run })
    }

    /// The section on how the release was made.
    pub(super) fn made_by(
        &self,
        analysis: &Analysis,
        (project, release): (&str, &str),
        project_delta: Option<Delta>,
    ) -> MadeBy {
        let Run { strategy, metric, seed, node, search, palmtop, .. } = &self.run;
        let has_same_inputs = self.has_same_inputs(analysis);
        MadeBy {
            source: self.name.clone(),
            palmtop: palmtop.clone(),
            same_inputs: has_same_inputs,
            delta: self.run.taken_from.clone().unwrap_or_else(|| self.run.delta.clone()),
            // With different inputs, the command makes a different release.
            command: if has_same_inputs { self.command(project, release, project_delta) } else { None },
            strategy: strategy.clone(),
            metric: metric.clone(),
            seed: Some(*seed).filter(|_| self.draws()),
            rounds: search.rounds,
            opening: search.opening,
            node: node.clone(),
            stop: search.stop.clone(),
        }
    }

    /// Whether the run depends on its seed: the strategy draws random numbers, or the metric of an older run draws queries.
    fn draws(&self) -> bool {
        let strategy = self.run.strategy.parse::<Strategy>();
        strategy.is_ok_and(|strategy| strategy.family().draws()) || self.run.metric == Workload::QUERY_ERROR
    }

    /// The command that makes the release again. `None` if the release depends on an earlier one, whose name is not recorded, if
    /// time stopped a search that does not count its steps, or if an older palmtop made it by a search that is gone.
    fn command(&self, project: &str, release: &str, project_delta: Option<Delta>) -> Option<String> {
        let Run { strategy, delta, metric, seed, node, search, beside, suppressed, .. } = &self.run;
        if beside.is_some() || search.has_rehearsed() || metric == Workload::QUERY_ERROR {
            return None;
        }
        let what = match (node, strategy.parse::<Strategy>()) {
            (Some(levels), Err(_)) => {
                let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
                format!("--node {}", levels.join(","))
            }
            (_, Ok(strategy)) => {
                let mut what = format!("--strategy {strategy}");
                if *metric != Metric::default().name() {
                    what.push_str(&format!(" --metric {metric}"));
                }
                match Budget::of_work(search.rounds, search.opening) {
                    Some(budget) => what.push_str(&format!(" --seed {seed} --budget {budget}")),
                    _ if ["time", "stopped"].contains(&search.stop.as_deref().unwrap_or_default()) => {
                        return None;
                    }
                    _ if self.draws() => what.push_str(&format!(" --seed {seed}")),
                    _ => {}
                }
                what
            }
            (None, Err(_)) => return None,
        };
        // A command has no option for the withdrawn classes of a node.
        if what.starts_with("--node") && *suppressed > 0 {
            return None;
        }
        let delta = Delta::read(&delta.min, &delta.max).ok()?;
        let delta = delta_flags(delta, project_delta);
        let severe = self.run.cautions.iter().filter(|caution| caution.severity == Severity::Severe);
        let answers = severe.fold(String::new(), |flags, caution| match Acceptance::of_report(caution) {
            None => flags,
            Some(accepted) => {
                flags + " --accept " + &quoted(&format!("{}={}", caution.name(), accepted.reason))
            }
        });
        Some(format!("palmtop anonymize {} {what}{delta}{answers} -o {}", quoted(project), quoted(release)))
    }

    /// The cautions that were accepted when the release was made, with their reasons.
    pub(super) fn accepted(&self) -> Vec<Acceptance> {
        self.run.cautions.iter().filter_map(Acceptance::of_report).collect()
    }

    /// Whether the release was made within the classes of an earlier one.
    pub(super) fn has_earlier_release(&self) -> bool {
        self.run.beside.is_some()
    }

    /// The decisions of the run's session; `None` if the run has no session.
    pub(super) fn session(&self) -> Option<SessionSection> {
        let decisions = self.run.decisions.clone();
        (!decisions.is_empty()).then(|| SessionSection {
            source: self.name.clone(),
            palmtop: self.run.palmtop.clone(),
            same_inputs: true,
            released_step: None,
            steps: Vec::new(),
            searches: Vec::new(),
            decisions,
        })
    }

    /// The δ under which the run searched; `None` if its bounds cannot be read.
    fn searched(&self) -> Option<Delta> {
        let Bounds { min, max } = self.run.taken_from.as_ref().unwrap_or(&self.run.delta);
        Delta::read(min, max).ok()
    }

    /// Whether the run had the inputs of the analysis: the same project, tables and hierarchies.
    pub(super) fn has_same_inputs(&self, analysis: &Analysis) -> bool {
        let sorted = |mut hashes: Vec<String>| {
            hashes.sort_unstable();
            hashes
        };
        let of_run = sorted(self.run.inputs.iter().map(|input| input.sha256.clone()).collect());
        of_run == sorted(analysis.inputs().iter().map(|input| input.sha256.clone()).collect())
    }

    /// The verdict of the run against an attacker who knows how the release was chosen, if it holds for the report's δ and inputs.
    pub(super) fn chosen(&self, analysis: &Analysis, problem: &Problem, read: &ReadRelease) -> Chosen {
        let strategy = self.run.strategy.parse::<Strategy>().ok();
        let simulatable = strategy.filter(|strategy| strategy.family().is_simulatable());
        if self.has_earlier_release() || !(simulatable.is_some() || self.run.knows_algorithm.is_some()) {
            return Chosen::Unknown;
        }
        let has_same_inputs = self.has_same_inputs(analysis);
        let searched = self
            .searched()
            .filter(|&delta| KnowsAlgorithm::carries_over(delta, problem.delta(), has_same_inputs));
        let Some(searched) = searched else {
            let has_verdict = simulatable.is_some() || self.audited().is_some();
            return match has_verdict {
                false => Chosen::Unknown,
                true if has_same_inputs => Chosen::OtherDelta,
                true => Chosen::OtherInputs,
            };
        };
        if let Some(strategy) = simulatable {
            // Another report may name any strategy: `simulatable` does not search for people with several rows.
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
    fn audited(&self) -> Option<Chosen> {
        let known = self.run.knows_algorithm.as_ref()?;
        Some(match (AuditVerdict::named(&known.verdict)?, known.beyond) {
            (AuditVerdict::Audited, Some(0)) => Chosen::NoneFound,
            (AuditVerdict::Audited, Some(people)) => Chosen::Audited(people),
            (AuditVerdict::Audited | AuditVerdict::NotDecided | AuditVerdict::NotSampled, _) => {
                Chosen::NotDecided
            }
        })
    }

    /// Runs a simulatable search again under the δ of the run.
    fn made_again(
        &self,
        analysis: &Analysis,
        strategy: Strategy,
        (problem, searched): (&Problem, Delta),
        read: &ReadRelease,
    ) -> Chosen {
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == self.run.metric);
        let Some(metric) = metric.filter(|_| !self.run.search.has_rehearsed()) else {
            return Chosen::NotReproduced;
        };
        let config = Config { metric, ..Config::default() };
        let found = analysis.search(&problem.with_delta(searched), strategy, &config, &mut unwatched);
        match found.release.map(|release| release.judged_under(problem)) {
            Some(again) if is_exact(&again, problem, read) => Chosen::Exact(searched),
            _ => Chosen::NotReproduced,
        }
    }
}

impl From<&Entry> for Run {
    fn from(entry: &Entry) -> Self {
        let recipe = &entry.recipe;
        let search = recipe.search();
        let node = match &recipe.recoding {
            RecodingRecipe::Node(levels) => Some(levels),
            RecodingRecipe::Search(search) => search.node.as_ref(),
        };
        let searched = search.map(|search| search.delta).filter(|delta| *delta != entry.delta);
        let metric = search.map_or(Metric::default(), |search| search.metric).name();
        let audit = entry.audit.as_ref();
        Self {
            strategy: search.map_or_else(|| "node".to_owned(), |search| search.strategy.to_string()),
            delta: entry.delta.into(),
            knows_algorithm: audit
                .map(|audit| RunKnowsAlgorithm { verdict: audit.verdict.clone(), beyond: audit.people }),
            node: node.map(|levels| levels.iter().map(|level| level.0).collect()),
            search: RunSearch {
                rounds: search.and_then(|search| search.rounds),
                opening: search.and_then(|search| search.opening),
                rehearsed: search.and_then(|search| search.rehearsed),
                stop: search.map(|search| if search.complete { "done" } else { "stopped" }.to_owned()),
            },
            seed: search.map_or(0, |search| search.seed),
            metric: if recipe.for_use { Workload::QUERY_ERROR } else { metric }.to_owned(),
            beside: recipe.has_earlier_release.then_some(IgnoredAny),
            decisions: Vec::new(),
            palmtop: entry.palmtop.clone(),
            output_sha256: entry.sha256.clone(),
            suppressed: entry.withdrawn,
            taken_from: searched.map(Bounds::from),
            inputs: entry.inputs.iter().map(|input| RunInput { sha256: input.sha256.clone() }).collect(),
            cautions: entry.accepted.iter().filter_map(accepted_caution).collect(),
        }
    }
}

/// Whether a release that was made again is equal to the written one, and safe against an attacker who knows how it was chosen.
fn is_exact(again: &Release, problem: &Problem, read: &ReadRelease) -> bool {
    again.knows_algorithm() == KnowsAlgorithm::Exact
        && pipeline::recovered::publishes(problem, &again.classes, read)
}

/// A caution of the register, which keeps only its key, column and reason.
fn accepted_caution(accepted: &Accepted) -> Option<Caution> {
    let Acceptance { key, subject, reason } = Acceptance::of_register(accepted)?;
    Some(Caution { subject, accepted: Some(reason), ..Caution::new(key, "", "") })
}

/// The paths at which a run's report may be, most specific first.
fn candidates(release: &Path) -> Vec<PathBuf> {
    let name = release.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = release.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = [
        format!("{name}.json"),
        format!("{stem}.json"),
        format!("{stem}.report.json"),
        format!("{stem}-report.json"),
        "report.json".to_owned(),
    ];
    names.into_iter().map(|name| release.with_file_name(name)).collect()
}

/// Whether a signer's report in the folder of the release is of this file under this δ, and states why this δ was chosen.
pub(super) fn is_justified_by_signer(release: &Path, sha256: &str, delta: Delta) -> bool {
    let read = |path: PathBuf| serde_json::from_slice(&input::read(&path, input::MOST_TEXT).ok()?).ok();
    candidates(release).into_iter().filter_map(read).any(|report: Report| {
        report.release.sha256 == sha256
            && report.delta.enforced == Bounds::from(delta)
            && (report.delta.advice.is_some()
                || report.session.as_ref().is_some_and(SessionSection::justifies_delta))
    })
}

/// A session, with the facts that making its steps again shows about the release.
pub(super) struct SessionFound {
    pub(super) path: PathBuf,
    pub(super) section: SessionSection,
    /// The δ under which its step searched, if this search is safe against an attacker who knows the algorithm.
    pub(super) exact: Option<Delta>,
}

/// Reads the named session, or else the session that the register names for the release, or else the newest session in the project's
/// folder. A session that was not named counts only if one of its steps makes the release.
pub(super) fn session(
    (named, entry): (Option<&Path>, Option<&Entry>),
    analysis: &Analysis,
    problem: &Problem,
    (read, node): (Option<&ReadRelease>, Option<&Node>),
) -> Result<Option<SessionFound>, ReportError> {
    let found = |path: &Path, log: &Log| {
        let same_inputs = log.changed_inputs(analysis).is_empty();
        // If the user named no session, do not repeat a search in rounds, which may take long.
        let current = &log.steps()[log.current()].recoding;
        let is_quick = !matches!(current, RecodingRecipe::Search(search) if search.strategy.takes_rounds());
        let how = (node, named.is_some() || is_quick);
        let registered = || {
            let step = entry.and_then(|entry| registered_step(entry, analysis.path(), (path, log)))?;
            Some((step, None))
        };
        let made_again = |read| step_of(analysis, log, (problem, read), how);
        let step = read.filter(|_| same_inputs).and_then(|read| registered().or_else(|| made_again(read)));
        let exact = step.and_then(|(_, exact)| exact);
        let released_step = step.map(|(step, _)| step);
        SessionFound { path: path.to_owned(), section: section(path, log, same_inputs, released_step), exact }
    };
    if let Some(path) = named {
        let log = Log::read(path)?;
        return Ok(Some(found(path, &log)));
    }
    let project = analysis.path();
    let folder = project.parent().unwrap_or_else(|| Path::new(""));
    let stem = project.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let of_entry = entry.and_then(|entry| entry.session_path(project)).filter(|path| path.is_file());
    let Some(path) = of_entry.or_else(|| session::newest(folder, &stem)) else { return Ok(None) };
    let Ok(log) = Log::read(&path) else { return Ok(None) };
    Ok(Some(found(&path, &log)).filter(|found| found.section.released_step.is_some()))
}

/// The step that the register names for the release; `None` if the session is another one, or its step is different.
fn registered_step(entry: &Entry, project: &Path, (path, log): (&Path, &Log)) -> Option<usize> {
    let registered = entry.session_path(project)?;
    let is_same = write::is_same_file(&registered, path);
    let index = entry.session.as_ref()?.step;
    let step = log.steps().get(index).filter(|_| is_same)?;
    (step.recoding == entry.recipe.recoding && step.delta == entry.delta).then_some(index)
}

/// The step that makes the file, and the δ of its search if this search is safe against an attacker who knows the algorithm. It is the
/// current step if making this step again gives the file, else the last step at the file's node.
fn step_of(
    analysis: &Analysis,
    log: &Log,
    (problem, read): (&Problem, &ReadRelease),
    (node, runs_again): (Option<&Node>, bool),
) -> Option<(usize, Option<Delta>)> {
    let current = log.current();
    if runs_again
        && let Ok(again) = session::release(analysis, log, current, &mut unwatched)
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
    let step = log.steps().iter().rposition(|step| is_at_node(&step.recoding))?;
    (read.findings.withdrawn == 0).then_some((step, None))
}

fn section(path: &Path, log: &Log, same_inputs: bool, released_step: Option<usize>) -> SessionSection {
    let steps = log.steps().iter().enumerate().map(|(index, step)| StepSection {
        step: index,
        current: index == log.current(),
        how: step.action.to_string(),
        place: step.recoding.to_string(),
        delta: step.delta.into(),
    });
    SessionSection {
        source: file_name(path),
        palmtop: log.palmtop.clone(),
        same_inputs,
        released_step,
        steps: steps.collect(),
        searches: log
            .searches
            .iter()
            .map(|search| SearchSection {
                search: RecodingRecipe::Search(search.clone()).to_string(),
                delta: search.delta.into(),
            })
            .collect(),
        decisions: log.decisions().iter().map(DecisionSection::from).collect(),
    }
}

impl From<&Decision> for DecisionSection {
    fn from(decision: &Decision) -> Self {
        Self {
            at: decision.at.to_string(),
            delta: decision.delta.into(),
            reason: decision.reason.as_ref().map(ToString::to_string),
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
    Some(session::Moment::of(time).to_string())
}

//! The result of a search, as JSON and as text lines. The JSON keys are stable.

use palmtop_core::metrics::{Metric, Posteriors, PriorVerdict};
use palmtop_core::model::{Delta, EmptyRegions, Feasibility, Problem, Standing, Verdict};
use palmtop_core::text;
use palmtop_flow::caution::Caution;
use palmtop_flow::pipeline::{self, Analysis, PseudonymNote, UtilityBasis, Written};
use palmtop_flow::session::Decision;
use palmtop_measure::utility::{self, Workload};
use palmtop_search::release::{KnowsAlgorithm, Release};
use palmtop_search::{SearchReport, StopReason};
use palmtop_verify::{Pseudonymized, UnderPrior};
use serde::Serialize;

use crate::output::{self, OutputRows, short, short_below};
use crate::people::{ReleasedPeople, why_infeasible};

/// One run: a strategy, or a node chosen by hand, under one δ.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    pub strategy: String,
    pub delta: Bounds,
    pub achieved: MaybeBounds,
    /// Whether the release satisfies every enforced criterion, δ included.
    pub present: bool,
    /// The audit against an attacker who knows palmtop; null if no release exists.
    knows_algorithm: Option<KnowsAlgorithmResult>,
    criteria: Vec<CriterionResult>,
    /// What δ means for one person, in words; null if no release exists.
    headline: Option<String>,
    /// The cautions of the release; empty if no release exists.
    cautions: Vec<Caution>,
    /// Null if the project has no prior or no release exists.
    prior: Option<PriorResult>,
    node: Option<Vec<u8>>,
    classes: Option<usize>,
    released_classes: Option<usize>,
    /// The number of members of T who are withdrawn. `suppressed_at_most` is the permitted number;
    /// its key is absent if it is 0.
    suppressed: u64,
    #[serde(skip_serializing_if = "is_nobody")]
    suppressed_at_most: u64,
    /// The members of T whom P lacks: how many are left out, and how many are added to P.
    #[serde(flatten)]
    outsiders: OutsiderCounts,
    /// The numbers of people and rows; the keys are absent if each row is a person.
    #[serde(flatten)]
    people: Option<ReleasedPeople>,
    metrics: MetricValues,
    search: SearchValues,
    /// A lower limit on the loss of every release that keeps δ with disjoint classes. Such a
    /// release publishes every member, or each withdrawn member counts 1.
    bound: Option<f64>,
    seed: u64,
    /// The duration of the search, including the measuring of its release.
    seconds: Option<f64>,
    load_seconds: f64,
    bound_seconds: Option<f64>,
    write_seconds: Option<f64>,
    verify_seconds: Option<f64>,
    metric: &'static str,
    /// The value of `metric`; infinite if no release exists.
    #[serde(skip)]
    cost: f64,
    empty_regions: &'static str,
    /// The δ of the search, if it differs from the δ of this result. A stricter δ may have given a
    /// better release. In a session, the analyst may have changed δ after the search.
    taken_from: Option<Bounds>,
    /// The composition with the earlier release of `--beside`, as `compose` prints it; null without
    /// one.
    beside: Option<serde_json::Value>,
    /// The pseudonymized columns of the written release; empty if no release was written.
    pseudonyms: Vec<PseudonymResult>,
    /// In a session: the δ that was fixed before the first search, and every change; otherwise
    /// empty.
    decisions: Vec<DecisionResult>,
}

/// A δ decision of a session: its time, and the reason if δ was changed.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionResult {
    at: String,
    delta: Bounds,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advised_from: Option<String>,
}

impl From<&Decision> for DecisionResult {
    fn from(decision: &Decision) -> Self {
        Self {
            at: decision.at.to_string(),
            delta: decision.delta.into(),
            reason: decision.reason.as_ref().map(ToString::to_string),
            advised_from: decision.grounds.as_ref().map(ToString::to_string),
        }
    }
}

impl DecisionResult {
    /// The decision as one line: δ, time, reason, and the source of the advice.
    pub fn line(&self) -> String {
        let Self { at, delta, reason, advised_from } = self;
        let why = reason.as_ref().map_or_else(
            || "fixed before the first search".to_owned(),
            |reason| format!("changed: {}", text::escape(reason)),
        );
        let advised = advised_from
            .as_ref()
            .map_or_else(String::new, |from| format!("; advised from {}", text::escape(from)));
        format!("δ {} to {}, {at}, {why}{advised}", delta.min, delta.max)
    }
}

/// A pseudonymized column of a release, and the method: `new`, `keyed`, `keyed digits`.
#[derive(Clone, Debug, Serialize)]
pub struct PseudonymResult {
    column: String,
    made: &'static str,
}

impl From<&PseudonymNote> for PseudonymResult {
    fn from(note: &PseudonymNote) -> Self {
        Self { column: note.column.clone(), made: note.made }
    }
}

impl From<&Pseudonymized> for PseudonymResult {
    fn from(found: &Pseudonymized) -> Self {
        Self { column: found.column.clone(), made: found.made }
    }
}

impl PseudonymResult {
    /// All columns in one line: `patient (keyed); visit (new)`.
    pub fn listed(all: &[Self]) -> String {
        let each = all.iter().map(|own| format!("{} ({})", own.column, own.made));
        each.collect::<Vec<_>>().join("; ")
    }
}

/// The audit of a release against an attacker who knows palmtop. Numbers that were not counted are
/// null.
#[derive(Clone, Debug, Serialize)]
pub struct KnowsAlgorithmResult {
    verdict: &'static str,
    /// The number of people whose posterior was found to leave δ; null if this was not decided.
    beyond: Option<u64>,
    /// The number of further people whom the sample could not decide; null without an audit.
    doubtful: Option<u64>,
    /// The number of regions or classes that were too rare to sample; null without an audit.
    not_sampled: Option<u64>,
    /// The worst posterior that was found.
    worst: Option<f64>,
    #[serde(skip)]
    words: String,
}

impl From<KnowsAlgorithm> for KnowsAlgorithmResult {
    fn from(known: KnowsAlgorithm) -> Self {
        let finding = match known {
            KnowsAlgorithm::Audited(finding) => Some(finding),
            KnowsAlgorithm::Exact | KnowsAlgorithm::NotAudited => None,
        };
        Self {
            verdict: known.as_str(),
            beyond: known.people_beyond(),
            doubtful: finding.map(|finding| finding.doubtful),
            not_sampled: finding.map(|finding| finding.not_sampled),
            worst: finding.and_then(|finding| finding.worst),
            words: known.words(),
        }
    }
}

/// The presence that a release shows under a prior: people are not equally likely to be in T.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PriorResult {
    /// The number of people in P whose posterior is outside δ: `over` δmax plus `under` δmin.
    beyond: u64,
    over: u64,
    under: u64,
    /// The posterior farthest outside δ; if all posteriors are within δ, the greatest.
    worst: f64,
    holds: bool,
}

impl From<PriorVerdict> for PriorResult {
    fn from(verdict: PriorVerdict) -> Self {
        let PriorVerdict { over, under, worst } = verdict;
        Self { beyond: verdict.beyond(), over, under, worst, holds: verdict.holds() }
    }
}

impl From<UnderPrior> for PriorResult {
    fn from(found: UnderPrior) -> Self {
        let UnderPrior { over, under, worst } = found;
        Self { beyond: over + under, over, under, worst, holds: found.holds() }
    }
}

impl PriorResult {
    pub fn holds(self) -> bool {
        self.holds
    }

    /// The CSV columns `prior_beyond` and `prior_worst`, each with its value.
    pub fn cells(self) -> [(&'static str, String); 2] {
        [("prior_beyond", self.beyond.to_string()), ("prior_worst", self.worst.to_string())]
    }

    /// The result in words:
    /// `✗ 12 people beyond δ under the prior (12 over, 0 under), worst 0.9000`.
    pub fn words(self) -> String {
        let Self { beyond, over, under, worst, holds } = self;
        if holds {
            return format!("✓ nobody is beyond δ under the prior, worst {}", short(worst));
        }
        let people = if beyond == 1 { "1 person is".to_owned() } else { format!("{beyond} people are") };
        format!("✗ {people} beyond δ under the prior ({over} over, {under} under), worst {}", short(worst))
    }
}

/// One criterion. `required` and `holds` are null if it is only measured; `achieved` is null if no
/// release exists.
#[derive(Clone, Debug, Serialize)]
pub struct CriterionResult {
    name: &'static str,
    required: Option<String>,
    achieved: Option<String>,
    holds: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bounds {
    pub min: String,
    pub max: String,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct MaybeBounds {
    pub min: Option<String>,
    pub max: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct MetricValues {
    loss: Option<f64>,
    loss_geometric: Option<f64>,
    loss_occurring: Option<f64>,
    discernibility: Option<u64>,
    average_class_size: Option<f64>,
    precision: Option<f64>,
    /// The results of `utility`: the median relative error of its queries, and the mean distance of
    /// the quasi-identifiers. They are null unless the command measures them, as `compare` does.
    query_error: Option<f64>,
    distance: Option<f64>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct SearchValues {
    nodes: Option<u64>,
    checked: Option<u64>,
    implied: Option<u64>,
    lower: Option<f64>,
    rounds: Option<u64>,
    opening: Option<u64>,
    k: Option<u64>,
    stop: Option<&'static str>,
}

impl From<Delta> for Bounds {
    fn from(delta: Delta) -> Self {
        Self { min: delta.min().to_string(), max: delta.max().to_string() }
    }
}

impl From<palmtop_search::release::Achieved> for MaybeBounds {
    fn from(achieved: palmtop_search::release::Achieved) -> Self {
        Self { min: Some(achieved.min.to_string()), max: Some(achieved.max.to_string()) }
    }
}

impl CriterionResult {
    pub fn new(name: &'static str, required: Option<String>, achieved: Option<String>, holds: bool) -> Self {
        Self { name, holds: required.is_some().then_some(holds), required, achieved }
    }

    /// Name and value for a text line: `✓ 7, required 5`. `None` if the criterion is only measured.
    pub fn line(&self) -> Option<(String, String)> {
        let required = self.required.as_ref()?;
        let mark = if self.holds == Some(true) { "✓" } else { "✗" };
        Some((
            self.name.to_owned(),
            match &self.achieved {
                Some(achieved) => format!("{mark} {achieved}, required {required}"),
                None => format!("required {required}"),
            },
        ))
    }
}

impl From<Standing> for CriterionResult {
    fn from(standing: Standing) -> Self {
        let Standing { criterion, required, achieved, holds } = standing;
        Self::new(criterion, required, achieved, holds)
    }
}

/// The enforced criteria if no release was found: required, but not achieved.
fn unmet(problem: &Problem) -> Vec<CriterionResult> {
    let standings = problem.policy().standings(&[]).into_iter();
    standings.map(|standing| CriterionResult { holds: None, ..standing.into() }).collect()
}

/// The numbers of members of T whom P lacks, by their treatment in the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutsiderCounts {
    /// The number left out of the release.
    pub dropped: u64,
    /// The number added to P.
    pub added: u64,
}

impl OutsiderCounts {
    pub fn of(analysis: &Analysis) -> Self {
        Self { dropped: analysis.notes().dropped(), added: analysis.notes().added() }
    }

    /// The text for the result; `None` if P has every member.
    fn line(self) -> Option<String> {
        match self {
            Self { dropped: 0, added: 0 } => None,
            Self { dropped, added: 0 } => Some(format!("{} of T excluded", members(dropped))),
            Self { added, .. } => Some(format!(
                "{} of T added to P: the result holds for an attacker whose P includes them",
                members(added)
            )),
        }
    }
}

/// Whether the count is 0. Serialization uses it to skip keys.
pub fn is_nobody(count: &u64) -> bool {
    *count == 0
}

/// The count with its noun: `1 member`, `2 members`.
pub fn members(count: u64) -> String {
    if count == 1 { "1 member".to_owned() } else { format!("{count} members") }
}

/// A lower bound on the loss, if requested, and the seconds that it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bound {
    /// `None` if no bound was requested or none exists. No bound exists if the tables are too
    /// large, δ is infeasible, or the computation was stopped.
    pub value: Option<f64>,
    pub seconds: Option<f64>,
}

/// Facts about a run that its release does not have.
#[derive(Clone, Copy, Debug)]
pub struct RunFacts<'a> {
    pub metric: Metric,
    pub report: Option<SearchReport>,
    pub bound: Bound,
    pub seed: u64,
    pub seconds: Option<f64>,
    pub load_seconds: f64,
    pub outsiders: OutsiderCounts,
    /// The attribute that identifies the person of each row in both tables; `None` if each row is a
    /// person.
    pub entity: Option<&'a str>,
}

impl RunResult {
    /// Builds the result of a run. Without a release, its values are null.
    pub fn new(strategy: String, problem: &Problem, release: Option<&Release>, facts: RunFacts) -> Self {
        let metrics = release.map(|release| MetricValues {
            loss: Some(release.metrics.loss.mean()),
            loss_geometric: Some(release.metrics.loss.geometric()),
            loss_occurring: Some(release.metrics.occurring_loss.mean()),
            discernibility: Some(release.metrics.discernibility),
            average_class_size: Some(release.metrics.average_class_size),
            precision: release.metrics.precision,
            query_error: None,
            distance: None,
        });
        let search = facts.report.map(|report| SearchValues {
            nodes: report.nodes,
            checked: report.checked,
            implied: report.implied,
            lower: report.lower,
            rounds: report.rounds,
            opening: report.opening,
            k: report.k,
            stop: Some(report.stop.as_str()),
        });
        let node = release.and_then(|release| release.recoding.node());
        Self {
            strategy,
            delta: problem.delta().into(),
            achieved: release.map(|release| release.achieved.into()).unwrap_or_default(),
            present: release.is_some_and(Release::is_present),
            knows_algorithm: release.map(|release| release.knows_algorithm().into()),
            criteria: release.map_or_else(
                || unmet(problem),
                |release| release.standings().into_iter().map(CriterionResult::from).collect(),
            ),
            headline: None,
            cautions: Vec::new(),
            prior: release
                .and_then(|release| Posteriors::of(problem, &release.classes, release.delta()))
                .map(|posteriors| posteriors.verdict().into()),
            node: node.map(|node| node.levels().iter().map(|level| level.0).collect()),
            classes: release.map(|release| release.classes.len()),
            released_classes: release.map(Release::released_classes),
            suppressed: release.map_or(0, Release::withdrawn),
            suppressed_at_most: problem.policy().suppression().most(problem.histogram().total().private),
            outsiders: facts.outsiders,
            people: release.and_then(|release| ReleasedPeople::of(facts.entity, problem, release)),
            metrics: metrics.unwrap_or_default(),
            search: search.unwrap_or_default(),
            bound: facts.bound.value,
            seed: facts.seed,
            seconds: facts.seconds,
            load_seconds: facts.load_seconds,
            bound_seconds: facts.bound.seconds,
            write_seconds: None,
            verify_seconds: None,
            metric: facts.metric.name(),
            cost: release.map_or(f64::INFINITY, |release| release.metrics.value(facts.metric)),
            empty_regions: empty_regions_word(problem.empty_regions()),
            taken_from: None,
            decisions: Vec::new(),
            beside: None,
            pseudonyms: Vec::new(),
        }
    }

    /// Adds the headline and the cautions of the release.
    pub fn note_cautions(&mut self, headline: &str, cautions: &[Caution]) {
        self.headline = Some(headline.to_owned());
        self.cautions = cautions.to_vec();
    }

    /// Whether a severe caution is not accepted; palmtop then refuses to export the release.
    pub fn has_open_caution(&self) -> bool {
        self.cautions.iter().any(Caution::is_open)
    }

    /// Adds the δ decisions of the session.
    pub fn decided(mut self, decisions: &[Decision]) -> Self {
        self.decisions = decisions.iter().map(DecisionResult::from).collect();
        self
    }

    /// Adds the composition with the earlier release.
    pub fn note_beside(&mut self, both: serde_json::Value) {
        self.beside = Some(both);
    }

    /// Adds the utility, and makes the query error the minimized metric of this run.
    pub fn note_searched_for_use(&mut self, analysis: &Analysis, basis: &UtilityBasis, release: &Release) {
        self.cost = self.note_utility(analysis, basis, release);
        self.metric = Workload::QUERY_ERROR;
    }

    /// Measures the utility and adds it; returns the query error.
    pub fn note_utility(&mut self, analysis: &Analysis, basis: &UtilityBasis, release: &Release) -> f64 {
        let published = pipeline::utility::published(analysis, basis, release);
        let query_error = basis.workload().median(&published);
        let distance = utility::distance(basis.original(), &published);
        (self.metrics.query_error, self.metrics.distance) = (Some(query_error), Some(distance));
        query_error
    }

    /// Adds the seconds of writing and of verifying, and the pseudonyms.
    pub fn note_delivery(&mut self, written: &Written) {
        self.write_seconds = Some(written.writing.as_secs_f64());
        self.verify_seconds = Some(written.verifying.as_secs_f64());
        self.note_pseudonyms(&written.pseudonyms);
    }

    /// Adds the pseudonymized columns.
    pub fn note_pseudonyms(&mut self, notes: &[PseudonymNote]) {
        self.pseudonyms = notes.iter().map(PseudonymResult::from).collect();
    }

    /// The seconds in total and of each part, in the order of the work.
    fn times(&self) -> String {
        let parts = [
            ("load", Some(self.load_seconds)),
            ("search", self.seconds),
            ("bound", self.bound_seconds),
            ("write", self.write_seconds),
            ("verify", self.verify_seconds),
        ];
        let done: Vec<(&str, f64)> =
            parts.into_iter().filter_map(|(name, seconds)| Some((name, seconds?))).collect();
        let all: f64 = done.iter().map(|(_, seconds)| seconds).sum();
        let parts: Vec<String> = done.iter().map(|(name, seconds)| format!("{name} {seconds:.3}")).collect();
        format!("{all:.3}: {}", parts.join(", "))
    }

    /// Orders results by quality, best first: present releases before others, then by cost.
    pub fn compare(&self, other: &Self) -> std::cmp::Ordering {
        other.present.cmp(&self.present).then_with(|| self.cost.total_cmp(&other.cost))
    }

    /// The value of the minimized metric; `None` if no release exists.
    pub fn cost(&self) -> Option<f64> {
        self.achieved.min.is_some().then_some(self.cost)
    }

    /// The normalized loss; `None` if no release exists.
    pub fn loss(&self) -> Option<f64> {
        self.metrics.loss
    }

    /// Notes that the release was found under another δ.
    pub fn taken_from(mut self, delta: Delta) -> Self {
        self.taken_from = Some(delta.into());
        self
    }

    /// The cells of a comparison's line, in the order of [`compared_columns`].
    pub fn cells(&self) -> Vec<String> {
        let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let whole = |value: Option<usize>| value.map(|value| value.to_string()).unwrap_or_default();
        vec![
            self.strategy.clone(),
            self.delta.min.clone(),
            self.delta.max.clone(),
            self.verdict().to_owned(),
            self.node_text().unwrap_or_default(),
            self.achieved.min.clone().unwrap_or_default(),
            self.achieved.max.clone().unwrap_or_default(),
            text(self.metrics.loss),
            text(self.metrics.loss_geometric),
            text(self.metrics.loss_occurring),
            self.metrics.discernibility.map(|value| value.to_string()).unwrap_or_default(),
            text(self.metrics.average_class_size),
            text(self.metrics.precision),
            text(self.metrics.query_error),
            text(self.metrics.distance),
            whole(self.classes),
            whole(self.released_classes),
            self.suppressed.to_string(),
            self.search.k.map(|k| k.to_string()).unwrap_or_default(),
            text(self.bound),
            self.seed.to_string(),
            self.search.rounds.map(|rounds| rounds.to_string()).unwrap_or_default(),
            self.search.opening.map(|steps| steps.to_string()).unwrap_or_default(),
            self.taken_from.as_ref().map(|from| format!("{} to {}", from.min, from.max)).unwrap_or_default(),
            self.seconds.map(|seconds| format!("{seconds:.3}")).unwrap_or_default(),
            self.other_criteria().unwrap_or_default(),
            self.knows_algorithm.as_ref().map(|known| known.verdict.to_owned()).unwrap_or_default(),
            self.prior.map(|prior| prior.beyond.to_string()).unwrap_or_default(),
            text(self.prior.map(|prior| prior.worst)),
            self.outsiders.dropped.to_string(),
            self.outsiders.added.to_string(),
            PseudonymResult::listed(&self.pseudonyms),
        ]
    }

    /// `present`, `not present`, or the reason why no release exists.
    pub fn verdict(&self) -> &'static str {
        match (self.present, self.achieved.min.is_some(), self.search.stop) {
            (true, ..) => "present",
            (false, true, _) => "not present",
            (false, false, stop) => stop.unwrap_or("none"),
        }
    }

    /// The verdict in words, with all other enforced criteria.
    fn mark(&self) -> String {
        let enforced = |broken: bool| {
            let is_one = |own: &&CriterionResult| !broken || own.holds == Some(false);
            let named = self
                .criteria
                .iter()
                .skip(1)
                .filter(is_one)
                .filter_map(|own| Some(format!("{} = {}", own.name, own.required.as_ref()?)));
            named.collect::<Vec<_>>().join(", ")
        };
        let keeps_delta = self.criteria.first().is_some_and(|delta| delta.holds == Some(true));
        match (self.present, enforced(false), enforced(true)) {
            (true, all, _) if all.is_empty() => "✓ δ-present".to_owned(),
            (true, all, _) => format!("✓ δ-present, {all}"),
            (false, _, broken) if broken.is_empty() => "✗ not δ-present".to_owned(),
            (false, _, broken) if keeps_delta => format!("✗ δ-present, but breaks {broken}"),
            (false, _, broken) => format!("✗ not δ-present, and breaks {broken}"),
        }
    }

    /// Whether the policy permits withdrawn members.
    pub fn may_withdraw(&self) -> bool {
        self.suppressed_at_most > 0
    }

    /// The other enforced criteria: `k 7/5` if 7 is achieved and 5 is required.
    fn other_criteria(&self) -> Option<String> {
        let enforced = self.criteria.iter().skip(1).filter_map(|criterion| {
            let (required, name) = (criterion.required.as_ref()?, criterion.name);
            let achieved = criterion.achieved.as_deref().unwrap_or("–");
            // A requirement in words is too long for a cell; the project file has it.
            let is_number = required.bytes().all(|byte| byte.is_ascii_digit());
            Some(if is_number {
                format!("{name} {achieved}/{required}")
            } else {
                format!("{name} {achieved}")
            })
        });
        let enforced: Vec<String> = enforced.collect();
        (!enforced.is_empty()).then(|| enforced.join(" "))
    }

    fn node_text(&self) -> Option<String> {
        let levels = self.node.as_ref()?.iter().map(ToString::to_string);
        Some(levels.collect::<Vec<_>>().join(","))
    }

    /// The result as text, a name and a value on each line.
    pub fn lines(&self) -> String {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), short);
        let whole = |value: Option<usize>| value.map_or_else(|| "–".to_owned(), |value| value.to_string());
        let achieved = match (&self.achieved.min, &self.achieved.max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            _ => "–".to_owned(),
        };
        let empty = if self.empty_regions == "allow" { "allowed" } else { "forbidden" };
        let mut rows = OutputRows::default();
        let mut line = |name: &str, value: String| rows.lines.push(vec![name.to_owned(), value]);
        line("verdict", self.mark());
        if let Some(headline) = &self.headline {
            line("headline", headline.clone());
        }
        if let Some(known) = &self.knows_algorithm {
            line("who knows palmtop", known.words.clone());
        }
        line("strategy", self.strategy.clone());
        if let Some(people) = &self.people {
            line("counted in people by", people.entity.clone());
        }
        line("δ", format!("{} to {}", self.delta.min, self.delta.max));
        if let Some(from) = &self.taken_from {
            line("searched under δ", format!("{} to {}", from.min, from.max));
        }
        line("achieved", achieved);
        for (name, text) in self.criteria.iter().skip(1).filter_map(CriterionResult::line) {
            line(&name, text);
        }
        if let Some(prior) = self.prior {
            line("prior", prior.words());
        }
        line("node", self.node_text().unwrap_or_else(|| "by region".to_owned()));
        let classes = if self.people.is_some() { "classes of people" } else { "classes" };
        line(classes, format!("{} ({} released)", whole(self.classes), whole(self.released_classes)));
        if let Some(ReleasedPeople { public, private, rows, distinct_rows, .. }) = &self.people {
            line("people", format!("{private} of {public}"));
            line("rows", format!("{rows}, {distinct_rows} of them distinct"));
        }
        if self.suppressed_at_most > 0 {
            line(
                "withdrawn",
                format!("{}, at most {} may be", members(self.suppressed), self.suppressed_at_most),
            );
        }
        if let Some(outsiders) = self.outsiders.line() {
            line("not in P", outsiders);
        }
        if !self.pseudonyms.is_empty() {
            line("pseudonyms", PseudonymResult::listed(&self.pseudonyms));
        }
        line("empty regions", empty.to_owned());
        line("loss", number(self.metrics.loss));
        if let Some(bound) = self.bound {
            let said = if self.suppressed_at_most > 0 {
                "no release without overlaps, a member who is withdrawn counting 1, can be below"
            } else {
                "no release without overlaps that publishes every member can be below"
            };
            line("bound", format!("{said} {}", short(bound)));
        }
        line("loss geometric", number(self.metrics.loss_geometric));
        line("loss in P's values", number(self.metrics.loss_occurring));
        line("discernibility", self.metrics.discernibility.map_or("–".to_owned(), |value| value.to_string()));
        line("average class size", number(self.metrics.average_class_size));
        line("precision", number(self.metrics.precision));
        if let Some(nodes) = self.search.nodes {
            let (checked, implied) = (self.search.checked.unwrap_or(0), self.search.implied.unwrap_or(0));
            line("nodes", format!("{nodes}: {checked} checked, {implied} implied"));
        }
        if let Some(k) = self.search.k {
            line("k", k.to_string());
        }
        if let Some(rounds) = self.search.rounds {
            line(
                "rounds",
                format!(
                    "{rounds} from seed {}: --seed {} --rounds {rounds} reproduces it",
                    self.seed, self.seed
                ),
            );
        }
        if let Some(steps) = self.search.opening {
            let seed = self.seed;
            line(
                "opening",
                format!(
                    "{steps} of its steps from seed {seed}: --seed {seed} --opening {steps} reproduces it"
                ),
            );
        }
        if let Some(stop) = self.search.stop {
            let is_early = [StopReason::Time, StopReason::Cancelled].iter().any(|own| own.as_str() == stop);
            let is_node = self.search.nodes.is_some() && self.achieved.min.is_some();
            let limit = if is_early && is_node { ": the best node so far, not the best of all" } else { "" };
            line("stopped", format!("{stop}{limit}"));
            if let Some(lower) = self.search.lower {
                line(
                    "proven",
                    format!("no node that keeps δ has a {} below {}", self.metric, short_below(lower)),
                );
            }
        }
        line("seconds", self.times());
        rows.to_lines()
    }
}

/// The columns of a comparison, in the order of their output.
pub fn compared_columns() -> Vec<String> {
    [
        "strategy",
        "delta_min",
        "delta_max",
        "verdict",
        "node",
        "achieved_min",
        "achieved_max",
        "loss",
        "loss_geometric",
        "loss_occurring",
        "discernibility",
        "average_class_size",
        "precision",
        "query_error",
        "distance",
        "classes",
        "released_classes",
        "suppressed",
        "k",
        "bound",
        "seed",
        "rounds",
        "opening",
        "taken_from",
        "seconds",
        "criteria",
        "knows_algorithm",
        "prior_beyond",
        "prior_worst",
        "dropped",
        "added",
        "pseudonyms",
    ]
    .map(ToOwned::to_owned)
    .to_vec()
}

/// Explains why no release exists, with the numbers that decide it.
pub fn explain_none(problem: &Problem, stop: StopReason) -> String {
    let feasibility = problem.feasibility();
    match stop {
        StopReason::Levels => {
            "nothing was searched (levels): `levels` or `keep` limit a quasi-identifier from above, and a release that splits T by it \
             would reveal what `simulatable` does not ask; use another strategy, or remove the upper limit"
                .to_owned()
        }
        StopReason::Infeasible if problem.people().is_some() && feasibility.blocked.is_some() => {
            why_infeasible(problem, &feasibility)
        }
        StopReason::Infeasible if feasibility.verdict() == Verdict::Ok => blocked(problem, &feasibility),
        StopReason::Infeasible => {
            let (delta, total) = (feasibility.policy.delta(), feasibility.total);
            if let Verdict::Breaks(_) = feasibility.verdict() {
                return format!(
                    "{} is infeasible: the one class of all {} people of T breaks it, and so no recoding can satisfy it",
                    feasibility.policy.criteria(),
                    total.private
                );
            }
            format!(
                "δ = {delta} is infeasible: |T|/|P| = {}/{} = {:.6} lies outside, so no recoding can keep it; δmin must be \
                 at most, and δmax at least, |T|/|P|",
                total.private,
                total.public,
                feasibility.share().to_f64()
            )
        }
        StopReason::TooLarge { nodes, limit } => {
            let nodes = if nodes == u64::MAX { "more than 2^64".to_owned() } else { nodes.to_string() };
            format!(
                "nothing was searched ({}): the lattice has {nodes} nodes, and this search is limited to {limit}; \
                 spalm and best have no limit",
                stop.as_str()
            )
        }
        _ if problem.policy().criteria().is_empty() => {
            format!("no δ-present release was found ({})", stop.as_str())
        }
        _ => {
            let criteria = problem.policy().criteria();
            format!("no δ-present release with {criteria} was found ({})", stop.as_str())
        }
    }
}

/// Names the class of the coarsest permitted node that breaks the policy.
fn blocked(problem: &Problem, feasibility: &Feasibility) -> String {
    let Some(class) = &feasibility.blocked else { return "infeasible".to_owned() };
    format!(
        "the limits of levels are infeasible: in the coarsest node that `levels` and `keep` permit ({}), the class {} has {} of {} \
         people in T and breaks the policy, δ = {} and what is enforced beside it; no recoding within the limits can satisfy it, so \
         permit coarser levels",
        problem.lattice().top(),
        output::shown(&class.texts(problem).join(", ")),
        class.counts.private,
        class.counts.public,
        feasibility.policy.delta()
    )
}

fn empty_regions_word(empty_regions: EmptyRegions) -> &'static str {
    match empty_regions {
        EmptyRegions::Allow => "allow",
        EmptyRegions::Forbid => "forbid",
    }
}

//! The result of a search, as JSON, as text lines, and as a row of a comparison. The JSON keys are
//! stable.

mod parts;
mod lines;
mod columns;
mod none;

use palmtop_core::metrics::{Metric, Readability};
use palmtop_core::model::{Delta, EmptyRegions, Problem};
use palmtop_measure::utility;
use palmtop_project::keys;
use palmtop_release::caution::Caution;
use palmtop_release::columns::Value;
use palmtop_release::figures::{Facts, Figures};
use palmtop_release::history::Decision;
use palmtop_release::pipeline::{self, Analysis, UtilityBasis, Written};
use palmtop_search::SearchReport;
use palmtop_search::release::Release;
use serde::Serialize;

pub use self::columns::{compared_columns, comparison};
pub use self::none::explain_none;
pub use self::parts::{
    Bounds, CriterionResult, DecisionResult, KnowsAlgorithmResult, MaybeBounds, OutsiderCounts,
    PseudonymResult, is_nobody, members, rows_left_out,
};
use crate::people::ReleasedPeople;

keys! {
/// One run: a strategy, or a node chosen by hand, under one δ.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    /// The strategy, or `node` for a chosen node.
    pub strategy: String,
    /// The δ.
    pub delta: Bounds,
    /// The lowest and the highest presence of a class, with or without members.
    pub achieved: MaybeBounds,
    /// Whether the release satisfies every enforced criterion, δ included.
    pub present: bool,
    /// What an attacker who knows the algorithm learns; in CSV the verdict.
    knows_algorithm: Option<KnowsAlgorithmResult>,
    /// Each criterion, δ-presence first.
    criteria: Vec<CriterionResult>,
    /// What δ means for one person, in words.
    headline: Option<String>,
    /// The cautions; null if they were not computed.
    cautions: Vec<Caution>,
    /// The levels of the node, in JSON a list; none for regions.
    node: Option<Vec<u8>>,
    /// The number of classes.
    classes: Value,
    /// The number of classes that have members.
    released_classes: Value,
    /// The number of withdrawn members.
    suppressed: u64,
    /// How many members may be withdrawn; may be absent if it is 0.
    #[serde(skip_serializing_if = "is_nobody")]
    suppressed_at_most: u64,
    /// The members of T whom P lacks.
    #[serde(flatten)]
    outsiders: OutsiderCounts,
    /// The numbers of people and rows; absent if each row is a person.
    #[serde(flatten)]
    people: Option<ReleasedPeople>,
    /// The figures of the release.
    #[serde(rename = "metrics")]
    figures: Figures,
    /// How the search went.
    search: SearchValues,
    /// The seed.
    seed: u64,
    /// The seconds of the search and of measuring its release.
    seconds: Option<f64>,
    /// The seconds of loading.
    load_seconds: f64,
    /// The seconds of writing.
    write_seconds: Option<f64>,
    /// The seconds of the recount.
    verify_seconds: Option<f64>,
    /// The metric that the search minimizes.
    metric: &'static str,
    /// The value of `metric`; infinite if no release exists.
    #[serde(skip)]
    cost: f64,
    /// Whether regions without members are possible: `allow` or `forbid`.
    empty_regions: &'static str,
    /// The δ of the search, if it is not that of this result.
    taken_from: Option<Bounds>,
    /// The composition with the earlier release of `--beside`, as `compose` prints it.
    beside: Option<serde_json::Value>,
    /// The pseudonymized columns, in CSV as `patient (keyed)`; may be absent if there are none.
    pseudonyms: Vec<PseudonymResult>,
    /// The δ that was fixed before the first search, and each change.
    decisions: Vec<DecisionResult>,
}
}

keys! {
#[derive(Clone, Debug, Default, Serialize)]
struct SearchValues {
    /// The number of nodes of the lattice.
    nodes: Option<u64>,
    /// The number of nodes whose classes were counted.
    checked: Option<u64>,
    /// The number of nodes whose verdict followed from another.
    implied: Option<u64>,
    /// What a stopped search had proven: no node that keeps δ has less of `metric`.
    lower: Option<f64>,
    /// The rounds of a search that draws.
    rounds: Option<u64>,
    /// The steps of `best` before its first round, if time ended it there.
    opening: Option<u64>,
    /// Why the search ended.
    stop: Option<&'static str>,
}
}

/// Facts about a run that its release does not have.
#[derive(Clone, Copy, Debug)]
pub struct RunFacts<'a> {
    pub metric: Metric,
    pub report: Option<SearchReport>,
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
        let seconds = facts.seconds;
        let figures = Figures::of(release.map(|release| Facts { release, utility: None, seconds }).as_ref());
        let search = facts.report.map(|report| SearchValues {
            nodes: report.nodes,
            checked: report.checked,
            implied: report.implied,
            lower: report.lower,
            rounds: report.rounds,
            opening: report.opening,
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
                || parts::unmet(problem),
                |release| release.standings().into_iter().map(CriterionResult::from).collect(),
            ),
            headline: None,
            cautions: Vec::new(),
            node: node.map(|node| node.levels().iter().map(|level| level.0).collect()),
            classes: figures.get("classes").clone(),
            released_classes: figures.get("released_classes").clone(),
            suppressed: release.map_or(0, Release::withdrawn),
            suppressed_at_most: problem.policy().suppression().most(problem.histogram().total().private),
            outsiders: facts.outsiders,
            people: release.and_then(|release| ReleasedPeople::of(facts.entity, problem, release)),
            figures,
            search: search.unwrap_or_default(),
            seed: facts.seed,
            seconds,
            load_seconds: facts.load_seconds,
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

    /// Adds the δ decisions of the sitting.
    pub fn decided(mut self, decisions: &[Decision]) -> Self {
        self.decisions = decisions.iter().map(DecisionResult::from).collect();
        self
    }

    /// Adds the composition with the earlier release.
    pub fn note_earlier_release(&mut self, both: serde_json::Value) {
        self.beside = Some(both);
    }

    /// Measures the utility and adds it.
    pub fn note_utility(&mut self, analysis: &Analysis, basis: &UtilityBasis, release: &Release) {
        let published = pipeline::utility::published(analysis, basis, release);
        let query_error = basis.workload().median(&published);
        let distance = utility::distance(basis.original(), &published);
        let utility = Some((query_error, distance));
        self.figures = Figures::of(Some(&Facts { release, utility, seconds: self.seconds }));
    }

    /// Adds the seconds of writing and of verifying, and the pseudonyms.
    pub fn note_delivery(&mut self, written: &Written) {
        self.write_seconds = Some(written.writing.as_secs_f64());
        self.verify_seconds = Some(written.verifying.as_secs_f64());
        self.pseudonyms = written.pseudonyms.iter().map(PseudonymResult::from).collect();
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
        self.figures.get("loss").order()
    }

    /// Whether the cells of the release have too many terms on average.
    pub fn is_hard_to_read(&self) -> bool {
        self.figures.get("terms").order().is_some_and(Readability::is_hard)
    }

    /// Notes that the release was found under another δ.
    pub fn taken_from(mut self, delta: Delta) -> Self {
        self.taken_from = Some(delta.into());
        self
    }

    /// `present`, `not present`, or the reason why no release exists.
    pub fn verdict(&self) -> &'static str {
        match (self.present, self.achieved.min.is_some(), self.search.stop) {
            (true, ..) => "present",
            (false, true, _) => "not present",
            (false, false, stop) => stop.unwrap_or("none"),
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

    fn taken_from_text(&self) -> Option<String> {
        self.taken_from.as_ref().map(|from| format!("{} to {}", from.min, from.max))
    }

    fn node_text(&self) -> Option<String> {
        let levels = self.node.as_ref()?.iter().map(ToString::to_string);
        Some(levels.collect::<Vec<_>>().join(","))
    }
}

fn empty_regions_word(empty_regions: EmptyRegions) -> &'static str {
    match empty_regions {
        EmptyRegions::Allow => "allow",
        EmptyRegions::Forbid => "forbid",
    }
}

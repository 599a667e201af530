//! What a run made, and the parts of its result that are about it alone. The JSON keys are stable.

use std::time::Duration;

use palmtop_core::metrics::Metric;
use palmtop_core::model::{Delta, EmptyRegions, Problem};
use palmtop_measure::utility;
use palmtop_project::keys;
use palmtop_release::caution::{Caution, Judged};
use palmtop_release::columns::Value;
use palmtop_release::figures::Figures;
use palmtop_release::history::Decision;
use palmtop_release::pipeline::{self, Analysis, UtilityBasis, Written};
use palmtop_search::SearchReport;
use palmtop_search::release::Release;
use serde::Serialize;

use super::parts::{self, Bounds, CriterionResult, KnowsAlgorithmResult, MaybeBounds, is_nobody};

/// A run, as far as it went.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// The strategy, or `node` for a chosen node.
    pub strategy: &'a str,
    pub analysis: &'a Analysis,
    /// The problem under the δ of the run.
    pub problem: &'a Problem,
    /// `None` if no release exists.
    pub release: Option<&'a Release>,
    pub search: Searched,
    /// What measures the utility of the release; `None` if it is not measured.
    pub utility: Option<&'a UtilityBasis>,
    /// The headline and the cautions; `None` if they are not computed.
    pub judged: Option<&'a Judged>,
    /// The δ of the search, if it is another.
    pub taken_from: Option<Delta>,
    /// The δ decisions of the sitting.
    pub decisions: &'a [Decision],
    /// What was written.
    pub delivered: Option<Delivered<'a>>,
}

/// How a run searched.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// The metric that the search minimizes.
    pub metric: Metric,
    pub seed: u64,
    /// `None` without a search.
    pub report: Option<SearchReport>,
    /// The time after which it was to stop.
    pub budget: Option<Duration>,
    /// The seconds of the search and of measuring its release.
    pub seconds: Option<f64>,
}

/// A release that was written and verified.
#[derive(Clone, Copy, Debug)]
pub struct Delivered<'a> {
    pub written: &'a Written,
    /// The composition with the earlier release.
    pub beside: Option<&'a serde_json::Value>,
}

impl<'a> Made<'a> {
    /// A run whose release, if there is one, is not measured, judged or written yet.
    pub fn new(
        strategy: &'a str,
        analysis: &'a Analysis,
        problem: &'a Problem,
        release: Option<&'a Release>,
        search: Searched,
    ) -> Self {
        Self {
            strategy,
            analysis,
            problem,
            release,
            search,
            utility: None,
            judged: None,
            taken_from: None,
            decisions: &[],
            delivered: None,
        }
    }

    /// The median relative error of the queries, and the mean distance of the quasi-identifiers.
    pub(super) fn utility(&self, release: &Release) -> Option<(f64, f64)> {
        let basis = self.utility?;
        let published = pipeline::utility::published(self.analysis, basis, release);
        Some((basis.workload().median(&published), utility::distance(basis.original(), &published)))
    }
}

keys! {
/// What is required of a release, and what it achieves.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PolicyResult {
    /// The δ.
    pub(super) delta: Bounds,
    /// The lowest and the highest presence of a class, with or without members.
    pub(super) achieved: MaybeBounds,
    /// Whether the release satisfies every enforced criterion, δ included.
    pub(super) present: bool,
    /// What an attacker who knows the algorithm learns; in CSV the verdict.
    pub(super) knows_algorithm: Option<KnowsAlgorithmResult>,
    /// Each criterion, δ-presence first.
    pub(super) criteria: Vec<CriterionResult>,
}
}

impl PolicyResult {
    pub(super) fn of(problem: &Problem, release: Option<&Release>) -> Self {
        Self {
            delta: problem.delta().into(),
            achieved: release.map(|release| release.achieved.into()).unwrap_or_default(),
            present: release.is_some_and(Release::is_present),
            knows_algorithm: release.map(|release| release.knows_algorithm().into()),
            criteria: release.map_or_else(
                || parts::unmet(problem),
                |release| release.standings().into_iter().map(CriterionResult::from).collect(),
            ),
        }
    }
}

keys! {
/// What δ does not cover.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct JudgedResult {
    /// What δ means for one person, in words.
    pub(super) headline: Option<String>,
    /// The cautions; null if they were not computed.
    pub(super) cautions: Vec<Caution>,
}
}

impl From<&Judged> for JudgedResult {
    fn from(judged: &Judged) -> Self {
        Self { headline: Some(judged.headline.clone()), cautions: judged.cautions.clone() }
    }
}

keys! {
/// The recoding, its classes, and the members whom it withdraws.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RecodingResult {
    /// The levels of the node, in JSON a list; none for regions.
    pub(super) node: Option<Vec<u8>>,
    /// The number of classes.
    pub(super) classes: Value,
    /// The number of classes that have members.
    pub(super) released_classes: Value,
    /// The number of withdrawn members.
    pub(super) suppressed: u64,
    /// How many members may be withdrawn; may be absent if it is 0.
    #[serde(skip_serializing_if = "is_nobody")]
    pub(super) suppressed_at_most: u64,
}
}

impl RecodingResult {
    pub(super) fn of(problem: &Problem, release: Option<&Release>, figures: &Figures) -> Self {
        let node = release.and_then(|release| release.recoding.node());
        Self {
            node: node.map(|node| node.levels().iter().map(|level| level.0).collect()),
            classes: figures.get("classes").clone(),
            released_classes: figures.get("released_classes").clone(),
            suppressed: release.map_or(0, Release::withdrawn),
            suppressed_at_most: problem.policy().suppression().most(problem.histogram().total().private),
        }
    }
}

keys! {
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct SearchResult {
    /// The number of nodes of the lattice.
    pub(super) nodes: Option<u64>,
    /// The number of nodes whose classes were counted.
    pub(super) checked: Option<u64>,
    /// The number of nodes whose verdict followed from another.
    pub(super) implied: Option<u64>,
    /// What a stopped search had proven: no node that keeps δ has less of `metric`.
    pub(super) lower: Option<f64>,
    /// The rounds of a search that draws.
    pub(super) rounds: Option<u64>,
    /// The steps of `best` before its first round, if time ended it there.
    pub(super) opening: Option<u64>,
    /// The seconds after which the search was to stop, if it was to.
    pub(super) budget: Option<f64>,
    /// Why the search ended.
    pub(super) stop: Option<&'static str>,
}
}

impl SearchResult {
    pub(super) fn of(search: &Searched) -> Self {
        let Some(report) = search.report else { return Self::default() };
        Self {
            budget: search.budget.map(|budget| budget.as_secs_f64()),
            nodes: report.nodes,
            checked: report.checked,
            implied: report.implied,
            lower: report.lower,
            rounds: report.rounds,
            opening: report.opening,
            stop: Some(report.stop.as_str()),
        }
    }
}

keys! {
/// The seconds of each part of the work.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Times {
    /// The seconds of the search and of measuring its release.
    pub(super) seconds: Option<f64>,
    /// The seconds of loading.
    pub(super) load_seconds: f64,
    /// The seconds of writing.
    pub(super) write_seconds: Option<f64>,
    /// The seconds of the recount.
    pub(super) verify_seconds: Option<f64>,
}
}

impl Times {
    pub(super) fn of(made: &Made) -> Self {
        let written = made.delivered.map(|delivered| delivered.written);
        Self {
            seconds: made.search.seconds,
            load_seconds: made.analysis.load_seconds(),
            write_seconds: written.map(|written| written.writing.as_secs_f64()),
            verify_seconds: written.map(|written| written.verifying.as_secs_f64()),
        }
    }
}

pub(super) fn empty_regions_word(empty_regions: EmptyRegions) -> &'static str {
    match empty_regions {
        EmptyRegions::Allow => "allow",
        EmptyRegions::Forbid => "forbid",
    }
}

//! The result of a search, as JSON, as text lines, and as a row of a comparison. The JSON keys are
//! stable.

mod parts;
mod run;
mod lines;
mod columns;
mod none;

use std::cmp::Ordering;

use palmtop_core::metrics::Readability;
use palmtop_project::keys;
use palmtop_release::caution::Caution;
use palmtop_release::figures::{Facts, Figures};
use palmtop_search::release::Release;
use serde::Serialize;

use self::run::{JudgedResult, PolicyResult, RecodingResult, SearchResult, Times, empty_regions_word};

pub use self::columns::{compared_columns, comparison};
pub use self::none::explain_none;
pub use self::parts::{
    Bounds, CriterionResult, DecisionResult, KnowsAlgorithmResult, MaybeBounds, OutsiderCounts,
    PseudonymResult, is_nobody, members, rows_left_out,
};
pub use self::run::{Delivered, Made, Searched};
use crate::people::ReleasedPeople;

keys! {
/// One run: a strategy, or a node chosen by hand, under one δ. It is made at once from what was
/// [`Made`], and never changed.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    /// The strategy, or `node` for a chosen node.
    strategy: String,
    /// What is required, and what is achieved.
    #[serde(flatten)]
    policy: PolicyResult,
    /// What δ does not cover.
    #[serde(flatten)]
    judged: JudgedResult,
    /// The node, the classes and the withdrawn members.
    #[serde(flatten)]
    recoding: RecodingResult,
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
    search: SearchResult,
    /// The seed.
    seed: u64,
    /// The seconds of each part of the work.
    #[serde(flatten)]
    times: Times,
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

impl RunResult {
    /// The result of a run, as far as it went.
    pub fn of(made: &Made) -> Self {
        let Made { analysis, problem, release, search, delivered, .. } = *made;
        let facts = |release| Facts { release, utility: made.utility(release), seconds: search.seconds };
        let figures = Figures::of(release.map(facts).as_ref());
        let people = |release: &Release| ReleasedPeople::of(analysis.entity(), problem, release);
        let pseudonyms =
            delivered.map(|delivered| delivered.written.pseudonyms.as_slice()).unwrap_or_default();
        Self {
            strategy: made.strategy.to_owned(),
            policy: PolicyResult::of(problem, release),
            judged: made.judged.map(JudgedResult::from).unwrap_or_default(),
            recoding: RecodingResult::of(problem, release, &figures),
            outsiders: OutsiderCounts::of(analysis),
            people: release.and_then(people),
            figures,
            search: SearchResult::of(&search),
            seed: search.seed,
            times: Times::of(made),
            metric: search.metric.name(),
            cost: release.map_or(f64::INFINITY, |release| release.metrics.value(search.metric)),
            empty_regions: empty_regions_word(problem.empty_regions()),
            taken_from: made.taken_from.map(Bounds::from),
            beside: delivered.and_then(|delivered| delivered.beside).cloned(),
            pseudonyms: pseudonyms.iter().map(PseudonymResult::from).collect(),
            decisions: made.decisions.iter().map(DecisionResult::from).collect(),
        }
    }

    /// The strategy, or `node` for a chosen node.
    pub fn strategy(&self) -> &str {
        &self.strategy
    }

    /// The δ.
    pub fn delta(&self) -> &Bounds {
        &self.policy.delta
    }

    /// Whether the release satisfies every enforced criterion, δ included.
    pub fn is_present(&self) -> bool {
        self.policy.present
    }

    /// Whether a severe caution is not accepted; palmtop then refuses to export the release.
    pub fn has_open_caution(&self) -> bool {
        self.judged.cautions.iter().any(Caution::is_open)
    }

    /// Orders results by quality, best first: present releases before others, then by cost.
    pub fn compare(&self, other: &Self) -> Ordering {
        other.is_present().cmp(&self.is_present()).then_with(|| self.cost.total_cmp(&other.cost))
    }

    /// The value of the minimized metric; `None` if no release exists.
    pub fn cost(&self) -> Option<f64> {
        self.policy.achieved.min.is_some().then_some(self.cost)
    }

    /// The normalized loss; `None` if no release exists.
    pub fn loss(&self) -> Option<f64> {
        self.figures.get("loss").order()
    }

    /// Whether the cells of the release have too many terms on average.
    pub fn is_hard_to_read(&self) -> bool {
        self.figures.get("terms").order().is_some_and(Readability::is_hard)
    }

    /// `present`, `not present`, or the reason why no release exists.
    pub fn verdict(&self) -> &'static str {
        match (self.policy.present, self.policy.achieved.min.is_some(), self.search.stop) {
            (true, ..) => "present",
            (false, true, _) => "not present",
            (false, false, stop) => stop.unwrap_or("none"),
        }
    }

    /// Whether the policy permits withdrawn members.
    pub fn may_withdraw(&self) -> bool {
        self.recoding.suppressed_at_most > 0
    }

    /// The other enforced criteria: `k 7/5` if 7 is achieved and 5 is required.
    fn other_criteria(&self) -> Option<String> {
        let enforced = self.policy.criteria.iter().skip(1).filter_map(|criterion| {
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
        let levels = self.recoding.node.as_ref()?.iter().map(ToString::to_string);
        Some(levels.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_result_is_made_once() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/result");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            assert!(!code.contains("mut self"), "{} patches a result", path.display());
        }
        let code = include_str!("mod.rs").split("#[cfg(test)]").next().unwrap();
        assert_eq!(code.matches("-> Self").count(), 1, "a result is made beside `RunResult::of`");
    }
}

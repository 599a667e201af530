//! The parts of results: bounds, criteria, audits, pseudonyms, decisions. The JSON keys are
//! stable.

use palmtop_core::escape::escape;
use palmtop_core::model::{Delta, Problem, Standing};
use palmtop_core::words::plural;
use palmtop_project::keys;
use palmtop_release::history::Decision;
use palmtop_release::pipeline::{Analysis, PseudonymNote};
use palmtop_search::release::KnowsAlgorithm;
use palmtop_verify::Pseudonymized;
use serde::Serialize;

keys! {
/// A decision on δ: its time, and the reason.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionResult {
    /// The time, in UTC.
    at: String,
    /// The δ.
    delta: Bounds,
    /// The reason; null without one.
    reason: Option<String>,
    /// Why δ is this one, in words.
    words: String,
    /// The grounds of the advice; absent without advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    advised_from: Option<String>,
}
}

impl From<&Decision> for DecisionResult {
    fn from(decision: &Decision) -> Self {
        Self {
            at: decision.at.to_string(),
            delta: decision.delta.into(),
            reason: decision.reason.as_ref().map(ToString::to_string),
            words: decision.words(),
            advised_from: decision.grounds.as_ref().map(ToString::to_string),
        }
    }
}

impl DecisionResult {
    /// The decision as one line: δ, time, reason, and the source of the advice.
    pub fn line(&self) -> String {
        let Self { at, delta, words, advised_from, .. } = self;
        let why = escape(words);
        let advised =
            advised_from.as_ref().map_or_else(String::new, |from| format!("; advised from {}", escape(from)));
        format!("δ {} to {}, {at}, {why}{advised}", delta.min, delta.max)
    }
}

keys! {
/// A pseudonymized column of a release, and the method: `new`, `keyed`, `keyed digits`.
#[derive(Clone, Debug, Serialize)]
pub struct PseudonymResult {
    /// The column.
    column: String,
    /// How the pseudonyms are made: `new`, `keyed` or `keyed digits`.
    made: &'static str,
}
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
        let each = all.iter().map(|one| format!("{} ({})", one.column, one.made));
        each.collect::<Vec<_>>().join("; ")
    }
}

keys! {
/// The audit of a release against an attacker who knows palmtop. Numbers that were not counted are
/// null.
#[derive(Clone, Debug, Serialize)]
pub struct KnowsAlgorithmResult {
    /// The verdict.
    pub(super) verdict: &'static str,
    /// The number of people outside δ; null if it is not decided.
    beyond: Option<u64>,
    /// The number of people too near a bound for the sample; null without an audit.
    doubtful: Option<u64>,
    /// The number of regions or classes too rare to sample; null without an audit.
    not_sampled: Option<u64>,
    /// The highest posterior that was found.
    worst: Option<f64>,
    /// The verdict in words.
    #[serde(skip)]
    pub(super) words: String,
}
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

keys! {
/// One criterion. `required` and `holds` are null if it is only measured; `achieved` is null if no
/// release exists.
#[derive(Clone, Debug, Serialize)]
pub struct CriterionResult {
    /// The criterion.
    pub(super) name: &'static str,
    /// What is required; null if it is only measured.
    pub(super) required: Option<String>,
    /// What the release achieves; null if no release exists.
    pub(super) achieved: Option<String>,
    /// Whether the release satisfies it; null if this was not judged.
    pub(super) holds: Option<bool>,
}
}

keys! {
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// The lower bound.
    pub min: String,
    /// The upper bound.
    pub max: String,
}
}

keys! {
#[derive(Clone, Debug, Default, Serialize)]
pub struct MaybeBounds {
    /// The lower bound.
    pub min: Option<String>,
    /// The upper bound.
    pub max: Option<String>,
}
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
pub(super) fn unmet(problem: &Problem) -> Vec<CriterionResult> {
    let standings = problem.policy().standings(&[]).into_iter();
    standings.map(|standing| CriterionResult { holds: None, ..standing.into() }).collect()
}

keys! {
/// The numbers of members of T whom P lacks, by their treatment in the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutsiderCounts {
    /// The number of members whom P lacks and who are left out.
    pub dropped: u64,
    /// The number of members whom P lacks and who are added to it.
    pub added: u64,
    /// The number of rows of P that are no people; absent if there are none.
    #[serde(skip_serializing_if = "is_nobody")]
    pub public_rows_left_out: u64,
    /// The number of rows of T that are no people; absent if there are none.
    #[serde(skip_serializing_if = "is_nobody")]
    pub private_rows_left_out: u64,
}
}

impl OutsiderCounts {
    pub fn of(analysis: &Analysis) -> Self {
        let (public_rows_left_out, private_rows_left_out) = analysis.notes().rows_left_out;
        let (dropped, added) = (analysis.notes().dropped(), analysis.notes().added());
        Self { dropped, added, public_rows_left_out, private_rows_left_out }
    }

    /// The text for the rows that are no people; `None` if there are none.
    pub(super) fn rows_line(self) -> Option<String> {
        rows_left_out((self.public_rows_left_out, self.private_rows_left_out))
    }

    /// The text for the result; `None` if P has every member.
    pub(super) fn line(self) -> Option<String> {
        match self {
            Self { dropped: 0, added: 0, .. } => None,
            Self { dropped, added: 0, .. } => Some(format!("{} of T excluded", members(dropped))),
            Self { added, .. } => Some(format!(
                "{} of T added to P: the result holds for an attacker whose P includes them",
                members(added)
            )),
        }
    }
}

/// The rows of P and of T that are no people, in words; `None` if there are none.
pub fn rows_left_out((public, private): (u64, u64)) -> Option<String> {
    (public + private > 0).then(|| format!("{public} of P, {private} of T, as the project says"))
}

/// Whether the count is 0. Serialization uses it to skip keys.
pub fn is_nobody(count: &u64) -> bool {
    *count == 0
}

/// The count with its noun: `1 member`, `2 members`.
pub fn members(count: u64) -> String {
    plural(count, "member")
}

//! The criteria of a release, required and achieved.

use super::sections::CriterionSection;
use palmtop_core::model::{Criteria, Criterion};
use palmtop_verify::Findings;

/// A requirement in its standard form, because a project may write it in several ways.
pub fn requirement(criterion: &str, text: &str) -> String {
    let read = Criteria::read([(criterion, text)]).ok();
    read.and_then(|criteria| criteria.iter().next().map(Criterion::required))
        .unwrap_or_else(|| text.to_owned())
}

/// δ, then the other criteria.
pub(super) fn criteria(findings: &Findings) -> Vec<CriterionSection> {
    let delta = CriterionSection {
        name: "presence".to_owned(),
        required: Some(findings.delta.to_string()),
        achieved: Some(format!("({}, {})", findings.achieved_min, findings.achieved_max)),
        holds: Some(findings.keeps_delta()),
    };
    let others = findings.criteria.iter().map(|outcome| CriterionSection {
        name: outcome.criterion.to_owned(),
        required: outcome.required.as_deref().map(|text| requirement(outcome.criterion, text)),
        achieved: outcome.achieved.clone(),
        holds: outcome.required.is_some().then_some(outcome.holds),
    });
    std::iter::once(delta).chain(others).collect()
}

//! What a report does not cover, and what the person who signs has to know.

use super::adversaries::RECORDED;
use super::error::ReportError;
use super::origin::Chosen;
use super::sections::{DeltaSection, SessionSection};
use crate::caution::{
    self, Acceptance, AlgorithmKnowledge, Caution, Facts, Key, ProjectCautions, SessionFacts,
};
use crate::pipeline::{self, Analysis, PipelineError};
use palmtop_core::model::Delta;

/// What no verdict on a release covers, whatever it is.
pub(super) const ALWAYS: [&str; 6] = [
    "Other knowledge: an adversary who knows more of somebody than the public table's columns, or that a neighbour is in the \
     private table, may learn more.",
    "Other releases of the same private table, or of one that changed since: what they tell together has to be judged together.",
    "Sensitive and insensitive columns are published unchanged, or as labels of one level: the release hides who is in the table, and not what is known of \
     those who are.",
    "Published columns together: each published column, and the difference of two dates, is compared with each quasi-identifier. \
     Other relations of several published columns with a quasi-identifier are not examined.",
    "Uneven priors: all individuals of a class are taken to be as likely to be members beforehand; who knows that some are likelier \
     may learn more.",
    "Whether the public table is what an adversary knows, the hierarchies mean what they say, and the columns have the right \
     roles: that is taken from the project.",
];

/// That nobody looked at who knows how the release was chosen.
pub(super) const ALGORITHM: &str = "Knowledge of the algorithm: who knows palmtop, the policy and the number of members may learn \
     more from where the edges of classes fall. Only the strategy `simulatable` keeps everybody within δ against this attacker.";

/// That pseudonyms link.
pub(super) const PSEUDONYMS: &str = "Pseudonyms: whoever has the key, or a name beside a pseudonym, knows whose row it is, and the \
     same pseudonym in two releases links their rows.";

/// What the verdict does not cover.
pub(super) fn not_covered(analysis: &Analysis, chosen: &Chosen) -> Vec<String> {
    let mut lines: Vec<String> = ALWAYS.iter().map(|&line| line.to_owned()).collect();
    if chosen.exact().is_none() {
        lines.push(ALGORITHM.to_owned());
    }
    if !pipeline::pseudonyms::notes(analysis).is_empty() {
        lines.push(PSEUDONYMS.to_owned());
    }
    lines
}

/// What has to be known before signing.
pub(super) fn cautions(
    project: &ProjectCautions,
    facts: Facts,
    delta: &DeltaSection,
    (chosen, session): (&Chosen, Option<&SessionSection>),
    accepted: &[Acceptance],
) -> Result<Vec<Caution>, ReportError> {
    let advised = delta.advice.as_ref().filter(|advice| !advice.kept);
    let advised = advised.map(|advice| Delta::read(&advice.delta.min, &advice.delta.max));
    let facts = Facts {
        advised_delta: advised.transpose().map_err(PipelineError::from)?,
        algorithm: match chosen {
            Chosen::Exact(_) => AlgorithmKnowledge::Exact,
            Chosen::Audited(people) => AlgorithmKnowledge::Audited(Some(*people)),
            Chosen::NoneFound => AlgorithmKnowledge::Audited(Some(0)),
            Chosen::NotDecided => AlgorithmKnowledge::Audited(None),
            Chosen::NotReproduced => AlgorithmKnowledge::NotReproduced,
            Chosen::OtherDelta | Chosen::OtherInputs | Chosen::Unknown => AlgorithmKnowledge::Unknown,
        },
        session: session.map(|session| SessionFacts {
            has_same_inputs: session.same_inputs,
            lacks_release: !session.steps.is_empty() && session.released_step.is_none(),
            changes: session.decisions.len().saturating_sub(1),
        }),
        ..facts
    };
    let is_audited = matches!(facts.algorithm, AlgorithmKnowledge::Audited(_));
    let mut cautions = caution::of_release(&facts, project);
    for own in cautions.iter_mut().filter(|own| is_audited && own.key == Key::KnowsAlgorithm) {
        own.sentence.push_str(&format!(" This is {RECORDED}."));
    }
    let has_reason = session.is_some_and(|session| session.decisions.iter().any(|own| own.reason.is_some()));
    if delta.advice.is_none() && !has_reason {
        cautions.push(Caution::new(
            Key::UnjustifiedDelta,
            "δ is not justified: neither a prior with an acceptable misuse nor a reason is known.",
            "Give the report a prior and an acceptable misuse, or state a reason when δ is decided.",
        ));
        caution::sort(&mut cautions);
    }
    caution::accept(&mut cautions, accepted);
    Ok(cautions)
}

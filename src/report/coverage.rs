//! What a report does not cover, and what the person who signs has to know.

use std::collections::BTreeMap;

use super::origin::Chosen;
use super::sections::{DeltaSection, SessionSection};
use crate::data::telling;
use crate::model::Role;
use crate::pipeline::{Analysis, ReadRelease};
use crate::verify::Findings;

/// What no verdict on a release covers, whatever it is.
pub(super) const ALWAYS: [&str; 5] = [
    "Other knowledge: an adversary who knows more of somebody than the public table's columns, or that a neighbour is in the \
     private table, may learn more.",
    "Other releases of the same private table, or of one that changed since: what they tell together has to be judged together.",
    "Sensitive and insensitive columns are published unchanged: the release hides who is in the table, and not what is known of \
     those who are.",
    "Uneven priors: all individuals of a class are taken to be as likely to be members beforehand; who knows that some are likelier \
     may learn more.",
    "Whether the public table is what an adversary knows, the hierarchies mean what they say, and the columns have the right \
     roles: that is taken from the project.",
];

/// That nobody looked at who knows how the release was chosen.
pub(super) const ALGORITHM: &str = "Knowledge of the algorithm: who knows palmtop, the policy and the number of members may learn \
     more from where the edges of classes fall. Only the strategy `simulatable` keeps everybody within δ against him.";

/// That pseudonyms link.
pub(super) const PSEUDONYMS: &str = "Pseudonyms: whoever has the key, or a name beside a pseudonym, knows whose row it is, and the \
     same pseudonym in two releases links their rows.";

/// What the verdict does not cover.
pub(super) fn not_covered(analysis: &Analysis, chosen: &Chosen) -> Vec<String> {
    let mut lines: Vec<String> = ALWAYS.iter().map(|&line| line.to_owned()).collect();
    if *chosen != Chosen::Exact {
        lines.push(ALGORITHM.to_owned());
    }
    if !analysis.pseudonyms().is_empty() {
        lines.push(PSEUDONYMS.to_owned());
    }
    lines
}

/// What has to be known beside a verdict, whatever it is.
pub(super) fn cautions(
    (analysis, read): (&Analysis, Option<&ReadRelease>),
    findings: &Findings,
    delta: &DeltaSection,
    (chosen, session): (&Chosen, Option<&SessionSection>),
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say = |line: String| lines.push(line);
    if let Some(own) = &delta.looser_than {
        say(format!(
            "δ is looser than the project's own: {} to {} in place of {} to {}",
            delta.enforced.min, delta.enforced.max, own.min, own.max
        ));
    }
    if let Some(advice) = delta.advice.as_ref().filter(|advice| !advice.kept) {
        say(format!(
            "δ is not as strict as the prior and the misuse ask for, {} to {}",
            advice.delta.min, advice.delta.max
        ));
    }
    if findings.added > 0 {
        say(format!(
            "{} of T whom the public table lacks were added to it: the verdict holds against who knows the public table with them",
            members(findings.added)
        ));
    }
    if findings.dropped > 0 {
        say(format!("{} of T whom the public table lacks are not in the release", members(findings.dropped)));
    }
    if findings.withdrawn > 0 {
        say(format!("{} of T are withdrawn and have no row", members(findings.withdrawn)));
    }
    if findings.under_prior.is_some_and(|found| !found.holds()) {
        say("under the project's prior somebody's posterior is beyond δ".to_owned());
    }
    match chosen {
        Chosen::Audited(people) => say(format!(
            "an audit found {people} individuals beyond δ for an attacker who knows how the release was chosen"
        )),
        Chosen::NotReproduced => say(
            "the run's own report says that `simulatable` made this release, and running it again gives another one".to_owned(),
        ),
        Chosen::Unknown | Chosen::OtherDelta | Chosen::OtherInputs | Chosen::NotDecided => say(
            "who also knows palmtop and how this release was chosen may learn more: that is not judged (section 3)".to_owned(),
        ),
        Chosen::Exact | Chosen::NoneFound => {}
    }
    if let Some(session) = session {
        if !session.same_inputs {
            say("the session is of other inputs: its steps are not those of this release".to_owned());
        } else if !session.steps.is_empty() && session.released_step.is_none() {
            say("no step of the session was found to make this release".to_owned());
        }
        let changes = session.decisions.len().saturating_sub(1);
        if changes > 0 {
            say(format!(
                "δ was changed {changes} {} after the first search: see the session",
                if changes == 1 { "time" } else { "times" }
            ));
        }
    }
    let notes = analysis.notes();
    if !notes.count_like.is_empty() {
        say(format!(
            "columns of the public table look as if a row stood for several people, and are not used: {}",
            notes.count_like.join(", ")
        ));
    }
    lines.extend(read.into_iter().flat_map(|read| telling_columns(analysis, read)));
    lines
}

/// What has to be known of columns that are published unchanged, and in which nearly all values are different: no class hides whose row
/// it is from who knows one.
fn telling_columns(analysis: &Analysis, read: &ReadRelease) -> Vec<String> {
    let project = analysis.project();
    let mut lines = Vec::new();
    for (position, column) in read.columns.iter().enumerate() {
        let is_pseudonym = project
            .attributes
            .iter()
            .any(|own| own.role == Role::Identifier && project.private_column(own) == column.as_str());
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (texts, rows) in read.classes.iter().flat_map(|class| &class.kept) {
            *counts.entry(texts[position].as_str()).or_default() += rows;
        }
        counts.remove("");
        let (rows, alone) =
            (counts.values().sum::<u64>(), counts.values().filter(|&&rows| rows == 1).count() as u64);
        if !is_pseudonym && rows >= telling::ROWS && telling::is_nearly_all(alone, rows) {
            lines.push(format!(
                "`{column}` is published unchanged, and {alone} of its {rows} values stand in one row alone: who knows one of them, or a \
                 part of it, knows whose row that is, whatever δ says"
            ));
        }
    }
    lines
}

fn members(count: u64) -> String {
    if count == 1 { "1 member".to_owned() } else { format!("{count} members") }
}

//! Each adversary whom a report judges.

use super::making::requirement;
use super::origin::{Chosen, RunFile};
use super::sections::{AdversarySection, Judgement};
use crate::caution::{Cost, Facts};
use crate::pipeline::Analysis;
use palmtop_verify::{Findings, UnderPrior, adversary};

/// What an audit found is not recounted.
pub(super) const RECORDED: &str = "as recorded, not recounted";

/// Each adversary, what he knows, and the verdict on what the release tells him.
pub(super) fn adversaries(
    (analysis, findings): (&Analysis, &Findings),
    facts: &Facts,
    chosen: &Chosen,
    run: Option<&RunFile>,
) -> Vec<AdversarySection> {
    let is_unread = !findings.is_faithful();
    let own = |knows: String, judgement: Judgement, basis: String| {
        // Of a file that says what is not so, nothing good is said.
        let judgement = if is_unread { Judgement::NotJudged } else { judgement };
        AdversarySection { knows, judgement, basis }
    };
    let by_presence = if findings.keeps_delta() { Judgement::Within } else { Judgement::Beyond };
    let (by_algorithm, algorithm) = match chosen {
        Chosen::Exact(_) => (
            by_presence,
            "the search was run again here and gives this release; it asks nothing of T of which some answer would take anybody \
             out of δ (exact, under a uniform prior)"
                .to_owned(),
        ),
        Chosen::Audited(people) => (
            Judgement::Beyond,
            format!(
                "{RECORDED}: an audit found {people} individuals beyond δ by the events that it looked at"
            ),
        ),
        Chosen::NoneFound => (
            Judgement::NotJudged,
            format!(
                "{RECORDED}: an audit found nobody beyond δ by the events that it looked at; there may be some"
            ),
        ),
        Chosen::NotDecided => (
            Judgement::NotJudged,
            format!("{RECORDED}: an audit could not decide whether somebody is beyond δ"),
        ),
        Chosen::NotReproduced => (
            Judgement::NotJudged,
            "the run's own report says `simulatable`, but running it again gives another release".to_owned(),
        ),
        Chosen::OtherDelta => (
            Judgement::NotJudged,
            "the run searched under another δ, and what holds there does not hold under the δ of this report".to_owned(),
        ),
        Chosen::OtherInputs => (
            Judgement::NotJudged,
            "the project, a table or a hierarchy was changed since the run, so what holds of the run does not hold here"
                .to_owned(),
        ),
        Chosen::Unknown => (
            Judgement::NotJudged,
            "not audited: where the edges of classes fall may tell more; only a release of the strategy simulatable is exact here"
                .to_owned(),
        ),
    };
    let together = if run.is_some_and(RunFile::is_beside) {
        "as the run's own report says, it was made beside an earlier release so that both keep δ together; that is not recounted \
         here"
    } else {
        "what several releases tell together is not judged here; it is counted from all of them"
    };
    let (by_prior, prior) = match findings.under_prior {
        Some(found) => under_prior(found),
        None if analysis.project().prior.is_some() => {
            (Judgement::NotJudged, "whose class is which is not known".to_owned())
        }
        None => (
            Judgement::NotJudged,
            "the project has no prior; in each class all individuals are taken to be equally likely"
                .to_owned(),
        ),
    };
    let mut adversaries = vec![
        own(
            facts.telling.limit_adversary(&adversary(findings.added)),
            by_presence,
            format!(
                "the verifier recounted presence from the raw tables: {} to {}",
                findings.achieved_min, findings.achieved_max
            ),
        ),
        own(
            "knows the same, how many members T has, δ, and how palmtop chose this release".to_owned(),
            by_algorithm,
            algorithm,
        ),
        own(
            "has several releases of the same private table, or of one that changed".to_owned(),
            Judgement::NotJudged,
            together.to_owned(),
        ),
        own(
            "believes beforehand that some individuals are likelier to be members than others".to_owned(),
            by_prior,
            prior,
        ),
        knows_member((facts, findings), &own),
    ];
    // Behind those who judge by the quasi-identifiers.
    adversaries.splice(2..2, reads_published(facts, &own));
    adversaries
}

/// The attacker who also reads the published columns that tell more.
fn reads_published(
    facts: &Facts,
    section: &impl Fn(String, Judgement, String) -> AdversarySection,
) -> Option<AdversarySection> {
    let telling = Some(&facts.telling).filter(|telling| !telling.is_empty())?;
    let is_beyond = matches!(telling.cost, Some(Cost { is_beyond: true, .. }));
    let judgement = if is_beyond { Judgement::Beyond } else { Judgement::NotJudged };
    let columns = telling.readers_columns();
    let knows = format!("knows the public table's columns exactly, and also reads {columns} of the release");
    Some(section(knows, judgement, telling.sentences()))
}

/// The attacker who knows that somebody is a member. δ does not limit what this attacker finds: `k` limits who is found, `l` and
/// `t` limit values.
fn knows_member(
    (facts, findings): (&Facts, &Findings),
    section: &impl Fn(String, Judgement, String) -> AdversarySection,
) -> AdversarySection {
    let knows = "knows that somebody is a member, and the public table's columns of that person".to_owned();
    let enforced = findings.criteria.iter().filter_map(|outcome| {
        let required = outcome.required.as_ref().filter(|_| ["k", "l", "t"].contains(&outcome.criterion))?;
        let required = requirement(outcome.criterion, required);
        let holds = if outcome.holds { "holds" } else { "is broken" };
        Some((outcome.criterion, format!("{} = {required} {holds}", outcome.criterion)))
    });
    let enforced: Vec<(&str, String)> = enforced.collect();
    let mut basis = vec!["δ does not limit what this attacker finds".to_owned()];
    if enforced.is_empty() {
        basis.push("no `k`, `l` or `t` is enforced".to_owned());
    }
    basis.extend(enforced.iter().map(|(_, text)| text.clone()));
    if let Some(members) = &facts.members {
        let limits_values = enforced.iter().any(|(name, _)| *name != "k");
        match members.disclosed() {
            Some(disclosed) if limits_values => basis.push(disclosed),
            Some(disclosed) => basis.push(format!("the values are not limited: {disclosed}")),
            None => {}
        }
        basis.push(members.risks(""));
    }
    section(knows, Judgement::Unlimited, basis.join("; "))
}

fn under_prior(found: UnderPrior) -> (Judgement, String) {
    let UnderPrior { over, under, worst } = found;
    if found.holds() {
        let basis = format!("recounted under the project's prior: the worst posterior is {worst:.5}");
        return (Judgement::Within, basis);
    }
    let basis = format!(
        "recounted under the project's prior: {over} individuals are over δmax and {under} under δmin; the worst posterior is \
         {worst:.5}"
    );
    (Judgement::Beyond, basis)
}

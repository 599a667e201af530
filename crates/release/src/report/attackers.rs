//! The attackers whom a report judges, each with a verdict.

use super::criteria::requirement;
use super::origin::Chosen;
use super::sections::{AttackerSection, Judgement};
use super::together::TogetherSection;
use crate::caution::{Cost, Facts, MemberFacts, at_least, at_most};
use palmtop_core::model::criterion::{CriterionKind, Protects, kinds};
use palmtop_core::words::count;
use palmtop_project::compatibility::any_of;
use palmtop_verify::{Findings, attacker};

/// Marks a result of an audit, which the report quotes but does not recount.
pub(super) const RECORDED: &str = "as recorded, not recounted";

/// Judges each attacker: what the attacker knows, and whether the release keeps δ against the attacker.
pub(super) fn attackers(
    findings: &Findings,
    facts: &Facts,
    chosen: &Chosen,
    together: Option<&TogetherSection>,
) -> Vec<AttackerSection> {
    let is_unread = !findings.is_faithful();
    let section = |knows: String, judgement: Judgement, basis: String| {
        // A file that is not a faithful release gets no verdict.
        let judgement = if is_unread { Judgement::NotJudged } else { judgement };
        AttackerSection { knows, judgement, basis }
    };
    let by_presence = if findings.keeps_delta() { Judgement::Within } else { Judgement::Beyond };
    let (by_algorithm, algorithm) = knows_algorithm(chosen, by_presence, facts.of_people);
    let (by_others, others) = has_others(together, facts.of_people);
    let mut attackers = vec![
        section(
            facts.revealing.limit_attacker(&of_unit(&attacker(findings.added), facts.of_people)),
            by_presence,
            format!(
                "the verifier recounted presence from the raw tables{}: {} to {}",
                if facts.of_people { ", in people" } else { "" },
                at_least(findings.achieved_min),
                at_most(findings.achieved_max)
            ),
        ),
        section(
            "knows the same, and also the number of members of T, δ, and how palmtop chose this release"
                .to_owned(),
            by_algorithm,
            algorithm,
        ),
        section(
            "has several releases of the same private table, or of a changed version of it".to_owned(),
            by_others,
            others,
        ),
        section(
            "believes before the release that some individuals are more likely members than others"
                .to_owned(),
            Judgement::NotJudged,
            "all individuals of a class are assumed equally likely to be members; `palmtop compare --prior` measures other beliefs"
                .to_owned(),
        ),
        knows_member((facts, findings), &section),
    ];
    // After the two attackers who use only the quasi-identifiers.
    attackers.splice(2..2, reads_published(facts, &section));
    attackers
}

/// The verdict against an attacker who has several releases, with its basis.
fn has_others(together: Option<&TogetherSection>, of_people: bool) -> (Judgement, String) {
    let unjudged = |basis: &str| (Judgement::NotJudged, basis.to_owned());
    let Some(TogetherSection { files, missing, people, unknown }) = together else {
        return unjudged(if of_people {
            "several releases together are not judged if people have several rows"
        } else {
            "the history has no other release; `palmtop compose` judges other files"
        });
    };
    let files = files.join(", ");
    match people {
        Some(0) | None if !missing.is_empty() => unjudged(&format!(
            "nothing is known of {}: replaced, moved, or of another state of the private table",
            missing.join(", ")
        )),
        Some(0) => (Judgement::Within, format!("together with {files}, nobody is outside δ")),
        Some(found) => {
            (Judgement::Beyond, format!("together with {files}, {} outside δ", people_are(*found)))
        }
        None => unjudged(&format!("together with {files}: {}", unknown.as_deref().unwrap_or("not judged"))),
    }
}

/// `1 person is`, `184 people are`.
pub(super) fn people_are(number: u64) -> String {
    if number == 1 { "1 person is".to_owned() } else { format!("{} people are", count(number)) }
}

/// The attacker's knowledge. If people have several rows, the attacker also knows whose rows are whose, in P and in the release.
pub(super) fn of_unit(knows: &str, of_people: bool) -> String {
    if of_people {
        format!("{knows}, and knows in both which rows belong to one person")
    } else {
        knows.to_owned()
    }
}

/// The verdict against an attacker who knows how the release was chosen, with its basis.
fn knows_algorithm(chosen: &Chosen, by_presence: Judgement, of_people: bool) -> (Judgement, String) {
    match chosen {
        Chosen::Exact(_) => (
            by_presence,
            "exact, under a uniform prior: a second run of the search gives this release, and the search asks a question about T only \
             if every possible answer keeps everyone within δ"
                .to_owned(),
        ),
        Chosen::Audited(people) => (
            Judgement::Beyond,
            format!(
                "{RECORDED}: an audit found {people} individuals beyond δ, for the events that it examined"
            ),
        ),
        Chosen::NoneFound => (
            Judgement::NotJudged,
            format!(
                "{RECORDED}: an audit found nobody beyond δ, for the events that it examined; an audit may miss people"
            ),
        ),
        Chosen::NotDecided => (
            Judgement::NotJudged,
            format!("{RECORDED}: an audit could not decide whether people are beyond δ"),
        ),
        Chosen::NotReproduced => (
            Judgement::NotJudged,
            "the history names `simulatable` as the strategy, but a second run gives a different release".to_owned(),
        ),
        Chosen::OtherDelta => (
            Judgement::NotJudged,
            "the run searched under a different δ; its result does not hold under the δ of this report".to_owned(),
        ),
        Chosen::OtherInputs => (
            Judgement::NotJudged,
            "the project, a table or a hierarchy was changed after the run; the run's result does not hold for the changed files"
                .to_owned(),
        ),
        Chosen::Unknown if of_people => {
            (Judgement::NotJudged, "not audited: the boundaries of classes may reveal more".to_owned())
        }
        Chosen::Unknown => (
            Judgement::NotJudged,
            "not audited: the boundaries of classes may reveal more; only the strategy `simulatable` has an exact verdict here"
                .to_owned(),
        ),
    }
}

/// The attacker who also reads the published columns that reveal more; `None` if no column does.
fn reads_published(
    facts: &Facts,
    section: &impl Fn(String, Judgement, String) -> AttackerSection,
) -> Option<AttackerSection> {
    let revealing = Some(&facts.revealing).filter(|revealing| !revealing.is_empty())?;
    let is_beyond = matches!(revealing.cost, Some(Cost { is_beyond: true, .. }));
    let judgement = if is_beyond { Judgement::Beyond } else { Judgement::NotJudged };
    let columns = revealing.readers_columns();
    let knows = format!("knows the public table's columns exactly, and also reads {columns} of the release");
    Some(section(knows, judgement, revealing.sentences()))
}

/// The attacker who knows that a person is a member. δ does not limit what this attacker finds; criteria that protect the row or
/// the sensitive value do.
fn knows_member(
    (facts, findings): (&Facts, &Findings),
    section: &impl Fn(String, Judgement, String) -> AttackerSection,
) -> AttackerSection {
    let knows = "knows that a person is a member, and the person's values in the public table".to_owned();
    let protecting: Vec<&CriterionKind> = kinds().filter(|kind| kind.protects != Protects::Neither).collect();
    let enforced = findings.criteria.iter().filter_map(|outcome| {
        let required = outcome.required.as_ref()?;
        let kind = protecting.iter().find(|kind| kind.key == outcome.criterion)?;
        let required = requirement(outcome.criterion, required);
        let holds = if outcome.holds { "holds" } else { "is broken" };
        Some((kind.protects, format!("{} = {required} {holds}", outcome.criterion)))
    });
    let enforced: Vec<(Protects, String)> = enforced.collect();
    let mut basis = vec!["δ does not limit what this attacker finds".to_owned()];
    if enforced.is_empty() {
        let keys: Vec<&str> = protecting.iter().map(|kind| kind.key).collect();
        basis.push(format!("no {} is enforced", any_of(&keys)));
    }
    basis.extend(enforced.iter().map(|(_, text)| text.clone()));
    if let Some(members) = &facts.members {
        let limits_values = enforced.iter().any(|(protects, _)| *protects == Protects::Value);
        match members.disclosed() {
            Some(disclosed) if limits_values => basis.push(disclosed),
            Some(disclosed) => basis.push(format!("sensitive values are not protected: {disclosed}")),
            None => {}
        }
        if members.has_several_values {
            basis.push(MemberFacts::SEVERAL_VALUES.to_owned());
        }
        basis.push(members.in_small_classes());
    }
    section(knows, Judgement::Unlimited, basis.join("; "))
}

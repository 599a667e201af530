//! The cautions of a release. They follow from [`Facts`], which a release in memory and a written file both give.

use super::delta::{looser_delta, outsiders, weak_delta};
use super::facts::{AlgorithmKnowledge, BlankColumn, Facts, MemberFacts};
use super::presences::Presences;
use super::project::safe_harbor;
use super::words::{listed, members, people};
use super::{Caution, Key, ProjectCautions, ReleaseSize};
use palmtop_core::model::Presence;
use palmtop_core::words::count;

/// Finds the cautions of a release: those that follow from its facts, and those of its project. What the history knows of it
/// is added by [`judge`](super::judge).
pub fn of_release(facts: &Facts, project: &ProjectCautions) -> Vec<Caution> {
    let mut cautions = of_facts(facts, project.names_hipaa);
    // What levels could publish is said by the project, what a release publishes by its rows.
    let could = |caution: &Caution| {
        let is_quasi = |name: &String| project.fine_levels.contains(name);
        facts.fine.is_some()
            && caution.key == Key::SafeHarbor
            && caution.subject.as_ref().is_some_and(is_quasi)
    };
    // These cautions of the project are about its own δ. The facts have them for the δ of the release.
    let of_delta = [Key::WeakDelta, Key::LooserDelta, Key::LeftOut, Key::Added];
    let is_repeated = |caution: &&Caution| {
        of_delta.contains(&caution.key)
            || could(caution)
            || cautions.iter().any(|found| (found.key, &found.subject) == (caution.key, &caution.subject))
    };
    let others: Vec<Caution> = project.list.iter().filter(|caution| !is_repeated(caution)).cloned().collect();
    cautions.extend(others);
    super::sort(&mut cautions);
    cautions
}

fn of_facts(facts: &Facts, names_hipaa: bool) -> Vec<Caution> {
    let mut cautions = facts.betrayals.clone();
    cautions.extend(of_delta(facts));
    cautions.extend(presence(facts));
    cautions.extend(algorithm(facts));
    cautions.extend(facts.members.as_ref().and_then(|members| knows_member(members, &facts.criteria)));
    cautions.extend(says_nothing(&facts.blank, &facts.failed_questions));
    cautions.extend(facts.size.as_ref().and_then(ReleaseSize::caution));
    cautions.extend(facts.fine.iter().flatten().map(|note| safe_harbor(note, names_hipaa)));
    cautions.extend(outsiders(facts.dropped, facts.added));
    cautions
}

fn of_delta(facts: &Facts) -> Vec<Caution> {
    let mut cautions = Vec::new();
    if let Some(mut weak) = weak_delta(facts.delta) {
        if let Some(Presences { people: all, likely, certain, .. }) = facts.presences {
            weak.sentence.push_str(&format!(
                " In this release, {} of the {} people are members with a probability of 50 % or more, and {} are certain to be members.",
                count(likely),
                count(all),
                count(certain)
            ));
            weak = weak.with(of_people(likely, all));
        }
        cautions.push(weak);
    }
    cautions.extend(facts.project_delta.map(|project| looser_delta(facts.delta, project)));
    cautions
}

fn presence(facts: &Facts) -> Vec<Caution> {
    let mut cautions = Vec::new();
    if let Some(Presences { people: all, certain, absent, .. }) = facts.presences {
        if certain > 0 {
            let sentence = format!(
                "{} of the {} people {}: everyone in their class is a member.",
                count(certain),
                count(all),
                if certain == 1 { "is certain to be a member" } else { "are certain to be members" }
            );
            let remedy = if facts.delta.max() == Presence::ONE {
                "Choose a δmax below 1, or accept this caution with a reason."
            } else {
                "The release breaks δ: choose a coarser release that keeps δ, or accept this caution with a reason."
            };
            cautions.push(Caution::new(Key::Certain, sentence, remedy).with(of_people(certain, all)));
        }
        if absent > 0 {
            let sentence = format!(
                "{} of the {} people {}: their class has no member.",
                count(absent),
                count(all),
                if absent == 1 { "is certain not to be a member" } else { "are certain not to be members" }
            );
            let remedy = "If it is sensitive that a person is not a member, choose a δmin above 0, or set `empty_regions = \"forbid\"`.";
            cautions.push(Caution::new(Key::CertainAbsent, sentence, remedy).with(of_people(absent, all)));
        }
    }
    if facts.withdrawn > 0 {
        let sentence = format!(
            "{} of the private table {} withdrawn: they have no row.",
            members(facts.withdrawn),
            if facts.withdrawn == 1 { "is" } else { "are" }
        );
        let remedy = "Tell the recipient: counts from the release do not include these members.";
        cautions.push(Caution::new(Key::Withdrawn, sentence, remedy).with(members(facts.withdrawn)));
    }
    cautions
}

/// `5 of 1,200 people`.
fn of_people(some: u64, all: u64) -> String {
    format!("{} of {}", count(some), people(all))
}

fn algorithm(facts: &Facts) -> Option<Caution> {
    // No search that rules this attacker out takes people with several rows.
    let (choose, rules_out, measure) = (
        "Choose the node before you see any result, and state the reason in the report.",
        "`--strategy simulatable` rules this attacker out.",
        "`palmtop audit` measures how much; `--strategy simulatable` rules this attacker out.",
    );
    let (rules_out, measure) = if facts.of_people { (choose, choose) } else { (rules_out, measure) };
    let (mut sentence, remedy) = match facts.algorithm {
        AlgorithmKnowledge::Exact | AlgorithmKnowledge::NotAsked => return None,
        AlgorithmKnowledge::Audited(Some(0)) => (
            "An audit found nobody outside δ for an attacker who knows the algorithm. An audit may miss people.".to_owned(),
            rules_out,
        ),
        AlgorithmKnowledge::Audited(None) => (
            "An audit could not decide whether people are outside δ for an attacker who knows the algorithm.".to_owned(),
            rules_out,
        ),
        AlgorithmKnowledge::Audited(Some(found)) => (
            format!(
                "An audit found {} outside δ for an attacker who knows how the release was chosen.",
                people(found)
            ),
            rules_out,
        ),
        AlgorithmKnowledge::NotReproduced => (
            "The history names `simulatable` as the strategy, but a second run gives a different release.".to_owned(),
            "Make the release again from the current tables.",
        ),
        AlgorithmKnowledge::Unknown => (
            "An attacker who also knows palmtop and how this release was chosen may learn more. This was not judged.".to_owned(),
            measure,
        ),
    };
    if facts.is_recorded && matches!(facts.algorithm, AlgorithmKnowledge::Audited(_)) {
        sentence.push_str(" This is as recorded, not recounted.");
    }
    let figure = match facts.algorithm {
        AlgorithmKnowledge::Audited(Some(found)) if found > 0 => people(found),
        _ => String::new(),
    };
    Some(Caution::new(Key::KnowsAlgorithm, sentence, remedy).with(figure))
}

/// The caution about an attacker who knows that a person is a member; `None` if the risks are below the usual thresholds.
fn knows_member(facts: &MemberFacts, criteria: &[&str]) -> Option<Caution> {
    let has_one_value = facts.risk.sensitive.iter().any(|sensitive| sensitive.one_value > 0);
    if facts.in_small_classes == 0 && !has_one_value && !facts.has_several_values {
        return None;
    }
    let sentence =
        format!("An attacker who knows that a person is a member may find this person: {}.", facts.figures());
    Some(Caution::new(Key::KnowsMember, sentence, member_remedy(facts, criteria)).with(facts.figure()))
}

/// The criteria of `k`, `l` and `t` that would lower a risk, without those that hold already.
fn member_remedy(facts: &MemberFacts, criteria: &[&str]) -> String {
    let enforces = |name: &str| criteria.contains(&name);
    let mut remedies = Vec::new();
    if facts.in_small_classes > 0 {
        remedies.push(format!("`k = {0}` requires {0} members in each class", MemberFacts::THRESHOLD));
    }
    if facts.risk.sensitive.iter().any(|sensitive| sensitive.one_value > 0) {
        remedies.push("`l = { distinct = 2 }` requires two values in each class".to_owned());
    }
    if !facts.risk.sensitive.is_empty() && !enforces("t") {
        remedies.push("`t` limits how far a class may differ from all members".to_owned());
    }
    if remedies.is_empty() {
        return "Read which values the rows of a person show together.".to_owned();
    }
    format!("Under [policy], {}.", remedies.join(", "))
}

/// The caution about fully generalized columns, with the decisions that are still possible.
fn says_nothing(blank: &[BlankColumn], failed_questions: &[String]) -> Option<Caution> {
    let (first, others) = blank.split_first()?;
    let names: Vec<String> = blank.iter().map(|column| format!("`{}`", column.name)).collect();
    let fewest = blank.iter().map(|column| column.rows).min().unwrap_or(first.rows);
    let rows = if fewest == first.all {
        format!("all {} rows", count(first.all))
    } else {
        format!("at least {} of the {} rows", count(fewest), count(first.all))
    };
    let mut sentence = format!(
        "{} {} fully generalized in {rows}: the release has no information about {}.",
        listed(&names),
        if others.is_empty() { "is" } else { "are" },
        if others.is_empty() { "it" } else { "them" }
    );
    if !failed_questions.is_empty() {
        let word = if failed_questions.len() == 1 {
            "The first question that failed was"
        } else {
            "The first questions that failed were"
        };
        sentence.push_str(&format!(" {word} about {}.", failed_questions.join("; ")));
    }
    let remedy = "Use fewer quasi-identifiers, `shape = \"whole\"`, or a looser δ with a stated reason. Decide this without looking at the private \
                  table: a decision that follows from this result depends on the private table, too.";
    let names: Vec<String> = blank.iter().map(|column| column.name.clone()).collect();
    Some(Caution::new(Key::SaysNothing, sentence, remedy).with(listed(&names)))
}

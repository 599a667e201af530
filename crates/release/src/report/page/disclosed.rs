//! Page 2 of the signer's report: membership, identity and attribute disclosure.

use maud::{Markup, html};

use super::front::{MOST_COLUMNS, never, published};
use super::parts::{counted, facts, judged, mark, number, table, tenth, text, unbroken, upper};
use crate::report::Report;
use crate::report::disclosures::{
    AttackSection, AttemptKind, AttemptRisk, AttributeDisclosure, DisclosuresSection, Figure,
    IdentityAttacker, IdentityRisk, IdentitySection, MembershipSection, SensitiveSection, Share,
};
use crate::report::sections::{CriterionSection, Judgement};
use palmtop_core::words::count;

/// The greatest number of sensitive attributes on this page, the most exposed first; the annex has all.
const MOST_SENSITIVE: usize = 5;

pub(super) fn body(report: &Report) -> Markup {
    html! {
        (columns(report))
        @match &report.disclosures {
            None => { p { "The file is not a faithful release, so no disclosure was measured." } }
            Some(found) => {
                p {
                    "T is the private table; its people are the members. P is the public table. A class is everybody of P who matches the same released "
                    @if report.people.rows.is_some() { "rows" } @else { "row" }
                    ". To an attacker, all people of a class are equally likely to be members."
                }
                @if report.people.rows.is_some() { p { "A person may have several rows. This page counts people; loss, distances and queries count rows." } }
                (summary(report, found))
                (membership(&found.membership))
                (identity(&found.identity))
                (attribute(&found.attribute))
                (attempts(&found.attempts))
            }
        }
    }
}

/// The columns, if they are too many for page 1.
fn columns(report: &Report) -> Markup {
    let (published, never) = (published(report), never(report));
    let all =
        |columns: &[String]| text(if columns.is_empty() { "none".to_owned() } else { columns.join(", ") });
    let mut rows =
        vec![("Generalized", all(&published.generalized)), ("As it is", all(&published.unchanged))];
    if !published.pseudonyms.is_empty() {
        rows.push(("Pseudonyms", all(&published.pseudonyms)));
    }
    rows.push(("Never", all(&never)));
    html! { @if report.release.columns.len() > MOST_COLUMNS { (facts(&rows)) } }
}

/// One row for each disclosure.
fn summary(report: &Report, found: &DisclosuresSection) -> Markup {
    let (membership, identity) = (&found.membership, &found.identity);
    let within = if membership.within { Judgement::Within } else { Judgement::Beyond };
    let mut rows = vec![vec![
        text("membership"),
        judged(within),
        tenth(&membership.highest),
        tenth(&membership.mean),
        html! { "δmax " (tenth(&membership.threshold)) },
        text("share of members in a class"),
    ]];
    let prosecutor = identity.attackers.iter().find(|risk| risk.attacker == IdentityAttacker::Prosecutor);
    if let Some(prosecutor) = prosecutor {
        let kept = prosecutor.thresholds.first().is_some_and(|threshold| threshold.kept);
        rows.push(vec![
            text("identity"),
            mark(kept, "kept", "above"),
            prosecutor.largest.as_ref().map_or_else(|| text("–"), tenth),
            tenth(&prosecutor.mean),
            text(match identity.counts {
                Figure::Largest => "9 %, for the worst",
                Figure::Mean => "9 %, for the mean",
            }),
            text("1 over the members of a class"),
        ]);
    }
    if let Some(worst) = most_exposed(&found.attribute).first() {
        let (verdict, threshold) = of_values(&report.criteria);
        rows.push(vec![
            html! { "attribute " (worst.attribute) },
            verdict,
            tenth(&worst.largest_guess),
            tenth(&worst.mean_guess),
            threshold,
            text("share of the most frequent value in a class"),
        ]);
    }
    table(
        "Three disclosures",
        &["Disclosure", "Verdict", "Worst", "Mean of members", "Threshold", "Measured as"],
        &rows,
    )
}

/// The verdict on attribute disclosure: that of l and t.
fn of_values(criteria: &[CriterionSection]) -> (Markup, Markup) {
    let required = criteria.iter().filter(|criterion| ["l", "t"].contains(&criterion.name.as_str()));
    let required: Vec<&CriterionSection> =
        required.filter(|criterion| criterion.required.is_some()).collect();
    if required.is_empty() {
        return (judged(Judgement::NotJudged), text("no l or t required"));
    }
    let holds = required.iter().all(|criterion| criterion.holds == Some(true));
    let each = required.iter().map(|criterion| {
        format!("{} = {}", criterion.name, criterion.required.as_deref().unwrap_or_default())
    });
    (mark(holds, "kept", "broken"), text(each.collect::<Vec<_>>().join(", ")))
}

/// The attributes, the one with the most members in a class with one value first.
fn most_exposed(attribute: &AttributeDisclosure) -> Vec<&SensitiveSection> {
    let mut attributes: Vec<&SensitiveSection> = attribute.attributes.iter().collect();
    attributes.sort_by(|one, other| {
        other.one_value.cmp(&one.one_value).then(other.distance.total_cmp(&one.distance))
    });
    attributes
}

fn membership(found: &MembershipSection) -> Markup {
    let Some(attack) = &found.attack else { return html! {} };
    let bound = found.bound.as_ref();
    let share = |share: Option<&Share>| share.map_or_else(|| text("–"), tenth);
    let guessing = &found.guessing;
    let rows = [
        ("precision".to_owned(), Some(&attack.precision), bound.map(|bound| &bound.precision)),
        ("recall".to_owned(), Some(&attack.recall), None),
        ("F1".to_owned(), Some(&attack.f1), bound.map(|bound| &bound.f1)),
        (
            format!("F1 relative to guessing the share π (0 at {})", guessing.as_many.percent),
            attack.f1_relative.as_ref(),
            bound.and_then(|bound| bound.f1_relative.as_ref()),
        ),
        (
            format!("F1 relative to calling all members (0 at {})", guessing.everyone.percent),
            attack.f1_relative_everyone.as_ref(),
            bound.and_then(|bound| bound.f1_relative_everyone.as_ref()),
        ),
    ];
    let rows: Vec<Vec<Markup>> =
        rows.into_iter().map(|(name, best, bound)| vec![text(name), share(best), share(bound)]).collect();
    html! {
        h3 { "Membership as an attack" }
        p { (best(found, attack)) }
        (table("Expected figures of guessing who is a member", &["Figure", "Best attack by classes", "Bound from δmax"], &rows))
    }
}

fn best(found: &MembershipSection, attack: &AttackSection) -> Markup {
    let knows = found.bound.as_ref().is_some_and(|bound| bound.knows_algorithm);
    html! {
        "π = " (unbroken(&found.prior.percent)) ", the highest posterior is " (unbroken(&found.highest.percent))
        @if let Some(lift) = &found.lift_decimal { ", the lift " (lift) }
        ". The best attack calls " (counted(attack.people, "person")) " of " (count(attack.classes)) (if attack.classes == 1 { " class" } else { " classes" }) " members; " (count(attack.members)) (if attack.members == 1 { " is" } else { " are" })
        ". A lucky guess exceeds expected figures. "
        @if found.bound.is_some() && knows { "The bound also holds for an attacker who knows palmtop; the best attack is that of one who does not." }
        @else { "All figures are about an attacker who does not know how the release was made." }
    }
}

fn identity(found: &IdentitySection) -> Markup {
    let Some(first) = found.attackers.first() else { return html! {} };
    let above = first.thresholds.iter().map(|threshold| upper(&threshold.threshold));
    let above: Vec<String> = above.map(|threshold| format!("Above {}", unbroken(&threshold))).collect();
    let header: Vec<&str> =
        ["Attacker", "Largest", "Mean"].into_iter().chain(above.iter().map(String::as_str)).collect();
    let rows: Vec<Vec<Markup>> = found.attackers.iter().map(identity_row).collect();
    html! {
        h3 { "Identity" }
        p { "The prosecutor knows that a person is a member. The journalist knows only P. The marketer looks for all members. Members whose risk is above a usual threshold are counted." }
        (table("The probability of finding a member's row", &header, &rows))
    }
}

fn identity_row(risk: &IdentityRisk) -> Vec<Markup> {
    let name = match risk.attacker {
        IdentityAttacker::Prosecutor => "prosecutor",
        IdentityAttacker::Journalist => "journalist",
        IdentityAttacker::Marketer => "marketer",
    };
    let largest = risk.largest.as_ref().map_or_else(|| text("–"), tenth);
    let above = risk.thresholds.iter().map(|threshold| match (threshold.members, &threshold.share) {
        (Some(members), Some(share)) => html! { (count(members)) " (" (tenth(share)) ")" },
        _ => mark(threshold.kept, "kept", "above"),
    });
    [text(name), largest, tenth(&risk.mean)].into_iter().chain(above).collect()
}

fn attribute(found: &AttributeDisclosure) -> Markup {
    let exposed = most_exposed(found);
    let rows: Vec<Vec<Markup>> = exposed
        .iter()
        .take(MOST_SENSITIVE)
        .map(|sensitive| {
            vec![
                text(&sensitive.attribute),
                number(sensitive.distinct),
                text(format!("{:.3}", sensitive.distance)),
                number(sensitive.one_value),
                tenth(&sensitive.one_value_share),
            ]
        })
        .collect();
    html! {
        @if !rows.is_empty() || found.not_measured.is_some() { h3 { "Attribute" } }
        @if let Some(why) = &found.not_measured { p { "In this table, " (why) "." } }
        @if !rows.is_empty() {
            (table("Sensitive values in classes: l is the fewest values of a class, t its greatest distance from T", &["Attribute", "l", "t", "Members with one value", "Share"], &rows))
        }
        @if exposed.len() > MOST_SENSITIVE { p { "Annex E has all " (exposed.len()) "." } }
    }
}

fn attempts(found: &[AttemptRisk]) -> Markup {
    let name = |kind| match kind {
        AttemptKind::Public => "public, so somebody tries",
        AttemptKind::NotStated => "not stated, so certain",
        AttemptKind::Deliberate => "on purpose",
        AttemptKind::Inadvertent => "by chance",
        AttemptKind::Breach => "after a breach",
    };
    let row = |risk: &AttemptRisk| {
        vec![text(name(risk.kind)), tenth(&risk.attempt), tenth(&risk.risk), tenth(&risk.overall)]
    };
    html! {
        @if !found.is_empty() {
            (table("Overall risk: the probability of an attempt times the risk of the prosecutor, the largest first", &["Attempt", "Probability", "Risk", "Overall"], &found.iter().map(row).collect::<Vec<_>>()))
        }
    }
}

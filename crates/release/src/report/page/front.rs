//! Page 1 of the signer's report, in at most 250 words: who can be found, how sure anybody can be, what is given away, who decided,
//! and what changes if the recipient is hostile.

use maud::{Markup, html};

use super::parts::{code, counted, facts, judged, list, names, percents, prose, short, unbroken, upper};
use crate::caution::{Caution, Key, Line};
use crate::report::Report;
use crate::report::attackers::people_are;
use crate::report::attributes::{AS_IN_TABLES, PSEUDONYMS, UNCHANGED};
use crate::report::disclosures::IdentityAttacker;
use crate::report::sections::{AttackerSection, InputKind, Judgement, StatedSection};
use crate::report::together::TogetherSection;
use palmtop_core::words::count;

/// The greatest number of columns that page 1 names; page 2 has the others.
pub(super) const MOST_COLUMNS: usize = 8;
/// The greatest number of cautions on page 1.
const MOST_CAUTIONS: usize = 6;
/// The greatest number of reasons for a refusal on page 1.
const MOST_REASONS: usize = 6;
/// The greatest number of characters of a statement on page 1; the annex has all of it.
const MOST_CHARACTERS: usize = 80;

pub(super) fn body(report: &Report) -> Markup {
    html! {
        (verdict(report))
        (facts(&[
            ("How sure anybody can be", sure(report)),
            ("Who can be found", found(report)),
            ("What is given away", given(report)),
            ("What is lost", lost(report)),
            ("Who decided", decided(report)),
            ("If the recipient is hostile", hostile(report)),
            ("For whom, until when", recipients(&report.stated)),
        ]))
        (cautions(report))
        (signature(report))
    }
}

fn verdict(report: &Report) -> Markup {
    let verdict = &report.verdict;
    let kept =
        report.criteria.iter().any(|criterion| criterion.name != "presence" && criterion.required.is_some());
    let is_beyond =
        report.together.as_ref().and_then(|together| together.people).is_some_and(|people| people > 0);
    let is_found = report.adversaries.iter().any(|attacker| attacker.judgement == Judgement::Beyond);
    let reasons = &verdict.reasons[..verdict.reasons.len().min(MOST_REASONS)];
    html! {
        div class=(if verdict.verified && !is_beyond && !is_found { "verdict verified" } else { "verdict refused" }) {
            @if verdict.verified {
                p.word { "✓ VERIFIED" @if is_beyond { " by itself, but not together with the others below" } @else if is_found { ", but somebody who knows more is beyond δ" } @if let Some(open) = verdict.unanswered() { "; " (open) } ": a faithful release that keeps δ" @if kept { " and every criterion" } }
            } @else {
                p.word { "✗ REFUSED: do not release this file" }
            }
            p { strong { (prose(&verdict.conclusion)) } }
            @if !reasons.is_empty() { (list(reasons)) }
        }
        @if let Some(together) = &report.together { (others(together)) }
        p { "Members are the private table's people." }
    }
}

/// What the release reveals together with other releases of the same T.
fn others(together: &TogetherSection) -> Markup {
    let files = names(&together.files, MOST_COLUMNS, "files");
    html! {
        @if !together.missing.is_empty() {
            p.caution.no { "! What it reveals together with " (names(&together.missing, MOST_COLUMNS, "files")) " is not known: the file is gone, or of another private table." }
        }
        @match together.people {
            None if together.files.is_empty() => {}
            Some(0) => { p { span.yes { "✓ Together with " (files) " nobody is outside δ." } } }
            Some(people) => { p.caution.no { "✗ Together with " (files) " " (people_are(people)) " outside δ." } }
            None => { p.caution.no { "! What it reveals together with " (files) " is not known." } }
        }
    }
}

fn sure(report: &Report) -> Markup {
    let permitted = percents(&report.delta.enforced);
    html! {
        @match &report.disclosures {
            Some(found) => {
                "At most " (unbroken(&found.membership.highest.percent)) " from the public table and this file. Without the file "
                (unbroken(&found.membership.prior.percent)) ". δ permits " (permitted) "."
            }
            None => { "Not measured. δ permits " (permitted) "." }
        }
    }
}

fn found(report: &Report) -> Markup {
    let Some(found) = &report.disclosures else { return html! { "Not measured." } };
    let (alone, k) = (found.identity.unique_members, found.identity.k);
    let members = report.people.private.saturating_sub(report.people.withdrawn);
    let required = report.criteria.iter().find(|criterion| criterion.name == "k");
    html! {
        @if alone == 0 { "Each member looks like at least " (counted(k.saturating_sub(1), "other")) }
        @else { (count(alone)) " of " (count(members)) " members " (if alone == 1 { "looks" } else { "look" }) " like no other" }
        ": k = " (count(k))
        @if let Some(required) = required.and_then(|criterion| criterion.required.as_ref()) { ", required " (required) }
        "."
    }
}

/// The published columns by their treatment in this file.
#[derive(Default)]
pub(super) struct Published {
    /// The columns with coarser values than the tables have.
    pub(super) generalized: Vec<String>,
    /// The columns with the values of the tables.
    pub(super) unchanged: Vec<String>,
    /// The columns with pseudonyms.
    pub(super) pseudonyms: Vec<String>,
}

/// The published columns.
pub(super) fn published(report: &Report) -> Published {
    let mut published = Published::default();
    for column in &report.release.columns {
        let attribute = report.attributes.iter().find(|attribute| attribute.private_column == *column);
        let treatment = attribute.map_or(UNCHANGED, |attribute| attribute.treatment.as_str());
        let columns = match treatment {
            UNCHANGED | AS_IN_TABLES => &mut published.unchanged,
            _ if treatment.starts_with(PSEUDONYMS) => &mut published.pseudonyms,
            _ => &mut published.generalized,
        };
        columns.push(column.clone());
    }
    published
}

/// The columns of T that are never published.
pub(super) fn never(report: &Report) -> Vec<String> {
    let left = &report.left_out;
    [&left.identifiers, &left.withheld, &left.unlisted].into_iter().flatten().cloned().collect()
}

fn given(report: &Report) -> Markup {
    let (published, never) = (published(report), never(report));
    let is_long = report.release.columns.len() > MOST_COLUMNS;
    let most = if is_long { 0 } else { MOST_COLUMNS };
    let part = |columns: &[String]| names(columns, most, "columns");
    html! {
        "Generalized: " (part(&published.generalized)) ". As it is: " (part(&published.unchanged)) ". "
        @if !published.pseudonyms.is_empty() { "Pseudonyms: " (part(&published.pseudonyms)) ". " }
        "Never: " (names(&never, most.max(1), "columns")) "."
        @if is_long { " Page 2 lists them." }
    }
}

fn lost(report: &Report) -> Markup {
    let people = &report.people;
    let of_private = report.inputs.iter().filter(|input| input.kind == InputKind::Private);
    let no_people: u64 = of_private.map(|input| input.left_out).sum();
    let changes = [
        (people.dropped, "left out"),
        (people.withdrawn, "withdrawn"),
        (people.added, "added to the public table"),
        (no_people, "rows taken for no people by the project"),
    ];
    let changes = changes.into_iter().filter(|&(number, _)| number > 0);
    let mut changes: Vec<String> =
        changes.map(|(number, what)| format!("{} {what}", count(number))).collect();
    if people.dropped == 0 && people.withdrawn == 0 {
        changes.insert(0, "nobody left out".to_owned());
    }
    html! {
        (count(report.release.rows)) " rows for " (counted(people.private.saturating_sub(people.withdrawn), "member")) "; "
        (changes.join(", ")) ". "
        @match &report.utility {
            Some(utility) => { "Loss " (format!("{:.3}", utility.loss)) ", where 1 tells nothing." }
            None => { "The loss is not measured." }
        }
    }
}

fn decided(report: &Report) -> Markup {
    let (delta, stated) = (&report.delta, &report.stated);
    let by = [&stated.responsible, &stated.organization].into_iter().flatten();
    let by: Vec<String> = by.map(|text| short(text, MOST_CHARACTERS)).collect();
    html! {
        @match (&delta.reason, &delta.advice) {
            (Some(reason), _) => { "δ: “" (short(reason, MOST_CHARACTERS)) "”." }
            (None, Some(advice)) => { "δ is " (if advice.kept { "as strict as" } else { "looser than" }) " a prior of " (upper(&advice.prior)) " and a misuse of " (upper(&advice.misuse)) " require." }
            (None, None) => { span.no { "Nobody gave a reason for δ." } }
        }
        " Responsible: " (if by.is_empty() { "not stated".to_owned() } else { by.join(", ") }) "."
    }
}

/// The three attackers that differ most: one who knows P, one who also knows the algorithm, and one who knows a member. δ does
/// not limit the last one, so the risk of the prosecutor follows.
fn hostile(report: &Report) -> Markup {
    let one = |attacker: Option<&AttackerSection>, knows: &str| {
        html! { @if let Some(attacker) = attacker { div { (knows) ": " (judged(attacker.judgement)) } } }
    };
    let mut attackers = report.adversaries.iter();
    let (public, algorithm, member) = (attackers.next(), attackers.next(), attackers.next_back());
    let mut risks = report.disclosures.iter().flat_map(|found| &found.identity.attackers);
    let prosecutor = risks.find(|risk| risk.attacker == IdentityAttacker::Prosecutor);
    let largest = prosecutor.and_then(|risk| risk.largest.as_ref());
    html! {
        (one(public, "Has the public table"))
        (one(algorithm, "Also knows palmtop"))
        @if let Some(member) = member {
            div {
                "Knows a member: " (judged(member.judgement))
                @if let Some(largest) = largest { "; finds the row with up to " (unbroken(&largest.percent)) }
            }
        }
    }
}

/// The way of the release in words.
pub(super) fn context(stated: &StatedSection) -> Option<String> {
    stated.context.as_deref().map(|context| match context {
        "public" => "public: anyone may get it".to_owned(),
        "agreement" => "under agreement".to_owned(),
        words => words.to_owned(),
    })
}

fn recipients(stated: &StatedSection) -> Markup {
    let parts = [context(stated), stated.recipients.clone(), stated.controls.clone()];
    let parts: Vec<String> = parts.iter().flatten().map(|text| short(text, MOST_CHARACTERS)).collect();
    let whom = if parts.is_empty() { "Recipients not stated".to_owned() } else { parts.join("; ") };
    let until =
        stated.review.as_ref().map_or("review not stated".to_owned(), |day| format!("review on {day}"));
    html! { (whom) "; " (until) "." }
}

/// Whether a fact of page 1 has what a caution says.
fn is_on_the_page(report: &Report, caution: &Caution) -> bool {
    match caution.key {
        Key::UnjustifiedDelta => report.delta.reason.is_none() && report.delta.advice.is_none(),
        Key::CertainAbsent => report.verdict.verified,
        Key::EarlierRelease => report.together.is_some(),
        _ => false,
    }
}

fn cautions(report: &Report) -> Markup {
    // The attackers above have the verdicts of these two.
    let is_said = |caution: &Caution| matches!(caution.key, Key::KnowsAlgorithm | Key::KnowsMember);
    let cautions = report.verdict.cautions.iter().filter(|caution| !is_on_the_page(report, caution));
    let mut cautions: Vec<Caution> = cautions.cloned().collect();
    cautions.sort_by_key(is_said);
    let lines = Line::of(&cautions);
    let (shown, more) = lines.split_at(lines.len().min(MOST_CAUTIONS));
    let more: Vec<String> = more.iter().map(|line| line.name.clone()).collect();
    html! {
        @if !shown.is_empty() {
            div.caution {
                h3 { "Before you sign" }
                ul {
                    @for line in shown {
                        li {
                            strong { (line.name) }
                            @if !line.figure.is_empty() { " " (short(&line.figure, MOST_CHARACTERS)) }
                            ": " (short(&line.follows, MOST_CHARACTERS))
                        }
                    }
                }
                @if !more.is_empty() { p { "And in the annex: " (names(&more, MOST_COLUMNS, "others")) "." } }
            }
        }
    }
}

fn signature(report: &Report) -> Markup {
    html! {
        @if report.verdict.verified {
            div.sign {
                p { "I have read this report. I approve the release of " (report.release.file) " with the SHA-256 " (code(&report.release.sha256)) "." }
                div.lines {
                    @for line in ["Name", "Function", "Date", "Signature"] { div.line { (line) } }
                }
            }
        } @else {
            div.sign { p { "Do not sign: the file with the SHA-256 " (code(&report.release.sha256)) " did not pass verification." } }
        }
    }
}

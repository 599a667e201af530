//! Page 1 of the signer's report, in at most 250 words: who can be found, how sure anybody can be, what is given away, who decided,
//! and what changes if the recipient is hostile.

use maud::{Markup, html};

use super::parts::{code, counted, facts, judged, list, names, percents, short, upper};
use crate::caution::Line;
use crate::report::Report;
use crate::report::attackers::people_are;
use crate::report::sections::{AttackerSection, StatedSection};
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
    let reasons = &verdict.reasons[..verdict.reasons.len().min(MOST_REASONS)];
    html! {
        div class=(if verdict.verified { "verdict verified" } else { "verdict refused" }) {
            @if verdict.verified {
                p.word { "✓ VERIFIED" @if let Some(open) = verdict.unanswered() { "; " (open) } ": a faithful release that keeps δ" @if kept { " and every criterion" } }
            } @else {
                p.word { "✗ REFUSED: do not release this file" }
            }
            p { strong { (verdict.conclusion) } }
            @if !reasons.is_empty() { (list(reasons)) }
        }
        @if let Some(together) = &report.together { (others(together)) }
    }
}

/// What the release reveals together with other releases of the same T.
fn others(together: &TogetherSection) -> Markup {
    let files = names(&together.files, MOST_COLUMNS, "files");
    html! {
        @match together.people {
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
            Some(found) => { "At most " (found.membership.highest.percent) ". Without the release " (found.membership.prior.percent) ". δ permits " (permitted) "." }
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
        @if alone == 0 { "No member is alone in a class" } @else { (count(alone)) " of " (count(members)) " members " (if alone == 1 { "is" } else { "are" }) " alone in their class" }
        ": k = " (count(k))
        @if let Some(required) = required.and_then(|criterion| criterion.required.as_ref()) { ", required " (required) }
        "."
    }
}

/// The published columns, by whether they are generalized.
pub(super) fn published(report: &Report) -> (Vec<String>, Vec<String>) {
    let is_generalized = |column: &&String| {
        let of = report.attributes.iter().find(|attribute| attribute.private_column == **column);
        of.is_some_and(|attribute| attribute.generalization.is_some())
    };
    report.release.columns.iter().cloned().partition(|column| is_generalized(&column))
}

/// The columns of T that are never published.
pub(super) fn never(report: &Report) -> Vec<String> {
    let left = &report.left_out;
    [&left.identifiers, &left.withheld, &left.unlisted].into_iter().flatten().cloned().collect()
}

fn given(report: &Report) -> Markup {
    let ((generalized, kept), never) = (published(report), never(report));
    let is_long = report.release.columns.len() > MOST_COLUMNS;
    let most = if is_long { 0 } else { MOST_COLUMNS };
    let part = |columns: &[String]| names(columns, most, "columns");
    html! {
        "Generalized: " (part(&generalized)) ". As it is: " (part(&kept)) ". Never: " (names(&never, most.max(1), "columns")) "."
        @if is_long { " Page 2 lists them." }
    }
}

fn lost(report: &Report) -> Markup {
    let people = &report.people;
    html! {
        (count(report.release.rows)) " rows for " (counted(people.private.saturating_sub(people.withdrawn), "member")) "; "
        (count(people.dropped)) " left out, " (count(people.withdrawn)) " withdrawn"
        @if people.added > 0 { ", " (count(people.added)) " added to the public table" }
        ". "
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
    let seen = report.history.as_ref().map_or(0, |history| history.seen);
    html! {
        @match (&delta.reason, &delta.advice) {
            (Some(reason), _) => { "δ: “" (short(reason, MOST_CHARACTERS)) "”." }
            (None, Some(advice)) => { "δ is " (if advice.kept { "as strict as" } else { "looser than" }) " a prior of " (upper(&advice.prior)) " and a misuse of " (upper(&advice.misuse)) " require." }
            (None, None) => { "Nobody gave a reason for δ." }
        }
        @if seen > 0 { " " (count(seen as u64)) (if seen == 1 { " other search was" } else { " other searches were" }) " seen before." }
        " Responsible: " (if by.is_empty() { "not stated".to_owned() } else { by.join(", ") }) "."
    }
}

/// The three attackers that differ most: one who knows P, one who also knows the algorithm, and one who knows a member.
fn hostile(report: &Report) -> Markup {
    let one = |attacker: Option<&AttackerSection>, knows: &str| {
        html! { @if let Some(attacker) = attacker { div { (knows) ": " (judged(attacker.judgement)) } } }
    };
    let mut attackers = report.adversaries.iter();
    let (public, algorithm, member) = (attackers.next(), attackers.next(), attackers.next_back());
    html! {
        (one(public, "Who has the public table"))
        (one(algorithm, "Who also knows palmtop"))
        (one(member, "Who knows a member"))
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

fn cautions(report: &Report) -> Markup {
    let lines = Line::of(&report.verdict.cautions);
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

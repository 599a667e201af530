//! Page 3 of the signer's report: δ and its grounds, the searches that were seen, the strategy, the audit, and the history.

use maud::{Markup, html};

use super::parts::{code, facts, judged, mark, percents, prose, table, text, upper};
use crate::report::Report;
use crate::report::sections::{AdviceSection, Bounds, DecisionSection, HistorySection, MadeBy};
use palmtop_core::words::plural;

/// The greatest number of decisions on this page, the newest last; the annex has all.
const MOST_DECISIONS: usize = 5;

pub(super) fn body(report: &Report) -> Markup {
    html! {
        h3 { "δ and its grounds" }
        (grounds(report))
        (decisions(report.history.as_ref()))
        h3 { "The choice" }
        (choice(report))
        h3 { "Again" }
        @match report.made_by.as_ref().and_then(|made| made.command.as_ref()) {
            Some(command) => { p { "This command makes the release again:" } pre { code { (command) } } }
            None => { p { "No single command makes the release again." } }
        }
        p { "This one recounts it from the tables, and shares no code with the search:" }
        pre { code { (report.check.command) } }
    }
}

/// Bounds in per cent, with the exact fractions.
fn span(bounds: &Bounds) -> Markup {
    text(format!("{} (exactly {} to {})", percents(bounds), bounds.min, bounds.max))
}

fn grounds(report: &Report) -> Markup {
    let delta = &report.delta;
    let mut rows = vec![
        ("δ enforced", span(&delta.enforced)),
        ("Source of δ", text(&delta.source)),
        ("Presence achieved", span(&delta.achieved)),
    ];
    match &delta.advice {
        Some(advice) => rows.extend(advised(advice)),
        None if delta.reason.is_none() => {
            rows.push(("Grounds", text("neither a reason nor a prior is given")));
        }
        None => {}
    }
    if let Some(reason) = &delta.reason {
        rows.push(("Reason for δ", text(reason)));
    }
    facts(&rows)
}

fn advised(advice: &AdviceSection) -> [(&'static str, Markup); 3] {
    let down = advice
        .misuse_down
        .as_ref()
        .map_or_else(String::new, |down| format!(", {} where belief falls", upper(down)));
    let (prior, misuse, cost) = (upper(&advice.prior), upper(&advice.misuse), &advice.cost);
    [
        (
            "Prior and misuse",
            text(format!("a prior of {prior}, a misuse of {misuse}{down}, at a cost of {cost}")),
        ),
        (
            "δ that they require",
            html! { (span(&advice.delta)) " " (mark(advice.kept, "the enforced δ is as strict", "the enforced δ is looser")) },
        ),
        ("The achieved presence", mark(advice.achieved_within, "is within it", "is outside it")),
    ]
}

/// The last decisions on δ.
fn decisions(history: Option<&HistorySection>) -> Markup {
    let Some(history) = history else { return html! {} };
    let all = &history.decisions;
    let shown = &all[all.len().saturating_sub(MOST_DECISIONS)..];
    html! {
        @if shown.is_empty() {
            p { "No search had fixed δ." }
        } @else {
            (decision_table("The decisions on δ", shown))
            @if shown.len() < all.len() { p { "Annex J has all " (all.len()) "." } }
        }
    }
}

/// A table of decisions.
pub(super) fn decision_table(caption: &str, decisions: &[DecisionSection]) -> Markup {
    let row = |decision: &DecisionSection| {
        let advised = decision.advised_from.as_ref().map(|from| format!("; advice from {from}"));
        let why = decision.reason.clone() + &advised.unwrap_or_default();
        vec![html! { time { (decision.at) } }, text(percents(&decision.delta)), text(why)]
    };
    table(caption, &["Time", "δ", "Reason"], &decisions.iter().map(row).collect::<Vec<_>>())
}

fn choice(report: &Report) -> Markup {
    let mut rows = Vec::new();
    match &report.made_by {
        Some(made) => rows.extend(strategy(made)),
        None => rows.push(("Strategy", text("not known: the history does not have this file's SHA-256"))),
    }
    rows.push(("Searches seen before", text(seen(report))));
    if let Some(algorithm) = report.adversaries.get(1) {
        rows.push((
            "An attacker who knows palmtop",
            html! { (judged(algorithm.judgement)) ": " (prose(&algorithm.basis)) },
        ));
    }
    rows.push(("History", text(source(report))));
    rows.push(("SHA-256 of the file", code(&report.release.sha256)));
    facts(&rows)
}

fn strategy(made: &MadeBy) -> Vec<(&'static str, Markup)> {
    let details = [
        made.node.as_ref().map(|node| {
            format!("node {}", node.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
        }),
        made.seed.map(|seed| format!("seed {seed}")),
        made.rounds.map(|rounds| plural(rounds, "round")),
        made.opening.map(|steps| format!("{} of the opening", plural(steps, "step"))),
    ];
    let details: Vec<String> = details.into_iter().flatten().collect();
    let details = if details.is_empty() { String::new() } else { format!(": {}", details.join(", ")) };
    let mut rows =
        vec![("Strategy", text(format!("{}{details}", made.strategy))), ("Minimized", text(&made.metric))];
    if made.stop.as_deref() == Some("stopped") {
        rows.push(("End of the search", text("before its end: its time was used up, or it was stopped")));
    }
    rows
}

fn seen(report: &Report) -> String {
    let searches = report.history.as_ref().map_or(0, |history| history.seen);
    match (searches, &report.history) {
        (0, None) => "not known: a command made the release".to_owned(),
        (0, Some(_)) => "none".to_owned(),
        (1, _) => "1 other; a choice by results tells more than the release".to_owned(),
        (searches, _) => format!("{searches} others; a choice by results tells more than the release"),
    }
}

/// Where the history has the release.
fn source(report: &Report) -> String {
    match (&report.history, &report.made_by) {
        (Some(history), _) => {
            let changed = if history.same_inputs { "" } else { ", from other files than today's" };
            let (file, sitting, step) = (&history.source, history.sitting, history.released_step);
            format!("{file}, sitting {sitting}, step {step}{changed}")
        }
        (None, Some(made)) => format!("{}, a command", made.source),
        (None, None) => "has no entry".to_owned(),
    }
}

//! The section about the session that made the release, in the signer's report.

use maud::{Markup, html};

use super::parts::{code, table, text};
use crate::caution::Key;
use crate::report::Report;
use crate::report::sections::SessionSection;

/// The session of the release, and the other sessions that have searched before.
pub(super) fn body(report: &Report) -> Markup {
    let others = report.verdict.cautions.iter().filter(|caution| caution.key == Key::OtherSession);
    html! {
        @if let Some(session) = &report.session {
            (of_release(session))
        } @else {
            p { "No session of this release is known: a command made the release, or its session was not given." }
        }
        @for other in others { p { (other.sentence) " " (other.remedy) } }
    }
}

fn of_release(session: &SessionSection) -> Markup {
    let decisions: Vec<Vec<Markup>> = session
        .decisions
        .iter()
        .map(|decision| {
            let why = decision.reason.clone().unwrap_or_else(|| "fixed before the first search".to_owned());
            let advised = decision.advised_from.as_ref().map(|from| format!("; advice from {from}"));
            let why = why + &advised.unwrap_or_default();
            vec![
                html! { time { (decision.at) } },
                text(format!("{} to {}", decision.delta.min, decision.delta.max)),
                text(why),
            ]
        })
        .collect();
    html! {
        p { "From " (code(&session.source)) ", written by palmtop " (session.palmtop) ". " (standing(session)) }
        @if decisions.is_empty() {
            p { "The session has no fixed δ, because it has no search." }
        } @else {
            (table("The enforced δ, and every change", &["Time", "δ", "Reason"], &decisions))
        }
        @if !session.steps.is_empty() { (steps(session)) }
        @if !session.searches.is_empty() { (searches(session)) }
    }
}

/// The searches that found a release, opened or not: the analyst has seen their results before choosing.
fn searches(session: &SessionSection) -> Markup {
    let rows: Vec<Vec<Markup>> = session
        .searches
        .iter()
        .map(|search| {
            vec![text(&search.search), text(format!("{} to {}", search.delta.min, search.delta.max))]
        })
        .collect();
    table("Searches that found a release, opened or not", &["Search", "δ"], &rows)
}

fn standing(session: &SessionSection) -> String {
    match (session.same_inputs, session.released_step) {
        (false, _) => "Its inputs are not the inputs of this release.".to_owned(),
        (true, Some(step)) => format!("Its step {step}, made again, gives this release."),
        (true, None) if session.steps.is_empty() => "It has only the decisions of the session.".to_owned(),
        (true, None) => "No step of it was found that makes this release.".to_owned(),
    }
}

fn steps(session: &SessionSection) -> Markup {
    let rows: Vec<Vec<Markup>> = session
        .steps
        .iter()
        .map(|step| {
            let mark = if session.released_step == Some(step.step) {
                "this release"
            } else if step.current {
                "current step"
            } else {
                ""
            };
            vec![
                text(step.step.to_string()),
                text(&step.how),
                text(&step.place),
                text(format!("{} to {}", step.delta.min, step.delta.max)),
                text(mark),
            ]
        })
        .collect();
    table("The analyst's steps", &["Step", "Action", "Result", "δ", "Note"], &rows)
}

//! The section of the session that the release is from, for the person who signs.

use maud::{Markup, html};

use super::{code, table, text};
use crate::caution::Key;
use crate::report::Report;
use crate::report::sections::SessionSection;

/// The session of the release, and the other sessions in which δ was searched before.
pub(super) fn body(report: &Report) -> Markup {
    let other = report.verdict.cautions.iter().filter(|own| own.key == Key::OtherSession);
    html! {
        @if let Some(session) = &report.session {
            (of_release(session))
        } @else {
            p { "No session is known that this release came from: it was made by a command, or its session was not given." }
        }
        @for other in other { p { (other.sentence) " " (other.remedy) } }
    }
}

fn of_release(session: &SessionSection) -> Markup {
    let decisions: Vec<Vec<Markup>> = session
        .decisions
        .iter()
        .map(|own| {
            let why = own.reason.clone().unwrap_or_else(|| "fixed before the first search".to_owned());
            let advised = own.advised_from.as_ref().map(|from| format!("; advised from {from}"));
            let why = why + &advised.unwrap_or_default();
            vec![
                html! { time { (own.at) } },
                text(format!("{} to {}", own.delta.min, own.delta.max)),
                text(why),
            ]
        })
        .collect();
    html! {
        p { "From " (code(&session.source)) ", written by palmtop " (session.palmtop) ". " (standing(session)) }
        @if decisions.is_empty() {
            p { "No δ was fixed in it, because nothing was searched." }
        } @else {
            (table("What was decided to be enforced, and every change", &["When", "δ", "Why"], &decisions))
        }
        @if !session.steps.is_empty() { (steps(session)) }
        @if !session.searches.is_empty() { (searches(session)) }
    }
}

/// What was found, of which some was opened: whoever chooses among results has seen them.
fn searches(session: &SessionSection) -> Markup {
    let rows: Vec<Vec<Markup>> = session
        .searches
        .iter()
        .map(|own| vec![text(&own.search), text(format!("{} to {}", own.delta.min, own.delta.max))])
        .collect();
    table("What was searched and found, opened or not", &["Search", "δ"], &rows)
}

fn standing(session: &SessionSection) -> String {
    match (session.same_inputs, session.released_step) {
        (false, _) => "Its inputs are not those of this release.".to_owned(),
        (true, Some(step)) => format!("Making its step {step} again gives this release."),
        (true, None) if session.steps.is_empty() => "It has the decisions of the session alone.".to_owned(),
        (true, None) => "No step of it was found to make this release.".to_owned(),
    }
}

fn steps(session: &SessionSection) -> Markup {
    let rows: Vec<Vec<Markup>> = session
        .steps
        .iter()
        .map(|own| {
            let mark = if session.released_step == Some(own.step) {
                "this release"
            } else if own.current {
                "the session stands here"
            } else {
                ""
            };
            vec![
                text(own.step.to_string()),
                text(&own.how),
                text(&own.place),
                text(format!("{} to {}", own.delta.min, own.delta.max)),
                text(mark),
            ]
        })
        .collect();
    table("The analyst's steps", &["Step", "What was done", "Place", "δ", "Note"], &rows)
}

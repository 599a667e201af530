//! The section about the sitting that made the release, in the signer's report.

use maud::{Markup, html};

use super::parts::{code, table, text};
use crate::caution::Key;
use crate::report::Report;
use crate::report::sections::HistorySection;

/// The sitting of the release, and the other sittings that have searched before.
pub(super) fn body(report: &Report) -> Markup {
    let others = report.verdict.cautions.iter().filter(|caution| caution.key == Key::OtherSession);
    html! {
        @if let Some(history) = &report.history {
            (of_release(history))
        } @else {
            p { "A command made the release: no step of the history is known that makes it." }
        }
        @for other in others { p { (other.sentence) " " (other.remedy) } }
    }
}

fn of_release(history: &HistorySection) -> Markup {
    let decisions: Vec<Vec<Markup>> = history
        .decisions
        .iter()
        .map(|decision| {
            let advised = decision.advised_from.as_ref().map(|from| format!("; advice from {from}"));
            let why = decision.reason.clone() + &advised.unwrap_or_default();
            vec![
                html! { time { (decision.at) } },
                text(format!("{} to {}", decision.delta.min, decision.delta.max)),
                text(why),
            ]
        })
        .collect();
    html! {
        p { "From " (code(&history.source)) ", sitting " (history.sitting) " of palmtop " (history.palmtop) ". " (standing(history)) }
        @if decisions.is_empty() {
            p { "No search had fixed δ." }
        } @else {
            (table("The enforced δ, and every change", &["Time", "δ", "Reason"], &decisions))
        }
        @if !history.steps.is_empty() { (steps(history)) }
        @if !history.searches.is_empty() { (searches(history)) }
    }
}

/// The searches that found a release, opened or not: the analyst has seen their results before choosing.
fn searches(history: &HistorySection) -> Markup {
    let rows: Vec<Vec<Markup>> = history
        .searches
        .iter()
        .map(|search| {
            vec![text(&search.search), text(format!("{} to {}", search.delta.min, search.delta.max))]
        })
        .collect();
    table("Searches that found a release, opened or not", &["Search", "δ"], &rows)
}

fn standing(history: &HistorySection) -> String {
    let step = history.released_step;
    let seen = match history.seen {
        0 => String::new(),
        1 => " Another search was seen before.".to_owned(),
        count => format!(" {count} other searches were seen before."),
    };
    if history.same_inputs {
        format!("Its step {step} made this release.{seen}")
    } else {
        format!("Its step {step} made this release, from other files than today's.{seen}")
    }
}

fn steps(history: &HistorySection) -> Markup {
    let rows: Vec<Vec<Markup>> = history
        .steps
        .iter()
        .map(|step| {
            let mark = if history.released_step == step.step {
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

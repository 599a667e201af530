//! The section about the sitting that made the release, in the signer's report.

use maud::{Markup, html};

use super::parts::{code, percents, table, text};
use crate::report::Report;
use crate::report::sections::HistorySection;

/// The sitting of the release.
pub(super) fn body(report: &Report) -> Markup {
    html! {
        @match &report.history {
            Some(history) => (of_release(history)),
            None => { p { "A command made the release: no step of the history is known that makes it." } }
        }
    }
}

fn of_release(history: &HistorySection) -> Markup {
    html! {
        p { "From " (code(&history.source)) ", sitting " (history.sitting) " of palmtop " (history.palmtop) ". " (standing(history)) }
        @if !history.steps.is_empty() { (steps(history)) }
        @if !history.searches.is_empty() { (searches(history)) }
    }
}

/// The searches that found a release, opened or not: the analyst has seen their results before choosing.
fn searches(history: &HistorySection) -> Markup {
    let rows: Vec<Vec<Markup>> = history
        .searches
        .iter()
        .map(|search| vec![text(&search.search), text(percents(&search.delta))])
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
                text(percents(&step.delta)),
                text(mark),
            ]
        })
        .collect();
    table("The analyst's steps", &["Step", "Action", "Result", "δ", "Note"], &rows)
}

//! Page 4 of the signer's report: what the release is good for.

use maud::{Markup, html};

use super::parts::{names, table, text};
use crate::report::Report;
use crate::report::attributes::AS_IN_TABLES;
use crate::report::fidelity::FidelitySection;
use palmtop_core::words::{count, plural};

/// The greatest number of columns that a sentence names.
const NAMED: usize = 4;
/// A distribution that is as near to that of T as this is well kept.
const NEAR: f64 = 0.1;

pub(super) fn body(report: &Report) -> Markup {
    html! {
        p { (tells(report)) @if let Some(fidelity) = &report.fidelity { " " (queries(fidelity)) " " (kept(fidelity)) } }
        (table(
            "The attributes. Loss: 0 is as in T, 1 tells nothing. Distance: 0 has the distribution of T, 1 shares no value with it",
            &["Attribute", "Role", "Treatment", "Loss", "Distance"],
            &attributes(report),
        ))
        @if report.people.rows.is_some() { p { "Losses and distances count rows: a person counts once for each row." } }
        p.soft { "Annexes F and G have the details." }
    }
}

/// How much the columns tell.
fn tells(report: &Report) -> String {
    let Some(readability) = &report.readability else {
        return "The file is not a faithful release, so its use was not measured.".to_owned();
    };
    let quasi = report.attributes.iter().filter(|attribute| attribute.generalization.is_some());
    let generalized = quasi.filter(|attribute| attribute.treatment != AS_IN_TABLES).count();
    match (generalized, readability.starred.as_slice()) {
        (0, []) => "No column is generalized.".to_owned(),
        (1, []) => "The generalized column tells something of most people.".to_owned(),
        (_, []) => format!("All {generalized} generalized columns tell something of most people."),
        (_, names_of) => format!(
            "Of {}, {} {} nothing of nearly everybody.",
            plural(generalized as u64, "generalized column"),
            names(names_of, NAMED, "columns"),
            if names_of.len() == 1 { "tells" } else { "tell" }
        ),
    }
}

/// The errors of counts.
fn queries(fidelity: &FidelitySection) -> String {
    let queries = &fidelity.queries;
    let percent = |error: f64| format!("{:.0} %", (error * 100.0).ceil());
    format!(
        "Of {} counts over two or three columns, half are wrong by at most {}, and nine of ten by at most {}.",
        count(queries.queries),
        percent(queries.median),
        percent(queries.ninetieth)
    )
}

/// The columns whose distribution is well kept, and the one that is farthest.
fn kept(fidelity: &FidelitySection) -> String {
    let near = fidelity.attributes.iter().filter(|attribute| attribute.distance <= NEAR);
    let near: Vec<String> = near.map(|attribute| attribute.attribute.clone()).collect();
    let far = fidelity.attributes.iter().max_by(|one, other| one.distance.total_cmp(&other.distance));
    let far = far.filter(|attribute| attribute.distance > NEAR);
    let shares = if near.is_empty() {
        "No column keeps its shares".to_owned()
    } else {
        format!("The shares of {} are kept", names(&near, NAMED, "columns"))
    };
    match far {
        Some(far) => format!("{shares}; those of {} are farthest off.", far.attribute),
        None => format!("{shares}."),
    }
}

fn attributes(report: &Report) -> Vec<Vec<Markup>> {
    let loss = |name: &str| {
        let utility = report.utility.as_ref()?;
        utility.attributes.iter().find(|loss| loss.attribute == name).map(|loss| loss.loss)
    };
    let distance = |name: &str| {
        let fidelity = report.fidelity.as_ref()?;
        fidelity.attributes.iter().find(|found| found.attribute == name).map(|found| found.distance)
    };
    let figure = |value: Option<f64>| text(value.map_or("–".to_owned(), |value| format!("{value:.3}")));
    let row = |attribute: &crate::report::AttributeSection| {
        let name = attribute.attribute.as_str();
        vec![
            text(name),
            text(role(&attribute.role)),
            text(&attribute.treatment),
            figure(loss(name)),
            figure(distance(name)),
        ]
    };
    report.attributes.iter().map(row).collect()
}

/// The role in words.
fn role(role: &str) -> &str {
    if role == "quasi" { "quasi-identifier" } else { role }
}

//! The sections of the signer's report about what the release loses.

use maud::{Markup, html};

use super::parts::{facts, number, or_not_applicable, table, text};
use crate::report::Report;
use crate::report::fidelity::PairFidelity;
use palmtop_core::words::count;
use palmtop_tables::written::named_value;

pub(super) fn utility(report: &Report) -> Markup {
    let Some(utility) = &report.utility else {
        return html! { p { "Not measured: the file is not a faithful release, or no recoding by the hierarchies publishes these rows." } };
    };
    let short = |value: f64| text(format!("{value:.4}"));
    let sizes = if report.people.rows.is_some() {
        "Discernibility: sum of squared class sizes, in members, not rows; less is better"
    } else {
        "Discernibility: sum of squared class sizes; less is better"
    };
    let rows: Vec<Vec<Markup>> = utility
        .attributes
        .iter()
        .map(|attribute| vec![text(&attribute.attribute), short(attribute.loss_occurring)])
        .collect();
    html! {
        (facts(&[
            ("Recoding", text(recoding(&utility.recoding))),
            ("Loss: 0 is not generalized, 1 is fully generalized; less is better", short(utility.loss)),
            ("Loss as the geometric mean of the attributes; less is better", short(utility.loss_geometric)),
            ("Loss over the values that occur in P; less is better", short(utility.loss_occurring)),
            (sizes, number(utility.discernibility)),
            ("Mean number of members in a class; less is more detailed", short(utility.average_class_size)),
            (
                "Precision: 1 is not generalized, 0 is the top level everywhere; more is better",
                or_not_applicable(utility.precision.map(|value| format!("{value:.4}"))),
            ),
        ]))
        @if report.people.rows.is_some() { p.soft { "Losses are means over the rows of T: a person counts once for each row." } }
        (table("Loss over the values that occur in P, by attribute", &["Attribute", "Loss"], &rows))
        @if let Some(readability) = &report.readability {
            h3 { "Readability" }
            p { (readability.words()) }
        }
    }
}

/// The recoding in words.
fn recoding(text: &str) -> String {
    match text {
        "regions" => "regions: each class has its own labels".to_owned(),
        node => node.replacen("node ", "one level for each quasi-identifier: ", 1),
    }
}

/// The comparison of the release with T. Each published label is spread evenly over its values.
pub(super) fn fidelity(report: &Report) -> Markup {
    let Some(fidelity) = &report.fidelity else { return html! {} };
    let (counted, of_t) =
        if report.people.rows.is_some() { ("rows", "Rows of T") } else { ("members", "Members of T") };
    let short = |value: f64| text(format!("{value:.4}"));
    let queries = &fidelity.queries;
    let ordered: Vec<Vec<Markup>> = fidelity
        .attributes
        .iter()
        .filter_map(|attribute| Some(vec![text(&attribute.attribute), short(attribute.ordered_distance?)]))
        .collect();
    let pairs: Vec<Vec<Markup>> = fidelity.pairs.iter().map(pair_row).collect();
    let counts: Vec<Vec<Markup>> = queries
        .by_count
        .iter()
        .map(|band| {
            let queries = number(band.queries);
            vec![text(&band.count), queries, short(band.median), short(band.ninetieth)]
        })
        .collect();
    let values: Vec<Vec<Markup>> = fidelity
        .values
        .iter()
        .map(|value| {
            vec![
                text(&value.attribute),
                text(named_value(&value.value)),
                short(value.median),
                short(value.ninetieth),
            ]
        })
        .collect();
    let worst: Vec<Vec<Markup>> = fidelity
        .worst
        .iter()
        .map(|class| {
            let share = format!("{:.1} %", class.share * 100.0);
            let labels: Vec<&str> = class.labels.iter().map(|label| named_value(label)).collect();
            vec![text(labels.join(", ")), number(class.rows), short(class.loss), text(share)]
        })
        .collect();
    html! {
        h3 { "Comparison with the private table" }
        @if counted == "rows" { p.soft { "This comparison counts rows, not people: a person counts once for each row." } }
        p {
            "For this comparison, each published label is spread evenly over its values that occur in P. The release and T answer \
             " (count(queries.queries)) " counting queries over two or three attributes (seed " (queries.seed) "). The median relative error is \
             " (format!("{:.4}", queries.median)) ", nine of ten errors are at most " (format!("{:.4}", queries.ninetieth)) ", and the mean \
             is " (format!("{:.4}", queries.mean)) ". Errors are relative to the true count, or to " (queries.floor) " if the true count is \
             smaller."
        }
        @if !ordered.is_empty() {
            (table("Distance from T in the order of values: 0 is equal", &["Attribute", "Distance"], &ordered))
        }
        @if !pairs.is_empty() {
            (table("Associations that changed most: Cramér's V, corrected for chance; 0 is independent, 1 is determined",
                &["Attribute", "With", "In T", "In the release", of_t, "Cells"], &pairs))
        }
        (table("Relative errors of the queries, by the true count", &[if counted == "rows" { "True count, in rows" } else { "True count" }, "Queries", "Median error", "Nine of ten at most"], &counts))
        @if !values.is_empty() {
            (table("Sensitive values with the largest query errors", &["Attribute", "Value", "Median error", "Nine of ten at most"], &values))
        }
        @if !worst.is_empty() {
            (table(if counted == "rows" { "Classes of equal rows with the largest loss" } else { "Classes with the largest loss" }, &["Labels", "Rows", "Loss", "Share of all loss"], &worst))
        }
    }
}

/// The row of a pair of attributes.
fn pair_row(pair: &PairFidelity) -> Vec<Markup> {
    let shown = |value: f64, is_floored: bool| {
        text(if is_floored { "not above chance".to_owned() } else { format!("{value:.4}") })
    };
    vec![
        text(&pair.first),
        text(&pair.second),
        shown(pair.original, pair.original_floored),
        shown(pair.published, pair.published_floored),
        or_not_applicable(pair.members.or(pair.rows).map(count)),
        number(pair.cells),
    ]
}

//! The page that goes with a release.

use maud::{Markup, html};

use super::{code, criterion, facts, list, number, section, table, text};
use crate::report::RecipientReport;
use palmtop_core::text::count;

/// All of the page.
pub(super) fn body(report: &RecipientReport) -> Markup {
    html! {
        header {
            p.kind { "palmtop " (report.palmtop) " · report for the recipient · " (report.made_on) }
            h1 { "About " (report.release.file) }
        }
        main {
            div class=(if report.verified { "verdict verified" } else { "verdict refused" }) {
                @if report.verified {
                    p.word { "✓ VERIFIED: the file keeps what is promised below" }
                    @if let Some(guarantee) = &report.guarantee { p { strong { (guarantee.meaning) } } }
                    p { "The file was recounted from the tables that it was made from, by code that shares nothing with what made it." }
                } @else {
                    p.word { "✗ REFUSED: this file did not pass verification" }
                    p { "It is not to be used. Ask its sender for another one." }
                }
            }
            (section("s1", "1. The file", &file(report)))
            @if let Some(guarantee) = &report.guarantee {
                (section("s2", "2. What is guaranteed", &html! {
                    p {
                        "This holds for everybody in the public table"
                        @match &report.public {
                            Some(public) => { ": " (public) "." }
                            None => { ". Who these people are, the sender did not state." }
                        }
                        " For each of them, the probability of being in the private table that "
                        @if guarantee.judged_by.is_empty() { "this release shows" } @else { (guarantee.judged_by.join(", ")) " of this release show" }
                        " is at least δmin and at most δmax. It holds against an adversary who:"
                    }
                    (list(&guarantee.holds_against))
                    @for own in &guarantee.tells_more {
                        p {
                            "The column " (code(&own.column))
                            @if own.about.is_empty() { " may tell more" } @else { " tells more about " (own.about.join(", ")) }
                            ": nothing is guaranteed for a reader who uses it, too."
                        }
                    }
                    (facts(&[("δmin", text(&guarantee.delta.min)), ("δmax", text(&guarantee.delta.max))]))
                    @if !guarantee.criteria.is_empty() {
                        (table("What else every class of equal rows satisfies", &["Criterion", "Required"], &guarantee.criteria.iter().map(|own| vec![text(criterion(&own.name)), text(&own.required)]).collect::<Vec<_>>()))
                    }
                }))
                (section("s3", "3. The columns", &columns(report)))
            }
            (section("s4", if report.verified { "4. What is not covered" } else { "2. What a verified release would not cover" }, &list(&report.not_covered)))
        }
        footer {
            p { "Made by palmtop " (report.palmtop) " on " (report.made_on) ". In this page numbers have a point before decimals and a comma between thousands, dates are year-month-day; the table of columns says how the file has them." }
        }
    }
}

fn file(report: &RecipientReport) -> Markup {
    let release = &report.release;
    let mut rows = vec![("File", code(&release.file)), ("Form", text(&release.format))];
    rows.extend(release.encoding.as_ref().map(|encoding| ("Encoding", text(encoding))));
    rows.extend(release.separator.as_ref().map(|separator| ("Between values", code(separator))));
    rows.push(("SHA-256", code(&release.sha256)));
    rows.push(("Rows", number(release.rows)));
    html! {
        (facts(&rows))
        p { "Compute the SHA-256 of the file that you have, and compare: this report is of that file alone." }
    }
}

fn columns(report: &RecipientReport) -> Markup {
    let rows: Vec<Vec<Markup>> = report
        .columns
        .iter()
        .map(|own| vec![code(&own.column), text(&own.treatment), text(&own.form)])
        .collect();
    let codes: Vec<Vec<Markup>> = report
        .codes
        .iter()
        .map(|own| {
            let values = match own.values.as_slice() {
                _ if own.is_missing => "no value is known".to_owned(),
                [first, last] if own.is_range => {
                    format!("{first} to {last}{}", counted(own.count, " (", ")"))
                }
                values if own.is_complete => listed(values),
                values => format!("{}, and more{}", values.join(", "), counted(own.count, ": ", "")),
            };
            vec![code(&own.column), code(&own.label), text(values)]
        })
        .collect();
    html! {
        (table("What was done to each column, and how its values are written", &["Column", "Treatment", "Values"], &rows))
        p.soft { "A generalized value stands for all values that its label covers; " code { "[low, high]" } " for all between two, both included; " code { "{a, b}" } " for one of those named; " code { "*" } " for any. In columns that are published unchanged, values are written as they were." }
        @if !codes.is_empty() {
            (table("What each label stands for, in values of the public table", &["Column", "Label", "Values"], &codes))
        }
    }
}

/// How many values there are, if that is known, between two texts.
fn counted(values: Option<u64>, before: &str, behind: &str) -> String {
    values.map_or_else(String::new, |values| format!("{before}{} values{behind}", count(values)))
}

/// Values in a row of whole numbers as `18 to 29`, others one by one.
fn listed(values: &[String]) -> String {
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    let is_row = numbers
        .is_some_and(|numbers| numbers.len() > 2 && numbers.windows(2).all(|two| two[1] == two[0] + 1));
    match (values, is_row) {
        ([first, .., last], true) => format!("{first} to {last}"),
        (values, _) => values.join(", "),
    }
}

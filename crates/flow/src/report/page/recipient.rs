//! The page of the recipient's report, which goes with a release.

use maud::{Markup, html};

use super::parts::{code, criterion, facts, list, number, section, table, text};
use crate::report::RecipientReport;
use palmtop_core::text::count;

/// The body of the page.
pub(super) fn body(report: &RecipientReport) -> Markup {
    html! {
        header {
            p.kind { "palmtop " (report.palmtop) " · report for the recipient · " (report.made_on) }
            h1 { "About " (report.release.file) }
        }
        main {
            div class=(if report.verified { "verdict verified" } else { "verdict refused" }) {
                @if report.verified {
                    p.word { "✓ VERIFIED: the file keeps the guarantee below" }
                    @if let Some(guarantee) = &report.guarantee { p { strong { (guarantee.meaning) } } }
                    p { "A verifier recounted the file from its source tables. The verifier shares no code with the search that made the file." }
                } @else {
                    p.word { "✗ REFUSED: this file did not pass verification" }
                    p { "Do not use this file. Ask the sender for a new one." }
                }
            }
            (section("s1", "1. The file", &file(report)))
            @if let Some(guarantee) = &report.guarantee {
                (section("s2", "2. The guarantee", &html! {
                    p {
                        "The guarantee covers everyone in the public table"
                        @match &report.public {
                            Some(public) => { ": " (public) "." }
                            None => { ". The sender did not state who these people are." }
                        }
                        " For each of these people, "
                        @if guarantee.judged_by.is_empty() { "this release shows" } @else { "the columns " (guarantee.judged_by.join(", ")) " of this release show" }
                        " a probability of being in the private table. This probability is at least δmin and at most δmax. The guarantee holds against an attacker who:"
                    }
                    (list(&guarantee.holds_against))
                    @for column in &guarantee.tells_more {
                        p {
                            "The column " (code(&column.column))
                            @if column.about.is_empty() { " may reveal more" } @else { " reveals more about " (column.about.join(", ")) }
                            ": the guarantee does not hold for a reader who also uses this column."
                        }
                    }
                    (facts(&[("δmin", text(&guarantee.delta.min)), ("δmax", text(&guarantee.delta.max))]))
                    @if !guarantee.criteria.is_empty() {
                        (table(if report.person_column.is_some() { "Further criteria that every class of people with equal rows satisfies" } else { "Further criteria that every class of equal rows satisfies" }, &["Criterion", "Required"], &guarantee.criteria.iter().map(|required| vec![text(criterion(&required.name)), text(&required.required)]).collect::<Vec<_>>()))
                    }
                }))
                (section("s3", "3. The columns", &columns(report)))
            }
            (section("s4", if report.verified { "4. What is not covered" } else { "2. What a verified release would not cover" }, &list(&report.not_covered)))
        }
        footer {
            p { "Made by palmtop " (report.palmtop) " on " (report.made_on) ". On this page, numbers have a decimal point, and commas between thousands; dates are year-month-day. The table of columns shows the form of values in the file." }
        }
    }
}

fn file(report: &RecipientReport) -> Markup {
    let release = &report.release;
    let mut rows = vec![("File", code(&release.file)), ("Form", text(&release.format))];
    rows.extend(release.encoding.as_ref().map(|encoding| ("Encoding", text(encoding))));
    rows.extend(release.separator.as_ref().map(|separator| ("Separator", code(separator))));
    rows.push(("SHA-256", code(&release.sha256)));
    rows.push(("Rows", number(release.rows)));
    html! {
        (facts(&rows))
        @if let Some(column) = &report.person_column {
            p { "A person may have several rows. All rows of a person have the same pseudonym in the column " (code(column)) ". The guarantee is about people, not about rows." }
        }
        p { "Compute the SHA-256 of your file, and compare it with the one above. This report is only about the file with this SHA-256." }
    }
}

fn columns(report: &RecipientReport) -> Markup {
    let rows: Vec<Vec<Markup>> = report
        .columns
        .iter()
        .map(|column| vec![code(&column.column), text(&column.treatment), text(&column.form)])
        .collect();
    let codes: Vec<Vec<Markup>> = report
        .codes
        .iter()
        .map(|label| {
            let values = match label.values.as_slice() {
                _ if label.is_missing => "the table has no value for this person".to_owned(),
                [first, last] if label.is_range => {
                    format!("{first} to {last}{}", counted(label.count, " (", ")"))
                }
                values if label.is_complete => listed(values),
                values => format!("{}, and more{}", values.join(", "), counted(label.count, ": ", "")),
            };
            vec![code(&label.column), code(&label.label), text(values)]
        })
        .collect();
    html! {
        (table("The treatment of each column, and the form of its values", &["Column", "Treatment", "Values"], &rows))
        p.soft { "The label of a generalized value stands for one of several values: " code { "[low, high]" } " for a value from low to high, both included; " code { "{a, b}" } " for one of the listed values; " code { "*" } " for any value. Columns that are published unchanged have their original values." }
        @if !codes.is_empty() {
            (table("The values of the public table that each label stands for", &["Column", "Label", "Values"], &codes))
        }
    }
}

/// The number of values between two texts; empty if the number is not known.
fn counted(values: Option<u64>, before: &str, after: &str) -> String {
    values.map_or_else(String::new, |values| format!("{before}{} values{after}", count(values)))
}

/// Consecutive whole numbers as `18 to 29`, other values one by one.
fn listed(values: &[String]) -> String {
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    let are_consecutive = numbers
        .is_some_and(|numbers| numbers.len() > 2 && numbers.windows(2).all(|two| two[1] == two[0] + 1));
    match (values, are_consecutive) {
        ([first, .., last], true) => format!("{first} to {last}"),
        (values, _) => values.join(", "),
    }
}

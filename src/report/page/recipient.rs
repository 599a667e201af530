//! The page that goes with a release.

use maud::{Markup, html};

use super::{code, facts, list, section, table, text};
use crate::report::RecipientReport;

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
                    p.word { "✓ VERIFIED: who is in the private table stays unsure" }
                    p { "The file was recounted from the tables that it was made from, by code that shares nothing with what made it." }
                } @else {
                    p.word { "✗ REFUSED: this file did not pass verification" }
                    p { "It is not to be used. Ask its sender for another one." }
                }
            }
            (section("s1", "1. The file", &file(report)))
            @if let Some(guarantee) = &report.guarantee {
                (section("s2", "2. What is guaranteed", &html! {
                    p { "For everybody in the public table, the probability of being in the private table that this release shows lies between δmin and δmax, against an adversary who:" }
                    (list(&guarantee.holds_against))
                    (facts(&[("δmin", text(&guarantee.delta.min)), ("δmax", text(&guarantee.delta.max))]))
                    @if !guarantee.criteria.is_empty() {
                        (table("What else every class of equal rows satisfies", &["Criterion", "Required"], &guarantee.criteria.iter().map(|own| vec![text(&own.name), text(&own.required)]).collect::<Vec<_>>()))
                    }
                }))
                (section("s3", "3. The columns", &columns(report)))
            }
            (section("s4", if report.verified { "4. What is not covered" } else { "2. What a verified release would not cover" }, &list(&report.not_covered)))
        }
        footer {
            p { "Made by palmtop " (report.palmtop) " on " (report.made_on) ". Numbers are written with a point before decimals and without grouping, dates as year-month-day." }
        }
    }
}

fn file(report: &RecipientReport) -> Markup {
    let release = &report.release;
    html! {
        (facts(&[
            ("File", code(&release.file)),
            ("Form", text(&release.format)),
            ("SHA-256", code(&release.sha256)),
            ("Rows", text(release.rows.to_string())),
        ]))
        p { "Compute the SHA-256 of the file that you have, and compare: this report is of that file alone." }
    }
}

fn columns(report: &RecipientReport) -> Markup {
    let rows: Vec<Vec<Markup>> =
        report.columns.iter().map(|own| vec![code(&own.column), text(&own.treatment)]).collect();
    html! {
        (table("What was done to each column", &["Column", "Treatment"], &rows))
        p.soft { "A generalized value stands for all values that its label covers; " code { "[low, high]" } " for all between two, both included; " code { "{a, b}" } " for one of those named; " code { "*" } " for any." }
    }
}

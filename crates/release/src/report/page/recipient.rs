//! The page of the recipient's report, which goes with a release.

use maud::{Markup, html};

use super::parts::{code, criterion, facts, list, number, section, table, text};
use crate::codebook::{Codebook, CodedText};
use crate::report::RecipientReport;
use palmtop_core::words::count;

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
                        " " (report.counted) " For each of these people, "
                        @if guarantee.judged_by.is_empty() { "this release shows" } @else { "the columns " (guarantee.judged_by.join(", ")) " of this release show" }
                        " a probability of being in the private table. This probability is at least δmin and at most δmax. The guarantee holds against an attacker who:"
                    }
                    (list(&guarantee.holds_against))
                    @if !guarantee.judged_by.is_empty() {
                        p { "The guarantee is not about the other columns: a reader who also uses them may find out more." }
                    }
                    @for note in &guarantee.notes { p { (note) } }
                    (facts(&[("δmin", text(&guarantee.delta.min)), ("δmax", text(&guarantee.delta.max))]))
                    @if !guarantee.criteria.is_empty() {
                        (table(if report.person_column.is_some() { "Further criteria that every class of people with equal rows satisfies" } else { "Further criteria that every class of equal rows satisfies" }, &["Criterion", "Required"], &guarantee.criteria.iter().map(|required| vec![text(criterion(&required.name)), text(&required.required)]).collect::<Vec<_>>()))
                    }
                }))
                (section("s3", "3. The columns", &columns(report)))
            }
            @if let Some(list) = &report.code_list {
                (section("s4", "4. Code list", &code_list(list)))
            }
            (section("s5", if report.verified { "5. What is not covered" } else { "2. What a verified release would not cover" }, &list(&report.not_covered)))
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
    html! {
        (table("The treatment of each column, and the form of its values", &["Column", "Treatment", "Values"], &rows))
        p.soft { "The text of a generalized value stands for one of several values. A range such as " code { "[60, 74]" } " stands for a value from 60 to 74, both included; " code { "[60, 75)" } " for a value from 60 to below 75. A label of a hierarchy, such as " code { "60-79" } " or " code { "[60, 80)" } ", stands for the values that the code list gives for it; 80 does not belong to " code { "[60, 80)" } ". Other texts: " code { "{a, b}" } " for one of the listed values or labels; " code { "L except {a, b}" } " for a value of the label L, but not of a or b; " code { "*" } " for any value. Columns that are published unchanged have their original values." }
        @if let Some(readability) = &report.readability { p.soft { (readability.words()) } }
    }
}

/// The greatest number of texts of an attribute on the page.
const MOST_TEXTS: usize = 200;

/// The greatest number of values in a cell.
const MOST_VALUES: usize = 40;

/// The texts of each column with their values, as tables.
fn code_list(list: &Codebook) -> Markup {
    html! {
        p.soft { "Each text of a generalized column stands for values of the public table. Ranges of these values include both ends. " @if list.counted == "rows" { "The last column counts the rows of the public table with these values." } @else { "The last column counts the people of the public table with these values." } }
        @for attribute in &list.attributes {
            @let rows: Vec<Vec<Markup>> = attribute.texts.iter().take(MOST_TEXTS).map(coded).collect();
            (table(&format!("The texts of {}", attribute.column), &["Text", "Values", "Number of values", if list.counted == "rows" { "Rows" } else { "People" }], &rows))
            @if let Some(missing) = &attribute.missing {
                p.soft { (code(missing)) ": the table has no value for this person." }
            }
            @if attribute.texts.len() > MOST_TEXTS {
                p.soft { "This page has the first " (MOST_TEXTS) " of " (count(attribute.texts.len() as u64)) " texts of " (code(&attribute.column)) ". Ask the sender for the complete code list, a file that palmtop writes with --with codebook." }
            }
        }
    }
}

/// A text of the release as a row: the text, its values, their number, and the people who have them.
fn coded(text: &CodedText) -> Vec<Markup> {
    let ranges = text.ranges.iter().map(ToString::to_string);
    let mut values: Vec<String> = text.values.iter().cloned().chain(ranges).collect();
    if values.len() > MOST_VALUES {
        let more = values.len() - MOST_VALUES;
        values.truncate(MOST_VALUES);
        values.push(format!("and {more} more"));
    }
    let borders = text.border_words().map(|words| format!(" (borders: {words})")).unwrap_or_default();
    vec![
        code(&text.text),
        self::text(format!("{}{borders}", values.join(", "))),
        number(text.count),
        number(text.people),
    ]
}

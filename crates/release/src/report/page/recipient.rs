//! The page of the recipient's report, which goes with a release: two pages of paper, and the code list.

use maud::{Markup, html};

use super::codes::code_list;
use super::parts::{code, criterion, facts, list, number, prose, section, table, text, unbroken};
use crate::caution::{at_least, at_most};
use crate::codebook::{CodedAttribute, TextForm};
use crate::report::{Bounds, Guarantee, RecipientColumn, RecipientReport};
use palmtop_core::model::Delta;
use palmtop_core::shell::quoted;

/// The body of the page.
pub(super) fn body(report: &RecipientReport) -> Markup {
    html! {
        header {
            p.kind { "palmtop " (report.palmtop) " · report for the recipient · " (report.made_on) }
            h1 { "About " (report.release.file) }
        }
        main {
            div.brief {
                div class=(if report.verified { "verdict verified" } else { "verdict refused" }) {
                    @if report.verified {
                        p.word { "✓ VERIFIED: the file keeps the guarantee below" }
                        @if let Some(guarantee) = &report.guarantee { p { strong { (prose(&guarantee.meaning)) } } }
                    } @else {
                        p.word { "✗ REFUSED: this file did not pass verification" }
                        p { "Do not use this file. Ask the sender for a new one." }
                    }
                }
                (section("s1", "1. The file", &file(report)))
                @if let Some(guarantee) = &report.guarantee {
                    (section("s2", "2. The guarantee", &promise(report, guarantee)))
                    (section("s3", "3. How to read a cell", &cells(report)))
                    (section("s4", "4. How to analyse the file", &list(&analysis(report))))
                    (section("s5", "5. What not to do", &list(&FORBIDDEN.map(str::to_owned))))
                }
                (section("s6", if report.verified { "6. What is not covered" } else { "2. What a verified release would not cover" }, &list(&report.not_covered)))
            }
            @if let Some(list) = &report.code_list {
                div.annex { (section("codes", "7. Code list", &code_list(list))) }
            }
        }
    }
}

fn file(report: &RecipientReport) -> Markup {
    let release = &report.release;
    let mut form = vec![release.format.clone()];
    form.extend(release.encoding.clone());
    form.extend(release.separator.as_ref().map(|separator| {
        let separator = if separator == "," { "commas" } else { separator.as_str() };
        format!("cells are separated by {separator}, and the first row has the names of the columns")
    }));
    let mut rows =
        vec![("File", code(&release.file)), ("Form", text(form.join(", "))), ("Rows", number(release.rows))];
    let sender = &report.sender;
    let stated = [
        ("Made by", &sender.organization),
        ("Responsible", &sender.responsible),
        ("Period of the data", &sender.period),
    ];
    rows.extend(stated.into_iter().filter_map(|(name, stated)| Some((name, text(stated.as_ref()?)))));
    rows.push(("Questions", text(sender.whom_to_ask())));
    rows.push(("SHA-256", code(&release.sha256)));
    html! {
        p { "The file is a release of a private table: who is in that table is confidential. A verifier, which shares no code with the search, recounted the file from its source tables." }
        (facts(&rows))
        @if let Some(column) = &report.person_column {
            p { "A person may have several rows. All rows of a person have the same pseudonym in the column " (code(column)) ". The guarantee is about people, not about rows." }
        }
        p { "This report is only about the file with this SHA-256. Compute it, and compare:" }
        pre { "sha256sum " (quoted(&release.file)) "\ncertutil -hashfile " (in_windows(&release.file)) " SHA256" }
    }
}

/// A name of a file as a word of a command line of Windows.
fn in_windows(file: &str) -> String {
    if quoted(file) == file { file.to_owned() } else { format!("\"{file}\"") }
}

/// For whom the guarantee holds, against whom, and its figures: in per cent, and exact once.
fn promise(report: &RecipientReport, guarantee: &Guarantee) -> Markup {
    let criteria = guarantee.criteria.iter();
    let criteria: Vec<String> = criteria
        .map(|required| format!("{} (required: {})", criterion(&required.name), required.required))
        .collect();
    html! {
        p {
            "The guarantee covers everyone in the public table"
            @match &report.public {
                Some(public) => { ": " (public) "." }
                None => { ". The sender did not state who these people are." }
            }
            " " (report.counted) " Each of them is in the private table with a probability of " (range(&guarantee.delta)) ", as this release shows it to an attacker who:"
        }
        (list(&guarantee.holds_against))
        @if !guarantee.judged_by.is_empty() {
            p { "A reader who also uses the other columns may find out more." }
        }
        @for note in &guarantee.notes { p { (note) } }
        @if !criteria.is_empty() {
            p { "Each class of " @if report.person_column.is_some() { "people with equal rows" } @else { "equal rows" } " also has:" }
            (list(&criteria))
        }
    }
}

/// The bounds of δ in per cent, and exactly.
fn range(delta: &Bounds) -> String {
    let exact = format!("{} to {}", delta.min, delta.max);
    Delta::read(&delta.min, &delta.max).map_or(exact.clone(), |read| {
        let (least, most) = (at_least(read.min()), at_most(read.max()));
        unbroken(&format!("at least {least} and at most {most} (this range is δ; exactly {exact})"))
    })
}

/// The columns by treatment and form, and the forms of cells that the file has.
fn cells(report: &RecipientReport) -> Markup {
    let mut groups: Vec<(&RecipientColumn, Vec<&str>)> = Vec::new();
    for column in &report.columns {
        let is_like = |(first, _): &&mut (&RecipientColumn, Vec<&str>)| {
            (&first.treatment, &first.form) == (&column.treatment, &column.form)
        };
        match groups.iter_mut().find(is_like) {
            Some((_, names)) => names.push(&column.column),
            None => groups.push((column, vec![&column.column])),
        }
    }
    let names = |names: &[&str]| html! { @for (index, name) in names.iter().enumerate() { @if index > 0 { ", " } (code(name)) } };
    let rows =
        groups.iter().map(|(column, all)| vec![names(all), text(&column.treatment), text(&column.form)]);
    html! {
        (table("The treatment of each column, and the form of its values", &["Columns", "Treatment", "Values"], &rows.collect::<Vec<_>>()))
        p { "A cell of a generalized column stands for one value of the public table. The code list at the end decodes every cell; the sender has it as CSV, too." }
        (facts(&forms(report)))
    }
}

/// The forms of texts in the file, each with an example.
fn forms(report: &RecipientReport) -> Vec<(&'static str, Markup)> {
    let attributes = report.code_list.iter().flat_map(|list| &list.attributes);
    let texts: Vec<_> = attributes.flat_map(|attribute| &attribute.texts).collect();
    let has = |form: TextForm| texts.iter().any(|text| text.form == form);
    let mut forms = Vec::new();
    if texts.iter().any(|text| text.text == "*") {
        forms.push(("Any value", html! { code { "*" } }));
    }
    if has(TextForm::Label) {
        forms.push((
            "Label",
            html! { "one of its values in the code list; " code { "60-79" } ": from 60 to 79; " code { "[60, 80)" } ": from 60 to below 80" },
        ));
    }
    if has(TextForm::Range) {
        forms.push((
            "Range",
            html! { code { "[60, 74]" } ": from 60 to 74; " code { "[60, 75)" } ": from 60 to below 75" },
        ));
    }
    if has(TextForm::Set) {
        forms.push((
            "Set",
            html! { code { "{a, b}" } ": one of these values, or of the values of these labels" },
        ));
    }
    if has(TextForm::Except) {
        forms.push((
            "Exception",
            html! { code { "L except {a, b}" } ": a value of the label L, but not of a or b" },
        ));
    }
    if let Some(missing) = texts.iter().find(|text| text.form == TextForm::Missing) {
        forms.push(("No value", html! { code { (missing.text) } }));
    }
    forms
}

/// Whether a column has only the text that means any value.
fn is_blank(attribute: &CodedAttribute) -> bool {
    attribute.texts.len() == 1 && attribute.texts[0].text == "*"
}

/// Whether a text of a column has several values.
fn is_coarse(attribute: &CodedAttribute) -> bool {
    attribute.texts.iter().any(|text| !matches!(text.form, TextForm::Value | TextForm::Missing))
}

/// What to do with ranges and sets, and what the file cannot show.
fn analysis(report: &RecipientReport) -> Vec<String> {
    let listed = || report.code_list.iter().flat_map(|list| &list.attributes);
    let attributes = || listed().filter(|attribute| !is_blank(attribute));
    let blank: Vec<&str> = listed().filter(|attribute| is_blank(attribute)).map(column).collect();
    let columns = |disjoint: bool| {
        let names: Vec<&str> =
            attributes().filter(|attribute| attribute.disjoint == disjoint).map(column).collect();
        let is_each = listed().all(|attribute| attribute.disjoint == disjoint && !is_blank(attribute));
        if is_each { "the generalized columns".to_owned() } else { names.join(", ") }
    };
    let has = |disjoint: bool| attributes().any(|attribute| attribute.disjoint == disjoint);
    let mut lines = Vec::new();
    if !blank.is_empty() {
        lines.push(format!("No information: every row has `*` in {}. Leave it out.", blank.join(", ")));
    }
    if has(true) {
        lines.push(format!(
            "Categories: the texts of {} do not overlap. Tabulate and model them as they are.",
            columns(true)
        ));
    }
    if has(false) {
        lines.push(format!(
            "Shares: texts of {} overlap, so they are no categories. Give each row a share of every value under its text: equal shares, \
             or as common as the values are in the population.",
            columns(false)
        ));
    }
    if attributes().any(is_coarse) {
        lines.push(
            "Labels, ranges and sets: do not use the middle of their values, which makes the spread too small. Use methods for grouped \
             or interval-censored data; or draw a value under each text several times, and report how far the results differ."
                .to_owned(),
        );
        lines.push(
            "Precision: a count by generalized values is an estimate. The sender's report measures how far it is from the true one: ask \
             the sender for this error."
                .to_owned(),
        );
    }
    lines.push("Totals: the file may lack people of the private table, so totals may be too low.".to_owned());
    if let Some(column) = &report.person_column {
        lines.push(format!("People: count the pseudonyms in {column}, not the rows."));
    }
    lines
}

fn column(attribute: &CodedAttribute) -> &str {
    &attribute.column
}

/// What the recipient must leave.
const FORBIDDEN: [&str; 4] = [
    "Do not look for people. If you recognize somebody, tell the sender and nobody else.",
    "Do not link rows with another table about people. Figures about areas or groups may be joined by the texts.",
    "Do not combine the file with another release of the same private table.",
    "Do not pass the file on, and do not publish single rows, unless the sender agreed to it.",
];

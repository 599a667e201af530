//! The annex of the signer's report: all that somebody needs beyond the four pages.

use maud::{Markup, PreEscaped, html};

use super::front::context;
use super::guidance;
use super::history;
use super::losses::{fidelity, utility};
use super::made::decision_table;
use super::parts::{
    code, counted, criterion, facts, judged, list, mark, number, or_none, or_not_applicable, percents, prose,
    section, table, text, upper,
};
use crate::report::Report;
use crate::report::disclosures::SensitiveSection;
use crate::report::sections::{AttributeSection, InputKind, PeopleSection, PresenceSection};
use palmtop_core::words::{count, plural};

/// The headings of the annex.
pub(super) const SECTIONS: [&str; 12] = [
    "A. Cautions",
    "B. Attackers",
    "C. Statements",
    "D. Presence",
    "E. Criteria and sensitive values",
    "F. Utility",
    "G. Generalization",
    "H. Left out",
    "I. Files and people",
    "J. History",
    "K. What is not covered",
    "L. Guidelines",
];

pub(super) fn body(report: &Report) -> Markup {
    let contents = [
        cautions(report),
        attackers(report),
        stated(report),
        presence(report),
        criteria(report),
        html! { (utility(report)) (fidelity(report)) },
        generalizations(&report.attributes),
        left_out(report),
        files(report),
        html! { (history::body(report)) (decisions(report)) },
        list(&report.not_covered),
        guidance::body(),
    ];
    html! {
        @for (index, (heading, content)) in SECTIONS.iter().zip(&contents).enumerate() {
            (section(&format!("a{}", index + 1), heading, content))
        }
    }
}

/// The cautions, with what the analyst can do.
fn cautions(report: &Report) -> Markup {
    let cautions: Vec<String> = report.verdict.cautions.iter().map(ToString::to_string).collect();
    html! {
        @if cautions.is_empty() { p { "There is no caution." } } @else { (list(&cautions)) }
        @if report.verdict.reasons.len() > 1 { h3 { "Reasons for the refusal" } (list(&report.verdict.reasons)) }
    }
}

fn attackers(report: &Report) -> Markup {
    let rows: Vec<Vec<Markup>> = report
        .adversaries
        .iter()
        .map(|attacker| {
            vec![
                text(format!("An attacker who {}", attacker.knows)),
                judged(attacker.judgement),
                prose(&attacker.basis),
            ]
        })
        .collect();
    table("The verdict for each attacker", &["Attacker", "Verdict", "Reason"], &rows)
}

/// The analyst's statements under `[report]` of the project.
fn stated(report: &Report) -> Markup {
    let stated = &report.stated;
    let line =
        |value: &Option<String>| value.as_ref().map_or_else(|| html! { span.soft { "not stated" } }, text);
    let attempt = stated.attempt.as_ref().map(|attempt| {
        format!(
            "on purpose {}, by chance {}, after a breach {}",
            upper(&attempt.deliberate),
            upper(&attempt.inadvertent),
            upper(&attempt.breach)
        )
    });
    let law = (!stated.law.is_empty()).then(|| stated.law.join(", "));
    html! {
        (facts(&[
            ("Responsible", line(&stated.responsible)),
            ("Organization", line(&stated.organization)),
            ("Contact", line(&stated.contact)),
            ("Period of the data", line(&stated.period)),
            ("Next review", line(&stated.review)),
            ("Way of the release", line(&context(stated))),
            ("Recipients", line(&stated.recipients)),
            ("Controls", line(&stated.controls)),
            ("Probability of an attempt to re-identify", line(&attempt)),
            ("Who the people of P are", line(&stated.public)),
            ("Laws that cautions name", line(&law)),
        ]))
        p.soft { "These are statements of the project file. palmtop does not check them." }
    }
}

fn presence(report: &Report) -> Markup {
    html! {
        p { "Presence is the share of members in a class: the probability that one of its people is in T. It is " (percents(&report.delta.achieved)) "; δ permits " (percents(&report.delta.enforced)) "." }
        @match &report.presence {
            Some(presence) => (presence_figure(report, presence)),
            None => { p { "The file is not a faithful release, so it was not measured. For rows that cannot be read, the worst presence is assumed." } }
        }
    }
}

fn presence_figure(report: &Report, presence: &PresenceSection) -> Markup {
    let rows: Vec<Vec<Markup>> = presence
        .bars
        .iter()
        .filter(|bar| bar.classes > 0)
        .map(|bar| {
            let range = if bar.to <= 0.0 {
                "0 %".to_owned()
            } else {
                format!("above {} to {}", percent(bar.from), percent(bar.to))
            };
            vec![text(range), number(bar.individuals), number(bar.members), number(bar.classes)]
        })
        .collect();
    html! {
        figure { (PreEscaped(report.presence_drawing(presence))) }
        (table("The same in numbers", &["Presence", "Individuals in P", "Members of T", "Classes"], &rows))
    }
}

/// An end of a bar in per cent.
fn percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

fn criteria(report: &Report) -> Markup {
    let rows: Vec<Vec<Markup>> = report
        .criteria
        .iter()
        // A criterion that is neither required nor measured has no row.
        .filter(|section| section.required.is_some() || section.achieved.is_some())
        .map(|section| {
            let measured = || html! { span.soft { "measured, not required" } };
            let holds = section.holds.map_or_else(measured, |holds| mark(holds, "satisfied", "broken"));
            let (required, achieved) = match section.name.as_str() {
                "presence" => {
                    (Some(percents(&report.delta.enforced)), Some(percents(&report.delta.achieved)))
                }
                _ => (section.required.clone(), section.achieved.clone()),
            };
            vec![text(criterion(&section.name)), or_none(required), or_none(achieved), holds]
        })
        .collect();
    let people = &report.people;
    html! {
        (table("The required and the recounted value of each criterion", &["Criterion", "Required", "Achieved", "Verdict"], &rows))
        @if people.withdrawn_at_most > 0 {
            p { (count(people.withdrawn)) " members of T are withdrawn; at most " (count(people.withdrawn_at_most)) " may be withdrawn." }
        }
        @if let Some(found) = &report.disclosures {
            p { (count(found.identity.released_classes)) (if found.identity.released_classes == 1 { " class has" } else { " classes have" }) " members; each has people of P: at least " (count(found.identity.k_map)) ". " (count(found.identity.unique_people)) " members are the only people of P in their class." }
            (sensitive(&found.attribute.attributes))
        }
    }
}

/// The diversity of each sensitive attribute. A distance that no attribute has is left out.
fn sensitive(attributes: &[SensitiveSection]) -> Markup {
    let short = |value: f64| format!("{value:.3}");
    let mut header = vec!["Attribute", "Fewest values", "Least entropy", "Distance"];
    let has_ordered = attributes.iter().any(|found| found.ordered_distance.is_some());
    let has_hierarchy = attributes.iter().any(|found| found.hierarchical_distance.is_some());
    header.extend(has_ordered.then_some("In the order of values"));
    header.extend(has_hierarchy.then_some("By hierarchy"));
    let row = |found: &SensitiveSection| {
        let mut row = vec![
            text(&found.attribute),
            number(found.distinct),
            text(short(found.entropy)),
            text(short(found.distance)),
        ];
        row.extend(has_ordered.then(|| or_not_applicable(found.ordered_distance.map(short))));
        row.extend(has_hierarchy.then(|| or_not_applicable(found.hierarchical_distance.map(short))));
        row
    };
    let rows: Vec<Vec<Markup>> = attributes.iter().map(row).collect();
    html! {
        @if !rows.is_empty() {
            p.soft { "More values in a class hide a member's value better. Entropy is a number of equally frequent values. The distance of a class from T is 0 if both have the same distribution, and at most 1; less is safer." }
            (table("Sensitive values: the worst class of each attribute", &header, &rows))
        }
    }
}

fn generalizations(attributes: &[AttributeSection]) -> Markup {
    let rows: Vec<Vec<Markup>> = attributes
        .iter()
        .filter_map(|attribute| {
            let how = attribute.generalization.as_ref()?;
            let [base, top] = how.levels;
            let levels = how.permitted.as_ref();
            let levels = levels.map_or("any level".to_owned(), |permitted| format!("levels {permitted}"));
            let others = [
                (how.weight > 1).then(|| format!("weight {}", how.weight)),
                how.labels_only.then(|| "labels only".to_owned()),
                how.terms
                    .map(|terms| format!("at most {} in a text (`terms`)", plural(terms.into(), "term"))),
                how.borders.map(|level| format!("ranges end at labels of level {level} (`borders`)")),
            ];
            let limits: Vec<String> = std::iter::once(levels).chain(others.into_iter().flatten()).collect();
            let published = how.published.as_ref().map(|levels| {
                let each = levels.iter().map(|published| {
                    let rows = counted(published.rows, "row");
                    match published.level {
                        Some(level) => {
                            format!("level {level}: {}, {rows}", counted(published.labels, "label"))
                        }
                        None => format!("ranges and sets: {}, {rows}", published.labels),
                    }
                });
                each.collect::<Vec<_>>()
            });
            Some(vec![
                text(&attribute.attribute),
                html! { (code(&how.hierarchy)) br; (how.kind) ", levels " (base) " to " (top) },
                html! { @for line in &limits { div { (prose(line)) } } },
                match published {
                    Some(lines) => html! { @for line in lines { div { (line) } } },
                    None => or_none(None),
                },
            ])
        })
        .collect();
    table("How quasi-identifiers were generalized", &["Attribute", "Hierarchy", "Limits", "Published"], &rows)
}

fn left_out(report: &Report) -> Markup {
    let left = &report.left_out;
    let people = &report.people;
    let names = |names: &[String]| text(if names.is_empty() { "none".to_owned() } else { names.join(", ") });
    let pseudonyms: Vec<String> = left
        .pseudonyms
        .iter()
        .map(|pseudonym| format!("{} ({})", pseudonym.column, pseudonym.made))
        .collect();
    let rule = match left.not_in_public.as_str() {
        "drop" => "are left out",
        "add" => "are added to the public table, and counted there",
        _ => "are an error, so there are none",
    };
    facts(&[
        ("Identifiers", names(&left.identifiers)),
        ("Other columns", names(&left.withheld)),
        ("Replaced by pseudonyms", names(&pseudonyms)),
        ("Columns without a role", names(&left.unlisted)),
        (
            "Members who are not in P",
            text(format!("{rule}; {} left out, {} added", people.dropped, people.added)),
        ),
        (
            "Members withdrawn",
            text(match &left.suppress_at_most {
                Some(share) => format!(
                    "{}; a share of {share} may be withdrawn: {} members",
                    count(people.withdrawn),
                    count(people.withdrawn_at_most)
                ),
                None => format!("{}; none may be withdrawn", people.withdrawn),
            }),
        ),
    ])
}

fn kind(kind: InputKind) -> &'static str {
    match kind {
        InputKind::Private => "private table T",
        InputKind::Public => "public table P",
        InputKind::Both => "public table P, which has T in it",
        InputKind::Project => "project",
        InputKind::Hierarchy => "hierarchy",
    }
}

/// How rows became people.
fn people_of_rows(people: &PeopleSection) -> String {
    let of_private = match people.private_repeats {
        0 => String::new(),
        repeats => format!(" {} of T repeat a person and were left out.", counted(repeats, "row")),
    };
    people.counted_in_public() + &of_private
}

fn files(report: &Report) -> Markup {
    let people = &report.people;
    let unmatched = "Individuals in P who match no row";
    let unmatched_rows = "Individuals in P whose rows are those of no released person";
    let mut rows = vec![
        ("The release", text(format!("{}, {}", report.release.file, report.release.format))),
        ("Individuals in P", number(people.public)),
        ("Members of T", number(people.private)),
        ("How people were counted", text(people_of_rows(people))),
        (if people.rows.is_some() { unmatched_rows } else { unmatched }, number(people.unmatched)),
    ];
    if let Some(column) = &people.count_column {
        let texts = people.count_texts.iter();
        let texts: Vec<String> =
            texts.map(|(text, people)| format!("; `{text}` counts as {}", count(*people))).collect();
        rows.push(("Column of P with the people of a row", text(format!("`{column}`{}", texts.concat()))));
    }
    if let Some(rows_of_people) = &people.rows {
        rows.push(("Identifier of the person of a row", code(&rows_of_people.entity)));
        rows.push(("Rows of P", number(rows_of_people.public)));
        rows.push(("Rows of T", number(rows_of_people.private)));
    }
    let inputs: Vec<Vec<Markup>> = report
        .inputs
        .iter()
        .map(|input| {
            vec![
                text(kind(input.kind)),
                code(&input.path),
                match input.left_out {
                    0 => or_not_applicable(input.rows.map(count)),
                    left_out => text(format!(
                        "{}; {} left out",
                        count(input.rows.unwrap_or_default()),
                        plural(left_out, "row")
                    )),
                },
                match &input.modified {
                    Some(at) => html! { time { (at) } },
                    None => or_none(None),
                },
                code(&input.sha256),
            ]
        })
        .collect();
    html! {
        (facts(&rows))
        (table("The files at the time of the verification", &["What", "File", "Rows", "Last written", "SHA-256"], &inputs))
    }
}

/// A table of all decisions on δ.
fn decisions(report: &Report) -> Markup {
    let decisions = report.history.as_ref().map_or(&[][..], |history| &history.decisions);
    html! { @if !decisions.is_empty() { (decision_table("Every decision on δ", decisions)) } }
}

//! The page of the signer's report.

use maud::{Markup, PreEscaped, html};

use super::guidance::{GUIDANCE, Guided};
use super::history;
use super::losses::{fidelity, utility};
use super::parts::{code, criterion, facts, list, number, or_none, or_not_applicable, section, table, text};
use crate::report::Report;
use crate::report::sections::{
    AttributeSection, Bounds, InputKind, Judgement, PeopleSection, PresenceSection,
};
use palmtop_core::words::count;
use palmtop_core::words::plural;

/// The body of the page.
pub(super) fn body(report: &Report) -> Markup {
    let mut parts = vec![
        released(report),
        tables(report),
        attackers(report),
        delta(report),
        criteria(report),
        html! { (utility(report)) (fidelity(report)) },
        transformations(report),
        left_out(report),
        history::body(report),
        list(&report.not_covered),
        check(report),
    ]
    .into_iter();
    html! {
        header {
            p.kind { "palmtop " (report.palmtop) " · release report for the signer · " (report.made_at) }
            h1 { "Release report: " (report.project) }
        }
        main {
            (verdict(report))
            (signature(report))
            (section("s0", "Responsibility and context", &stated(report)))
            @for (number, Guided { section: heading, .. }) in (1..).zip(GUIDANCE) {
                (section(&format!("s{number}"), &format!("{number}. {heading}"), &parts.next().unwrap_or_default()))
            }
            (section("s12", "12. Topics of regulators' templates", &guidance()))
        }
        footer {
            p { "Made by palmtop " (report.palmtop) " at " (report.made_at) ". Numbers have a decimal point, and commas between thousands. Dates are year-month-day, times are in UTC. This report is for the analyst and the signer; the recipient gets a separate report." }
        }
    }
}

fn verdict(report: &Report) -> Markup {
    let verdict = &report.verdict;
    let delta = &report.delta;
    let kept =
        report.criteria.iter().any(|criterion| criterion.name != "presence" && criterion.required.is_some());
    html! {
        div class=(if verdict.verified { "verdict verified" } else { "verdict refused" }) {
            @if verdict.verified {
                p.word { "✓ VERIFIED" @if let Some(open) = verdict.unanswered() { "; " (open) } ": a faithful release that keeps δ" @if kept { " and every criterion" } }
            } @else {
                p.word { "✗ REFUSED: do not release this file" }
            }
            p { strong { (verdict.conclusion) } }
            p { (report.release.file) ", " (count(report.release.rows)) " rows. Presence is " (delta.achieved.min) " to " (delta.achieved.max) "; δ permits " (delta.enforced.min) " to " (delta.enforced.max) "." }
            @if !verdict.reasons.is_empty() { (list(&verdict.reasons)) }
        }
        p.soft {
            "T is the private table. Its people are the members: their membership must stay uncertain. P is the public table. It has everyone who may be a member. Presence is the share of members among the people of P who match the same released "
            @if report.people.rows.is_some() { "rows" } @else { "row" }
            ": the probability that one of these people is in T. δ has two bounds: no presence may be below δmin or above δmax."
        }
        @if let Some(rows) = &report.people.rows {
            p.soft { "A person may have several rows; " (code(&rows.entity)) " shows which rows belong to one person. A class has the people whose rows all match the same released rows. Presence, criteria and risks count people. Losses, distances, associations and queries count rows. Each figure names its unit." }
        }
        @if !verdict.cautions.is_empty() {
            div.caution {
                h2 { "Read before you sign" }
                (list(&verdict.cautions.iter().map(ToString::to_string).collect::<Vec<_>>()))
            }
        }
    }
}

/// The analyst's statements under `[report]` of the project.
fn stated(report: &Report) -> Markup {
    let stated = &report.stated;
    let line =
        |value: &Option<String>| value.as_ref().map_or_else(|| html! { span.soft { "not stated" } }, text);
    let context = stated.context.as_deref().map(|context| match context {
        "public" => "public: anyone may get the release".to_owned(),
        "agreement" => "under agreement: recipients are known and bound".to_owned(),
        words => words.to_owned(),
    });
    let attempt = stated.attempt.as_ref().map(|attempt| {
        format!(
            "on purpose {}, by chance {}, after a breach {}",
            attempt.deliberate, attempt.inadvertent, attempt.breach
        )
    });
    html! {
        (facts(&[
            ("Responsible", line(&stated.responsible)),
            ("Organization", line(&stated.organization)),
            ("Period of the data", line(&stated.period)),
            ("Next review", line(&stated.review)),
            ("Who gets the release", line(&context)),
            ("Probability of an attempt to re-identify", line(&attempt)),
            ("Who the people of P are", line(&stated.public)),
        ]))
        p.soft { "These are statements of the project file. palmtop does not check them." }
    }
}

fn signature(report: &Report) -> Markup {
    html! {
        @if report.verdict.verified {
            div.sign {
                p { "I have read this report, including section 3 (the attackers) and section 10 (what the verdict does not cover). I approve the release of the file with the SHA-256 " (code(&report.release.sha256)) "." }
                div.lines {
                    @for line in ["Name", "Function", "Date", "Signature"] { div.line { (line) } }
                }
            }
        } @else {
            div.sign { p { "Do not sign: the file with the SHA-256 " (code(&report.release.sha256)) " did not pass verification." } }
        }
    }
}

fn released(report: &Report) -> Markup {
    let release = &report.release;
    let mut rows = vec![
        ("File", code(&release.file)),
        ("Form", text(&release.format)),
        ("SHA-256", code(&release.sha256)),
        ("Rows", number(release.rows)),
    ];
    if !release.columns.is_empty() {
        rows.push(("Columns", text(release.columns.join(", "))));
    }
    let Some(made) = &report.made_by else {
        return html! {
            (facts(&rows))
            p.soft { "It is not known how the release was made: no run report with this file's SHA-256 was found. The verdict does not depend on a run report." }
        };
    };
    let mut making = vec![("Made by", text(format!("palmtop {}", made.palmtop)))];
    making.push(("Strategy", text(&made.strategy)));
    if let Some(node) = &made.node {
        let levels: Vec<String> = node.iter().map(ToString::to_string).collect();
        making.push(("Node", text(levels.join(","))));
    }
    making.push(("Minimized", text(&made.metric)));
    let counts = [("Seed", made.seed), ("Rounds", made.rounds), ("Steps of the opening", made.opening)];
    for (name, count) in counts {
        if let Some(count) = count {
            making.push((name, text(count.to_string())));
        }
    }
    if let Some(stop) = &made.stop {
        making.push(("Reason for the end of the search", text(stop)));
    }
    html! {
        (facts(&rows))
        h3 { "How it was made" }
        p.soft { "The source is " (made.source) ", which has this file's SHA-256. The verdict does not depend on this section." }
        (facts(&making))
        @match &made.command {
            Some(command) => { p { "This command makes the release again:" } pre { code { (command) } } }
            None => { p { "No single command makes the release again." } }
        }
    }
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
fn counted(people: &PeopleSection) -> String {
    let of_private = match people.private_repeats {
        0 => String::new(),
        repeats => format!(" {} of T repeat a person and were left out.", plural(repeats, "row")),
    };
    people.counted_in_public() + &of_private
}

fn tables(report: &Report) -> Markup {
    let people = &report.people;
    let mut rows =
        vec![("Individuals in P", number(people.public)), ("Members of T", number(people.private))];
    rows.push(("How people were counted", text(counted(people))));
    if people.dropped > 0 {
        rows.push(("Members excluded", number(people.dropped)));
    }
    if people.added > 0 {
        rows.push(("Members added to P", number(people.added)));
    }
    let unmatched = "Individuals in P who match no row";
    let unmatched_rows = "Individuals in P whose rows are those of no released person";
    rows.push((if people.rows.is_some() { unmatched_rows } else { unmatched }, number(people.unmatched)));
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

fn judged(judgement: Judgement) -> Markup {
    match judgement {
        Judgement::Within => html! { span.yes { "✓ " (judgement.words()) } },
        Judgement::Beyond => html! { span.no { "✗ " (judgement.words()) } },
        Judgement::NotJudged | Judgement::Unlimited => html! { span.soft { "– " (judgement.words()) } },
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
                text(&attacker.basis),
            ]
        })
        .collect();
    table("The verdict for each attacker", &["Attacker", "Verdict", "Reason"], &rows)
}

fn span(bounds: &Bounds, decimal: &Bounds) -> Markup {
    text(format!("{} to {} ({} to {})", bounds.min, bounds.max, decimal.min, decimal.max))
}

fn delta(report: &Report) -> Markup {
    let delta = &report.delta;
    let mut rows = vec![
        ("δ enforced", span(&delta.enforced, &delta.enforced_decimal)),
        ("Source of δ", text(&delta.source)),
        ("Share of members in P", text(&delta.share)),
        ("Presence achieved", span(&delta.achieved, &delta.achieved_decimal)),
    ];
    if let Some(advice) = &delta.advice {
        let down = advice
            .misuse_down
            .as_ref()
            .map_or_else(String::new, |down| format!(", {down} where belief falls"));
        rows.push((
            "Prior and misuse",
            text(format!(
                "a prior of {}, an acceptable misuse of {}{down}, at a cost of {}",
                advice.prior, advice.misuse, advice.cost
            )),
        ));
        rows.push(("δ that they require", text(format!("{} to {}", advice.delta.min, advice.delta.max))));
        rows.push(("The enforced δ", mark(advice.kept, "is as strict or stricter", "is less strict")));
        rows.push((
            "The achieved presence",
            mark(advice.achieved_within, "is within this δ", "is outside this δ"),
        ));
    }
    if let Some(reason) = &delta.reason {
        rows.push(("Reason for δ", text(reason)));
    }
    html! {
        (facts(&rows))
        p.soft { "Fractions are exact. A lower presence hides members better." }
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
                "0".to_owned()
            } else {
                format!("above {} to {}", decimal(bar.from), decimal(bar.to))
            };
            vec![text(range), number(bar.individuals), number(bar.members), number(bar.classes)]
        })
        .collect();
    html! {
        figure { (PreEscaped(report.presence_drawing(presence))) }
        (table("The same in numbers", &["Presence", "Individuals in P", "Members of T", "Classes"], &rows))
    }
}

fn decimal(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn mark(holds: bool, yes: &str, no: &str) -> Markup {
    if holds {
        html! { span.yes { "✓ " (yes) } }
    } else {
        html! { span.no { "✗ " (no) } }
    }
}

fn criteria(report: &Report) -> Markup {
    let span = |bounds: &Bounds| format!("{} to {}", bounds.min, bounds.max);
    let rows: Vec<Vec<Markup>> = report
        .criteria
        .iter()
        // A criterion that is neither required nor measured has no row.
        .filter(|section| section.required.is_some() || section.achieved.is_some())
        .map(|section| {
            let measured = || html! { span.soft { "measured, not required" } };
            let holds = section.holds.map_or_else(measured, |holds| mark(holds, "satisfied", "broken"));
            let (required, achieved) = match section.name.as_str() {
                "presence" => (Some(span(&report.delta.enforced)), Some(span(&report.delta.achieved))),
                _ => (section.required.clone(), section.achieved.clone()),
            };
            vec![text(criterion(&section.name)), or_none(required), or_none(achieved), holds]
        })
        .collect();
    let people = &report.people;
    let risk = report.disclosures.as_ref().map(|disclosures| {
        let risk = &disclosures.identity;
        let mean = |index: usize| risk.attackers.get(index).map_or("–", |attacker| &attacker.mean.percent);
        let one_over = |count: u64| if count == 0 { "–".to_owned() } else { format!("1/{count}") };
        facts(&[
            ("Classes with members", number(risk.released_classes)),
            ("Fewest members of a class; more is safer", number(risk.k)),
            ("Fewest individuals in P of a class with members; more is safer", number(risk.k_map)),
            ("Members alone in their class; fewer is safer", number(risk.unique_members)),
            ("Members who are the only individual in P of their class; fewer is safer", number(risk.unique_people)),
            (
                "Probability of finding the row of a person who is known to be a member: 1 over the members of the class. The largest is the prosecutor risk, the mean the marketer risk; less is safer",
                text(format!("largest {}, mean {}", one_over(risk.k), mean(0))),
            ),
            (
                "Probability of finding the row of a person if the attacker knows only P: 1 over the individuals in P of the class. The largest is the journalist risk; less is safer",
                text(format!("largest {}, mean {}", one_over(risk.k_map), mean(1))),
            ),
        ])
    });
    let sensitive: Vec<Vec<Markup>> = report
        .disclosures
        .iter()
        .flat_map(|disclosures| &disclosures.attribute.attributes)
        .map(|sensitive| {
            vec![
                text(&sensitive.attribute),
                number(sensitive.distinct),
                text(format!("{:.4}", sensitive.entropy)),
                text(format!("{:.4}", sensitive.distance)),
                or_not_applicable(sensitive.ordered_distance.map(|distance| format!("{distance:.4}"))),
                or_not_applicable(sensitive.hierarchical_distance.map(|distance| format!("{distance:.4}"))),
            ]
        })
        .collect();
    html! {
        (table("The required and the recounted value of each criterion", &["Criterion", "Required", "Achieved", "Verdict"], &rows))
        @if people.withdrawn_at_most > 0 {
            p { (count(people.withdrawn)) " members of T are withdrawn; at most " (count(people.withdrawn_at_most)) " may be withdrawn." }
        }
        @if let Some(risk) = risk {
            h3 { "Measured, not enforced" }
            (risk)
            @if let Some(why) = report.disclosures.as_ref().and_then(|found| found.attribute.not_measured.as_ref()) {
                p.soft { "In this table, " (why) "." }
            }
            @if !sensitive.is_empty() {
                p.soft { "More distinct values in a class hide a member's value better. Entropy is shown as a number of equally frequent values. The distance is 0 if the class has the same distribution as T, and at most 1. A smaller distance hides values better." }
                (table("Sensitive values", &["Attribute", "Fewest distinct values of a class", "Least entropy, in equally frequent values", "Greatest distance from T", "Greatest distance, ordered", "Greatest distance, by hierarchy"], &sensitive))
            }
        }
    }
}

fn transformations(report: &Report) -> Markup {
    let rows: Vec<Vec<Markup>> = report
        .attributes
        .iter()
        .map(|attribute| {
            vec![
                text(&attribute.attribute),
                text(role(&attribute.role)),
                code(&attribute.private_column),
                text(&attribute.treatment),
            ]
        })
        .collect();
    html! {
        (table("The treatment of each attribute", &["Attribute", "Role", "Column of T", "Treatment"], &rows))
        (generalizations(&report.attributes))
    }
}

fn role(role: &str) -> &str {
    if role == "quasi" { "quasi-identifier" } else { role }
}

fn generalizations(attributes: &[AttributeSection]) -> Markup {
    let rows: Vec<Vec<Markup>> = attributes
        .iter()
        .filter_map(|attribute| {
            let how = attribute.generalization.as_ref()?;
            let [base, top] = how.levels;
            let levels = format!("levels {}", how.permitted.as_deref().unwrap_or("any"));
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
                    let rows = plural(published.rows, "row");
                    match published.level {
                        Some(level) => {
                            format!("level {level}: {}, {rows}", plural(published.labels, "label"))
                        }
                        None => format!("ranges and sets: {}, {rows}", published.labels),
                    }
                });
                each.collect::<Vec<_>>()
            });
            Some(vec![
                text(&attribute.attribute),
                html! { (code(&how.hierarchy)) br; (how.kind) ", levels " (base) " to " (top) },
                html! { @for line in &limits { div { (line) } } },
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
        "drop" => "are excluded",
        "add" => "are added to the public table, and counted there",
        _ => "are an error, so there are none",
    };
    facts(&[
        ("Identifiers left out", names(&left.identifiers)),
        ("Other columns left out", names(&left.withheld)),
        ("Identifiers replaced by pseudonyms", names(&pseudonyms)),
        ("Columns without a role, left out", names(&left.unlisted)),
        (
            "Members who are not in P",
            text(format!("{rule}; {} excluded, {} added", people.dropped, people.added)),
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

fn check(report: &Report) -> Markup {
    html! {
        p { "Anyone who has the files of section 2 can recount the release. This command reads the files again, and shares no code with the search:" }
        pre { code { (report.check.command) } }
        p { "This report is about the file with the SHA-256 " (code(&report.release.sha256)) ". It was made by palmtop " (report.palmtop)
            @if let Some(seed) = report.made_by.as_ref().and_then(|made| made.seed) { "; the seed of the search was " (seed) }
            "." }
    }
}

fn guidance() -> Markup {
    let rows: Vec<Vec<Markup>> = (1..)
        .zip(GUIDANCE)
        .map(|(number, entry)| {
            vec![text(format!("{number}. {}", entry.section)), text(entry.ema), text(entry.health_canada)]
        })
        .collect();
    html! {
        p.soft { "The topics are in our words. They are from the anonymisation report that the European Medicines Agency annexes to its external guidance on policy 0070, and from Health Canada's anonymization report for the public release of clinical information. Both templates are for clinical reports; this report is about a table." }
        (table("Topics by section of this report", &["Section", "EMA, policy 0070", "Health Canada"], &rows))
    }
}

//! The page for the person who signs.

use maud::{Markup, PreEscaped, html};

use super::{
    GUIDANCE, Guided, code, criterion, facts, list, number, or_none, or_not_applicable, section, session,
    table, text,
};
use crate::report::Report;
use crate::report::sections::{AttributeSection, Bounds, InputKind, Judgement, PresenceSection};
use palmtop_core::text::{count, named_value};

/// All of the page.
pub(super) fn body(report: &Report) -> Markup {
    let mut parts = vec![
        released(report),
        tables(report),
        adversaries(report),
        delta(report),
        criteria(report),
        html! { (utility(report)) (fidelity(report)) },
        transformations(report),
        left_out(report),
        session::body(report),
        list(&report.not_covered),
        check(report),
    ]
    .into_iter();
    html! {
        header {
            p.kind { "palmtop " (report.palmtop) " · release report, for the person who signs · " (report.made_at) }
            h1 { "Release report: " (report.project) }
        }
        main {
            (verdict(report))
            (signature(report))
            (section("s0", "Responsibility and context", &stated(report)))
            @for (number, Guided { section: heading, .. }) in (1..).zip(GUIDANCE) {
                (section(&format!("s{number}"), &format!("{number}. {heading}"), &parts.next().unwrap_or_default()))
            }
            (section("s12", "12. Where regulators' templates ask for this", &guidance()))
        }
        footer {
            p { "Made by palmtop " (report.palmtop) " at " (report.made_at) ". In this report numbers have a point before decimals and a comma between thousands; dates are year-month-day, times are in UTC. This report is the analyst's; the recipient gets another one." }
        }
    }
}

fn verdict(report: &Report) -> Markup {
    let verdict = &report.verdict;
    let delta = &report.delta;
    let kept = report.criteria.iter().any(|own| own.name != "presence" && own.required.is_some());
    html! {
        div class=(if verdict.verified { "verdict verified" } else { "verdict refused" }) {
            @if verdict.verified {
                p.word { "✓ VERIFIED" @if let Some(open) = verdict.unanswered() { "; " (open) } ": a faithful release that keeps δ" @if kept { " and every criterion" } }
            } @else {
                p.word { "✗ REFUSED: this file is not to be released" }
            }
            p { strong { (verdict.conclusion) } }
            p { (report.release.file) ", " (count(report.release.rows)) " rows. Presence is " (delta.achieved.min) " to " (delta.achieved.max) "; δ permits " (delta.enforced.min) " to " (delta.enforced.max) "." }
            @if !verdict.reasons.is_empty() { (list(&verdict.reasons)) }
        }
        p.soft { "T, the private table, has the members whose membership must stay unsure. P, the public table, has everybody who may be a member. Presence is the share of members among the people of P who match the same released row: the probability that one of them is in T. δ is what is permitted: no presence is below δmin or above δmax." }
        @if !verdict.cautions.is_empty() {
            div.caution {
                h2 { "To be known before signing" }
                (list(&verdict.cautions.iter().map(ToString::to_string).collect::<Vec<_>>()))
            }
        }
    }
}

/// What the analyst states under `[report]` of the project.
fn stated(report: &Report) -> Markup {
    let stated = &report.stated;
    let line =
        |value: &Option<String>| value.as_ref().map_or_else(|| html! { span.soft { "not stated" } }, text);
    let context = stated.context.as_deref().map(|context| match context {
        "public" => "public: anybody may have the release".to_owned(),
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
        p.soft { "As the project states. Nothing of it is recounted." }
    }
}

fn signature(report: &Report) -> Markup {
    html! {
        @if report.verdict.verified {
            div.sign {
                p { "I have read this report, sections 3 and 10 among it, which say against whom the verdict holds and what it does not cover. I approve the release of the file whose SHA-256 is " (code(&report.release.sha256)) "." }
                div.lines {
                    @for line in ["Name", "Function", "Date", "Signature"] { div.line { (line) } }
                }
            }
        } @else {
            div.sign { p { "There is nothing to sign: the file with the SHA-256 " (code(&report.release.sha256)) " did not pass verification." } }
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
            p.soft { "How it was made is not known: no report of the run that names this file's SHA-256 was found. The verdict does not depend on it." }
        };
    };
    let mut making = vec![("Made by", text(format!("palmtop {}", made.palmtop)))];
    making.push(("Strategy", text(&made.strategy)));
    if let Some(node) = &made.node {
        let levels: Vec<String> = node.iter().map(ToString::to_string).collect();
        making.push(("Node", text(levels.join(","))));
    }
    making.push(("Minimized", text(&made.metric)));
    let counts = [
        ("Seed", made.seed),
        ("Rounds", made.rounds),
        ("Steps of the opening", made.opening),
        ("k of the baseline", made.k),
    ];
    for (name, count) in counts {
        if let Some(count) = count {
            making.push((name, text(count.to_string())));
        }
    }
    if let Some(stop) = &made.stop {
        making.push(("The search ended", text(stop)));
    }
    html! {
        (facts(&rows))
        h3 { "How it was made" }
        p.soft { "As " (made.source) " says, which names this file's SHA-256. The verdict does not depend on it." }
        (facts(&making))
        @match &made.command {
            Some(command) => { p { "The command that makes it again:" } pre { code { (command) } } }
            None => { p { "No command alone makes it again." } }
        }
    }
}

fn kind(kind: InputKind) -> &'static str {
    match kind {
        InputKind::Private => "private table T",
        InputKind::Public => "public table P",
        InputKind::Both => "public table P, with T in it",
        InputKind::Project => "project",
        InputKind::Hierarchy => "hierarchy",
        InputKind::Prior => "prior",
    }
}

fn tables(report: &Report) -> Markup {
    let people = &report.people;
    let mut rows =
        vec![("Individuals in P", number(people.public)), ("Members of T", number(people.private))];
    if people.dropped > 0 {
        rows.push(("Members excluded", number(people.dropped)));
    }
    if people.added > 0 {
        rows.push(("Members added to P", number(people.added)));
    }
    rows.push(("Individuals in P who match no row", number(people.unmatched)));
    let inputs: Vec<Vec<Markup>> = report
        .inputs
        .iter()
        .map(|input| {
            vec![
                text(kind(input.kind)),
                code(&input.path),
                or_not_applicable(input.rows.map(count)),
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
        (table("The files, as they were when the release was verified", &["What", "File", "Rows", "Last written", "SHA-256"], &inputs))
    }
}

fn judged(judgement: Judgement) -> Markup {
    match judgement {
        Judgement::Within => html! { span.yes { "✓ " (judgement.words()) } },
        Judgement::Beyond => html! { span.no { "✗ " (judgement.words()) } },
        Judgement::NotJudged | Judgement::Unlimited => html! { span.soft { "– " (judgement.words()) } },
    }
}

fn adversaries(report: &Report) -> Markup {
    let rows: Vec<Vec<Markup>> = report
        .adversaries
        .iter()
        .map(|own| vec![text(format!("One who {}", own.knows)), judged(own.judgement), text(&own.basis)])
        .collect();
    table("Whom the release is judged against", &["Adversary", "Verdict", "Why"], &rows)
}

fn span(bounds: &Bounds, decimal: &Bounds) -> Markup {
    text(format!("{} to {} ({} to {})", bounds.min, bounds.max, decimal.min, decimal.max))
}

fn delta(report: &Report) -> Markup {
    let delta = &report.delta;
    let mut rows = vec![
        ("δ enforced", span(&delta.enforced, &delta.enforced_decimal)),
        ("It is from", text(&delta.source)),
        ("Share of P in T", text(&delta.share)),
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
        rows.push(("They ask for δ", text(format!("{} to {}", advice.delta.min, advice.delta.max))));
        rows.push(("The enforced δ", mark(advice.kept, "is as strict or stricter", "is not as strict")));
        rows.push((
            "The achieved presence",
            mark(advice.achieved_within, "lies within it", "does not lie within it"),
        ));
    }
    html! {
        (facts(&rows))
        p.soft { "Fractions are exact. Less presence hides members better." }
        @match &report.presence {
            Some(presence) => (presence_figure(report, presence)),
            None => { p { "The file is no faithful release: nothing is measured of it, and where its rows cannot be read, the worst is assumed." } }
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
        // Of a criterion that is neither required nor measured here there is nothing to say.
        .filter(|own| own.required.is_some() || own.achieved.is_some())
        .map(|own| {
            let measured = || html! { span.soft { "measured, not required" } };
            let holds = own.holds.map_or_else(measured, |holds| mark(holds, "satisfied", "broken"));
            let (required, achieved) = match own.name.as_str() {
                "presence" => (Some(span(&report.delta.enforced)), Some(span(&report.delta.achieved))),
                _ => (own.required.clone(), own.achieved.clone()),
            };
            vec![text(criterion(&own.name)), or_none(required), or_none(achieved), holds]
        })
        .collect();
    let people = &report.people;
    let risk = report.risk.as_ref().map(|risk| {
        let one_over = |count: u64| if count == 0 { "–".to_owned() } else { format!("1/{count}") };
        facts(&[
            ("Classes with members", number(risk.released_classes)),
            ("Fewest members of a class; more is safer", number(risk.k)),
            ("Fewest individuals in P of a class with members; more is safer", number(risk.k_map)),
            ("Members alone in their class; fewer is safer", number(risk.unique_members)),
            ("Members who are the only individual in P of their class; fewer is safer", number(risk.unique_people)),
            (
                "Risk of a member who is known to be in T: one over the members of the class (prosecutor: largest; marketer: mean); less is safer",
                text(format!("largest {}, mean {:.4}", one_over(risk.k), risk.mean_risk)),
            ),
            (
                "Risk of a member of whom P alone is known: one over the individuals in P of the class (journalist: largest); less is safer",
                text(format!("largest {}, mean {:.4}", one_over(risk.k_map), risk.mean_map_risk)),
            ),
        ])
    });
    let sensitive: Vec<Vec<Markup>> = report
        .risk
        .iter()
        .flat_map(|risk| &risk.sensitive)
        .map(|own| {
            vec![
                text(&own.attribute),
                number(own.distinct),
                text(format!("{:.4}", own.entropy)),
                text(format!("{:.4}", own.distance)),
                or_not_applicable(own.ordered_distance.map(|distance| format!("{distance:.4}"))),
                or_not_applicable(own.hierarchical_distance.map(|distance| format!("{distance:.4}"))),
            ]
        })
        .collect();
    html! {
        (table("What is enforced, and what was recounted", &["Criterion", "Required", "Achieved", "Verdict"], &rows))
        @if people.withdrawn_at_most > 0 {
            p { (count(people.withdrawn)) " members of T are withdrawn; at most " (count(people.withdrawn_at_most)) " may be." }
        }
        @if let Some(risk) = risk {
            h3 { "Measured, not enforced" }
            (risk)
            @if !sensitive.is_empty() {
                p.soft { "More distinct values in a class hide a member's value better. Entropy is told as the number of equally frequent values. Distance is from 0, a class has the values as all of T has them, to 1; less hides better." }
                (table("Sensitive values", &["Attribute", "Fewest distinct values of a class", "Least entropy as even values", "Greatest distance from all of T", "The same, ordered", "The same, by hierarchy"], &sensitive))
            }
        }
    }
}

fn utility(report: &Report) -> Markup {
    let Some(utility) = &report.utility else {
        return html! { p { "Not measured: the file is no faithful release, or its rows are not those that a recoding of the hierarchies would publish." } };
    };
    let short = |value: f64| text(format!("{value:.4}"));
    let rows: Vec<Vec<Markup>> = utility
        .attributes
        .iter()
        .map(|own| vec![text(&own.attribute), short(own.loss), short(own.loss_occurring)])
        .collect();
    html! {
        (facts(&[
            ("Recoding", text(recoding(&utility.recoding))),
            ("Loss: 0 as loaded, 1 nothing left; less is better", short(utility.loss)),
            ("Loss, geometric mean of the attributes; less is better", short(utility.loss_geometric)),
            ("Loss over the values that occur in P; less is better", short(utility.loss_occurring)),
            ("Discernibility: sum of squared class sizes; less is better", number(utility.discernibility)),
            ("Members of a class on average; less is more detailed", short(utility.average_class_size)),
            (
                "Precision: 1 as loaded, 0 all at the top level; more is better",
                or_not_applicable(utility.precision.map(|value| format!("{value:.4}"))),
            ),
        ]))
        (table("Loss by attribute: 0 as loaded, 1 for *", &["Attribute", "Loss", "Loss in P's values"], &rows))
    }
}

/// What the rows are, in words.
fn recoding(text: &str) -> String {
    match text {
        "regions" => "regions: each class has labels of its own".to_owned(),
        node => node.replacen("node ", "one level for each quasi-identifier: ", 1),
    }
}

/// How near the release is to T, each published label spread evenly over its values.
fn fidelity(report: &Report) -> Markup {
    let Some(own) = &report.fidelity else { return html! {} };
    let short = |value: f64| text(format!("{value:.4}"));
    let queries = &own.queries;
    let attributes: Vec<Vec<Markup>> = own
        .attributes
        .iter()
        .map(|own| {
            let ordered = own.ordered_distance.map(|distance| format!("{distance:.4}"));
            vec![text(&own.attribute), short(own.distance), or_not_applicable(ordered)]
        })
        .collect();
    let pairs: Vec<Vec<Markup>> = own
        .pairs
        .iter()
        .map(|own| {
            let number = |count: u64| text(count.to_string());
            let shown = |value: f64, is_floored: bool| {
                if is_floored { text("below what this size can show") } else { short(value) }
            };
            let values = [
                shown(own.original, own.original_floored),
                shown(own.published, own.published_floored),
                number(own.members),
                number(own.cells),
            ];
            [text(&own.first), text(&own.second)].into_iter().chain(values).collect()
        })
        .collect();
    let counts: Vec<Vec<Markup>> = queries
        .by_count
        .iter()
        .map(|own| {
            let queries = text(own.queries.to_string());
            vec![text(&own.count), queries, short(own.median), short(own.ninetieth)]
        })
        .collect();
    let values: Vec<Vec<Markup>> = own
        .values
        .iter()
        .map(|own| {
            vec![text(&own.attribute), text(named_value(&own.value)), short(own.median), short(own.ninetieth)]
        })
        .collect();
    let worst: Vec<Vec<Markup>> = own
        .worst
        .iter()
        .map(|own| {
            let share = format!("{:.1} %", own.share * 100.0);
            let labels: Vec<&str> = own.labels.iter().map(|label| named_value(label)).collect();
            vec![text(labels.join(", ")), text(own.rows.to_string()), short(own.loss), text(share)]
        })
        .collect();
    html! {
        h3 { "How near it is to the private table" }
        p {
            "Each published label is spread evenly over those of its values that occur in P. Of " (queries.queries) " counting queries over \
             two or three attributes (seed " (queries.seed) "), the median relative error is " (format!("{:.4}", queries.median)) ", nine of ten \
             are at most " (format!("{:.4}", queries.ninetieth)) ", the mean is " (format!("{:.4}", queries.mean)) "; errors are relative to \
             the truth, or to " (queries.floor) " where that is more."
        }
        (table("Distance of distributions from those of T: 0 alike, 1 apart", &["Attribute", "Total variation", "The same, ordered"], &attributes))
        @if !pairs.is_empty() {
            (table("Associations that changed most, by Cramér's V corrected for bias: 0 independent, 1 determined; in both tables alike is good. The correction takes off what chance alone would show; where that is more than there is, the association is below what this size can show, and may exist all the same",
                &["Attribute", "With", "In T", "In the release", "Members of T", "Cells"], &pairs))
        }
        (table("Relative errors of the queries by the true count: 0 is exact; errors of small counts say little", &["True count", "Queries", "Median error", "Nine of ten at most"], &counts))
        @if !values.is_empty() {
            (table("Sensitive values whose queries are farthest off", &["Attribute", "Value", "Median error", "Nine of ten at most"], &values))
        }
        @if !worst.is_empty() {
            (table("Classes that lose most", &["Published", "Rows", "Loss", "Share of all loss"], &worst))
        }
    }
}

fn transformations(report: &Report) -> Markup {
    let rows: Vec<Vec<Markup>> = report
        .attributes
        .iter()
        .map(|own| {
            vec![text(&own.attribute), text(role(&own.role)), code(&own.private_column), text(&own.treatment)]
        })
        .collect();
    html! {
        (table("What became of each attribute", &["Attribute", "Role", "Column of T", "Treatment"], &rows))
        (generalizations(&report.attributes))
    }
}

fn role(role: &str) -> &str {
    if role == "quasi" { "quasi-identifier" } else { role }
}

fn generalizations(attributes: &[AttributeSection]) -> Markup {
    let rows: Vec<Vec<Markup>> = attributes
        .iter()
        .filter_map(|own| {
            let how = own.generalization.as_ref()?;
            let [base, top] = how.levels;
            let limits = how.permitted.clone().unwrap_or_else(|| "any".to_owned());
            let limits = if how.weight > 1 { format!("{limits}, weighs {}", how.weight) } else { limits };
            let limits = if how.labels_only { format!("{limits}, labels only") } else { limits };
            let published = how.published.as_ref().map(|levels| {
                let each = levels.iter().map(|own| {
                    let labels = if own.labels == 1 { "label" } else { "labels" };
                    match own.level {
                        Some(level) => format!("level {level}: {} {labels}, {} rows", own.labels, own.rows),
                        None => format!("ranges and sets: {}, {} rows", own.labels, own.rows),
                    }
                });
                each.collect::<Vec<_>>()
            });
            Some(vec![
                text(&own.attribute),
                html! { (code(&how.hierarchy)) br; (how.kind) ", levels " (base) " to " (top) },
                text(limits),
                match published {
                    Some(lines) => html! { @for line in lines { div { (line) } } },
                    None => or_none(None),
                },
            ])
        })
        .collect();
    table(
        "How quasi-identifiers were generalized",
        &["Attribute", "Hierarchy", "Levels permitted", "Published"],
        &rows,
    )
}

fn left_out(report: &Report) -> Markup {
    let left = &report.left_out;
    let people = &report.people;
    let names = |names: &[String]| text(if names.is_empty() { "none".to_owned() } else { names.join(", ") });
    let pseudonyms: Vec<String> =
        left.pseudonyms.iter().map(|own| format!("{} ({})", own.column, own.made)).collect();
    let rule = match left.not_in_public.as_str() {
        "drop" => "are excluded",
        "add" => "are added to the public table, and counted there",
        _ => "are an error: there are none",
    };
    facts(&[
        ("Identifiers left out", names(&left.identifiers)),
        ("Identifiers replaced by pseudonyms", names(&pseudonyms)),
        ("Columns in no role, dropped", names(&left.unlisted)),
        (
            "Members whom P lacks",
            text(format!("{rule}; excluded {}, added {}", people.dropped, people.added)),
        ),
        (
            "Members withdrawn",
            text(match &left.suppress_at_most {
                Some(share) => format!(
                    "{}; a share of {share} is permitted, {} members",
                    count(people.withdrawn),
                    count(people.withdrawn_at_most)
                ),
                None => format!("{}; none is permitted", people.withdrawn),
            }),
        ),
    ])
}

fn check(report: &Report) -> Markup {
    html! {
        p { "Whoever has the files of section 2 recounts the release, which reads them anew and shares no code with the search:" }
        pre { code { (report.check.command) } }
        p { "With this report as JSON (" code { "--format json" } "), its figures are held against the recount, too:" }
        pre { code { (report.check.report_command) } }
        p { "The file that is meant is the one with the SHA-256 " (code(&report.release.sha256)) ". This report is of palmtop " (report.palmtop)
            @if let Some(seed) = report.made_by.as_ref().and_then(|made| made.seed) { ", and the seed of the search was " (seed) }
            "." }
    }
}

fn guidance() -> Markup {
    let rows: Vec<Vec<Markup>> = (1..)
        .zip(GUIDANCE)
        .map(|(number, own)| {
            vec![text(format!("{number}. {}", own.section)), text(own.ema), text(own.health_canada)]
        })
        .collect();
    html! {
        p.soft { "The topics of the anonymisation report that the European Medicines Agency annexes to its external guidance on policy 0070, and of Health Canada's anonymization report for the public release of clinical information, in our words. Both are made for clinical reports; this one is of a table." }
        (table("Which section answers what", &["Section", "EMA, policy 0070", "Health Canada"], &rows))
    }
}

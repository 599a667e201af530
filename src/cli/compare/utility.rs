//! The utility of releases: distributions, associations, counting queries, and
//! the classes with the greatest loss.

use palmtop::columns::Value;
use palmtop::data::written::named_value;
use palmtop::metrics::Readability;
use palmtop::pipeline::Analysis;
use palmtop::report::ReadabilitySection;
use palmtop::utility::{
    Association, AttributeUtility, ClassLoss, CountErrors, GroupShare, PairUtility, QueryError, QueryErrors,
    RelativeErrors, Utility, ValueErrors,
};
use serde_json::{Value as Json, json};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::measured::MeasuredRelease;
use palmtop_console::output::{self, short};

/// The utility of a release.
pub(super) struct Column<'a> {
    analysis: &'a Analysis,
    name: String,
    is_present: bool,
    utility: Utility,
    readability: ReadabilitySection,
}

impl<'a> Column<'a> {
    /// A measured release: its name, whether it satisfies the policy, its utility, and the terms of its cells.
    pub(super) fn of(
        analysis: &'a Analysis,
        (name, is_present): (&str, bool),
        utility: Utility,
        readability: &Readability,
    ) -> Self {
        let readability = ReadabilitySection::of(analysis.problem(), readability);
        Self { analysis, name: name.to_owned(), is_present, utility, readability }
    }
}

impl MeasuredRelease for Column<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn measures(&self) -> Vec<(String, Value)> {
        let Utility { members, counted, rows_of_t, rows, attributes, pairs, queries, .. } = &self.utility;
        let mut measures = vec![
            ("satisfies the policy".to_owned(), if self.is_present { "yes" } else { "NO" }.into()),
            ("members of T".to_owned(), (*members).into()),
        ];
        // If each row is a person, the members are the rows.
        if *counted == "rows" {
            measures.push(("rows of T".to_owned(), (*rows_of_t).into()));
            measures.push(("unit of shares and counts".to_owned(), "rows".into()));
        }
        measures.extend([
            ("rows".to_owned(), (*rows).into()),
            ("query error, median".to_owned(), queries.all.median.into()),
            ("query error, 90th percentile".to_owned(), queries.all.ninetieth.into()),
            ("query error, mean".to_owned(), queries.all.mean.into()),
            ("distance, mean".to_owned(), self.utility.distance().into()),
        ]);
        measures.extend(readable(&self.readability));
        for AttributeUtility { name, distance, ordered, .. } in attributes {
            measures.push((format!("{name}: distance"), (*distance).into()));
            measures.push((format!("{name}: distance in order"), (*ordered).into()));
        }
        for pair in pairs {
            let [original, published] = of_pair(pair);
            measures.push((original, pair.association.map(|found| found.original).into()));
            measures.push((published, pair.association.map(|found| found.published).into()));
        }
        measures
    }

    /// Not the pairs, because the details list them.
    fn is_listed(&self, measure: &str, value: &Value) -> bool {
        let is_pair = |pair| of_pair(pair).iter().any(|name| name == measure);
        *value != Value::None && !self.utility.pairs.iter().any(is_pair)
    }

    fn details(&self) -> String {
        in_full(self)
    }

    fn object(&self) -> Json {
        object(self)
    }
}

/// The measures of the cells.
fn readable(cells: &ReadabilitySection) -> Vec<(String, Value)> {
    let mean = Value::Mean(cells.terms);
    let terms = if Readability::is_hard(cells.terms) {
        Value::Worded(format!("{:.4}, hard to read", cells.terms), Box::new(mean))
    } else {
        mean
    };
    let starred = if cells.starred.is_empty() { "none".to_owned() } else { cells.starred.join(", ") };
    let measures = [
        ("terms per cell, mean", terms),
        ("terms per cell, most", cells.most_terms.into()),
        ("characters per cell, mean", Value::Mean(cells.characters)),
        ("characters per cell, most", cells.most_characters.into()),
        ("cells with one term", cells.one_term.into()),
        ("* in more than nine of ten rows", starred.into()),
    ];
    measures.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The names of the two measures of a pair.
fn of_pair(pair: &PairUtility) -> [String; 2] {
    ["V of T", "V of the release"].map(|of| format!("{} × {}: {of}", pair.first, pair.second))
}

/// All details of a release in at most 80 columns: bars, pairs, queries, and the classes with the
/// greatest loss.
fn in_full(column: &Column<'_>) -> String {
    let Utility { members, counted, rows, attributes, pairs, more_pairs, queries, worst, .. } =
        &column.utility;
    let unit = if *counted == "rows" { "; all below counts rows, not people" } else { "" };
    let mut lines = vec![
        String::new(),
        format!("{}: {rows} rows of {members} members{unit}", column.name),
        format!("  {}{:<SHARE$}release", fit("shares of", LABEL + 2), "T"),
    ];
    lines.extend(attributes.iter().flat_map(bars));
    lines.extend(associations(pairs));
    if *more_pairs > 0 {
        lines.push(format!("  and {more_pairs} pairs more, not counted"));
    }
    lines.extend(answers(queries, counted));
    lines.extend(losses(worst));
    lines.push(String::new());
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Widths in terminal columns: a group's name, a bar, and a bar with its share.
const LABEL: usize = 20;
const BAR: usize = 18;
const SHARE: usize = BAR + 9;
/// The maximal width of a line, in terminal columns.
const WIDTH: usize = 80;

/// The lines of an attribute: its distance from T, and the share of each group in T and in the
/// release.
fn bars(attribute: &AttributeUtility) -> Vec<String> {
    let AttributeUtility { name, is_sensitive, values, distance, ordered, groups } = attribute;
    let in_order = ordered.map_or_else(String::new, |ordered| format!(", in order {}", short(ordered)));
    let kind = if *is_sensitive { ", sensitive" } else { "" };
    let plural = if *values == 1 { "value" } else { "values" };
    let figures = format!("{values} {plural}{kind}: distance {}{in_order}", short(*distance));
    let mut lines = vec![format!("{} {figures}", fit(name, LABEL + 2))];
    for GroupShare { label, original, published } in groups {
        let share = |value: f64| format!("{} {:>5.1} %", bar(value), 100.0 * value);
        lines.push(format!("  {} {}  {}", fit(label, LABEL), share(*original), share(*published)));
    }
    lines
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a bar"
)]
fn bar(share: f64) -> String {
    let full = ((share.clamp(0.0, 1.0) * BAR as f64).round() as usize).min(BAR);
    format!("{}{}", "█".repeat(full), "·".repeat(BAR - full))
}

fn associations(pairs: &[PairUtility]) -> Vec<String> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let heading = format!("{:>9} {:>9} {:>9}", "T", "release", "change");
    let mut lines =
        vec![String::new(), format!("{} {heading}", fit("Cramér's V of pairs, corrected", 2 * LABEL + 3))];
    let mut is_floored = false;
    for PairUtility { first, second, association } in pairs {
        let pair = format!("{} × {}", fit(first, LABEL - 2).trim_end(), fit(second, LABEL - 2).trim_end());
        let figures = match association {
            Some(association) => {
                let shown = [
                    (association.original, association.is_original_floored),
                    (association.published, association.is_published_floored),
                ];
                let [original, published] = shown
                    .map(|(value, is_floored)| if is_floored { "below".to_owned() } else { short(value) });
                is_floored |= association.is_original_floored || association.is_published_floored;
                let change = if association.is_original_floored || association.is_published_floored {
                    "–".to_owned()
                } else {
                    format!("{:+.4}", association.published - association.original)
                };
                format!("{original:>9} {published:>9} {change:>9}")
            }
            None => "too many values, not counted".to_owned(),
        };
        lines.push(format!("  {} {figures}", fit(&pair, 2 * LABEL + 1)));
    }
    if is_floored {
        lines.push(
            "  below: the correction is larger than the association, so it is below what this".to_owned(),
        );
        lines.push("  size can show; that does not mean that there is none".to_owned());
    }
    lines
}

fn answers(queries: &QueryErrors, counted_in: &str) -> Vec<String> {
    let QueryErrors { seed, queries: count, selectivity, counted, floor, all, by_count, by_value, worst } =
        queries;
    // If each row is a person, queries count people.
    let people = if counted_in == "members" { "people" } else { counted_in };
    let mut lines = vec![
        String::new(),
        format!("relative error of {count} counting queries, seed {seed}"),
        format!(
            "  drawn to count {} % of {people}; they count {:.2} % of T on average; floor {}",
            100.0 * selectivity,
            100.0 * counted,
            short(*floor)
        ),
        format!("  {} {:>8} {:>8} {:>8} {:>8} {:>8}", fit("", 32), "T", "median", "90th", "mean", "queries"),
    ];
    let line = |name: &str, (counted, queries): (String, u64), errors: &RelativeErrors| {
        let RelativeErrors { median, ninetieth, mean } = errors;
        let figures = [short(*median), short(*ninetieth), short(*mean)].map(|figure| format!("{figure:>8}"));
        format!("  {} {counted:>8} {} {queries:>8}", fit(name, 32), figures.join(" "))
    };
    lines.push(line("all", (String::new(), *count), all));
    for found in by_count {
        let name = format!("true count {}", found.range());
        lines.push(line(&name, (String::new(), found.queries), &found.errors));
    }
    for ValueErrors { attribute, value, rows, queries, errors } in by_value {
        lines.push(line(
            &format!("{attribute} {}", named_value(value)),
            (rows.to_string(), *queries),
            errors,
        ));
    }
    if !worst.is_empty() {
        lines.push(format!("  farthest off: {counted_in} of T, the estimate, the error"));
    }
    for QueryError { query, truth, estimate, error } in worst {
        let figures = format!("  {truth:>6} {estimate:>9.1} {:>9}  ", short(*error));
        lines.push(format!("{figures}{}", fit(query, WIDTH - figures.width())));
    }
    lines
}

fn losses(worst: &[ClassLoss]) -> Vec<String> {
    if worst.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![
        String::new(),
        "the classes that lose most: rows, the loss of each, their share of all loss".to_owned(),
    ];
    for ClassLoss { labels, rows, loss, share } in worst {
        let figures = format!("{rows:>8} {:>7} {:>5.1} %  ", short(*loss), 100.0 * share);
        lines.push(format!("{figures}{}", fit(&labels.join(", "), WIDTH - figures.width())));
    }
    lines
}

/// Fits a text to a width in terminal columns: padded with blanks, or cut off with `…`.
fn fit(text: &str, columns: usize) -> String {
    let safe = output::shown(text);
    let wide = safe.width();
    if wide <= columns {
        return format!("{safe}{}", " ".repeat(columns - wide));
    }
    let mut cut = String::new();
    for character in safe.chars() {
        if cut.width() + character.width().unwrap_or(0) + 1 > columns {
            break;
        }
        cut.push(character);
    }
    let blanks = columns.saturating_sub(cut.width() + 1);
    format!("{cut}…{}", " ".repeat(blanks))
}

fn object(column: &Column<'_>) -> Json {
    let Utility { members, counted, rows_of_t, rows, attributes, pairs, more_pairs, queries, worst } =
        &column.utility;
    let group =
        |share: &GroupShare| json!({ "label": share.label, "t": share.original, "release": share.published });
    let attribute = |attribute: &AttributeUtility| {
        json!({
            "name": attribute.name,
            "sensitive": attribute.is_sensitive,
            "values": attribute.values,
            "distance": attribute.distance,
            "ordered": attribute.ordered,
            "groups": attribute.groups.iter().map(group).collect::<Vec<_>>(),
        })
    };
    let pair = |pair: &PairUtility| {
        let of = |figure: fn(Association) -> f64| pair.association.map(figure);
        json!({
            "first": pair.first,
            "second": pair.second,
            "t": of(|association| association.original),
            "release": of(|association| association.published),
            "t_floored": pair.association.map(|association| association.is_original_floored),
            "release_floored": pair.association.map(|association| association.is_published_floored),
            "n": pair.association.map(|association| association.rows),
            "cells": pair.association.map(|association| association.cells),
        })
    };
    let errors = |errors: &RelativeErrors| json!({ "median": errors.median, "p90": errors.ninetieth, "mean": errors.mean });
    let by_count = |count: &CountErrors| json!({ "from": count.from, "to": count.to, "queries": count.queries, "error": errors(&count.errors) });
    let by_value = |found: &ValueErrors| {
        json!({
            "attribute": found.attribute,
            "value": found.value,
            "t": found.rows,
            "queries": found.queries,
            "error": errors(&found.errors),
        })
    };
    let query = |query: &QueryError| json!({ "query": query.query, "t": query.truth, "release": query.estimate, "error": query.error });
    let quasi: Vec<&str> =
        column.analysis.problem().quasi().iter().map(|quasi| quasi.name.as_str()).collect();
    let class = |class: &ClassLoss| json!({ "labels": class.labels, "rows": class.rows, "loss": class.loss, "share": class.share });
    json!({
        "of": column.name,
        "present": column.is_present,
        "members": members,
        "rows": rows,
        "rows_of_t": rows_of_t,
        "counted": counted,
        "distance": column.utility.distance(),
        "query_error": queries.all.median,
        "readability": column.readability,
        "attributes": attributes.iter().map(attribute).collect::<Vec<_>>(),
        "pairs": pairs.iter().map(pair).collect::<Vec<_>>(),
        "more_pairs": more_pairs,
        "workload": {
            "seed": queries.seed,
            "queries": queries.queries,
            "selectivity": queries.selectivity,
            "counted": queries.counted,
            "floor": queries.floor,
            "error": errors(&queries.all),
            "by_count": queries.by_count.iter().map(by_count).collect::<Vec<_>>(),
            "by_value": queries.by_value.iter().map(by_value).collect::<Vec<_>>(),
            "worst": queries.worst.iter().map(query).collect::<Vec<_>>(),
        },
        "quasi": quasi,
        "worst": worst.iter().map(class).collect::<Vec<_>>(),
    })
}

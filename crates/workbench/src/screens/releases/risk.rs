//! The risk of one release: sentences with the figure and what ends it, then its sensitive attributes, its classes in
//! buckets, and the classes at highest risk.
//!
//! ```text
//!  alone in their class      24 of 1,100   2.2 % █░░░░░░░░░   k = 2 ends it
//!  alone in P                 0 of 1,100   0.0 % ░░░░░░░░░░
//! ```

use palmtop_measure::risk::{Bucket, Risk, RiskClass, SensitiveRisk};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::state::Shared;

/// The c of recursive (c, l)-diversity, as in the examples of the literature.
pub(super) const RECURSIVE_C: &str = "3";

/// A risk as a sentence: its members, and the criterion that ends it.
struct Sentence {
    words: String,
    members: u64,
    ends: &'static str,
}

/// The risks, the worst first.
fn sentences(risk: &Risk) -> Vec<Sentence> {
    let mut sentences = vec![
        Sentence { words: "alone in their class".to_owned(), members: risk.unique_members, ends: "k = 2" },
        Sentence { words: "alone in P".to_owned(), members: risk.unique_people, ends: "k_map = 2" },
    ];
    if !risk.sensitive.is_empty() {
        let only_one = |bucket: &&Bucket| bucket.from == "1" && bucket.to.as_deref() == Some("1");
        let members = risk.buckets.distinct.iter().filter(only_one).map(|bucket| bucket.members).sum();
        let words = match &risk.sensitive[..] {
            [only] => format!("one {} a class", only.name),
            _ => "one sensitive value a class".to_owned(),
        };
        sentences.push(Sentence { words, members, ends: "l = 2" });
    }
    sentences.sort_by_key(|sentence| std::cmp::Reverse(sentence.members));
    sentences
}

/// The risks of one release, as far as they fit below its heading.
pub(super) fn in_full(
    theme: Theme,
    shared: &Shared,
    (width, height): (usize, usize),
    (risk, worst): (&Risk, &[RiskClass]),
) -> Vec<Line<'static>> {
    /// The columns of all but the words and the bar.
    const FIGURES: usize = 47;
    let longest = sentences(risk).iter().map(|sentence| text::width(&sentence.words)).max().unwrap_or(0);
    let longest = longest.min(28);
    let mut lines: Vec<Line> = sentences(risk)
        .into_iter()
        .map(|Sentence { words, members, ends }| {
            let of = format!("{} of {}", text::count(members), text::count(risk.members));
            let ends = if members > 0 { format!("   {ends} ends it") } else { String::new() };
            let share = bar::share(bar::ratio(members, risk.members), 10);
            let percent = text::percent(members, risk.members);
            let words = text::fit(&words, longest);
            let share = if width < longest + FIGURES + 11 { String::new() } else { format!(" {share}") };
            let line = format!(" {words} {of:>16} {percent:>6} %{share}{ends}");
            let style = if members > 0 { theme.warning() } else { Style::new() };
            Line::styled(text::fit(&line, width), style)
        })
        .collect();
    lines.extend(
        risk.sensitive
            .iter()
            .map(|attribute| Line::raw(text::fit(&format!(" {}", of_attribute(attribute)), width))),
    );
    lines.extend(histograms(theme, risk, width));
    if lines.len() + 2 < height {
        lines.push(rule(theme, "the classes at highest risk", "members · people of P", width, false));
        for class in worst {
            let quasi = shared.problem.quasi().iter().zip(&class.labels);
            let labels: Vec<String> = quasi.map(|(quasi, label)| format!("{} {label}", quasi.name)).collect();
            let people =
                format!("{:>9} · {:<9}", text::count(class.counts.private), text::count(class.counts.public));
            lines.push(Line::raw(text::fit(&format!("{people} {}", labels.join(", ")), width)));
        }
    }
    lines.truncate(height);
    lines
}

/// The members by the size of their class, its values and its presence, side by side as far as they fit.
fn histograms(theme: Theme, risk: &Risk, width: usize) -> Vec<Line<'static>> {
    let tables: [(&str, &[Bucket]); 4] = [
        ("members of T a class", &risk.buckets.members),
        ("people of P a class", &risk.buckets.people),
        ("sensitive values a class", &risk.buckets.distinct),
        ("presence", &risk.buckets.presence),
    ];
    let tables: Vec<Vec<String>> = tables
        .iter()
        .filter(|(_, buckets)| !buckets.is_empty())
        .map(|(heading, buckets)| histogram(heading, buckets, risk.members))
        .collect();
    let mut lines = Vec::new();
    for group in tables.chunks((width / TABLE).max(1)) {
        for row in 0..group.iter().map(Vec::len).max().unwrap_or(0) {
            let cell = |table: &Vec<String>| text::fit(table.get(row).map_or("", String::as_str), TABLE);
            let line: String = group.iter().map(cell).collect();
            let style = if row == 0 { theme.faint() } else { Style::new() };
            lines.push(Line::styled(text::fit(&line, width), style));
        }
    }
    lines
}

/// The figures of one sensitive attribute.
fn of_attribute(attribute: &SensitiveRisk) -> String {
    let SensitiveRisk { name, distinct, entropy, recursive, equal, ordered, hierarchy, .. } = attribute;
    let in_a_row =
        ordered.as_ref().map_or_else(String::new, |ordered| format!(", in a row {:.3}", ordered.to_f64()));
    let by_tree = hierarchy
        .as_ref()
        .map_or_else(String::new, |tree| format!(", by its hierarchy {:.3}", tree.to_f64()));
    format!(
        "{name}: {} a class at least, e^H {entropy:.2}, ({RECURSIVE_C}, {recursive}), t {:.3}{in_a_row}{by_tree}",
        text::counted(*distinct, "value", "values"),
        equal.to_f64(),
    )
}

/// The columns of a histogram.
const TABLE: usize = 40;

/// A line per bucket with classes.
fn histogram(heading: &str, buckets: &[Bucket], members: u64) -> Vec<String> {
    let mut lines = vec![format!(" {heading:<25} members")];
    for Bucket { from, to, members: count, .. } in buckets.iter().filter(|bucket| bucket.classes > 0) {
        let range = match to {
            Some(to) if to == from => from.clone(),
            Some(to) => format!("{from} to {to}"),
            None => format!("{from} and more"),
        };
        let share = bar::share(bar::ratio(*count, members), 10);
        lines.push(format!("  {range:<16} {:>9} {share}", text::count(*count)));
    }
    lines
}

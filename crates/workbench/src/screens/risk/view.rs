//! The risks: a row per release, and below them the risks of the selected one in full.
//!
//! ```text
//!   release        k  k-map  alone  in P   risk  risk P  values  even   far  (3, l)
//! ▸ spalm          1     14     12     0  .0425   .0016       1  1.00  .924       1
//!   node 5,4,0     1      3    120    11  .2400   .0100       1  1.00  .924       1
//! ```

use palmtop_measure::risk::{Bucket, Risk, RiskClass};
use ratatui::text::Line;

use super::figures::of_attribute;
use crate::kit::layout::MIDDLE;
use crate::kit::rule::rule;
use crate::kit::{bar, text};
use crate::shared::candidate_list::Drawing;

/// From this height on, the meaning of the columns stands above the selected release.
const LEAST_FOR_LEGEND: usize = 14;

/// The meaning of the columns: first those of sizes, then those of sensitive values.
const LEGEND: [&str; 2] = [
    "k, k-map: fewest members, people of P in a class. alone, in P: members alone in T, in P. risk, risk P: means over members of 1/members, 1/people.",
    "values: fewest in a class (l). even: as many even values have its entropy (e^H). (3, l): the most frequent value against rarer ones. far: from all of T (t).",
];

/// The risks of one release: its sensitive attributes, its classes in buckets, and as many of the
/// worst classes as fit.
pub(super) fn in_full(
    &Drawing { theme, shared, area }: &Drawing,
    name: &str,
    (risk, worst): (&Risk, &[RiskClass]),
) -> Vec<Line<'static>> {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let remark = format!(
        "{} with {}",
        text::counted(risk.released_classes, "class", "classes"),
        text::counted(risk.members, "member", "members")
    );
    let mut lines = vec![rule(theme, name, &remark, width, false)];
    if height >= LEAST_FOR_LEGEND {
        let legend = if risk.sensitive.is_empty() { &LEGEND[..1] } else { &LEGEND[..] };
        let legend = legend.iter().flat_map(|legend| text::wrap(legend, width.saturating_sub(2)));
        lines.extend(legend.map(|line| Line::styled(format!(" {line}"), theme.faint())));
    }
    lines.extend(
        risk.sensitive
            .iter()
            .map(|attribute| Line::raw(text::fit(&format!(" {}", of_attribute(attribute)), width))),
    );
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
    let tables_per_row =
        if width >= usize::from(MIDDLE) { tables.len().min(width / TABLE) } else { (width / TABLE).max(1) };
    for group in tables.chunks(tables_per_row.max(1)) {
        let rows = group.iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..rows {
            let cell = |table: &Vec<String>| text::fit(table.get(row).map_or("", String::as_str), TABLE);
            let line: String = group.iter().map(cell).collect();
            let style = if row == 0 { theme.faint() } else { ratatui::style::Style::new() };
            lines.push(Line::styled(text::fit(&line, width), style));
        }
    }
    if lines.len() + 2 < height {
        lines.push(rule(theme, "the classes at highest risk", "members · people of P", width, false));
        let quasi = shared.problem.quasi();
        for class in worst {
            let labels: Vec<String> = quasi
                .iter()
                .zip(&class.labels)
                .map(|(quasi, label)| format!("{} {label}", quasi.name))
                .collect();
            let people =
                format!("{:>9} · {:<9}", text::count(class.counts.private), text::count(class.counts.public));
            lines.push(Line::raw(text::fit(&format!("{people} {}", labels.join(", ")), width)));
        }
    }
    lines.truncate(height);
    lines
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

//! The utility of one release: the class that loses most, the shares of each attribute in T and in the release, pairs,
//! queries, and more classes, as far as they fit.
//!
//! ```text
//!  loses most: 182 rows of loss .559, 23.8 % of all: 0****, *, male, basic
//!  zip .238       T          release       age .371, in order .120  release
//!   089**         ██░░░░  34.0 ██░░░░  25.7  0-19          ░░░░░░   6.0 █░░░░░  20.2
//! ```

use palmtop_measure::utility::{
    Association, AttributeUtility, ClassLoss, GroupShare, PairUtility, Utility, ValueErrors,
};
use ratatui::text::Line;

use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};

/// The utility of one release, as far as it fits below its heading.
pub(super) fn in_full(
    theme: Theme,
    (width, height): (usize, usize),
    utility: &Utility,
) -> Vec<Line<'static>> {
    let plain = |line: &String| Line::raw(text::fit(&format!(" {line}"), width));
    let mut lines = Vec::new();
    if let Some(worst) = utility.worst.first() {
        lines.push(plain(&format!("loses most: {}", class(worst))));
    }
    let parts = [
        ("shares of T and of the release, in %", attributes(utility, width)),
        ("association (V) of pairs, in T and in the release", pairs(utility, width)),
        ("relative error of counting queries", queries(utility)),
        ("the classes that lose most", utility.worst.iter().map(class).collect()),
    ];
    for (heading, part) in parts {
        lines.push(rule(theme, heading, "", width, false));
        lines.extend(part.iter().map(plain));
    }
    lines.truncate(height);
    lines
}

fn class(class: &ClassLoss) -> String {
    let ClassLoss { labels, rows, loss, share: part } = class;
    let rows = text::counted(*rows, "row", "rows");
    format!("{rows} of loss {}, {:.1} % of all: {}", text::loss(*loss), 100.0 * part, labels.join(", "))
}

/// The width of an attribute's chart, and of a pair.
const CHART: usize = 39;

/// A chart per attribute, as many side by side as fit.
fn attributes(utility: &Utility, width: usize) -> Vec<String> {
    join_columns(&utility.attributes.iter().map(chart).collect::<Vec<_>>(), width)
}

fn chart(attribute: &AttributeUtility) -> Vec<String> {
    let AttributeUtility { name, distance, ordered, groups, .. } = attribute;
    let in_order = ordered.map_or_else(String::new, |ordered| format!(" ({} in order)", text::loss(ordered)));
    let mut lines = vec![format!("{name} {}{in_order}", text::loss(*distance))];
    for GroupShare { label, original, published } in groups {
        let share = |value: f64| format!("{} {:>5.1}", bar::share(value, 6), 100.0 * value);
        lines.push(format!(" {} {} {}", text::fit(label, 11), share(*original), share(*published)));
    }
    lines
}

fn pairs(utility: &Utility, width: usize) -> Vec<String> {
    let pair = |pair: &PairUtility| {
        let PairUtility { first, second, association } = pair;
        let figures = match association {
            Some(Association { original, published, .. }) => {
                format!("{} → {}", text::loss(*original), text::loss(*published))
            }
            None => "not counted".to_owned(),
        };
        vec![format!("{} {figures}", text::fit(&format!("{first} × {second}"), CHART - 14))]
    };
    let mut lines = join_columns(&utility.pairs.iter().map(pair).collect::<Vec<_>>(), width);
    if utility.more_pairs > 0 {
        lines.push(format!("and {} more, not counted", text::counted(utility.more_pairs, "pair", "pairs")));
    }
    lines
}

fn queries(utility: &Utility) -> Vec<String> {
    let all = &utility.queries;
    let line = |name: &str, counted: String, [median, ninetieth, mean]: [String; 3]| {
        format!("{} {counted:>9} {median:>8} {ninetieth:>8} {mean:>8}", text::fit(name, 30))
    };
    let heads = ["median", "90th", "mean"].map(ToOwned::to_owned);
    let errors = |errors: &palmtop_measure::utility::RelativeErrors| {
        [errors.median, errors.ninetieth, errors.mean].map(text::loss)
    };
    let mut lines = vec![
        line(&format!("{} queries", text::count(all.queries)), utility.counted.to_owned(), heads),
        line("all", String::new(), errors(&all.all)),
    ];
    lines.extend(all.by_value.iter().map(
        |ValueErrors { attribute, value, rows, errors: relative, .. }| {
            line(&format!("{attribute} {value}"), text::count(*rows), errors(relative))
        },
    ));
    lines
}

/// Charts side by side.
fn join_columns(charts: &[Vec<String>], width: usize) -> Vec<String> {
    let columns = (width / (CHART + 1)).max(1);
    let mut lines = Vec::new();
    for group in charts.chunks(columns) {
        for row in 0..group.iter().map(Vec::len).max().unwrap_or(0) {
            let cell = |chart: &Vec<String>| text::fit(chart.get(row).map_or("", String::as_str), CHART);
            lines.push(group.iter().map(cell).collect::<Vec<_>>().join(" "));
        }
    }
    lines
}

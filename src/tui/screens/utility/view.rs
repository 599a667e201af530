//! The utility: a row a release, and below it what the one pointed at is good for, part by part.
//!
//! ```text
//!   release        query    90th  distance   zip   age   sex  education
//! ▸ spalm           .502   5.293      .387  .238  .371  .000       .396
//! ─ spalm ─────────────────────────────────────── 800 rows of 800 members ─
//!  loses most: 182 rows of loss .559, 23.8 % of all: 0****, *, male, basic
//!  zip .238       T          release       age .371, in order .120  release
//!   089**         ██░░░░  34.0 ██░░░░  25.7  0-19          ░░░░░░   6.0 █░░░░░  20.2
//! ```

use palmtop::utility::{
    Association, AttributeUtility, ClassLoss, GroupShare, PairUtility, Utility, ValueErrors,
};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::figures::{cells, heads};
use super::state::{Part, UtilityTable};
use crate::tui::kit::hits::Target;
use crate::tui::kit::layout::first_row;
use crate::tui::kit::page::Page;
use crate::tui::kit::rule::rule;
use crate::tui::kit::theme::Theme;
use crate::tui::kit::{bar, text};
use crate::tui::shared::screen::Sight;
use crate::tui::shared::state::Candidate;
use crate::tui::shared::utility::UtilityOf;
use crate::tui::shared::view::place_name;

/// Draws the screen.
pub(super) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, UtilityTable>) {
    let Ok((candidates, cursor)) = sight.own.candidates(sight.shared) else {
        page.render_widget(Line::styled(" nothing is counted yet", theme.faint()), area);
        return;
    };
    let rows = u16::try_from(candidates.len() + 2).unwrap_or(u16::MAX).min(area.height / 2);
    let [table, below] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    render_table(page, table, theme, sight, (&candidates, cursor));
    let name = place_name(&candidates[cursor].place, sight.shared.delta());
    let width = usize::from(below.width);
    let lines = match sight.own.utilities.of(&candidates[cursor]) {
        Some(UtilityOf { utility: Ok(utility), .. }) => in_full(theme, sight, &name, utility, below),
        Some(UtilityOf { utility: Err(why), .. }) => {
            vec![rule(theme, &name, "", width, false), failed(theme, why, width)]
        }
        None => vec![
            rule(theme, &name, "", width, false),
            match sight.own.utilities.slot.failure() {
                Some(why) => failed(theme, why, width),
                None => Line::styled(" measuring …", theme.faint()),
            },
        ],
    };
    page.render_widget(Paragraph::new(lines), below);
}

fn failed(theme: Theme, why: &str, width: usize) -> Line<'static> {
    Line::styled(text::fit(&format!(" not measured: {why}"), width), theme.bad())
}

fn render_table(
    page: &mut Page,
    area: Rect,
    theme: Theme,
    sight: Sight<'_, UtilityTable>,
    (candidates, cursor): (&[Candidate], usize),
) {
    let width = usize::from(area.width);
    let height = usize::from(area.height).saturating_sub(2);
    let first = first_row(cursor, height, candidates.len());
    let names: Vec<String> =
        candidates.iter().map(|candidate| place_name(&candidate.place, sight.shared.delta())).collect();
    let longest = names.iter().map(|name| text::width(name)).max().unwrap_or(0).clamp(8, 22);
    let heads = heads(sight.shared);
    let measured = |candidate| sight.own.utilities.of(candidate).and_then(|own| own.utility.as_ref().ok());
    let rows: Vec<Option<Vec<String>>> =
        candidates.iter().map(|candidate| measured(candidate).map(cells)).collect();
    let width_of = |column: usize| {
        let cells = rows.iter().flatten().map(|cells| text::width(&cells[column]));
        // A long name of an attribute is cut: its figures stand in full below.
        cells.chain([text::width(&heads[column]).min(11)]).max().unwrap_or(0)
    };
    let mut room = width.saturating_sub(2 + longest);
    let shown: Vec<usize> = (0..heads.len())
        .take_while(|&column| {
            let fits = room >= width_of(column) + 2;
            room = room.saturating_sub(width_of(column) + 2);
            fits
        })
        .collect();
    let more = if shown.len() < heads.len() { "▸" } else { "" };
    let line = |cell: &dyn Fn(usize) -> String| -> String {
        let cells = shown.iter().map(|&column| {
            let (said, width) = (cell(column), width_of(column));
            if text::width(&said) > width { text::fit(&said, width) } else { text::right(&said, width) }
        });
        cells.flat_map(|cell| ["  ".to_owned(), cell]).collect()
    };
    let done = rows.iter().flatten().count();
    let remark = if done < rows.len() {
        format!("{done} of {} measured", rows.len())
    } else {
        text::counted(rows.len(), "release", "releases")
    };
    let heading = line(&|column| heads[column].clone());
    let mut lines = vec![
        rule(theme, "utility, measured and not judged", &remark, width, false),
        Line::styled(format!("  {}{heading}{more}", text::fit("release", longest)), theme.faint()),
    ];
    for (place, (name, cells)) in names.iter().zip(&rows).enumerate().skip(first).take(height) {
        let style = if place == cursor { theme.selected() } else { theme.strong() };
        let said =
            cells.as_ref().map_or_else(|| "  …".to_owned(), |cells| line(&|column| cells[column].clone()));
        lines.push(Line::from(vec![
            Span::raw(if place == cursor { "▸ " } else { "  " }),
            Span::styled(text::fit(name, longest), style),
            Span::raw(said),
        ]));
    }
    let body = Rect { y: area.y.saturating_add(2), height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..candidates.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), area);
}

/// What one release is good for: the class that loses most, then part by part, from the one that was asked for on.
fn in_full(
    theme: Theme,
    sight: Sight<'_, UtilityTable>,
    name: &str,
    utility: &Utility,
    area: Rect,
) -> Vec<Line<'static>> {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let remark = format!(
        "{} of {}",
        text::counted(utility.rows, "row", "rows"),
        text::counted(utility.members, "member", "members")
    );
    let mut lines = vec![rule(theme, name, &remark, width, false)];
    if let Some(worst) = utility.worst.first() {
        lines.push(Line::raw(text::fit(&format!(" loses most: {}", class(worst)), width)));
    }
    let key = sight.shared.key("utility.part");
    for nth in 0..Part::ALL.len() {
        if lines.len() >= height {
            break;
        }
        let part = Part::ALL[(sight.own.part + nth) % Part::ALL.len()];
        let hint = if nth == 0 { format!("{key} next part") } else { String::new() };
        let (heading, own) = match part {
            Part::Attributes => {
                ("shares of T and of the release, in %", attributes(utility, sight.own.first, width))
            }
            Part::Pairs => ("association (V) of pairs, in T and in the release", pairs(utility, width)),
            Part::Queries => ("relative error of counting queries", queries(utility)),
            Part::Classes => ("the classes that lose most", utility.worst.iter().map(class).collect()),
        };
        lines.push(rule(theme, heading, &hint, width, false));
        lines
            .extend(own.iter().map(|line| Line::styled(text::fit(&format!(" {line}"), width), Style::new())));
    }
    lines.truncate(height);
    lines
}

fn class(own: &ClassLoss) -> String {
    let ClassLoss { labels, rows, loss, share: part } = own;
    let rows = text::counted(*rows, "row", "rows");
    format!("{rows} of loss {}, {:.1} % of all: {}", text::loss(*loss), 100.0 * part, labels.join(", "))
}

/// The columns of an attribute's chart, and of a pair.
const CHART: usize = 39;

/// A chart an attribute, as many beside each other as there is room for.
fn attributes(utility: &Utility, first: usize, width: usize) -> Vec<String> {
    let charts: Vec<Vec<String>> =
        utility.attributes[first.min(utility.attributes.len())..].iter().map(chart).collect();
    beside(&charts, width)
}

fn chart(attribute: &AttributeUtility) -> Vec<String> {
    let AttributeUtility { name, distance, ordered, groups, .. } = attribute;
    let in_order = ordered.map_or_else(String::new, |ordered| format!(" ({} in order)", text::loss(ordered)));
    let mut lines = vec![format!("{name} {}{in_order}", text::loss(*distance))];
    for GroupShare { label, original, published } in groups {
        let own = |value: f64| format!("{} {:>5.1}", bar::share(value, 6), 100.0 * value);
        lines.push(format!(" {} {} {}", text::fit(label, 11), own(*original), own(*published)));
    }
    lines
}

fn pairs(utility: &Utility, width: usize) -> Vec<String> {
    let pair = |pair: &PairUtility| {
        let PairUtility { first, second, association } = pair;
        let figures = match association {
            Some(Association { original, published }) => {
                format!("{} → {}", text::loss(*original), text::loss(*published))
            }
            None => "not counted".to_owned(),
        };
        vec![format!("{} {figures}", text::fit(&format!("{first} × {second}"), CHART - 14))]
    };
    let mut lines = beside(&utility.pairs.iter().map(pair).collect::<Vec<_>>(), width);
    if utility.more_pairs > 0 {
        lines.push(format!("and {} more, not counted", text::counted(utility.more_pairs, "pair", "pairs")));
    }
    lines
}

fn queries(utility: &Utility) -> Vec<String> {
    let all = &utility.queries;
    let line = |name: &str, members: String, [median, ninetieth, mean]: [String; 3]| {
        format!("{} {members:>9} {median:>8} {ninetieth:>8} {mean:>8}", text::fit(name, 30))
    };
    let heads = ["median", "90th", "mean"].map(ToOwned::to_owned);
    let errors =
        |own: &palmtop::utility::RelativeErrors| [own.median, own.ninetieth, own.mean].map(text::loss);
    let mut lines = vec![
        line(&format!("{} queries", text::count(all.queries)), "members".to_owned(), heads),
        line("all", String::new(), errors(&all.all)),
    ];
    lines.extend(all.by_value.iter().map(
        |ValueErrors { attribute, value, members, errors: own, .. }| {
            line(&format!("{attribute} {value}"), text::count(*members), errors(own))
        },
    ));
    lines
}

/// Charts beside each other.
fn beside(charts: &[Vec<String>], width: usize) -> Vec<String> {
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

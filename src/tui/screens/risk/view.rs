//! The risks: a row a release, and below it what the one pointed at risks in full.
//!
//! ```text
//!   release        k  k-map  alone  in P    1/t    1/n  l   e^H  (3, l)     t
//! ▸ spalm          1     14     12     0  .0425  .0016  1  1.00       1  .924
//!   node 5,4,0     1      3    120    11  .2400  .0100  1  1.00       1  .924
//! ```

use palmtop::risk::{Bucket, Risk, RiskClass};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::figures::{HEADS, WITHOUT_VALUES, cells, of_attribute};
use super::state::{RiskOf, Risks};
use crate::tui::kit::hits::Target;
use crate::tui::kit::layout::{MIDDLE, first_row};
use crate::tui::kit::page::Page;
use crate::tui::kit::rule::rule;
use crate::tui::kit::theme::Theme;
use crate::tui::kit::{bar, text};
use crate::tui::shared::screen::Sight;
use crate::tui::shared::state::Candidate;
use crate::tui::shared::view::place_name;

/// Draws the screen.
pub(super) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Risks>) {
    let Ok((candidates, cursor)) = sight.own.candidates(sight.shared) else {
        page.render_widget(Line::styled(" nothing is counted yet", theme.faint()), area);
        return;
    };
    let rows = u16::try_from(candidates.len() + 2).unwrap_or(u16::MAX).min(area.height / 2);
    let [table, below] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    render_table(page, table, theme, sight, (&candidates, cursor));
    let name = place_name(&candidates[cursor].place, sight.shared.delta());
    let width = usize::from(below.width);
    let lines = match sight.own.of(&candidates[cursor]) {
        Some(RiskOf { risk: Ok((risk, worst)), .. }) => in_full(theme, sight, &name, (risk, worst), below),
        Some(RiskOf { risk: Err(why), .. }) => {
            vec![rule(theme, &name, "", width, false), failed(theme, why, width)]
        }
        None => vec![
            rule(theme, &name, "", width, false),
            match sight.own.slot.failure() {
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
    sight: Sight<'_, Risks>,
    (candidates, cursor): (&[Candidate], usize),
) {
    let width = usize::from(area.width);
    let height = usize::from(area.height).saturating_sub(2);
    let first = first_row(cursor, height, candidates.len());
    let names: Vec<String> =
        candidates.iter().map(|candidate| place_name(&candidate.place, sight.shared.delta())).collect();
    let longest = names.iter().map(|name| text::width(name)).max().unwrap_or(0).clamp(8, 22);
    let has_values = !sight.shared.analysis.sensitive().is_empty();
    let heads = &HEADS[..if has_values { HEADS.len() } else { WITHOUT_VALUES }];
    let rows: Vec<Option<Vec<String>>> = candidates
        .iter()
        .map(|candidate| {
            sight.own.of(candidate).and_then(|own| own.risk.as_ref().ok()).map(|(risk, _)| cells(risk))
        })
        .collect();
    let width_of = |column: usize| {
        let cells = rows.iter().flatten().map(|cells| text::width(&cells[column]));
        cells.chain([text::width(heads[column])]).max().unwrap_or(0)
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
        let cells = shown.iter().map(|&column| text::right(&cell(column), width_of(column)));
        cells.flat_map(|cell| ["  ".to_owned(), cell]).collect()
    };
    let measured = rows.iter().flatten().count();
    let remark = if measured < rows.len() {
        format!("{measured} of {} measured", rows.len())
    } else {
        text::counted(rows.len(), "release", "releases")
    };
    let heading = line(&|column| heads[column].to_owned());
    let mut lines = vec![
        rule(theme, "risk, measured and not judged", &remark, width, false),
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

/// What one release risks: its sensitive attributes, its classes in buckets, and as many of the worst as there is room for.
fn in_full(
    theme: Theme,
    sight: Sight<'_, Risks>,
    name: &str,
    (risk, worst): (&Risk, &[RiskClass]),
    area: Rect,
) -> Vec<Line<'static>> {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let remark = format!(
        "{} with {}",
        text::counted(risk.released_classes, "class", "classes"),
        text::counted(risk.members, "member", "members")
    );
    let mut lines = vec![rule(theme, name, &remark, width, false)];
    lines.extend(
        risk.sensitive.iter().map(|own| Line::raw(text::fit(&format!(" {}", of_attribute(own)), width))),
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
    let beside =
        if width >= usize::from(MIDDLE) { tables.len().min(width / TABLE) } else { (width / TABLE).max(1) };
    for group in tables.chunks(beside.max(1)) {
        let rows = group.iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..rows {
            let cell = |table: &Vec<String>| text::fit(table.get(row).map_or("", String::as_str), TABLE);
            let said: String = group.iter().map(cell).collect();
            let style = if row == 0 { theme.faint() } else { ratatui::style::Style::new() };
            lines.push(Line::styled(text::fit(&said, width), style));
        }
    }
    if lines.len() + 2 < height {
        lines.push(rule(theme, "the classes that risk most", "members · people of P", width, false));
        let quasi = sight.shared.problem.quasi();
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

/// A line a bucket that has classes.
fn histogram(heading: &str, buckets: &[Bucket], members: u64) -> Vec<String> {
    let mut lines = vec![format!(" {heading:<25} members")];
    for Bucket { from, to, members: own, .. } in buckets.iter().filter(|bucket| bucket.classes > 0) {
        let range = match to {
            Some(to) if to == from => from.clone(),
            Some(to) => format!("{from} to {to}"),
            None => format!("{from} and more"),
        };
        let share = bar::share(bar::ratio(*own, members), 10);
        lines.push(format!("  {range:<16} {:>9} {share}", text::count(*own)));
    }
    lines
}

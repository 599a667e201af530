//! The step table: what each neighbouring node would do.
//!
//! ```text
//! ─ step ──────────────────────────────────────── ★ least loss per class satisfied ─
//!   attribute  level      coarser →  Δloss   classes   finer ←  Δloss   classes
//! ▸ zip        ■□□□□ 1/5    ★ ✓   0  +.066       122       ✗88  −.050       911
//! ```
//!
//! Where regions stand on the workbench, nothing of that is true of them: then it says the loss of each attribute.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::neighbours::Cell;
use super::state::{Pane, Workbench};
use crate::tui::kit::hits::Target;
use crate::tui::kit::layout::cursor;
use crate::tui::kit::layout::first_row;
use crate::tui::kit::page::Page;
use crate::tui::kit::rule::rule;
use crate::tui::kit::theme::Theme;
use crate::tui::kit::{bar, text};
use crate::tui::shared::screen::Sight;

/// A cell: mark and violations, change of loss, classes.
const CELL: usize = 9 + 7 + 9;

/// Draws the table.
pub(crate) fn render(page: &mut Page, area: Rect, sight: Sight<'_, Workbench>) {
    let theme = page.theme;
    if area.height == 0 {
        return;
    }
    let width = usize::from(area.width);
    let on_region =
        matches!(sight.shared.place(), palmtop::session::Place::Search(search) if search.node.is_none());
    let remark = if on_region {
        let (finer, coarser) = (sight.shared.key("workbench.finer"), sight.shared.key("workbench.coarser"));
        let forms = [
            format!(
                "steps apply to nodes: {finer} or {coarser} goes back to node {}",
                sight.shared.ground.node
            ),
            format!("{finer} or {coarser}: back to node {}", sight.shared.ground.node),
        ];
        text::longest_that_fits(&forms, width.saturating_sub(12))
    } else {
        "★ least loss per class satisfied".to_owned()
    };
    let quasi = sight.shared.problem.quasi();
    let rows = usize::from(area.height).saturating_sub(2);
    let first = first_row(sight.own.cursor, rows, quasi.len());
    let seen = first..(first + rows).min(quasi.len());
    let remark = if seen.len() < quasi.len() && !seen.is_empty() {
        let part = format!("attributes {}–{} of {}", seen.start + 1, seen.end, quasi.len());
        let keys = format!("{} {}", sight.shared.key("down"), sight.shared.key("up"));
        let forms = [format!("{part} ({keys}) · {remark}"), format!("{part} ({keys})"), part];
        text::longest_that_fits(&forms, width.saturating_sub(12))
    } else {
        remark
    };
    let mut lines = vec![rule(theme, "step", &remark, width, sight.own.pane == Pane::Steps)];
    let levels = quasi.iter().map(|quasi| quasi.hierarchy.levels().count() - 1);
    let level_width = levels.max().unwrap_or(0).min(8) + 4;
    let names = quasi.iter().map(|quasi| text::width(&quasi.name)).max().unwrap_or(0);
    let room = width.saturating_sub(2 + 1 + level_width + 1 + 2 * CELL);
    let name_width = names.max("attribute".len()).min(room.max(4));
    lines.push(if on_region {
        Line::styled(format!("  {} {}", text::fit("attribute", name_width), REGION_HEAD), theme.faint())
    } else {
        header(theme, name_width, level_width)
    });
    let (suggestion, loss) = (sight.own.steps.suggestion(), sight.own.steps.start_loss());
    for place in seen {
        if on_region {
            lines.push(region_line(theme, sight, place, name_width));
            continue;
        }
        lines.push(step_line(theme, sight, place, name_width, level_width, suggestion == Some(place), loss));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..quasi.len()).map(Target::Other));
    page.render_widget(Paragraph::new(lines), area);
}

/// The heading of what is said of regions.
const REGION_HEAD: &str = "level       loss";

/// An attribute of regions has no level and no neighbours; what the node before had is not true of it.
fn region_line(theme: Theme, sight: Sight<'_, Workbench>, place: usize, names: usize) -> Line<'static> {
    let selected = place == sight.own.cursor;
    let is_focused = sight.own.pane == Pane::Steps;
    let style = if selected && is_focused { theme.selected() } else { theme.strong() };
    let losses = sight.shared.current_view().map(|view| view.release().metrics.loss.by_attribute());
    let loss = losses.map_or_else(|| "…".to_owned(), |losses| text::loss(losses[place]));
    Line::from(vec![
        Span::raw(cursor(selected, is_focused)),
        Span::styled(text::fit(&sight.shared.problem.quasi()[place].name, names), style),
        Span::raw(format!(" by region   {loss}")),
    ])
}

fn header(theme: Theme, names: usize, levels: usize) -> Line<'static> {
    let half = |heading: &str| format!("{heading:>9} {:>6}{:>9}", "Δloss", "classes");
    let line = format!(
        "  {} {} {}{}",
        text::fit("attribute", names),
        text::fit("level", levels),
        half("coarser →"),
        half("finer ←")
    );
    Line::styled(line, theme.faint())
}

fn step_line(
    theme: Theme,
    sight: Sight<'_, Workbench>,
    place: usize,
    names: usize,
    levels: usize,
    suggested: bool,
    loss: f64,
) -> Line<'static> {
    let quasi = &sight.shared.problem.quasi()[place];
    let (base, top) = (quasi.hierarchy.base().0, quasi.hierarchy.top().0);
    let level = sight.shared.ground.node.levels()[place].0;
    let all = usize::from(top - base);
    let boxes = if all <= 8 { bar::level(usize::from(level - base), all) } else { String::new() };
    let gauge = format!("{boxes} {level}/{top}");
    let selected = place == sight.own.cursor;
    let style = if selected && sight.own.pane == Pane::Steps { theme.selected() } else { theme.strong() };
    let cursor = cursor(selected, sight.own.pane == Pane::Steps);
    let mut spans = vec![
        Span::raw(cursor),
        Span::styled(text::fit(&quasi.name, names), style),
        Span::raw(format!(" {} ", text::fit(&gauge, levels))),
    ];
    let [coarser, finer] = sight.own.steps.cells(place);
    spans.extend(cell(theme, coarser, suggested, loss, "coarsest"));
    spans.extend(cell(theme, finer, false, loss, "finest"));
    Line::from(spans)
}

fn cell(theme: Theme, cell: Cell, suggested: bool, loss: f64, end: &str) -> Vec<Span<'static>> {
    match cell {
        Cell::End => vec![Span::styled(text::fit(&format!("    {end} already"), CELL), theme.faint())],
        Cell::Open => vec![Span::styled(text::fit("        …", CELL), theme.faint())],
        Cell::Unknown => vec![Span::styled(text::fit("        ?", CELL), theme.faint())],
        Cell::Counted(step) => {
            let star = if suggested { "★" } else { " " };
            let (sign, style) =
                if step.violations == 0 { ("✓", theme.good()) } else { ("✗", theme.bad()) };
            let verdict = format!("{star}{sign}{}", text::right(&text::count(step.violations), 7));
            vec![
                Span::styled(verdict, style),
                Span::raw(format!(
                    "{}{}",
                    text::right(&text::change(step.loss - loss), 7),
                    text::right(&text::count(step.classes), 9)
                )),
            ]
        }
    }
}

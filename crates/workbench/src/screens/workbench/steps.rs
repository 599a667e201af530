//! The step table: what each neighbouring node would do.
//!
//! ```text
//! ─ step ─────────────────── → coarser · ← finer · ★ least loss per class satisfied ─
//!   attribute  level        → fails  Δloss   classes   ← fails  Δloss   classes
//! ▸ zip        ■□□□□ 1/5    ★ ✓   0  +.066       122       ✗88  −.050       911
//! ```
//!
//! Where regions stand on the workbench, nothing of that is true of them: then it says the loss of each attribute.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::neighbours::Cell;
use super::state::{Pane, Workbench};
use crate::kit::hits::Target;
use crate::kit::layout::cursor;
use crate::kit::layout::first_row;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::screen::Sight;

/// The widths of the columns of a cell. Texts are aligned to the right, and a blank precedes each
/// figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Widths {
    /// The violations, after a star and a mark.
    violations: usize,
    /// The change of loss.
    change: usize,
    /// The classes.
    classes: usize,
}

impl Widths {
    /// The widths for the figures of a small table.
    const LEAST: Self = Self { violations: 7, change: 7, classes: 9 };

    /// The widths for these cells, whose steps start from this loss.
    fn of<'a>(cells: impl Iterator<Item = &'a Cell>, loss: f64) -> Self {
        cells.fold(Self::LEAST, |widths, cell| match cell {
            Cell::Counted(step) => Self {
                violations: widths.violations.max(text::count(step.violations).len()),
                change: widths.change.max(text::width(&text::change(step.loss - loss)) + 1),
                classes: widths.classes.max(text::count(step.classes).len() + 1),
            },
            Cell::End | Cell::Open | Cell::Unknown => widths,
        })
    }

    /// A cell: star, mark and violations, change of loss, classes.
    fn cell(self) -> usize {
        2 + self.violations + self.change + self.classes
    }
}

/// The least width of an attribute's name.
const NAME: usize = 4;

/// Draws the table.
pub(crate) fn render(page: &mut Page, area: Rect, sight: Sight<'_, Workbench>) {
    let theme = page.theme;
    if area.height == 0 {
        return;
    }
    let width = usize::from(area.width);
    let on_region = matches!(sight.shared.recipe(), palmtop_release::history::RecodingRecipe::Search(search) if search.node.is_none());
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
        let meaning = "→ coarser · ← finer · ★ least loss per class satisfied";
        let figures = "classes that fail δ after the step, change of loss, all classes";
        text::longest_that_fits(
            &[format!("{figures} · {meaning}"), meaning.to_owned()],
            width.saturating_sub(12),
        )
    };
    let quasi = sight.shared.problem.quasi();
    let rows = usize::from(area.height).saturating_sub(2);
    let first = first_row(sight.screen.cursor, rows, quasi.len());
    let seen = first..(first + rows).min(quasi.len());
    let remark = if seen.len() < quasi.len() && !seen.is_empty() {
        let part = format!("attributes {}–{} of {}", seen.start + 1, seen.end, quasi.len());
        let keys = format!("{} {}", sight.shared.key("down"), sight.shared.key("up"));
        let forms = [format!("{part} ({keys}) · {remark}"), format!("{part} ({keys})"), part];
        text::longest_that_fits(&forms, width.saturating_sub(12))
    } else {
        remark
    };
    let mut lines = vec![rule(theme, "step", &remark, width, sight.screen.pane == Pane::Steps)];
    let (suggestion, loss) = (sight.screen.steps.suggestion(), sight.screen.steps.start_loss());
    let all_cells: Vec<Cell> = (0..quasi.len()).flat_map(|index| sight.screen.steps.cells(index)).collect();
    let widths = Widths::of(all_cells.iter(), loss);
    let levels = quasi.iter().map(|quasi| quasi.hierarchy.levels().count() - 1).max().unwrap_or(0);
    let room = width.saturating_sub(2 + 1 + 1 + 2 * widths.cell());
    // Large figures leave no room for the boxes of a level.
    let has_boxes = room >= NAME + levels.min(BOXES) + 4;
    let level_width = if has_boxes { levels.min(BOXES) } else { 1 } + 4;
    let names = quasi.iter().map(|quasi| text::width(&quasi.name)).max().unwrap_or(0);
    let name_width = names.max("attribute".len()).min(room.saturating_sub(level_width).max(NAME));
    let columns = Columns { name: name_width, level: level_width, has_boxes, widths };
    lines.push(if on_region {
        Line::styled(format!("  {} {}", text::fit("attribute", name_width), REGION_HEAD), theme.faint())
    } else {
        header(theme, columns)
    });
    for index in seen {
        if on_region {
            lines.push(region_line(theme, sight, index, name_width));
            continue;
        }
        lines.push(step_line(theme, sight, index, columns, suggestion == Some(index), loss));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..quasi.len()).map(Target::Other));
    page.render_widget(Paragraph::new(lines), area);
}

/// The most boxes of a level.
const BOXES: usize = 8;

/// The widths of the columns of the table.
#[derive(Clone, Copy, Debug)]
struct Columns {
    name: usize,
    level: usize,
    has_boxes: bool,
    widths: Widths,
}

/// The heading for a release by region.
const REGION_HEAD: &str = "level       loss";

/// An attribute of a release by region has no level and no neighbours; those of the last node do
/// not apply to it.
fn region_line(theme: Theme, sight: Sight<'_, Workbench>, index: usize, names: usize) -> Line<'static> {
    let selected = index == sight.screen.cursor;
    let is_focused = sight.screen.pane == Pane::Steps;
    let style = if selected && is_focused { theme.selected() } else { theme.strong() };
    let losses = sight.shared.current_view().map(|view| view.release().metrics.loss.by_attribute());
    let loss = losses.map_or_else(|| "…".to_owned(), |losses| text::loss(losses[index]));
    Line::from(vec![
        Span::raw(cursor(selected, is_focused)),
        Span::styled(text::fit(&sight.shared.problem.quasi()[index].name, names), style),
        Span::raw(format!(" by region   {loss}")),
    ])
}

fn header(theme: Theme, columns: Columns) -> Line<'static> {
    let Columns { name, level, widths: Widths { violations, change, classes }, .. } = columns;
    let (violations, change) = (violations + 2, change - 1);
    let half = |heading: &str| format!("{heading:>violations$} {:>change$}{:>classes$}", "Δloss", "classes");
    let line = format!(
        "  {} {} {}{}",
        text::fit("attribute", name),
        text::fit("level", level),
        half("→ fails"),
        half("← fails")
    );
    Line::styled(line, theme.faint())
}

fn step_line(
    theme: Theme,
    sight: Sight<'_, Workbench>,
    index: usize,
    columns: Columns,
    suggested: bool,
    loss: f64,
) -> Line<'static> {
    let quasi = &sight.shared.problem.quasi()[index];
    let (base, top) = (quasi.hierarchy.base().0, quasi.hierarchy.top().0);
    let level = sight.shared.ground.node.levels()[index].0;
    let all = usize::from(top - base);
    let boxes = if all <= BOXES && columns.has_boxes {
        bar::level(usize::from(level - base), all)
    } else {
        String::new()
    };
    let gauge = format!("{boxes} {level}/{top}");
    let selected = index == sight.screen.cursor;
    let style = if selected && sight.screen.pane == Pane::Steps { theme.selected() } else { theme.strong() };
    let cursor = cursor(selected, sight.screen.pane == Pane::Steps);
    let mut spans = vec![
        Span::raw(cursor),
        Span::styled(text::fit(&quasi.name, columns.name), style),
        Span::raw(format!(" {} ", text::fit(&gauge, columns.level))),
    ];
    let [coarser, finer] = sight.screen.steps.cells(index);
    spans.extend(cell(theme, columns.widths, (coarser, suggested), loss, "coarsest"));
    spans.extend(cell(theme, columns.widths, (finer, false), loss, "finest"));
    Line::from(spans)
}

fn cell(
    theme: Theme,
    widths: Widths,
    (cell, suggested): (Cell, bool),
    loss: f64,
    end: &str,
) -> Vec<Span<'static>> {
    let empty = |sentence: &str| vec![Span::styled(text::fit(sentence, widths.cell()), theme.faint())];
    match cell {
        Cell::End => empty(&format!("    {end} already")),
        Cell::Open => empty("        …"),
        Cell::Unknown => empty("        ?"),
        Cell::Counted(step) => {
            let star = if suggested { "★" } else { " " };
            let (sign, style) =
                if step.violations == 0 { ("✓", theme.good()) } else { ("✗", theme.bad()) };
            let violations = text::right(&text::count(step.violations), widths.violations);
            vec![
                Span::styled(format!("{star}{sign}{violations}"), style),
                Span::raw(format!(
                    "{}{}",
                    text::right(&text::change(step.loss - loss), widths.change),
                    text::right(&text::count(step.classes), widths.classes)
                )),
            ]
        }
    }
}

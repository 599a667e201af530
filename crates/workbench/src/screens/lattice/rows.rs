//! The map of the lattice: a row per height.
//!
//! While the longest row fits, each node has a mark. From there on, each column is a band of loss, the same one in each
//! row. A cell shows the share of its nodes that keep δ, a line the least loss of each height that does, and the
//! cursor's height follows below, a mark per node.
//!
//! ```text
//! ─ coarse ↑ 2 more ───────────────────── bands of loss, .000 to 1.000 · ✓ ─
//!   17                                  ┌──┤●█···█▅▅▅▅▅▇▃▅○█▅● ▅● ●     31
//! ▸ 16                              ··· │★····▁·▃·▁··▁▁·▃▅···  ●×       11
//!   15                      ·   ········└──┤▁············  ×   ·         1
//! ─ fine ↓ 15 more ──────── height 16: node 8 of 102 · in its band ✓ 1 ✗ 1 ─
//!  ····×·×★·······················○··········●··×●···●·······×·×···×·······▸
//! ```

use std::ops::Range;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::NodeState;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::map::LatticeMap;
use super::walk::LatticeWalk;
use super::wall;
use crate::kit::hits::Target;
use crate::kit::layout::first_row;
use crate::kit::layout::{MIDDLE, WIDE};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::screen::Sight;
use crate::shared::state::Shared;

/// The lines besides the rows: two rules and the cursor's height.
pub(crate) const OTHERS: usize = 3;
/// The cursor, the height and a blank.
const LABEL: usize = 5;

/// A cell of a row: its column, and its nodes.
type Cell = (usize, Range<usize>);

/// The marks besides the verdicts, with their positions.
#[derive(Clone, Copy)]
struct Marks<'a> {
    theme: Theme,
    map: &'a LatticeMap,
    cursor: usize,
    here: usize,
    optimum: Option<usize>,
    /// The nodes that the workbench has shown, in order.
    walked: &'a [usize],
}

/// Whether the map has bands, because its longest row does not fit.
pub(crate) fn is_folded(map: &LatticeMap, width: usize) -> bool {
    map.longest() > room(&Sums::of(map, width), width)
}

fn room(sums: &Sums, width: usize) -> usize {
    width.saturating_sub(LABEL + sums.width)
}

/// Draws the map.
pub(crate) fn render(
    page: &mut Page,
    area: Rect,
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    map: &LatticeMap,
) {
    let width = usize::from(area.width);
    let (cursor, here) = (map.position(&sight.screen.cursor), map.position(&sight.shared.ground.node));
    let walked = walked(sight.shared, map);
    let marks = Marks { theme, map, cursor, here, optimum: map.optimum(), walked: &walked };
    let sums = Sums::of(map, width);
    let (room, is_folded) = (room(&sums, width), is_folded(map, width));
    let others = if is_folded { OTHERS } else { OTHERS - 1 };
    let height = usize::from(area.height).saturating_sub(others);
    let cursor_row = map.row_of(cursor);
    let from_top = |row: usize| map.heights() - 1 - row;
    let first = first_row(from_top(cursor_row), height, map.heights());
    let shown = height.min(map.heights() - first);
    let more = |count: usize| if count > 0 { format!(" {count} more") } else { String::new() };

    let what = if is_folded {
        format!("bands of loss, {} to {}", text::loss(map.loss(0)), text::loss(map.loss(map.len() - 1)))
    } else {
        "a mark per node, less loss at left".to_owned()
    };
    let remark = format!("{what} · {}", sums.heading());
    let mut lines = vec![rule(theme, &format!("coarse ↑{}", more(first)), &remark, width, true)];
    let rows: Vec<usize> = (first..first + shown).map(from_top).collect();
    let cells: Vec<Vec<Cell>> = rows.iter().map(|&row| cells(map, row, room, is_folded)).collect();
    let walls: Vec<Option<usize>> =
        cells.iter().map(|cells| if is_folded { wall_of(map, cells) } else { None }).collect();
    for (line, (&row, cells)) in rows.iter().zip(&cells).enumerate() {
        let label = if row == cursor_row { Span::styled("▸", theme.strong()) } else { Span::raw(" ") };
        let mut spans = vec![label, Span::styled(format!("{:>3} ", map.height(row)), theme.faint())];
        let y = area.y + 1 + text::columns(line);
        let wall = |line: Option<usize>| line.and_then(|line| walls.get(line).copied().flatten());
        let around = [line.checked_sub(1), Some(line), Some(line + 1)].map(wall);
        let drawn = marks.row(cells, &wall::of_row(around), room);
        for (column, run) in cells {
            let x = area.x + text::columns(LABEL + column);
            page.hits.note(Rect { x, y, width: 1, height: 1 }, Target::Column(marks.target(run)));
        }
        spans.extend(drawn);
        spans.push(Span::styled(sums.of_row(map, row), theme.faint()));
        lines.push(Line::from(spans));
    }
    let below = map.heights() - first - shown;
    let band = cells.iter().flatten().find(|(_, run)| is_folded && run.contains(&cursor));
    let remark = marks.remark(cursor_row, band.map(|(_, run)| run));
    lines.push(rule(theme, &format!("fine ↓{}", more(below)), &remark, width, false));
    if is_folded {
        let y = area.y + text::columns(lines.len());
        lines.push(strip(page, marks, &map.row(cursor_row), area, y));
    }
    page.render_widget(Paragraph::new(lines), area);
}

/// The nodes that the steps have led over so far, in the order of the map.
fn walked(shared: &Shared, map: &LatticeMap) -> Vec<usize> {
    let steps = &shared.log.steps()[..=shared.log.current()];
    let levels = steps.iter().filter_map(|step| match &step.recoding {
        RecodingRecipe::Node(levels) => Some(levels),
        RecodingRecipe::Search(search) => search.node.as_ref(),
    });
    let nodes = levels.filter_map(|levels| map.lattice().node(levels).ok());
    let mut walked: Vec<usize> = nodes.map(|node| map.position(&node)).collect();
    walked.sort_unstable();
    walked.dedup();
    walked
}

/// The cells of a row that have nodes.
fn cells(map: &LatticeMap, row: usize, room: usize, is_folded: bool) -> Vec<Cell> {
    if is_folded {
        let bands = map.bands(row, room.max(1)).into_iter().enumerate();
        return bands.filter(|(_, run)| !run.is_empty()).collect();
    }
    let positions = map.row(row);
    let gap = usize::from(2 * map.longest() <= room + 1) + 1;
    let indent = room.saturating_sub((positions.len() - 1) * gap + 1) / 2;
    positions.enumerate().map(|(nth, at)| (indent + nth * gap, at..at + 1)).collect()
}

/// The column of the wall of a row: to the left of the first cell with a node that keeps δ.
fn wall_of(map: &LatticeMap, cells: &[Cell]) -> Option<usize> {
    let (first, _) = cells.iter().find(|(_, run)| map.passing(run.clone()) > 0)?;
    first.checked_sub(1)
}

/// The cursor's height around the cursor, one mark per node.
fn strip(page: &mut Page, marks: Marks, positions: &Range<usize>, area: Rect, y: u16) -> Line<'static> {
    let room = usize::from(area.width).saturating_sub(2);
    let count = positions.len().min(room);
    let before = (marks.cursor - positions.start).saturating_sub(room / 2).min(positions.len() - count);
    let shown = positions.start + before..positions.start + before + count;
    let indent = (room - count) / 2;
    let end = |more: bool, mark| Span::styled(if more { mark } else { " " }, marks.theme.faint());
    let mut spans = vec![end(before > 0, "◂"), Span::raw(" ".repeat(indent))];
    for (column, position) in shown.clone().enumerate() {
        let x = area.x + text::columns(1 + indent + column);
        page.hits.note(Rect { x, y, width: 1, height: 1 }, Target::Column(position));
        spans.push(marks.span(&(position..position + 1)));
    }
    spans.push(end(shown.end < positions.end, "▸"));
    Line::from(spans)
}

impl Marks<'_> {
    /// The columns of a row. The line of least loss passes over cells in which every node breaks δ.
    fn row(self, cells: &[Cell], line: &[(usize, &'static str)], room: usize) -> Vec<Span<'static>> {
        let mut drawn = vec![Span::raw(" "); room];
        for (column, run) in cells {
            drawn[*column] = self.span(run);
        }
        for (column, mark) in line {
            if matches!(drawn[*column].content.as_ref(), " " | "·") {
                drawn[*column] = Span::styled(*mark, self.theme.good());
            }
        }
        drawn
    }

    /// The mark of a cell; reversed if it contains the cursor.
    fn span(self, run: &Range<usize>) -> Span<'static> {
        let (mark, style) = self.mark(run);
        let is_pointed = run.contains(&self.cursor);
        Span::styled(mark, if is_pointed { style.patch(self.theme.selected()) } else { style })
    }

    fn mark(self, run: &Range<usize>) -> (&'static str, Style) {
        let theme = self.theme;
        let (share, style) = share_mark(theme, self.map, run);
        if run.contains(&self.here) {
            ("◆", theme.accent().patch(theme.strong()))
        } else if self.optimum.is_some_and(|optimum| run.contains(&optimum)) {
            ("★", theme.good().patch(theme.strong()))
        } else if self.was_in(run) {
            ("◇", style)
        } else {
            (share, style)
        }
    }

    /// Whether the workbench has shown a node of a cell.
    fn was_in(self, run: &Range<usize>) -> bool {
        let next = self.walked.partition_point(|at| *at < run.start);
        self.walked.get(next).is_some_and(|at| run.contains(at))
    }

    /// The node that a click on a cell means.
    fn target(self, run: &Range<usize>) -> usize {
        self.optimum.filter(|optimum| run.contains(optimum)).unwrap_or(run.start)
    }

    /// Where the cursor is, and how many nodes of its band keep δ and break it.
    fn remark(self, row: usize, band: Option<&Range<usize>>) -> String {
        let positions = self.map.row(row);
        let (nth, count) = (self.cursor - positions.start + 1, positions.len());
        let (height, nth, count) = (self.map.height(row), text::count(nth), text::count(count));
        let place = format!("height {height}: node {nth} of {count}");
        let Some(band) = band else { return place };
        let (passing, open) = (self.map.passing(band.clone()), self.map.open(band.clone()));
        let breaking = band.len() - passing - open;
        let open = if open > 0 { format!(" ? {}", text::count(open)) } else { String::new() };
        format!("{place} · in its band ✓ {} ✗ {}{open}", text::count(passing), text::count(breaking))
    }
}

/// The share of nodes that keep δ, as a bar; of a single node its verdict, and how it is known.
fn share_mark(theme: Theme, map: &LatticeMap, run: &Range<usize>) -> (&'static str, Style) {
    const PARTS: [&str; 4] = ["▁", "▃", "▅", "▇"];
    if run.len() == 1 {
        return state_mark(theme, map.state(run.start));
    }
    let passing = map.passing(run.clone());
    if map.open(run.clone()) > 0 {
        ("?", theme.warning())
    } else if passing == 0 {
        ("·", theme.bad())
    } else if passing == run.len() {
        ("█", theme.good())
    } else {
        (PARTS[PARTS.len() * passing / run.len()], theme.warning())
    }
}

/// The mark of a verdict on a node.
pub(crate) fn state_mark(theme: Theme, state: NodeState) -> (&'static str, Style) {
    match state {
        NodeState::Open => ("?", theme.warning()),
        NodeState::PresentChecked => ("●", theme.good()),
        NodeState::PresentImplied => ("○", theme.good()),
        NodeState::FailsChecked => ("×", theme.bad()),
        NodeState::FailsImplied => ("·", theme.bad()),
    }
}

/// The sums at the end of each row, as far as they fit: the nodes that keep δ, all nodes, and the
/// range of loss.
struct Sums {
    width: usize,
    count: usize,
    of_all: bool,
    losses: bool,
}

impl Sums {
    fn of(map: &LatticeMap, width: usize) -> Self {
        let passing = (0..map.heights()).map(|row| map.passing(map.row(row)));
        let digits = |count: usize| text::width(&text::count(count));
        let of_all = width >= usize::from(MIDDLE);
        let losses = width >= usize::from(WIDE - 71);
        let count = if of_all { digits(map.longest()) } else { digits(passing.max().unwrap_or(0)) };
        let width = 1 + count + if of_all { 1 + count } else { 0 } + if losses { 2 + 11 } else { 0 } + 1;
        Self { width, count, of_all, losses }
    }

    fn heading(&self) -> &'static str {
        match (self.of_all, self.losses) {
            (true, true) => "✓/n, loss",
            (true, false) => "✓/n",
            (false, _) => "✓",
        }
    }

    fn of_row(&self, map: &LatticeMap, row: usize) -> String {
        let positions = map.row(row);
        let count = |count: usize| text::right(&text::count(count), self.count);
        let mut line = format!(" {}", count(map.passing(positions.clone())));
        if self.of_all {
            line = format!("{line}/{}", text::fit(&text::count(positions.len()), self.count));
        }
        if self.losses {
            let (least, greatest) =
                (text::loss(map.loss(positions.start)), text::loss(map.loss(positions.end - 1)));
            line = format!("{line}  {}", text::right(&format!("{least}–{greatest}"), 11));
        }
        format!("{line} ")
    }
}
